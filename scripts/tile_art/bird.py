"""The one of bamboo: a long-tailed bird on a cane.

Purpose: the shapes of that face. Output: SVG elements, from the back to the front. Invariant: no
digit, no character.
"""

from __future__ import annotations

from .brush import bow, closed, leaf, polygon
from .tile import BLUE, FACE, GREEN, INK, RED, disc, line, path


def bird() -> list[str]:
    """A bird that looks to the left over its breast; the tail falls beside the cane."""
    return [*_legs(), *_cane(), *_tail(), *_body(), *_wing(), *_head()]


def _tail() -> list[str]:
    """Three feathers with an eye each, in front of the cane."""
    feathers = [((55, 59), -0.1, GREEN), ((51.5, 68.5), -0.08, RED), ((43, 74), -0.06, GREEN)]
    root = (33, 38)
    shapes = [
        shape
        for tip, bend, ink in feathers
        for feather in [leaf(root, tip, bend, 7.5)]
        for shape in (line(feather, FACE, 1.6), path(feather, ink))
    ]
    eyes = [bow(root, tip, bend / 2, 0.8, 0) for tip, bend, _ in feathers]
    return shapes + [disc(round(x, 1), round(y, 1), 1.4, FACE) for x, y in eyes]


def _cane() -> list[str]:
    """The bird's perch: a cane of bamboo with two joints."""
    return [line("M60 675L550 655", GREEN, 3.6), line("M145 640L147 700M345 630L347 690", FACE, 1)]


def _legs() -> list[str]:
    return [line("M210 530L195 655M270 540L268 650", RED, 1.9)]


def _body() -> list[str]:
    """Neck, breast, belly and back as one swell."""
    outline = [
        (18, 13.5),
        (23.5, 15.5),
        (26, 22),
        (31, 30),
        (40, 40),
        (43, 47),
        (36, 53),
        (26, 56),
        (16.5, 51),
        (12, 41),
        (12.6, 30),
        (14, 22),
        (13.6, 16.5),
    ]
    return [path(closed(outline), BLUE)]


def _wing() -> list[str]:
    """Three feathers over the flank, edged in light."""
    feathers = [
        leaf((20.5, 33), (50, 49), 0.1, 6.5),
        leaf((19.5, 34), (45, 53), 0.12, 6.5),
        leaf((18.5, 35), (37, 55.5), 0.14, 6.5),
    ]
    return [shape for feather in feathers for shape in (path(feather, GREEN), line(feather, FACE, 0.9))]


def _head() -> list[str]:
    """Crest, beak and eye."""
    crest = line("M175 140L135 75M188 130L186 65M202 138L238 80", RED, 1.2)
    tips = [disc(13.2, 7, 1.7, RED), disc(18.6, 5.6, 1.7, RED), disc(24.2, 7.2, 1.7, RED)]
    beak = path(polygon([(14.6, 16.4), (5.5, 21.2), (14, 22.6)]), RED)
    return [crest, *tips, beak, disc(18.2, 18.6, 2.1, FACE), disc(17.9, 18.6, 1.1, INK)]
