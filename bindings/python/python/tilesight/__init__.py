"""Scores mahjong hands, and reads them from photos.

>>> import tilesight
>>> score = tilesight.score("[EEE,2]123m456p789s5s5s", seat="E", prevalent="S", win="self_drawn")
>>> score.total, [award.name for award in score.awards]  # doctest: +ELLIPSIS
(12, [...])

Hands are written as `docs/notation.md` of the project describes, or given as dictionaries. Keyword
arguments are the fields of the win context: `ruleset`, `seat`, `prevalent`, `win`, `from_`,
`last_of_kind`, `last_wall_tile`, `declared`, and those of single games, such as `riichi` and
`dora_indicators`. What is left out gets a default, which the score lists in `assumed`. What is
wrong is raised as a `Problem` with the path of each field.
"""

from ._evening import Evening
from ._native import Score, Scores
from ._objects import Award, Exclusion, ScoredSet
from ._problems import (
    ContextError,
    EntryError,
    HandError,
    NotationError,
    PhotoError,
    Problem,
    RequestError,
)
from ._reader import Reader, Reading, SetFile
from ._rules import SHIPPED, Rules, parse, rulesets, score, score_many, scores

__all__ = [
    "SHIPPED",
    "Award",
    "ContextError",
    "EntryError",
    "Evening",
    "Exclusion",
    "HandError",
    "NotationError",
    "PhotoError",
    "Problem",
    "Reader",
    "Reading",
    "RequestError",
    "Rules",
    "Score",
    "ScoredSet",
    "Scores",
    "SetFile",
    "parse",
    "rulesets",
    "score",
    "score_many",
    "scores",
]
