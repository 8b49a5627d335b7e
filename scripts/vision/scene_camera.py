"""A pinhole camera over a table, for training scenes.

Purpose: choose a camera as people hold phones, and project points with it.
Input: a random generator, the crop's size, the point to look at and the wished width of a tile
there, in pixels.
Output: a `Camera` that maps world points (x right, y away, z up, in tile widths) to pixels of the
crop.
Invariant: the anchor is seen at the crop's middle, in front of the camera; the crop need not be the
photo's middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Camera:
    """Focal length in pixels, principal point, rotation (rows: right, down, forward) and centre."""

    focal: float
    principal: np.ndarray
    rotation: np.ndarray
    centre: np.ndarray

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels [..., 2] and depths [...] of world points [..., 3]."""
        local = (points - self.centre) @ self.rotation.T
        depth = local[..., 2]
        safe = np.maximum(depth, 1e-3)
        return local[..., :2] * (self.focal / safe[..., None]) + self.principal, depth

    def ground(self) -> np.ndarray:
        """The homography [3, 3] from points (x, y) of the table to pixels."""
        k = np.array([[self.focal, 0, self.principal[0]], [0, self.focal, self.principal[1]], [0, 0, 1.0]])
        columns = np.stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.centre], axis=1)
        return k @ columns

    def sinks(self, size: int) -> np.ndarray:
        """Amount by which the ray through each pixel of a size x size crop sinks, [S, S]: the
        horizon is where it is 0."""
        v, u = np.mgrid[0:size, 0:size]
        across, down = (u - self.principal[0]) / self.focal, (v - self.principal[1]) / self.focal
        lift = self.rotation[0, 2] * across + self.rotation[1, 2] * down + self.rotation[2, 2]
        return -lift / np.sqrt(across**2 + down**2 + 1)


def _elevation(rng: np.random.Generator, standing: bool) -> float:
    """Angle above the table: phones look down steeply on lying tiles, and from the seat on standing
    ones."""
    kind = rng.random()
    if standing and kind < 0.8:
        return rng.uniform(9, 58)
    if kind < 0.35:
        return rng.uniform(72, 90)
    if kind < 0.85:
        return rng.uniform(38, 75)
    return rng.uniform(24, 40)


def _roll(rng: np.random.Generator) -> float:
    """Turn of the picture: half the photos are held straight or at a right angle, the rest
    anyhow."""
    if rng.random() < 0.5:
        return rng.choice([0, 0, 0, 90, 180, 270]) + rng.normal(0, 6)
    return rng.uniform(0, 360)


def orientation(elevation: float, yaw: float, roll: float) -> np.ndarray:
    """Rotation rows (right, down, forward) for angles in degrees."""
    e, y, r = np.radians([elevation, yaw, roll])
    forward = np.array([np.sin(y) * np.cos(e), np.cos(y) * np.cos(e), -np.sin(e)])
    right = np.array([np.cos(y), -np.sin(y), 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(r), np.sin(r)
    return np.stack([c * right + s * down, c * down - s * right, forward])


def random_camera(
    rng: np.random.Generator, size: int, anchor: np.ndarray, tile_px: float, standing: bool = False
) -> Camera:
    """A camera that sees `anchor` at the middle of a size x size crop, where a tile's width covers
    `tile_px`."""
    flattest = -0.13 if standing else -0.33
    while True:
        # Standing tiles are seen from a corner as often as from the front: a pale side beside the
        # face is no part of it.
        rotation = orientation(_elevation(rng, standing), rng.normal(0, 26 if standing else 18), _roll(rng))
        focal = rng.uniform(420, 900) * rng.choice([0.5, 1.0, 1.0])
        middle = np.array([size / 2.0, size / 2.0])
        principal = middle + rng.uniform(-0.3, 0.3, 2) * focal
        ray = rotation.T @ np.append((middle - principal) / focal, 1.0)
        # The ray at the crop's middle has to meet the table well below the horizon.
        if ray[2] < flattest * np.linalg.norm(ray):
            return Camera(focal, principal, rotation, anchor - ray * (focal / tile_px))
