"""MMBench's samples and MM-UPD's rows as they are published: what is made of them, and whether it is the same."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from answerable.build.mcq_benchmarks import LEFT_OUT, McqRecipe, McqSettings, build
from answerable.build.sources.mcq import Question
from answerable.build.sources.mcq_open import open_source
from answerable.build.sources.mcq_rows import UpdRowsSource
from answerable.build.variations.upd import Pairing, make_group
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from answerable.core.records import SETTINGS, Answer, Problem, Refusal, View
from answerable.domains.draft import Draft
from answerable.exec import ThisProcess
from tests.build.sources.test_mcq import all_of, base64_of
from tests.core.small import picture
from tests.shared import SHARED, needs_shared

SAMPLES, ROWS = SHARED / "data" / "mmbench", SHARED / "data" / "mm_upd"
IMAGES = SAMPLES / "images"
PLACES = (("MMBench", IMAGES),)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("real") / "b"
    build(McqRecipe(McqSettings(seed=1), open_source(SAMPLES, PLACES)), out, ThisProcess())
    return Benchmark(out)


@needs_shared
def test_what_becomes_of_the_samples(made: Benchmark) -> None:
    made.verify()
    assert Counter(one.source for one in made.groups()) == {"mmbench-aad": 38, "mmbench-iasd": 38, "mmbench-ivqd": 20}
    lost = {"no image": 14, "ability Image Quality": 2}
    assert [line.refused for line in made.ledger().lines] == [lost, lost, lost | {LEFT_OUT: 18}]
    assert {line.scanned for line in made.ledger().lines} == {54}


@needs_shared
def test_without_its_folder_a_picture_that_may_be_of_two_is_refused() -> None:
    _, refused = all_of(open_source(SAMPLES))
    details = [one.detail for one in refused if one.reason == "no image"]
    # 1.jpg lies in one folder, and both data sets have a picture of that name.
    assert sum("1.jpg" in detail and "may be that of" in detail for detail in details) == 3


@needs_shared
def test_pictures_are_stored_as_they_are(made: Benchmark) -> None:
    published = {digest_bytes(path.read_bytes()) for path in IMAGES.iterdir()}
    assert {view.image_sha256 for view in made.views()} <= published


@needs_shared
def test_right_options_are_those_of_the_samples(made: Benchmark) -> None:
    entries = json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8"))
    right = {(entry["question"], entry["options"][entry["answer"]].strip()) for entry in entries}
    for view in made.views():
        if isinstance(view.obligation, Answer) and view.setting == "original" and view.source == "mmbench-aad":
            text = next(option.text for option in view.options if option.letter == view.obligation.target)
            if "lack of image information" not in text and "图像信息不足" not in text:
                assert (view.question, text) in right


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file."""
    found: list[dict[str, Any]] = json.loads((ROWS / f"{name}_sample.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def pictured(tmp_path: Path) -> list[Question]:
    """The questions of the rows; the bytes that were taken out are stood in for."""
    paths = []
    for name in ("standard_matched_control", "aad", "iasd", "ivqd"):
        content = [row | {"image": base64_of(picture(name == "ivqd", row["index"]))} for row in rows(name)]
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(content), encoding="utf-8")
    found, refused = all_of(UpdRowsSource(tuple(paths)))
    # Six rows belong to their standard row; three have none.
    assert Counter(one.reason for one in refused) == {
        "an unsolvable row, counted with its standard row": 6,
        "an unsolvable row without its standard row": 3,
    }
    return found


def first(question: Question, problem: Problem, state: str, **lent: Any) -> View:
    """The view of the base setting whose options are not shifted."""
    draft = make_group(Pairing(problem=problem, question=question, **lent), SETTINGS)
    assert isinstance(draft, Draft)
    (view,) = [v for v in draft.group.views if (v.setting, v.state, v.rotation) == ("base", state, 0)]
    return view


def offered(row: dict[str, Any]) -> list[str]:
    return [row[letter].strip() for letter in "ABCDE" if row[letter]]


@needs_shared
def test_our_views_are_the_published_rows(pictured: list[Question]) -> None:
    by_index = {question.id: question for question in pictured}
    assert set(by_index) == {"1", "2", "7"}
    for row in rows("standard_matched_control"):
        view = first(by_index[row["index"]], "AAD", "F")
        assert [option.text for option in view.options] == offered(row)
        assert isinstance(view.obligation, Answer)
        assert view.obligation.target == row["answer"]
        assert (view.question, view.ability, view.topic) == (row["question"], row["category"], row["l2-category"])
    for row in rows("aad"):
        view = first(by_index[row["index"]], "AAD", "AAD")
        assert [option.text for option in view.options] == offered(row)
        assert view.withheld == row["masked_answer"].strip()
    for row in rows("iasd"):
        question = by_index[row["index"]]
        view = first(question, "IASD", "IASD", options=question.given_options)
        assert [option.text for option in view.options] == offered(row)
        assert view.withheld == row["masked_answer"].strip()


@needs_shared
def test_the_rows_as_they_are_lack_their_pictures(tmp_path: Path) -> None:
    # Of MMBench's pictures one has the index of a row.
    recipe = McqRecipe(McqSettings(seed=1), open_source(ROWS, (("", IMAGES),)))
    _, ledger = build(recipe, tmp_path / "b", ThisProcess())
    assert [line.kept for line in ledger.lines] == [1, 1, 0]
    assert ledger.lines[0].refused["no image"] == 2
    assert all(sum(line.refused.values()) + line.kept == line.scanned == 12 for line in ledger.lines)


@needs_shared
def test_the_samples_and_the_rows_agree_on_their_common_question(made: Benchmark) -> None:
    (row,) = [row for row in rows("aad") if row["index"] == "1"]
    same = [
        view
        for view in made.views()
        if view.state == "AAD" and view.setting == "base" and not view.rotation and view.question == row["question"]
    ]
    (view,) = same

    # The two files break lines and indent code in their own ways.
    def bare(text: str) -> str:
        return "".join(text.replace("\\n", " ").split())

    assert [bare(option.text) for option in view.options] == [bare(text) for text in offered(row)]
    assert bare(view.withheld) == bare(row["masked_answer"])


@needs_shared
def test_a_question_that_suits_most_pictures_by_the_paper_is_left_out() -> None:
    recipe = McqRecipe(McqSettings(seed=1), open_source(SAMPLES, PLACES))
    left = {line.text for line in recipe.review if line.left_out}
    assert "How many trucks are in this photo?" in left
    assert "Which one is the correct caption of this image?" in left
    refused = [item for item in recipe.jobs_of("IVQD") if isinstance(item, Refusal) and item.reason == LEFT_OUT]
    assert len(refused) == 18
