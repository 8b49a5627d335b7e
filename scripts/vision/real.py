"""The shared real photos, by split, with the stretch of their upload undone.

Purpose: one loader for training (split "train"), thresholds and calibration ("validation"), and
measurement ("test", and "sets" of collections that came later).
Input: the folder of shared data (never part of this repository) and datasets/splits.json, which
holds facts only: scene, split, kind, true aspect ratio, and whether every face in view is labelled.
Output: `RealPhoto` records whose boxes and pictures share one coordinate system.
Invariant: a photo whose stem is not in splits.json is never loaded, so nothing unsorted can leak
from a held-out scene into training.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .corrections import corrected
from .faces_series import BONUS

if TYPE_CHECKING:
    pass


if TYPE_CHECKING:
    pass


SPLITS = Path(__file__).resolve().parents[2] / "datasets" / "splits.json"
FOLDERS = {
    "roboflow": "roboflow-chinese-mahjong-detection",
    "leo-miura": "leo-miura-riichi-table",
    "rethink-bonus": "roboflow-rethink-bonus",
    "riichi-sets": "roboflow-riichi-sets",
}
# Collections whose boxes of bonus tiles cover only the numeral or the character on the tile.
NUMERALS_ONLY = {"rethink-bonus"}
# The uploads are 640 pixels a side. Widening the squeezed side keeps every pixel of detail, so the
# short side of an un-stretched photo stays 640.
SHORT_SIDE = 640


@dataclass(frozen=True)
class RealTile:
    """A labelled tile: class code and axis-aligned box (x, y, w, h) in pixels of the un-stretched
    photo; `whole` unless the box covers only the tile's numeral."""

    code: str
    box: tuple
    whole: bool = True


@dataclass
class RealPhoto:
    """A labelled photo; `size` is (width, height) after the stretch is undone, and boxes are in
    it."""

    stem: str
    path: Path
    size: tuple
    tiles: list
    scene: str
    split: str
    kind: str
    dataset: str
    exhaustive: bool
    augmented: bool
    greyscale: bool
    loose_boxes: bool
    mirrored: bool
    cached: dict = field(default_factory=dict, repr=False)

    def image(self, long_side=None, cache=False):
        """RGB uint8 array at true aspect, never a mirror image. With `long_side` it is scaled to
        that; boxes(long_side) follows.

        `cache` keeps the decoded array in memory: the 1,271 training photos at 640 need 1 GB.
        """
        if long_side in self.cached:
            return self.cached[long_side]
        import cv2

        picture = cv2.cvtColor(cv2.imread(str(self.path)), cv2.COLOR_BGR2RGB)
        if self.mirrored:
            picture = cv2.flip(picture, 1)
        width, height = self.scaled_size(long_side)
        shrinks = width * height < picture.shape[0] * picture.shape[1]
        how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        picture = cv2.resize(picture, (width, height), interpolation=how)
        if cache:
            self.cached[long_side] = picture
        return picture

    def scaled_size(self, long_side: int | None = None) -> tuple[int, int]:
        """(width, height) of image(long_side)."""
        if long_side is None:
            return self.size
        scale = long_side / max(self.size)
        width, height = (max(1, round(side * scale)) for side in self.size)
        return width, height

    def boxes(self, long_side=None):
        """[(class, x, y, w, h)] of the tiles with whole boxes, in pixels of image(long_side)."""
        return self._scaled(long_side, whole=True)

    def numerals(self, long_side=None):
        """[(class, x, y, w, h)] of the tiles of which only the numeral has a box."""
        return self._scaled(long_side, whole=False)

    def _scaled(self, long_side, whole):
        width, height = self.scaled_size(long_side)
        fx, fy = width / self.size[0], height / self.size[1]
        return [
            (t.code, t.box[0] * fx, t.box[1] * fy, t.box[2] * fx, t.box[3] * fy) for t in self.tiles if t.whole == whole
        ]


def load_real(shared, split=None, splits_file=SPLITS):
    """All photos of `split` ("train", "validation", "test", "sets"; None for the first three),
    sorted by stem.

    Raises FileNotFoundError when the shared folder has no photos.
    """
    root = Path(shared) / "photos"
    if not root.is_dir():
        raise FileNotFoundError(f"no real photos under {root}; pass --shared PATH or set TILESIGHT_SHARED")
    facts = json.loads(Path(splits_file).read_text())
    wanted = ("train", "validation", "test") if split is None else (split,)
    photos = []
    for stem in sorted(facts):
        if facts[stem]["split"] in wanted:
            photos.append(_load_one(root / FOLDERS[facts[stem]["dataset"]], stem, facts[stem]))
    return photos


def _load_one(folder: Path, stem: str, facts: dict[str, Any]) -> RealPhoto:
    label = json.loads((folder / "labels" / f"{stem}.json").read_text())
    size = true_size(label["width"], label["height"], facts["aspect"])
    fx, fy = size[0] / label["width"], size[1] / label["height"]
    labels, _ = corrected(stem, label["tiles"])
    mirrored = facts.get("mirrored", False)
    if mirrored:
        labels = mirrored_labels(labels, label["width"])
    tiles = [
        RealTile(
            t["class"], (t["x"] * fx, t["y"] * fy, t["w"] * fx, t["h"] * fy), is_whole(facts["dataset"], t["class"])
        )
        for t in labels
    ]
    return RealPhoto(
        stem=stem,
        path=folder / "images" / Path(label["image"]).name,
        size=size,
        tiles=tiles,
        scene=facts["scene"],
        split=facts["split"],
        kind=facts["kind"],
        dataset=facts["dataset"],
        exhaustive=facts["exhaustive"],
        augmented=facts["augmented"],
        greyscale=bool(label.get("greyscale")),
        loose_boxes=bool(label.get("loose_boxes")),
        mirrored=mirrored,
    )


def is_whole(dataset, code):
    """Tells whether the boxes of this class cover the whole tile."""
    return dataset not in NUMERALS_ONLY or code not in BONUS


def mirrored_labels(labels, width):
    """Labels of the same photo seen in a mirror."""
    return [{**label, "x": width - label["x"] - label["w"]} for label in labels]


def true_size(width, height, aspect):
    """Size with the stretch to a square undone; photos that are not square were restored
    upstream."""
    if width != height:
        return width, height
    if aspect >= 1:
        return round(SHORT_SIDE * aspect), SHORT_SIDE
    return SHORT_SIDE, round(SHORT_SIDE / aspect)
