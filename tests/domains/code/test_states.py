"""Groups: the states of each strategy, and why a program gives none."""

from __future__ import annotations

from typing import Any

import pytest

from answerable.core.codec import decode
from answerable.core.records import Abstain, Answer, Refusal
from answerable.core.seeds import Stream
from answerable.domains.code import screen, states
from answerable.domains.code.generator import STRATEGIES, Sketch, Strategy, sketch
from answerable.domains.code.interpreter import run
from answerable.domains.code.language import Assign, Augment, Int, Path, Print, Program, RandInt, Str, Var
from answerable.domains.code.language import nodes as parts
from answerable.domains.code.proof import CodeProof
from answerable.domains.code.slices import lines_read
from answerable.domains.code.states import Request, make_group
from answerable.domains.code.visibility import Above, End
from answerable.domains.code.world import THEMES, texts
from answerable.domains.draft import Draft
from tests.domains.code.make import draft, program, sums

SEEDS = range(6)


def opened(made: Draft) -> CodeProof:
    assert made.proof is not None
    return decode(bytes(made.proof.body), CodeProof)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("strategy", ["s2", "s3"])
def test_hiding_gives_six_states(strategy: Strategy, seed: int) -> None:
    made = draft(strategy, seed)
    proof = opened(made)
    assert [view.state for view in made.group.views] == ["F", "S", "K", "C", "D", "M"]
    duties = {view.state: view.obligation for view in made.group.views}
    yes, no = Answer(target="yes", type="boolean"), Answer(target="no", type="boolean")
    assert duties == {"F": yes, "S": yes, "K": yes, "C": no, "D": yes, "M": Abstain(reason="missing")}
    assert {view.evidence.level for view in made.group.views} == {"proved"}
    full, changed = (proof.worlds[name] for name in "FC")
    assert sum(a != b for a, b in zip(texts(full), texts(changed), strict=True)) == 1
    hides = {claim.state: claim.hide for claim in proof.claims if claim.hide is not None}
    kind = Above if strategy == "s2" else End
    assert set(hides) == {"K", "D", "M"}
    assert all(isinstance(hide, kind) for hide in hides.values())
    assert len(set(made.images)) == 6


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chance", [True, False])
def test_chance_leaves_m_alone_open(seed: int, chance: bool) -> None:
    made = draft("s1", seed, chance=chance, wants=False)
    proof = opened(made)
    duties = {view.state: view.obligation for view in made.group.views}
    yes, no = Answer(target="yes", type="boolean"), Answer(target="no", type="boolean")
    assert duties == {"F": no, "S": no, "C": yes, "M": Abstain(reason="indeterminate")}
    assert all(claim.hide is None for claim in proof.claims)
    assert len(run(proof.worlds["M"].program)) > 1
    assert all("import random" in texts(world)[0] for world in proof.worlds.values())
    assert any(isinstance(node, RandInt) for node in parts(proof.worlds["M"].program)) or chance


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_names_give_the_same_bytes(strategy: Strategy) -> None:
    assert draft(strategy, 3) == draft(strategy, 3)
    assert draft(strategy, 3).group.id != draft(strategy, 4).group.id


def test_k_hides_nothing_that_is_read_and_d_and_m_do() -> None:
    for seed in SEEDS:
        proof = opened(draft("s3", seed))
        read = lines_read(proof.worlds["F"].program)
        for claim in proof.claims:
            if isinstance(claim.hide, End):
                assert (claim.hide.line in read) == (claim.state != "K")


def test_other_lines_than_settings_are_covered_too() -> None:
    found = set()
    for seed in range(14):
        proof = opened(draft("s3", seed))
        hide = next(claim.hide for claim in proof.claims if claim.state == "M")
        assert isinstance(hide, End)
        found.add(texts(proof.worlds["F"])[hide.line - 1].split()[1][:1])
    assert len(found) > 1


def group(made: Program, strategy: Strategy = "s2", places: dict[str, Path] | None = None) -> Draft | Refusal:
    where: dict[str, Any] = {"idle": (0,), "neutral": (1,), "critical": (2,)} | (places or {})
    names = ("by hand", 1)
    request = Request(source="s", figure="f", split="test", strategy=strategy, themes=THEMES, wants=True, names=names)
    return make_group(Sketch(program=made, file="main.py", **where), request)


def test_a_program_made_by_hand() -> None:
    assert isinstance(group(sums()), Draft)
    assert isinstance(group(sums(), "s3"), Draft)


@pytest.mark.parametrize(
    ("made", "places", "reason"),
    [
        (program(Print((Var("x"),)), *sums().statements), {}, "malformed program"),
        (sums(), {"idle": (2,)}, "other lines matter"),
        (sums(), {"critical": (0,)}, "other lines matter"),
        (sums(), {"neutral": (2,)}, "nothing determined"),
        (
            program(*sums().statements[:3], Assign("total", Var("x")), Augment("total", "*", Int(0)),
                    Print((Var("total"), Var("cap")))),
            {}, "no other answer",
        ),
        (
            program(Assign("a", Str("漢")), *sums().statements),
            {"idle": (1,), "neutral": (2,), "critical": (3,)}, "no glyph",
        ),
        (program(*sums().statements[:3], Print((Str("x" * 59), Str("y" * 59), Var("x")))), {}, "no other answer"),
    ],
)  # fmt: skip
def test_a_program_without_a_group_says_why(made: Program, places: dict[str, Path], reason: str) -> None:
    found = group(made, places=places)
    assert isinstance(found, Refusal)
    assert found.reason == reason
    assert found.detail


def test_a_renderer_that_leaks_makes_the_witness_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = screen.render
    calls = 0

    def leaky(world: Any, hide: Any = None) -> Any:
        nonlocal calls
        pixels = plain(world, hide).copy()
        pixels[0, 0, 0] = calls = calls + 1
        return pixels

    monkeypatch.setattr(screen, "render", leaky)
    found = group(sums())
    assert isinstance(found, Refusal)
    assert found.reason == "witness fails"


def test_an_executor_that_fails_refuses_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "answer", lambda *_: "CPython: the isolated interpreter was killed")
    found = group(sums())
    assert found == Refusal(reason="cannot be run", detail="CPython: the isolated interpreter was killed")


def test_sketches_are_as_declared() -> None:
    for number in range(60):
        stream = Stream("sketch", number)
        strategy = STRATEGIES[number % 3]
        made = sketch(stream, strategy, chance=number % 2 == 0)
        if strategy == "s2":
            settings = [made.idle[0], made.neutral[0], made.critical[0]]
            assert settings == list(range(settings[0], settings[0] + 3))
        assert (made.neutral == made.idle) == (strategy == "s1")
