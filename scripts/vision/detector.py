"""The tile detector: network, training targets, losses and the decoding of its maps.

Purpose: find every tile's face (or back) as a quadrilateral.
Input: RGB images [B, 3, H, W] in 0..1, H and W multiples of 32.
Output: maps at stride 8: `heat`, `quad` (two orderings of four corners), `axis` (cos 4 theta),
`face`.
Invariant: cell (i, j) has its centre at pixel (8j + 4, 8i + 4); corner offsets are in units of the
stride.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .frontend import planes, pyramid

if TYPE_CHECKING:
    from .scene import Sample


STRIDE = 8
# The pyramid's levels, and the narrowest quad that each may report, in its own pixels. The lower
# levels are there for close-ups; what is narrow there is seen better one level up. On the
# validation photos of the detector after 38 thousand samples this took found quads per labelled
# tile from 4.13 to 3.92 and cost no recall (0.9920 to 0.9928). Below the top of the pyramid narrow
# faces are left to the size above: on the validation photos this lost no tile and took 5 % of the
# false alarms.
SIZES, MIN_WIDTHS = (640, 320, 160), (0, 40, 40)
WIDTHS = (32, 64, 96, 128)
DEPTHS = (1, 3, 3, 2)


class Block(nn.Module):
    """A residual block of two 3x3 convolutions."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = None
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(
                nn.Conv2d(inputs, outputs, stride, stride, 0, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: float):
        y = F.relu(self.norm1(self.first(x)))
        y = self.norm2(self.second(y))
        return F.relu(y + (x if self.skip is None else self.skip(x)))


def _conv(inputs: int, outputs: int, size: int):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, 1, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Detector(nn.Module):
    """A small residual network with a feature pyramid down to stride 8 and two heads."""

    def __init__(self, neck: int = 64) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, WIDTHS[0], 7, 4, 3, bias=False), nn.BatchNorm2d(WIDTHS[0]), nn.ReLU())
        stages, inputs = [], WIDTHS[0]
        for k, (width, depth) in enumerate(zip(WIDTHS, DEPTHS)):
            blocks = [Block(inputs if d == 0 else width, width, 2 if d == 0 and k > 0 else 1) for d in range(depth)]
            stages.append(nn.Sequential(*blocks))
            inputs = width
        self.stages = nn.ModuleList(stages)
        self.lateral = nn.ModuleList(_conv(width, neck, 1) for width in WIDTHS[1:])
        self.merge = nn.ModuleList(_conv(neck, neck, 3) for _ in range(2))
        self.heat_head = nn.Sequential(_conv(neck, 48, 3), nn.Conv2d(48, 2, 1))
        self.quad_head = nn.Sequential(_conv(neck, 64, 3), _conv(64, 64, 3), nn.Conv2d(64, 17, 1))
        nn.init.constant_(self.heat_head[-1].bias, -3.5)

    def forward(self, image: np.ndarray) -> tuple[Any, Any]:
        """Logits of heat and face [B, 2, h, w], and corners and axis [B, 17, h, w]."""
        x = self.stages[0](self.stem((image - 0.45) * 4.0))
        eighth = self.stages[1](x)
        sixteenth = self.stages[2](eighth)
        top = self.lateral[2](self.stages[3](sixteenth))
        mid = self.merge[0](self.lateral[1](sixteenth) + F.interpolate(top, scale_factor=2.0, mode="nearest"))
        low = self.merge[1](self.lateral[0](eighth) + F.interpolate(mid, scale_factor=2.0, mode="nearest"))
        return self.heat_head(low), self.quad_head(low)


class Exported(nn.Module):
    """The detector with the four named maps of the contract."""

    def __init__(self, detector: Detector) -> None:
        super().__init__()
        self.detector = detector

    def forward(self, image: np.ndarray) -> tuple[Any, Any, Any, Any]:
        """(heat, quad, axis, face)."""
        marks, shape = self.detector(image)
        return (
            torch.sigmoid(marks[:, :1]),
            shape[:, :16],
            torch.clamp(shape[:, 16:], -1, 1),
            torch.sigmoid(marks[:, 1:]),
        )


def orderings(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners clockwise on screen [T, 4, 2] -> both orderings [T, 2, 4, 2] and cos 4 theta [T]."""
    first = np.stack([quads.sum(-1).argmin(1), quads[..., 1].argmin(1)], axis=1)
    index = (first[..., None] + np.arange(4)) % 4
    both = np.take_along_axis(quads[:, None].repeat(2, 1), index[..., None].repeat(2, -1), axis=2)
    edges = np.roll(quads, -1, 1) - quads
    angle, length = np.arctan2(edges[..., 1], edges[..., 0]), np.linalg.norm(edges, axis=-1)
    spin = (np.exp(4j * angle) * length).sum(1)
    return both, (spin / np.maximum(np.abs(spin), 1e-6)).real


def _blobs(quads: np.ndarray, size: int) -> np.ndarray:
    """Each tile's likeness of every cell to its centre, [T, h, w] in 0..1, from its own shape and
    direction."""
    cells = np.arange(size // STRIDE) * STRIDE + STRIDE / 2
    middle = quads.mean(1)
    across = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    along = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2
    # Covariance of the parallelogram, a sigma of 0.16 of its sides, and at least 0.45 of a cell.
    s2, floor = 0.16**2, (0.45 * STRIDE) ** 2
    xx = s2 * (across[:, 0] ** 2 + along[:, 0] ** 2) + floor
    yy = s2 * (across[:, 1] ** 2 + along[:, 1] ** 2) + floor
    xy = s2 * (across[:, 0] * across[:, 1] + along[:, 0] * along[:, 1])
    det = xx * yy - xy**2
    dx = (cells[None] - middle[:, :1])[:, None, :]
    dy = (cells[None] - middle[:, 1:])[:, :, None]
    power = (
        (yy / det)[:, None, None] * dx**2 + (xx / det)[:, None, None] * dy**2 - 2 * (xy / det)[:, None, None] * dx * dy
    )
    return np.exp(-0.5 * power)


def widths(quads: np.ndarray) -> np.ndarray:
    """The shorter mean side of each quad, in pixels."""
    sides = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=-1)
    return np.minimum((sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2)


def targets(sample: Sample, size: int) -> np.ndarray:
    """Maps of a sample, [24, h, w]: heat, its weight, geometry's weight, 16 offsets, axis, face,
    width, weights of A and B."""
    n = size // STRIDE
    out = np.zeros((24, n, n), np.float32)
    out[1] = 1.0
    if not len(sample.quads):
        return out
    blobs = _blobs(sample.quads, size)
    positive = ~sample.ignore
    inner = blobs[sample.ignore].max(0) if sample.ignore.any() else np.zeros((n, n))
    out[1][inner > 0.02] = 0.0
    if not positive.any():
        return out
    quads, blobs, up = sample.quads[positive], blobs[positive], sample.up[positive]
    heat, owner = blobs.max(0), blobs.argmax(0)
    cell = np.clip((quads.mean(1) / STRIDE).astype(int), 0, n - 1)
    heat[cell[:, 1], cell[:, 0]] = 1.0
    owner[cell[:, 1], cell[:, 0]] = np.arange(len(quads))
    out[1][heat > 0.9999] = 1.0
    both, axis = orderings(quads)
    centres = np.arange(n) * STRIDE + STRIDE / 2
    grid = np.stack(np.meshgrid(centres, centres), axis=-1)
    offsets = (both.reshape(-1, 8, 2)[owner] - grid[:, :, None]) / STRIDE
    out[0], out[2] = heat, np.where(heat > 0.3, heat, 0) * (out[1] > 0)
    out[3:19] = offsets.reshape(n, n, 16).transpose(2, 0, 1)
    out[19], out[20], out[21] = axis[owner], up[owner], (widths(quads) / STRIDE)[owner]
    # Each ordering is taught only where it may be used, and a little beyond: elsewhere it jumps.
    out[22], out[23] = np.clip(out[19] * 1.5 + 1, 0, 1), np.clip(1 - out[19] * 1.5, 0, 1)
    return out


def losses(marks: torch.Tensor, shape: torch.Tensor, wanted: torch.Tensor) -> tuple[Any, list[float]]:
    """The summed loss and its parts (heat, corners in tile widths, axis, face) for a batch."""
    heat, weight, near = wanted[:, 0], wanted[:, 1], wanted[:, 2]
    p = torch.sigmoid(marks[:, 0]).clamp(1e-5, 1 - 1e-5)
    peak = (heat > 0.9999).float() * weight
    positive = -torch.log(p) * (1 - p) ** 2 * peak
    negative = -torch.log(1 - p) * p**2 * (1 - heat) ** 4 * weight * (1 - peak)
    heat_loss = (positive.sum() + negative.sum()) / peak.sum().clamp(min=4)
    total = near.sum().clamp(min=1)
    error = (shape[:, :16] - wanted[:, 3:19]).abs() / wanted[:, 21:22].clamp(min=1.0)
    corner = (error[:, :8].mean(1) * wanted[:, 22] + error[:, 8:].mean(1) * wanted[:, 23]) * near
    corner_loss = corner.sum() / ((wanted[:, 22] + wanted[:, 23]) * near).sum().clamp(min=1)
    exact = near * (wanted[:, 22] + wanted[:, 23] > 0)
    axis_loss = ((shape[:, 16] - wanted[:, 19]) ** 2 * exact).sum() / total
    face_loss = (F.binary_cross_entropy_with_logits(marks[:, 1], wanted[:, 20], reduction="none") * near).sum() / total
    loss = heat_loss + 4.0 * corner_loss + 0.6 * axis_loss + 0.3 * face_loss
    return loss, [float(v.detach()) for v in (heat_loss, corner_loss, axis_loss, face_loss)]


def peaks(
    heat: np.ndarray, quad: np.ndarray, axis: np.ndarray, face: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Local maxima of one image's maps: (quads [K, 4, 2] in pixels, scores [K], face [K])."""
    heat = np.ascontiguousarray(heat)
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    i, j = np.nonzero((heat >= top) & (heat > threshold))
    both = quad[:, i, j].T.reshape(-1, 2, 4, 2)
    chosen = both[np.arange(len(i)), (axis[i, j] < 0).astype(int)]
    centres = np.stack([j, i], axis=1) * STRIDE + STRIDE / 2
    return chosen * STRIDE + centres[:, None], heat[i, j], face[i, j]


def suppress(quads: np.ndarray, scores: np.ndarray, limit: float = 0.55) -> np.ndarray:
    """Indices that stay when quads whose intersection covers over `limit` of the smaller one are
    dropped."""
    order, kept = np.argsort(-scores), []
    boxes = np.concatenate([quads.min(1), quads.max(1)], axis=1)
    hulls = [cv2.convexHull(np.float32(q)) for q in quads]
    areas = np.array([cv2.contourArea(h) for h in hulls])
    for k in order:
        rivals = [m for m in kept if (boxes[k, :2] < boxes[m, 2:]).all() and (boxes[m, :2] < boxes[k, 2:]).all()]
        if areas[k] < 16:
            continue
        if all(cv2.intersectConvexConvex(hulls[k], hulls[m])[0] <= limit * min(areas[k], areas[m]) for m in rivals):
            kept.append(k)
    return np.array(kept, int)


def detect(run: Callable, image: np.ndarray, threshold: float = 0.2) -> tuple[Any, Any, Any]:
    """All tiles of an RGB uint8 image: (quads in its pixels, scores, face). `run` maps [1, 3, H, W]
    to the four maps."""
    found = []
    for (small, scale), narrowest in zip(pyramid(image, SIZES), MIN_WIDTHS):
        maps = run(planes([small]))
        heat, quad, axis, face = (np.asarray(m)[0] for m in maps)
        quads, scores, up = peaks(heat[0], quad, axis[0], face[0], threshold)
        wide = widths(quads) >= narrowest
        found.append((quads[wide] / scale, scores[wide], up[wide]))
    quads, scores, up = (np.concatenate(part) for part in zip(*found))
    keep = suppress(quads, scores)
    return quads[keep], scores[keep], up[keep]
