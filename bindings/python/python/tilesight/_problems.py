"""Problems as exceptions."""

from __future__ import annotations

import json
from typing import Any, cast


class Problem(Exception):
    """Error with the fields of RFC 9457, as in the HTTP service's answers.

    `type` is a name that never changes, `title` a short summary, `status` the HTTP status, `detail`
    a description for people, and `errors` a list of dictionaries with the path of each wrong
    `field`, its `detail` and, for a text, the position of its wrong `character`, counted from 1.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]]

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", ""))
        self._problem = problem
        self.type = problem.get("type", "about:blank")
        self.title = problem.get("title", "")
        self.status = problem.get("status", 500)
        self.detail = problem.get("detail", "")
        self.errors = problem.get("errors", [])

    def __reduce__(self) -> tuple[Any, ...]:
        return (self.__class__, (self._problem,))

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as JSON has it."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._problem)))


class RequestError(Problem, ValueError):
    """The arguments have the wrong shape, or name something that does not exist."""


class NotationError(RequestError):
    """The text of a hand doesn't follow the notation."""


class HandError(Problem, ValueError):
    """The tiles can't be a hand, or do not form a winning hand."""


class ContextError(Problem, ValueError):
    """The win context contradicts itself or the hand."""


class EntryError(Problem, ValueError):
    """An entry of an evening is impossible."""


class PhotoError(Problem, ValueError):
    """The photo is broken, too large, or shows no hand."""


_CLASSES: dict[str, type[Problem]] = {
    "malformed-request": RequestError,
    "not-found": RequestError,
    "unreadable-notation": NotationError,
    "invalid-hand": HandError,
    "not-a-win": HandError,
    "invalid-context": ContextError,
    "invalid-entry": EntryError,
    "game-over": EntryError,
    "unreadable-image": PhotoError,
    "unsupported-media": PhotoError,
    "no-hand": PhotoError,
    "too-large": RequestError,
}


def problem_from_json(text: str) -> Problem:
    """Return the exception for a problem that is given as JSON."""
    problem = json.loads(text)
    name = problem.get("type", "").rpartition(":")[2]
    return _CLASSES.get(name, Problem)(problem)
