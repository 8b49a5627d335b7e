"""Photos and crops with their truth: shared real photos, unseen-set crops, our own renders. Needs
Pillow for real photos only.

Input: the folder of shared data (optional) and this repository. Output: `metrics.Photo` lists and
crops.
Invariant: only photos that datasets/splits.json holds out are ever measured; shared pictures are
written un-stretched to a folder under out/ and never to the repository.
"""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from vision.corrections import corrected
from vision.real import FOLDERS, is_whole, mirrored_labels, true_size

from evaluation.geometry import bounds
from evaluation.metrics import Photo, TruthTile

ROOT = Path(__file__).resolve().parents[2]
# A whole hand: 13 tiles (waiting) to 18 (four kongs); flowers are counted by the reading too.
HAND_SIZES = range(13, 19)


def real_photos(shared: str | Path, work: Path, splits: Sequence[str] = ("validation", "test")) -> list[Any]:
    """The held-out real photos, un-stretched into `work`. Strips squeezed beyond use are left
    out."""
    facts = json.loads((ROOT / "datasets" / "splits.json").read_text())
    work.mkdir(parents=True, exist_ok=True)
    photos = []
    return photos + [
        _real_photo(Path(shared) / "photos" / FOLDERS[fact["dataset"]], stem, fact, work)
        for stem, fact in sorted(facts.items())
        if fact["split"] in splits and fact["kind"] != "strip"
    ]


def _real_photo(folder: Path, stem: str, facts: dict[str, Any], work: Path) -> Photo:
    label = json.loads((folder / "labels" / f"{stem}.json").read_text())
    size = true_size(label["width"], label["height"], facts["aspect"])
    path = work / f"{stem}.jpg"
    mirrored = facts.get("mirrored", False)
    if not path.exists():
        _unstretch(folder / "images" / Path(label["image"]).name, size, mirrored, path)
    scale = size[0] / label["width"], size[1] / label["height"]
    tiles, elsewhere = corrected(stem, label["tiles"])
    labels = label["tiles"]
    if mirrored:
        labels, tiles = (mirrored_labels(some, label["width"]) for some in (labels, tiles))
    as_labelled = _labelled(path, facts, labels, scale)
    return replace(_labelled(path, facts, tiles, scale, elsewhere), as_labelled=as_labelled)


def _labelled(
    path: str | Path,
    facts: dict[str, Any],
    labels: list[dict[str, Any]],
    scale: tuple[int, int],
    elsewhere: Set[int] = frozenset(),
) -> Photo:
    """A real photo with these labels; those with the numbers in `elsewhere` are not of the hand."""

    def box(label: dict[str, Any]) -> tuple[int, int, int, int]:
        return label["x"] * scale[0], label["y"] * scale[1], label["w"] * scale[0], label["h"] * scale[1]

    tiles = [
        TruthTile(
            label["class"],
            box(label),
            role="ignored" if number in elsewhere else None,
            numeral=not is_whole(facts["dataset"], label["class"]),
        )
        for number, label in enumerate(labels)
    ]
    of_hand = facts["kind"] == "hand" and len(tiles) - len(elsewhere) in HAND_SIZES and not facts["beyond_hand"]
    return Photo(
        path=str(path),
        source=facts["dataset"],
        scene=facts["scene"],
        kind=facts["kind"],
        tiles=tiles,
        split=facts["split"],
        exhaustive=facts["exhaustive"],
        closed=not facts["beyond_hand"] and not elsewhere,
        labels_are_hand=of_hand,
    )


def _unstretch(source, size, mirrored, path):
    from PIL import Image, ImageOps

    picture = Image.open(source).convert("RGB").resize(size, Image.BICUBIC)
    (ImageOps.mirror(picture) if mirrored else picture).save(path, quality=95)


def samples(folder: Path) -> list[Photo]:
    """Our own rendered scenes: every tile in view is known, and so is the hand."""
    return [sample(path) for path in sorted(Path(folder).glob("*.json")) if not path.name.endswith(".context.json")]


def sample(path: Path) -> Photo:
    """A rendered scene, by the file of its truth."""
    truth = json.loads(path.read_text())
    known = ("visible", "polygon", "role", "sideways", "standing", "face_up")
    tiles = [TruthTile(t["tile"], bounds(t["polygon"]), **{name: t[name] for name in known}) for t in truth["tiles"]]
    return Photo(
        path=str(path.with_name(truth["image"])),
        source="our renders",
        scene=str(truth["seed"]),
        kind="standing" if truth["layout"]["standing"] else "hand",
        tiles=tiles,
        exhaustive=True,
        hand=truth["hand"],
    )


def crop_margin(models: Path):
    """Margin beyond the tile that the classifier of these models looks at, from their manifest."""
    return json.loads((Path(models) / "manifest.json").read_text())["classifier"]["margin"]


def crops(shared: str | Path, work: Path, margin: float) -> list[Any]:
    """The unseen-set crops, made ready in `work`: [(path, class)].

    Each shows one tile from edge to edge. The classifier's crops reach beyond the tile by `margin`,
    so the edge pixels are continued outwards, which is what the program's warp does for a tile at a
    photo's edge.
    """
    folder = Path(shared) / "photos" / "camerash-crops"
    work.mkdir(parents=True, exist_ok=True)
    pairs = []
    for path in sorted((folder / "labels").glob("*.json")):
        label = json.loads(path.read_text())
        ready = work / f"{path.stem}-{margin}.png"
        if not ready.exists():
            _continue_edges(folder / label["image"], margin, ready)
        tiles, _ = corrected(f"camerash-crops/{path.stem}", label["tiles"])
        pairs.append((str(ready), tiles[0]["class"]))
    return pairs


def _continue_edges(source: Path, margin: float, path: Path) -> None:
    from PIL import Image

    picture = Image.open(source).convert("RGB")
    width, height = picture.size
    dx, dy = round(width * (margin - 1) / 2), round(height * (margin - 1) / 2)
    wide = Image.new("RGB", (width + 2 * dx, height))
    wide.paste(picture.crop((0, 0, 1, height)).resize((dx, height)), (0, 0))
    wide.paste(picture, (dx, 0))
    wide.paste(picture.crop((width - 1, 0, width, height)).resize((dx, height)), (dx + width, 0))
    whole = Image.new("RGB", (wide.width, height + 2 * dy))
    whole.paste(wide.crop((0, 0, wide.width, 1)).resize((wide.width, dy)), (0, 0))
    whole.paste(wide, (0, dy))
    whole.paste(wide.crop((0, height - 1, wide.width, height)).resize((wide.width, dy)), (0, dy + height))
    whole.save(path)
