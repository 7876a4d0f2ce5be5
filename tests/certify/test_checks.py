"""Certification: every planted fault is caught by the premise that is meant to catch it, however careful the forger."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
from answerable.build.sources.table import TableOptions, TableSource
from answerable.certify import checks, kernel
from answerable.certify.checks import Parcel, Verdict, certify, check_parcel, parcels
from answerable.certify.faults import FAULTS as PLANTED
from answerable.core.benchmark import Benchmark, ProofRecord
from answerable.core.codec import encode
from answerable.core.errors import SettingsError
from answerable.core.records import Abstain, Answer, Evidence
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.proof import Claim
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.visibility import APPEARANCES, Hide
from answerable.domains.chart.world import KINDS, Axis, with_value, without_position, without_series
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.exec import ThisProcess
from answerable.logic.program import Label, Number, Product, Sum
from tests.certify.forge import Forger, parcel
from tests.domains.chart.make import draft, lookup, request, world

GOOD = draft(world(rows=3))
LINES = draft(world("line", rows=2))
OTHER = draft(world(rows=3), request(("Zürich", "2020"), seed=9))


def verdict(forger: Forger, body: bytes | None = None) -> Verdict:
    return check_parcel(forger.finish(body))


def test_an_untouched_group_is_accepted() -> None:
    for made in (GOOD, LINES, OTHER, draft(world(rows=1, kind="hbar"), drawn="matplotlib")):
        assert check_parcel(parcel(made)) == Verdict(group=made.group.id, status="accepted")


def test_taking_a_group_apart_and_together_changes_nothing() -> None:
    forger = Forger(GOOD)
    forger.redraw()
    assert verdict(forger).status == "accepted"


Plant = Callable[[Forger], None]
FAULTS: dict[str, tuple[str, Plant]] = {}


def fault(premise: str) -> Callable[[Plant], Plant]:
    """Register a way to forge, and the premise that must catch it."""

    def add(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = (premise, plant)
        return plant

    return add


# bound


@fault("bound")
def a_proof_that_names_another_group(forger: Forger) -> None:
    forger.named = OTHER.group.id


@fault("bound")
def a_claim_about_a_view_that_is_not_there(forger: Forger) -> None:
    extra = Claim(state="D", view="x", image_sha256="0" * 64, world="F")
    forger.set_proof(claims=(*forger.proof.claims, extra))


@fault("bound")
def the_same_claim_twice(forger: Forger) -> None:
    forger.set_proof(claims=(*forger.proof.claims, forger.claim("F")))


@fault("bound")
def a_view_without_a_claim(forger: Forger) -> None:
    forger.set_proof(claims=tuple(claim for claim in forger.proof.claims if claim.state != "K"))


@fault("bound")
def another_question_in_a_view(forger: Forger) -> None:
    forger.set_view("C", question="What is the value of “Łódź” at “2019”?")


@fault("bound")
def a_question_that_asks_for_something_else(forger: Forger) -> None:
    question = "What is the value of “Zürich” at “2021”?"
    forger.set_proof(question=question)
    for state in forger.views:
        forger.set_view(state, question=question)


@fault("bound")
def a_world_nobody_shows(forger: Forger) -> None:
    forger.set_proof(worlds=forger.worlds | {"X": forger.worlds["F"]})


@fault("bound")
def a_world_that_is_missing(forger: Forger) -> None:
    forger.set_proof(worlds={name: made for name, made in forger.worlds.items() if name != "S"})


@fault("bound")
def a_view_that_shows_another_world(forger: Forger) -> None:
    forger.set_claim("S", world="F")


@fault("bound")
def a_view_that_hides_without_leave(forger: Forger) -> None:
    forger.set_claim("F", hide=Hide(positions=("2019",), appearance="gap"))


@fault("bound")
def a_mask_that_is_not_there(forger: Forger) -> None:
    forger.set_claim("M", hide=None)


@fault("bound")
def a_group_without_a_witness(forger: Forger) -> None:
    del forger.views["C"], forger.images["C"]
    kept = tuple(claim for claim in forger.proof.claims if claim.state != "C")
    worlds = {name: made for name, made in forger.worlds.items() if name != "C"}
    forger.set_proof(claims=kept, worlds=worlds)


@fault("bound")
def a_program_that_nobody_asks_for(forger: Forger) -> None:
    forger.set_proof(program=Product(items=(Number(value=Fraction(10**59)),) * 500))


@fault("bound")
def a_program_that_adds_words(forger: Forger) -> None:
    forger.set_proof(program=Sum(items=(Label(text="a"), Label(text="b"))))


@fault("bound")
def a_domain_nobody_knows(forger: Forger) -> None:
    forger.domain = "astrology"


@fault("bound")
def a_family_nobody_knows(forger: Forger) -> None:
    forger.set_proof(family="gnuplot")


# admissible


@fault("admissible")
def a_value_outside_the_axis(forger: Forger) -> None:
    forger.set_world("C", with_value(forger.worlds["C"], "Łódź", "2021", Fraction(101)))


@fault("admissible")
def another_axis_in_c(forger: Forger) -> None:
    wider = Axis(Fraction(0), Fraction(200), Fraction(40), 4)
    forger.set_world("C", msgspec.structs.replace(forger.worlds["C"], axis=wider))


@fault("admissible")
def another_title_in_c(forger: Forger) -> None:
    forger.set_world("C", msgspec.structs.replace(forger.worlds["C"], title="Visitors by month"))


@fault("admissible")
def another_kind_in_s(forger: Forger) -> None:
    forger.set_world("S", msgspec.structs.replace(forger.worlds["S"], kind="hbar"))


@fault("admissible")
def two_series_of_one_name(forger: Forger) -> None:
    for name in ("F", "S", "C"):
        made = msgspec.structs.replace(forger.worlds[name], series=("Łódź", "Łódź", "Αθήνα"))
        forger.set_proof(worlds=forger.worlds | {name: made})


@fault("admissible")
def a_colour_that_is_none(forger: Forger) -> None:
    bad = msgspec.structs.replace(forger.worlds["C"], colours=("red", "#e1812c", "#3a923a"))
    forger.set_proof(worlds=forger.worlds | {"C": bad})


@fault("admissible")
def an_axis_too_long_for_floats(forger: Forger) -> None:
    axis = Axis(Fraction(10**59), Fraction(10**59 + 100), Fraction(20))
    forger.set_proof(
        worlds={
            name: msgspec.structs.replace(
                made, axis=axis, values=tuple(tuple(value + 10**59 for value in line) for line in made.values)
            )
            for name, made in forger.worlds.items()
        }
    )


# edits


@fault("answers")
def a_c_that_changes_another_cell(forger: Forger) -> None:
    forger.set_world("C", with_value(forger.worlds["F"], "Łódź", "2022", Fraction(80)))


@fault("edits")
def a_c_that_changes_two_cells(forger: Forger) -> None:
    forger.set_world("C", with_value(forger.worlds["C"], "Łódź", "2022", Fraction(80)))


@fault("edits")
def an_s_that_changes_two_cells(forger: Forger) -> None:
    made = with_value(forger.worlds["F"], "Zürich", "2019", Fraction(55))
    forger.set_world("S", with_value(made, "Zürich", "2023", Fraction(55)))


@fault("edits")
def an_i_that_lacks_a_position_too(forger: Forger) -> None:
    forger.set_world("I", without_position(forger.worlds["I"], "2019"))


@fault("edits")
def an_s_that_changes_nothing(forger: Forger) -> None:
    forger.set_world("S", forger.worlds["F"])


@fault("answers")
def an_i_that_lacks_another_series(forger: Forger) -> None:
    forger.set_world("I", without_series(forger.worlds["F"], "Zürich"))


@fault("answers")
def an_i_that_lacks_nothing(forger: Forger) -> None:
    forger.set_world("I", forger.worlds["F"])


@fault("edits")
def an_i_with_another_value(forger: Forger) -> None:
    forger.set_world("I", with_value(forger.worlds["I"], "Zürich", "2019", Fraction(95)))


@fault("edits")
def a_c_in_other_colours(forger: Forger) -> None:
    forger.set_world("C", msgspec.structs.replace(forger.worlds["C"], colours=("#aa0000", "#e1812c", "#3a923a")))


@fault("edits")
def an_s_with_swapped_colours(forger: Forger) -> None:
    forger.set_world("S", msgspec.structs.replace(forger.worlds["S"], colours=("#e1812c", "#2f6db5", "#3a923a")))


@fault("edits")
def an_i_in_other_colours(forger: Forger) -> None:
    forger.set_world("I", msgspec.structs.replace(forger.worlds["I"], colours=("#aa0000", "#3a923a")))


# complete


@fault("complete")
def decimals_that_cannot_show_a_value(forger: Forger) -> None:
    for name, made in list(forger.worlds.items()):
        halves = tuple(tuple(value + Fraction(1, 2) for value in line) for line in made.values)
        forger.set_proof(worlds=forger.worlds | {name: msgspec.structs.replace(made, values=halves)})
    forger.redraw()


@fault("complete")
def a_title_without_glyphs(forger: Forger) -> None:
    forger.set_every_world(title="שלום")


@fault("complete")
def a_title_longer_than_the_picture(forger: Forger) -> None:
    forger.set_every_world(title="W" * 250)


@fault("complete")
def an_axis_that_cannot_be_read(forger: Forger) -> None:
    forger.set_every_world(axis=Axis(Fraction(0), Fraction(100), Fraction(150)))


@fault("complete")
def a_mask_over_a_position_that_is_not_there(forger: Forger) -> None:
    forger.hide("K", "1999", "patch")


# answers


@fault("answers")
def another_target(forger: Forger) -> None:
    forger.set_view("K", obligation=Answer(target="77", type="number"))


@fault("answers")
def a_target_in_another_form(forger: Forger) -> None:
    duty = forger.views["F"].obligation
    assert isinstance(duty, Answer)
    forger.set_view("F", obligation=Answer(target=duty.target + ".0", type="number"))


@fault("answers")
def a_target_of_another_type(forger: Forger) -> None:
    duty = forger.views["F"].obligation
    assert isinstance(duty, Answer)
    forger.set_view("F", obligation=Answer(target=duty.target, type="text"))


@fault("answers")
def an_answer_where_the_evidence_is_hidden(forger: Forger) -> None:
    forger.set_view("M", obligation=forger.views["F"].obligation)


@fault("answers")
def abstaining_where_the_answer_is_shown(forger: Forger) -> None:
    forger.set_view("K", obligation=Abstain(reason="missing"))


@fault("answers")
def another_reason_for_i(forger: Forger) -> None:
    forger.set_view("I", obligation=Abstain(reason="missing"))


@fault("answers")
def another_reason_for_m(forger: Forger) -> None:
    forger.set_view("M", obligation=Abstain(reason="indeterminate"))


# hidden


@fault("hidden")
def a_k_that_hides_the_asked_position(forger: Forger) -> None:
    forger.hide("K", "2021", "patch")


@fault("hidden")
def an_m_that_hides_another_position(forger: Forger) -> None:
    forger.hide("M", "2022", "patch")


@fault("hidden")
def a_k_that_hides_in_another_way(forger: Forger) -> None:
    hide = forger.claim("K").hide
    assert hide is not None
    forger.hide("K", hide.positions[0], "gap")


@fault("determined")
def a_d_that_hides_the_asked_cell(forger: Forger) -> None:
    # A look-up is never determined once its cell is hidden.
    hidden, shown = forger.views["M"], forger.views["F"]
    forger.views["D"] = msgspec.structs.replace(hidden, id="d", state="D", obligation=shown.obligation)
    forger.images["D"] = forger.images["M"]
    claim = msgspec.structs.replace(forger.claim("M"), state="D", view="d")
    forger.set_proof(claims=(*forger.proof.claims, claim))


@fault("hidden")
def a_d_that_hides_nothing_relevant(forger: Forger) -> None:
    control, shown = forger.views["K"], forger.views["F"]
    forger.views["D"] = msgspec.structs.replace(control, id="d", state="D", obligation=shown.obligation)
    forger.images["D"] = forger.images["K"]
    claim = msgspec.structs.replace(forger.claim("K"), state="D", view="d")
    forger.set_proof(claims=(*forger.proof.claims, claim))


# witness and pixels


@fault("witness")
def one_pixel_of_m(forger: Forger) -> None:
    forger.change_pixel("M")


@fault("witness")
def the_picture_of_f_as_m(forger: Forger) -> None:
    forger.images["M"] = forger.images["F"]


@fault("pixels")
def one_pixel_of_f(forger: Forger) -> None:
    forger.change_pixel("F")


@fault("pixels")
def one_pixel_of_i(forger: Forger) -> None:
    forger.change_pixel("I")


@fault("pixels")
def the_pictures_of_s_and_c_swapped(forger: Forger) -> None:
    forger.images["S"], forger.images["C"] = forger.images["C"], forger.images["S"]


@fault("pixels")
def a_picture_with_a_note_in_its_last_bits(forger: Forger) -> None:
    pixels = png.decode(forger.images["K"])
    pixels[0, :8, 0] ^= np.unpackbits(np.frombuffer(b"K", np.uint8))
    forger.images["K"] = png.encode(pixels)


# image files


@fault("image")
def a_note_in_the_file(forger: Forger) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("state", "M")
    stream = io.BytesIO()
    Image.fromarray(png.decode(forger.images["M"])).save(stream, "PNG", pnginfo=info)
    forger.images["M"] = stream.getvalue()


@fault("image")
def bytes_after_the_file(forger: Forger) -> None:
    forger.images["M"] += b"M"


@fault("image")
def a_jpeg_instead(forger: Forger) -> None:
    stream = io.BytesIO()
    Image.fromarray(png.decode(forger.images["S"])).save(stream, "JPEG")
    forger.images["S"] = stream.getvalue()


@fault("image")
def a_grey_picture(forger: Forger) -> None:
    stream = io.BytesIO()
    Image.fromarray(png.decode(forger.images["S"])).convert("L").save(stream, "PNG")
    forger.images["S"] = stream.getvalue()


@fault("image")
def a_picture_with_transparency(forger: Forger) -> None:
    stream = io.BytesIO()
    Image.fromarray(png.decode(forger.images["S"])).convert("RGBA").save(stream, "PNG")
    forger.images["S"] = stream.getvalue()


@fault("image")
def no_picture_at_all(forger: Forger) -> None:
    forger.images["S"] = b"state=S"


@fault("image")
def an_empty_picture(forger: Forger) -> None:
    forger.images["S"] = b""


@fault("image")
def another_size_than_said(forger: Forger) -> None:
    forger.set_view("S", width=651)


@fault("image")
def a_damaged_picture(forger: Forger) -> None:
    data = forger.images["S"]
    middle = len(data) // 2
    forger.images["S"] = data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_caught_by_its_premise(name: str) -> None:
    premise, plant = FAULTS[name]
    forger = Forger(GOOD)
    plant(forger)
    found = verdict(forger)
    assert (found.status, found.premise) == ("refused", premise), found.detail
    assert found.group == GOOD.group.id
    assert 0 < len(found.detail) < 600


def test_every_premise_has_its_fault() -> None:
    # Executors lie in test_kernel: here they are the honest ones.
    assert {premise for premise, _ in FAULTS.values()} == {*kernel.PREMISES, "image"} - {"executors"}


def test_labels_that_collide_are_caught() -> None:
    forger = Forger(LINES)
    close = with_value(forger.worlds["C"], "Łódź", "2021", forger.worlds["F"].values[1][2] - 1)
    forger.set_world("C", close)
    assert (verdict(forger).status, verdict(forger).premise) == ("refused", "complete")


def test_equal_answers_are_no_witness() -> None:
    forger = Forger(GOOD)
    forger.set_world("C", forger.worlds["F"])
    assert verdict(forger).premise == "answers"


def test_digests_that_are_not_made_right_are_caught_too() -> None:
    changed = png.encode(255 - png.decode(GOOD.images[0]))
    swapped = Parcel(GOOD.group, (changed, *GOOD.images[1:]), GOOD.proof)
    assert check_parcel(swapped).premise == "image"
    stale = Forger(GOOD).finish()
    views = tuple(
        msgspec.structs.replace(view, evidence=Evidence(level="proved", proof="0" * 64)) for view in stale.group.views
    )
    renamed = Parcel(msgspec.structs.replace(stale.group, views=views), stale.images, stale.proof)
    assert check_parcel(renamed).premise == "bound"
    claims = Forger(GOOD)
    done = claims.finish()
    claims.set_claim("F", image_sha256="0" * 64)
    assert done.proof is not None
    body = msgspec.structs.replace(done.proof, body=msgspec.Raw(claims.body()))
    views = tuple(
        msgspec.structs.replace(view, evidence=Evidence(level="proved", proof=body.digest()))
        for view in done.group.views
    )
    found = check_parcel(Parcel(msgspec.structs.replace(done.group, views=views), done.images, body))
    assert (found.premise, found.detail) == ("bound", "view F is another image than the proof speaks of")


def test_another_groups_proof_is_refused() -> None:
    found = check_parcel(Parcel(GOOD.group, GOOD.images, OTHER.proof))
    assert (found.status, found.premise) == ("refused", "bound")
    assert f"the proof is about group {OTHER.group.id}" in found.detail


def test_a_claim_of_proof_without_one_is_refused_and_no_claim_is_unproved() -> None:
    found = check_parcel(Parcel(GOOD.group, GOOD.images, None))
    assert (found.status, found.premise) == ("refused", "bound")
    modest = tuple(msgspec.structs.replace(v, evidence=Evidence(level="annotated")) for v in GOOD.group.views)
    bare = msgspec.structs.replace(GOOD.group, views=modest)
    assert check_parcel(Parcel(bare, GOOD.images, None)) == Verdict(group=bare.id, status="unproved")


def test_another_version_of_the_renderer_is_reported_as_that() -> None:
    forger = Forger(GOOD)
    forger.set_proof(version="skia-python 99.0 r1")
    found = verdict(forger)
    assert (found.status, found.premise) == ("other_renderer", "pixels")
    assert "drawn by skia-python 99.0 r1, here is skia-python" in found.detail
    # Its pixels are not compared, so another picture passes as unknown, not as accepted.
    forger.change_pixel("M")
    assert verdict(forger).status == "other_renderer"
    # Everything else is checked all the same.
    forger.set_view("F", obligation=Answer(target="1", type="number"))
    assert (verdict(forger).status, verdict(forger).premise) == ("refused", "answers")


# A stranger's proof must not hurt.


def absurd_bodies() -> dict[str, bytes]:
    body = Forger(GOOD).body()
    names = [f"s{index}" for index in range(100_000)]
    values, colours = ((Fraction(1),),) * len(names), ("#000000",) * len(names)
    wide = msgspec.structs.replace(GOOD_WORLD, series=tuple(names), values=values, colours=colours)
    long = msgspec.structs.replace(GOOD_WORLD, title="A title " * 100_000)
    return {
        "a world of 100,000 series": _with_world(wide),
        "100,000 series in F": _with_world(wide, "F"),
        "a title of 800,000 signs": _with_world(long),
        "a name of 1,000,000 signs": _with_world(msgspec.structs.replace(GOOD_WORLD, positions=("W" * 10**6,) * 5)),
        "a number of 1,000,000 digits": body.replace(b'"upper":"100"', b'"upper":"' + b"9" * 10**6 + b'"'),
        "a step of one part in 10^59": body.replace(b'"step":"20"', b'"step":"1/' + b"1" + b"0" * 59 + b'"'),
        "a scale beyond 64 bits": body.replace(b'"scale":1', b'"scale":' + b"9" * 400),
        "a scale of 18 digits": body.replace(b'"scale":1', b'"scale":' + b"9" * 18),
        "decimals of 18 digits": body.replace(b'"decimals":0', b'"decimals":' + b"9" * 18),
        "gridlines of 18 digits": body.replace(b'"minor":4', b'"minor":' + b"9" * 18),
        "lists in lists": body.replace(b'"claims":[', b'"claims":[' + b"[" * 500_000),
        "objects in objects": b'{"question":' + b'{"a":' * 500_000,
        "a program in itself": body.replace(
            b'"program":{', b'"program":' + b'{"type":"not","item":' * 100_000 + b"{", 1
        ),
        "many worlds": _many_worlds(),
        "many claims": _many_claims(),
    }


GOOD_WORLD = Forger(GOOD).worlds["F"]


def _with_world(made: object, name: str = "C") -> bytes:
    forger = Forger(GOOD)
    forger.set_proof(worlds=forger.worlds | {name: made})
    return forger.body()


def _many_worlds() -> bytes:
    forger = Forger(GOOD)
    forger.set_proof(worlds=forger.worlds | {f"w{index}": forger.worlds["F"] for index in range(3000)})
    return forger.body()


def _many_claims() -> bytes:
    forger = Forger(GOOD)
    forger.set_proof(claims=forger.proof.claims * 3000)
    return forger.body()


@pytest.mark.parametrize("name", absurd_bodies())
def test_absurd_proofs_are_refused_without_harm(name: str) -> None:
    body = absurd_bodies()[name]
    made = Forger(GOOD).finish(body)
    tracemalloc.start()
    try:
        found = check_parcel(made)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.status == "refused"
    assert found.premise in ("bound", "admissible")
    assert len(found.detail) < 600
    assert most < 150_000_000


# Whole benchmarks.


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    settings = ChartSettings(groups=4, seed=11, train_groups=2, families=("skia",))
    build(settings, SamplerSource(11), tmp_path / "b", ThisProcess())
    return Benchmark(tmp_path / "b")


def test_a_built_benchmark_certifies(benchmark: Benchmark) -> None:
    seen: list[int] = []
    found = certify(benchmark, ThisProcess(), on_group=lambda: seen.append(1))
    assert found.holds
    assert found.statuses == {"accepted": 6}
    assert (found.groups, len(seen), found.premises, found.refusals, found.orphans) == (6, 6, {}, (), ())
    assert found.fingerprint == benchmark.manifest.fingerprint
    assert found.fingerprint_holds
    assert len(list(parcels(benchmark))) == 6


CSV = "Jahr,Αθήνα,Łódź\n" + "\n".join(f"{2000 + row},{10 + row * 7 % 40},{55 + row * 11 % 40}" for row in range(20))


def test_groups_of_a_users_table_certify(tmp_path: Path) -> None:
    path = tmp_path / "zahlen.csv"
    path.write_text(CSV, encoding="utf-8")
    source = TableSource((path,), KINDS, TableOptions(unit="kg"), value_labels=True)
    settings = ChartSettings(groups=60, seed=1, families=("skia", "matplotlib"))
    _, ledger = build(settings, source, tmp_path / "b", ThisProcess())
    assert ledger.kept >= 30
    found = certify(Benchmark(tmp_path / "b"), ThisProcess())
    assert found.holds
    assert found.statuses == {"accepted": ledger.kept}


def test_an_orphan_proof_is_named(benchmark: Benchmark) -> None:
    with (benchmark.path / "proofs-00001.jsonl").open("wb") as file:
        file.write(encode(ProofRecord(group="nobody", domain="chart", body=msgspec.Raw(b"{}"))) + b"\n")
    found = certify(benchmark, ThisProcess())
    assert not found.holds
    assert found.orphans == ("nobody",)
    assert not found.fingerprint_holds
    assert found.statuses == {"accepted": 6}


def test_a_benchmark_edited_by_hand_is_named_and_checked_all_the_same(benchmark: Benchmark) -> None:
    path = benchmark.path / "ledger.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"kept": 6', '"kept": 7'), encoding="utf-8")
    found = certify(benchmark, ThisProcess())
    assert not found.holds
    assert "expected content with fingerprint=" in found.fingerprint_detail
    assert found.statuses == {"accepted": 6}


def test_proofs_that_change_places_are_refused(benchmark: Benchmark) -> None:
    path = benchmark.path / "proofs-00000.jsonl"
    one, other, *rest = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    one["group"], other["group"] = other["group"], one["group"]
    path.write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in (one, other, *rest)))
    found = certify(benchmark, ThisProcess())
    assert found.statuses == {"accepted": 4, "refused": 2}
    assert found.premises == {"bound": 2}
    assert {refusal.group for refusal in found.refusals} == {one["group"], other["group"]}


def test_a_dropped_proof_is_refused(benchmark: Benchmark) -> None:
    path = benchmark.path / "proofs-00000.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    found = certify(benchmark, ThisProcess())
    assert found.statuses == {"accepted": 5, "refused": 1}
    assert found.refusals[0].detail == "its views claim a proof: none is there"


def sampled(names: tuple[str, ...], count: int) -> Iterator[Draft]:
    """Groups of every family, kind, look and label setting in turn."""
    for index in range(count):
        stream = Stream("certify", index)
        made = sample_world(stream, (KINDS[index % 4],), value_labels=index % 5 < 3)
        wanted = Request("s", f"f{index}", "test", lookup(made, stream), APPEARANCES[index // 4 % 2], ("c", index))
        found = make_group(made, wanted, family(names[index % len(names)]))
        if isinstance(found, Draft):
            yield found


def test_sampled_groups_certify() -> None:
    verdicts = [check_parcel(parcel(made)) for made in sampled(("skia", "matplotlib"), 40)]
    verdicts += [check_parcel(parcel(made)) for made in sampled(("vega",), 2)]
    assert len(verdicts) >= 36
    assert [found for found in verdicts if found.status != "accepted"] == []


@pytest.mark.slow
def test_many_sampled_groups_certify() -> None:
    verdicts = [check_parcel(parcel(made)) for made in sampled(("skia", "matplotlib", "vega"), 300)]
    assert len(verdicts) >= 270
    assert [found for found in verdicts if found.status != "accepted"] == []


# Where drawing is slow: a sample of the groups is drawn again.


def forged_pixels(benchmark: Benchmark) -> dict[str, bytes]:
    """Each group's M with one pixel changed, and the proofs and views made right again: only drawing can tell."""
    found: dict[str, bytes] = {}
    for one in parcels(benchmark):
        made = PLANTED.load("chart")["one pixel"](one, Stream("redraw", one.group.id))
        assert check_parcel(made).status == "refused"
        assert check_parcel(msgspec.structs.replace(made, redraw=False)).status == "stored"
        found[one.group.id] = made.images[0]
    return found


def test_without_drawing_again_everything_else_is_checked(benchmark: Benchmark) -> None:
    assert len(forged_pixels(benchmark)) == 6
    found = certify(benchmark, ThisProcess(), redraw=2)
    assert found.statuses == {"accepted": 2, "stored": 4}
    assert found.holds
    assert certify(benchmark, ThisProcess(), redraw=0).statuses == {"stored": 6}
    assert certify(benchmark, ThisProcess(), redraw=99).statuses == {"accepted": 6}
    for name, plant in PLANTED.load("chart").items():
        if name in ("one pixel", "observation condition", "stale pixels"):
            continue
        made = plant(next(parcels(benchmark)), Stream("redraw", name))
        verdict = check_parcel(msgspec.structs.replace(made, redraw=False))
        assert verdict.status == check_parcel(made).status or verdict.status == "stored", name
        if check_parcel(made).premise not in ("witness", "pixels"):
            assert verdict.status == "refused", name


def test_the_seed_chooses_what_is_drawn_again(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[int, tuple[str, ...]] = {}
    for seed in range(6):
        seen: list[str] = []

        def noted(one: Parcel, seen: list[str] = seen) -> Verdict:
            seen.extend([one.group.id] if one.redraw else [])
            return Verdict(group=one.group.id, status="accepted")

        monkeypatch.setattr(checks, "check_parcel", noted)
        certify(benchmark, ThisProcess(), redraw=2, seed=seed)
        drawn[seed] = tuple(sorted(seen))
    assert {len(groups) for groups in drawn.values()} == {2}
    assert len(set(drawn.values())) > 1


def test_less_than_no_group_cannot_be_drawn_again(benchmark: Benchmark) -> None:
    with pytest.raises(SettingsError, match=r"expected 0 or more groups to draw again; got redraw=-1"):
        certify(benchmark, ThisProcess(), redraw=-1)
