"""From a photo's pixels to the networks' inputs: what training, measuring and the program must all do alike.

Purpose: the one Python definition of the pyramid's pictures and of the classifier's crops. Input: RGB uint8 pictures and
quads (corners clockwise, in the picture's pixels). Output: RGB uint8 pictures, and `planes` of them as float32 in 0..1.
Invariant: src/pipeline/{decode,detect,classify}.rs do the same; scripts/parity.py proves it. Needs numpy and OpenCV only.
"""

import cv2
import numpy as np

from .crops_photo import CROP_H, CROP_W, MARGIN

STEP = 32  # The detector's five halvings divide its sides.
GREY = 114  # What it is padded with.


def planes(pictures):
    """uint8 [N, H, W, 3] -> float32 [N, 3, H, W] in 0..1."""
    return np.ascontiguousarray(np.asarray(pictures).transpose(0, 3, 1, 2), np.float32) / 255


def fit(image, side):
    """The image with its long side scaled to `side`, padded to multiples of 32 with grey: (image, scale)."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return cv2.copyMakeBorder(small, 0, -h % STEP, 0, -w % STEP, cv2.BORDER_CONSTANT, value=(GREY, GREY, GREY)), scale


def cut(image, quad, margin=MARGIN):
    """The classifier's crop of a quad by the rules of models/manifest.json: the longer sides come to stand upright."""
    quad = np.float32(quad)
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    if edges[0] + edges[2] > edges[1] + edges[3]:
        quad = np.roll(quad, -1, axis=0)
        edges = np.roll(edges, -1)
    factor = max(1.0, (edges[1] + edges[3]) / 2 * margin / CROP_H)
    if factor > 1.0:
        size = (max(1, round(image.shape[1] / factor)), max(1, round(image.shape[0] / factor)))
        quad = quad * (size[0] / image.shape[1], size[1] / image.shape[0])
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    centre = quad.mean(0)
    source = np.float32(centre + (quad - centre) * margin)
    target = np.float32([[0, 0], [CROP_W, 0], [CROP_W, CROP_H], [0, CROP_H]])
    straight = cv2.getPerspectiveTransform(source, target)
    return cv2.warpPerspective(image, straight, (CROP_W, CROP_H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
