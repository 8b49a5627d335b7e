"""The icons and fonts that scripts/setup-training brings for bonus tiles.

Purpose: thousands of pictures and many hands of writing that no tile maker of the training has.
Input: the folder that scripts/motifs/render.mjs wrote. Output: `Motif`s as RGBA pictures, and fonts
as files. Invariant: what is HELD is never given for training, and nothing else for measuring.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

# Whole families of art that training never sees.
HELD_SETS = {"fluent-emoji-flat", "fluent-emoji-high-contrast", "icon-park", "streamline-freehand-color"}
HELD_FONTS = {"righteous", "rye", "zhi-mang-xing"}
FOLDER = Path("out/motifs")


@dataclass(frozen=True)
class Motif:
    """A picture (RGBA uint8, its longer side as rendered), what it shows, and which bonus tile that
    suggests, if any."""

    image: np.ndarray
    kind: str
    hint: str | None
    colour: bool


class Motifs:
    """A folder's motifs and fonts on one side of the split."""

    def __init__(self, folder: Path = FOLDER, held: bool = False) -> None:
        index = json.loads((folder / "motifs.json").read_text())
        self._bytes = np.memmap(folder / "motifs.png", np.uint8, "r")
        self.entries = [entry for entry in index["motifs"] if (entry["set"] in HELD_SETS) == held]
        chosen = [font for font in index["fonts"] if (font["name"] in HELD_FONTS) == held]
        path = lambda font: (str(folder / "fonts" / f"{font['name']}.woff"), 0)  # noqa: E731
        self.latin = [path(font) for font in chosen if font["script"] == "latin"]
        self.chinese = [path(font) for font in chosen if font["script"] != "latin"]
        self.kinds = sorted({entry["kind"] for entry in self.entries})
        self._of_kind = {kind: [entry for entry in self.entries if entry["kind"] == kind] for kind in self.kinds}

    @classmethod
    def of(cls, folder: Path, held: bool = False) -> Motifs | None:
        """The motifs in a folder, or None where setup-training has brought none."""
        return cls(folder, held) if (folder / "motifs.json").exists() else None

    def pick(self, rng: np.random.Generator, kinds: list[str] | None = None) -> Motif:
        """Picks a motif: of a kind first, so that the many persons don't crowd out the flowers."""
        kinds = kinds or [kind for kind in self.kinds if kind != "bird"]
        entries = self._of_kind[kinds[int(rng.random() * len(kinds))]]
        entry = entries[int(rng.random() * len(entries))]
        bgra = cv2.imdecode(self._bytes[entry["at"] : entry["at"] + entry["bytes"]], cv2.IMREAD_UNCHANGED)
        return Motif(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGBA), entry["kind"], entry["hint"], entry["colour"])
