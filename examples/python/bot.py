"""A bot that scores hands in a chat: a photo or a typed hand comes in, the score goes out.

    python bot.py                            in this terminal: a line is a hand, or the path of a photo
    TELEGRAM_TOKEN=... python bot.py telegram

Needs `pip install tilesight[photos]`. Where it chats is a `Transport`; write one for another
service, and leave the rest as it is. Photos are read on this machine and are not stored.
"""

import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import tilesight

HELP = """\
Send a photo of a winning hand, or a hand such as 123456789m11pFFF.
/win self_drawn, /win discard: how it was won
/seat E, /prevalent S: the winds
/rules riichi-tenhou: the rules (/rules lists them)"""
#: Commands, and the field of the win context that each sets.
FIELDS = {"/win": "win", "/seat": "seat", "/prevalent": "prevalent", "/rules": "ruleset"}


@dataclass(frozen=True)
class Message:
    """Message of a chat: its text, or a photo that is loaded when it is read."""

    chat: str
    text: str = ""
    photo: Callable[[], bytes] | None = None


class Transport(Protocol):
    """Source of messages and destination of answers."""

    def messages(self) -> Iterator[Message]: ...

    def send(self, chat: str, text: str, choices: Sequence[str] = ()) -> None:
        """Send a text; `choices` are what the person will probably answer."""


@dataclass
class Chat:
    """State of a chat: the win context that was stated, and a reading whose question is open."""

    context: tilesight.Context = field(default_factory=tilesight.Context)
    reading: tilesight.Reading | None = None


class Bot:
    """Answers the messages of a transport."""

    def __init__(self, transport: Transport, reader: tilesight.Reader | None = None) -> None:
        self.transport = transport
        self.reader = reader or tilesight.Reader()
        self.chats: dict[str, Chat] = {}

    def run(self) -> None:
        """Answer until the transport has no more messages."""
        for message in self.transport.messages():
            chat = self.chats.setdefault(message.chat, Chat())
            try:
                text, choices = self.reply(chat, message)
            except tilesight.Problem as problem:
                # What is wrong with the hand, the photo or the context, in a sentence.
                text, choices = str(problem), []
            self.transport.send(message.chat, text, choices)

    def reply(self, chat: Chat, message: Message) -> tuple[str, list[str]]:
        """Return the answer to a message, and what may be answered to it."""
        if message.photo is not None:
            chat.reading = self.reader.read(message.photo(), **chat.context)
            return self.describe(chat.reading)
        command, _, value = message.text.strip().partition(" ")
        if command == "/rules" and not value:
            return "\n".join(ruleset.id for ruleset in tilesight.rulesets()), []
        if command in FIELDS:
            return self.set(chat, FIELDS[command], value.strip()), []
        if command.startswith("/"):
            return HELP, []
        text, question = message.text.strip(), self.question(chat.reading)
        if chat.reading and question and text in choices(question):
            chat.reading = chat.reading.answer({"doubt": question.id, "answer": text})
            return self.describe(chat.reading)
        return show(tilesight.score(text, **chat.context)), []

    def set(self, chat: Chat, name: str, value: str) -> str:
        """Set a field of the win context, if it is one that hands can have."""
        context = cast("tilesight.Context", {**chat.context, name: value})
        tilesight.parse("123456789m11pFFF", **context)
        chat.context = context
        return f"{name}: {value}"

    def question(self, reading: tilesight.Reading | None) -> tilesight.Doubt | None:
        """Return the most important question about a photo that changes its score."""
        doubts = reading.doubts if reading else ()
        return next((one for one in doubts if one.affects_score and one.alternatives), None)

    def describe(self, reading: tilesight.Reading) -> tuple[str, list[str]]:
        """Return what was read, with the next question."""
        lines = [reading.notation, show(reading.score) if reading.score else "This is not a winning hand."]
        question = self.question(reading)
        if question is None:
            return "\n".join(lines), []
        return "\n".join([*lines, "", question.question]), choices(question)


def choices(question: tilesight.Doubt) -> list[str]:
    """Return what may be answered to a question."""
    return [one.answer for one in question.alternatives]


def show(score: tilesight.Score) -> str:
    """Return a score as text: its lines, the total, and who pays."""
    lines = [f"{award.name}{f' x {award.count}' if award.count > 1 else ''}" for award in score.awards]
    payments = "  ".join(f"{seat} {amount:+}" for seat, amount in score.payments.items())
    return "\n".join([*lines, f"Total {score.total}: {score.verdict}", payments])


class Terminal:
    """The chat with the person at this terminal, to try a bot without any service."""

    def messages(self) -> Iterator[Message]:
        print(HELP)
        for line in sys.stdin:
            text = line.strip()
            file = Path(text)
            yield Message("terminal", photo=file.read_bytes) if text and file.is_file() else Message("terminal", text)

    def send(self, chat: str, text: str, choices: Sequence[str] = ()) -> None:
        print(text, *([f"  ({', '.join(choices)})"] if choices else []), sep="\n", flush=True)


class Telegram:
    """Telegram's Bot API, without a library: https://core.telegram.org/bots/api."""

    def __init__(self, token: str, address: str = "https://api.telegram.org", retries: int = 10) -> None:
        self.methods, self.files = f"{address}/bot{token}", f"{address}/file/bot{token}"
        self.retries = retries

    def call(self, method: str, **fields: Any) -> Any:
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.methods}/{method}", json.dumps(fields).encode(), headers)
        # Longer than a request for updates waits.
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)["result"]

    def messages(self) -> Iterator[Message]:
        offset = 0
        while True:
            for update in self.updates(offset):
                offset = update["update_id"] + 1
                message = update.get("message")
                if message:
                    yield self.message(message)

    def updates(self, offset: int) -> list[dict[str, Any]]:
        """Wait for updates. A network that fails for a minute does not end the bot."""
        for left in reversed(range(self.retries + 1)):
            try:
                return self.call("getUpdates", offset=offset, timeout=60)
            except OSError:
                if left == 0:
                    raise
                time.sleep(6)
        return []

    def message(self, message: dict[str, Any]) -> Message:
        chat = str(message["chat"]["id"])
        if "photo" not in message:
            return Message(chat, message.get("text", ""))
        # The last one is the largest.
        return Message(chat, photo=lambda: self.load(message["photo"][-1]["file_id"]))

    def load(self, file_id: str) -> bytes:
        path = self.call("getFile", file_id=file_id)["file_path"]
        with urllib.request.urlopen(f"{self.files}/{path}", timeout=90) as answer:
            return answer.read()

    def send(self, chat: str, text: str, choices: Sequence[str] = ()) -> None:
        keyboard = {"keyboard": [[{"text": choice}] for choice in choices], "one_time_keyboard": True}
        markup = {"reply_markup": keyboard} if choices else {}
        self.call("sendMessage", chat_id=chat, text=text, **markup)


if __name__ == "__main__":
    Bot(Telegram(os.environ["TELEGRAM_TOKEN"]) if sys.argv[1:] == ["telegram"] else Terminal()).run()
