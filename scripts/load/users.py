"""Ordinary users at work: phones, a table with its score sheet, an organiser's jobs, a watcher.
Standard library only.

Input: a service, keys, a photo, a duration. Output: for each kind of request the milliseconds that
it took, and what went wrong. Each user has an address and takes as long between two requests as a
quick person does; nobody asks again after a refusal, so that every refusal counts as a failure.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from load.http import Client

HAND = {"hand": "123456789m11pFFF", "context": {"seat": "S", "win": "self_drawn"}}
PLAYERS = ["Anna", "Bo", "Clara", "Dorte"]
JSON = "application/json"
# Far longer than any answer takes that a person would wait for.
PATIENCE_S = 30
PAUSE_S = {"photo": 1.5, "score": 0.25, "sheet": 1.0, "job": 8.0, "health": 0.25}
# Each photo of a job is asked for with another win context, because what was read once is not read
# again.
SEATS, WINS = "ESWN", ("discard", "self_drawn", "kong_replacement", "robbed_kong")


class Figures:
    """Figures of the users: milliseconds of each kind of request, and every failure in words."""

    def __init__(self) -> None:
        self.took, self.failures = defaultdict(list), []

    def count(self, kind: str, answer: Any, *expected: int) -> None:
        """Counts an answer that is expected; any other is a failure."""
        if answer.status in expected:
            self.took[kind].append(answer.took)
        else:
            self.failures.append(f"{kind}: {answer.status} {answer.body[:200].decode('utf-8', 'replace')}")

    def as_json(self) -> dict[str, Any]:
        return {"took": dict(self.took), "failures": self.failures}


async def repeat(kind: str, end: float, figures: Figures, act: Callable[[], Awaitable[None]]) -> None:
    """Acts again and again until the end; what breaks is counted."""
    due = time.monotonic()
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await act()
        except (OSError, EOFError, TimeoutError, ValueError, KeyError) as error:
            figures.failures.append(f"{kind}: {type(error).__name__} {error}")
        due += PAUSE_S[kind]
        await asyncio.sleep(max(0, due - time.monotonic()))


async def phone(service: int, key: str, source: str, photo: bytes, end: float, figures: Figures) -> None:
    """Snaps a photo, looks at the score, snaps the next."""
    client = Client(service, source, key)

    async def act() -> None:
        figures.count("photo", await client.post("/v1/hands?seat=S", "image/jpeg", photo), 200)

    await repeat("photo", end, figures, act)
    client.close()


async def typist(service: int, key: str, source: str, end: float, figures: Figures) -> None:
    """Types hands."""
    client = Client(service, source, key)
    body = json.dumps(HAND).encode()

    async def act() -> None:
        figures.count("score", await client.post("/v1/score", JSON, body), 200)

    await repeat("score", end, figures, act)
    client.close()


async def seen(client: Client, path: str, changes: Any, figures: Figures) -> None:
    """Looks on at a game, and notes when each revision came."""
    with suppress(OSError, EOFError):
        await client.start("GET", path)
        status, _ = await client.answer_head()
        if status != 200:
            figures.failures.append(f"sheet: a stream was answered {status}")
            return
        while line := await client.reader.readline():
            if line.startswith(b"id:"):
                revision = int(line[3:])
                if revision in changes:
                    figures.took["sheet seen"].append(1000 * (time.perf_counter() - changes.pop(revision)))


async def table(service: int, key: str, source: str, end: float, figures: Figures) -> None:
    """Four players: one enters draws, another's phone shows them."""
    client, other = Client(service, source, key), Client(service, source, key)
    answer = await client.post("/v1/games", JSON, json.dumps({"players": PLAYERS}).encode())
    figures.count("sheet", answer, 201)
    if answer.status != 201:
        return
    path, tag, changes = answer.headers["location"], answer.headers["etag"], {}
    looking = asyncio.create_task(seen(other, f"{path}/events", changes, figures))
    body = json.dumps(
        {
            "action": {
                "kind": "add",
                "play": {
                    "kind": "manual",
                    "reason": "adjustment",
                    "player": 0,
                    "payments": [3, -1, -1, -1],
                    "ends_deal": False,
                },
            }
        }
    ).encode()

    async def act() -> None:
        nonlocal tag
        began = time.perf_counter()
        answer = await client.post(f"{path}/changes", JSON, body, (f"If-Match: {tag}",))
        figures.count("sheet", answer, 201)
        if answer.status == 201:
            tag = answer.headers["etag"]
            changes[int(tag.strip('"'))] = began

    await repeat("sheet", end, figures, act)
    looking.cancel()
    client.close()
    other.close()


async def organiser(service: int, key: str, source: str, photo: bytes, end: float, figures: Figures) -> None:
    """Sends a job of a few photos and waits for it."""
    client = Client(service, source, key)
    encoded = base64.b64encode(photo).decode()
    contexts = itertools.cycle(itertools.product(SEATS, SEATS, WINS))

    def line():
        seat, prevalent, win = next(contexts)
        return json.dumps({"photo": encoded, "context": {"seat": seat, "prevalent": prevalent, "win": win}}) + "\n"

    async def act() -> None:
        body = (line() + line()).encode()
        began = time.perf_counter()
        answer = await client.post("/v1/jobs", "application/jsonl", body)
        figures.count("job", answer, 202)
        while answer.status < 300 and answer.json()["status"] == "running":
            await asyncio.sleep(0.1)
            answer = await client.request("GET", f"/v1/jobs/{answer.json()['id']}")
        if answer.status < 300:
            figures.took["job done"].append(1000 * (time.perf_counter() - began))

    await repeat("job", end, figures, act)
    client.close()


async def watcher(service: int, health: int, end: float, figures: Figures) -> None:
    """Asks whether the process lives, as an orchestrator does: a new connection each time."""

    async def act() -> None:
        for kind, port in (("livez", service), ("livez, own listener", health)):
            client = Client(port)
            figures.count(kind, await client.request("GET", "/livez"), 200)
            client.close()

    await repeat("health", end, figures, act)


async def work(service: int, health: int, keys: list[str], photo: bytes, seconds: float) -> Figures:
    """All of them for so long; the `Figures`."""
    end, figures = time.monotonic() + seconds, Figures()
    await asyncio.gather(
        phone(service, keys[0], "127.0.1.1", photo, end, figures),
        phone(service, keys[1], "127.0.1.2", photo, end, figures),
        typist(service, keys[0], "127.0.1.3", end, figures),
        typist(service, keys[2], "127.0.1.4", end, figures),
        table(service, keys[2], "127.0.1.5", end, figures),
        organiser(service, keys[3], "127.0.1.6", photo, end, figures),
        watcher(service, health, end, figures),
    )
    return figures
