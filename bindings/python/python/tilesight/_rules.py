"""Rule sets, and the scoring of hands by them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from ._native import NativeRules
from ._part import Part, plain
from .types import (
    CompletedCode,
    Context,
    Declaration,
    Feeder,
    Hand,
    HandInput,
    Lang,
    Other,
    Ruleset,
    RulesetScore,
    WinKind,
)

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack


class HandToScore(TypedDict):
    """Hand of `score_many` with a win context of its own."""

    hand: HandInput
    context: NotRequired[Context]
    others: NotRequired[Sequence[Other]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleAnswers(Part):
    """Values that the win context may have for a hand; of a hand in the making, for its melds."""

    win: tuple[WinKind, ...]
    declared: tuple[Declaration, ...]
    feeder: tuple[Feeder, ...]
    """Possible feeders of the last of the sets that make their feeder pay; empty if no set does."""
    completes: tuple[CompletedCode, ...]
    """Sets that the winning tile can have completed; empty without a whole hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenHand(Part):
    """Hand in all its forms."""

    hand: Hand
    context: Context
    notation: str
    """Hand and win context in one line."""
    possible: PossibleAnswers


class Rules:
    """The shipped rule sets, and those of profile files, such as a club's.

    Instances never change, and threads may share them.
    """

    def __init__(self, *profiles: str | os.PathLike[str]) -> None:
        """Read profile files, given as paths or as their TOML."""
        self._profiles = tuple(_profile(profile) for profile in profiles)
        self.native = NativeRules(self._profiles)
        # The native methods themselves: a function between them and the caller would take a third
        # of a call's time.
        self.score = self.native.score
        self.score_many = self.native.score_many

    def scores(
        self,
        hand: HandInput,
        rulesets: Iterable[str],
        *,
        others: Sequence[Other] | None = None,
        lang: Lang | None = None,
        **context: Unpack[Context],
    ) -> list[RulesetScore]:
        """Return the scores of a hand by several rule sets, in their order.

        A rule set that can't score the hand has a `problem` instead of a `score`.
        """
        request = {"hand": hand, "context": context, "rulesets": list(rulesets), "others": others or []}
        return [RulesetScore.from_dict(score) for score in ask(self, "scores", request, lang)]

    def rulesets(self, *, lang: Lang | None = None) -> list[Ruleset]:
        """Return the rule sets, with their options and lines."""
        return [Ruleset.from_dict(one) for one in ask(self, "rulesets", None, lang)["rulesets"]]

    def parse(self, hand: HandInput, **context: Unpack[Context]) -> WrittenHand:
        """Return a hand and its context as objects, as a line of notation, and what else may be
        said of such a win (`possible`). It need not be a whole hand."""
        return WrittenHand.from_dict(ask(self, "hand", {"hand": hand, "context": context}, None))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._profiles == other._profiles

    def __hash__(self) -> int:
        return hash(self._profiles)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rules_of, self._profiles)


def _profile(profile: str | os.PathLike[str]) -> str:
    if isinstance(profile, str) and "\n" in profile:
        return profile
    return Path(profile).read_text(encoding="utf-8")


def _rules_of(*profiles: str) -> Rules:
    """Return the rules that were pickled, the same for all copies."""
    if profiles not in _UNPICKLED:
        _UNPICKLED[profiles] = Rules(*profiles)
    return _UNPICKLED[profiles]


def ask(rules: Rules, name: str, request: Mapping[str, Any] | None, lang: Lang | None, at: int = 0) -> Any:
    """Answer a request of the contract."""
    body = b"" if request is None else json.dumps(plain(request)).encode()
    return json.loads(rules.native.request(name, body, lang, at))


#: The rule sets that come with the package.
SHIPPED = Rules()
_UNPICKLED: dict[tuple[str, ...], Rules] = {(): SHIPPED}

score = SHIPPED.score
score_many = SHIPPED.score_many
scores = SHIPPED.scores
rulesets = SHIPPED.rulesets
parse = SHIPPED.parse
