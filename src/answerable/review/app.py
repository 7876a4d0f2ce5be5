"""The page's server: the page, cards, pictures, votes. What it tells a reviewer holds nothing that others said."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING, TypeVar

import msgspec

from answerable.core.codec import decode, encode
from answerable.core.errors import AnswerableError, ReviewError, StorageError
from answerable.core.records import Record
from answerable.review.forms import REASONS
from answerable.review.pages import Pages
from answerable.review.queue import Queue, queue_for
from answerable.review.records import Cast, Undo
from answerable.review.store import Store

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

#: Of the body of a request.
MAX_BODY = 64 * 1024
#: Files of the page and their media types.
ASSETS = {
    "index.html": "text/html", "review.css": "text/css", "icon.svg": "image/svg+xml",
    **dict.fromkeys(("review.js", "card.js", "dom.js", "forms.js", "net.js", "zoom.js"), "text/javascript"),
}  # fmt: skip
T = TypeVar("T", Cast, Undo)


class Mine(Record, frozen=True):
    """A vote of the reviewer that asks."""

    item: int
    vote: str
    body: msgspec.Raw


class Start(Record, frozen=True):
    """What the page begins with."""

    key: str
    form: str
    benchmark: str
    model: str
    wanted: int
    items: int
    reviewer: str
    """The name as it was first typed."""
    reasons: tuple[str, ...]
    mine: tuple[Mine, ...]
    """In the order in which they were taken, for undo."""
    queue: Queue


class Trouble(Record, frozen=True):
    """Why something was not taken."""

    expected: str
    got: str
    fix: str = ""


class _RefusalError(Exception):
    """A request that is answered with a status of its own."""

    def __init__(self, status: int, trouble: Trouble) -> None:
        super().__init__(trouble.expected)
        self.status, self.trouble = status, trouble


def asset(name: str) -> bytes:
    """A file of the page."""
    return (files("answerable.review") / "page" / name).read_bytes()


class Desk:
    """Answers what the page asks; plain functions, called from threads."""

    def __init__(self, store: Store, pages: Pages) -> None:
        self.store, self.pages = store, pages

    def start(self, typed: str) -> bytes:
        """Everything about a reviewer's own work."""
        store = self.store
        name = store.spelling(typed)
        ballots = store.standing()
        mine = tuple(Mine(one.item, one.id, one.body) for one in ballots if one.reviewer == name)
        return encode(
            Start(
                key=store.key, form=store.project.form, benchmark=store.project.benchmark, model=store.project.model,
                wanted=store.wanted, items=len(store.items), reviewer=name, reasons=REASONS, mine=mine,
                queue=queue_for(store, name, ballots),
            )
        )  # fmt: skip

    def queue(self, typed: str) -> bytes:
        """What others have finished or left in conflict."""
        name = self.store.spelling(typed)
        return encode(queue_for(self.store, name, self.store.standing()))

    def vote(self, cast: Cast) -> bytes:
        """See ``Store.vote``."""
        return encode(self.store.vote(cast))

    def undo(self, undo: Undo) -> bytes:
        """See ``Store.undo``."""
        return encode(self.store.undo(undo))


async def _body(request: Request, kind: type[T]) -> T:
    """The JSON of a request, bounded while it is read."""
    kind_given = request.headers.get("content-type", "no content type")
    if kind_given.partition(";")[0].strip().lower() != "application/json":
        raise _RefusalError(415, Trouble("application/json", kind_given[:80]))
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY:
            raise _RefusalError(413, Trouble(f"at most {MAX_BODY} bytes", "more", "say it shorter"))
    try:
        return decode(bytes(data), kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _RefusalError(400, Trouble(f"a {kind.__name__.lower()} as JSON", str(error)[:160])) from error


def _number(request: Request, name: str) -> int:
    text = str(request.path_params[name])
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise _RefusalError(404, Trouble("a number", text[:40]))
    return int(text)


def _refusal(error: Exception) -> tuple[int, Trouble]:
    """Status and words of an error: 4xx will never be taken, 5xx may be sent again."""
    if isinstance(error, _RefusalError):
        return error.status, error.trouble
    if isinstance(error, StorageError):
        return 507, Trouble(error.expected, error.got, error.fix)
    if isinstance(error, AnswerableError):
        return 400 if isinstance(error, ReviewError) else 500, Trouble(error.expected, error.got, error.fix)
    raise error


def make_app(store: Store, pages: Pages) -> Starlette:
    """The application, without its gate."""
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import Response
    from starlette.routing import Route

    desk = Desk(store, pages)

    def json(data: bytes, status: int = 200) -> Response:
        return Response(data, status, media_type="application/json")

    async def refuse(_: Request, error: Exception) -> Response:
        status, trouble = _refusal(error)
        return json(encode(trouble), status)

    def file(name: str, kind: str) -> Route:
        data = asset(name)

        async def answer(_: Request) -> Response:
            return Response(data, media_type=kind)

        return Route("/" if name == "index.html" else f"/{name}", answer)

    def told(path: str, tell: Callable[[str], bytes]) -> Route:
        async def answer(request: Request) -> Response:
            return json(await run_in_threadpool(tell, request.query_params.get("reviewer", "")))

        return Route(path, answer)

    def taken(path: str, kind: type[T], take: Callable[[T], bytes]) -> Route:
        async def answer(request: Request) -> Response:
            return json(await run_in_threadpool(take, await _body(request, kind)))

        return Route(path, answer, methods=["POST"])

    async def card(request: Request) -> Response:
        return json(pages.card(_number(request, "place")))

    async def picture(request: Request) -> Response:
        place, number = _number(request, "place"), _number(request, "number")
        kind, data = await run_in_threadpool(pages.picture, place, number)
        return Response(data, media_type=kind, headers={"cache-control": "private, max-age=3600"})

    routes = [
        *(file(name, kind) for name, kind in ASSETS.items()),
        told("/api/start", desk.start), told("/api/queue", desk.queue),
        taken("/api/vote", Cast, desk.vote), taken("/api/undo", Undo, desk.undo),
        Route("/api/item/{place}", card), Route("/image/{place}/{number}", picture),
    ]  # fmt: skip
    return Starlette(routes=routes, exception_handlers={AnswerableError: refuse, _RefusalError: refuse})
