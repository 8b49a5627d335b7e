"""From a photo's pixels to the networks' inputs: what training, measuring and the program must all do alike.

Purpose: the one Python definition of the pyramid's pictures and of the refiner's and the classifier's crops. Input: RGB uint8 pictures and
quads (corners clockwise, in the picture's pixels). Output: RGB uint8 pictures, and `planes` of them as float32 in 0..1.
Invariant: src/pipeline/{decode,detect,crop}.rs do the same; scripts/parity.py proves it. Needs numpy and OpenCV only.
"""

import cv2
import numpy as np

from .crops_photo import CROP_H, CROP_W, MARGIN

SURROUNDINGS, SIDE = 1.7, 64  # How far the refiner looks around a tile, and into how large a crop.
STEP = 32  # The detector's five halvings divide its sides.
GREY = 114  # What it is padded with.


def planes(pictures):
    """uint8 [N, H, W, 3] -> float32 [N, 3, H, W] in 0..1."""
    return np.ascontiguousarray(np.asarray(pictures).transpose(0, 3, 1, 2), np.float32) / 255


def pyramid(image, sides):
    """For each long side the image scaled to it, padded to multiples of 32 with grey: (image, scale). Each is made of the one before."""
    height, width = image.shape[:2]
    longest, levels = max(height, width), []
    for side in sides:
        # To the nearest whole pixel, halves upwards, in whole numbers: the program agrees exactly.
        w, h = (max(1, (2 * old * side + longest) // (2 * longest)) for old in (width, height))
        shrinks = w <= image.shape[1] and h <= image.shape[0]
        image = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        padded = cv2.copyMakeBorder(image, 0, -h % STEP, 0, -w % STEP, cv2.BORDER_CONSTANT, value=(GREY, GREY, GREY))
        levels.append((padded, side / longest))
    return levels


def upright(quad):
    """The same quad with its longer pair of sides running from the top to the bottom."""
    across, down = quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0]
    return np.roll(quad, -1, axis=0) if np.hypot(*across) > np.hypot(*down) else quad


def cut(image, quad, margin=MARGIN):
    """The classifier's crop of a quad, by the rules of models/manifest.json: its longer sides come to stand upright."""
    return crop(image, upright(np.float32(quad)), margin)


def crop(image, quad, margin=MARGIN, size=(CROP_H, CROP_W)):
    """The same, the side from corner 0 to corner 1 at the top; `size` is its height and width."""
    quad, (high, wide) = np.float32(quad), size
    centre = quad.mean(0)
    quad = centre + (quad - centre) * np.float32(margin)
    factor = np.hypot(*(quad[2] - quad[1] + quad[3] - quad[0])) / 2 / high
    if factor > 1:
        shrunk = tuple(max(1, round(side / factor)) for side in image.shape[1::-1])
        quad = quad * np.float32([shrunk[0] / image.shape[1], shrunk[1] / image.shape[0]])
        image = cv2.resize(image, shrunk, interpolation=cv2.INTER_AREA)
    corners = np.float32([[0, 0], [wide, 0], [wide, high], [0, high]])
    straight = cv2.getPerspectiveTransform(quad, corners)
    return cv2.warpPerspective(image, straight, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def surroundings(image, quad):
    """The refiner's crop of a quad: the tile in its middle, the side from corner 0 to corner 1 at the top."""
    return crop(image, quad, SURROUNDINGS, (SIDE, SIDE))
