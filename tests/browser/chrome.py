"""Headless Chromium over the DevTools protocol: just enough to open a page, ask it things and watch it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--hide-scrollbars", "--remote-debugging-port=0", "--disable-dev-shm-usage",
)  # fmt: skip


def find() -> str | None:
    """The browser's path, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One tab. Keeps every request, console line, exception and policy violation since it was opened."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.requests: list[str] = []
        self.troubles: list[str] = []
        self._loaded = asyncio.Event()

    def take(self, method: str, given: dict[str, Any]) -> None:
        """Note an event of this tab."""
        if method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.troubles.append(json.dumps(given["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled":
            self.troubles.append(json.dumps(given["args"])[:500])
        elif method == "Log.entryAdded":
            self.troubles.append(given["entry"]["text"])
        elif method == "Page.loadEventFired":
            self._loaded.set()

    async def send(self, method: str, **given: Any) -> dict[str, Any]:
        """One command to this tab."""
        return await self._browser.send(method, given, self._session)

    async def open(self, path: Path, fragment: str = "") -> None:
        """Open a file and wait until it has loaded."""
        self._loaded.clear()
        await self.send("Page.navigate", url=path.as_uri() + fragment)
        await asyncio.wait_for(self._loaded.wait(), 60)

    async def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        answer = await self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    async def until(self, expression: str, seconds: float = 20) -> None:
        """Wait until an expression is true."""
        for _ in range(int(seconds / 0.05)):
            if await self.ask(f"Boolean({expression})"):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never became true: {expression}")

    async def size(self, width: int, height: int) -> None:
        """Set the window's inner size."""
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    async def scheme(self, name: str) -> None:
        """What the system is said to prefer: ``light`` or ``dark``."""
        await self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    async def key(self, name: str) -> None:
        """Press and release a key such as ``Tab``, ``Enter`` or ``ArrowRight``."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39}
        text = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            given = {"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
            await self.send("Input.dispatchKeyEvent", **given, **(text if kind == "keyDown" else {}))

    async def shot(self, path: Path) -> None:
        """Save the whole page as PNG."""
        answer = await self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(answer["data"]))


class Browser:
    """A running browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}

    async def listen(self) -> None:
        """Hand answers and events to whom they belong, until the connection ends."""
        async for message in self._socket:
            body = json.loads(message.data)
            if "id" in body:
                future = self._waiting.pop(body["id"])
                if not future.done():
                    future.set_result(body)
            elif body.get("sessionId") in self._pages:
                self._pages[body["sessionId"]].take(body["method"], body["params"])

    async def send(self, method: str, given: dict[str, Any], session: str = "") -> dict[str, Any]:
        """One command; its result."""
        self._number += 1
        number = self._number
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        body = {"id": number, "method": method, "params": given} | ({"sessionId": session} if session else {})
        await self._socket.send_str(json.dumps(body))
        answer = await asyncio.wait_for(future, 60)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def page(self) -> Page:
        """A new tab that watches everything."""
        target = await self.send("Target.createTarget", {"url": "about:blank"})
        given = {"targetId": target["targetId"], "flatten": True}
        session = (await self.send("Target.attachToTarget", given))["sessionId"]
        page = self._pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.send(f"{domain}.enable")
        return page


@asynccontextmanager
async def chrome(path: str) -> AsyncIterator[Browser]:
    """Start a browser with a profile of its own, and end it and its children afterwards."""
    profile = Path(tempfile.mkdtemp(prefix="answerable-chrome-"))
    process = await asyncio.create_subprocess_exec(
        path, *_FLAGS, f"--user-data-dir={profile}", "about:blank", start_new_session=True,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        port = profile / "DevToolsActivePort"
        for _ in range(600):
            if port.is_file() and port.read_text().count("\n") >= 1:
                break
            await asyncio.sleep(0.05)
        number, address = port.read_text().split("\n")[:2]
        async with (
            aiohttp.ClientSession() as client,
            client.ws_connect(f"ws://127.0.0.1:{number}{address}", max_msg_size=0) as socket,
        ):
            browser = Browser(socket)
            listening = asyncio.create_task(browser.listen())
            try:
                yield browser
            finally:
                listening.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await listening
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        shutil.rmtree(profile, ignore_errors=True)
