"""Small requests that cost a service much: what the attackers of a siege send.

Input: a sample photo with its ground truth, and a folder. Output: one file for each body. Pictures
need Pillow; the rest needs the standard library only. Each body is one that the service accepts:
what is refused by its size or its header costs nothing.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

SUITS = "mps"
KINDS = [f"{number}{suit}" for suit in SUITS for number in range(1, 10)] + list("ESWNCFP")
# A riichi hand with an unknown winning tile and no word about its context: it is scored in every
# context.
HAND = "2m3m4m5m6m7m2p3p4p6s7s8s5s5s"
# The largest side of a picture that the service takes by default is bounded by its pixels: 49
# megapixels.
SIDE = 7000
GRID = (12, 12)
TILE = (40, 54)


def tiles_of(hand: str) -> list[str]:
    """The codes of a hand's tiles."""
    return [hand[at : at + 2] for at in range(0, len(hand), 2)]


def answers(doubts: int, alternatives: int) -> bytes:
    """A reading with so many doubts of so many alternatives each, of which every answer makes
    another hand."""
    tiles = tiles_of(HAND)

    def doubt(number: int) -> dict[str, Any]:
        place = number % len(tiles)
        others = [kind for kind in KINDS if kind != tiles[place] and tiles.count(kind) < 4]
        named = [tiles[place], *others][:alternatives]

        def answer(kind: str) -> dict[str, Any]:
            hand = [*tiles[:place], kind, *tiles[place + 1 :]]
            return {
                "answer": kind,
                "p": round(1 / len(named), 3),
                "total": None,
                "hand": "".join(sorted(hand, key=KINDS.index)),
            }

        return {
            "id": f"tile-{number}",
            "kind": "tile",
            "tiles": [number],
            "question": "?",
            "affects_score": True,
            "alternatives": [answer(kind) for kind in named],
        }

    reading = {"hand": {"notation": HAND}, "doubts": [doubt(number) for number in range(doubts)]}
    return json.dumps({"reading": reading, "context": {"ruleset": "riichi-ema"}}).encode()


def large_png() -> bytes:
    """A PNG of some kilobytes whose pixels have one bit each, and are all the same."""
    return png(bytes([1, 0, 0, 0, 0]), bytes(1 + (SIDE + 7) // 8) * SIDE)


def huge_png() -> bytes:
    """A PNG that claims many pixels and holds few."""
    return png(bytes([8, 2, 0, 0, 0]), bytes(200_000))


def png(kind: bytes, rows: bytes) -> bytes:
    """A PNG of SIDE by SIDE pixels of this kind, with these rows."""
    head = SIDE.to_bytes(4, "big") * 2 + kind
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


def pictures(photo: Path, truth: Path) -> dict[str, bytes]:
    """{name: bytes} of pictures: a grid of one tile of the photo, a white AVIF, a plain WebP
    without loss."""
    import io

    from PIL import Image

    tile = json.loads(truth.read_text())["tiles"][0]
    across, down = zip(*tile["polygon"], strict=True)
    face = Image.open(photo).convert("RGB").crop((min(across), min(down), max(across), max(down))).resize(TILE)
    gap = 6
    grid = Image.new("RGB", tuple(count * (side + gap) + gap for count, side in zip(GRID, TILE, strict=True)), "green")
    for column in range(GRID[0]):
        for row in range(GRID[1]):
            grid.paste(face, (gap + column * (TILE[0] + gap), gap + row * (TILE[1] + gap)))

    def written(picture: Image.Image, **options: Any):
        file = io.BytesIO()
        picture.save(file, **options)
        return file.getvalue()

    plain = Image.new("RGB", (4000, 4000), "white")
    return {
        "grid.jpg": written(grid, format="JPEG", quality=50),
        "white.avif": written(plain, format="AVIF", quality=60),
        "white.webp": written(plain, format="WEBP", lossless=True),
        # The photo that the rows of a job repeat: small, so that a thousand of it are sent soon.
        "row.jpg": written(Image.open(photo).convert("RGB").resize((640, 480)), format="JPEG", quality=60),
    }


def write(photo: Path, truth: Path, folder: Path) -> Path:
    """Writes all bodies into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    bodies = {
        "answers-large.json": answers(64, 24),
        "answers-small.json": answers(1, 9),
        "large.png": large_png(),
        **pictures(photo, truth),
    }
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
    return folder


def load(folder: Path) -> dict[str, bytes]:
    """{name: bytes} of the bodies in a folder."""
    return {file.name: file.read_bytes() for file in sorted(Path(folder).iterdir())}
