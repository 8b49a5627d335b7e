"""Rule sets, and the scoring of hands by them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Union, cast

from ._native import NativeRules

#: A hand: a line of notation, or a dictionary with `concealed`, `winning_tile`, `melds`, `flowers`.
Hand = Union[str, "dict[str, Any]"]


class Rules:
    """The shipped rule sets, and those of profile files, such as a club's.

    Instances never change, and threads may share them.
    """

    def __init__(self, *profiles: str | os.PathLike[str]) -> None:
        """Read profile files, given as paths or as their TOML."""
        self.native = NativeRules([_profile(profile) for profile in profiles])
        # The native methods themselves: a function between them and the caller would take a third
        # of a call's time.
        self.score = self.native.score
        self.score_many = self.native.score_many

    def scores(
        self, hand: Hand, rulesets: Iterable[str], *, lang: str | None = None, **context: Any
    ) -> list[dict[str, Any]]:
        """Return the scores of a hand by several rule sets, in their order.

        A rule set that can't score the hand has a `problem` instead of a `score`.
        """
        request = {"hand": hand, "context": fields(context), "rulesets": list(rulesets)}
        return cast("list[dict[str, Any]]", ask(self, "scores", request, lang))

    def rulesets(self, *, lang: str | None = None) -> list[dict[str, Any]]:
        """Return the rule sets, with their options and lines."""
        return cast("list[dict[str, Any]]", ask(self, "rulesets", None, lang)["rulesets"])

    def parse(self, hand: Hand, **context: Any) -> dict[str, Any]:
        """Return a hand and its context as dictionaries, as a line of notation, and what else may
        be said of such a win (`possible`). It need not be a whole hand."""
        request = {"hand": hand, "context": fields(context)}
        return cast("dict[str, Any]", ask(self, "hand", request, None))


def _profile(profile: str | os.PathLike[str]) -> str:
    if isinstance(profile, str) and "\n" in profile:
        return profile
    return Path(profile).read_text(encoding="utf-8")


def fields(context: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments as a win context: `from` is a keyword in Python."""
    return {("from" if name == "from_" else name): value for name, value in context.items()}


def ask(rules: Rules, name: str, request: Any, lang: str | None, at: int = 0) -> Any:
    """Answer a request of the contract."""
    body = b"" if request is None else json.dumps(request).encode()
    return json.loads(rules.native.request(name, body, lang, at))


#: The rule sets that come with the package.
SHIPPED = Rules()

score = SHIPPED.score
score_many = SHIPPED.score_many
scores = SHIPPED.scores
rulesets = SHIPPED.rulesets
parse = SHIPPED.parse
