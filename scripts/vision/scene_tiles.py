"""Tiles as solids: dressing a set of faces with a material, and drawing tiles into an image.

Purpose: turn flat face art into tiles of ivory, plastic or bamboo with sides, backs, bevels and
shading.
Input: `FaceSet`-like objects (codes, face(code) -> RGBA [256, 192, 4]), `Item`s, a `Camera`.
Output: pixels drawn in place, a map of tile numbers for visibility, and the quads of the faces.
Invariant: quads are clockwise on screen; the id map holds k + 1 where the face or back of tile k is
seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from .scene_textures import any_colour

if TYPE_CHECKING:
    from evaluation.phone_tables import _Recorded

    from .faces import FaceSet
    from .scene_camera import Camera
    from .scene_layout import Item


FACE_W, FACE_H = 192, 256
_SIGNS = np.array(
    [[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1], [1, 1, -1], [-1, 1, -1], [-1, -1, -1], [1, -1, -1]], np.float64
)
# Corner numbers of the face, of the back, and of the four sides (two at the face, two at the back),
# with outward normals.
_FRONT, _REAR = [0, 1, 2, 3], [4, 5, 6, 7]
_SIDES = [((1, 2, 7, 4), 0, 1), ((3, 0, 5, 6), 0, -1), ((0, 1, 4, 5), 1, 1), ((2, 3, 6, 7), 1, -1)]


@dataclass
class Dressed:
    """A set's faces on one material: pyramids of premultiplied RGBA, a back, side colours,
    dimensions, and the codes of the faces."""

    faces: list
    back: list
    body: np.ndarray
    back_colour: np.ndarray
    back_share: float
    dims: tuple
    codes: list


def _rounded_mask(radius: float, samples: int = 2) -> np.ndarray:
    """Coverage [256, 192] of a rectangle with rounded corners, radius in tile widths."""
    big = np.zeros((FACE_H * samples, FACE_W * samples), np.uint8)
    r = max(1, int(radius * FACE_W * samples))
    h, w = big.shape
    cv2.rectangle(big, (r, 0), (w - r - 1, h), 255, -1)
    cv2.rectangle(big, (0, r), (w, h - r - 1), 255, -1)
    for x in (r, w - r - 1):
        for y in (r, h - r - 1):
            cv2.circle(big, (x, y), r, 255, -1)
    return cv2.resize(big, (FACE_W, FACE_H), interpolation=cv2.INTER_AREA)


def _bevel(rng: np.random.Generator, radius: float) -> np.ndarray:
    """Brightness [256, 192] of a face: rounded edges darken or shine, one side more than the
    other."""
    y, x = np.mgrid[0:FACE_H, 0:FACE_W].astype(np.float32) / FACE_W
    high = FACE_H / FACE_W
    reach = radius * rng.uniform(0.5, 1.5) + 0.01
    shade = np.ones((FACE_H, FACE_W), np.float32)
    for distance in (x, 1 - x, y, high - y):
        shade += rng.uniform(-0.35, 0.15) * np.clip(1 - distance / reach, 0, 1)
    gap = np.minimum(np.minimum(x, 1 - x), np.minimum(y, high - y))
    shade *= 1 - rng.uniform(0, 0.5) * np.clip(1 - gap / 0.018, 0, 1)
    return shade


def _materials(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float, bool]:
    """(body colour, back colour, share of the thickness that has the back's colour, whether the ink
    is light)."""
    kind = rng.random()
    if kind < 0.62:
        body = np.full(3, rng.uniform(215, 252)) - np.array([0, rng.uniform(0, 6), rng.uniform(0, 22)])
    elif kind < 0.85:
        body = np.array([rng.uniform(225, 250), rng.uniform(205, 235), rng.uniform(150, 205)])
    elif kind < 0.93:
        body = any_colour(rng, 170, 250) * 0.35 + 155
    else:
        dark = rng.random() < 0.4
        body = any_colour(rng, 15, 60) if dark else any_colour(rng, 120, 230)
        return body, any_colour(rng), rng.choice([0.0, 0.35]), dark
    hues = [60, 70, 105, 115, 22, 12, 28, 150, 165, 0]
    back = cv2.cvtColor(
        np.uint8([[[rng.choice(hues) + rng.integers(0, 6), rng.integers(80, 250), rng.integers(60, 235)]]]),
        cv2.COLOR_HSV2RGB,
    )[0, 0]
    if rng.random() < 0.2:
        back = np.clip(body * rng.uniform(0.5, 1.0), 0, 255) if rng.random() < 0.5 else any_colour(rng, 10, 70)
    return body, back.astype(np.float32), rng.choice([0.0, rng.uniform(0.2, 0.55)], p=[0.25, 0.75]), False


def _pyramid(colour: np.ndarray, mask: np.ndarray) -> list[np.ndarray]:
    """Premultiplied RGBA at full, half, quarter and eighth size."""
    alpha = mask.astype(np.float32) / 255
    rgba = np.dstack([np.clip(colour, 0, 255) * alpha[..., None], mask]).astype(np.uint8)
    levels = [rgba]
    for _ in range(3):
        levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return levels


def _ink(rng: np.random.Generator, art: np.ndarray, margin: float, light: bool) -> tuple[np.ndarray, np.ndarray]:
    """The art shrunk to leave a margin, its colours shifted a little: (premultiplied ink, ink's
    coverage)."""
    width, height = int(FACE_W * margin), int(FACE_H * margin)
    alpha = art[..., 3:].astype(np.float32) / 255
    ink = art[..., :3].astype(np.float32)
    ink = (230 - 0.6 * ink if light else ink) * alpha
    placed = np.zeros((FACE_H, FACE_W, 4), np.float32)
    top, left = (FACE_H - height) // 2, (FACE_W - width) // 2
    both = np.dstack([ink, alpha])
    placed[top : top + height, left : left + width] = cv2.resize(both, (width, height), interpolation=cv2.INTER_AREA)
    return placed[..., :3], placed[..., 3:]


def dress(
    rng: np.random.Generator, face_set: _Recorded | FaceSet, dims: tuple[float, float, float], count: int = 26
) -> Dressed:
    """A material for `count` faces of the set, chosen at random."""
    body, back_colour, share, light = _materials(rng)
    radius = rng.uniform(0.03, 0.14)
    mask, bevel = _rounded_mask(radius), _bevel(rng, radius)
    field = cv2.resize(rng.normal(0, 0.012, (4, 3)).astype(np.float32), (FACE_W, FACE_H), interpolation=cv2.INTER_CUBIC)
    ground = body[None, None] * (1 + field)[..., None]
    codes = [c for c in face_set.codes if c != "back"]
    codes = [codes[k] for k in rng.permutation(len(codes))[:count]]
    margin, gain = rng.uniform(0.72, 0.98), rng.uniform(0.75, 1.1, 3)
    blank_dragon = rng.random() < 0.3
    faces = []
    for code in codes:
        ink, cover = _ink(rng, face_set.face(code), margin, light)
        if code == "P" and blank_dragon:
            cover = cover * 0
        colour = ground * (1 - cover) + ink * gain * (cover > 0)
        faces.append(_pyramid(colour * bevel[..., None], mask))
    back = back_colour[None, None] * (1 + field)[..., None]
    if rng.random() < 0.15:
        cv2.ellipse(
            back,
            (FACE_W // 2, FACE_H // 2),
            (50, 70),
            0,
            0,
            360,
            tuple(map(float, any_colour(rng))),
            int(rng.integers(2, 12)),
        )
    return Dressed(
        faces, _pyramid(back * bevel[..., None], mask), body.astype(np.float32), back_colour, float(share), dims, codes
    )


def _turn(axis: str, degrees: np.ndarray) -> np.ndarray:
    """Rotation matrices [T, 3, 3] about one axis."""
    a = np.radians(degrees)
    c, s, o, i = np.cos(a), np.sin(a), np.zeros_like(a), np.ones_like(a)
    axes = {"x": [i, o, o, o, c, -s, o, s, c], "y": [c, o, s, o, i, o, -s, o, c], "z": [c, -s, o, s, c, o, o, o, i]}
    rows = axes[axis]
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


@dataclass
class Solids:
    """Corners [T, 8, 3], centres [T, 3] and rotations [T, 3, 3] of all tiles of a scene."""

    corners: np.ndarray
    centres: np.ndarray
    rotation: np.ndarray

    def pick(self, which: np.ndarray) -> Solids:
        """The chosen tiles only."""
        return Solids(self.corners[which], self.centres[which], self.rotation[which])


def solids(items: list[Item], dims: tuple[float, float, float]) -> Solids:
    """The tiles as boxes standing on their bases."""
    names = ("yaw", "tilt", "spin", "back", "x", "y", "base")
    yaw, tilt, spin, back, x, y, base = (np.array([getattr(i, name) for i in items], np.float64) for name in names)
    rotation = _turn("z", yaw) @ _turn("x", tilt) @ _turn("z", spin) @ _turn("y", back * 180.0)
    corners = np.einsum("tij,kj->tki", rotation, _SIGNS * (np.array(dims) / 2))
    low = corners[..., 2].min(axis=1)
    centres = np.stack([x, y, base - low], axis=1)
    return Solids(corners + centres[:, None], centres, rotation)


def _blend(image: np.ndarray, texture: list[np.ndarray], quad: np.ndarray, shade: float) -> None:
    """Warps the pyramid's best level onto the quad of the image."""
    height, width = image.shape[:2]
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (width, height))
    if (high <= low).any():
        return
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    span = max(sides[0], sides[2])
    level = int(np.clip(np.floor(np.log2(FACE_W / max(span, 1)) + 0.3), 0, 3))
    source = texture[level]
    h, w = source.shape[:2]
    matrix = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5, np.float32(quad - low - 0.5)
    )
    patch = cv2.warpPerspective(source, matrix, tuple(int(v) for v in high - low), flags=cv2.INTER_LINEAR)
    region = image[low[1] : high[1], low[0] : high[0]]
    cover = patch[..., 3:].astype(np.float32) * (1 / 255)
    mixed = region * (1 - cover) + np.minimum(patch[..., :3] * shade, 255 * cover)
    region[:] = mixed.astype(np.uint8)


def _fill(image: np.ndarray, polygon: np.ndarray, colour: np.ndarray) -> None:
    fixed = np.round(polygon * 16 - 8).astype(np.int32)
    cv2.fillConvexPoly(image, fixed, tuple(float(min(c, 255)) for c in colour), cv2.LINE_AA, 4)


def cast_shadows(image: np.ndarray, boxes: Solids, camera: Camera, light: np.ndarray, strength: float) -> np.ndarray:
    """Darkens the table where tiles keep the light away, softly, and close around their feet."""
    if strength <= 0:
        return image
    mask = np.zeros(image.shape[:2], np.uint8)
    dropped = boxes.corners - light * (boxes.corners[..., 2:] / light[2])
    pixels, depth = camera.project(dropped)
    for points, deep in zip(pixels, depth):
        if deep.min() > 0.5 and np.abs(points).max() < 4000:
            cv2.fillConvexPoly(mask, cv2.convexHull(np.float32(points)).astype(np.int32), 255)
    scale = camera.focal / np.linalg.norm(camera.centre)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.7, scale * 0.09)) if scale < 60 else cv2.blur(mask, (15, 15))
    return cv2.multiply(
        image, cv2.cvtColor(255 - (mask * strength).astype(np.uint8), cv2.COLOR_GRAY2RGB), scale=1 / 255
    )


def _side_quads(
    points: np.ndarray, corners: tuple[int, int, int, int], dressed: Dressed
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The part of a side at the face and the part at the back, with colours."""
    a, b, c, d = (points[k] for k in corners)
    share = dressed.back_share
    if share <= 0.01:
        return [(np.stack([a, b, c, d]), dressed.body)]
    m, n = c + (b - c) * share, d + (a - d) * share
    return [(np.stack([a, b, m, n]), dressed.body), (np.stack([n, m, c, d]), dressed.back_colour)]


def draw(
    image: np.ndarray,
    ids: np.ndarray,
    boxes: Solids,
    dressed: Dressed,
    faces: np.ndarray,
    camera: Camera,
    light: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws all tiles from far to near.

    Returns (quads [T, 4, 2], face up [T], facing [T]): `facing` is the cosine between the drawn
    face and the line of sight.
    """
    pixels, _ = camera.project(boxes.corners)
    sight = camera.centre - boxes.centres
    distance = np.linalg.norm(sight, axis=1)
    half = np.array(dressed.dims) / 2
    local = np.einsum("tji,tj->ti", boxes.rotation, sight)
    bright = 0.62 + 0.42 * np.einsum("tij,i->tj", boxes.rotation, light)
    up = local[:, 2] > 0
    jitter = rng.normal(1.0, 0.02, len(distance))
    ridge = rng.random() < 0.5
    quads = np.where(up[:, None, None], pixels[:, _FRONT], pixels[:, _REAR])
    for k in np.argsort(-distance):
        for corners, axis, sign in _SIDES:
            if sign * local[k, axis] <= half[axis]:
                continue
            shade = jitter[k] * (0.62 + max(0, 0.42 * (sign * (bright[k, axis] - 0.62) / 0.42)))
            for polygon, colour in _side_quads(pixels[k], corners, dressed):
                _fill(image, polygon, colour * shade)
                cv2.fillConvexPoly(ids, np.round(polygon).astype(np.int32), 0)
        shade = jitter[k] * (0.62 + max(0.0, (1 if up[k] else -1) * (bright[k, 2] - 0.62)))
        texture = dressed.faces[faces[k]] if up[k] else dressed.back
        _blend(image, texture, quads[k], shade)
        cv2.fillConvexPoly(ids, np.round(quads[k] - 0.5).astype(np.int32), int(k) + 1)
        if ridge:
            tint = (dressed.body if up[k] else dressed.back_colour) * shade * 0.8
            cv2.polylines(
                image, [np.round(quads[k] * 16 - 8).astype(np.int32)], True, tuple(map(float, tint)), 1, cv2.LINE_AA, 4
            )
    facing = np.maximum(np.abs(local[:, 2]) - half[2], 0) / distance
    return quads, up, facing
