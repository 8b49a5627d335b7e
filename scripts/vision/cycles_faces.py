"""The printed faces of one near-photographic scene, as pictures that Blender can load.

Input: a scene's seed. Output: one transparent PNG for each face in a folder.
Invariant: the art is this project's own drawing (vision.faces.generate_set), and a set of a seed that no training uses.
"""
from pathlib import Path

from PIL import Image

from vision import faces


def write_faces(seed, folder):
    """Draws the whole set of `seed` into `folder`/CODE.png."""
    drawn = faces.generate_set(seed)
    for code in drawn.codes:
        Image.fromarray(drawn.face(code), "RGBA").save(Path(folder) / f"{code}.png")
