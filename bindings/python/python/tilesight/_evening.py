"""Evenings: series of deals with a score sheet."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._part import plain
from ._rules import SHIPPED, Rules
from .types import EveningOptions, Game, GameAction, Lang

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Evening:
    """Series of deals. Rules, seats and payments follow from what is entered."""

    def __init__(self, record: str | Mapping[str, Any], *, rules: Rules = SHIPPED) -> None:
        """Open an evening that `to_json` wrote."""
        text = record if isinstance(record, str) else json.dumps(record)
        self._rules = rules
        # One line, as the request for a change needs it.
        self._record = json.dumps(json.loads(text)).encode()
        self.view()

    @classmethod
    def begin(cls, players: Sequence[str], *, rules: Rules = SHIPPED, **options: Unpack[EveningOptions]) -> Evening:
        """Begin an evening. The players are named in the order of their first seats."""
        request: dict[str, Any] = {"players": list(players), **options}
        record = rules.native.request("begin", json.dumps(request).encode(), None, 0)
        return cls(record.decode(), rules=rules)

    def change(
        self,
        action: GameAction,
        *,
        by: str | None = None,
        at: float | None = None,
        lang: Lang | None = None,
    ) -> Game:
        """Enter, correct or undo something, and return the evening as it then stands.

        `by` names who does it, and `at` is a time in seconds since 1970, now without it. If the
        change is impossible, an `EntryError` is raised and the evening stays as it was.
        """
        moment = int((time.time() if at is None else at) * 1000)
        change = {"action": action} if by is None else {"action": action, "by": by}
        request = self._record + b"\n" + json.dumps(plain(change)).encode()
        self._record = self._rules.native.request("change", request, lang, moment)
        return self.view(lang=lang)

    def view(self, *, lang: Lang | None = None) -> Game:
        """Return deals, payments, totals and standings."""
        return Game.from_dict(json.loads(self._rules.native.request("view", self._record, lang, 0)))

    def csv(self) -> str:
        """Return the score sheet as comma-separated values."""
        return self._rules.native.request("table", self._record, None, 0).decode()

    def to_json(self) -> str:
        """Return the record, which `Evening` opens again."""
        return self._record.decode()

    # An evening changes, so it has no hash.
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evening) or self._rules != other._rules:
            return False
        return json.loads(self._record) == json.loads(other._record)

    def __repr__(self) -> str:
        game = self.view()
        return f"<Evening {game.ruleset}: {', '.join(game.players)}, {len(game.rows)} entries>"
