"""Pictures for things that are no tiles, and other inks for the tiles of dark sets. Needs OpenCV.

Input: the drawn faces of a set (`vision.faces`). Output: transparent PNG files for the upper sides
of dice, markers, sticks and papers; faces whose ink shows on a dark body.
Invariant: drawn here; an ink changes colours and never the shape of what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.faces import FaceSet


GOLD, CREAM = (214, 176, 88), (236, 228, 205)
SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


def inked(face: np.ndarray, ink: str | None) -> np.ndarray:
    """The face in the inks of a dark set: `gold` all through, `cream` all through, `bright` in its
    own colours made light."""
    if ink is None:
        return face
    rgb, alpha = face[..., :3].astype(np.float32) / 255, face[..., 3:]
    if ink in ("gold", "cream"):
        # Lighter where the art is lighter, so that drawings keep their lines.
        tone = 0.75 + 0.35 * rgb.max(-1, keepdims=True)
        out = np.float32(GOLD if ink == "gold" else CREAM) / 255 * tone
    else:
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
        coloured = hsv[..., 1:2] * (hsv[..., 2:3] > 0.22)
        hsv[..., 2] = np.maximum(hsv[..., 2], 0.82)
        hsv[..., 1] *= np.where(np.abs(hsv[..., 0] - 225) < 40, 0.6, 0.9)
        light = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
        pale = np.float32(GOLD if ink == "bright_gold" else CREAM) / 255
        share = np.clip((coloured - 0.35) / 0.2, 0, 1)
        out = light * share + pale * (1 - share)
    return np.dstack([np.clip(out * 255, 0, 255).astype(np.uint8), alpha])


def things(drawn: FaceSet) -> Iterator[tuple[str, np.ndarray]]:
    """(name, RGBA picture) of everything that lies on things; markers show the set's own winds."""
    for number, spots in SPOTS.items():
        yield f"die{number}", _die(spots, 30 if number == 1 else 22)
    for kind in (1, 2, 3):
        yield f"stick{kind}", _stick(kind)
    yield "paper", _paper()
    for wind in "ESWN":
        face = drawn.face(wind)
        yield f"marker_{wind}_light", _on_square(inked(face, "cream"))
        yield f"marker_{wind}_dark", _on_square(face)


def _die(spots: list[tuple[int, int]], radius: int) -> np.ndarray:
    picture = np.zeros((160, 160, 4), np.uint8)
    ink = (190, 25, 25, 255) if len(spots) in (1, 4) else (25, 25, 28, 255)
    for x, y in spots:
        cv2.circle(picture, (80 + 42 * x, 80 + 42 * y), radius * 5 // 7, ink, -1, cv2.LINE_AA)
    return picture


def _stick(kind: int) -> np.ndarray:
    picture = np.zeros((32, 320, 4), np.uint8)
    for k in range({1: 1, 2: 5, 3: 8}[kind]):
        ink = (190, 30, 30, 255) if kind != 3 else (30, 30, 32, 255)
        cv2.circle(
            picture, (160 + 14 * (k - {1: 0, 2: 2, 3: 4}[kind]), 16), 8 if kind == 1 else 5, ink, -1, cv2.LINE_AA
        )
    return picture


def _paper() -> np.ndarray:
    rng, picture = np.random.default_rng(7), np.zeros((420, 320, 4), np.uint8)
    for y in range(40, 400, 24):
        cv2.line(picture, (16, y), (304, y), (120, 120, 130, 255), 1, cv2.LINE_AA)
        for x in range(30, 290, 65):
            if rng.random() < 0.6:
                cv2.putText(
                    picture,
                    str(rng.integers(1, 99)),
                    (x, y - 5),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.55,
                    (35, 45, 110, 255),
                    1,
                    cv2.LINE_AA,
                )
    for x in range(16, 310, 72):
        cv2.line(picture, (x, 16), (x, 400), (120, 120, 130, 255), 1, cv2.LINE_AA)
    return picture


def _on_square(face: np.ndarray) -> np.ndarray:
    """A face in the middle of a square that leaves it a margin."""
    height, width = face.shape[:2]
    side = int(height * 1.15)
    square = np.zeros((side, side, 4), np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = face
    return square
