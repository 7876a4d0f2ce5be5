"""Words for made-up charts: our own, in several scripts the font can draw."""

from __future__ import annotations

from answerable.core.records import Record

#: Sets of colours that differ clearly from each other, from paper and from the mask.
PALETTES: tuple[tuple[str, ...], ...] = (
    ("#2f6db5", "#e1812c", "#3a923a", "#c03d3e"),
    ("#7b3294", "#d9a404", "#008837", "#d7301f"),
    ("#0b7a75", "#f2545b", "#19535f", "#f0a202"),
    ("#4059ad", "#97d8c4", "#f4b942", "#6b2d5c"),
    ("#8c2d04", "#3690c0", "#fe9929", "#225ea8"),
    ("#1b9e77", "#d95f02", "#7570b3", "#e7298a"),
)


class Topic(Record, frozen=True):
    """What a chart is about."""

    value: str
    unit: str
    scales: tuple[int, ...]
    decimals: tuple[int, ...]
    top: int
    """Typical largest shown value is 1 to 10 times this."""
    series: str
    """Key of ``POOLS``."""
    positions: tuple[str, ...]
    """Keys of ``POOLS`` or ``years``, ``months``, ``quarters``."""


TOPICS: tuple[Topic, ...] = (
    Topic(value="Revenue", unit="USD", scales=(10**3, 10**6, 10**9), decimals=(1, 2), top=20, series="companies",
          positions=("years", "quarters", "regions")),
    Topic(value="Operating cost", unit="EUR", scales=(10**3, 10**6), decimals=(0, 1), top=40, series="companies",
          positions=("years", "quarters", "departments")),
    Topic(value="Visitors", unit="", scales=(1, 10**3), decimals=(0,), top=300, series="museums",
          positions=("months", "years", "weekdays")),
    Topic(value="Harvest", unit="tonnes", scales=(1, 10**3, 10**6), decimals=(0, 1), top=60, series="crops",
          positions=("regions", "years")),
    Topic(value="Rainfall", unit="mm", scales=(1,), decimals=(0, 1), top=30, series="cities", positions=("months",)),
    Topic(value="Mean temperature", unit="°C", scales=(1,), decimals=(1,), top=6, series="cities",
          positions=("months",)),
    Topic(value="Passengers", unit="", scales=(1, 10**3, 10**6), decimals=(0, 1), top=50, series="lines",
          positions=("weekdays", "months", "years")),
    Topic(value="Electricity generated", unit="GWh", scales=(1, 10**3), decimals=(0, 1), top=80, series="energy",
          positions=("years", "quarters", "regions")),
    Topic(value="Share of respondents", unit="%", scales=(1,), decimals=(0, 1), top=8, series="answers",
          positions=("ages", "cities")),
    Topic(value="Books borrowed", unit="", scales=(1,), decimals=(0,), top=120, series="genres",
          positions=("months", "branches")),
    Topic(value="Waiting time", unit="minutes", scales=(1,), decimals=(0, 1), top=8, series="clinics",
          positions=("weekdays", "hours")),
    Topic(value="Exports", unit="CHF", scales=(10**6, 10**9), decimals=(1, 2), top=10, series="goods",
          positions=("years", "cities")),
    Topic(value="Students enrolled", unit="", scales=(1,), decimals=(0,), top=200, series="subjects",
          positions=("years", "branches")),
    Topic(value="CO2 emissions", unit="kg", scales=(1, 10**3), decimals=(0, 2), top=20, series="vehicles",
          positions=("cities", "years")),
    Topic(value="Catch landed", unit="tonnes", scales=(1, 10**3), decimals=(0, 1), top=30, series="fish",
          positions=("ports", "years")),
    Topic(value="Battery life", unit="hours", scales=(1,), decimals=(1,), top=4, series="devices",
          positions=("tests",)),
)  # fmt: skip

POOLS: dict[str, tuple[str, ...]] = {
    "companies": ("Aldermoor", "Brightwell", "Casa Niño", "Dunkeld & Co", "Ekström AB", "Fjordline", "Grünwald",
                  "Halcyon", "Iberia Sur", "Jasmin", "Kobalt", "Łódź Steel"),
    "departments": ("Research", "Sales", "Logistics", "Legal", "Support", "Design", "Audit", "Training"),
    "museums": ("Old Mint", "Harbour Hall", "Musée d’Été", "Glass House", "Военный музей", "Tram Depot", "Sky Room"),
    "crops": ("Barley", "Oats", "Maize", "Rye", "Sorghum", "Flax", "Açaí", "Hops"),
    "regions": ("North", "South", "East", "West", "Coast", "Highlands", "Île Verte", "Central"),
    "cities": ("Lisboa", "Zürich", "Αθήνα", "Kraków", "Москва", "Oslo", "Málaga", "Tbilisi", "Győr", "Brno", "Cork",
               "Turku"),
    "lines": ("Line A", "Line B", "Line C", "Night bus", "Ferry", "Tram 7", "Shuttle"),
    "energy": ("Wind", "Solar", "Hydro", "Biogas", "Tidal", "Geothermal"),
    "answers": ("Agree", "Disagree", "Undecided", "No opinion"),
    "ages": ("18\u201329", "30\u201344", "45\u201359", "60\u201374", "75+"),
    "genres": ("Crime", "Poetry", "History", "Science", "Travel", "Comics", "Essays"),
    "branches": ("Main", "Riverside", "Hilltop", "Station", "Market", "Campus", "Harbour", "Parkside"),
    "clinics": ("Ward 1", "Ward 2", "Eye clinic", "Day unit", "Children"),
    "hours": ("8 am", "10 am", "noon", "2 pm", "4 pm", "6 pm"),
    "goods": ("Watches", "Cheese", "Machinery", "Medicine", "Coffee", "Textiles"),
    "subjects": ("Biology", "Physics", "Music", "Law", "Geology", "Philosophy", "Drama"),
    "vehicles": ("Vans", "Lorries", "Buses", "Taxis", "Motorcycles"),
    "fish": ("Herring", "Cod", "Mackerel", "Sprat", "Sole", "Hake"),
    "ports": ("Vigo", "Bergen", "Ærøskøbing", "Peterhead", "Gdynia", "Brest", "Cádiz", "Hull"),
    "devices": ("Model X1", "Model X2", "Pocket", "Slate", "Mini"),
    "tests": ("Video", "Browsing", "Calls", "Games", "Idle", "Navigation"),
    "weekdays": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "months": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "quarters": ("Q1", "Q2", "Q3", "Q4"),
}  # fmt: skip

#: Titles of the position axis, by pool.
POSITION_TITLES = {
    "years": "Year", "months": "Month", "quarters": "Quarter", "weekdays": "Day", "hours": "Time of day",
    "regions": "Region", "departments": "Department", "cities": "City", "ages": "Age group", "branches": "Branch",
    "ports": "Port", "tests": "Test",
}  # fmt: skip

#: ``{value}`` and ``{by}`` are filled in; ``{place}`` keeps titles apart.
TITLES = (
    "{value} by {by}", "{value} by {by}, {place}", "{place}: {value} per {by}", "{value} in {place}",
    "{value} ({place} survey)", "Annual report: {value}", "{place} yearbook: {value} by {by}",
)  # fmt: skip
PLACES = (
    "Norvale", "Ostmark Bay", "São Bento", "Kestrel County", "Lindau", "Port Aurel", "Vadstena", "Quillon", "Новгород",
    "Tarnów", "Ünye", "Galway", "Ménerbes", "Sandholm",
)  # fmt: skip
