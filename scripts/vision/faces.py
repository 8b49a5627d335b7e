"""Tile faces: our own drawn sets, and the shared tile art as an optional addition.

Purpose: give the scene compositor and the crop generator many sets of faces. Input: a seed, or the
folder of shared art.
Output: `FaceSet`s whose faces are RGBA uint8 [256, 192, 4] with a transparent ground.
Invariant: one seed always draws the same set; sets of one `family` are close relatives and belong
on one side of a split. Codes: 1m..9m 1p..9p 1s..9s E S W N C F P f1..f4 s1..s4, and 0m 0p 0s for
the red fives.

`python3 -m vision.faces --out FILE.png [--shared PATH] [--sets N]` writes a contact sheet.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from . import faces_bamboo, faces_birds, faces_bonus, faces_characters, faces_dots, faces_honours, faces_pictures
from .faces_canvas import HEIGHT, WIDTH, Canvas
from .faces_finish import finish
from .faces_style import Style

SUITS = [f"{n}{s}" for s in "mps" for n in range(1, 10)]
HONORS = list("ESWNCFP")
BONUS = ["f1", "f2", "f3", "f4", "s1", "s2", "s3", "s4"]
RED = ["0m", "0p", "0s"]
CODES = SUITS + HONORS + BONUS + RED
CLASSES = SUITS + HONORS + BONUS + ["back", "none"]

# Close relatives in the shared art, by looking at the contact sheet: drawn from the same originals.
_FAMILIES = {
    "fluffy": "fluffy",
    "lietxia": "fluffy",
    "mahjong_sg": "fluffy",
    "mah_riichi": "fluffy",
    "mah_riichi_old": "fluffy",
    "mah_cheshire137": "fluffy",
    "taksuyu": "fluffy",
    "youngzhenhao": "fluffy",
    "font_imahjong_jp": "fluffy",
    "font_imahjong_hk": "imahjong",
    "font_imahjong_can": "imahjong",
    "font_imahjong_tw": "imahjong",
    "mah_uni": "uni",
    "mah_unib": "uni",
    "bzhmaddog": "uni",
    "font_symbola": "uni",
    "proc_0": "proc",
    "proc_1": "proc",
    "proc_3": "proc",
    "mah_classic": "proc",
    "xmj_dorothys": "proc",
}
# What the art shows is not the face its file is named after, or not the customary face at all.
_WRONG = {
    "mah_classic": BONUS,
    "proc_1": ["f2"],
    "mah_modern": [f"{n}m" for n in range(1, 10)] + ["E", "S", "W", "N"] + BONUS + ["4s", "5s", "6s", "7s", "8s", "9s"],
    "gnome_smooth": ["1s"],
}


class FaceSet:
    """A set of faces, drawn or loaded when first asked for."""

    def __init__(self, name: str, family: str, codes: list[str], source: Callable) -> None:
        self.name, self.family, self.codes = name, family, codes
        self._source, self._cache = source, {}

    def face(self, code: str) -> np.ndarray:
        """The face of a code, RGBA uint8 [256, 192, 4]."""
        if code not in self._cache:
            self._cache[code] = self._source(code)
        return self._cache[code]

    def finished(self, rng: np.random.Generator) -> FaceSet:
        """A copy of the set with one finish for all its faces: one maker's paint."""
        seed = int(rng.integers(1 << 31))
        return FaceSet(
            self.name + "+", self.family, self.codes, lambda code: finish(self.face(code), np.random.default_rng(seed))
        )


def generate_set(seed: int) -> FaceSet:
    """Draw a set of our own; every seed is another maker."""
    style = Style(seed)
    return FaceSet(f"drawn_{seed}", f"drawn_{seed}", list(CODES), lambda code: draw(style, code))


def joker(seed: int) -> np.ndarray:
    """A joker or spare tile, which is not one of the faces."""
    return faces_pictures.joker(np.random.default_rng(seed))


def draw(style: Style, code: str) -> np.ndarray:
    """Draw one face of a style."""
    canvas = Canvas()
    red, kind = code[0] == "0", code[-1]
    if code in BONUS:
        faces_bonus.draw(canvas, style, code)
    elif code in HONORS:
        _honour(canvas, style, code)
    else:
        number = 5 if red else int(code[0])
        if kind == "m":
            faces_characters.draw_number(canvas, style, number, red)
        elif kind == "p":
            faces_dots.draw(canvas, style, number, red)
        elif number == 1:
            faces_birds.draw(canvas, style)
        else:
            faces_bamboo.draw(canvas, style, number, red)
    index = {"0": "5"}.get(code[0], code[0])
    if style.index and code not in BONUS and not (code == "P" and style.chance(59) < 0.5):
        faces_characters.draw_index(canvas, style, index)
    return canvas.image()


def _honour(canvas: Canvas, style: Style, code: str) -> None:
    if code == "P":
        faces_honours.draw(canvas, style)
    elif code in "CF":
        faces_characters.draw_dragon(canvas, style, code)
    else:
        faces_characters.draw_wind(canvas, style, code)


def load_sets(shared: Path | None) -> list[FaceSet]:
    """The sets of the shared tile art; an empty list without it."""
    root = Path(shared) / "tileart" if shared else None
    if root is None or not root.is_dir():
        return []
    return [s for s in (_load(d) for d in sorted(root.iterdir()) if d.is_dir()) if s.codes]


def _load(folder: Path) -> FaceSet:
    name = folder.name
    present = {p.stem for p in folder.glob("*.png")} & set(CODES)
    codes = [c for c in CODES if c in present - set(_WRONG.get(name, []))]

    def read(code: str) -> np.ndarray:
        bgra = cv2.imread(str(folder / f"{code}.png"), cv2.IMREAD_UNCHANGED)
        if bgra.shape[2] == 3:
            bgra = cv2.cvtColor(bgra, cv2.COLOR_BGR2BGRA)
        return cv2.cvtColor(cv2.resize(bgra, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), cv2.COLOR_BGRA2RGBA)

    return FaceSet(name, _FAMILIES.get(name, name), codes, read)


def on_ground(face: np.ndarray, ground: tuple[int, int, int] = (238, 236, 228)) -> np.ndarray:
    """Lay a face on a plain ground (for contact sheets)."""
    alpha = face[..., 3:].astype(np.float32) / 255
    return (face[..., :3] * alpha + np.float32(ground) * (1 - alpha)).astype(np.uint8)


def contact_sheet(sets: list[FaceSet], size: tuple[int, int] = (48, 64)) -> np.ndarray:
    """Picture of the sets with a row for each set and a column for each code."""
    blank = np.full((size[1], size[0], 3), 128, np.uint8)
    rows = []
    for s in sets:
        cells = [
            cv2.resize(on_ground(s.face(c)), size, interpolation=cv2.INTER_AREA) if c in s.codes else blank
            for c in CODES
        ]
        rows.append(np.hstack(cells))
    return np.vstack(rows)


def main() -> None:
    """Write a contact sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--shared")
    parser.add_argument("--sets", type=int, default=16)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    sets = load_sets(Path(args.shared)) if args.shared else [generate_set(args.first + i) for i in range(args.sets)]
    cv2.imwrite(args.out, cv2.cvtColor(contact_sheet(sets), cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
