"""From a photo's pixels to the networks' inputs: training, measuring and the program must all
prepare them in the same way.

Purpose: the one Python definition of the pyramid's pictures and of the refiner's and the
classifier's crops. Input: RGB uint8 pictures and quads (corners clockwise, in the picture's
pixels). Output: RGB uint8 pictures, `planes` of them as float32 in 0..1,
and `cells` as uint8.
Invariant: crates/tilesight-vision/src/pixels/{detect,crop,body}.rs and the crate tilesight-stills
do the same; scripts/parity.py compares them. Needs numpy and OpenCV only.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from .crops_photo import CROP_H, CROP_W, MARGIN

SURROUNDINGS, SIDE = 1.7, 64  # How far the refiner looks around a tile, and into how large a crop.
STEP = 32  # The detector's five halvings divide its sides.
GREY = 114  # What it is padded with.
CELL = 4  # Pixels along the side of a cell: the detector's first layer takes steps of four.


def planes(pictures: np.ndarray) -> np.ndarray:
    """uint8 [N, H, W, 3] -> float32 [N, 3, H, W] in 0..1."""
    return np.ascontiguousarray(np.asarray(pictures).transpose(0, 3, 1, 2), np.float32) / 255


def cells(picture: np.ndarray):
    """uint8 [H, W, 3], its sides multiples of 32 -> uint8 [1, H / 4, W / 4, 48]: the sixteen pixels
    of a cell beside each other, as the detector takes them."""
    high, wide = (side // CELL for side in picture.shape[:2])
    return np.ascontiguousarray(
        picture.reshape(high, CELL, wide, CELL, 3).transpose(0, 2, 1, 3, 4).reshape(1, high, wide, -1)
    )


def pyramid(image: np.ndarray, sides: Any) -> list[Any]:
    """For each long side the image scaled to it, padded to multiples of 32 with grey: (image,
    scale). Each is made of the one before."""
    height, width = image.shape[:2]
    longest, levels = max(height, width), []
    for side in sides:
        # To the nearest whole pixel, halves upwards, in whole numbers: the program agrees exactly.
        w, h = (max(1, (2 * old * side + longest) // (2 * longest)) for old in (width, height))
        shrinks = w <= image.shape[1] and h <= image.shape[0]
        image = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        padded = cv2.copyMakeBorder(image, 0, -h % STEP, 0, -w % STEP, cv2.BORDER_CONSTANT, value=(GREY, GREY, GREY))
        levels.append((padded, side / longest))
    return levels


def upright(quad: np.ndarray) -> np.ndarray:
    """Reorders the corners of a quad so that its longer pair of sides runs from the top to the
    bottom."""
    across, down = quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0]
    return np.roll(quad, -1, axis=0) if np.hypot(*across) > np.hypot(*down) else quad


def cut(image: np.ndarray, quad: np.ndarray, margin: float = MARGIN) -> np.ndarray:
    """The classifier's crop of a quad, by the rules of models/manifest.json: its longer sides come
    to stand upright."""
    return crop(image, upright(np.float32(quad)), margin)


def crop(
    image: np.ndarray, quad: np.ndarray, margin: float = MARGIN, size: tuple[int, int] = (CROP_H, CROP_W)
) -> np.ndarray:
    """A crop of a quad with the side from corner 0 to corner 1 at the top; `size` is the crop's
    height and width."""
    quad, (high, wide) = np.float32(quad), size
    centre = quad.mean(0)
    quad = centre + (quad - centre) * np.float32(margin)
    factor = np.hypot(*(quad[2] - quad[1] + quad[3] - quad[0])) / 2 / high
    if factor > 1:
        shrunk = tuple(max(1, round(side / factor)) for side in image.shape[1::-1])
        quad = quad * np.float32([shrunk[0] / image.shape[1], shrunk[1] / image.shape[0]])
        image = cv2.resize(image, shrunk, interpolation=cv2.INTER_AREA)
    corners = np.float32([[0, 0], [wide, 0], [wide, high], [0, high]])
    straight = cv2.getPerspectiveTransform(quad, corners)
    return cv2.warpPerspective(image, straight, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def surroundings(image: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The refiner's crop of a quad: the tile in its middle, the side from corner 0 to corner 1 at
    the top."""
    return crop(image, quad, SURROUNDINGS, (SIDE, SIDE))


DARK, LIGHT, OPEN = "dark", "light", "open"
_FACE = (slice(9, 71), slice(7, 57))  # A crop's part that is surely the tile's: its face less a rounded edge.
_PRINT = (slice(17, 63), slice(13, 51))  # Where the print lies; around it there is mostly body.
BODY_DARK, INK_APART, INK_FAINT, ALIKE = 120, 40, 16, 40


def grey(crops: np.ndarray) -> np.ndarray:
    """Perceived lightness of uint8 RGB, in whole numbers."""
    part = np.asarray(crops, np.int32)
    return (77 * part[..., 0] + 150 * part[..., 1] + 29 * part[..., 2]) >> 8


def _middle(values: np.ndarray) -> Any:
    """The median, of an even count the upper one."""
    return np.sort(values, axis=0)[len(values) // 2]


def _frame(plane: np.ndarray) -> np.ndarray:
    """The pixels of a crop around the print, one row per pixel."""
    inside = np.zeros(plane.shape[:2], bool)
    inside[_FACE] = True
    inside[_PRINT] = False
    return plane[inside]


def _apart(crop: np.ndarray) -> tuple[int, int, int]:
    """A body's lightness, and how far the darkest and the lightest twentieth of the face are below
    and above it."""
    light = grey(crop)
    body, face = int(_middle(_frame(light))), np.sort(light[_FACE].ravel())
    return body, body - int(face[len(face) // 20]), int(face[-1 - len(face) // 20]) - body


def leaning(crop: np.ndarray) -> str:
    """Tells whether a crop shows light ink on a dark body, dark ink on a light one, or leaves it
    open."""
    body, below, above = _apart(crop)
    if body < BODY_DARK and above > INK_APART and 2 * above > 3 * below:
        return DARK
    return LIGHT if below > INK_APART and below >= above else OPEN


def turned(crop: np.ndarray) -> np.ndarray:
    """The crop with inverted lightness, the same hue and colourfulness: gold on black becomes gold
    on ivory."""
    wide = crop.astype(np.int16)
    return (wide + 255 - wide.max(2, keepdims=True) - wide.min(2, keepdims=True)).astype(np.uint8)


def to_light(crops: list[np.ndarray]) -> list[np.ndarray]:
    """All crops of one photo as the classifier gets them: those of a dark set inverted.

    The photo decides, not the crop: it shows a dark set only where more tiles show light ink on a
    dark body than dark ink on a light one, and then faint light ink is enough where a tile has the
    bodies' colour. Tiles without ink stay: most are backs."""
    leans = [leaning(crop) for crop in crops]
    if leans.count(DARK) <= leans.count(LIGHT):
        return list(crops)
    bodies = [_middle(_frame(crop)) for crop in crops]
    usual = _middle(np.stack([body for body, lean in zip(bodies, leans) if lean == DARK]).astype(np.int32))
    alike = [np.abs(body.astype(np.int32) - usual).max() < ALIKE for body in bodies]
    faint = [above > INK_FAINT and above > below for _, below, above in map(_apart, crops)]
    return [
        turned(crop) if lean == DARK or (lean == OPEN and near and ink) else crop
        for crop, lean, near, ink in zip(crops, leans, alike, faint)
    ]
