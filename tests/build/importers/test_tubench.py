"""TUBench from a folder to a benchmark."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from answerable.build.importers.items import Item
from answerable.build.importers.tubench import build, make_group, read
from answerable.build.importers.tubench_sets import SETS, Published, comparison, open_set
from answerable.core.benchmark import Benchmark
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Abstain, Answer
from answerable.domains.raster import png
from tests.build.importers import hf, put, row, ucr, ugeoqa, utabmwp, uvqa
from tests.core.small import picture

MAKE = {"ucr": ucr, "uvqa": uvqa, "ugeoqa": ugeoqa, "utabmwp": utabmwp}


def states(name: str, *items: Item) -> list[tuple[str, str]]:
    """States and questions of the group that these items make."""
    return [(view.state, view.question) for view in make_group(name, items).group.views]


def item(name: str, shown: str, answer: str | None, *, strategy: str = "", masked: bool = False) -> Item:
    return Item(
        id=name, pair="p", image=picture(shown), question=name, answer=answer, strategy=strategy, masked=masked
    )  # fmt: skip


def test_states_of_a_group() -> None:
    assert states(
        "ucr", item("m", "2", None, strategy="S.1"), item("f", "1", "Yes"), item("s", "3", "Yes", strategy="S.2"),
        item("c", "4", "No", strategy="S.3"), item("f2", "1", "No"), item("k", "5", "Yes", masked=True),
    ) == [("F", "f"), ("F", "f2"), ("S", "s"), ("K", "k"), ("C", "c"), ("M", "m")]  # fmt: skip
    assert states("ucr", item("m", "2", None)) == [("M", "m")]


def test_duties_and_evidence() -> None:
    items = (item("f", "1", "Yes"), *(item(f"m{n}", "2", None, strategy=f"S.{n}") for n in range(1, 11)))
    items += (item("unsaid", "2", None), item("k", "3", "Yes", masked=True, strategy="S.10"))
    views = {view.question: view for view in make_group("ucr", items).group.views}
    assert views["f"].obligation == Answer(target="Yes", type="text")
    reasons = {name: view.obligation.reason for name, view in views.items() if isinstance(view.obligation, Abstain)}
    assert {name for name, reason in reasons.items() if reason == "indeterminate"} == {"m1", "m7"}
    assert {reason for name, reason in reasons.items() if name not in ("m1", "m7")} == {"missing"}
    assert {view.evidence.level for view in views.values()} == {"annotated"}
    assert views["m4"].evidence.note == "item m4; S.4: what is asked for is occluded; labelled by the annotators"
    assert views["f"].evidence.note == "item f; answerable; labelled by the annotators"
    assert views["k"].evidence.note == "item k; an irrelevant cell occluded; labelled by the annotators"
    unsaid = "item unsaid; unanswerable; the strategy is not said; labelled by the annotators"
    assert views["unsaid"].evidence.note == unsaid
    assert (views["m4"].ability, views["m4"].topic, views["m4"].program) == ("S.4", "UCR", "")


@pytest.mark.parametrize("name", MAKE)
def test_a_set_becomes_a_benchmark(tmp_path: Path, name: str) -> None:
    imported = read(MAKE[name](tmp_path / "in"))
    assert imported.settings.set == name
    manifest, ledger = build(imported, tmp_path / "b")
    made = Benchmark(tmp_path / "b")
    made.verify()
    choices = name in ("ugeoqa", "utabmwp")
    assert (manifest.prompt, manifest.reader) == ("as-asked", "mcq" if choices else "yes-no")
    views = list(made.views())
    assert {view.source for view in views} == {f"tubench-{name}"}
    assert {view.topic for view in views} == {SETS[name].title}
    assert all(bool(view.options) == choices for view in views)
    assert all(view.instruction == SETS[name].instruction for view in views)
    line = ledger.lines[0]
    assert line.scanned == line.kept == manifest.groups
    assert line.notes[0] == f"layout {name}"
    assert "evidence_level` is `annotated`" in (tmp_path / "b/README.md").read_text()
    again, _ = build(read(tmp_path / "in", name), tmp_path / "again")
    assert again.fingerprint == manifest.fingerprint


def test_ucr_groups_and_the_ledger_of_what_is_lonely(tmp_path: Path) -> None:
    imported = read(ucr(tmp_path / "in"))
    assert len(imported.groups) == 8
    assert "groups without an answerable view: 2" in imported.notes
    assert "groups without an unanswerable view: 4" in imported.notes
    build(imported, tmp_path / "b")
    groups = {
        (g.views[0].question, len(g.views)): [v.state for v in g.views] for g in Benchmark(tmp_path / "b").groups()
    }
    assert groups == {
        ("Is the output 'Hello'?", 4): ["F", "M", "M", "M"],
        ("Is the output 'hello'?", 3): ["F", "S", "C"],
        ("Is the chance 90%?", 1): ["F"],
        ("Does it end with '!'?", 1): ["M"],
    }


def test_refusals_are_counted_and_equal_groups_are_one(tmp_path: Path) -> None:
    root = utabmwp(tmp_path / "in", 1)
    for name in ("1.json", "1.png", "1_u1.png"):
        put(root / "2" / name.replace("1", "2", 1), (root / "1" / name).read_bytes())
    utabmwp(root, 3, answer="none")
    put(root / "readme.txt", "")
    _, ledger = build(read(root), tmp_path / "b")
    (line,) = ledger.lines
    assert line.refused == {"an extra file": 1, "same as another group": 1, "the answer is no option": 1}
    assert (line.scanned, line.kept) == (4, 1)


def test_what_reviewers_dropped_or_dispute_is_left_out(tmp_path: Path) -> None:
    imported = read(ucr(tmp_path / "in"))
    before, _ = build(imported, tmp_path / "before")
    first, second, third, fourth = (group.id for group in list(Benchmark(tmp_path / "before").groups())[:4])
    said = [("a", first, "keep"), ("a", second, "drop"), ("a", third, "keep"), ("b", third, "drop"),
            ("a", "nobody", "drop")]  # fmt: skip
    path = put(tmp_path / "said.jsonl", "\n".join(
        json.dumps({"group": group, "decision": word, "reviewer": name, "reason": "odd"}) for name, group, word in said
    ))  # fmt: skip
    after, ledger = build(imported, tmp_path / "after", decisions=Decisions((path,)))
    kept = [group.id for group in Benchmark(tmp_path / "after").groups()]
    assert (kept[:2], len(kept)) == ([first, fourth], before.groups - 2)
    (line,) = ledger.lines
    assert line.refused == {"dropped in review: odd": 1, "reviewers disagree": 1}
    assert line.scanned == line.kept + 2
    assert line.notes[-2].startswith("decisions said.jsonl sha256=")
    assert line.notes[-1] == (
        "groups in review: kept 1, dropped 1, disputed 1, undecided 5; decisions on no group of this build: 1"
    )
    assert after.fingerprint != before.fingerprint


def test_the_control_of_utabmwp(tmp_path: Path) -> None:
    build(read(utabmwp(tmp_path / "in", control=True)), tmp_path / "b")
    assert [view.state for view in Benchmark(tmp_path / "b").views()] == ["F", "K", "M"]


def test_pictures_are_stored_bare(tmp_path: Path) -> None:
    plain = picture("bare")
    text = png._chunk(b"tEXt", b"Title\x00secret")
    ugeoqa(tmp_path, 5)
    put(tmp_path / "5/5.png", plain[:33] + text + plain[33:])
    imported = read(tmp_path)
    (group,) = imported.groups
    assert png.decode(group[0].image).tolist() == png.decode(plain).tolist()
    assert not png.extra_chunks(group[0].image)
    assert "pictures whose file carried more than pixels, stored without: 1" in imported.notes


def test_published_counts_add_up() -> None:
    # Table 1 prints 1,203 answerable and 1,151 unanswerable questions.
    published = [one.published for one in SETS.values() if one.published]
    assert sum(one.answerable for one in published) == 1203
    assert sum(one.unanswerable for one in published) == 1151
    for one in published:
        assert sum(one.strategies.values()) == one.unanswerable
    assert [code for one in published for code in one.strategies] == [f"S.{n}" for n in range(1, 11)]


def test_counts_beside_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Published(answerable=1, unanswerable=1, images=2, strategies={"S.10": 1})
    monkeypatch.setitem(SETS, "utabmwp", SETS["utabmwp"].__class__("U", SETS["utabmwp"].read, "", published=small))
    whole = [item("a", "1", "A"), item("b", "2", None, strategy="S.10"), item("k", "3", "A", masked=True)]
    said = "questions read: 1 answerable, 1 unanswerable, 2 images"
    assert comparison("utabmwp", whole) == f"{said}; as published, strategies too"
    assert comparison("utabmwp", whole[:1]).endswith("; part of the set (published: 1, 1, 2)")
    other = [whole[0], item("b", "2", None, strategy="S.9")]
    assert comparison("utabmwp", other) == f"{said}; differs (published: 1, 1, 2; S.10 0 of 1)"
    assert comparison("hf", whole).endswith("nothing is published of this form")


def test_a_folder_around_the_set(tmp_path: Path) -> None:
    ugeoqa(tmp_path / "UGeoQA")
    name, folder = open_set(tmp_path, None)
    assert (name, folder.root.name) == ("ugeoqa", "UGeoQA")
    assert open_set(tmp_path, "ugeoqa")[1].root.name == "UGeoQA"


def test_folders_that_say_nothing_or_too_much(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="got one that looks like none of them"):
        open_set(tmp_path, None)
    ugeoqa(tmp_path / "both", 1)
    uvqa(tmp_path / "both", folders=(2,))
    with pytest.raises(SourceError) as caught:
        open_set(tmp_path / "both", None)
    assert str(caught.value) == (
        "expected a folder of one set of TUBench (ucr, uvqa, ugeoqa, utabmwp, hf); "
        "got one that looks like ugeoqa and uvqa\n"
        f"  where: {tmp_path / 'both'}\n"
        "  next:  say which: --set ugeoqa or --set uvqa"
    )
    assert Counter(one.reason for one in read(tmp_path / "both", "ugeoqa").refused) == {
        "no file of questions": 1, "an extra file": 2,
    }  # fmt: skip
    with pytest.raises(SourceError, match="which is not there"):
        open_set(tmp_path / "nowhere", None)
    with pytest.raises(SettingsError, match="expected one of ucr, uvqa, ugeoqa, utabmwp, hf; got 'odd'"):
        open_set(tmp_path, "odd")


def test_languages(tmp_path: Path) -> None:
    ugeoqa(tmp_path / "g")
    assert read(tmp_path / "g").settings.language == "zh"
    with pytest.raises(SettingsError, match="expected a language of the set ugeoqa: zh, en; got 'fr'"):
        read(tmp_path / "g", language="fr")
    with pytest.raises(SettingsError, match="expected a language of the set uvqa: en; got 'zh'"):
        read(uvqa(tmp_path / "v"), language="zh")


def test_hf_rows_are_asked_as_their_set(tmp_path: Path) -> None:
    more = [row("a", "Yes", dataset="ucr"), row("b", "No", question="Or?", dataset="other")]
    build(read(hf(tmp_path / "in", *more)), tmp_path / "b")
    assert {view.topic: view.instruction for view in Benchmark(tmp_path / "b").views()} == {
        "UCR": SETS["ucr"].instruction, "other": SETS["uvqa"].instruction,
    }  # fmt: skip


def test_hf_rows_are_of_one_kind(tmp_path: Path) -> None:
    rows = [row("a", "Yes", pair="p"), row("b", "Unanswerable", pair="p", strategy="S.7", dataset="UVQA")]
    imported = read(hf(tmp_path / "one", *rows))
    build(imported, tmp_path / "b")
    views = list(Benchmark(tmp_path / "b").views())
    assert [(view.state, view.ability, view.topic) for view in views] == [
        ("F", "", "metadata.jsonl"), ("M", "S.7", "UVQA"),
    ]  # fmt: skip
    assert {view.instruction for view in views} == {SETS["uvqa"].instruction}
    hf(tmp_path / "two", *rows, row("c", "A", options=["x1", "y1"]))
    with pytest.raises(SourceError, match="expected questions of one kind; got some with choices and some without"):
        read(tmp_path / "two")


def test_nothing_kept(tmp_path: Path) -> None:
    imported = read(ugeoqa(tmp_path / "in", label=9))
    with pytest.raises(SettingsError, match=r"got none; refused: \{'the answer is no option': 1\}"):
        build(imported, tmp_path / "b")
    assert not list((tmp_path / "b").iterdir())
