"""Attackers that try to slow down or break the service for its users: one process, one attack or
several, for so many seconds. Standard library only.

    attackers.py --port N --keys KEY,KEY --photo FILE --bodies FOLDER --seconds S ATTACK...

Each attack is a coroutine that keeps its pressure up until it is cancelled: what is closed or
refused is tried again after a moment, so that a refusal costs the service something too. Attackers
come from two addresses, 127.0.2.1 and 127.0.2.2, each with a key of its own where the attack needs
one. Output: nothing; what they achieve is measured at the users.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import itertools
import json
import sys
import zipfile
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from load import bodies
from load.http import Client

SOURCES = ("127.0.2.1", "127.0.2.2")
JSON = "application/json"
BROKEN = (OSError, EOFError, ValueError, KeyError, asyncio.LimitOverrunError)
AGAIN_S = 0.02
# Photos of the job whose lists are asked for: as many as a service on one core stores in some
# seconds.
ROWS = 1_000


async def forever(act: Callable[[], Awaitable[Any]]) -> None:
    """Acts again and again, whatever comes of it."""
    while True:
        with suppress(*BROKEN):
            await act()
        await asyncio.sleep(AGAIN_S)


async def crowd(size: int, one: Callable[[int], Awaitable[Any]]) -> None:
    """Keeps `size` calls of `one` running at once; each gets its number."""
    await asyncio.gather(*(forever(lambda number=number: one(number)) for number in range(size)))


def source(number: int) -> str:
    return SOURCES[number % len(SOURCES)]


class Siege:
    """The attacks, with what they need: where the service is, the attackers' keys, a photo, small
    bodies that cost much."""

    def __init__(self, port: int, keys: Any, photo: bytes, files: dict[str, bytes]) -> None:
        self.port, self.keys, self.photo, self.files = port, keys, photo, files

    def client(self, number: int, key: bool = True) -> Client:
        return Client(self.port, source(number), self.keys[number % len(self.keys)] if key else None)

    async def unread(self) -> None:
        """Pipelines requests and reads no answer."""

        async def one(number: int) -> None:
            client = self.client(number, key=False)
            await client.connect()
            request = client.head("GET", "/livez", 0, ())
            try:
                async with asyncio.timeout(60):
                    while True:
                        client.writer.write(request * 100)
                        await client.writer.drain()
                        await asyncio.sleep(0.05)
            except TimeoutError:
                pass
            finally:
                client.close()

        await crowd(1200, one)

    async def slow_heads(self) -> None:
        """Heads that never end."""

        async def one(number: int) -> None:
            client = self.client(number, key=False)
            await client.connect()
            try:
                for letter in itertools.cycle(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 50):
                    client.writer.write(bytes([letter]))
                    await client.writer.drain()
                    await asyncio.sleep(1)
            finally:
                client.close()

        await crowd(1200, one)

    async def slow_bodies(self) -> None:
        """Photos and jobs that come byte by byte, at just above the least rate and below it."""

        async def one(number: int) -> None:
            client = self.client(number)
            path, kind = (("/v1/hands", "image/jpeg"), ("/v1/jobs", "application/zip"), ("/v1/score", JSON))[number % 3]
            await client.connect()
            client.writer.write(client.head("POST", path, 200_000, (f"Content-Type: {kind}",)))
            piece = b"\xff" * (1_200 if number % 2 else 1)
            try:
                while not client.reader.at_eof():
                    client.writer.write(piece)
                    await client.writer.drain()
                    await asyncio.sleep(1)
            finally:
                client.close()

        await crowd(120, one)

    async def photos(self) -> None:
        """Photos as fast as they are taken, and refusals not minded."""

        async def one(number: int) -> None:
            client = self.client(number)
            try:
                while True:
                    await client.post("/v1/hands?seat=S", "image/jpeg", self.photo)
                    await asyncio.sleep(AGAIN_S)
            finally:
                client.close()

        await crowd(40, one)

    async def strangers(self) -> None:
        """Requests without a key, as fast as one process sends them."""

        async def one(number: int) -> None:
            client = self.client(number, key=False)
            try:
                while True:
                    await client.post("/v1/score", JSON, b'{"hand":"123456789m11pFFF"}')
            finally:
                client.close()

        await crowd(20, one)

    async def onlookers(self) -> None:
        """Hundreds of viewers of one link, while its game changes all the time."""
        owner, token = self.client(0), None
        # The attackers' other attacks may hold their own share of the connections.
        while token is None:
            with suppress(*BROKEN):
                made = await owner.post("/v1/games", JSON, json.dumps({"players": ["A", "B", "C", "D"]}).encode())
                game, tag = made.headers["location"], made.headers["etag"]
                token = (await owner.post(f"{game}/share", JSON, b"")).json()["token"]
            await asyncio.sleep(AGAIN_S)
        change = {
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

        async def enter(_: Any) -> None:
            nonlocal tag
            answer = await owner.post(f"{game}/changes", JSON, json.dumps(change).encode(), (f"If-Match: {tag}",))
            tag = answer.headers.get("etag", tag)
            await asyncio.sleep(0.5)

        async def look(number: int) -> None:
            client = self.client(number, key=False)
            try:
                await client.start("GET", f"/v1/shared-games/{token}/events")
                while await client.reader.read(65_536):
                    pass
            finally:
                client.close()
            await asyncio.sleep(1)

        await asyncio.gather(crowd(1, enter), crowd(400, look))

    async def archives(self) -> None:
        """ZIP archives whose members are all larger than photos may be."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{number}.jpg", bytes(21_000_000))
        body = packed.getvalue()

        async def one(number: int) -> None:
            client = self.client(number)
            await client.post("/v1/jobs", "application/zip", body)
            client.close()

        await crowd(8, one)

    async def webhooks(self) -> None:
        """Jobs whose webhooks go to somebody who takes the connection and says nothing."""

        async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(3600)
            writer.close()

        tarpit = await asyncio.start_server(silent, "127.0.2.1", 0)
        port = tarpit.sockets[0].getsockname()[1]

        async def one(number: int) -> None:
            client = self.client(number)
            await client.post(
                f"/v1/jobs?webhook=http://127.0.2.1:{port}/", "application/jsonl", b'{"custom_id":"a","photo":"AAAA"}\n'
            )
            client.close()
            await asyncio.sleep(1)

        await crowd(8, one)

    async def broken(self) -> None:
        """Pictures that claim much and hold little."""
        broken = (bodies.huge_png(), self.photo[: len(self.photo) // 2], b"\xff\xd8" + bytes(5_000), b"no picture")
        await self.send(16, [("/v1/hands", "application/octet-stream", body) for body in broken])

    async def send(self, size: int, requests: Any) -> None:
        """Keeps so many clients sending these requests, one after the other."""

        async def one(number: int) -> None:
            client = self.client(number)
            try:
                for path, kind, body in itertools.cycle(requests):
                    await client.post(path, kind, body)
                    await asyncio.sleep(AGAIN_S)
            finally:
                client.close()

        await crowd(size, one)

    async def large_answers(self) -> None:
        """Readings with as many doubts as may be."""
        await self.send(2, [("/v1/readings/answers", JSON, self.files["answers-large.json"])])

    async def small_answers(self) -> None:
        """Readings of a kilobyte with one doubt, in every win context."""
        await self.send(8, [("/v1/readings/answers", JSON, self.files["answers-small.json"])])

    async def lists(self) -> None:
        """The compact results, the review and the errors of a large job, again and again."""
        owner, job = self.client(0), None
        line = json.dumps({"photo": base64.b64encode(self.files["row.jpg"]).decode()}) + "\n"
        lines = (line * (ROWS // 2) + '{"photo":"AAAA"}\n' * (ROWS // 2)).encode()
        while job is None:
            with suppress(*BROKEN):
                job = (await owner.post("/v1/jobs", "application/jsonl", lines)).json()["id"]
            await asyncio.sleep(AGAIN_S)

        async def one(number: int) -> None:
            # A job belongs to its key.
            client = self.client(2 * number)
            try:
                for part in itertools.cycle(("results?detail=compact", "review", "errors")):
                    await client.request("GET", f"/v1/jobs/{job}/{part}")
                    await asyncio.sleep(AGAIN_S)
            finally:
                client.close()

        await crowd(8, one)

    async def grid(self) -> None:
        """A small photo of a grid of equal faces."""
        await self.send(4, [("/v1/hands", "image/jpeg", self.files["grid.jpg"])])

    async def pictures(self) -> None:
        """Pictures of a few kilobytes and many megapixels."""
        await self.send(
            4,
            [
                ("/v1/hands", "image/avif", self.files["white.avif"]),
                ("/v1/hands", "image/webp", self.files["white.webp"]),
                ("/v1/preview", "image/png", self.files["large.png"]),
            ],
        )

    async def churn(self) -> None:
        """Connections that are opened and closed at once."""

        async def one(number: int) -> None:
            client = self.client(number, key=False)
            await client.connect()
            client.close()

        await crowd(40, one)


ATTACKS = (
    "unread",
    "slow_heads",
    "slow_bodies",
    "photos",
    "strangers",
    "onlookers",
    "archives",
    "webhooks",
    "broken",
    "churn",
    "large_answers",
    "small_answers",
    "lists",
    "grid",
    "pictures",
)


async def attack(siege: Siege, names: Iterable[str], seconds: float) -> None:
    """Runs the named attacks at once, for so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(getattr(siege, name)() for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--keys", required=True)
    parser.add_argument("--photo", type=Path, required=True)
    parser.add_argument("--bodies", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("attacks", nargs="+", choices=ATTACKS)
    arguments = parser.parse_args()
    sent = bodies.load(arguments.bodies)
    siege = Siege(arguments.port, arguments.keys.split(","), arguments.photo.read_bytes(), sent)
    asyncio.run(attack(siege, arguments.attacks, arguments.seconds))


if __name__ == "__main__":
    main()
