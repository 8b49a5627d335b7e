"""Flowers and seasons: a picture, and what really tells them apart - the character and the coloured
digit.

Purpose: draw f1..f4 (plum, orchid, chrysanthemum, bamboo) and s1..s4 (spring..winter). Input:
`Style` and a canvas.
Output: the canvas, painted. Invariant: in the customary school a face carries its character, its
digit or both, and then any picture; only with a digit alone the picture is of the face's own kind,
since the digit says the number but not which four. In the other schools (words, figures, the
character alone, numerals, bare pictures) some faces cannot be told from each other: they teach
"some bonus tile".
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from . import faces_pictures
from .faces_canvas import HEIGHT, WIDTH, Canvas, arc, blade, curve
from .faces_characters import draw_index
from .faces_glyphs import has, latin
from .faces_style import Style

_CHARS = {"f1": "梅", "f2": "蘭", "f3": "菊", "f4": "竹", "s1": "春", "s2": "夏", "s3": "秋", "s4": "冬"}
_WORDS = {
    "f1": "PLUM",
    "f2": "ORCHID",
    "f3": "MUM",
    "f4": "BAMBOO",
    "s1": "SPRING",
    "s2": "SUMMER",
    "s3": "AUTUMN",
    "s4": "WINTER",
}
_OTHER_WORDS = {
    "f1": "PLUM BLOSSOM",
    "f2": "ORCH",
    "f3": "CHRYSANTHEMUM",
    "f4": "BAM",
    "s1": "SPR",
    "s2": "SUM",
    "s3": "FALL",
    "s4": "WIN",
}


def draw(canvas: Canvas, style: Style, code: str) -> None:
    """Paint one bonus tile in the set's school."""
    school = style.among(
        67, ["plants"] * 9 + ["words"] * 4 + ["figures"] * 2 + ["character"] * 2 + ["numeral"] * 2 + ["bare", "letters"]
    )
    if school == "plants":
        _plants(canvas, style, code)
    else:
        _other(canvas, style, code, school)


def _other(canvas: Canvas, style: Style, code: str, school: str) -> None:
    """Draw a bonus tile of another school than the plants with character and digit."""
    season, rng = code[0] == "s", style.rng("school" + code)
    printed = style.chance(68) < 0.5  # In many colours, not in the set's three inks.
    inks = faces_pictures.gay(rng) if printed else _inks(style, season, rng)
    if printed and style.chance(69) < 0.5:
        inks[0] = style.inks["green"]
    ink = style.inks[_name(style, season, 0)]
    if school == "character":
        size = style.span(70, 70, 150)
        if style.chance(71) < 0.4:
            canvas.ring((WIDTH / 2, HEIGHT / 2), size * 0.66, style.inks[_name(style, season, 1)], style.span(72, 3, 8))
        if has(style.bonus_brush.font, _CHARS[code]):
            mask = style.bonus_brush.glyph(_CHARS[code])
            canvas.stamp(
                mask, (WIDTH / 2 - size / 2, HEIGHT / 2 - size / 2, WIDTH / 2 + size / 2, HEIGHT / 2 + size / 2), ink
            )
        if style.chance(73) < 0.5:
            draw_index(
                canvas, style, code[1], style.among(74, ["tl", "tr", "bl", "br"]), style.inks[_name(style, season, 1)]
            )
        return
    _scene(canvas, rng, style, (code, school, inks))
    if school == "words":
        _word(canvas, style, code, ink)
        if style.chance(73) < 0.25:
            draw_index(canvas, style, code[1], style.among(74, ["tl", "tr"]), style.inks[_name(style, season, 1)])
    elif school == "numeral":
        text = "一二三四"[int(code[1]) - 1] if style.chance(73) < 0.6 else None
        corner = style.among(74, ["tl", "tr", "tr"])
        if text:
            _write(canvas, style.bonus_brush.glyph(text, False), (corner, ink, style.span(75, 40, 66)))
        else:
            _write(canvas, latin(style.latin, code[1], 6), (corner, ink, style.span(75, 44, 74)))
    elif school == "letters":
        text = (("S" if season else "F") + code[1]) if style.chance(73) < 0.6 else ("S" if season else "F")
        _write(canvas, latin(style.latin, text, 4), (style.among(74, ["tl", "tr"]), ink, style.span(75, 34, 60)))
    elif school == "figures":
        if style.chance(73) < 0.6:
            draw_index(canvas, style, code[1], style.among(74, ["tl", "tr"]), style.inks[_name(style, season, 1)])
        if style.chance(76) < 0.5:
            _character(canvas, style, code, (style.among(77, ["tr", "tl", "br"]), ink))


def _scene(
    canvas: Canvas, rng: np.random.Generator, style: Style, what: tuple[str, str, list[tuple[int, int, int]]]
) -> None:
    """The picture of another school, at the set's size and place."""
    code, school, inks = what
    layer = Canvas()
    plants = {"f1": _plum, "f2": _orchid, "f3": _mum, "f4": _bamboo, "s1": _plum, "s2": _lotus, "s3": _mum, "s4": _pot}
    if school == "figures":
        draw_it = faces_pictures.ANY[rng.integers(len(faces_pictures.ANY))]
    elif code in faces_pictures.OF_SEASON and style.chance(78) < 0.6:
        choices = faces_pictures.OF_SEASON[code]
        draw_it = choices[rng.integers(len(choices))]
    else:
        draw_it = plants[code]
    draw_it(layer, rng, inks)
    if rng.random() < 0.5:
        layer.px = np.ascontiguousarray(layer.px[:, ::-1])
    if style.chance(79) < 0.3:  # Filled shapes with dark outlines, as vector drawings have.
        solid = (layer.px[..., 3] > 100).astype(np.uint8)
        rim = cv2.dilate(solid, np.ones((5, 5), np.uint8)) - solid
        layer.px[rim > 0] = (*style.inks["black"], 255)
    scale, lift = style.span(80, 0.72, 1.06), style.span(81, -46, -6)
    move = np.float32(
        [[scale, 0, (1 - scale) * WIDTH], [0, scale, (1 - scale) * HEIGHT + (lift if school != "figures" else -8) * 2]]
    )
    canvas.px = cv2.warpAffine(layer.px, move, (layer.px.shape[1], layer.px.shape[0]), flags=cv2.INTER_AREA)


def _word(canvas: Canvas, style: Style, code: str, ink: Any) -> None:
    """The face's name in Latin letters below or above the picture, or up its side."""
    text = (_WORDS if style.chance(82) < 0.65 else _OTHER_WORDS)[code]
    text = text.capitalize() if style.chance(83) < 0.25 else text
    mask = latin(style.latin, text, int(style.span(84, 0, 10)))
    high = style.span(85, 18, 42)
    wide = min(style.span(86, 90, 176), high * mask.shape[1] / mask.shape[0] * 1.25)
    if style.chance(87) < 0.1:
        mask, (wide, high) = cv2.rotate(mask, cv2.ROTATE_90_COUNTERCLOCKWISE), (high, min(200.0, wide * 1.2))
        canvas.stamp(mask, (8, 128 - high / 2, 8 + wide, 128 + high / 2), ink)
        return
    y = style.among(88, [HEIGHT - 12 - high, HEIGHT - 12 - high, HEIGHT - 12 - high, 12])
    canvas.stamp(mask, (WIDTH / 2 - wide / 2, y, WIDTH / 2 + wide / 2, y + high), ink)


def _plants(canvas: Canvas, style: Style, code: str) -> None:
    """Draw a bonus tile of the customary school."""
    season = code[0] == "s"
    rng = style.rng("bonus" + code)
    digit, char = style.chance(1) < 0.86, style.chance(2) < 0.9
    if not digit and not char:
        digit = char = True
    word = style.chance(3) < 0.05
    own = not char or style.chance(4) < 0.45
    place, top = (96 + rng.uniform(-10, 10), 150 + rng.uniform(-8, 12)), style.span(5, 0.7, 1.05)
    _picture(canvas, rng, code if own else str(rng.choice(list(_CHARS))), (place, top, _inks(style, season, rng)))
    corners = style.among(6, [("tl", "tr"), ("tr", "tl"), ("tl", "tr"), ("tr", "tl"), ("bl", "tr"), ("br", "tl")])
    if season and style.chance(7) < 0.3:
        corners = corners[::-1] if corners[0][0] == "t" else corners
    char_ink = style.inks[_name(style, season, 0)]
    if char:
        _character(canvas, style, code, (corners[1], char_ink))
    if digit:
        number = code[1]
        if not season and style.chance(8) < 0.12:  # Some makers number bamboo third and chrysanthemum last.
            number = {"3": "4", "4": "3"}.get(number, number) if char else number
        text = "一二三四"[int(number) - 1] if char and style.chance(9) < 0.06 else number
        if text != number:
            _write(canvas, style.bonus_brush.glyph(text, False), (corners[0], style.inks[_name(style, season, 1)], 40))
        else:
            draw_index(canvas, style, number, corners[0], style.inks[_name(style, season, 1)])
    if word:
        mask = latin(style.latin, _WORDS[code], 4)
        canvas.stamp(mask, (20, 228, 172, 250), char_ink)


def _name(style: Style, season: bool, slot: int) -> str:
    """The ink of a character (slot 0) or digit (slot 1): sets colour the two fours alike or
    differently."""
    both = style.among(10 + slot, ["red", "red", "green", "blue", "black", None, None, None])
    return both or style.among(12 + slot + 2 * season, ["red", "blue", "green", "black"])


def _inks(style: Style, season: bool, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    names = rng.permutation(["green", "red", "blue" if rng.random() < 0.5 else "black"])
    if rng.random() < 0.5:
        names = ["green", "red", "blue"]
    if rng.random() < 0.12:
        names = [names[0]] * 3
    return [style.inks[n] for n in names]


def _character(canvas: Canvas, style: Style, code: str, how: tuple[str, tuple[int, int, int]]) -> None:
    char = _CHARS[code]
    if char == "蘭" and not style.traditional:
        char = "兰"
    if has(style.bonus_brush.font, char):
        _write(canvas, style.bonus_brush.glyph(char), (*how, style.span(16, 40, 78)))


def _write(canvas: Canvas, mask: np.ndarray, how: tuple[str, tuple[int, int, int], float]) -> None:
    corner, ink, size = how
    width = size * min(1.0, max(0.5, mask.shape[1] / mask.shape[0]))
    x = 10 if corner[1] == "l" else WIDTH - 10 - width
    y = 10 if corner[0] == "t" else HEIGHT - 10 - size
    canvas.stamp(mask, (x, y, x + width, y + size), ink)


def _picture(
    canvas: Canvas,
    rng: np.random.Generator,
    code: str,
    what: tuple[tuple[float, float], float, list[tuple[int, int, int]]],
) -> None:
    """A plant or scene within a region of the face."""
    layer = Canvas()
    {"f1": _plum, "f2": _orchid, "f3": _mum, "f4": _bamboo, "s1": _plum, "s2": _lotus, "s3": _mum, "s4": _pot}[code](
        layer, rng, what[2]
    )
    if rng.random() < 0.5:
        layer.px = np.ascontiguousarray(layer.px[:, ::-1])
    if rng.random() < 0.15:
        _pot(layer, rng, what[2])
    canvas.px = layer.px


def _flower(
    c: Canvas,
    rng: np.random.Generator,
    at: np.ndarray | tuple[float, float],
    how: tuple[float, int, tuple[int, int, int], tuple[int, int, int]],
) -> None:
    radius, petals, ink, heart = how
    hollow = rng.random() < 0.45
    turn = rng.uniform(0, 6.28)
    for a in np.arange(petals) * 2 * np.pi / petals + turn:
        spot = (at[0] + np.cos(a) * radius * 0.6, at[1] + np.sin(a) * radius * 0.6)
        radii = (radius * 0.45, max(radius * 1.7 / petals, radius * 0.14))
        if hollow:
            c.line(arc(spot, radii, a), ink, max(2.0, radius * 0.1), True)
        else:
            c.ellipse(spot, radii, a, ink)
            if rng.random() < 0.3:
                c.line([at, spot], None, 1.6)
    c.disc(at, radius * 0.24, heart)


def _leaf(
    c: Canvas, rng: np.random.Generator, at: np.ndarray | tuple[float, float], how: tuple[float, tuple[int, int, int]]
) -> None:
    size, ink = how
    a = rng.uniform(0, 6.28)
    tip = (at[0] + np.cos(a) * size, at[1] + np.sin(a) * size)
    c.polygon(blade(at, tip, rng.uniform(-0.2, 0.2), size * rng.uniform(0.3, 0.55)), ink)
    if rng.random() < 0.4:
        c.line([at, tip], None, 1.6)


def _plum(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A branch with five-petalled blossoms."""
    spine = curve(
        [
            (rng.uniform(30, 110), 240),
            (rng.uniform(70, 120), 190),
            (rng.uniform(60, 130), 140),
            (rng.uniform(70, 150), 84),
        ]
    )
    c.line(spine, inks[0], rng.uniform(3, 9))
    spots = [spine[i] for i in rng.integers(8, len(spine), rng.integers(2, 7))]
    for p in spots:
        side = p + rng.uniform(-42, 42, 2)
        c.line(curve([p, (p + side) / 2 + rng.uniform(-8, 8, 2), side]), inks[0], rng.uniform(2, 4))
        _flower(c, rng, side, (rng.uniform(12, 27), 5, inks[1], inks[2]))
    for _ in range(rng.integers(0, 9)):
        _leaf(c, rng, spine[rng.integers(len(spine))], (rng.uniform(18, 40), inks[rng.choice([0, 2])]))


def _orchid(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Long bent leaves from one root and a few open flowers."""
    root = (rng.uniform(70, 120), rng.uniform(225, 244))
    for _ in range(rng.integers(4, 10)):
        tip = (rng.uniform(14, 178), rng.uniform(80, 200))
        c.polygon(blade(root, tip, rng.uniform(-0.28, 0.28), rng.uniform(5, 14)), inks[0])
    for _ in range(rng.integers(1, 4)):
        top = (rng.uniform(50, 140), rng.uniform(85, 160))
        c.line(curve([root, ((root[0] + top[0]) / 2 + 8, 180), top]), inks[0], 3)
        for a in np.linspace(-2.4, 0.4, rng.integers(3, 6)) + rng.uniform(-0.6, 0.6):
            c.polygon(
                blade(top, (top[0] + np.cos(a) * 32, top[1] + np.sin(a) * 32), rng.uniform(-0.2, 0.2), 13), inks[1]
            )


def _mum(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Draw one big many-petalled head, or two, on a leafy stem."""
    for _ in range(rng.integers(1, 3)):
        at = np.float32([rng.uniform(60, 130), rng.uniform(105, 160)])
        c.line(curve([(rng.uniform(70, 120), 244), (at + (100, 244)) / 2, at]), inks[0], rng.uniform(3, 6))
        for _ in range(rng.integers(2, 8)):
            _leaf(c, rng, (rng.uniform(60, 130), rng.uniform(175, 235)), (rng.uniform(20, 46), inks[0]))
        radius = rng.uniform(24, 46)
        for r in (radius, radius * 0.66)[: rng.integers(1, 3)]:
            _flower(c, rng, at, (r, int(rng.integers(9, 20)), inks[1], inks[2]))


def _bamboo(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Jointed stalks with pointed leaves."""
    for _ in range(rng.integers(1, 4)):
        x, lean, width = rng.uniform(45, 145), rng.uniform(-26, 26), rng.uniform(5, 14)
        y, end = 242.0, rng.uniform(70, 120)
        while y > end:
            top = max(end, y - rng.uniform(24, 44))
            c.line([(x + lean * (242 - y) / 170, y - 4), (x + lean * (242 - top) / 170, top)], inks[0], width)
            for _ in range(rng.integers(0, 4)):
                base = (x + lean * (242 - top) / 170, top)
                a = rng.uniform(-0.6, 1.3) if rng.random() < 0.5 else rng.uniform(1.8, 3.7)
                c.polygon(
                    blade(base, (base[0] + np.cos(a) * 44, base[1] + np.sin(a) * 44), 0.08, 12),
                    inks[rng.choice([0, 0, 2, 1])],
                )
            y = top


def _lotus(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Pointed petals over round leaves and water."""
    at = (rng.uniform(70, 125), rng.uniform(120, 165))
    c.line(curve([(at[0], 240), (at[0] + rng.uniform(-14, 14), 200), at]), inks[0], 4)
    for a in rng.permutation(np.linspace(-2.8, -0.35, rng.integers(5, 9))):
        tip = (at[0] + np.cos(a) * 48, at[1] + np.sin(a) * 48)
        c.polygon(blade(at, tip, 0, 24), inks[1])
        c.line([at, tip], None, 2)
    for _ in range(rng.integers(1, 4)):
        c.ellipse(
            (rng.uniform(40, 150), rng.uniform(195, 230)),
            (rng.uniform(18, 40), rng.uniform(7, 15)),
            rng.uniform(-0.2, 0.2),
            inks[0],
        )
    for i in range(rng.integers(0, 4)):
        c.line(curve([(25, 238 + i * 4), (75, 233 + i * 4), (120, 240 + i * 4), (170, 234 + i * 4)]), inks[2], 2)


def _pot(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A bowl on a stand with sprigs: the common season picture of Chinese sets."""
    y, half = rng.uniform(170, 200), rng.uniform(40, 66)
    for _ in range(rng.integers(4, 10)):
        tip = (96 + rng.uniform(-66, 66), rng.uniform(85, 150))
        c.line(curve([(96, y), ((96 + tip[0]) / 2, y - 30), tip]), inks[0], rng.uniform(2, 4))
        if rng.random() < 0.6:
            _flower(c, rng, tip, (rng.uniform(9, 19), int(rng.integers(4, 8)), inks[1], inks[2]))
        else:
            _leaf(c, rng, tip, (rng.uniform(20, 38), inks[0]))
    c.polygon([(96 - half, y), (96 + half, y), (96 + half * 0.6, 234), (96 - half * 0.6, 234)], inks[2])
    if rng.random() < 0.6:
        c.line([(96 - half * 0.7, y + 16), (96 + half * 0.7, y + 16)], None, 5)
    c.box((96 - half * 0.8, 236, 96 + half * 0.8, 243), inks[0])
