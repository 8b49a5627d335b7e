"""The commands of a page: blocks of shell, and commands within sentences.

Input: the text of a page. Output: its blocks with the line they begin on and what is said of them,
and the inline commands. A block that can't run everywhere has a comment on the line before it,
`<!-- not run: REASON -->`; one with `<!-- run: curl -->` is run by clients/check.py.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

FENCE = re.compile(r"^```(\w*)$")
NOT_RUN = re.compile(r"^<!-- not run:(.*)-->$")
RUN_ELSEWHERE = re.compile(r"^<!-- run: \w+ -->$")
# A reason names what is missing; a word or two does not.
MIN_WORDS = 3


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, in which language it is, its text, and the line before
    it."""

    line: int
    language: str
    code: str
    before: str

    @property
    def is_shell(self) -> bool:
        return self.language == "sh"

    @property
    def is_run_elsewhere(self) -> bool:
        return RUN_ELSEWHERE.match(self.before) is not None

    @property
    def reason(self) -> str | None:
        """Reason why the block is not run; None for a block that is."""
        mark = NOT_RUN.match(self.before)
        return mark.group(1).strip() if mark else None

    @property
    def problem(self) -> str | None:
        """Fault of the block's mark; None for a mark that is right."""
        if self.reason is not None and len(self.reason.split()) < MIN_WORDS:
            return "the mark `not run` has no reason: say what the commands need"
        return None


def blocks(text: str) -> list[Block]:
    """All fenced blocks of a page."""
    found, lines, before, start = [], [], "", None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if start is None and fence:
            start, language, lines = number, fence.group(1), []
        elif start is not None and line == "```":
            found.append(Block(start, language, "\n".join(lines) + "\n", before))
            start, before = None, ""
        elif start is not None:
            lines.append(line)
        else:
            before = line.strip()
    return found


def commands(code: str) -> list[list[str]]:
    """The commands of a block as lists of words, without comments, variables before them and
    `&`."""
    found = []
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        for command in split_at(words, ("&&", ";", "|", "&")):
            while command and re.fullmatch(r"\w+=.*", command[0]):
                command = command[1:]
            if command:
                found.append(command)
    return found


def split_at(words: list[str], signs: tuple[str, str, str, str]) -> list[list[str]]:
    """Lists of words between signs."""
    parts = [[]]
    for word in words:
        if word in signs:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def inline(text: str) -> list[list[str]]:
    """Commands within sentences, as lists of words: code that begins with `tilesight` or `make`."""
    outside, shut = [], True
    for line in text.splitlines():
        if FENCE.match(line):
            shut = not shut
        elif shut:
            outside.append(line)
    spans = re.findall(r"(?<!`)`(tilesight|make)(\s[^`]+)`", "\n".join(outside))
    found = {tuple(f"{name}{rest}".split()) for name, rest in spans}
    return sorted([word for word in words if word not in ("...", "…")] for words in found)
