"""Things that lie or stand around a table, drawn here: chairs, hands, pages, devices, cloth.

Input: a random generator and the size of a thing's parts in pixels: slats, fingers, words, keys,
motifs. Output: a picture with transparency. They are drawings, not photos; their parts have the
proportions of tiles, since that is what misleads. Needs Pillow.
"""

from __future__ import annotations

import random
from typing import Any

INKS = ((25, 25, 30), (170, 30, 35), (30, 60, 140), (20, 100, 60))
SKIN = ((224, 180, 152), (198, 150, 120), (150, 105, 80), (236, 200, 176))
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"


def _canvas(width: float, height: float) -> tuple[Any, Any]:
    from PIL import Image, ImageDraw

    picture = Image.new("RGBA", (max(4, int(width)), max(4, int(height))))
    return picture, ImageDraw.Draw(picture)


def _write(draw: Any, at: tuple[float, float], text: str, size: float, ink: tuple[int, ...]) -> None:
    from PIL import ImageFont

    draw.text(at, text, fill=ink, font=ImageFont.load_default(size=max(6, int(size))))


def _colour(rng: random.Random, low: int = 30, high: int = 225) -> tuple[int, ...]:
    return tuple(rng.randint(low, high) for _ in range(3))


def _pale(rng: random.Random) -> tuple[int, ...]:
    value = rng.randint(205, 250)
    return tuple(max(0, value - rng.randint(0, 14)) for _ in range(3))


def chair(rng: random.Random, part: float) -> Any:
    """The back of a chair: slats, or a moulded shell with slots."""
    columns = rng.randint(3, 5)
    picture, draw = _canvas((1.5 * columns + 0.8) * part, 3.2 * part)
    width, height = picture.size
    shell, gap = (_pale(rng), _colour(rng, 30, 110)) if rng.random() < 0.6 else (_colour(rng, 60, 150), _pale(rng))
    draw.rounded_rectangle([0, 0, width - 1, height - 1], part * 0.5, fill=(*shell, 255))
    for line in range(2):
        for column in range(columns):
            x, y = (0.6 + 1.5 * column) * part, (0.25 + 1.5 * line) * part
            draw.rounded_rectangle([x, y, x + part, y + 1.3 * part], part * 0.12, fill=(*gap, 255))
    return picture


def hand(rng: random.Random, part: float) -> Any:
    """A hand whose fingers point downwards, with nails."""
    picture, draw = _canvas(5.2 * part, 6.0 * part)
    skin = rng.choice(SKIN)
    shade, nail = tuple(v - 35 for v in skin), tuple(min(255, v + 28) for v in skin)
    draw.ellipse([0.3 * part, -1.5 * part, 4.9 * part, 3.6 * part], fill=(*skin, 255))
    for finger in range(4):
        x, length = (0.35 + 1.15 * finger) * part, rng.uniform(4.4, 5.8) * part
        box = [x, 1.6 * part, x + part, length]
        draw.rounded_rectangle(box, part * 0.45, fill=(*skin, 255), outline=(*shade, 255), width=max(1, int(part / 14)))
        tip = [x + 0.2 * part, length - 0.85 * part, x + 0.8 * part, length - 0.1 * part]
        draw.rounded_rectangle(tip, part * 0.25, fill=(*nail, 255))
    return picture


def page(rng: random.Random, part: float) -> Any:
    """A printed page: lines of words, or a form with a figure in each box."""
    columns, lines = rng.randint(4, 6), rng.randint(2, 4)
    picture, draw = _canvas((1.6 * columns + 0.5) * part, (1.55 * lines + 0.5) * part)
    width, height = picture.size
    draw.rectangle([0, 0, width - 1, height - 1], fill=(*_pale(rng), 255))
    is_form = rng.random() < 0.5
    for line in range(lines):
        ink = (*rng.choice(INKS), 255)
        for column in range(columns):
            x, y = (0.3 + 1.6 * column) * part, (0.3 + 1.55 * line) * part
            if is_form:
                draw.rectangle([x, y, x + 1.6 * part, y + 1.55 * part], outline=ink, width=max(1, int(part / 20)))
            word = "".join(rng.sample(LETTERS, 1 if is_form else rng.randint(2, 3)))
            _write(draw, (x + 0.15 * part, y + 0.15 * part), word, part if is_form else 0.8 * part, ink)
    return picture


def device(rng: random.Random, part: float) -> Any:
    """A phone with a grid of pictures, or the keys of a keyboard or a calculator."""
    columns, lines = rng.randint(3, 5), rng.randint(3, 4)
    picture, draw = _canvas((1.3 * columns + 0.6) * part, (1.3 * lines + 0.6) * part)
    width, height = picture.size
    dark = rng.random() < 0.6
    body = _colour(rng, 12, 45) if dark else _colour(rng, 150, 200)
    draw.rounded_rectangle([0, 0, width - 1, height - 1], part * 0.4, fill=(*body, 255))
    keys = rng.random() < 0.5
    for line in range(lines):
        for column in range(columns):
            x, y = (0.5 + 1.3 * column) * part, (0.5 + 1.3 * line) * part
            fill = _pale(rng) if keys else _colour(rng)
            draw.rounded_rectangle([x, y, x + part, y + part], part * 0.15, fill=(*fill, 255))
            _write(draw, (x + 0.2 * part, y + 0.1 * part), rng.choice(LETTERS), part * 0.7, (*rng.choice(INKS), 255))
    return picture


def cloth(rng: random.Random, part: float) -> Any:
    """A shirt or a scarf with a motif that repeats: patches, dots or flowers."""
    columns, lines = rng.randint(5, 7), rng.randint(3, 4)
    picture, draw = _canvas(1.5 * columns * part, 1.8 * lines * part)
    width, height = picture.size
    draw.rounded_rectangle([0, 0, width - 1, height - 1], part, fill=(*_colour(rng), 255))
    patch, ink, kind = _pale(rng), rng.choice(INKS), rng.randrange(3)
    for line in range(lines):
        for column in range(columns):
            x, y = (0.2 + 1.5 * column) * part, (0.2 + 1.8 * line) * part
            _motif(draw, kind, (x, y), part, ((*patch, 255), (*ink, 255)))
    return picture


def _motif(draw: Any, kind: int, at: tuple[float, float], part: float, colours: Any) -> None:
    (x, y), (patch, ink) = at, colours
    if kind == 0:
        draw.rectangle([x, y, x + part, y + 1.35 * part], fill=patch)
        draw.ellipse([x + 0.25 * part, y + 0.4 * part, x + 0.75 * part, y + 0.9 * part], fill=ink)
    elif kind == 1:
        draw.ellipse([x, y, x + part, y + 1.2 * part], fill=patch, outline=ink, width=max(1, int(part / 10)))
    else:
        for dx, dy in ((0.0, 0.35), (0.5, 0.35), (0.25, 0.0), (0.25, 0.7)):
            petal = [x + dx * part, y + dy * part, x + (dx + 0.5) * part, y + (dy + 0.5) * part]
            draw.ellipse(petal, fill=patch, outline=ink)


KINDS = {"chairs": chair, "hands": hand, "pages": page, "devices": device, "cloth": cloth}
