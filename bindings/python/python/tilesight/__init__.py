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

from . import types
from ._evening import Evening
from ._native import Score, Scores, __version__
from ._problems import (
    ContextError,
    EntryError,
    HandError,
    NotationError,
    PhotoError,
    Problem,
    RequestError,
)
from ._reader import Photo, PhotoFile, Reader, Reading, SetFile
from ._rules import (
    SHIPPED,
    HandToScore,
    PossibleAnswers,
    Rules,
    WrittenHand,
    parse,
    rulesets,
    score,
    score_many,
    scores,
)
from ._score import attach_fields
from .types import (
    Award,
    Context,
    Doubt,
    Exclusion,
    FieldError,
    Game,
    GameAction,
    GivenAnswer,
    Hand,
    HandInput,
    Lang,
    Meld,
    Other,
    Ruleset,
    RulesetScore,
    ScoredSet,
)

attach_fields()

__all__ = [
    "SHIPPED",
    "Award",
    "Context",
    "ContextError",
    "Doubt",
    "EntryError",
    "Evening",
    "Exclusion",
    "FieldError",
    "Game",
    "GameAction",
    "GivenAnswer",
    "Hand",
    "HandError",
    "HandInput",
    "HandToScore",
    "Lang",
    "Meld",
    "NotationError",
    "Other",
    "Photo",
    "PhotoError",
    "PhotoFile",
    "PossibleAnswers",
    "Problem",
    "Reader",
    "Reading",
    "RequestError",
    "Rules",
    "Ruleset",
    "RulesetScore",
    "Score",
    "ScoredSet",
    "Scores",
    "SetFile",
    "WrittenHand",
    "__version__",
    "parse",
    "rulesets",
    "score",
    "score_many",
    "scores",
    "types",
]
