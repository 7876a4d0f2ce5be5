"""The report in a real browser, without network: it works, loads nothing and runs nothing of anybody else's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.chrome import Page
from tests.browser.conftest import Reports

pytestmark = pytest.mark.browser

CARDS = "document.querySelectorAll('.card').length"
COUNT = "document.getElementById('count').textContent"


async def choose(page: Page, select: str, value: str) -> None:
    """Set a select the way a person does."""
    await page.ask(
        f"(() => {{ const s = document.getElementById('{select}'); s.value = '{value}';"
        " s.dispatchEvent(new Event('change')); })()"
    )


async def ready(page: Page) -> None:
    """Wait until the gallery stands."""
    await page.until(f"{CARDS} > 0")


async def matching(page: Page) -> int:
    """How many questions the gallery says match."""
    return int(str(await page.ask(COUNT)).split()[0])


async def index(page: Page) -> Any:
    """The index island."""
    return await page.ask("JSON.parse(document.getElementById('index').textContent)")


def expected(data: Any, run: int, states: str, outcomes: set[str]) -> int:
    """Groups with such a verdict, counted from the index."""
    keys = [one["key"] for one in data["outcomes"]]

    def hit(entry: Any) -> bool:
        for number, marks in enumerate(entry["marks"]):
            for view, mark in zip(marks[::2], marks[1::2], strict=True):
                kind = keys[data["marks"][mark]["outcome"]]
                if run in (-1, number) and entry["states"][view] in states and kind in outcomes:
                    return True
        return False

    return sum(hit(entry) for entry in data["entries"])


FAILURES = {"wrong_answer", "false_rejection", "false_acceptance", "invalid", "failed", "not_run"}


async def test_filters_show_what_they_say(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    data = await index(page)
    assert await matching(page) == 30

    await choose(page, "f-kind", "outcome:false_rejection")
    await page.until(f"{COUNT}.includes(' of ')")
    wanted = expected(data, -1, "FSKCMI", {"false_rejection"})
    assert 0 < wanted < 30
    assert await matching(page) == wanted

    await choose(page, "f-kind", "fail:")
    await choose(page, "f-run", "0")
    await page.ask("document.querySelector('.chip[data-state=M]').click()")
    wanted = expected(data, 0, "M", FAILURES)
    await page.until(f"{COUNT}.startsWith('{wanted} ')")
    assert 0 < wanted < 30
    hits = "[...document.querySelectorAll('.verdict.hit')]"
    assert await page.ask(f"{hits}.length") == min(6, wanted)
    assert await page.ask(f"{hits}.every((node) => !node.classList.contains('v-correct'))")

    await page.ask("document.getElementById('f-reset').click()")
    await page.until(f"{COUNT}.startsWith('30 ')")
    await choose(page, "f-source", "my table")
    await page.until(f"{COUNT}.startsWith('10 ')")
    assert page.troubles == []


async def test_filters_by_reply_status_and_reason(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    data = await index(page)
    for kind, words in (("status", data["statuses"]), ("why", data["whys"])):
        for number, _ in enumerate(words):
            places = {place for place, mark in enumerate(data["marks"]) if mark[kind] == number}
            wanted = sum(bool(places & {m for marks in e["marks"] for m in marks[1::2]}) for e in data["entries"])
            await choose(page, "f-kind", f"{kind}:{number}")
            await page.until(f"parseInt({COUNT}) === {wanted}")
            assert wanted > 0


async def type_search(page: Page, text: str) -> None:
    """Type into the search box."""
    await page.ask(
        "(() => { const box = document.getElementById('f-text'); box.value = "
        f"{text!r}; box.dispatchEvent(new Event('input')); }})()"
    )


@pytest.mark.parametrize("form", ["alone", "folder"])
async def test_search_looks_into_questions_and_replies(page: Page, reports: Reports, form: str) -> None:
    await page.open(getattr(reports, form))
    await ready(page)
    await type_search(page, "honey HARVEST")
    await page.until(f"{COUNT}.startsWith('5 of 30')")
    await type_search(page, "i cannot help with that")
    await page.until(f"{COUNT}.includes(' of 30') && !{COUNT}.startsWith('5 ')")
    refused = int(str(await page.ask(COUNT)).split()[0])
    assert 0 < refused < 30
    await type_search(page, "no reply says this")
    await page.until(f"{COUNT}.startsWith('0 of 30')")
    assert await page.ask(CARDS) == 0
    assert page.troubles == []


@pytest.mark.parametrize("form", ["alone", "folder"])
async def test_paging(page: Page, reports: Reports, form: str) -> None:
    await page.open(getattr(reports, form))
    await ready(page)
    seen: list[list[str]] = []
    first = "document.querySelector('.card .where').textContent"
    for number in range(1, 6):
        await page.until(f"document.getElementById('p-where').textContent === 'Page {number} of 5'")
        if seen:
            await page.until(f"{first} !== {seen[-1][0]!r}")
        seen.append(await page.ask("[...document.querySelectorAll('.card .where')].map((node) => node.textContent)"))
        last = number == 5
        assert await page.ask("document.getElementById('p-next').disabled") is last
        await page.ask("document.getElementById('p-next').click()")
    names = [name for shown in seen for name in shown]
    assert [len(shown) for shown in seen] == [6] * 5
    assert len(set(names)) == 30
    assert page.troubles == []


async def test_one_file_asks_for_nothing_else(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    await walk_through(page)
    assert page.requests.count(reports.alone.as_uri()) == 1
    assert {url.partition(":")[0] for url in page.requests} == {"file", "data"}
    assert [url for url in page.requests if url.startswith("file")] == [reports.alone.as_uri()]


async def test_a_page_with_a_folder_asks_for_its_files_only(page: Page, reports: Reports) -> None:
    await page.open(reports.folder)
    await ready(page)
    assert not [url for url in page.requests if "/images/" in url]
    await page.ask("document.getElementById('gallery').scrollIntoView()")
    await page.until("document.querySelector('.card img').naturalWidth > 0")
    await walk_through(page)
    base = reports.folder.as_uri()
    beside = base.replace(".html", "_files/")
    others = {url for url in page.requests if url != base and not url.startswith("data:image/")}
    assert others
    assert all(url.startswith(beside) for url in others)
    assert f"{beside}data-00000.js" in others
    assert page.troubles == []


async def walk_through(page: Page) -> None:
    """Open a reply, every reply of the page, a proof and a picture, and scroll to the end."""
    await page.ask("[...document.querySelectorAll('.verdict')].forEach((node) => node.click())")
    await page.ask("[...document.querySelectorAll('details')].forEach((node) => { node.open = true; })")
    await page.ask("document.querySelector('.pic').click()")
    await page.ask("document.getElementById('zoom-close').click()")
    await page.ask("window.scrollTo(0, document.body.scrollHeight)")
    await page.ask("new Promise((done) => setTimeout(done, 150))")


@pytest.mark.parametrize("form", ["alone", "folder"])
async def test_no_reply_runs(page: Page, reports: Reports, form: str) -> None:
    await page.open(getattr(reports, form))
    await ready(page)
    for number in range(1, 6):
        await page.until(f"document.getElementById('p-where').textContent === 'Page {number} of 5'")
        await page.until("document.querySelectorAll('.verdict').length >= 100")
        await walk_through(page)
        await page.ask("document.getElementById('p-next').click()")
    assert await page.ask("window.__hit === undefined")
    assert await page.ask("document.querySelectorAll('script:not([type])').length") == 1
    assert await page.ask("[...document.querySelectorAll('a')].every((a) => a.getAttribute('href').startsWith('#'))")
    assert page.troubles == []


async def test_injected_markup_would_be_stopped_by_the_policy(page: Page, reports: Reports) -> None:
    """The second wall: even if some text became markup, no script of it runs and nothing of it loads."""
    await page.open(reports.folder)
    await ready(page)
    await page.ask("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.__hit=1\">')")
    await page.ask(
        "document.body.append(Object.assign(document.createElement('div'), {innerHTML: "
        '\'<svg onload="window.__hit=2"></svg><iframe src="https://example.invalid/"></iframe>\'}))'
    )
    await page.until("true")
    await page.ask("new Promise((done) => setTimeout(done, 200))")
    assert await page.ask("window.__hit === undefined")
    assert not [url for url in page.requests if url.startswith("http")]
    assert any("Content Security Policy" in trouble for trouble in page.troubles)


async def test_markup_from_text_is_refused_outright_in_one_file(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    refused = await page.ask(
        "(() => { try { document.createElement('div').innerHTML = '<b>x</b>'; return false; }"
        " catch (error) { return error instanceof TypeError; } })()"
    )
    assert refused is True


async def test_replies_are_whole_and_text(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    hostile = "<scratchpad>hidden</scratchpad>"
    await type_search(page, hostile)
    await page.until(f"{COUNT}.includes(' of 30')")
    await page.ask("document.querySelector('.card .verdict').click()")
    raw = await page.ask("[...document.querySelectorAll('.reply pre')].map((node) => node.textContent).join('\\n')")
    assert hostile in raw
    assert await page.ask("document.querySelectorAll('scratchpad').length") == 0


@pytest.mark.parametrize("width", [380, 700, 1280])
@pytest.mark.parametrize("form", ["alone", "folder"])
async def test_nothing_is_wider_than_the_screen(page: Page, reports: Reports, width: int, form: str) -> None:
    await page.size(width, 800)
    await page.open(getattr(reports, form))
    await ready(page)
    await walk_through(page)
    assert await page.ask("[document.documentElement.scrollWidth, document.body.scrollWidth]") == [width, width]
    boxes = await page.ask("document.querySelectorAll('.scroll').length")
    assert boxes > 4


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)`` (WCAG 2.2)."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """Contrast ratio of two colours."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


STYLE = "((node) => { const s = getComputedStyle(node); return [s.color, s.backgroundColor]; })"


async def test_light_and_dark(page: Page, reports: Reports) -> None:
    backgrounds = []
    for scheme in ("light", "dark"):
        await page.scheme(scheme)
        await page.open(reports.alone)
        await ready(page)
        ink, paper = await page.ask(f"{STYLE}(document.body)")
        backgrounds.append(luminance(paper))
        assert contrast(ink, paper) >= 7
        panel = (await page.ask(f"{STYLE}(document.querySelector('.panel'))"))[1]
        for selector in (".interval", ".counts", ".small", ".every summary", ".unsupported .duty", ".verdict .what"):
            colour = (await page.ask(f"{STYLE}(document.querySelector('{selector}'))"))[0]
            assert contrast(colour, panel) >= 4.5, (scheme, selector)
        states = await page.ask(f"[...document.querySelectorAll('.legend, .heat .state')].map({STYLE})")
        assert all(contrast(*pair) >= 4.5 for pair in states if "rgba" not in pair[1])
    assert backgrounds[0] > 0.8
    assert backgrounds[1] < 0.05


async def test_the_toggle_wins_over_the_system(page: Page, reports: Reports) -> None:
    await page.scheme("dark")
    await page.open(reports.alone)
    await ready(page)
    shown = []
    for _ in range(4):
        paper = (await page.ask(f"{STYLE}(document.body)"))[1]
        shown.append((await page.ask("document.getElementById('theme').textContent"), luminance(paper) > 0.5))
        await page.ask("document.getElementById('theme').click()")
    assert shown == [("Theme: auto", False), ("Theme: light", True), ("Theme: dark", False), ("Theme: auto", False)]


async def test_the_metric_of_the_forest_plots(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    visible = "[...document.querySelectorAll('.forest')].filter((n) => !n.hidden).map((n) => n.dataset.metric)"
    assert await page.ask(visible) == ["J", "J"]
    await choose(page, "metric", "E")
    assert await page.ask(visible) == ["E", "E"]


async def test_a_heat_map_cell_leads_to_its_groups(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    cell = "[...document.querySelectorAll('.heat button.jump')][4]"
    failed = int(str(await page.ask(f"{cell}.querySelector('.of').textContent")).split("/")[0])
    assert failed > 0
    await page.ask(f"{cell}.click()")
    await page.until(f"{COUNT}.startsWith('{failed} of 30')")
    assert await page.ask("document.getElementById('f-kind').value") == "fail:"


async def test_tables_and_plots_need_no_script(page: Page, reports: Reports) -> None:
    await page.send("Emulation.setScriptExecutionDisabled", value=True)
    await page.open(reports.alone)
    seen = "((s) => [...document.querySelectorAll(s)].filter((n) => n.getClientRects().length > 0).length)"
    for selector, wanted in (
        ("table.results", 2), ("svg.lossbar", 6), ("table.heat td", 36), ("svg.histogram", 6), ("svg.difference", 18),
        (".triptych img", 3), (".strip img", 6), ("#definitions dd", 20), ("noscript p", 1), ("#filters", 0),
        ("#theme", 0), ("#metric-control", 0),
    ):  # fmt: skip
        found = await page.ask(f"{seen}('{selector}')")
        assert found >= wanted if selector.startswith("#d") else found == wanted, selector


async def test_on_a_phone_the_matching_verdict_is_in_view(page: Page, reports: Reports) -> None:
    await page.size(380, 800)
    await page.open(reports.alone)
    await ready(page)
    await page.ask("document.querySelector('.chip[data-state=I]').click()")
    await page.until("document.querySelector('.verdict.hit')")
    inside = (
        "(() => { const box = document.querySelector('.card > .scroll').getBoundingClientRect();"
        " const hit = document.querySelector('.verdict.hit').getBoundingClientRect();"
        " return hit.left >= box.left && hit.right <= box.right + 1; })()"
    )
    await page.until(inside)


async def test_a_picture_opens_by_keyboard_and_turns(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    await page.ask("document.querySelector('.pic').focus()")
    await page.key("Enter")
    await page.until("document.getElementById('zoom').open")
    shown = "document.getElementById('zoom-img').alt"
    assert str(await page.ask(shown)).startswith("State F")
    await page.key("ArrowRight")
    assert str(await page.ask(shown)).startswith("State S")
    await page.key("ArrowLeft")
    await page.key("ArrowLeft")
    assert str(await page.ask(shown)).startswith("State I")
    await page.key("Escape")
    await page.until("!document.getElementById('zoom').open")
    assert await page.ask("document.activeElement.classList.contains('pic')")


async def test_the_proof_shows_two_worlds_and_what_is_seen(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    await page.ask("document.querySelector('.card details').open = true")
    await page.until("document.querySelectorAll('.card .triptych img').length === 3")
    same = await page.ask(
        "(() => { const card = document.querySelector('.card'); const views = [...card.querySelectorAll('.pic img')];"
        " return [...card.querySelectorAll('.triptych img')].map((i) => views.findIndex((v) => v.src === i.src)); })()"
    )
    assert same == [0, 3, 4]


async def test_everything_can_be_reached_and_has_a_name(page: Page, reports: Reports) -> None:
    await page.open(reports.alone)
    await ready(page)
    nameless = await page.ask(
        "[...document.querySelectorAll('button, select, input, img, svg[role=img], .scroll')].filter((n) => !("
        "n.getAttribute('aria-label') || n.getAttribute('alt') !== null && n.id === 'zoom-img' || n.alt ||"
        " n.textContent.trim() || (n.labels && n.labels.length))).map((n) => n.outerHTML.slice(0, 90))"
    )
    assert nameless == []
    assert await page.ask("document.querySelectorAll('h1').length") == 1
    await page.key("Tab")
    assert await page.ask("document.activeElement.className") == "skip"
    outline = await page.ask(
        "(() => { const b = document.querySelector('.verdict'); b.focus({focusVisible: true});"
        " return getComputedStyle(b).outlineStyle; })()"
    )
    assert outline == "solid"


async def test_a_lost_folder_is_said(page: Page, reports: Reports) -> None:
    alone = reports.folder.with_name("moved.html")
    alone.write_text(
        reports.folder.read_text(encoding="utf-8").replace("with%20folder_files", "gone"), encoding="utf-8"
    )
    await page.open(alone)
    await page.until("document.querySelector('#cards .notes')")
    assert await page.ask("document.querySelector('#cards .notes').textContent") == (
        "The file gone/data-00000.js is not beside this page."
    )
