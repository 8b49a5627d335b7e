"""Photos like phones write them, made of our own samples, or drawn.

Input: a kind of photos. Output: JPEG, HEIC or AVIF files. The samples are enlarged, or put side by
side until many tiles are in view, and have a sensor's noise; so have drawn tables. Needs Pillow,
pillow-heif for HEIC, and OpenCV for tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import phone_tables

SAMPLES = Path(__file__).resolve().parents[2] / "datasets" / "samples"
# Samples that lie, that show about twenty tiles, and whose hands are read.
ONES = ("900001", "900004", "900007", "900010", "900014")
# A phone's noise in daylight, in grey levels, which brings 12 megapixels to some 3 MB at the
# quality that phones write.
NOISE, QUALITY = 9.0, 90
# Where no sample lies.
CLOTH = (40, 90, 60)


@dataclass(frozen=True)
class Kind:
    """Photos of a kind: their pixels, samples in a row and in all (none where a whole table is
    drawn), and the milliseconds that a photo may take."""

    name: str
    size: tuple
    grid: int = 1
    samples: int = 1
    photos: int = 5
    max_ms: float | None = None
    ending: str = "jpg"
    quality: int = QUALITY


def scene(kind: Kind, first: int):
    """A picture of samples side by side, or of a table."""
    from PIL import Image

    if not kind.samples:
        return phone_tables.picture(first, kind.size)
    wide, high = (side // kind.grid for side in kind.size)
    picture = Image.new("RGB", kind.size, CLOTH)
    for place in range(kind.samples):
        sample = Image.open(SAMPLES / f"{ONES[(first + place) % len(ONES)]}.jpg").convert("RGB")
        picture.paste(sample.resize((wide, high), Image.BICUBIC), (place % kind.grid * wide, place // kind.grid * high))
    return picture


def noisy(picture):
    """Adds noise to a picture: in each channel its own, in spots of about two pixels, as a sensor's
    is after its colours were interpolated."""
    from PIL import Image, ImageChops, ImageFilter

    def grain(channel):
        noise = Image.effect_noise(picture.size, NOISE * 2).filter(ImageFilter.GaussianBlur(0.7))
        return ImageChops.add(channel, noise, scale=1, offset=-128)

    return Image.merge("RGB", [grain(channel) for channel in picture.split()])


def written(kind: Kind, folder: Path) -> list[Any]:
    """The photos of a kind as files; those that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number in range(kind.photos):
        name = f"{kind.name} {kind.samples} {number}".replace(",", "").replace(" ", "-")
        files.append(folder / f"{name}.{kind.ending}")
        if not files[-1].exists():
            picture = scene(kind, number)
            if kind.size != (1280, 960):
                picture = noisy(picture)
            picture.save(files[-1], quality=kind.quality, **({"subsampling": "4:2:0"} if kind.ending == "jpg" else {}))
    return files
