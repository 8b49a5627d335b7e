"""Choices that all faces of one set have in common: inks, brushes, corner indices and the flavours
of its parts.

Purpose: a set is one style applied to forty-five faces. Input: a seed. Output: `Style`, read by the
drawing modules.
Invariant: two faces of a set never disagree on a choice that a carver makes once for the whole set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from .faces_canvas import Ink
from .faces_glyphs import Brush, pick_latin

_BASE = {
    "red": [(196, 30, 38), (214, 44, 40), (170, 24, 36), (226, 70, 62), (184, 50, 60), (232, 40, 30)],
    "green": [(16, 110, 60), (22, 132, 76), (10, 90, 44), (36, 150, 90), (8, 70, 50), (40, 120, 50), (10, 140, 110)],
    "blue": [(28, 56, 150), (22, 40, 110), (40, 84, 190), (24, 100, 180), (60, 80, 160), (16, 30, 80)],
    "black": [(24, 24, 28), (40, 40, 44), (20, 28, 40), (56, 50, 50)],
}
T = TypeVar("T")


def _vary(rng: np.random.Generator, ink: Ink, spread: float = 10.0) -> Ink:
    red, green, blue = np.clip(np.float32(ink) + rng.normal(0, spread, 3), 0, 255)
    return int(red), int(green), int(blue)


@dataclass
class Style:
    """The choices of one set; `rng(code)` gives each face its own repeatable randomness."""

    seed: int
    inks: dict[str, Ink] = field(default_factory=dict)
    traditional: bool = True
    index: str | None = None
    pick: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 1])
        self.inks = {k: _vary(rng, v[rng.integers(len(v))]) for k, v in _BASE.items()}
        if rng.random() < 0.12:  # Sets printed in few inks: blue stands for green or black, or all is one ink.
            self.inks["blue"] = self.inks["black"]
        if rng.random() < 0.06:
            self.inks["green"] = self.inks["blue"]
        if rng.random() < 0.03:
            self.inks = dict.fromkeys(self.inks, self.inks["black"])
        self.traditional = bool(rng.random() < 0.85)
        text = "一二三四五六七八九" + ("萬東南西北中發" if self.traditional else "万东南西北中发")
        bonus = "春夏秋冬梅竹菊" + ("蘭" if self.traditional else "兰")
        self.brush = Brush(rng, text)
        self.honour_brush = self.brush if rng.random() < 0.6 else Brush(rng, text)
        self.bonus_brush = Brush(rng, bonus)
        self.latin = pick_latin(rng)
        self.index = rng.choice(["tl", "tr", "both"], p=[0.6, 0.3, 0.1]) if rng.random() < 0.38 else None
        self.index_ink = self.inks[rng.choice(["red", "blue", "black", "green"], p=[0.45, 0.2, 0.3, 0.05])]
        self.index_size = float(rng.uniform(26, 46))
        self.choices = np.random.default_rng([self.seed, 2]).random(96)

    def chance(self, slot: int) -> float:
        """A number in 0..1 that the set fixed for this numbered choice."""
        return float(self.choices[slot])

    def among(self, slot: int, options: Sequence[T]) -> T:
        """Choose one of the options, fixed for the set."""
        return options[min(int(self.choices[slot] * len(options)), len(options) - 1)]

    def span(self, slot: int, low: float, high: float) -> float:
        """A value between two bounds, fixed for the set."""
        return low + (high - low) * float(self.choices[slot])

    def rng(self, code: str) -> np.random.Generator:
        """The face's own generator."""
        return np.random.default_rng([self.seed, 3, *code.encode()])
