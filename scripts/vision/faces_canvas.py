"""A small supersampled RGBA canvas on which tile faces are drawn.

Purpose: one place that knows about pixels, so that the drawing modules speak of a face 192 wide and
256 high.
Input: shapes in face units (x right, y down) and RGB inks. Output: `Canvas.image()`, RGBA uint8
[256, 192, 4].
Invariant: the ground stays transparent; a shape drawn with `None` as its ink cuts a hole back to
the ground.
"""

from __future__ import annotations

import cv2
import numpy as np

WIDTH, HEIGHT = 192, 256
SCALE = 2  # Two samples a side give smooth edges at the sizes that crops are reduced to.
_SHIFT = 4  # Fractional bits of OpenCV's fixed-point drawing coordinates.

Ink = tuple[int, int, int]


class Canvas:
    """Draws in face units; every method takes an RGB ink or None to erase."""

    def __init__(self) -> None:
        self.px = np.zeros((HEIGHT * SCALE, WIDTH * SCALE, 4), np.uint8)

    def _fix(self, points: np.ndarray | list[np.ndarray | tuple[float, float]]) -> np.ndarray:
        return np.round(np.asarray(points, np.float32) * SCALE * (1 << _SHIFT)).astype(np.int32)

    @staticmethod
    def _rgba(ink: Ink | None) -> tuple[int, int, int, int]:
        return (0, 0, 0, 0) if ink is None else (int(ink[0]), int(ink[1]), int(ink[2]), 255)

    def polygon(self, points: np.ndarray | list[tuple[float, int]], ink: Ink | None) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.px, [self._fix(points)], self._rgba(ink), cv2.LINE_AA, _SHIFT)

    def line(
        self,
        points: np.ndarray | list[np.ndarray | tuple[float, float]],
        ink: Ink | None,
        width: float,
        closed: bool = False,
    ) -> None:
        """Stroke a polyline with round joins."""
        thickness = max(1, int(round(width * SCALE)))
        cv2.polylines(self.px, [self._fix(points)], closed, self._rgba(ink), thickness, cv2.LINE_AA, _SHIFT)

    def disc(self, centre: np.ndarray | tuple[float, float], radius: float, ink: Ink | None) -> None:
        """Fill a circle."""
        self.ellipse(centre, (radius, radius), 0.0, ink)

    def ring(self, centre: tuple[float, float], radius: float, ink: Ink | None, width: float) -> None:
        """Stroke a circle."""
        self.line(arc(centre, (radius, radius), 0.0), ink, width, True)

    def ellipse(
        self, centre: np.ndarray | tuple[float, float], radii: tuple[float, float], angle: float, ink: Ink | None
    ) -> None:
        """Fill an ellipse turned by `angle` radians."""
        self.polygon(arc(centre, radii, angle), ink)

    def box(self, rect: tuple[float, float, float, float], ink: Ink | None, radius: float = 0.0) -> None:
        """Fill a rounded rectangle given as (x0, y0, x1, y1)."""
        self.polygon(rounded(rect, radius), ink)

    def frame(
        self, rect: tuple[float, float, float, float], ink: Ink | None, width: float, radius: float = 0.0
    ) -> None:
        """Stroke a rounded rectangle."""
        self.line(rounded(rect, radius), ink, width, True)

    def stamp(self, mask: np.ndarray, rect: tuple[float, float, float, float], ink: Ink) -> None:
        """Lay a coverage mask (uint8) into the rectangle (x0, y0, x1, y1) with an ink."""
        x0, y0, x1, y1 = (int(round(v * SCALE)) for v in rect)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        small = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
        full = np.zeros(self.px.shape[:2], np.uint8)
        cx0, cy0 = max(x0, 0), max(y0, 0)
        cx1, cy1 = min(x1, full.shape[1]), min(y1, full.shape[0])
        if cx1 <= cx0 or cy1 <= cy0:
            return
        full[cy0:cy1, cx0:cx1] = small[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]
        self.blend(full, ink)

    def blend(self, mask: np.ndarray, ink: Ink) -> None:
        """Paint an ink where a full-size mask covers."""
        cover = mask.astype(np.float32)[..., None] / 255.0
        old = self.px.astype(np.float32)
        alpha = old[..., 3:] / 255.0
        out_alpha = cover + alpha * (1 - cover)
        colour = (np.float32(ink) * cover + old[..., :3] * alpha * (1 - cover)) / np.maximum(out_alpha, 1e-4)
        self.px = np.concatenate([colour, out_alpha * 255], 2).astype(np.uint8)

    def image(self) -> np.ndarray:
        """The face, reduced to 192x256 with premultiplied colours so that edges keep their ink."""
        px = self.px.astype(np.float32)
        px[..., :3] *= px[..., 3:] / 255.0
        px = cv2.resize(px, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        px[..., :3] /= np.maximum(px[..., 3:] / 255.0, 1e-3)
        return np.clip(px + 0.5, 0, 255).astype(np.uint8)


def arc(
    centre: np.ndarray | tuple[float, float],
    radii: tuple[float, float],
    angle: float,
    start: float = 0.0,
    end: float = 2 * np.pi,
    steps: int = 48,
) -> np.ndarray:
    """Points along an ellipse's outline from one parameter to another."""
    t = np.linspace(start, end, steps, endpoint=abs(end - start) < 6.28)
    x, y = np.cos(t) * radii[0], np.sin(t) * radii[1]
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([centre[0] + x * c - y * s, centre[1] + x * s + y * c], 1)


def rounded(rect: tuple[float, float, float, float], radius: float) -> np.ndarray:
    """The outline of a rectangle with rounded corners."""
    x0, y0, x1, y1 = rect
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if radius <= 0.5:
        return np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    q = np.pi / 2
    corners = [
        (x1 - radius, y0 + radius, -q),
        (x1 - radius, y1 - radius, 0),
        (x0 + radius, y1 - radius, q),
        (x0 + radius, y0 + radius, 2 * q),
    ]
    return np.concatenate([arc((x, y), (radius, radius), 0.0, a, a + q, 8) for x, y, a in corners])


def curve(points: list[np.ndarray | tuple[float, float]], steps: int = 16) -> np.ndarray:
    """A smooth curve through the points (Catmull-Rom)."""
    p = np.asarray(points, np.float32)
    p = np.concatenate([p[:1], p, p[-1:]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for i in range(len(p) - 3):
        a, b, c, d = p[i : i + 4]
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate(parts + [p[-1:]])


def blade(
    start: np.ndarray | tuple[float, float], end: np.ndarray | tuple[float, float], bend: float, width: float
) -> np.ndarray:
    """A leaf or feather: a pointed shape from start to end, bent sideways by `bend` of its
    length."""
    a, b = np.float32(start), np.float32(end)
    axis = b - a
    normal = np.float32([-axis[1], axis[0]])
    t = np.linspace(0, 1, 14)[:, None]
    spine = a + axis * t + normal * bend * 4 * t * (1 - t)
    unit = normal / max(float(np.hypot(*normal)), 1e-3)
    half = unit * width * 0.5 * np.sin(np.pi * t**0.8)
    return np.concatenate([spine + half, (spine - half)[::-1]])
