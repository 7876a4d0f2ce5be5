"""Cards, pictures, lists and samples: what the page is given to show."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from answerable.core.benchmark import BenchmarkWriter
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import BenchmarkError, FingerprintError, ReviewError, SettingsError, SourceError
from answerable.core.records import Answer, Evidence, Group, Option, View
from answerable.review.cards import LONGEST, Card, card_of
from answerable.review.pages import check_same, group_pages, read_list, reply_pages, run_digest, sampled
from tests.core.small import edit_rows, group, ledger, manifest
from tests.review.make import benchmark, run_of


def choice(number: int, rotation: int, setting: str, state: str = "F") -> View:
    """A view of a multiple-choice question, its options turned."""
    texts = ["red", "green", "blue"]
    turned = texts[rotation:] + texts[:rotation]
    made, _ = group(0)
    options = tuple(Option(letter, text) for letter, text in zip("ABC", turned, strict=True))
    return msgspec.structs.replace(
        made.views[0], id=f"v{number}", options=options, rotation=rotation, setting=setting, state=state,
        obligation=Answer("ABC"[turned.index("green")], "text"), instruction="Choose." if setting == "option" else "",
    )  # fmt: skip


def test_views_that_put_the_same_thing_are_one() -> None:
    views = tuple(
        choice(3 * number + turn, turn, setting)
        for number, setting in enumerate(("base", "option"))
        for turn in (2, 1, 0)
    )
    whole = Group(id="g", source="s", split="test", views=views)
    card, pictures = card_of(whole, views, ("why",))
    (shown,) = card.views
    assert shown.duty == "answer “green”"
    assert [(option.letter, option.text, option.right) for option in shown.options] == [
        ("A", "red", False), ("B", "green", True), ("C", "blue", False),
    ]  # fmt: skip
    assert len(shown.ways) == 5
    assert "base rotation 2: A. blue B. red C. green" in shown.ways
    assert "option rotation 1: A. green B. blue C. red – Choose." in shown.ways
    assert [source.view for source in pictures] == ["v0"]
    assert card.why == ("why",)


def test_what_differs_is_shown_apart() -> None:
    views = (
        choice(0, 0, "base"), choice(1, 1, "base", "S"),
        msgspec.structs.replace(choice(2, 0, "base"), question="Other?"),
        msgspec.structs.replace(choice(3, 0, "base"), evidence=Evidence(level="annotated", note="S.4")),
        msgspec.structs.replace(choice(4, 0, "base"), image_sha256="0" * 64),
    )  # fmt: skip
    card, pictures = card_of(Group(id="g", source="s", split="test", views=views), views)
    assert len(card.views) == 5
    assert [view.picture for view in card.views] == [0, 0, 0, 0, 1]
    assert len(pictures) == len(card.pictures) == 2


def test_every_view_of_a_group_has_its_card_and_picture(tmp_path: Path) -> None:
    bench = benchmark(tmp_path / "b")
    pages = group_pages(bench)
    assert [item.id for item in pages.items] == ["g-test-0", "g-test-1", "g-test-2"]
    card = decode(pages.card(1), Card)
    assert [(view.state, view.supported, view.duty) for view in card.views] == [
        ("F", True, "answer 1"), ("M", False, "abstain: the evidence is hidden"),
        ("I", False, "abstain: what it asks about is not there"),
    ]  # fmt: skip
    assert card.views[0].question == "What is the “größte” number 1?"
    assert "proved" in card.views[0].level
    views = list(bench.views())
    for number in range(3):
        kind, data = pages.picture(1, number)
        assert (kind, digest_bytes(data)) == ("image/png", views[3 + number].image_sha256)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    pages = group_pages(benchmark(tmp_path / "b"))
    for call in (
        lambda: pages.card(3),
        lambda: pages.card(-1),
        lambda: pages.picture(0, 3),
        lambda: pages.picture(9, 0),
    ):
        with pytest.raises(ReviewError):
            call()


def test_a_picture_that_was_changed_is_not_shown(tmp_path: Path) -> None:
    bench = benchmark(tmp_path / "b")
    pages = group_pages(bench)
    edit_rows(
        bench.files()[0], lambda rows: [row | {"image": {"bytes": b"\x89PNG\r\n\x1a\nx", "path": "x"}} for row in rows]
    )
    with pytest.raises(FingerprintError, match="expected the image with sha256="):
        group_pages(bench).picture(0, 0)
    assert pages.items


def test_only_pictures_that_carry_no_script_are_shown(tmp_path: Path) -> None:
    made, pictures = group(0)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>window.__hit=1</script></svg>'
    views = (msgspec.structs.replace(made.views[0], image_sha256=digest_bytes(svg)), *made.views[1:])
    with BenchmarkWriter(tmp_path / "b") as writer:
        writer.add(msgspec.structs.replace(made, views=views), [svg, *pictures[1:]], None)
        writer.finish(manifest(), ledger(1), "")
    from answerable.core.benchmark import Benchmark

    with pytest.raises(ReviewError, match="expected a PNG, JPEG, GIF or WebP picture"):
        group_pages(Benchmark(tmp_path / "b")).picture(0, 0)


def test_a_list_chooses_groups_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    lines = [
        {"group": "g-test-2", "why": ["equal images"], "left_out": False, "problem": "IVQD"},
        {"group": "gone", "why": []}, {"group": "g-test-2", "why": ["equal images", "reads alike"]},
        {"group": "g-test-0"},
    ]  # fmt: skip
    path.write_text("\n\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    only = read_list(path)
    assert only == {"g-test-2": ("equal images", "reads alike"), "gone": (), "g-test-0": ()}
    pages = group_pages(benchmark(tmp_path / "b"), only)
    assert [(item.id, item.why) for item in pages.items] == [
        ("g-test-0", ()), ("g-test-2", ("equal images", "reads alike")),
    ]  # fmt: skip
    assert decode(pages.card(1), Card).why == ("equal images", "reads alike")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a review list with a line at least"),
        (b'{"why": []}', "expected a line of a review list"),
        (b'{"group": 1}', "expected a line of a review list"),
        (b"\xff\xfe", "expected a line of a review list"),
        (b'{"group": "a"}\n[[', "expected a line of a review list"),
        (b"[" * 100_000, "expected a line of a review list"),
    ],
)
def test_lists_that_are_none(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "l.jsonl"
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        read_list(path)
    assert message in str(caught.value)
    with pytest.raises(SourceError, match="expected a review list; got No such file"):
        read_list(tmp_path / "no")


def test_a_sample_keeps_the_order_and_its_seed_decides() -> None:
    names = [f"g{number}" for number in range(30)]
    some = sampled(names, 7, 1)
    assert some == sorted(some, key=names.index) == sampled(names, 7, 1)
    assert len(set(some)) == 7
    assert some != sampled(names, 7, 2)
    assert sampled(names, 30, 5) == names
    for count in (0, 31, -1):
        with pytest.raises(SettingsError, match="expected a number from 1 to 30"):
            sampled(names, count, 0)


def test_replies_with_text_have_cards(tmp_path: Path) -> None:
    bench = benchmark(tmp_path / "b", 2)
    long = "x" * (LONGEST + 5)
    run = run_of(tmp_path / "run", bench, ["<b>4</b>\u2028", None, "  ", long])
    pages, hidden = reply_pages(bench, run)
    views = [view.id for view in bench.views()]
    assert [item.id for item in pages.items] == [f"{views[0]}/0", f"{views[3]}/0", f"{views[4]}/0"]
    assert [item.group for item in pages.items] == ["g-test-0", "g-test-1", "g-test-1"]
    assert hidden == {"empty": 2, "complete": 1}
    first, second = decode(pages.card(0), Card), decode(pages.card(1), Card)
    assert first.said is not None
    assert second.said is not None
    assert (first.said.text, first.said.cut, first.said.model) == ("<b>4</b>\u2028", 0, "lab/model")
    assert (len(second.said.text), second.said.cut) == (LONGEST, 5)
    assert len(first.views) == 1
    only, _ = reply_pages(bench, run, {pages.items[1].id})
    assert [item.id for item in only.items] == [pages.items[1].id]


def test_replies_of_another_benchmark(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", benchmark(tmp_path / "b", 3), ["4"])
    with pytest.raises(BenchmarkError, match="expected replies on views of the benchmark"):
        reply_pages(benchmark(tmp_path / "c", 1), run)


def test_a_run_is_named_by_what_it_asked(tmp_path: Path) -> None:
    bench = benchmark(tmp_path / "b")
    one, same = run_of(tmp_path / "r1", bench, ["4"]), run_of(tmp_path / "r2", bench, ["5"])
    other = run_of(tmp_path / "r3", bench, ["4"], model="lab/other")
    assert run_digest(one) == run_digest(same) != run_digest(other)


def test_what_changed_since_is_said(tmp_path: Path) -> None:
    bench = benchmark(tmp_path / "b")
    one, _ = reply_pages(bench, run_of(tmp_path / "r1", bench, ["4"]))
    two, _ = reply_pages(bench, run_of(tmp_path / "r2", bench, ["5"]))
    check_same(one, one.items, "x")
    with pytest.raises(ReviewError, match="expected the items that the review was begun with; got another"):
        check_same(two, one.items, "x")
    with pytest.raises(ReviewError, match="got another their order"):
        check_same(one, one.items[::-1], "x")
