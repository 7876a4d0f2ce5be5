"""Cards: what a page knows about a group, and JSON that cannot leave its island."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.records import Abstain, Answer
from answerable.report.cards import card, clip, entry, in_order, island, proof_places, reading_text, shorten
from answerable.report.verdicts import Verdict, VerdictTable
from tests.report.conftest import Scored
from tests.report.fake import HOSTILE, RUNS, make_group


def verdict(**fields: object) -> Verdict:
    """A verdict with these fields."""
    base = Verdict(
        run="r", group="g", view="v", source="s", state="F", repeat=0, outcome="correct", decision_right=True,
        answer_right=True, reading="answered", answer="12",
    )  # fmt: skip
    return msgspec.structs.replace(base, **fields)


@given(st.text())
def test_an_island_is_the_same_json_and_nothing_in_it_opens_or_closes(text: str) -> None:
    shown = island({"reply": text})
    assert json.loads(shown) == {"reply": text}
    assert not set(shown) & set("<>&\u2028\u2029")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back_whole(text: str) -> None:
    assert json.loads(island([text])) == [text]
    assert "</" not in island([text])


@given(st.text(), st.integers(0, 200))
def test_shortened_text_fits_and_counts_what_is_left_out(text: str, limit: int) -> None:
    shown, more = shorten(text, limit)
    assert text.startswith(shown)
    assert len(shown) + more == len(text)
    assert len(island(shown).encode()) - 2 <= limit


def test_a_short_text_is_not_cut() -> None:
    assert shorten("abc", 100) == ("abc", 0)
    assert clip("abc", 3) == "abc"
    assert clip("abcd", 3) == "abc…"


def test_readings_in_words() -> None:
    assert reading_text(verdict()) == "“12”"
    assert reading_text(verdict(answer="")) == "“”"
    assert reading_text(verdict(answer=None)) == "answers, but gives no answer"
    assert reading_text(verdict(reading="abstained")) == "abstains"
    assert reading_text(verdict(reading="invalid")) == "cannot be read"
    assert reading_text(verdict(reading="failed")) == "no reply"
    assert reading_text(verdict(reading="not_run")) == "not asked"


def test_a_proof_is_drawn_only_where_there_is_one() -> None:
    group, _, _ = make_group(0)
    views = list(in_order(group))
    assert proof_places(views) == (0, 3, 4)
    weaker = msgspec.structs.replace(views[4].evidence, level="derived", proof="")
    views[4] = msgspec.structs.replace(views[4], evidence=weaker)
    assert proof_places(views) is None
    assert proof_places(in_order(group)[:3]) is None


def test_a_view_with_words_of_its_own_says_them() -> None:
    group, _, _ = make_group(0)
    other = msgspec.structs.replace(group.views[1], question="Another <b>question</b>?")
    made = card(msgspec.structs.replace(group, views=(group.views[0], other, *group.views[2:])), [], {}, [""] * 6, 100)
    assert [view.asks for view in made.views] == ["", "Another <b>question</b>?", "", "", "", ""]


def test_a_program_left_to_chance_hides_nothing_and_is_not_drawn_as_two_worlds() -> None:
    views = list(in_order(make_group(0)[0]))
    assert views[4].state == "M"
    views[4] = msgspec.structs.replace(views[4], obligation=Abstain(reason="indeterminate"))
    assert proof_places(views) is None


def test_a_card_has_every_verdict_in_order(scored: Scored) -> None:
    table = VerdictTable(scored.folder)
    runs = {name: place for place, name in enumerate(RUNS)}
    for group in scored.benchmark.groups():
        found = card(group, table.rows(group.id), runs, [""] * 6, 6000)
        assert [(one.run, one.view) for one in found.verdicts] == [(r, v) for r in range(3) for v in range(6)]
        marks = table.marks()
        rows = {(row["run"], row["view"]): row for row in scored.rows if row["group"] == group.id}
        for one in found.verdicts:
            row = rows[RUNS[one.run], found.views[one.view].id]
            assert marks[one.mark].outcome == row["outcome"]
            assert marks[one.mark].status == row["status"]
            assert one.reply == row["reply"]


def test_repeats_are_all_shown() -> None:
    group, _, _ = make_group(0)
    rows = [(0, verdict(view=group.views[2].id, repeat=repeat)) for repeat in (2, 0, 1)]
    found = card(group, rows, {"r": 0}, [""] * 6, 100)
    assert [one.repeat for one in found.verdicts] == [0, 1, 2]
    assert entry(group, rows, {"r": 0}).marks == ((2, 0, 2, 0, 2, 0),)


def test_a_long_reply_is_cut_and_says_how_much_is_missing() -> None:
    group, _, _ = make_group(0)
    long = verdict(view=group.views[0].id, reply="<" * 5000, reasoning="x" * 5000)
    one = card(group, [(0, long)], {"r": 0}, [""] * 6, 600).verdicts[0]
    assert one.reply == "<" * 100
    assert one.reply_more == 4900
    assert one.reasoning == "x" * 300
    assert one.reasoning_more == 4700


def test_the_index_finds_targets() -> None:
    group, _, _ = make_group(0)
    found = entry(group, [], {"r": 0})
    assert found.states == ("F", "S", "K", "C", "M", "I")
    targets = [view.obligation.target for view in group.views if isinstance(view.obligation, Answer)]
    assert len(targets) == 4
    assert found.targets.split() == list(dict.fromkeys(targets))
