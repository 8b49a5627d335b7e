"""Tests of what is made of a siege's figures, and that users and attackers speak HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import unittest
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import siege

from load import bodies
from load.attackers import ATTACKS, Siege
from load.http import Client

if TYPE_CHECKING:
    from asyncio.streams import StreamReader, StreamWriter


def met(photo: int, failures: list[str] | tuple[Any, ...] = (), peak: int = 100) -> dict[str, Any]:
    kinds = ("photo", "score", "sheet", "sheet seen", "job done", "livez", "livez, own listener")
    return {
        "took": {kind: [photo if kind == "photo" else 10] * 4 for kind in kinds},
        "failures": list(failures),
        "peak_mib": peak,
    }


class Verdicts(unittest.TestCase):
    def kept(self, alone: dict[str, Any], runs: dict[str, dict[str, Any]]) -> list[bool]:
        return [kept for _, kept in siege.verdicts(alone, runs)]

    def test_all_promises_are_kept(self) -> None:
        self.assertEqual(self.kept(met(100), {"photos": met(190), "churn": met(100)}), [True] * 4)

    def test_each_promise_can_be_broken(self) -> None:
        self.assertEqual(self.kept(met(100), {"photos": met(100, ["photo: 503"])}), [False, True, True, True])
        self.assertEqual(self.kept(met(100), {"photos": met(210)}), [True, False, True, True])
        self.assertEqual(
            self.kept(met(100), {"photos": met(100), "churn": met(100, peak=130)}), [True, True, True, False]
        )
        self.assertEqual(
            self.kept(met(100), {"broken": met(100, peak=500), "churn": met(100)}), [True, True, True, False]
        )
        late = met(100)
        late["took"]["livez"].append(201)
        self.assertEqual(self.kept(met(100), {"photos": late})[2], False)

    def test_the_table_has_a_row_for_each_attack(self) -> None:
        rows = siege.rows(met(100), {"photos": met(150), "all together": met(170)})
        self.assertEqual(len(rows), 5)
        self.assertIn("| 1.5 × |", rows[3])

    def test_every_attack_has_words_and_is_there(self) -> None:
        self.assertEqual(set(siege.WORDS), set(ATTACKS))
        for name in ATTACKS:
            self.assertTrue(callable(getattr(Siege, name)), name)


class Bodies(unittest.TestCase):
    def test_answers_are_as_large_as_they_say_and_every_alternative_is_a_hand(self) -> None:
        for doubts, alternatives, min_bytes, max_bytes in [(64, 24, 120_000, 200_000), (1, 9, 700, 1_500)]:
            body = bodies.answers(doubts, alternatives)
            self.assertTrue(min_bytes <= len(body) <= max_bytes, len(body))
            reading = json.loads(body)["reading"]
            self.assertEqual([len(doubt["alternatives"]) for doubt in reading["doubts"]], [alternatives] * doubts)
            for doubt in reading["doubts"]:
                for answer in doubt["alternatives"]:
                    tiles = re.findall(r"[1-9][mps]|[ESWNCFP]", answer["hand"])
                    self.assertEqual((len(tiles), max(map(tiles.count, tiles)) <= 4), (14, True), answer)

    def test_a_png_of_many_pixels_is_small(self) -> None:
        self.assertLess(len(bodies.large_png()), 10_000)
        self.assertEqual(bodies.large_png()[16:24], (7000).to_bytes(4, "big") * 2)


class Speaking(unittest.TestCase):
    def test_answers_with_a_length_and_in_chunks(self) -> None:
        answers = iter(
            [
                b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
                b'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nETag: "7"\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n',
            ]
        )

        async def serve(reader: StreamReader, writer: StreamWriter) -> None:
            for answer in answers:
                head = await reader.readuntil(b"\r\n\r\n")
                self.assertIn(b"Authorization: Bearer k", head)
                writer.write(answer)
                await writer.drain()

        async def ask():
            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            client = Client(server.sockets[0].getsockname()[1], "127.0.0.3", "k")
            first, second = [await client.request("GET", "/") for _ in range(2)]
            client.close()
            server.close()
            return first, second

        first, second = asyncio.run(ask())
        self.assertEqual((first.status, first.json()), (200, {}))
        self.assertEqual((second.status, second.json(), second.headers["etag"]), (201, [], '"7"'))


if __name__ == "__main__":
    unittest.main()
