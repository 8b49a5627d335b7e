"""The Markdown of one evaluation: what goes to the terminal and into the model card, the most
important table first.

Input: `Measured`. Output: text. Standard library only.
"""

from __future__ import annotations

import datetime
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation import ablation, calibration, causes, clutter, difficulty, metrics, quads, survival, table, targets
from evaluation.measure import OURS, is_real

if TYPE_CHECKING:
    from evaluation.measure import Measured


NOTES = """Rates have their 95 % Wilson interval. Found: the detection's centre is in the label's box, with an
overlap of at least 0.3, one to one. Precision is counted where every face is labelled. Whole hand:
the multiset of the reading's tiles equals the labels (photos with 13-18 labelled tiles that are the
hand; all renders). The next column takes any flower or season for another, as MCR scores them; the
one after also requires sets, claims, winning tile and flowers, which only the renders know. Silently
wrong: the score may differ although the status is `ok`. The labels of real photos were inspected
wherever the reading disagreed, and corrected if the picture shows that they were wrong
(datasets/label-corrections.json). That favours the reading slightly, so the figures with the original
labels are given too. Strips squeezed beyond use are left out. A target is judged by the value, not by
its interval, and is open if there are too few photos to tell. Pictures without tiles are drawn, not
photographed."""


def write(measured: Measured, shared: Path | None) -> str:
    """The whole report, in order of weight."""
    parts = [f"Measured {datetime.date.today().isoformat()} with `make evaluate` on {model_names(measured.models)}."]
    if not shared:
        parts.append("**No shared folder was given: real photos and unseen-set crops were NOT measured.**")
    parts += [targets.markdown(targets.rows(measured)), table.photo_table(photo_rows(measured.results))]
    parts.append(
        causes.cause_table(
            [(name, some) for name, some in (("real photos", measured.real), (OURS, measured.ours)) if some]
        )
    )
    if measured.shortened:
        parts.append(joint_table(measured))
    parts.append(
        table.difficulty_table(
            [(name, some) for name, some in (("real", measured.real), ("renders", measured.ours)) if some]
        )
    )
    if measured.sets:
        parts.append(table.set_table(set_rows(measured.sets)))
    if measured.crops:
        parts.append(table.crop_table(measured.crops))
    parts += ["Confidence, and how often it is right:", calibration.bin_table(calibration_series(measured))]
    parts += [table.quad_table(quads.measure(measured.ours)), table.stray_table(stray_rows(measured))]
    if measured.clutter:
        parts.append(table.clutter_table(clutter.lost(measured.clutter)))
    if measured.speed:
        parts.append(table.speed_table(measured.speed))
    parts += real_details(measured)
    return "\n\n".join(part for part in [*parts, NOTES] if part)


def photo_rows(results: list[metrics.PhotoResult]) -> list[tuple[str, metrics.Summary]]:
    """The groups of photos that the table shows, each summed."""
    groups = [("real photos, held out", is_real)]
    groups += [(f"- {split}", lambda p, s=split: is_real(p) and p.split == s) for split in ("test", "validation")]
    groups += [(f"- {kind}", lambda p, k=kind: is_real(p) and p.kind == k) for kind in ("hand", "loose", "standing")]
    groups += [("pictures from the web, held out", lambda p: p.kind == "drawing"), (OURS, lambda p: p.source == OURS)]
    rows = [(name, [r for r in results if keep(r.photo)]) for name, keep in groups]
    rows.insert(
        1,
        ("- the same with the original labels", [judged for judged in map(metrics.uncorrected, rows[0][1]) if judged]),
    )
    return [(name, metrics.summarise(some)) for name, some in rows if some]


def set_rows(results):
    """(name, found, named) of the held-out sets of later collections: by collection, and of the
    tiles that are hard to name."""
    collections = [
        (name, [r for r in results if r.photo.source == name]) for name in sorted({r.photo.source for r in results})
    ]
    rows = [(name, *difficulty.rates(some, lambda _tile, _count: True)) for name, some in collections]
    rows += [
        (kind, *difficulty.rates(results, lambda tile, _count, of=codes: tile.code in of))
        for kind, codes in (("bonus tiles", table.BONUS), ("white dragons", {"P"}))
    ]
    families = [(name, some) for name, some in difficulty.families(results) if len(some) > 1]
    return rows + [(f"- {name}", *difficulty.rates(some, lambda _tile, _count: True)) for name, some in families]


def joint_table(measured):
    """Table of what layout and joint reading bring."""
    groups = [("real", is_real), ("renders", lambda p: p.source == OURS)]
    present = [(name, keep) for name, keep in groups if any(keep(r.photo) for r in measured.results)]
    return ablation.table(measured.shortened + [("joint reading", measured.results)], present)


def calibration_series(measured: Measured) -> list[tuple[str, list[tuple[float, bool]]]]:
    """(name, pairs) of all that claims a probability: tiles and hands, real and rendered."""
    return [
        ("tiles, real photos", calibration.tile_pairs(measured.real)),
        ("tiles, our renders", calibration.tile_pairs(measured.ours)),
        ("unseen-set crops", calibration.crop_pairs(measured.crops)),
        ("hands, real photos", calibration.hand_pairs(measured.real)),
        ("hands, our renders", calibration.hand_pairs(measured.ours)),
    ]


def stray_rows(measured: Measured) -> list[tuple[str, survival.Strays]]:
    """False alarms and clutter, each where it can be measured."""
    return [
        ("false alarm: real photos with every face labelled", survival.false_alarms(measured.real)),
        ("false alarm: pictures from the web", survival.false_alarms(measured.web)),
        ("false alarm: our renders", survival.false_alarms(measured.ours)),
        *(
            (
                f"false alarm: drawn pictures without tiles, {kind}",
                survival.false_alarms([r for r in measured.blank if r.photo.scene == kind]),
            )
            for kind in sorted({r.photo.scene for r in measured.blank})
        ),
        ("clutter: our renders", survival.clutter_taken(measured.ours)),
        ("either: real photos in which only the hand is labelled", survival.beyond_labels(measured.real)),
    ]


def real_details(measured: Measured) -> list[Any]:
    """Families, scenes and confusions of the real photos; the long table is folded away."""
    if not measured.real:
        return []
    confusion = metrics.summarise(measured.real).confusion
    families = [(name, metrics.summarise(some)) for name, some in difficulty.families(measured.real)]
    return [
        "Commonest confusions in held-out real photos: " + table.confusion_list(confusion) + ".",
        table.family_table(families),
        "<details><summary>Every scene</summary>\n\n" + table.scene_table(scene_rows(measured.real)) + "\n\n</details>",
    ]


def scene_rows(real: Any) -> list[tuple[str, metrics.Summary]]:
    """Each held-out scene of real photos, summed."""
    names = sorted({(r.photo.split, r.photo.scene) for r in real})
    return [
        (f"{scene} ({split})", metrics.summarise([r for r in real if r.photo.scene == scene])) for split, scene in names
    ]


def model_names(folder: Path) -> str:
    """The models by file and hash, so that figures of different models are not confused."""
    names = [
        f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        for path in sorted(Path(folder).glob("*.onnx"))
    ]
    return ", ".join(names) or "no models"
