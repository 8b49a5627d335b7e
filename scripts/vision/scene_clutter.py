"""Other objects on a table: boards, racks, trays, papers, cards, keyboards, chips, cups, pens,
hands.

Purpose: hard negatives and occluders for the tile detector.
Input: a random generator, an image to draw into, a `Camera`.
Output: pixels; objects over tiles also clear the id map, so that visibility accounts for them.
Invariant: nothing drawn here is ever labelled as a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from .scene_textures import any_colour

if TYPE_CHECKING:
    from .scene_camera import Camera
    from .scene_layout import Item


SHEET = 256
# Two numbers, such as a place or a size.
Pair = Sequence[float] | np.ndarray


def _letters(rng: np.random.Generator, count: int) -> str:
    pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=?"
    return "".join(pool[rng.integers(0, len(pool))] for _ in range(count))


def _colour(rng: np.random.Generator, low: int = 20, high: int = 235) -> tuple[float, float, float]:
    red, green, blue = any_colour(rng, low, high)
    return float(red), float(green), float(blue)


def _grey(rng: np.random.Generator, low: int, high: int) -> tuple[float, float, float]:
    return tuple(np.full(3, rng.uniform(low, high)) + rng.normal(0, 4, 3))


def _keyboard(rng: np.random.Generator, image: np.ndarray) -> None:
    """Keys in rows, dark with light letters or the reverse."""
    dark = rng.random() < 0.75
    image[:] = _grey(rng, 5, 60) if dark else _grey(rng, 120, 220)
    key = _grey(rng, 15, 80) if dark else _grey(rng, 190, 250)
    ink = (230.0,) * 3 if dark else (40.0,) * 3
    size = int(rng.integers(16, 52))
    for row, y in enumerate(range(4, SHEET - size, size)):
        x = 4 + int(row * size * 0.25)
        while x < SHEET - size:
            wide = size if rng.random() < 0.85 else 2 * size
            cv2.rectangle(image, (x, y), (x + wide - 4, y + size - 4), key, -1)
            cv2.putText(image, _letters(rng, 1), (x + size // 4, y + size * 2 // 3), 0, size / 48, ink, 1, cv2.LINE_AA)
            x += wide


def _paper(rng: np.random.Generator, image: np.ndarray) -> None:
    """Lines of words, a table of figures, or a blank sheet."""
    image[:] = _grey(rng, 200, 250) if rng.random() < 0.8 else _colour(rng, 150, 250)
    ink, step = _grey(rng, 10, 120) if rng.random() < 0.7 else _colour(rng), int(rng.integers(8, 40))
    for y in range(step, SHEET - 4, step):
        if rng.random() < 0.15:
            continue
        cv2.putText(
            image,
            _letters(rng, int(rng.integers(2, 40))),
            (8, y),
            int(rng.integers(0, 5)),
            step / 30,
            ink,
            1,
            cv2.LINE_AA,
        )
    if rng.random() < 0.3:
        for at in range(0, SHEET, step * 2):
            cv2.line(image, (at, 0), (at, SHEET), ink, 1)
            cv2.line(image, (0, at), (SHEET, at), ink, 1)


def _card(rng: np.random.Generator, image: np.ndarray) -> None:
    """A playing card: white, with pips; near to a tile but for its proportions and thinness."""
    image[:] = _grey(rng, 225, 252)
    ink = (200.0, 20.0, 30.0) if rng.random() < 0.5 else (20.0, 20.0, 20.0)
    for _ in range(rng.integers(1, 9)):
        at = tuple(int(v) for v in rng.integers(40, SHEET - 40, 2))
        cv2.drawMarker(image, at, ink, int(rng.integers(0, 7)), int(rng.integers(15, 50)), int(rng.integers(3, 12)))
    cv2.putText(image, _letters(rng, 1), (10, 50), 0, 1.5, ink, 4, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (SHEET - 1, SHEET - 1), (150.0,) * 3, 2)


def _device(rng: np.random.Generator, image: np.ndarray) -> None:
    """A phone, remote control or calculator: dark plate with bright and round parts."""
    image[:] = _grey(rng, 5, 90)
    for _ in range(rng.integers(1, 12)):
        a = rng.integers(10, SHEET - 60, 2)
        size = rng.integers(10, 60, 2)
        if rng.random() < 0.5:
            cv2.rectangle(image, tuple(map(int, a)), tuple(map(int, a + size)), _colour(rng), -1)
        else:
            cv2.circle(image, tuple(map(int, a)), int(size[0] // 2), _grey(rng, 30, 240), -1, cv2.LINE_AA)


def _plate(rng: np.random.Generator, image: np.ndarray) -> None:
    """A plain lid, cloth, book or box, often as white as a tile."""
    image[:] = _colour(rng) if rng.random() < 0.5 else _grey(rng, 150, 250)
    if rng.random() < 0.4:
        for _ in range(rng.integers(1, 5)):
            a, b = rng.integers(0, SHEET, 2), rng.integers(0, SHEET, 2)
            cv2.rectangle(image, tuple(map(int, a)), tuple(map(int, b)), _colour(rng), int(rng.choice([-1, 3])))


def sheet(rng: np.random.Generator) -> np.ndarray:
    """A texture [256, 256, 3] of some flat thing."""
    image = np.zeros((SHEET, SHEET, 3), np.float32)
    kind = rng.choice(5, p=[0.25, 0.22, 0.18, 0.15, 0.2])
    (_keyboard, _paper, _card, _device, _plate)[kind](rng, image)
    return np.clip(image, 0, 255).astype(np.uint8)


def _rectangle(middle: Pair, size: Pair, yaw: float) -> np.ndarray:
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    base = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) / 2 * size
    return base @ np.array([[c, s], [-s, c]]) + middle


def _at(points: np.ndarray, height: float) -> np.ndarray:
    return np.concatenate([points, np.full((len(points), 1), height)], axis=1)


def slab(
    image: np.ndarray, ids: np.ndarray | None, camera: Camera, outline: np.ndarray, height: float, surface: np.ndarray
) -> None:
    """A flat box on the table: `outline` [4, 2] on the table, `surface` a colour or a texture for
    its top."""
    low, deep = camera.project(_at(outline, 0.0))
    top, near = camera.project(_at(outline, height))
    if min(deep.min(), near.min()) < 1.0 or np.abs(top).max() > 6000:
        return
    colour = np.asarray(surface, np.float32).reshape(-1, 3).mean(0)
    for k in np.argsort(-(deep + np.roll(deep, -1))):
        j = (k + 1) % 4
        side = np.stack([low[k], low[j], top[j], top[k]]).astype(np.int32)
        cv2.fillConvexPoly(image, side, tuple(map(float, colour * (0.45 + 0.1 * k))), cv2.LINE_AA)
        if ids is not None:
            cv2.fillConvexPoly(ids, side, 0)
    flat = np.round(top * 16 - 8).astype(np.int32)
    if np.ndim(surface) == 1:
        cv2.fillConvexPoly(image, flat, tuple(map(float, surface)), cv2.LINE_AA, 4)
    else:
        _paste(image, surface, top)
    if ids is not None:
        cv2.fillConvexPoly(ids, flat, 0, 8, 4)


def _paste(image: np.ndarray, texture: np.ndarray, quad: np.ndarray) -> None:
    """Warps a texture onto a quad of the image."""
    height, width = image.shape[:2]
    low = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, (width, height))
    if (high <= low).any():
        return
    h, w = texture.shape[:2]
    matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32(quad - low))
    size = tuple(int(v) for v in high - low)
    patch = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad - low) * 16 - 8).astype(np.int32), 255, 8, 4)
    cv2.copyTo(patch, mask, image[low[1] : high[1], low[0] : high[0]])


def _disc(
    image: np.ndarray,
    camera: Camera,
    x: float,
    y: float,
    radius: float,
    height: float,
    colours: list[tuple[float, float, float]],
) -> None:
    """A chip, coin, cup or plate: a round box with rings."""
    angle = np.linspace(0, 6.283, 28, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for share, z, colour in [
        (1.0, 0.0, colours[0]),
        (1.0, height, colours[1]),
        (0.85, height, colours[2]),
        (0.5, height, colours[3]),
    ]:
        points, depth = camera.project(_at(ring * radius * share + (x, y), z))
        if depth.min() < 1 or np.abs(points).max() > 6000:
            return
        if z > 0 and share == 1.0:
            low, _ = camera.project(_at(ring * radius + (x, y), 0.0))
            points_all = cv2.convexHull(np.float32(np.concatenate([low, points])))[:, 0]
            cv2.fillConvexPoly(image, np.int32(points_all), tuple(c * 0.6 for c in colour), cv2.LINE_AA)
        cv2.fillConvexPoly(image, np.int32(points), colour, cv2.LINE_AA)


def _place(rng: np.random.Generator, reach: int) -> np.ndarray:
    return rng.uniform(-reach, reach, 2)


def _thing(
    rng: np.random.Generator, image: np.ndarray, camera: Camera, sheets: list[np.ndarray], place: np.ndarray
) -> None:
    """Draws an object on the table at `place`."""
    kind = rng.random()
    if kind < 0.5:
        size = rng.uniform(1.5, 9, 2)
        texture = sheets[rng.integers(0, len(sheets))]
        slab(image, None, camera, _rectangle(place, size, rng.uniform(0, 360)), rng.choice([0.02, 0.3, 0.7]), texture)
    elif kind < 0.75:
        colours = [_colour(rng) for _ in range(4)]
        radius, height = rng.uniform(0.3, 2.2), rng.choice([0.05, 0.15, 2.0])
        for k in range(rng.integers(1, 6)):
            _disc(image, camera, place[0] + k * radius * 1.3, place[1], radius, height, colours)
    elif kind < 0.88:
        for _ in range(rng.integers(1, 5)):
            x, y = place + rng.normal(0, 1.5, 2)
            slab(
                image,
                None,
                camera,
                _rectangle((x, y), (0.55, 0.55), rng.uniform(0, 360)),
                0.55,
                np.array(_grey(rng, 190, 250)),
            )
    else:
        slab(
            image,
            None,
            camera,
            _rectangle(place, (rng.uniform(3, 12), rng.uniform(0.15, 0.6)), rng.uniform(0, 360)),
            0.3,
            np.array(_colour(rng)),
        )


def ground_things(
    rng: np.random.Generator, image: np.ndarray, camera: Camera, sheets: list[np.ndarray], busy: bool
) -> None:
    """Objects that lie under or between the tiles."""
    count = rng.integers(2, 9) if busy else rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1])
    for _ in range(count):
        _thing(rng, image, camera, sheets, _place(rng, 8 if not busy else 5))


def rack(
    rng: np.random.Generator, dims: tuple[float, float, float], turn: float, textures: list[np.ndarray]
) -> tuple[np.ndarray, float, np.ndarray, bool]:
    """A rack or table edge along the hand: (outline, height, surface, whether it is in front)."""
    depth, gap = rng.uniform(0.5, 5), rng.uniform(0.0, 0.4)
    front = rng.random() < 0.8
    middle = dims[1] / 2 + gap + depth / 2
    angle = np.radians(turn)
    away = np.array([-np.sin(angle), np.cos(angle)]) * (-middle if front else middle)
    side = np.array([np.cos(angle), np.sin(angle)]) * rng.normal(0, 3)
    outline = _rectangle(away + side, (rng.uniform(12, 40), depth), turn)
    if rng.random() < 0.6:
        surface = np.array(_grey(rng, 190, 245) if rng.random() < 0.5 else _colour(rng))
    else:
        surface = textures[rng.integers(0, len(textures))][:256]
    return outline, float(rng.choice([0.02, rng.uniform(0.1, 0.9)])), surface, front


def tray(
    rng: np.random.Generator, image: np.ndarray, camera: Camera, items: list[Item], dims: tuple[float, float, float]
) -> None:
    """A shallow box around the main group, usually dark."""
    xy = np.array([(i.x, i.y) for i in items])
    low, high = xy.min(0) - dims[1] * 0.55, xy.max(0) + dims[1] * 0.55
    middle, size = (low + high) / 2, high - low
    colour = np.array(_grey(rng, 10, 70) if rng.random() < 0.7 else _colour(rng))
    slab(
        image,
        None,
        camera,
        _rectangle(middle, size + rng.uniform(0.1, 0.8), 0),
        rng.uniform(0.05, 0.3),
        colour * 1.4,
    )
    slab(image, None, camera, _rectangle(middle, size, 0), 0.02, colour)


def _skin(rng: np.random.Generator) -> np.ndarray:
    tone = rng.random()
    return np.array([235, 190, 160]) * (1 - tone) + np.array([110, 70, 50]) * tone + rng.normal(0, 8, 3)


def fingers(rng: np.random.Generator, image: np.ndarray, ids: np.ndarray, width: float) -> None:
    """A hand that comes from the picture's edge, fingers `width` pixels thick, over the tiles."""
    size = image.shape[0]
    layer, mask = image.copy(), np.zeros(image.shape[:2], np.uint8)
    skin, tip = _skin(rng), rng.uniform(0.1, 0.9, 2) * size
    angle = rng.uniform(0, 6.283)
    palm = tip + np.array([np.cos(angle), np.sin(angle)]) * width * 4
    arm = tip + np.array([np.cos(angle), np.sin(angle)]) * size * 1.5
    parts = [(palm, arm, 3.4)]
    for k in range(rng.integers(1, 5)):
        side = np.array([-np.sin(angle), np.cos(angle)]) * width * (k - 1.5)
        parts.append((tip + side + rng.normal(0, width * 0.4, 2), palm + side * 0.7, 1.0))
    for a, b, thick in parts:
        a, b = tuple(int(v) for v in a), tuple(int(v) for v in b)
        for share, light in ((1.0, 0.75), (0.8, 0.95), (0.45, 1.08)):
            cv2.line(
                layer,
                a,
                b,
                tuple(map(float, np.clip(skin * light, 0, 255))),
                max(1, int(width * thick * share)),
                cv2.LINE_AA,
            )
        cv2.line(mask, a, b, 255, max(1, int(width * thick)))
    layer = cv2.blur(layer, (int(width * 0.3) | 1,) * 2)
    cv2.copyTo(layer, mask, image)
    ids[mask > 0] = 0


def cover(rng: np.random.Generator, image: np.ndarray, ids: np.ndarray, sheets: list[np.ndarray]) -> None:
    """A paper, cup or book that lies over the picture's margin."""
    size = image.shape[0]
    middle = rng.choice([-0.05, 1.05], 2) * size if rng.random() < 0.7 else rng.uniform(0, 1, 2) * size
    quad = _rectangle(middle, rng.uniform(0.1, 0.6, 2) * size, rng.uniform(0, 360))[::-1]
    _paste(image, sheets[rng.integers(0, len(sheets))], quad)
    cv2.fillConvexPoly(ids, np.int32(quad), 0)
