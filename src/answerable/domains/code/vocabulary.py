"""Words that made-up programs are told in."""

from __future__ import annotations

from answerable.core.records import Record


class Topic(Record, frozen=True):
    """Names and texts that go together."""

    file: str
    inputs: tuple[str, ...]
    """Numbers that matter."""
    idle: tuple[str, ...]
    """Numbers that nothing depends on."""
    totals: tuple[str, ...]
    function: tuple[str, ...]
    labels: tuple[str, ...]
    words: tuple[str, ...]
    verdicts: tuple[tuple[str, str, str], ...]
    """Low, middle and high."""
    comments: tuple[str, ...]


TOPICS: tuple[Topic, ...] = (
    Topic(
        file="shop", inputs=("price", "items", "coupons", "boxes"), idle=("shelf", "counter", "aisle", "page"),
        totals=("total", "bill", "amount"), function=("discount", "with_tax", "rounded"),
        labels=("Total:", "To pay:", "Bill:"), words=("tea", "rice", "soap", "bread"),
        verdicts=(("cheap", "fair", "expensive"), ("Bargain", "Normal", "Luxury")),
        comments=("sum up the basket", "work out the bill"),
    ),
    Topic(
        file="game", inputs=("lives", "level", "coins", "bonus"), idle=("theme", "slot", "music", "skin"),
        totals=("score", "points", "result"), function=("boost", "reward", "combine"),
        labels=("Score:", "Points:", "You got"), words=("hit", "miss", "gem", "star"),
        verdicts=(("lose", "draw", "win"), ("Game over", "Continue", "Victory")),
        comments=("play a few rounds", "count the points"),
    ),
    Topic(
        file="garden", inputs=("rows", "seeds", "weeks", "plants"), idle=("plot", "gate", "zone", "season"),
        totals=("harvest", "total", "yield_kg"), function=("grow", "after_rain", "spread"),
        labels=("Harvest:", "Plants:", "In all:"), words=("oak", "fern", "moss", "ivy"),
        verdicts=(("dry", "moist", "wet"), ("Sparse", "Green", "Lush")),
        comments=("one round a week", "how much will grow"),
    ),
    Topic(
        file="trip", inputs=("stops", "speed", "hours", "bags"), idle=("gate_no", "seat", "coach", "lane"),
        totals=("distance", "total", "time_left"), function=("detour", "travel", "shift"),
        labels=("Distance:", "Arrived after", "Total:"), words=("bus", "tram", "ferry", "bike"),
        verdicts=(("near", "midway", "far"), ("Early", "On time", "Late")),
        comments=("add up the legs", "plan the trip"),
    ),
    Topic(
        file="kitchen", inputs=("cups", "eggs", "spoons", "trays"), idle=("drawer", "rack", "hook", "recipe_no"),
        totals=("servings", "weight", "mix"), function=("double_up", "stir", "portion"),
        labels=("Servings:", "Weight:", "Makes"), words=("egg", "flour", "salt", "jam"),
        verdicts=(("thin", "smooth", "thick"), ("Snack", "Meal", "Feast")),
        comments=("mix the batter", "scale the recipe"),
    ),
    Topic(
        file="numbers", inputs=("x", "n", "a", "k"), idle=("u", "spare", "unused", "w"),
        totals=("result", "s", "value"), function=("f", "step", "g"),
        labels=("Result:", "Answer:", "s ="), words=("ab", "xyz", "Hi", "no"),
        verdicts=(("Hello", "Hey", "World"), ("low", "mid", "high"), ("A", "B", "C")),
        comments=("compute the result", "a small loop"),
    ),
)  # fmt: skip
