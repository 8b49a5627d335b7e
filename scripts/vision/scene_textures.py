"""Procedural surfaces for tables, floors, trays and racks.

Purpose: textures as real tables show them: felt, wood, plain plates, checked and dotted cloth,
printed mats, marble.
Input: a random generator. Output: RGB uint8 images of 512 x 512 that tile by reflection.
Invariant: no file is read; the same generator state gives the same texture.
"""

from __future__ import annotations

import cv2
import numpy as np

SIDE = 512


def _noise(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Smooth noise in -1..1 with `rows` x `columns` knots."""
    knots = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(knots, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)


def _grain(rng: np.random.Generator, strength: float, blur: float = 0.0) -> np.ndarray:
    grain = rng.standard_normal((SIDE, SIDE), dtype=np.float32)
    if blur > 0:
        grain = cv2.GaussianBlur(grain, (0, 0), blur) * (1 + 2.5 * blur)
    return grain * strength


def _shade(colour: np.ndarray, field: np.ndarray) -> np.ndarray:
    """Colour [3] in 0..255 times (1 + field)."""
    return np.asarray(colour, np.float32) * (1 + field)[..., None]


def any_colour(rng: np.random.Generator, low: int = 20, high: int = 235) -> np.ndarray:
    """A colour of any hue, saturation and value as painted things have."""
    hsv = np.uint8([[[rng.integers(0, 180), rng.integers(20, 230), rng.integers(low, high)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)


def felt_colour(rng: np.random.Generator) -> np.ndarray:
    """Mostly the greens and blues of gaming cloth, else anything."""
    if rng.random() < 0.25:
        return any_colour(rng)
    hue = rng.choice([62, 68, 75, 55, 105, 115, 95, 2, 172])
    hsv = np.uint8([[[(hue + rng.integers(-5, 6)) % 180, rng.integers(110, 245), rng.integers(45, 205)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)


def felt(rng: np.random.Generator) -> np.ndarray:
    """Cloth of one colour with fibre grain and, sometimes, a weave."""
    field = _grain(rng, rng.uniform(0.01, 0.08), rng.uniform(0, 1.2)) + _noise(rng, 5, 5) * 0.05
    if rng.random() < 0.4:
        y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
        period = rng.uniform(5, 14)
        field += 0.08 * rng.random() * np.sin(x * 6.283 / period) * np.sin(y * 6.283 / period)
    return _shade(felt_colour(rng), field)


def wood(rng: np.random.Generator) -> np.ndarray:
    """Boards with stretched grain, from pale beech to dark walnut, also grey laminate."""
    hue, sat, val = rng.integers(8, 20), rng.integers(10, 190), rng.integers(60, 235)
    colour = cv2.cvtColor(np.uint8([[[hue, sat, val]]]), cv2.COLOR_HSV2RGB)[0, 0]
    warp = _noise(rng, 4, 4) * rng.uniform(0.5, 6)
    y = np.mgrid[0:SIDE, 0:SIDE][0].astype(np.float32) / SIDE
    rings = np.sin((y * rng.uniform(6, 40) + warp) * 6.283)
    streaks = cv2.resize(rng.standard_normal((SIDE, 8), dtype=np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    field = rings * rng.uniform(0.01, 0.12) + streaks * rng.uniform(0.02, 0.08) + _grain(rng, 0.01)
    if rng.random() < 0.4:
        board = int(rng.integers(60, 200))
        field[::board] -= 0.4
        field += np.repeat(rng.normal(0, 0.06, SIDE // board + 1), board)[:SIDE, None].astype(np.float32)
    out = _shade(colour, field)
    return out if rng.random() < 0.5 else out.transpose(1, 0, 2)


def plain(rng: np.random.Generator) -> np.ndarray:
    """A plate, paper or plastic of nearly one colour: often white, grey or black."""
    colour = any_colour(rng) if rng.random() < 0.4 else np.full(3, rng.uniform(15, 240)) + rng.normal(0, 5, 3)
    return _shade(colour, _noise(rng, 4, 4) * 0.04 + _grain(rng, rng.uniform(0, 0.03)))


def marble(rng: np.random.Generator) -> np.ndarray:
    """Clouded stone or terrazzo."""
    field = sum(_noise(rng, 3 * 2**k, 3 * 2**k) * 0.2 / 1.6**k for k in range(5))
    veins = np.exp(-np.abs(field) * rng.uniform(15, 60))
    base = any_colour(rng, 60, 240) * 0.4 + rng.uniform(40, 140)
    return _shade(base, field * 0.4 - veins * rng.uniform(-0.3, 0.4))


def cloth(rng: np.random.Generator) -> np.ndarray:
    """Patterned cloth: checks, stripes, dots or blossoms, a classic source of false alarms."""
    image = _shade(any_colour(rng), _grain(rng, 0.03)).copy()
    kind, period = rng.integers(0, 4), int(rng.integers(16, 90))
    if kind <= 1:
        for axis in range(2 if kind == 0 else 1):
            width, colour = int(rng.integers(2, period)), any_colour(rng)
            lines = (np.arange(SIDE) % period) < width
            if axis == 0:
                image[lines] = 0.5 * image[lines] + 0.5 * colour
            else:
                image[:, lines] = 0.5 * image[:, lines] + 0.5 * colour
        return image
    colours = [any_colour(rng) for _ in range(3)]
    for row in range(0, SIDE, period):
        for column in range(0, SIDE, period):
            x, y = column + rng.normal(0, period * 0.1), row + rng.normal(0, period * 0.1)
            colour = tuple(float(c) for c in colours[rng.integers(0, 3)])
            for _ in range(1 if kind == 2 else 5):
                dx, dy = (0, 0) if kind == 2 else rng.normal(0, period * 0.14, 2)
                radius = max(1, int(period * rng.uniform(0.08, 0.28)))
                cv2.circle(image, (int(x + dx), int(y + dy)), radius, colour, -1, cv2.LINE_AA)
    return image


def mat(rng: np.random.Generator) -> np.ndarray:
    """A printed mat or plate with lines, frames and words."""
    image = felt(rng).copy() if rng.random() < 0.6 else plain(rng).copy()
    for _ in range(rng.integers(1, 10)):
        a, b = rng.integers(0, SIDE, 2), rng.integers(0, SIDE, 2)
        colour = tuple(float(c) for c in any_colour(rng))
        thick = int(rng.integers(1, 8))
        kind = rng.integers(0, 4)
        if kind == 0:
            cv2.rectangle(image, tuple(map(int, a)), tuple(map(int, b)), colour, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(image, tuple(map(int, a)), int(rng.integers(5, 120)), colour, thick, cv2.LINE_AA)
        elif kind == 2:
            text = "".join(chr(rng.integers(48, 91)) for _ in range(rng.integers(2, 12)))
            cv2.putText(
                image,
                text,
                tuple(map(int, a)),
                int(rng.integers(0, 8)),
                rng.uniform(0.5, 3),
                colour,
                thick,
                cv2.LINE_AA,
            )
        else:
            cv2.line(image, tuple(map(int, a)), tuple(map(int, b)), colour, thick, cv2.LINE_AA)
    return image


_KINDS = [(felt, 0.42), (wood, 0.2), (plain, 0.16), (cloth, 0.1), (mat, 0.07), (marble, 0.05)]


def texture(rng: np.random.Generator) -> np.ndarray:
    """A surface of a random kind."""
    kind = _KINDS[rng.choice(len(_KINDS), p=[share for _, share in _KINDS])][0]
    return np.clip(kind(rng), 0, 255).astype(np.uint8)


def _words(rng: np.random.Generator, count: int) -> str:
    return "".join(chr(rng.integers(48, 91)) for _ in range(count))


def _shelf(rng: np.random.Generator, image: np.ndarray) -> None:
    """Book spines side by side, with titles along them: what stands behind many a table."""
    size, x, tall = image.shape[0], -int(rng.integers(0, 30)), int(rng.uniform(0.2, 0.9) * image.shape[0])
    while x < size:
        wide = int(rng.integers(4, 46))
        colour = any_colour(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(150, 245))
        spine = np.empty((wide, tall, 3), np.float32)
        spine[:] = colour
        ink = tuple(float(c) for c in (any_colour(rng) if rng.random() < 0.5 else 255 - colour))
        cv2.putText(
            spine,
            _words(rng, int(rng.integers(3, 14))),
            (int(rng.integers(0, tall // 2)), wide * 3 // 4),
            0,
            wide / 40,
            ink,
            max(1, wide // 16),
            cv2.LINE_AA,
        )
        left, right = max(0, x), min(size, x + wide)
        if right > left:
            image[:tall, left:right] = spine.transpose(1, 0, 2)[::-1][:, left - x : right - x]
        x += wide + int(rng.integers(0, 3))


def backdrop(rng: np.random.Generator, size: int) -> np.ndarray:
    """Background behind a table: a wall, shelves, people, often out of focus, [S, S, 3]."""
    image = np.empty((size, size, 3), np.float32)
    image[:] = any_colour(rng) * 0.5 + rng.uniform(0, 120)
    if rng.random() < 0.5:
        _shelf(rng, image)
    for _ in range(rng.integers(1, 20)):
        a, extent = rng.integers(-20, size, 2), rng.integers(5, size // 3, 2)
        colour = tuple(float(c) for c in any_colour(rng))
        cv2.rectangle(image, tuple(map(int, a)), tuple(map(int, a + extent)), colour, -1)
        if rng.random() < 0.4:
            ink = tuple(float(c) for c in any_colour(rng))
            cv2.putText(
                image,
                _words(rng, int(rng.integers(1, 10))),
                tuple(map(int, a + extent // 2)),
                0,
                rng.uniform(0.3, 1.2),
                ink,
                1,
                cv2.LINE_AA,
            )
    if rng.random() < 0.5:
        image = image.transpose(1, 0, 2)
    return cv2.blur(np.clip(image, 0, 255).astype(np.uint8), (int(rng.integers(1, 8)),) * 2)
