"""The review in a real browser: two people at once, no mouse, a lost connection, a killed server, hostile text."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.core.benchmark import Benchmark, BenchmarkWriter
from answerable.core.decisions import Decisions
from tests.browser.chrome import NAMES, Browser, Page, chrome, find
from tests.core.small import group, ledger, manifest
from tests.report.fake import make_benchmark
from tests.review.make import run_of

pytestmark = pytest.mark.browser

PROGRAM = "import answerable.cli.main as m; m.VERBS = ('review',); m.entry()"
#: Codes of keys that are no letters; what they type.
KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
    "ArrowRight": (39, ""), "ArrowDown": (40, ""),
}  # fmt: skip
TITLE = "(document.getElementById('title')?.textContent ?? '')"
READY = "document.querySelector('#form button') && document.querySelector('#views img')"


class Served:
    """``answerable review`` in a process of its own."""

    def __init__(self, *words: str | Path) -> None:
        self.words = words
        self.start()

    def start(self) -> None:
        """Start it, again if it was killed."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "review", *map(str, self.words)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.url = self.process.stdout.readline().strip()

    def end(self, sign: signal.Signals) -> None:
        """End it."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        self.process.communicate(timeout=30)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """A fresh browser."""
    path = find()
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    async with chrome(path) as found:
        yield found


async def press(page: Page, keys: Iterable[str]) -> None:
    """Real key events, one after the other."""
    for key in keys:
        code, text = KEYS[key] if key in KEYS else (ord(key.upper()), key)
        given: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code}
        await page.send("Input.dispatchKeyEvent", type="keyDown", **given, **({"text": text} if text else {}))
        await page.send("Input.dispatchKeyEvent", type="keyUp", **given)


async def visit(browser: Browser, served: Served, who: str) -> Page:
    """A tab in which a reviewer typed their name, with keys."""
    page = await browser.page()
    await page.size(1280, 900)
    await page.send("Page.navigate", url=served.url)
    await page.until("document.activeElement && document.activeElement.id === 'name'")
    await page.ask("document.getElementById('name').select()")
    await press(page, who)
    await press(page, ["Enter"])
    await page.until(READY)
    return page


async def at(page: Page, place: int) -> None:
    """Wait until an item, counted from 1, is open."""
    await page.until(f"{TITLE}.includes(' {place} of ') && {READY}")


async def saved(page: Page) -> None:
    """Wait until nothing is on its way."""
    await page.until("Object.keys(localStorage).every((key) => !key.startsWith('answerable vote'))")


def standing(served: Served, bench: Benchmark, out: Path) -> list[Any]:
    """Votes as they are exported, by group and reviewer."""
    words = [sys.executable, "-c", PROGRAM, "review", *map(str, served.words), "--export", str(out)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in (out / "votes.jsonl").read_bytes().splitlines()]


@pytest.fixture(scope="session")
def fifty(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Fifty groups in six states, some with hostile questions."""
    return make_benchmark(tmp_path_factory.mktemp("review") / "bench", 50)


@pytest.fixture
def served(fifty: Benchmark, tmp_path: Path) -> Iterable[Served]:
    """A new review of them."""
    found = Served(fifty.path, "--db", tmp_path / "r.sqlite")
    yield found
    found.end(signal.SIGKILL)


#: What Ann and Bo decide: 25 groups both keep, 8 Ann alone drops, 5 Bo alone, 12 both.
TRUTH = [("k", "k")] * 25 + [("d", "k")] * 8 + [("k", "d")] * 5 + [("d", "d")] * 12


async def decide(page: Page, words: list[str], start: int = 0) -> None:
    """One reviewer's pass over every group, four keys each."""
    for place, word in enumerate(words, start=start + 1):
        await at(page, place)
        image = "1" if place % 7 else "11"
        strategy = "3" * (1 + place % 3)
        await press(page, [*image, "2", *strategy, *("k" if word == "k" else "d4")])


async def test_fifty_groups_by_two_people_at_once_without_a_mouse(
    browser: Browser, served: Served, fifty: Benchmark, tmp_path: Path
) -> None:
    order = list(TRUTH)
    random.Random(5).shuffle(order)
    ann, bo = await visit(browser, served, "Ann"), await visit(browser, served, "Bo")
    await asyncio.gather(decide(ann, [one for one, _ in order]), decide(bo, [other for _, other in order]))
    await asyncio.gather(saved(ann), saved(bo))
    for page in (ann, bo):
        await page.until("document.getElementById('count').textContent === '50 of 50 done'")
        await page.until("document.querySelector('.done')")
        assert await page.ask("window.__hit") is None
        assert page.troubles == []
        assert all(url.startswith(served.url) for url in page.requests)
    rows = standing(served, fifty, tmp_path / "out")
    assert len(rows) == 100
    groups = [group.id for group in fifty.groups()]
    words = {"k": "keep", "d": "drop"}
    assert [(row["group"], row["reviewer"], row["vote"]["decision"]) for row in rows] == [
        (group, who, words[word])
        for group, pair in zip(groups, order, strict=True)
        for who, word in zip(("Ann", "Bo"), pair, strict=True)
    ]
    assert rows[6 * 2]["vote"]["image"] == "no"
    assert {row["vote"]["strategy"] for row in rows} == {"yes", "no", "not_applicable"}
    assert {row["vote"]["reason"] for row in rows} == {"", "the strategy does not hold"}

    # By hand: 37 of 50 alike. Ann keeps 30 and drops 20, Bo keeps 33 and drops 17, so by chance
    # (30 * 33 + 20 * 17) / 2500; (37/50 - 133/250) / (117/250) = 52/117 = 4/9. Fleiss': 63 of 100 words keep, by chance
    # (63^2 + 37^2) / 100^2 = 0.5338; (0.74 - 0.5338) / (1 - 0.5338) = 2062/4662 = 1031/2331.
    figures = json.loads((tmp_path / "out" / "agreement.json").read_bytes())["figures"]
    found = {one["measure"]: one for one in figures if one["question"] == "decision"}
    assert Fraction(found["Cohen's kappa"]["exact"]) == Fraction(4, 9)
    assert Fraction(found["Fleiss' kappa"]["exact"]) == Fraction(1031, 2331)
    assert (found["Cohen's kappa"]["items"], found["Cohen's kappa"]["agreement"]["numerator"]) == (50, 37)
    low, high = found["Cohen's kappa"]["interval"]
    assert 0.1 < low < 4 / 9 < high < 0.75

    # The thirteen conflicts go to a third, and only they.
    cy = await visit(browser, served, "Cy")
    assert await cy.ask("document.getElementById('count').textContent") == "0 of 13 done"
    for number in range(13):
        await cy.until(f"document.getElementById('count').textContent === '{number} of 13 done' && {READY}")
        await cy.until("document.getElementById('voted').textContent.includes('one more vote')")
        await press(cy, "123k")
    await saved(cy)
    standing(served, fifty, tmp_path / "out")
    decided = Decisions((tmp_path / "out" / "decisions.jsonl",))
    assert sum(decided.on(group) == "keep" for group in groups) == 25 + 13
    again = json.loads((tmp_path / "out" / "agreement.json").read_bytes())
    assert again["outcomes"] == {"keep": 38, "drop": 12, "disputed": 0, "open": 0}
    assert next(one["exact"] for one in again["figures"] if one["question"] == "decision") == "1031/2331"


async def test_a_killed_server_loses_nothing_and_the_page_goes_on(
    browser: Browser, served: Served, fifty: Benchmark, tmp_path: Path
) -> None:
    page = await visit(browser, served, "Ann")
    for place in (1, 2, 3):
        await at(page, place)
        await press(page, "123k")
    await saved(page)
    # Ahead of the reviewer some groups are there already: a picture is fetched only once its group is kept.
    await at(page, 4)
    await page.until("performance.getEntriesByType('resource').some((one) => one.name.includes('image/4/'))")
    served.end(signal.SIGKILL)
    for place in (4, 5):
        await at(page, place)
        await press(page, "123d1")
    await page.until("document.getElementById('saved').textContent.includes('2 votes wait in this browser')")
    assert len(await page.ask("Object.keys(localStorage).filter((key) => key.startsWith('answerable vote'))")) == 2
    # A page that is loaded again from where nothing answers keeps them too: they lie in the browser.
    served.start()
    await saved(page)
    rows = standing(served, fifty, tmp_path / "out")
    assert [row["vote"]["decision"] for row in rows] == ["keep"] * 3 + ["drop"] * 2
    await page.ask("window.__before = true")
    await page.send("Page.reload")
    await page.until("window.__before === undefined")
    await at(page, 6)
    assert await page.ask("document.getElementById('count').textContent") == "5 of 50 done"
    assert await page.ask("document.getElementById('who').textContent") == "Ann"


async def test_votes_that_wait_are_sent_by_the_next_page(browser: Browser, served: Served, tmp_path: Path) -> None:
    page = await visit(browser, served, "Ann")
    await at(page, 1)
    served.end(signal.SIGKILL)
    await press(page, "123k")
    await page.until("document.getElementById('saved').textContent.includes('1 vote waits')")
    await page.send("Page.navigate", url="about:blank")
    served.start()
    page = await browser.page()
    await page.send("Page.navigate", url=served.url + "?reviewer=Ann")
    await at(page, 2)
    await saved(page)
    assert await page.ask("document.getElementById('count').textContent") == "1 of 50 done"


async def test_undo_takes_votes_back_in_order_and_leaves_what_was_said(
    browser: Browser, served: Served, fifty: Benchmark, tmp_path: Path
) -> None:
    page = await visit(browser, served, "Ann")
    for place, keys in ((1, "1123k"), (2, "123d2"), (3, "123k")):
        await at(page, place)
        await press(page, keys)
    await at(page, 4)
    await press(page, "u")
    await at(page, 3)
    await press(page, "u")
    await at(page, 2)
    pressed = (
        "[...document.querySelectorAll('.choice [aria-pressed=true]')].map((node) => node.dataset.value).join(' ')"
    )
    assert await page.ask(pressed) == "yes yes yes"
    await press(page, "k")
    await at(page, 3)
    # Back to the first; changed, then brought back.
    await press(page, "pp")
    await at(page, 1)
    assert await page.ask(pressed) == "no yes yes"
    await press(page, "d5")
    await at(page, 3)
    await press(page, "u")
    await at(page, 1)
    await saved(page)
    await page.until("document.getElementById('voted').textContent === 'your vote: keep'")
    rows = standing(served, fifty, tmp_path / "out")
    assert [(row["vote"]["decision"], row["vote"]["image"]) for row in rows] == [("keep", "no"), ("keep", "yes")]


async def test_a_vote_needs_its_answers_and_a_drop_its_reason(
    browser: Browser, served: Served, fifty: Benchmark, tmp_path: Path
) -> None:
    page = await visit(browser, served, "Ann")
    await at(page, 1)
    await press(page, "1k")
    await page.until("document.getElementById('saved').textContent.startsWith('Not saved')")
    assert await page.ask("document.querySelectorAll('.row.missing').length") == 2
    await press(page, ["d", "r", *"too dark, k 1", "Enter"])
    await at(page, 2)
    # Typed letters are text, not keys; Escape leaves.
    await press(page, ["r", *"a remark", "Enter", "d", "Escape", *"123k"])
    await at(page, 3)
    await saved(page)
    rows = standing(served, fifty, tmp_path / "out")
    assert [(row["vote"]["decision"], row["vote"]["reason"]) for row in rows] == [
        ("drop", "too dark, k 1"),
        ("keep", "a remark"),
    ]
    # A key that is held down votes once.
    await press(page, "123")
    for _ in range(5):
        await page.send(
            "Input.dispatchKeyEvent", type="keyDown", key="k", text="k", windowsVirtualKeyCode=75, autoRepeat=True
        )
    await asyncio.sleep(0.3)
    await at(page, 3)


async def test_two_windows_of_one_person(browser: Browser, served: Served) -> None:
    one, other = await visit(browser, served, "Ann"), await visit(browser, served, "Ann")
    await asyncio.gather(at(one, 1), at(other, 1))
    await press(one, "123k")
    await saved(one)
    await press(other, "123d1")
    await other.until(
        "document.getElementById('saved').textContent.includes('from another window (keep) was replaced')"
    )


async def test_pictures_by_keys(browser: Browser, served: Served) -> None:
    page = await visit(browser, served, "Ann")
    await at(page, 1)
    await press(page, "vv")
    assert (
        await page.ask("[...document.getElementById('views').children].findIndex((node) => node.matches('.at'))") == 2
    )
    await press(page, "z")
    await page.until("document.getElementById('zoom').open")
    shape = "document.getElementById('zoom-img').style.transform"
    await press(page, ["+", "+", "ArrowRight", "ArrowDown"])
    moved = str(await page.ask(shape))
    assert moved.startswith("translate(-80px, -80px) scale(1.69")
    await press(page, "0")
    assert await page.ask(shape) == "translate(0px, 0px) scale(1)"
    await press(page, "v")
    assert str(await page.ask("document.getElementById('zoom-words').textContent")).startswith("4 of 6")
    # Keys of the form do nothing here.
    await press(page, "123k")
    await press(page, "z")
    assert not await page.ask("document.getElementById('zoom').open")
    await at(page, 1)
    assert await page.ask("document.querySelectorAll('.choice [aria-pressed=true]').length") == 0
    await press(page, "?")
    assert await page.ask("document.getElementById('help').open")
    await press(page, ["Escape"])
    await page.until("!document.getElementById('help').open")


async def test_explanations_without_a_mouse(browser: Browser, fifty: Benchmark, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 2)
    run_of(tmp_path / "run", bench, ["42 <img src=x onerror='window.__hit=1'> since I counted"])
    served = Served(bench.path, "--run", tmp_path / "run")
    try:
        page = await visit(browser, served, "Ann")
        for place, keys in ((1, "15s"), (2, "37hcs"), (3, "26cs"), (4, "48s")):
            await at(page, place)
            await press(page, keys)
        await at(page, 5)
        await press(page, "17s")
        await page.until("document.getElementById('saved').textContent.startsWith('Not saved')")
        await press(page, ["o", "r", *"off by one", "Enter", "Enter"])
        await at(page, 6)
        await saved(page)
        assert await page.ask("window.__hit") is None
        assert "<img src=x" in str(await page.ask("document.querySelector('#reply pre').textContent"))
        words = [sys.executable, "-c", PROGRAM, "review", *map(str, served.words), "--export", str(tmp_path / "out")]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        rows = [
            json.loads(line)["vote"] for line in (tmp_path / "out" / "explanations.jsonl").read_bytes().splitlines()
        ]
        assert [(row["answer"], row["explanation"], row["kinds"], row["note"]) for row in rows] == [
            ("correct", "correct", [], ""), ("wrong", "wrong", ["hallucination", "calculation"], ""),
            ("partial", "partial", ["calculation"], ""), ("none", "none", [], ""),
            ("correct", "wrong", ["other"], "off by one"),
        ]  # fmt: skip
    finally:
        served.end(signal.SIGKILL)


async def test_what_differs_between_two_questions_is_marked(browser: Browser, tmp_path: Path) -> None:
    made, pictures = group(0)
    asked = ("AB=3 <b>, BC=4</b>, AC=?", "AB=3 <b></b>, AC=?")
    views = tuple(
        msgspec.structs.replace(view, question=text, instruction="Say why.")
        for view, text in zip(made.views[:2], asked, strict=True)
    )
    with BenchmarkWriter(tmp_path / "bench") as writer:
        writer.add(msgspec.structs.replace(made, views=views), pictures[:2], None)
        writer.finish(manifest(), ledger(1), "")
    served = Served(tmp_path / "bench")
    try:
        page = await visit(browser, served, "Ann")
        assert await page.ask("[...document.querySelectorAll('.asks')].map((n) => n.textContent)") == list(asked)
        assert await page.ask("[...document.querySelectorAll('mark')].map((n) => n.textContent)") == [", BC=4"]
        folded = "document.getElementById('instruction')"
        assert await page.ask(f"[{folded}.open, {folded}.lastElementChild.textContent]") == [False, "Say why."]
        await press(page, "w")
        assert await page.ask(f"{folded}.open")
        assert page.troubles == []
    finally:
        served.end(signal.SIGKILL)


@pytest.mark.parametrize("width", [500, 700, 1280, 1600])
async def test_nothing_is_wider_than_the_window(browser: Browser, served: Served, width: int) -> None:
    page = await visit(browser, served, "Ann")
    await page.size(width, 900)
    for keys in ("", "d", "u"):
        await press(page, keys)
        assert await page.ask("document.documentElement.scrollWidth") <= width
    await page.until("document.querySelector('#form').getBoundingClientRect().bottom <= innerHeight + 1")


async def test_everything_has_a_name_and_contrast(browser: Browser, served: Served) -> None:
    page = await visit(browser, served, "Ann")
    await press(page, "12d")
    nameless = await page.ask(
        "[...document.querySelectorAll('button, input, img, [role=group], dialog')].filter((n) => !("
        "n.getAttribute('aria-label') || n.getAttribute('aria-labelledby') || n.alt || n.id === 'zoom-img' ||"
        " n.textContent.trim() || n.querySelector('img[alt]') || (n.labels && n.labels.length)))"
        ".map((n) => n.outerHTML.slice(0, 90))"
    )
    assert nameless == []
    for scheme in ("light", "dark"):
        await page.scheme(scheme)
        await page.until(f"document.documentElement.dataset.theme === '{scheme}'")
        await asyncio.sleep(0.1)
        assert await page.ask(f"({CONTRAST})()") == []


#: Texts whose contrast with what lies behind them is under 4.5 to 1 (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const linear = (v) => (v <= 10.02 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const c = parse(getComputedStyle(n).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const shown = node.getClientRects().length && !node.closest('dialog:not([open]), .faded, noscript');
    if (!own || !shown) continue;
    const style = getComputedStyle(node);
    const alpha = Number(style.opacity);
    const back = behind(node);
    const ink = parse(style.color).slice(0, 3).map((v, i) => v * alpha + back[i] * (1 - alpha));
    const [a, b] = [light(ink), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${node.tagName}.${node.className} ${node.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""
