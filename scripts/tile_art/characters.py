"""The written tiles: our own skeletons of 20 characters and four digits, and how a brush follows
them.

Purpose: path data of a character. Input: the character and the box that it fills. Output: SVG path
data. A skeleton is a line of strokes on a grid of 100 by 100: the kind of stroke, then the points
of its spine. The brush keeps its size when a character is squeezed, so that a flat 萬 is as bold as
a tall 東. Invariant: nothing here comes from a font.
"""

from __future__ import annotations

from .brush import Point, stroke

# How the brush presses along a stroke, by the name that calligraphers give it.
PRESSURE = {
    "h": [1.0, 0.72, 0.64, 0.64, 0.74, 1.12],  # heng, level: light in the middle, a press at the end
    "e": [0.9, 0.66, 0.62, 0.7, 0.95],  # heng that ends in a turn
    "s": [1.15, 0.92, 0.84, 0.86, 0.98],  # shu, upright
    "i": [1.15, 0.94, 0.86, 0.72, 0.08],  # shu that ends like a needle
    "p": [1.15, 1.0, 0.84, 0.56, 0.06],  # pie, falling to the left
    "n": [0.3, 0.5, 0.78, 1.06, 1.28, 0.1],  # na, falling to the right: swells into a foot
    "d": [0.15, 0.65, 1.1, 0.95],  # dian, a dot
    "q": [1.1, 0.8, 0.5, 0.08],  # a dot that is flicked to the left, or ti, flicked upwards
    "v": [1.1, 0.88, 0.82, 0.86, 0.92, 0.95],  # shu that bends into a level line
    "k": [0.95, 0.6, 0.06],  # gou, a hook
}

SKELETONS = {
    "一": "h 5,55 50,50 95,47",
    "二": "h 22,27 78,23; h 4,79 50,76 96,74",
    "三": "h 16,17 84,13; h 24,48 76,45; h 4,84 50,81 96,80",
    "四": "s 13,20 18,90; e 13,21 87,18; s 87,18 82,88; p 40,20 38,44 25,63; v 60,20 60,48 64,55 79,54; h 17,83 83,81",
    "五": "h 13,15 87,12; s 47,14 37,84; e 24,47 74,44; s 74,44 69,84; h 4,88 50,85 96,84",
    "六": "d 44,4 56,20; h 4,37 50,33 96,31; p 37,50 28,70 7,94; d 60,50 76,66 92,92",
    "七": "h 4,49 50,41 95,33; v 43,6 42,66 50,84 66,88 88,85; k 88,87 90,76 90,66",
    "八": "p 35,20 29,54 4,90; n 54,10 66,50 86,80 99,86",
    "九": "p 41,4 38,46 7,94; e 10,37 67,30; v 67,30 63,66 69,84 80,88 92,85; k 92,87 94,76 94,66",
    "萬": "h 5,12 95,9; s 32,1 35,24; p 68,1 66,14 62,24; s 22,29 27,60; e 22,30 78,28; s 78,28 74,60; h 27,44 74,43;"
    " h 27,58 74,57; s 50,29 50,80; s 11,68 14,99; e 11,69 88,66; s 88,66 86,95; k 87,95 80,93 73,88; "
    "q 29,85 48,83 66,78; d 60,72 71,87",
    "東": "h 12,17 50,15 88,14; s 23,31 27,63; e 23,32 77,29; s 77,29 73,62; h 27,46 73,44; h 27,60 73,59; "
    "s 50,2 50,98; p 47,61 33,78 3,94; n 53,61 66,76 84,88 99,92",
    "南": "h 15,15 85,12; s 50,1 50,31; s 12,33 15,98; e 12,34 88,31; s 88,31 86,94; k 87,94 79,92 71,86; "
    "d 35,39 42,51; q 66,38 62,46 56,52; h 29,56 71,54; h 24,73 76,71; s 50,54 50,96",
    "西": "h 6,14 50,12 94,10; s 13,37 18,94; e 13,38 87,35; s 87,35 82,92; h 18,86 82,85; p 40,13 39,48 26,66; "
    "v 60,12 60,52 65,60 79,58",
    "北": "s 35,6 36,96; h 7,37 36,34; q 4,80 22,75 37,66; p 91,24 78,36 60,45; v 60,5 60,70 66,84 78,88 94,84; "
    "k 94,86 96,76 96,64",
    "中": "s 12,29 18,67; e 12,30 88,27; s 88,27 82,66; h 18,63 82,61; i 50,2 50,60 50,99",
    "發": "e 14,13 41,10; p 41,10 32,28 4,48; d 15,24 25,34; n 53,3 66,24 82,38 99,44; p 78,4 74,10 64,18; "
    "p 91,18 86,24 75,31;"
    " e 11,51 43,49; s 43,49 41,63; e 14,64 41,62; s 14,64 11,78; e 11,78 43,76; p 43,76 42,90 35,97; "
    "k 36,97 30,95 22,89;"
    " p 58,50 57,62 46,72; e 58,51 80,49; v 80,49 79,62 84,67 95,65; e 51,78 83,75; p 83,75 70,91 42,100; "
    "n 56,80 70,92 84,97 99,99",
    "春": "h 19,12 81,9; h 26,25 74,22; h 5,39 50,37 95,35; p 48,2 42,34 4,68; n 55,37 66,50 82,61 98,66; "
    "s 31,57 33,99; e 31,58 69,56;"
    " s 69,56 67,98; h 33,76 67,75; h 33,95 67,94",
    "夏": "h 8,9 92,6; p 51,9 49,14 44,20; s 28,21 30,61; e 28,22 72,20; s 72,20 70,61; h 30,34 70,33; "
    "h 30,46 70,45; h 30,58 70,57;"
    " p 43,61 34,72 12,84; e 38,71 74,69; p 74,69 54,88 5,99; n 31,73 52,86 76,96 98,98",
    "秋": "q 43,4 30,12 9,19; h 3,35 50,32; s 27,15 28,99; p 27,36 18,56 2,73; d 32,42 45,56; d 53,30 62,48; "
    "p 93,24 90,34 79,48;"
    " p 73,3 72,50 46,97; n 73,48 79,70 88,86 99,95",
    "冬": "p 41,2 32,24 8,45; e 36,20 72,17; p 72,17 54,46 3,70; n 27,25 52,46 76,60 98,65; d 42,63 59,75; "
    "d 33,81 62,98",
    "1": "q 28,24 42,18 52,8; s 54,5 54,95; h 26,95 82,94",
    "2": "v 18,26 36,6 68,6 82,28 66,56 20,93; h 20,93 86,93",
    "3": "v 20,18 40,5 68,8 76,26 64,42 44,46; v 44,46 70,50 82,70 66,92 40,96 16,84",
    "4": "p 62,5 44,40 12,68; h 10,68 90,66; s 64,30 64,97",
}

Box = tuple[float, float, float, float]


def strokes(char: str) -> list[tuple[str, list[Point]]]:
    """The strokes of a character in the order they are written: kind and spine."""
    out = []
    for text in SKELETONS[char].split(";"):
        kind, *points = text.split()
        out.append((kind, [tuple(map(float, point.split(","))) for point in points]))
    return out


def glyph(char: str, box: Box, weight: float, steps: int = 2) -> str:
    """Path data of a character whose spines fill a box (x, y, width, height)."""
    x, y, width, height = box
    return "".join(
        stroke([(x + px * width / 100, y + py * height / 100) for px, py in points], PRESSURE[kind], weight, steps)
        for kind, points in strokes(char)
    )
