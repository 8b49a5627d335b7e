"""Problems as exceptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from .types import FieldError, SeenInPhoto


class Problem(Exception):
    """Error with the fields of RFC 9457, as in the HTTP service's answers.

    `type` is a name that never changes, `title` a short summary, `status` the HTTP status, `detail`
    a description for people, and `errors` say which fields are wrong: each has the path of its
    `field`, a `detail` and, for a text, the place of its wrong `character`, counted from 1. `seen`
    are the tiles that a photo without a hand shows.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[FieldError, ...]
    seen: SeenInPhoto | None

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("detail", ""))
        self._problem = dict(problem)
        self.type = problem.get("type", "about:blank")
        self.title = problem.get("title", "")
        self.status = problem.get("status", 500)
        self.detail = problem.get("detail", "")
        self.errors = tuple(FieldError.from_dict(one) for one in problem.get("errors", ()))
        self.seen = SeenInPhoto.from_dict(problem["seen"]) if problem.get("seen") else None

    @staticmethod
    def from_dict(problem: Mapping[str, Any]) -> Problem:
        """Return the exception that `to_dict` or an answer of the HTTP service describes."""
        name = str(problem.get("type", "")).rpartition(":")[2]
        return _CLASSES.get(name, Problem)(problem)

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as JSON has it."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._problem)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._problem == other._problem

    def __hash__(self) -> int:
        return hash((self.type, self.detail))

    def __reduce__(self) -> tuple[Any, ...]:
        return (self.__class__, (self._problem,))


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
    return Problem.from_dict(json.loads(text))
