"""Pictures without any tile, drawn here: keyboards, consoles, cloth, wood. Needs Pillow.

Input: a folder. Output: `metrics.Photo` without tiles, so that every tile of a reading's hand is a
false alarm. They are drawings, not photos: they show whether rows of keys or of blocks are taken
for a hand, and no more. No real photo without tiles was to be had. Every picture follows from its
number.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.metrics import Photo

if TYPE_CHECKING:
    import numpy as np


SIZE = (1280, 960)
EACH = 50
KEYS = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"


def photos(folder: Path) -> list[Any]:
    """The pictures, drawn where they are not there yet."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for kind, draw in KINDS.items():
        for number in range(EACH):
            path = folder / f"{kind}-{number:02}.jpg"
            if not path.exists():
                _photograph(draw(random.Random(f"{kind} {number}")), random.Random(number)).save(path, quality=85)
            made.append(Photo(str(path), "drawn without tiles", kind, "blank", [], exhaustive=True))
    return made


def _photograph(picture, rng: np.random.Generator):
    """Seen at an angle, slightly out of focus, lit from one side."""
    from PIL import Image, ImageChops, ImageFilter

    w, h = SIZE
    lean = rng.uniform(0.0, 0.25) * w
    turned = picture.rotate(rng.uniform(-20, 20), Image.BICUBIC, fillcolor=picture.getpixel((2, 2)))
    tilted = turned.transform(SIZE, Image.QUAD, (lean, 0, 0, h, w, h, w - lean, 0), Image.BICUBIC)
    light = (
        Image.linear_gradient("L")
        .rotate(rng.choice((0, 90, 180, 270)))
        .resize(SIZE)
        .point(lambda v: 150 + v * 105 // 255)
    )
    lit = ImageChops.multiply(tilted, Image.merge("RGB", (light,) * 3))
    return lit.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 1.6)))


def _sheet(colour: Any) -> tuple[Any, Any]:
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, colour)
    return picture, ImageDraw.Draw(picture)


def _font(size: int):
    from PIL import ImageFont

    return ImageFont.load_default(size=size)


def _grey(rng: np.random.Generator, low: int, high: int) -> tuple[int, ...]:
    value = rng.randint(low, high)
    return tuple(max(0, min(255, value + rng.randint(-8, 8))) for _ in range(3))


def _keyboard(rng: np.random.Generator):
    dark = rng.random() < 0.5
    picture, draw = _sheet(_grey(rng, 20, 60) if dark else _grey(rng, 140, 200))
    key, ink = (_grey(rng, 30, 80), "white") if dark else (_grey(rng, 220, 250), "black")
    pitch, top = rng.randint(60, 105), rng.randint(60, 240)
    for line in range(5):
        for column in range(SIZE[0] // pitch):
            x, y = column * pitch + line * pitch // 4 + 8, top + line * pitch
            draw.rounded_rectangle([x, y, x + pitch - 10, y + pitch - 8], 8, fill=key, outline=_grey(rng, 90, 130))
            draw.text((x + pitch // 4, y + pitch // 6), rng.choice(KEYS), fill=ink, font=_font(pitch // 3))
    return picture


def _console(rng: np.random.Generator):
    picture, draw = _sheet(_grey(rng, 20, 90))
    for _ in range(rng.randint(2, 4)):
        x, y, size, gap = rng.randint(40, 300), rng.randint(60, 760), rng.randint(40, 90), rng.randint(6, 40)
        colour = tuple(rng.randint(40, 255) for _ in range(3))
        for k in range(rng.randint(4, 12)):
            box = [x + k * (size + gap), y, x + k * (size + gap) + size, y + rng.choice((size, size * 4 // 3))]
            (draw.ellipse if rng.random() < 0.4 else draw.rectangle)(box, fill=colour, outline="white", width=2)
            draw.text((box[0] + size // 3, y + size // 4), str(rng.randint(0, 9)), fill="black", font=_font(size // 2))
    return picture


def _cloth(rng: np.random.Generator):
    picture, draw = _sheet(tuple(rng.randint(30, 220) for _ in range(3)))
    pitch = rng.randint(24, 90)
    colours = [tuple(rng.randint(0, 255) for _ in range(3)) for _ in range(3)]
    for y in range(0, SIZE[1], pitch):
        for x in range(0, SIZE[0], pitch):
            box = [x + 3, y + 3, x + pitch - 5, y + pitch * 3 // 4]
            rng.choice((draw.rectangle, draw.ellipse))(box, fill=colours[(x // pitch + y // pitch) % 3])
    return picture


def _wood(rng: np.random.Generator):
    from PIL import Image

    base = (rng.randint(110, 190), rng.randint(70, 120), rng.randint(30, 70))
    noise = Image.frombytes("L", (24, 240), rng.randbytes(24 * 240)).resize(SIZE, Image.BICUBIC)
    return Image.merge("RGB", [noise.point(lambda v, b=b: max(0, min(255, b + (v - 128) // 3))) for b in base])


KINDS = {"keyboard": _keyboard, "console": _console, "cloth": _cloth, "wood": _wood}
