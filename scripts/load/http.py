"""A small HTTP/1.1 client on asyncio whose connections come from an address of one's choice.
Standard library only.

Input: where the service is, a key, a source address of 127.0.0.0/8. Output: answers with the
milliseconds that they took. It exists because a siege needs clients that the service tells apart,
some of which don't behave.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any


@dataclass
class Answer:
    """An answer: its status, headers in lower case, body, and milliseconds from sending to its last
    byte."""

    status: int
    headers: dict
    body: bytes
    took: float

    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """A connection, made when it is needed and made again when it was closed."""

    def __init__(self, port: int, source: str = "127.0.0.1", key: str | None = None) -> None:
        self.port, self.source, self.key = port, source, key
        self.reader = self.writer = None

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    def head(self, method: str, path: str, length: int, headers: tuple[Any, ...]) -> bytes:
        """The head of a request."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}"]
        if self.key:
            lines.append(f"Authorization: Bearer {self.key}")
        return "\r\n".join([*lines, *headers, "", ""]).encode()

    async def start(self, method: str, path: str, headers: tuple[Any, ...] = (), body: bytes = b"") -> None:
        """Sends a request."""
        if self.writer is None or self.writer.is_closing() or self.reader.at_eof():
            self.close()
            await self.connect()
        self.writer.write(self.head(method, path, len(body), headers) + body)
        await self.writer.drain()

    async def answer_head(self) -> tuple[int, dict[str, str]]:
        """Status and headers of the next answer."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        return int(first.split(" ")[1]), headers

    async def request(self, method: str, path: str, headers: tuple[Any, ...] = (), body: bytes = b"") -> Answer:
        """Sends a request and returns its `Answer`; raises `OSError` or
        `asyncio.IncompleteReadError` where there is none."""
        began = time.perf_counter()
        await self.start(method, path, headers, body)
        status, fields = await self.answer_head()
        if fields.get("transfer-encoding") == "chunked":
            content = await self.chunks()
        else:
            content = await self.reader.readexactly(int(fields.get("content-length", 0)))
        took = 1000 * (time.perf_counter() - began)
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, fields, content, took)

    async def post(self, path: str, kind: str, body: bytes, headers: tuple[Any, ...] = ()) -> Answer:
        return await self.request("POST", path, (f"Content-Type: {kind}", *headers), body)

    async def chunks(self) -> bytes:
        """A body that comes in chunks."""
        content = b""
        while True:
            size = int(await self.reader.readline(), 16)
            content += (await self.reader.readexactly(size + 2))[:-2]
            if not size:
                return content
