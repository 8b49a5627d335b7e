"""The bot in a made-up chat, in its terminal, and with a stand-in for Telegram."""

from __future__ import annotations

import http.server
import io
import json
import os
import threading
import unittest
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import bot
import tilesight

SAMPLES = Path(os.environ["TILESIGHT_PHOTOS"])
DEMO = SAMPLES / "demo.jpg"
HAND = "123456789m11pFFF"
READER = tilesight.Reader()
# The calls that the stand-in for the API received.
CALLS: list[tuple[str, Any]] = []


class MadeUpChat:
    """A transport with given messages, which may follow from what was answered."""

    def __init__(self, *steps: Any) -> None:
        self.steps = steps
        self.sent: list[tuple[str, str, list[str]]] = []

    def messages(self) -> Iterator[bot.Message]:
        for step in self.steps:
            message: Any = step(self.sent) if callable(step) else step
            yield message

    def send(self, chat: str, text: str, choices: Sequence[str] = ()) -> None:
        self.sent.append((chat, text, list(choices)))


def chat(*steps: Any) -> list[tuple[str, str, list[str]]]:
    """Runs a bot on messages and returns its answers."""
    made_up = MadeUpChat(*steps)
    bot.Bot(made_up, READER).run()
    return made_up.sent


def photo(file: Path, name: str = "club") -> bot.Message:
    return bot.Message(name, photo=file.read_bytes)


class Chats(unittest.TestCase):
    def test_a_typed_hand_is_scored_with_what_was_said_before(self) -> None:
        said = chat(bot.Message("club", "/win self_drawn"), bot.Message("club", HAND), bot.Message("home", HAND))
        self.assertEqual(said[0], ("club", "win: self_drawn", []))
        self.assertIn("Fully Concealed Hand", said[1][1])
        self.assertIn("Total 2", said[1][1])
        # Chats know nothing of each other.
        self.assertNotIn("Fully Concealed Hand", said[2][1])

    def test_a_photo_is_read_and_its_questions_are_asked(self) -> None:
        steps = [bot.Message("club", text) for text in ("/win discard", "/seat W", "/prevalent S")]
        said = chat(*steps, photo(DEMO))
        self.assertIn("Total 20", said[-1][1])
        asked = next(file for file in sorted(SAMPLES.glob("*.jpg")) if chat(photo(file))[0][2])
        first, second = chat(photo(asked), lambda sent: bot.Message("club", sent[0][2][0]))
        self.assertNotEqual(first[1].splitlines()[-1], second[1].splitlines()[-1])

    def test_an_unusable_message_is_answered_with_the_reason(self) -> None:
        no_photo = bot.Message("club", photo=lambda: b"no photo")
        said = chat(
            bot.Message("club", "1x"),
            bot.Message("club", "/seat Q"),
            no_photo,
            bot.Message("club", "/start"),
            bot.Message("club", "/rules"),
        )
        self.assertTrue(all(text for _, text, _ in said), said)
        self.assertEqual(said[3][1], bot.HELP)
        self.assertIn("riichi-tenhou", said[4][1].splitlines())

    def test_the_terminal_takes_hands_and_files(self) -> None:
        printed = io.StringIO()
        with mock.patch("sys.stdin", io.StringIO(f"{HAND}\n{DEMO}\n")), redirect_stdout(printed):
            bot.Bot(bot.Terminal(), READER).run()
        self.assertEqual(printed.getvalue().count("Total "), 2, printed.getvalue())


class StandIn(http.server.BaseHTTPRequestHandler):
    """Stand-in for the Bot API that sends two messages, then an error that ends the test."""

    def do_POST(self) -> None:
        fields = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = self.path.rpartition("/")[2]
        CALLS.append((method, fields))
        message = {"chat": {"id": 7}}
        updates = [
            {"update_id": 1, "message": {**message, "text": HAND}},
            {"update_id": 2, "message": {**message, "photo": [{"file_id": "small"}, {"file_id": "large"}]}},
        ]
        left = [one for one in updates if one["update_id"] >= fields.get("offset", 0)]
        if method == "getUpdates" and not left:
            self.send_error(500)
            return
        self.answer(
            json.dumps(
                {
                    "ok": True,
                    "result": {"getUpdates": left, "getFile": {"file_path": f"{fields.get('file_id')}.jpg"}}.get(
                        method, {}
                    ),
                }
            ).encode()
        )

    def do_GET(self) -> None:
        CALLS.append(("file", self.path))
        self.answer(DEMO.read_bytes())

    def answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


class OverHttp(unittest.TestCase):
    def test_messages_and_photos_come_from_the_api(self) -> None:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
        CALLS.clear()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with self.assertRaises(OSError):
            api = bot.Telegram("1:secret", f"http://127.0.0.1:{server.server_port}", retries=0)
            bot.Bot(api, READER).run()
        sent = [fields for method, fields in CALLS if method == "sendMessage"]
        self.assertEqual([fields["chat_id"] for fields in sent], ["7", "7"])
        self.assertTrue(all("Total " in fields["text"] for fields in sent), sent)
        self.assertIn(("file", "/file/bot1:secret/large.jpg"), CALLS)


if __name__ == "__main__":
    unittest.main()
