"""Finds the tiles of a real photo with the detector and the refiner in a folder of models.

Purpose: real photos are labelled with loose boxes; what the classifier learns from and is
calibrated on has to be cut as the program cuts it. Input: a folder of models, RGB uint8 images.
Output: quads [N, 4, 2] in the image's pixels.
Invariant: without a refiner the detector's quads stay; a quad that the refiner spoils stays as
well.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .detector import detect
from .export_detector import session_run
from .export_refiner import session_run as refiner_run
from .frontend import planes, surroundings, upright
from .refiner_crops import from_frame, is_convex


class Eyes:
    """The two networks of a folder."""

    def __init__(self, models: Path) -> None:
        self.detector = session_run(Path(models) / "detector.onnx")
        file = Path(models) / "refiner.onnx"
        self.refiner = refiner_run(file) if file.exists() else None

    @classmethod
    def of(cls, models: Path) -> Eyes | None:
        """The eyes in a folder, or None where it has no detector yet."""
        return cls(models) if (Path(models) / "detector.onnx").exists() else None

    def __call__(self, image: np.ndarray):
        quads = np.float32(detect(self.detector, image)[0]).reshape(-1, 4, 2)
        if self.refiner is None or not len(quads):
            return quads
        quads = [upright(quad) for quad in quads]
        corners = self.refiner(planes([surroundings(image, quad) for quad in quads])).reshape(-1, 4, 2)
        return np.stack([_mended(quad, found) for quad, found in zip(quads, corners)])


def _mended(quad: np.ndarray, corners: np.ndarray):
    mended = from_frame(quad, corners)
    return mended if is_convex(mended) else quad
