"""What the server tells and takes, and what it refuses, without a network."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from answerable.review.app import ASSETS, MAX_BODY, asset, make_app
from answerable.review.gate import App
from answerable.review.pages import group_pages
from answerable.review.store import Store
from tests.review.make import Answer, ask, cast, drop, keep, name, review, said, vote_all


class Server:
    """A review with its application."""

    def __init__(self, folder: Path, groups: int = 3) -> None:
        bench, self.store = review(folder, groups)
        self.app: App = make_app(self.store, group_pages(bench))

    async def get(self, path: str, query: str = "") -> Answer:
        return await ask(self.app, "GET", path, query=query)

    async def post(self, path: str, body: Any, content_type: str = "application/json") -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await ask(self.app, "POST", path, data, content_type=content_type)

    async def vote(self, who: str, item: int, body: Any, **more: Any) -> Answer:
        given = {"id": name(who, item, body), "reviewer": who, "item": item, "body": body} | more
        return await self.post("/api/vote", given)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


async def test_the_page_and_its_files(server: Server) -> None:
    for path, kind in {"/" if key == "index.html" else f"/{key}": kind for key, kind in ASSETS.items()}.items():
        answer = await server.get(path)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(kind)
    page = asset("index.html").decode()
    assert "http://" not in page
    assert "https://" not in page
    assert "style=" not in page
    assert "onclick" not in page


def test_scripts_make_no_markup_from_text() -> None:
    for path in ASSETS:
        text = asset(path).decode()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in text, (path, word)


async def test_a_reviewer_begins_with_their_own_work_only(server: Server) -> None:
    vote_all(server.store, {"Ann": "kd.", "Bo": "kk."})
    cast(server.store, "Ann", 0, drop("changed my mind"))
    start = (await server.get("/api/start", "reviewer=ann")).json()
    assert (start["reviewer"], start["items"], start["wanted"], start["form"]) == ("Ann", 3, 2, "group")
    # The order in which votes were taken, for undo.
    assert [(one["item"], one["body"]["decision"]) for one in start["mine"]] == [(1, "drop"), (0, "drop")]
    assert start["queue"] == {"closed": [], "conflicts": []}
    assert start["reasons"]
    third = await server.get("/api/start", "reviewer=Cy")
    assert third.json()["mine"] == []
    assert third.json()["queue"] == {"closed": [], "conflicts": [0, 1]}
    # Not a word of what others said, nor who they are.
    for word in (b"keep", b"Bo", b"Ann", b"changed"):
        assert word not in third.body.replace(b'"reasons":' + json.dumps(start["reasons"]).encode(), b"")


async def test_asking_names_nobody_new(server: Server) -> None:
    await server.get("/api/start", "reviewer=Ann")
    assert server.store._db.execute("SELECT count(*) FROM reviewers").fetchone()[0] == 0


@pytest.mark.parametrize("query", ["", "reviewer=", "reviewer=%20", "reviewer=" + "x" * 61])
async def test_a_name_is_needed(server: Server, query: str) -> None:
    for path in ("/api/start", "/api/queue"):
        answer = await server.get(path, query)
        assert answer.status == 400
        assert set(answer.json()) == {"expected", "got", "fix"}


async def test_cards_and_pictures(server: Server) -> None:
    card = (await server.get("/api/item/1")).json()
    assert card["id"] == "g-test-1"
    assert len(card["views"]) == 3
    picture = await server.get("/image/1/2")
    assert picture.headers["content-type"] == "image/png"
    assert picture.body.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/item/3", 400), ("/api/item/x", 404), ("/api/item/-1", 404), ("/api/item/²", 404), ("/image/0/9", 400),
        ("/image/9/0", 400), ("/image/0/" + "9" * 40, 404), ("/api/item/..", 404), ("/etc/passwd", 404),
        ("/store.py", 404), ("/api/vote", 405),
    ],
)  # fmt: skip
async def test_what_is_not_there(server: Server, path: str, status: int) -> None:
    assert (await server.get(path)).status == status


async def test_a_vote_is_acknowledged_when_it_is_on_the_disk(server: Server) -> None:
    answer = await server.vote("Ann", 0, keep())
    assert answer.status == 200
    assert answer.json() == {
        "id": name("Ann", 0, keep()), "item": 0, "vote": name("Ann", 0, keep()), "body": keep(reason=""),
        "replaced": None,
    }  # fmt: skip
    assert (await server.vote("Ann", 0, keep())).json() == answer.json()
    assert list(said(server.store)) == [("Ann", 0)]
    undo = {"id": name("u"), "reviewer": "Ann", "item": 0, "vote": answer.json()["vote"]}
    assert (await server.post("/api/undo", undo)).json()["vote"] == ""
    assert (await server.post("/api/undo", undo | {"id": name("v")})).status == 400


async def test_two_reviewers_at_the_same_instant(server: Server) -> None:
    votes = [server.vote(who, item, keep()) for item in range(3) for who in ("Ann", "Bo")]
    answers = await asyncio.gather(*votes)
    assert {answer.status for answer in answers} == {200}
    assert len(said(server.store)) == 6


async def test_a_reviewer_twice_at_the_same_instant_loses_nothing(server: Server) -> None:
    answers = await asyncio.gather(*(server.vote("Ann", 0, keep(reason=str(number))) for number in range(8)))
    replaced = [answer.json()["replaced"] for answer in answers]
    assert replaced.count(None) == 1
    assert server.store._db.execute("SELECT count(*) FROM votes").fetchone()[0] == 8
    assert len(said(server.store)) == 1


GOOD: dict[str, Any] = {"id": "a" * 20, "reviewer": "Ann", "item": 0, "body": keep()}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"{", 400), (b"[]", 400), (b"\xff", 400), (b"[" * 5000, 400), ({}, 400),
        (GOOD | {"more": 1}, 400), (GOOD | {"item": "0"}, 400), (GOOD | {"item": 1.5}, 400), (GOOD | {"item": 99}, 400),
        (GOOD | {"id": "x"}, 400), (GOOD | {"reviewer": ""}, 400), (GOOD | {"reviewer": "x" * 99}, 400),
        (GOOD | {"body": []}, 400), (GOOD | {"body": {"decision": "keep"}}, 400), (GOOD | {"body": drop("")}, 400),
        (GOOD | {"body": drop("x" * 501)}, 400),
        (b'{"id":"aaaaaaaaaaaaaaaaaa","reviewer":"\\ud800","item":0,"body":{}}', 400),
        (GOOD | {"body": drop("x" * MAX_BODY)}, 413), (b"x" * (MAX_BODY + 1), 413),
    ],
)  # fmt: skip
async def test_malformed_votes_are_refused_and_leave_nothing(server: Server, body: Any, status: int) -> None:
    for path in ("/api/vote", "/api/undo"):
        answer = await server.post(path, body)
        assert answer.status == (status if path == "/api/vote" else answer.status)
        assert answer.status in (400, 413)
        assert set(answer.json()) == {"expected", "got", "fix"}
    assert server.store._db.execute("SELECT count(*) FROM votes").fetchone()[0] == 0


async def test_a_body_that_goes_on_is_cut_off(server: Server) -> None:
    parts = [b" " * 1000] * 1000
    answer = await ask(server.app, "POST", "/api/vote", parts, content_type="application/json")
    assert answer.status == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
async def test_what_a_form_of_another_site_could_send_is_refused(server: Server, kind: str) -> None:
    assert (await server.post("/api/vote", GOOD, kind)).status == 415
    assert said(server.store) == {}


async def test_a_disk_that_refuses_is_no_refusal_of_the_vote(server: Server) -> None:
    """507 may be sent again: the page keeps the vote."""
    store: Store = server.store
    store._db.execute("PRAGMA query_only = ON")
    answer = await server.vote("Ann", 0, keep())
    assert answer.status == 507
    assert answer.json()["expected"] == "to use the review database"
    store._db.execute("PRAGMA query_only = OFF")
    assert (await server.vote("Ann", 0, keep())).status == 200


async def test_hostile_text_stays_text(tmp_path: Path) -> None:
    server = Server(tmp_path)
    text = "<script>window.__hit=1</script>'); DROP TABLE votes;--"
    assert (await server.vote(text[:60], 0, drop(text))).status == 200
    (body,) = said(server.store).values()
    assert body["reason"] == text
