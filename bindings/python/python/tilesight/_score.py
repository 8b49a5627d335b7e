"""The fields of a score, which its native class gets from the table of `types`."""

from __future__ import annotations

import dataclasses
import json
from functools import partial

from ._native import Score
from ._part import field_of
from .types import ScoreFields


def _field(name: str, score: Score) -> object:
    return score.cached(name, partial(field_of, ScoreFields))


def attach_fields() -> None:
    """Give the class a property for each field. The total is native, as it costs the least."""
    for field in dataclasses.fields(ScoreFields):
        if field.name != "total":
            setattr(Score, field.name, property(partial(_field, field.name)))


def score_from_json(text: str) -> Score:
    """Return a score that was pickled."""
    return Score.from_dict(json.loads(text))
