"""The printed faces of one near-photographic scene, as pictures that Blender can load.

Input: a scene's seed. Output: one transparent PNG for each face in a folder.
Invariant: the art is this project's own drawing (vision.faces.generate_set), and a set of a seed
that no training uses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

from vision import cycles_prints, faces


def write_faces(seed: int, folder: Path, ink: Any = None, with_things: bool = False) -> None:
    """Draws the whole set of `seed` into `folder`/CODE.png, in the inks of a dark set if `ink`
    names some, and what lies on things."""
    drawn = faces.generate_set(seed)
    pictures = [(code, cycles_prints.inked(drawn.face(code), ink)) for code in drawn.codes]
    for name, picture in pictures + (list(cycles_prints.things(drawn)) if with_things else []):
        Image.fromarray(picture, "RGBA").save(Path(folder) / f"{name}.png")
