"""From runs to figures: the worked example, gaps, splits, intervals, and bad input."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.codec import decode
from answerable.core.consistency import Consistency, Part, Structure, Which, kinds_of, kinds_text
from answerable.core.errors import BenchmarkError, IncompleteError, InputError, SettingsError
from answerable.core.records import Group
from answerable.core.seeds import Stream
from answerable.score.consistency.gates import failing
from answerable.score.consistency.items import MOST_VIEWS, items_of
from answerable.score.consistency.pipeline import Settings, score_consistency, write_consistency
from answerable.score.consistency.replies import pairs_within
from answerable.score.consistency.similarity import Embedded, Exact, Similarity
from answerable.score.gates import parse_gate
from tests.score import fake as plain
from tests.score.consistency.fake import (
    STYLES,
    HashEmbedder,
    Says,
    TableEmbedder,
    bench,
    occluded,
    rephrased,
    restyled,
    run,
    scripted,
    view,
)
from tests.score.fake import FAILED

QUICK = Settings(draws=50)
HIDDEN = ("determined", "every")


def measured(
    path: Path,
    groups: Sequence[Group],
    says: Says | Sequence[Says],
    similarity: Similarity | None = None,
    how: Settings = QUICK,
    repeats: int = 1,
) -> Consistency:
    """Figures of runs on a benchmark of these groups."""
    benchmark = bench(path / "bench", groups)
    policies: Sequence[Says] = [says] if callable(says) else says
    runs = [run(path / f"run{number}", benchmark, one, repeats=repeats) for number, one in enumerate(policies)]
    return score_consistency(benchmark, runs, similarity or Exact(), how)


def part(
    found: Consistency,
    facet: str = "all",
    value: str = "",
    structure: Structure = "variants",
    which: Which = "every",
    place: int = 0,
) -> Part:
    """A part of a run's only source."""
    [source] = found.runs[place].sources.values()
    one = source.part(facet, value, structure, which)
    assert one is not None, [(each.facet, each.value, each.structure) for each in source.parts]
    return one


def value(one: Part, name: str) -> float | None:
    return one.measures[name].value


WORDS = ("columbia", "north face", "no")
#: Appendix A.5: the pairs of the example in its order; similarities with the ground truth are those of its pairs.
EXAMPLE = {(WORDS[0], WORDS[1]): 0.27, (WORDS[0], WORDS[2]): 0.14, (WORDS[1], WORDS[2]): 0.24}


@pytest.mark.parametrize("published", [False, True])
def test_the_papers_worked_example(tmp_path: Path, published: bool) -> None:
    says = scripted({f"g-w{number}": word for number, word in enumerate(WORDS, 1)})
    how = Settings(draws=50, published=published)
    found = part(measured(tmp_path, [rephrased("g", "north face")], says, Embedded(TableEmbedder(EXAMPLE)), how))
    assert value(found, "Acc") == pytest.approx(1 / 3, abs=1e-8)
    assert value(found, "Con") == 0
    assert value(found, "S_C") == pytest.approx((0.27 + 0.14 + 0.24) / 3, abs=2e-6)
    assert value(found, "S_GT") == pytest.approx((0.27 + 1 + 0.24) / 3, abs=2e-6)
    correct, consistent = (1 / 3 + 1.51 / 3) / 2, (0 + 0.65 / 3) / 2
    assert value(found, "O_all") == pytest.approx(2 * correct * consistent / (correct + consistent), abs=1e-5)
    assert value(found, "S_worst") == pytest.approx(0.14, abs=2e-6)
    assert (value(found, "distinct"), value(found, "Con_whole")) == (3, 0)


def test_above_the_threshold_not_at_it(tmp_path: Path) -> None:
    table = {("a", "b"): 0.7, ("a", "c"): 0.700002, ("b", "c"): 0.1}
    says = scripted({"g-w1": "a", "g-w2": "b", "g-w3": "c"})
    found = part(measured(tmp_path, [rephrased("g", "a")], says, Embedded(TableEmbedder(table))))
    assert value(found, "Con") == pytest.approx(1 / 3, abs=1e-8)


def test_a_gap_is_never_compared_and_always_counted(tmp_path: Path) -> None:
    replies = {"g-w1": "cat", "g-w2": "cat", "g-w3": "", "h-w1": "cat", "h-w2": FAILED, "h-w3": None, "i-w1": "..."}
    groups = [rephrased(name) for name in "ghi"]
    embedder = HashEmbedder()
    found = part(measured(tmp_path, groups, scripted(replies), Embedded(embedder), Settings(50, allow_incomplete=True)))
    # What is left is one text, and equal texts need no model.
    assert embedder.calls == []
    counts = found.counts
    assert (counts.items, counts.replies, counts.read, counts.abstained) == (3, 9, 5, 0)
    assert counts.gaps == {"cannot be read": 1, "no answer given": 1, "not asked": 1, "request failed": 1}
    # Group h has one reply: no pair, undefined, and no item of Con.
    assert (counts.pairs, counts.undefined_pairs, counts.items_without_pairs) == (9, 7, 1)
    assert found.measures["Con"].value == 1
    assert found.measures["Con"].denominator == 2
    assert value(found, "Con_strict") == pytest.approx((1 / 3 + 0 + 1 / 3) / 3, abs=1e-8)
    assert value(found, "Con_whole") == 0
    # A gap holds no ground truth.
    assert value(found, "Acc") == pytest.approx((2 / 3 + 1 / 3 + 2 / 3) / 3, abs=1e-8)
    assert found.measures["distinct"].denominator == 2


def test_an_item_with_one_reply_is_undefined(tmp_path: Path) -> None:
    found = part(measured(tmp_path, [rephrased("g", count=1)], scripted({})))
    assert (found.counts.pairs, found.counts.items_without_pairs) == (0, 1)
    for name in ("Con", "S_C", "Con_strict", "Con_whole", "S_worst", "distinct", "O_all"):
        assert found.measures[name].value is None, name
        assert found.measures[name].denominator == 0
        assert found.measures[name].interval is None
    assert value(found, "Acc") == 1


def test_missing_replies_are_refused_unless_allowed(tmp_path: Path) -> None:
    with pytest.raises(IncompleteError, match="1 missing"):
        measured(tmp_path, [rephrased("g")], scripted({"g-w1": None}))


def test_abstentions_are_alike_and_never_embedded(tmp_path: Path) -> None:
    replies = {"g-w1": plain.ABSTAINS, "g-w2": plain.ABSTAINS, "g-w3": plain.answered("cat")}
    benchmark = bench(tmp_path / "bench", [rephrased("g", None, state="M")], "json")
    embedder = HashEmbedder()
    runs = [run(tmp_path / "run", benchmark, scripted(replies))]
    found = part(score_consistency(benchmark, runs, Embedded(embedder), QUICK))
    assert value(found, "Con") == value(found, "S_C") == pytest.approx(1 / 3, abs=1e-8)
    assert (value(found, "Acc"), value(found, "S_GT"), value(found, "O_all")) == (None, None, None)
    assert (found.counts.abstained, found.counts.read, value(found, "distinct")) == (2, 1, 2)
    assert embedder.calls == []


def test_repeats_of_one_input_stand_beside_variants(tmp_path: Path) -> None:
    def says(one: object, repeat: int) -> str:
        return "cat" if repeat < 2 else "dog"

    found = measured(tmp_path, [rephrased("g"), rephrased("h")], says, repeats=3)
    variants, sampling = part(found), part(found, structure="sampling")
    assert (value(variants, "Con"), variants.counts.pairs) == (1, 2 * 3 * 3)
    assert value(sampling, "Con") == pytest.approx(1 / 3, abs=1e-8)
    assert (sampling.counts.pairs, value(sampling, "distinct")) == (2 * 3 * 3, 2)
    assert value(variants, "Acc") == value(sampling, "Acc") == pytest.approx(2 / 3, abs=1e-8)


def test_without_variants_repeats_alone_are_measured(tmp_path: Path) -> None:
    benchmark = plain.write_benchmark(tmp_path / "bench", plain.groups_of(3))
    gold = plain.write_run(tmp_path / "run", benchmark, [plain.oracle, plain.oracle, plain.wrong])
    found = score_consistency(benchmark, [gold], Exact(), QUICK)
    [source] = found.runs[0].sources.values()
    assert source.part() is None
    assert (source.groups, source.items) == (3, 12)
    sampling = source.part(structure="sampling")
    assert sampling is not None
    assert value(sampling, "Con") == pytest.approx(1 / 3, abs=1e-8)
    determined = {one.value: one.counts.items for one in source.parts if (one.facet, one.which) == HIDDEN}
    assert determined == {"seen": 6, "not determined (M)": 3}


def test_nothing_to_compare_is_an_error(tmp_path: Path) -> None:
    benchmark = plain.write_benchmark(tmp_path / "bench", plain.groups_of(2))
    runs = [plain.write_run(tmp_path / "run", benchmark, plain.oracle)]
    with pytest.raises(BenchmarkError, match="variants of questions") as caught:
        score_consistency(benchmark, runs, Exact(), QUICK)
    assert "--repeats 4" in str(caught.value)


def test_originals_stand_apart_unless_they_are_asked_for(tmp_path: Path) -> None:
    replies = {"g-F": "dog"}
    apart = measured(tmp_path / "a", [restyled("g")], scripted(replies))
    among = measured(tmp_path / "b", [restyled("g")], scripted(replies), how=Settings(50, with_original=True))
    assert (value(part(apart), "Con"), part(apart).counts.replies) == (1, 4)
    assert value(part(among), "Con") == pytest.approx(6 / 10, abs=1e-8)
    assert value(part(apart, "original"), "Acc") == 0


def test_splits_by_style_need_one_side_there(tmp_path: Path) -> None:
    replies = {"g-mosaic": "dog"}
    found = measured(tmp_path, [restyled("g")], scripted(replies))
    by_style = {style: part(found, "style", style) for style in STYLES}
    assert {style: value(one, "Con") for style, one in by_style.items()} == pytest.approx(
        {"candy": 2 / 3, "mosaic": 0, "udnie": 2 / 3, "grayscale": 2 / 3}, abs=1e-8
    )
    assert {style: value(one, "Acc") for style, one in by_style.items()} == {
        "candy": 1, "mosaic": 0, "udnie": 1, "grayscale": 1,
    }  # fmt: skip
    assert value(by_style["candy"], "Con_within") is None
    # All four have one resolution: both sides are there.
    whole = part(found, "resolution", "640")
    assert value(whole, "Con_within") == value(whole, "Con") == value(part(found), "Con")


def test_numbers_of_lines_come_in_their_order(tmp_path: Path) -> None:
    found = measured(tmp_path, [occluded("g")], scripted({}))
    [source] = found.runs[0].sources.values()
    assert [one.value for one in source.parts if one.facet == "lines"] == ["1", "3", "10"]
    assert {one.facet for one in source.parts} == {"all", "variation", "lines", "shape", "color"}


def test_words_of_the_question_do_not_make_replies_to_masks_alike(tmp_path: Path) -> None:
    replies = {"g-1": "the masked region is a cat", "g-3": "There is a cat.", "g-10": "the masked region is a dog"}
    found = part(measured(tmp_path, [occluded("g")], scripted(replies)))
    assert value(found, "Con") == pytest.approx(1 / 3, abs=1e-8)
    nothing = part(measured(tmp_path / "n", [occluded("g")], scripted({"g-1": "It is the masked region"})))
    assert nothing.counts.gaps == {"nothing left once repeated words are out": 1}


def test_failure_cases_are_wrong_answers_only(tmp_path: Path) -> None:
    replies = {"g-candy": "dog", "g-mosaic": "dog", "g-udnie": "cow", "h-candy": "dog"}
    found = measured(tmp_path, [restyled("g"), restyled("h")], scripted(replies))
    failures = part(found, which="failures")
    assert (failures.counts.items, failures.counts.replies, failures.counts.pairs) == (2, 4, 3)
    assert value(failures, "Con") == pytest.approx(1 / 3, abs=1e-8)
    assert failures.measures["Con"].denominator == 1
    assert set(failures.measures) == {"S_GT", "Con", "S_C", "S_worst", "distinct"}


def test_determined_and_not_are_items_of_their_own(tmp_path: Path) -> None:
    seen, hidden, gone = rephrased("g"), rephrased("g", state="D"), rephrased("g", None, state="M")
    views = [
        msgspec.structs.replace(one, id=f"{one.id}-{name}")
        for name, group in (("s", seen), ("d", hidden), ("m", gone))
        for one in group.views
    ]
    group = Group(id="g", source="photo", split="test", views=tuple(views))
    assert [(item.state, len(item.views)) for item in items_of([group])] == [("seen", 3), ("D", 3), ("M", 3)]
    replies = {"g-w1-d": "dog", "g-w1-m": "x", "g-w2-m": "y", "g-w3-m": "z"}
    found = measured(tmp_path, [group], scripted(replies))
    told = {name: value(part(found, "determined", name), "Con") for name in ("seen", "hidden, determined (D)")}
    assert told == pytest.approx({"seen": 1, "hidden, determined (D)": 1 / 3}, abs=1e-8)
    assert value(part(found, "determined", "not determined (M)"), "distinct") == 3
    assert part(found).counts.pairs == 9


def test_runs_are_compared_in_the_same_draws(tmp_path: Path) -> None:
    groups = [rephrased(f"g{number}") for number in range(12)]
    shaky = scripted({f"g{number}-w1": "dog" for number in range(6)})
    found = measured(tmp_path, groups, [scripted({}), shaky, scripted({})])
    pairs = {(pair.a, pair.b, pair.metric): pair for pair in found.pairs}
    assert len(pairs) == 3 * 9
    assert pairs["run0", "run2", "Con"].interval == (0.0, 0.0)
    lost = pairs["run0", "run1", "Con"]
    assert lost.value == pytest.approx(1 / 3, abs=1e-8)
    assert lost.excludes_zero
    assert part(found).measures["Con"].wilson is not None
    interval = part(found, place=1).measures["Con"].interval
    assert interval is not None
    assert lost.interval == pytest.approx((1 - interval[1], 1 - interval[0]), abs=1e-9)


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    benchmark = bench(tmp_path / "bench", [restyled(f"g{number}") for number in range(4)])
    runs = [run(tmp_path / "run", benchmark, scripted({"g1-candy": "dog"}))]
    once, again = (score_consistency(benchmark, runs, Embedded(HashEmbedder()), QUICK) for _ in range(2))
    paths = [write_consistency(tmp_path / name, found) for name, found in (("a", once), ("b", again))]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert decode(paths[0].read_bytes(), Consistency) == once


def test_the_gallery_is_bounded_and_holds_the_matrix(tmp_path: Path) -> None:
    groups = [restyled(f"g{number:02d}") for number in range(30)]
    says = scripted({"g07-candy": "dog", "g07-udnie": "x" * 5000, "g07-mosaic": ""})
    found = measured(tmp_path, groups, says, how=Settings(50, examples=5))
    assert len(found.gallery) == 5
    worst = found.gallery[0]
    assert worst.group == "g07"
    assert [one.variation for one in worst.views] == ["", *["restyle"] * 4]
    [shown] = worst.runs
    assert [reply.said for reply in shown.replies] == ["answered", "answered", "cannot be read", "answered", "answered"]
    assert (len(shown.replies[3].text), shown.replies[3].length) == (400, 5000)
    assert shown.similarity[0] == (1.0, 0.0, None, 0.0, 1.0)
    assert all(shown.similarity[a][b] == shown.similarity[b][a] for a in range(5) for b in range(5))
    assert found.gallery[-1].group != "g07"


def test_very_long_and_foreign_replies(tmp_path: Path) -> None:
    replies = {"g-w1": "猫です", "g-w2": "кошка", "g-w3": "x" * 900_000}
    embedder = HashEmbedder()
    found = measured(tmp_path, [rephrased("g", "猫")], scripted(replies), Embedded(embedder))
    assert max(map(len, embedder.calls)) == 10_000
    assert any("longer than 10000 characters" in note for note in found.notes)
    assert value(part(found), "Acc") == pytest.approx(1 / 3, abs=1e-8)


@pytest.mark.parametrize("ability", ["candy", "style=", "style=a;style=b", "style=a;;", "all=1", "a=" + "x" * 99])
def test_a_kind_that_cannot_be_read_is_an_error(tmp_path: Path, ability: str) -> None:
    group = Group(id="g", source="photo", split="test", views=(view("g", "v", topic="restyle", ability=ability),))
    with pytest.raises(BenchmarkError, match="name=value pairs") as caught:
        measured(tmp_path, [group], scripted({}))
    assert "view g-v" in str(caught.value)


def test_kinds_are_read_as_they_are_written() -> None:
    kinds = {"lines": "3", "shape": "ellipse", "color": "black"}
    assert kinds_text(kinds) == "lines=3;shape=ellipse;color=black"
    assert kinds_of(view("g", "v", topic="occlude", ability=kinds_text(kinds))) == kinds
    # The ability of what is no variant is somebody else's.
    assert kinds_of(view("g", "v", topic="UVQA", ability="S.4")) == {}
    with pytest.raises(ValueError, match="without '=' and ';'"):
        kinds_text({"style": "a;b"})


def test_too_many_views_of_an_item_are_refused() -> None:
    with pytest.raises(BenchmarkError, match=f"at most {MOST_VIEWS} views"):
        items_of([rephrased("g", count=MOST_VIEWS + 1)])


@pytest.mark.parametrize("how", [Settings(draws=0), Settings(seed=-1), Settings(examples=201)])
def test_settings_out_of_range(tmp_path: Path, how: Settings) -> None:
    with pytest.raises(SettingsError):
        measured(tmp_path, [rephrased("g")], scripted({}), how=how)


def test_an_embedder_that_fails_stops_the_measuring(tmp_path: Path) -> None:
    class Nan(HashEmbedder):
        def embed(self, texts: Sequence[str], /) -> np.ndarray:
            return np.full((len(texts), 4), np.nan, dtype=np.float32)

    with pytest.raises(InputError, match="NaN or infinity for 2 of 2 texts, the first 'cat'"):
        measured(tmp_path, [rephrased("g")], scripted({"g-w1": "dog"}), Embedded(Nan()))


def test_gates(tmp_path: Path) -> None:
    says = scripted({"g-w1": "dog"})
    found = measured(tmp_path, [rephrased("g")], says, repeats=2)
    assert failing(found, [parse_gate("Con>=0.3"), parse_gate("Con_sampling==100%"), parse_gate("distinct<=2")]) == []
    [line] = failing(found, [parse_gate("Con>=0.8")])
    assert line == "gate 'Con>=0.8' failed: run0, photo: Con = 0.333333 (over 1 items)"
    with pytest.raises(SettingsError, match="Con_sampling"):
        failing(found, [parse_gate("J>0")])
    one = measured(tmp_path / "one", [rephrased("g", count=1)], says)
    assert "is undefined" in failing(one, [parse_gate("S_C>=0")])[0]


@given(st.lists(st.integers(0, 5), max_size=40))
def test_pairs_are_all_those_within_a_cell(cells: list[int]) -> None:
    left, right = pairs_within(np.array(cells, dtype=np.int64))
    slow = [(a, b) for a, b in itertools.combinations(range(len(cells)), 2) if cells[a] == cells[b]]
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == slow


def slowly(replies: list[list[str]], similarity: Similarity) -> tuple[float, float, float]:
    """Con, S_C and S_worst with a call per pair."""
    con, mean, worst = [], [], []
    for item in replies:
        alike = [
            int(similarity.of_pairs(pair, np.array([0]), np.array([1]), lambda _: None)[0]) / 1e6
            for pair in itertools.combinations(item, 2)
        ]
        con.append(sum(one > 0.7 for one in alike) / len(alike))
        mean.append(sum(alike) / len(alike))
        worst.append(min(alike))
    return sum(con) / len(con), sum(mean) / len(mean), sum(worst) / len(worst)


WORD = st.sampled_from(["cat", "a cat", "dog", "north face", "猫", "CAT.", "x"])


@settings(max_examples=25)
@given(st.lists(st.lists(WORD, min_size=3, max_size=3), min_size=1, max_size=5), st.integers(0, 99))
def test_figures_equal_the_slow_loop_and_no_order_matters(
    tmp_path_factory: pytest.TempPathFactory, replies: list[list[str]], seed: int
) -> None:
    path = tmp_path_factory.mktemp("property")
    said = {f"g{place}-w{number}": text for place, item in enumerate(replies) for number, text in enumerate(item, 1)}
    groups = [rephrased(f"g{place}") for place in range(len(replies))]
    found = part(measured(path / "a", groups, scripted(said), Embedded(HashEmbedder())))
    con, mean, worst = slowly(replies, Embedded(HashEmbedder()))
    assert value(found, "Con") == pytest.approx(con, abs=1e-7)
    assert value(found, "S_C") == pytest.approx(mean, abs=3e-6)
    assert value(found, "S_worst") == pytest.approx(worst, abs=3e-6)
    stream = Stream("order", seed)
    mixed: dict[str, str | None] = {}
    for place, item in enumerate(replies):
        turned = list(item)
        stream.shuffle(turned)
        mixed |= {f"g{place}-w{number}": text for number, text in enumerate(turned, 1)}
    stream.shuffle(groups)
    again = part(measured(path / "b", groups, scripted(mixed), Embedded(HashEmbedder())))
    for name in ("Con", "S_C", "S_worst", "Con_strict", "Con_whole", "Acc", "distinct"):
        assert value(again, name) == pytest.approx(value(found, name), abs=3e-6), name


def test_a_limited_run_is_measured_on_its_own_groups_and_not_compared(tmp_path: Path) -> None:
    benchmark = bench(tmp_path / "bench", [rephrased(f"g{number}") for number in range(4)])
    runs = [run(tmp_path / "all", benchmark, scripted({})), run(tmp_path / "two", benchmark, scripted({}), limit=2)]
    found = score_consistency(benchmark, runs, Exact(), QUICK)
    assert [part(found, place=place).counts.items for place in (0, 1)] == [4, 2]
    assert found.pairs == ()
