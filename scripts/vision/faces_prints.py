"""Bonus tiles as printed from any maker's pictures and letters, and words and birds on playing
tiles.

Purpose: more pictures, hands of writing and layouts than the drawn sets' bonus tiles have.
Input: a generator and `Motifs`. Output: `Print`s: RGBA faces of the drawing size of training crops,
with the share of each bonus tile. Invariant: the texts say what the shares say (`faces_series`);
every text is painted over the picture and within the face; a bird alone is never a bonus tile,
since it is what most makers carve on the one of bamboo.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from . import faces_series as series
from .faces_glyphs import cjk_fonts, has, latin_fonts, tight
from .motifs import Motif, Motifs

if TYPE_CHECKING:
    from .faces_series import Saying


# Drawn at twice the size of the patch's tile.
WIDTH, HEIGHT = 144, 192
EM = 64
_INKS = [
    (196, 30, 38),
    (226, 60, 50),
    (16, 110, 60),
    (30, 150, 90),
    (28, 56, 150),
    (40, 90, 200),
    (24, 24, 28),
    (60, 50, 46),
    (150, 40, 110),
    (200, 120, 20),
    (110, 70, 40),
    (20, 120, 140),
]
_TINTS = [
    (255, 244, 214),
    (250, 236, 180),
    (224, 240, 252),
    (232, 248, 230),
    (252, 230, 236),
    (240, 232, 250),
    (255, 255, 255),
    (236, 226, 204),
]


_PLAIN_INKS = [
    ((24, 24, 28), 0.3),
    ((60, 50, 46), 0.1),
    ((196, 30, 38), 0.25),
    ((16, 110, 60), 0.12),
    ((28, 56, 150), 0.12),
    ((226, 60, 50), 0.06),
    ((40, 90, 200), 0.05),
]


@dataclass(frozen=True)
class Manner:
    """Writing and painting of a maker's bonus tiles: the schemes of the texts with their weights,
    and the shares of tiles in plain inks, of pictures drawn in lines, and of tiles without panel
    and frame."""

    schemes: tuple = series.SCHEMES
    plain: float = 0.0
    lined: float = 0.0
    bare: float = 0.0


ANY = Manner()
CUSTOMARY = Manner(series.CUSTOMARY_SCHEMES, 0.7, 0.5, 0.5)


@dataclass(frozen=True)
class Print:
    """A face [96, 72, 4] and the share of each bonus tile in the order of faces_series.BONUS."""

    face: np.ndarray
    shares: tuple


class Sheet:
    """A face in the making: premultiplied RGBA in floats."""

    def __init__(self) -> None:
        self.px = np.zeros((HEIGHT, WIDTH, 4), np.float32)

    def lay(self, image: np.ndarray, at: tuple[float, float], strength: float = 1.0) -> None:
        """Lay straight RGBA uint8 over the face, its top left corner at (x, y)."""
        x, y = (int(round(v)) for v in at)
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + image.shape[1], WIDTH), min(y + image.shape[0], HEIGHT)
        if x1 <= x0 or y1 <= y0:
            return
        part = image[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32)
        alpha = part[..., 3:] / 255 * strength
        below = self.px[y0:y1, x0:x1]
        self.px[y0:y1, x0:x1] = np.concatenate([part[..., :3] * alpha, alpha * 255], 2) + below * (1 - alpha)

    def stamp(
        self, mask: np.ndarray, at: tuple[float, float], ink: tuple[int, int, int], strength: float = 1.0
    ) -> None:
        """Lay a mask (uint8) in one ink."""
        self.lay(np.dstack([np.broadcast_to(np.uint8(ink), (*mask.shape, 3)), mask]), at, strength)

    def face(self) -> np.ndarray:
        """The face at the patch's size, colours straight."""
        small = cv2.resize(self.px, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
        small[..., :3] /= np.maximum(small[..., 3:] / 255, 1e-3)
        return np.clip(small + 0.5, 0, 255).astype(np.uint8)


def bonus_print(rng: np.random.Generator, motifs: Motifs, manner: Manner = ANY) -> Print:
    """Draw a bonus tile: texts, pictures, ground and frame, each as one of many makers would."""
    kinds = None
    if rng.random() < 0.35:
        kinds = ["flower", "plant", "season"]
    motif = motifs.pick(rng, kinds)
    saying = series.say(rng, motif.hint, schemes=manner.schemes)
    if saying.names_one and rng.random() < 0.08:
        motif = motifs.pick(rng, ["bird"])
    inks = _plain_inks(rng) if manner.plain and rng.random() < manner.plain else _inks(rng)
    sheet = Sheet()
    panel = None if manner.bare and rng.random() < manner.bare else _ground(sheet, rng, inks)
    words = [part for part in saying.parts if part[0] in ("word", "four") and len(part[1]) > 2]
    bare = saying.names_one and rng.random() < 0.1
    large = not bare and rng.random() < 0.15 and any(kind in ("character", "series") for kind, _ in saying.parts)
    if not bare:
        _pictures(sheet, rng, motifs, (motif, inks, bool(words), 0.5 if large else 1.0), manner.lined)
    _texts(sheet, rng, motifs, (saying, _apart_from(rng, panel, inks), bare or large))
    return Print(sheet.face(), saying.shares)


def bird_print(rng: np.random.Generator, motifs: Motifs) -> np.ndarray:
    """A one of bamboo: a bird of an icon set, often with the number or the suit's name."""
    inks = _inks(rng)
    sheet = Sheet()
    if rng.random() < 0.15:
        _frame(sheet, rng, inks)
    _place(
        sheet,
        rng,
        _painted(rng, motifs.pick(rng, ["bird"]), inks),
        (rng.uniform(0.6, 0.98), 0.5 + rng.normal(0, 0.04), 0.52 + rng.normal(0, 0.05)),
    )
    if rng.random() < 0.5:
        _corner(
            sheet, _mask(_latin(rng, motifs), "1"), (inks[1], rng.uniform(0.13, 0.26), _CORNERS[rng.integers(2)], False)
        )
    if rng.random() < 0.15:
        _band(sheet, rng, _mask(_latin(rng, motifs), series.playing_word(rng, "1s")), inks[0])
    return sheet.face()


def with_word(rng: np.random.Generator, face: np.ndarray, code: str, motifs: Motifs | None) -> np.ndarray:
    """A playing tile's face, smaller, with a word above or below it."""
    sheet, scale, above = Sheet(), rng.uniform(0.66, 0.88), rng.random() < 0.5
    art = cv2.resize(face, (int(WIDTH * scale), int(HEIGHT * scale)), interpolation=cv2.INTER_LINEAR)
    sheet.lay(art, ((WIDTH - art.shape[1]) / 2, (HEIGHT - art.shape[0]) * (0.9 if above else 0.1)))
    mask = _mask(_latin(rng, motifs), series.playing_word(rng, code))
    high = HEIGHT * rng.uniform(0.07, 0.13)
    wide = min(WIDTH * rng.uniform(0.5, 0.9), high * mask.shape[1] / mask.shape[0] * 1.2)
    mask = _sized(mask, wide, high)
    sheet.stamp(
        mask, ((WIDTH - wide) / 2, HEIGHT * 0.03 if above else HEIGHT * 0.97 - high), _INKS[rng.integers(len(_INKS))]
    )
    return sheet.face()


def _inks(rng: np.random.Generator) -> list:
    """Three inks: customary ones, any, or one for all."""
    kind = rng.random()
    if kind < 0.7:
        inks = [_INKS[i] for i in rng.permutation(len(_INKS))[:3]]
    elif kind < 0.88:
        hsv = np.uint8([[[rng.integers(180), rng.integers(90, 256), rng.integers(30, 230)] for _ in range(3)]])
        inks = [tuple(int(v) for v in ink) for ink in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0]]
    else:
        inks = [_INKS[rng.integers(8)]] * 3
    return [tuple(np.clip(np.float32(ink) + rng.normal(0, 9, 3), 0, 255).astype(int)) for ink in inks]


def _plain_inks(rng: np.random.Generator) -> list:
    """Three inks of the few that most makers have."""
    weights = np.float64([weight for _, weight in _PLAIN_INKS])
    inks = [_PLAIN_INKS[i][0] for i in rng.choice(len(_PLAIN_INKS), 3, p=weights / weights.sum())]
    return [tuple(np.clip(np.float32(ink) + rng.normal(0, 9, 3), 0, 255).astype(int)) for ink in inks]


def _rounded(inset: float, radius: float) -> np.ndarray:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    x0, y0, x1, y1 = int(inset), int(inset), WIDTH - 1 - int(inset), HEIGHT - 1 - int(inset)
    r = int(max(1, radius))
    cv2.rectangle(mask, (x0 + r, y0), (x1 - r, y1), 255, -1)
    cv2.rectangle(mask, (x0, y0 + r), (x1, y1 - r), 255, -1)
    for x in (x0 + r, x1 - r):
        for y in (y0 + r, y1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def _apart_from(rng: np.random.Generator, panel: np.ndarray | None, inks: list[tuple[int, int, int]]) -> list:
    """Inks that can be read on a panel: those that differ from it, and white or black."""
    if panel is None:
        return inks
    plain = (250, 248, 240) if np.mean(panel) < 130 else (24, 24, 28)
    return [ink if np.abs(np.float32(ink) - panel).max() > 90 and rng.random() < 0.5 else plain for ink in inks]


def _ground(sheet: Sheet, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> np.ndarray:
    """Mostly bare; else a tinted or coloured panel, one in two colours, or a frame. Returns the
    colour of a coloured panel."""
    kind, panel = rng.random(), None
    if kind < 0.1:
        sheet.stamp(
            _rounded(rng.uniform(0, 12), rng.uniform(1, 20)),
            (0, 0),
            _TINTS[rng.integers(len(_TINTS))],
            rng.uniform(0.6, 1),
        )
    elif kind < 0.14:
        sheet.stamp(_rounded(rng.uniform(0, 12), rng.uniform(1, 20)), (0, 0), inks[2], rng.uniform(0.6, 1))
        panel = np.float32(inks[2])
    elif kind < 0.19:
        half = _rounded(rng.uniform(0, 10), rng.uniform(1, 14))
        at = int(HEIGHT * rng.uniform(0.3, 0.8))
        half[: at if rng.random() < 0.5 else 0] = 0
        sheet.stamp(half, (0, 0), inks[2], rng.uniform(0.15, 0.5))
    if rng.random() < 0.24:
        _frame(sheet, rng, inks)
    return panel


def _frame(sheet: Sheet, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    inset, width, radius = rng.uniform(1, 15), rng.uniform(1.5, 7), rng.uniform(1, 22)
    for _ in range(int(rng.integers(1, 3))):
        outer, inner = _rounded(inset, radius), _rounded(inset + width, radius * 0.8)
        sheet.stamp(cv2.subtract(outer, inner), (0, 0), inks[rng.integers(3)])
        inset, width = inset + width + rng.uniform(3, 8), rng.uniform(1.5, 4)


def _pictures(
    sheet: Sheet,
    rng: np.random.Generator,
    motifs: Motifs,
    what: tuple[Motif, list[tuple[int, int, int]], bool, float],
    lined: float,
) -> None:
    """Draw a picture, one with a smaller one beside it, some scattered, or one all over the
    face."""
    motif, inks, word, share = what
    paint = _lined if lined and rng.random() < lined else _painted
    kind = rng.random()
    middle = 0.5 + (rng.uniform(-0.06, 0.02) if word else rng.normal(0, 0.05))
    if kind < 0.62:
        _place(sheet, rng, paint(rng, motif, inks), (rng.uniform(0.5, 0.96) * share, 0.5 + rng.normal(0, 0.05), middle))
    elif kind < 0.78:
        other = motifs.pick(rng)
        up = rng.choice([-1, 1])
        _place(
            sheet,
            rng,
            paint(rng, other, inks),
            (rng.uniform(0.3, 0.6) * share, 0.5 + rng.normal(0, 0.12), middle - up * rng.uniform(0.14, 0.26)),
        )
        _place(
            sheet,
            rng,
            paint(rng, motif, inks),
            (rng.uniform(0.45, 0.75) * share, 0.5 + rng.normal(0, 0.08), middle + up * rng.uniform(0.06, 0.16)),
        )
    elif kind < 0.9:
        seed = int(rng.integers(1 << 31))
        for _ in range(int(rng.integers(2, 6))):
            image = paint(np.random.default_rng(seed), motif, inks)
            _place(
                sheet, rng, image, (rng.uniform(0.26, 0.5) * share, rng.uniform(0.22, 0.78), rng.uniform(0.25, 0.75))
            )
    else:
        _place(
            sheet,
            rng,
            paint(rng, motif, inks),
            (rng.uniform(0.95, 1.5), 0.5 + rng.normal(0, 0.1), 0.5 + rng.normal(0, 0.1)),
            rng.uniform(0.35, 1.0),
        )


def _lined(rng: np.random.Generator, motif: Motif, inks: list[tuple[int, int, int]]) -> np.ndarray:
    """A motif drawn in lines, of one ink or of two, one above the other."""
    image = np.ascontiguousarray(motif.image[:, ::-1] if rng.random() < 0.5 else motif.image)
    out = _outline(image, inks[0], int(rng.integers(2, 5)))
    if rng.random() < 0.5:
        out[int(len(out) * rng.uniform(0.3, 0.7)) :, :, :3] = inks[1]
    return out


def _outline(image: np.ndarray, ink: tuple[int, int, int], width: int) -> np.ndarray:
    grey = cv2.cvtColor(image[..., :3], cv2.COLOR_RGB2GRAY)
    lines = cv2.dilate(cv2.Canny(grey, 60, 140) | cv2.Canny(image[..., 3], 60, 140), np.ones((width, width), np.uint8))
    return np.dstack([np.broadcast_to(np.uint8(ink), (*grey.shape, 3)), lines])


def _painted(rng: np.random.Generator, motif: Motif, inks: list[tuple[int, int, int]]) -> np.ndarray:
    """A motif in its own colours, other ones, the maker's inks, or as an outline."""
    image = motif.image
    if rng.random() < 0.5:
        image = image[:, ::-1]
    kind = rng.random()
    if not motif.colour or kind < 0.14:
        if motif.colour:  # Dark parts in one ink, light ones left out or in another.
            grey = cv2.cvtColor(np.ascontiguousarray(image[..., :3]), cv2.COLOR_RGB2GRAY)
            solid = image[..., 3] > 90
            cut = float(np.median(grey[solid])) if solid.any() else 128
            dark = (grey <= cut) & solid
            out = np.zeros_like(image)
            out[solid] = (*inks[1], 255 if rng.random() < 0.5 else 0)
            out[dark] = (*inks[0], 255)
            return out
        out = np.empty_like(image)
        out[..., :3], out[..., 3] = inks[0], image[..., 3]
        if rng.random() < 0.35:  # Two inks, one above the other.
            out[int(len(out) * rng.uniform(0.3, 0.7)) :, :, :3] = inks[1]
        return out
    image = np.ascontiguousarray(image)
    if kind < 0.3:  # Other hues, fuller or fainter.
        hsv = cv2.cvtColor(image[..., :3], cv2.COLOR_RGB2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
        hsv[..., 1:] = np.clip(hsv[..., 1:] * rng.uniform(0.5, 1.3, 2), 0, 255)
        return np.dstack([cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), image[..., 3]])
    if kind < 0.4:
        return _outline(image, inks[0], int(rng.integers(2, 4)))
    return image


def _place(
    sheet: Sheet, rng: np.random.Generator, image: np.ndarray, where: tuple[float, float, float], strength: float = 1.0
) -> None:
    """Lay a picture `wide` of the face's width about a point, perhaps leaning a little."""
    wide, x, y = where
    side = max(8, int(WIDTH * wide))
    scale = side / max(image.shape[:2])
    turn = cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), rng.normal(0, 7), scale)
    turn[:, 2] += (side / 2 - image.shape[1] / 2, side / 2 - image.shape[0] / 2)
    if scale < 0.6:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        turn = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), rng.normal(0, 7), 1)
        turn[:, 2] += (side / 2 - small.shape[1] / 2, side / 2 - small.shape[0] / 2)
        image = small
    picture = cv2.warpAffine(image, turn, (side, side), flags=cv2.INTER_LINEAR)
    sheet.lay(picture, (WIDTH * x - side / 2, HEIGHT * y - side / 2), strength)


_CORNERS = ("tl", "tr", "bl", "br")


def _texts(
    sheet: Sheet, rng: np.random.Generator, motifs: Motifs, what: tuple[Saying, list[tuple[int, int, int]], bool]
) -> None:
    """All texts of a saying, each in a corner of its own, a band, or large in the middle."""
    saying, inks, middle = what
    corners = [_CORNERS[i] for i in rng.permutation(4)]
    if rng.random() < 0.6:  # The top first, as most makers do.
        corners.sort(key=lambda corner: corner[0] == "b")
    for at, (kind, text) in enumerate(saying.parts):
        chinese = ord(text[0]) >= 0x3000
        mask = _mask(_chinese(rng, motifs, text) if chinese else _latin(rng, motifs), text)
        mask = _stroked(rng, mask)
        ink = inks[(at + rng.integers(2)) % 3]
        halo = rng.random() < 0.3
        if kind in ("character", "series") and middle:
            _middle(sheet, rng, mask, ink)
        elif len(text) > 2 and kind in ("word", "four"):
            _band(sheet, rng, mask, ink)
        elif kind in ("character", "series"):
            _corner(sheet, mask, (ink, rng.uniform(0.2, 0.36), corners.pop(0), halo))
        else:
            high, corner = rng.uniform(0.13, 0.3), corners.pop(0)
            _corner(sheet, mask, (ink, high, corner, halo))
            if rng.random() < 0.12:  # Again in the opposite corner, upside down.
                _corner(
                    sheet, mask[::-1, ::-1], (ink, high, {"tl": "br", "br": "tl", "tr": "bl", "bl": "tr"}[corner], halo)
                )


def _stroked(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """A text in a heavier hand now and then."""
    weight = int(rng.integers(2, 7)) if rng.random() < 0.45 else 0
    return cv2.dilate(np.pad(mask, weight), np.ones((weight, weight), np.uint8)) if weight else mask


def _sized(mask: np.ndarray, wide: float, high: float) -> np.ndarray:
    return cv2.resize(mask, (max(3, int(wide)), max(3, int(high))), interpolation=cv2.INTER_AREA)


def _write(sheet: Sheet, mask: np.ndarray, at: tuple[float, float], how: tuple[tuple[int, int, int], bool]) -> None:
    """Stamp a text, with a light rim around it where a picture might drown it."""
    ink, halo = how
    if halo:
        rim = cv2.dilate(np.pad(mask, 4), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
        sheet.stamp(rim, (at[0] - 4, at[1] - 4), (252, 250, 244))
    sheet.stamp(np.ascontiguousarray(mask), at, ink)


def _corner(sheet: Sheet, mask: np.ndarray, how: tuple[tuple[int, int, int], float, str, bool]) -> None:
    ink, share, corner, halo = how
    high = HEIGHT * share
    shape = mask.shape[1] / mask.shape[0]
    wide = min(high * min(max(shape, 0.3), 1.6), WIDTH * 0.55)
    if shape > 2.2:  # The numeral one in Chinese is a flat stroke.
        high = wide / shape
    small = _sized(mask, wide, high)
    x = WIDTH * 0.05 if corner[1] == "l" else WIDTH * 0.95 - small.shape[1]
    y = HEIGHT * 0.04 if corner[0] == "t" else HEIGHT * 0.96 - small.shape[0]
    _write(sheet, small, (x, y), (ink, halo))


def _middle(sheet: Sheet, rng: np.random.Generator, mask: np.ndarray, ink: tuple[int, int, int]) -> None:
    """Draw a character large in the middle, perhaps in a ring or a disc."""
    side = WIDTH * rng.uniform(0.4, 0.8)
    centre = (int(WIDTH * 0.5), int(HEIGHT * rng.uniform(0.42, 0.58)))
    disc = np.zeros((HEIGHT, WIDTH), np.uint8)
    kind = rng.random()
    if kind < 0.15:
        cv2.circle(disc, centre, int(side * 0.68), 255, int(rng.integers(2, 7)), cv2.LINE_AA)
        sheet.stamp(disc, (0, 0), ink)
    elif kind < 0.3:
        cv2.circle(disc, centre, int(side * 0.68), 255, -1, cv2.LINE_AA)
        sheet.stamp(disc, (0, 0), ink)
        ink = (250, 248, 240)
    shape = mask.shape[1] / mask.shape[0]
    small = _sized(mask, side * min(1, shape), side * min(1, 1 / shape))
    _write(sheet, small, (centre[0] - small.shape[1] / 2, centre[1] - small.shape[0] / 2), (ink, rng.random() < 0.3))


def _band(sheet: Sheet, rng: np.random.Generator, mask: np.ndarray, ink: tuple[int, int, int]) -> None:
    """A word across the face: below, above, over the middle, slanting, up the side, or on a
    band."""
    high = HEIGHT * rng.uniform(0.08, 0.2)
    wide = min(WIDTH * rng.uniform(0.55, 0.94), high * mask.shape[1] / mask.shape[0] * 1.3)
    small = _sized(mask, wide, high)
    kind = rng.random()
    if kind < 0.08:
        small = cv2.rotate(small, [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE][rng.integers(2)])
        x = WIDTH * 0.05 if rng.random() < 0.5 else WIDTH * 0.95 - small.shape[1]
        _write(sheet, small, (x, (HEIGHT - small.shape[0]) / 2), (ink, rng.random() < 0.4))
        return
    y = HEIGHT * rng.choice([0.04, 0.5, 0.95], p=[0.25, 0.12, 0.63]) - (
        small.shape[0] if kind < 0.7 else small.shape[0] / 2
    )
    y = float(np.clip(y, HEIGHT * 0.03, HEIGHT * 0.97 - small.shape[0]))
    if kind < 0.2:
        bar = np.full((small.shape[0] + 8, WIDTH - 8), 255, np.uint8)
        sheet.stamp(bar, (4, y - 4), ink)
        ink = (252, 250, 244)
    elif kind < 0.27:
        turn = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2 + 16), rng.uniform(-14, 14), 1)
        small = cv2.warpAffine(np.pad(small, ((16, 16), (0, 0))), turn, (small.shape[1], small.shape[0] + 32))
        y = float(np.clip(y - 16, 0, HEIGHT - small.shape[0]))
    _write(sheet, small, ((WIDTH - small.shape[1]) / 2, y), (ink, rng.random() < 0.35))


def _latin(rng: np.random.Generator, motifs: Motifs | None) -> tuple[str, int]:
    fonts = motifs.latin if motifs and motifs.latin and rng.random() < 0.5 else latin_fonts()
    return fonts[rng.integers(len(fonts))]


def _chinese(rng: np.random.Generator, motifs: Motifs, text: str) -> tuple[str, int]:
    own = [font for font in motifs.chinese if has(font, text)] if rng.random() < 0.3 else []
    if own:
        return own[rng.integers(len(own))]
    fonts, weights = cjk_fonts()
    while True:
        font = fonts[rng.choice(len(fonts), p=weights)]
        if has(font, text):
            return font


@functools.lru_cache(8192)
def _mask(font: tuple[str, int], text: str) -> np.ndarray:
    """A text's tight mask; letters that a font does not have are written by the first one that has
    them."""
    if not all(has(font, char) for char in text if char != " "):
        font = next(other for other in latin_fonts() if all(has(other, char) for char in text if char != " "))
    face = ImageFont.truetype(font[0], EM, index=font[1])
    image = Image.new("L", (EM * (len(text) + 1), EM * 2))
    ImageDraw.Draw(image).text((image.width / 2, EM), text, 255, face, anchor="mm")
    return tight(np.asarray(image))
