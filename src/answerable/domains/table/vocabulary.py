"""Words for made-up tables: our own, of everyday kinds of table."""

from __future__ import annotations

from answerable.core.records import Record
from answerable.domains.table.cells import Kind


class Spec(Record, frozen=True):
    """A column that a topic may have."""

    name: str
    kind: Kind
    top: tuple[int, int] = (0, 0)
    """The upper bound is drawn between these (minutes after midnight for the first time of a day)."""
    low: int = 0
    """The lower bound, where it is not zero."""
    decimals: int = 0
    prefix: str = ""
    suffix: str = ""
    measure: str = ""
    words: tuple[str, ...] = ()
    coarse: int = 1
    """Values are multiples of this many of the last digit."""


class Topic(Record, frozen=True):
    """What a table is about."""

    titles: tuple[str, ...]
    """``{place}`` is filled in."""
    corner: str
    rows: str
    """Key of ``POOLS``."""
    columns: tuple[Spec, ...]
    """Columns of different kinds; some are chosen, in this order."""
    across: str = ""
    """Key of ``POOLS``: the columns are these instead, all like ``columns[0]``."""


def _count(name: str, low: int, high: int, measure: str = "", coarse: int = 1) -> Spec:
    return Spec(name=name, kind="integer", top=(low, high), measure=measure, coarse=coarse)


def _money(name: str, low: int, high: int, decimals: int = 2, prefix: str = "$", coarse: int = 1) -> Spec:
    return Spec(name=name, kind="money", top=(low, high), decimals=decimals, prefix=prefix, coarse=coarse,
                measure="money")  # fmt: skip


def _share(name: str, low: int, high: int, decimals: int = 0) -> Spec:
    return Spec(name=name, kind="percent", top=(low, high), decimals=decimals, suffix="%", measure="per cent")


def _amount(name: str, low: int, high: int, measure: str, decimals: int = 1, least: int = 0) -> Spec:
    return Spec(name=name, kind="decimal", top=(low, high), low=least, decimals=decimals, measure=measure)


def _words(name: str, *words: str) -> Spec:
    return Spec(name=name, kind="text", words=words)


def _time(name: str) -> Spec:
    return Spec(name=name, kind="time")


TOPICS: tuple[Topic, ...] = (
    Topic(titles=("{place} bakery: sold this week", "Counter sales, {place}", "What {place} baked"), corner="Day",
          rows="weekdays", across="breads", columns=(_count("", 40, 300, "pieces"),)),
    Topic(titles=("Price list", "{place} garden centre", ""), corner="Plant", rows="plants",
          columns=(_money("Price", 10, 90), _count("In stock", 30, 400, "plants"),
                   _amount("Height (cm)", 40, 200, "cm"), _words("Light", "sun", "half shade", "shade"))),
    Topic(titles=("Departures from {place}", "{place} bus station", "Timetable {place}"), corner="Destination",
          rows="towns", columns=(_time("Departs"), _time("Arrives"), _count("Stops", 6, 18, "stops"),
                                 _amount("Fare (EUR)", 20, 60, "EUR", 2))),
    Topic(titles=("{place} league table", "Season standings, {place}"), corner="Team", rows="teams",
          columns=(_count("Played", 24, 38, "matches"), _count("Won", 18, 30, "wins"), _count("Goals", 50, 95, "goals"),
                   _count("Points", 60, 99, "points"))),
    Topic(titles=("Budget of {place}", "{place}: spending by quarter"), corner="Department", rows="departments",
          across="quarters", columns=(_money("", 20_000, 400_000, 0, coarse=100),)),
    Topic(titles=("Survey in {place}", "How people in {place} travel"), corner="Mode of travel", rows="modes",
          across="ages", columns=(_share("", 40, 70),)),
    Topic(titles=("Staff rota, {place}", "Week 32, {place}"), corner="Name", rows="names",
          columns=(_words("Section", "Kitchen", "Service", "Bar", "Reception"), _amount("Hours", 30, 45, "hours"),
                   _money("Pay per hour", 20, 40), _count("Shifts", 6, 12, "shifts"))),
    Topic(titles=("Stock of {place} Hardware", "Warehouse {place}"), corner="Item", rows="tools",
          columns=(_words("Bay", "A1", "A2", "B1", "B4", "C3"), _count("On hand", 200, 2500, "items"),
                   _count("Ordered", 100, 900, "items"), _money("Unit cost", 20, 250), _share("Discount", 20, 50))),
    Topic(titles=("Weather log, {place}", "{place} observatory"), corner="Month", rows="months",
          columns=(_amount("Mean temperature (°C)", 22, 35, "°C", 1, -12), _amount("Rainfall (mm)", 90, 260, "mm", 1),
                   _count("Sunny days", 20, 30, "days"), _share("Humidity", 80, 99))),
    Topic(titles=("School clubs of {place}", "{place} school, members"), corner="Club", rows="clubs", across="years",
          columns=(_count("", 30, 120, "members"),)),
    Topic(titles=("Museum {place}: guided tours", "Tours this Saturday, {place}"), corner="Tour", rows="tours",
          columns=(_time("Begins"), _time("Ends"), _count("Places", 15, 40, "places"), _money("Ticket", 12, 40))),
    Topic(titles=("Harvest report, {place}", "{place} farmers' union"), corner="Crop", rows="crops",
          columns=(_amount("Area (ha)", 60, 900, "ha"), _amount("Yield (t)", 200, 4000, "t"),
                   _share("Change on last year", 20, 45, 1), _words("Quality", "I", "II", "III"))),
    Topic(titles=("{place} library", "Books lent, {place}"), corner="Subject", rows="subjects", across="months3",
          columns=(_count("", 90, 1200, "loans"),)),
    Topic(titles=("Rooms at Hotel {place}", "Hotel {place}"), corner="Room", rows="rooms",
          columns=(Spec(name="Beds", kind="integer", top=(4, 7), low=1, measure="beds"),
                   _amount("Size (m2)", 35, 80, "m2", 0), _money("Per night", 120, 400, 0),
                   _words("View", "garden", "street", "sea", "yard"))),
    Topic(titles=("Exchange of {place}", "{place} closing prices"), corner="Share", rows="shares",
          columns=(_money("Monday", 80, 600, prefix="\u20ac"), _money("Tuesday", 80, 600, prefix="\u20ac"),
                   Spec(name="Change", kind="percent", top=(4, 9), low=-9, decimals=2, suffix="%", measure="per cent"),
                   _count("Volume", 20_000, 900_000, "shares", 100))),
    Topic(titles=("Swimming gala {place}", "{place}: best times in seconds"), corner="Swimmer", rows="names",
          across="strokes", columns=(_amount("", 60, 95, "seconds", 2, 25),)),
    Topic(titles=("Electricity meter readings, {place}", "{place}: energy used"), corner="House", rows="houses",
          across="quarters", columns=(_amount("", 600, 2400, "kWh", 0),)),
    Topic(titles=("Runners of the {place} relay", "{place} relay"), corner="Runner", rows="names",
          columns=(_time("Start"), _time("Finish"), _amount("Distance (km)", 12, 25, "km", 1),
                   _count("Age", 35, 60, "years"))),
)  # fmt: skip

POOLS: dict[str, tuple[str, ...]] = {
    "weekdays": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "months": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
               "November", "December"),
    "months3": ("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    "quarters": ("Q1", "Q2", "Q3", "Q4"),
    "years": ("2019", "2020", "2021", "2022", "2023", "2024"),
    "breads": ("Rolls", "Rye loaves", "Buns", "Pretzels", "Baguettes", "Tarts"),
    "plants": ("Lavender", "Rosemary", "Boxwood", "Hydrangea", "Maple, red", "Clematis", "Fern", "Geranium", "Ivy",
               "Azalea", "Sage"),
    "towns": ("Ostmark", "Vale Port", "Lindenau", "Brückstadt", "Santa Iria", "Höganäs", "Łomnica", "Kestrel Bay",
              "Arden", "Porto Real", "Nyborg"),
    "teams": ("Rovers", "Harbour SC", "Dynamo Süd", "Kestrels", "United 09", "Athletic", "Olympia", "Real Vale",
              "Wanderers"),
    "departments": ("Research", "Sales", "Logistics", "Legal", "Support", "Design", "Audit", "Training"),
    "modes": ("Walking", "Bicycle", "Bus", "Tram", "Car", "Train"),
    "ages": ("18-29", "30-44", "45-59", "60 and over"),
    "names": ("Amara", "Bojan", "Chloé", "Dario", "Elif", "Farid", "Greta", "Hiro", "Inês", "Jonas", "Katya", "Luz"),
    "tools": ("Claw hammer", "Handsaw", "Pliers", "Spirit level", "Drill bits", "Chisel", "Tape measure", "Sandpaper",
              "Wrench", "Paint roller"),
    "clubs": ("Chess", "Choir", "Robotics", "Theatre", "Photography", "Rowing", "Debating", "Gardening"),
    "tours": ("Highlights", "Old masters", "Behind the scenes", "Family tour", "Glass hall", "Sculpture park",
              "Night tour"),
    "crops": ("Barley", "Oats", "Maize", "Rye", "Sorghum", "Flax", "Hops", "Sugar beet"),
    "subjects": ("Biology", "Physics", "Music", "Law", "Geology", "Philosophy", "Drama", "Travel"),
    "rooms": ("Attic", "Balcony room", "Corner suite", "Courtyard", "Garden room", "Tower", "Studio"),
    "shares": ("Aldermoor", "Brightwell", "Dunkeld & Co", "Ekström AB", "Fjordline", "Grünwald", "Halcyon", "Kobalt"),
    "strokes": ("Freestyle", "Backstroke", "Breaststroke", "Butterfly"),
    "houses": ("No. 2", "No. 4", "No. 7", "No. 11", "No. 15", "No. 18", "No. 23"),
}  # fmt: skip

#: Rows that keep their order.
ORDERED = ("weekdays", "months", "months3", "quarters", "years", "ages", "houses")

PLACES = (
    "Norvale", "Ostmark Bay", "São Bento", "Kestrel County", "Lindau", "Port Aurel", "Vadstena", "Quillon", "Tarnów",
    "Ünye", "Galway", "Ménerbes", "Sandholm", "Eastmere", "Corvo",
)  # fmt: skip
