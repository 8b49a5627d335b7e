"""Pictures that other schools put on flowers and seasons, and spare tiles: people, fish, buildings,
weather, jokers.

Purpose: what a bonus tile or a joker shows besides the four plants of `faces_bonus`. Input: a
canvas, a generator, inks.
Output: the canvas, painted. Invariant: each picture fills a region around (96, 150) of about 130 by
150; none looks like a playing tile.
"""

from __future__ import annotations

import cv2
import numpy as np

from .faces_canvas import HEIGHT, WIDTH, Canvas, arc, blade, curve
from .faces_glyphs import Brush, has, latin, pick_latin

# Besides the three inks of a set: what full-colour prints use.
_GAY = [
    (236, 120, 160),
    (246, 190, 40),
    (240, 130, 40),
    (140, 80, 180),
    (90, 170, 60),
    (60, 150, 220),
    (150, 90, 50),
    (220, 50, 60),
    (30, 120, 110),
    (245, 220, 120),
]


def gay(rng: np.random.Generator) -> list:
    """Three inks of a print in many colours."""
    return [_GAY[i] for i in rng.permutation(len(_GAY))[:3]]


def person(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A robed figure with a hat or bun, holding a rod, fan or bundle."""
    x, head, foot = 96 + rng.uniform(-22, 22), rng.uniform(78, 112), rng.uniform(222, 244)
    size, half = rng.uniform(13, 20), rng.uniform(30, 52)
    neck = head + size
    c.polygon([(x - 14, neck), (x + 14, neck), (x + half, foot), (x - half, foot)], inks[0])
    for side in (-1, 1):
        hand = (x + side * rng.uniform(26, 56), neck + rng.uniform(20, 64))
        c.polygon(
            blade((x + side * 8, neck + 6), hand, rng.uniform(-0.2, 0.2), rng.uniform(18, 30)), inks[rng.choice([0, 1])]
        )
        if rng.random() < 0.5:
            c.line(
                [(hand[0] + side * 4, hand[1] - rng.uniform(30, 90)), (hand[0], hand[1] + rng.uniform(10, 90))],
                inks[2],
                rng.uniform(3, 6),
            )
    c.disc((x, head), size, inks[1])
    c.disc((x, head), size * 0.8, None if rng.random() < 0.5 else (240, 210, 180))
    if rng.random() < 0.6:
        c.polygon(
            [
                (x - size * 1.4, head - size * 0.5),
                (x + size * 1.4, head - size * 0.5),
                (x, head - size * rng.uniform(1.4, 2.2)),
            ],
            inks[2],
        )
    else:
        c.disc((x, head - size), size * 0.5, inks[2])
    for t in np.linspace(0.3, 0.9, rng.integers(1, 4)):
        c.line(
            [(x - half * t, neck + (foot - neck) * t), (x + half * t, neck + (foot - neck) * t)],
            None if rng.random() < 0.5 else inks[1],
            rng.uniform(2, 5),
        )


def fish(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A carp over waves."""
    at, a, long = np.float32([96, rng.uniform(130, 170)]), rng.uniform(-0.9, 0.9), rng.uniform(50, 72)
    way = np.float32([np.cos(a), np.sin(a)])
    c.ellipse(at, (long, long * rng.uniform(0.34, 0.5)), a, inks[0])
    tail, up = at - way * long, np.float32([-way[1], way[0]])
    c.polygon([tail + way * 10, tail - way * 30 + up * 26, tail - way * 18, tail - way * 30 - up * 26], inks[1])
    c.polygon(blade(at - way * 20 + up * 10, at - way * 34 + up * 44, 0.1, 20), inks[1])
    c.disc(at + way * long * 0.66 - up * 5, 6, None)
    for t in np.linspace(-0.5, 0.4, rng.integers(2, 6)):
        c.line(arc(at + way * long * t, (10, 18), a, -1.2, 1.2), None, 2.5)
    _waves(c, rng, inks[2], rng.uniform(200, 220))


def _waves(c: Canvas, rng: np.random.Generator, ink: tuple[int, int, int], y: float) -> None:
    for i in range(rng.integers(1, 4)):
        points = [(24 + k * 24, y + i * 11 + (6 if k % 2 else -6)) for k in range(7)]
        c.line(curve(points), ink, rng.uniform(2, 4))


def house(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A pagoda or gate with curved roofs."""
    x, y, half, floors = 96 + rng.uniform(-12, 12), 240.0, rng.uniform(46, 66), int(rng.integers(1, 5))
    high = rng.uniform(0.8, 1.1) * 150 / (floors + 0.6)
    for _ in range(floors):
        c.box((x - half * 0.66, y - high * 0.7, x + half * 0.66, y), inks[1])
        for s in np.linspace(-0.5, 0.5, rng.integers(2, 5)):
            c.box((x + half * s - 5, y - high * 0.5, x + half * s + 5, y - 3), None if rng.random() < 0.7 else inks[2])
        roof = y - high * 0.7
        c.polygon(
            [
                (x - half, roof - 4),
                (x - half * 0.5, roof),
                (x + half * 0.5, roof),
                (x + half, roof - 4),
                (x + half * 0.4, roof - high * 0.34),
                (x - half * 0.4, roof - high * 0.34),
            ],
            inks[0],
        )
        y, half = roof - high * 0.3, half * rng.uniform(0.7, 0.92)
    c.line([(x, y), (x, y - 20)], inks[2], 4)


def boat(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A junk under sail."""
    x, y = 96 + rng.uniform(-8, 8), rng.uniform(196, 212)
    c.polygon([(x - 66, y - 16), (x + 66, y - 22), (x + 44, y + 14), (x - 46, y + 14)], inks[0])
    for dx, wide in ((rng.uniform(-36, -20), 30), (rng.uniform(8, 26), 40))[: rng.integers(1, 3)]:
        top = rng.uniform(74, 100)
        c.line([(x + dx, y - 16), (x + dx, top)], inks[2], 4)
        c.polygon([(x + dx + 3, top), (x + dx + wide, (top + y) / 2), (x + dx + 3, y - 26)], inks[1])
    _waves(c, rng, inks[2], y + 20)


def butterfly(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Four wings, a body and feelers."""
    x, y = 96 + rng.uniform(-8, 8), rng.uniform(130, 165)
    for side in (-1, 1):
        up, down = rng.uniform(38, 52), rng.uniform(24, 38)
        c.ellipse((x + side * up * 0.75, y - 26), (up, up * 0.6), side * -0.7, inks[0])
        c.ellipse((x + side * down * 0.8, y + 26), (down, down * 0.65), side * 0.7, inks[1])
        c.disc((x + side * up * 0.9, y - 32), rng.uniform(5, 12), None if rng.random() < 0.5 else inks[2])
        c.line(curve([(x, y - 34), (x + side * 12, y - 60), (x + side * 30, y - 70)]), inks[2], 2.5)
    c.ellipse((x, y), (6, 42), 0, inks[2])


def lantern(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A round lantern with ribs and tassel."""
    x, y, r = 96 + rng.uniform(-6, 6), rng.uniform(130, 150), rng.uniform(38, 54)
    c.ellipse((x, y), (r, r * rng.uniform(0.8, 1.1)), 0, inks[0])
    for t in np.linspace(0.3, 0.8, rng.integers(1, 4)):
        c.line(arc((x, y), (r * t, r * 0.85), 0), inks[1] if rng.random() < 0.5 else None, 2.5, True)
    c.box((x - r * 0.4, y - r - 6, x + r * 0.4, y - r + 8), inks[2])
    c.box((x - r * 0.4, y + r - 10, x + r * 0.4, y + r + 4), inks[2])
    for d in np.linspace(-0.3, 0.3, 5):
        c.line([(x + r * d, y + r), (x + r * d * 1.3, y + r + rng.uniform(28, 44))], inks[1], 2.5)


def fruit(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Peaches, berries or gourds with leaves."""
    for _ in range(rng.integers(1, 5)):
        x, y, r = rng.uniform(50, 142), rng.uniform(110, 215), rng.uniform(16, 34)
        c.disc((x, y), r, inks[1])
        if rng.random() < 0.5:
            c.disc((x, y - r), r * 0.7, inks[1])
        c.line(curve([(x, y - r), (x + 8, y - r - 16), (96, 80)]), inks[2], 3)
        c.polygon(blade((x, y - r), (x + rng.uniform(-50, 50), y - r - rng.uniform(5, 40)), 0.2, 18), inks[0])


def hill(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Mountains, a sun or moon, water."""
    c.disc((rng.uniform(50, 140), rng.uniform(90, 115)), rng.uniform(12, 24), inks[1])
    for _ in range(rng.integers(2, 5)):
        x, top, half = rng.uniform(40, 150), rng.uniform(100, 160), rng.uniform(34, 70)
        c.polygon([(max(14, x - half), 214), (x, top), (min(178, x + half), 214)], inks[0])
        c.polygon(
            [(x - half * 0.2, top + (214 - top) * 0.2), (x, top), (x + half * 0.2, top + (214 - top) * 0.2)], None
        )
    _waves(c, rng, inks[2], 222)


def sun(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Summer: a sun with rays, perhaps with a face."""
    at, r, count = (96, rng.uniform(135, 160)), rng.uniform(26, 40), int(rng.integers(7, 17))
    for a in np.arange(count) * 2 * np.pi / count:
        far = rng.uniform(1.6, 1.95) * r
        c.polygon(
            [
                (at[0] + np.cos(a + d) * q, at[1] + np.sin(a + d) * q)
                for d, q in ((-0.16, r * 1.1), (0.16, r * 1.1), (0, far))
            ],
            inks[1],
        )
    c.disc(at, r, inks[1])
    if rng.random() < 0.4:
        for dx in (-0.35, 0.35):
            c.disc((at[0] + dx * r, at[1] - r * 0.2), r * 0.12, None)
        c.line(arc(at, (r * 0.5, r * 0.45), 0, 0.4, 2.7), None, 4)


def snow(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Winter: snow crystals, or a snowman."""
    if rng.random() < 0.3:
        ink = inks[0]
        for y, r in ((205, 38), (150, 27), (108, 19)):
            c.ring((96, y), r, ink, 5)
        c.box((78, 72, 114, 92), inks[2])
        c.line([(66, 92), (126, 92)], inks[2], 5)
        return
    for _ in range(rng.integers(1, 4)):
        at, r = (rng.uniform(60, 132), rng.uniform(110, 190)), rng.uniform(24, 56)
        for a in np.arange(6) * np.pi / 3 + rng.uniform(0, 1):
            tip = (at[0] + np.cos(a) * r, at[1] + np.sin(a) * r)
            c.line([at, tip], inks[2], 4)
            for t in (0.5, 0.75):
                for d in (-0.5, 0.5):
                    base = (at[0] + np.cos(a) * r * t, at[1] + np.sin(a) * r * t)
                    c.line([base, (base[0] + np.cos(a + d) * r * 0.25, base[1] + np.sin(a + d) * r * 0.25)], inks[2], 3)


def leaf(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Autumn: lobed or pointed leaves."""
    for _ in range(rng.integers(1, 5)):
        at, r, n = (rng.uniform(60, 132), rng.uniform(110, 195)), rng.uniform(24, 50), int(rng.choice([1, 3, 5, 7]))
        turn = rng.uniform(0, 6.28)
        for a in np.linspace(-1.9, 1.9, n) if n > 1 else [0.0]:
            k = 1 - 0.22 * abs(a)
            c.polygon(
                blade(at, (at[0] + np.cos(a + turn) * r * k, at[1] + np.sin(a + turn) * r * k), 0, r * 0.55), inks[1]
            )
        c.line([at, (at[0] - np.cos(turn) * r * 0.7, at[1] - np.sin(turn) * r * 0.7)], inks[2], 3)


def tree(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A tree with a crown, blossoms or bare branches."""
    x = 96 + rng.uniform(-10, 10)
    c.polygon([(x - 8, 242), (x + 8, 242), (x + 4, 150), (x - 4, 150)], inks[2])
    for a in rng.uniform(-2.8, -0.3, rng.integers(3, 7)):
        tip = (x + np.cos(a) * 54, 150 + np.sin(a) * 54)
        c.line([(x, rng.uniform(150, 185)), tip], inks[2], 4)
        if rng.random() < 0.8:
            c.disc(tip, rng.uniform(12, 30), inks[rng.choice([0, 1])])


ANY = [person, person, person, fish, house, boat, butterfly, lantern, fruit, hill]
OF_SEASON = {"s1": [tree, leaf], "s2": [sun, fruit], "s3": [leaf, tree], "s4": [snow, tree]}


def joker(rng: np.random.Generator) -> np.ndarray:
    """A tile that is no tile of the game: a joker, a spare with the maker's words, a counter with a
    number."""
    c = Canvas()
    inks = [
        tuple(int(v) for v in ink)
        for ink in ([(200, 30, 40), (20, 110, 60), (30, 56, 150)] if rng.random() < 0.5 else gay(rng))
    ]
    inks = [inks[i] for i in rng.permutation(3)]
    kind, font = rng.random(), pick_latin(rng)
    if kind < 0.3:
        word = str(
            rng.choice(
                [
                    "JOKER",
                    "Joker",
                    "BIG JOKER",
                    "WILD",
                    "JOLLY",
                    "MAHJONG",
                    "BLANK",
                    "SPARE",
                    "BONUS",
                    "RULES",
                    "MADE IN",
                    "GOOD LUCK",
                    "100",
                    "500",
                    "?",
                    "FREE",
                ]
            )
        )
        mask, rows = latin(font, word, int(rng.choice([0, 6, 12]))), int(rng.choice([1, 1, 2]))
        for i in range(rows):
            y, wide, high = (
                HEIGHT * (i + 1) / (rows + 1) + rng.uniform(-20, 20),
                rng.uniform(110, 172),
                rng.uniform(24, 60),
            )
            c.stamp(mask, (96 - wide / 2, y - high / 2, 96 + wide / 2, y + high / 2), inks[0])
    elif kind < 0.5:
        words = [w for w in ("百搭", "飛", "財神", "聽用", "福", "喜", "白搭", "財") if True]
        brush = Brush(rng, "白")
        word = str(rng.choice([w for w in words if all(has(brush.font, x) for x in w)] or ["白"]))
        if word == "白":
            word = "口"
        for i, char in enumerate(word):
            size = 150 / len(word) if len(word) > 1 else 110
            y = HEIGHT / 2 + (i - (len(word) - 1) / 2) * size * 1.3
            c.stamp(brush.glyph(char), (96 - size / 2, y - size / 2, 96 + size / 2, y + size / 2), inks[i % 2])
    elif kind < 0.8:  # A jester's head with cap and bells, and mostly a word.
        x, y, r = 96, rng.uniform(120, 150), rng.uniform(26, 40)
        for a, ink in zip((-2.4, -1.57, -0.75), inks):
            tip = (x + np.cos(a) * r * 2.1, y + np.sin(a) * r * 2.1)
            c.polygon([(x - r * 0.9, y - r * 0.3), tip, (x + r * 0.9, y - r * 0.3)], ink)
            c.disc(tip, 7, inks[1])
        c.disc((x, y), r, inks[0])
        c.disc((x, y), r * 0.85, (240, 214, 180))
        for dx in (-0.35, 0.35):
            c.disc((x + dx * r, y - r * 0.1), 4, (20, 20, 20))
        c.line(arc((x, y), (r * 0.5, r * 0.5), 0, 0.3, 2.8), inks[0], 4)
        for side in (-1, 1):
            c.polygon(
                [(x, y + r), (x + side * r * 1.6, y + r + 14), (x + side * r * 0.6, y + r + 44)], inks[1 + (side > 0)]
            )
        if rng.random() < 0.7:
            c.stamp(latin(font, "JOKER", 4), (24, 222, 168, 248), inks[0])
    else:
        _emblem(c, rng, inks, font)
    if rng.random() < 0.25:
        m = rng.uniform(8, 20)
        c.frame((m, m, WIDTH - m, HEIGHT - m), inks[2], rng.uniform(2, 6), rng.uniform(0, 20))
    face = c.image()
    if rng.random() < 0.2:
        face = cv2.rotate(face, cv2.ROTATE_180)
    return face


def _emblem(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]], font: tuple[str, int]) -> None:
    """A star, a maker's emblem or a crest, perhaps with a word below."""
    at, points, r = (96, rng.uniform(105, 135)), int(rng.integers(4, 9)), rng.uniform(40, 68)
    ring = [
        (at[0] + np.cos(a) * q, at[1] + np.sin(a) * q)
        for k in range(points)
        for a, q in (
            (2 * np.pi * k / points - 1.57, r),
            (2 * np.pi * (k + 0.5) / points - 1.57, r * rng.uniform(0.35, 0.55)),
        )
    ]
    c.polygon(ring, inks[0])
    if rng.random() < 0.5:
        c.ring(at, r * 1.15, inks[1], 5)
    if rng.random() < 0.6:
        c.stamp(
            latin(font, str(rng.choice(["JOKER", "LUCKY", "CLUB", "1888", "STAR"])), 4), (26, 205, 166, 238), inks[1]
        )
