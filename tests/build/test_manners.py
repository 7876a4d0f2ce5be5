"""Proved questions put as a published benchmark puts its own: options under letters, instruction, headings, scores."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.assembly import assemble
from answerable.build.code_benchmarks import CodeRecipe, CodeSettings
from answerable.build.manners import UCR, UTABMWP
from answerable.build.sources.table_worlds import TABLE_SOURCES
from answerable.build.table_benchmarks import TableRecipe, TableSettings
from answerable.certify.checks import Parcel, Verdict, certify, check_parcel, parcels
from answerable.core.benchmark import Benchmark
from answerable.core.records import Abstain, Answer, Group, Option, View
from answerable.domains.table.templates import TEMPLATES
from answerable.exec import ThisProcess


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("ucr") / "b"
    assemble(CodeRecipe(CodeSettings(groups=6, seed=2), UCR), out, ThisProcess(), name="ucr")
    return Benchmark(out)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("utab") / "b"
    settings = TableSettings(groups=8, seed=2, programs=tuple(TEMPLATES), choices=True)
    assemble(TableRecipe(settings, TABLE_SOURCES.load("sampler")(2), UTABMWP), out, ThisProcess(), name="utab")
    return Benchmark(out)


def test_code_is_put_as_ucr_and_every_proof_holds(code: Benchmark) -> None:
    assert (code.manifest.prompt, code.manifest.reader) == ("as-asked", "yes-no")
    views = list(code.views())
    assert {view.topic for view in views} == {"UCR"}
    assert {(view.source, view.ability) for view in views} == {
        ("code-s1", "S.1"), ("code-s2", "S.2"), ("code-s3", "S.3")
    }  # fmt: skip
    assert {view.instruction for view in views} == {UCR.manner.instruction}
    assert all('answer "Unanswerable"' in view.instruction and not view.options for view in views)
    assert certify(code, ThisProcess()).statuses == {"accepted": 6}


def test_tables_are_put_as_utabmwp_and_every_proof_holds(tables: Benchmark) -> None:
    assert (tables.manifest.prompt, tables.manifest.reader) == ("as-asked", "mcq")
    assert certify(tables, ThisProcess()).statuses == {"accepted": 8}
    for view in tables.views():
        assert (view.topic, view.ability) == ("UTabMWP", "S.10")
        assert len(view.options) >= 2 and "Choose one of" not in view.question
        if isinstance(view.obligation, Answer):
            assert view.obligation.target in {option.letter for option in view.options}
            assert view.obligation.type == "text"
        else:
            assert isinstance(view.obligation, Abstain)


def test_what_is_put_differently_is_another_group_and_what_is_put_freely_is_what_it_was(
    code: Benchmark, tmp_path: Path
) -> None:
    out = tmp_path / "free"
    assemble(CodeRecipe(CodeSettings(groups=6, seed=2)), out, ThisProcess(), name="free")
    free = Benchmark(out)
    assert not {view.group for view in free.views()} & {view.group for view in code.views()}
    # The same programs are asked about, in the same pictures.
    assert Counter(view.image_sha256 for view in free.views()) == Counter(view.image_sha256 for view in code.views())
    proofs = b"".join(path.read_bytes() for path in sorted(out.glob("proofs-*.jsonl")))
    assert b'"question"' in proofs and b'"instruction"' not in proofs


def spoilt(parcel: Parcel, state: str, **changes: Any) -> Verdict:
    views: tuple[View, ...] = tuple(
        msgspec.structs.replace(view, **changes) if view.state == state else view for view in parcel.group.views
    )
    group: Group = msgspec.structs.replace(parcel.group, views=views)
    return check_parcel(msgspec.structs.replace(parcel, group=group))


def test_letters_options_and_instruction_are_re_checked(tables: Benchmark) -> None:
    parcel = next(parcels(tables))
    full = parcel.group.view("F")
    assert full is not None and isinstance(full.obligation, Answer)
    assert check_parcel(parcel).status == "accepted"
    other = next(option.letter for option in full.options if option.letter != full.obligation.target)
    swapped = (full.options[1], full.options[0], *full.options[2:])
    relettered = tuple(Option(new.letter, old.text) for new, old in zip(full.options, swapped, strict=True))
    cases: list[tuple[dict[str, Any], str]] = [
        ({"obligation": Answer(target=other, type="text")}, "answers"),
        ({"obligation": Answer(target=full.options[0].text, type="text")}, "answers"),
        ({"options": relettered}, "bound"),
        ({"options": full.options[:-1]}, "bound"),
        ({"options": ()}, "bound"),
        ({"instruction": "Answer A."}, "bound"),
        ({"instruction": ""}, "bound"),
        ({"setting": "base"}, "bound"),
        ({"withheld": "7"}, "bound"),
    ]
    for changes, premise in cases:
        verdict = spoilt(parcel, "F", **changes)
        assert (verdict.status, verdict.premise) == ("refused", premise), changes
