"""The characters suit, the winds, the red and green dragons, and corner indices: everything that is
written.

Purpose: draw 1m..9m, E S W N, C, F and the small Arabic index. Input: `Style` and a canvas. Output:
the canvas, painted.
Invariant: one brush for the suit; the numeral stands above the character for ten thousand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .faces_canvas import HEIGHT, WIDTH, Canvas
from .faces_glyphs import has, latin
from .faces_style import Style

if TYPE_CHECKING:
    import numpy as np


NUMERALS = "一二三四五六七八九"
_WINDS = {"E": ("東", "东"), "S": ("南", "南"), "W": ("西", "西"), "N": ("北", "北")}


def draw_number(canvas: Canvas, style: Style, number: int, red: bool = False) -> None:
    """Paint a numeral over the character for ten thousand."""
    char = NUMERALS[number - 1]
    if number == 5 and style.chance(41) < 0.55 and has(style.brush.font, "伍"):
        char = "伍"
    lower = "萬" if style.traditional else "万"
    upper_ink = style.inks[style.among(42, ["blue", "blue", "black", "black", "black", "green", "red"])]
    lower_ink = style.inks[style.among(43, ["red"] * 7 + ["black"])]
    if red:
        upper_ink = lower_ink = style.inks["red"]
    spread = style.span(44, 0.62, 0.86) * WIDTH
    top = style.span(45, 14, 34) + (10 if style.index else 0)
    bottom = HEIGHT - style.span(46, 12, 32)
    split = top + (bottom - top) * style.span(47, 0.38, 0.5)
    _box(
        canvas,
        style.brush.glyph(char, False),
        (WIDTH / 2, (top + split) / 2, spread * style.span(48, 0.8, 1.12), (split - top) * style.span(49, 1.0, 1.3)),
        upper_ink,
    )
    _box(
        canvas,
        style.brush.glyph(lower),
        (WIDTH / 2, (split + bottom) / 2 + 2, spread, (bottom - split) * 0.94),
        lower_ink,
    )


def draw_wind(canvas: Canvas, style: Style, code: str) -> None:
    """Paint E, S, W or N as a large character."""
    char = _WINDS[code][0 if style.traditional else 1]
    ink = style.inks[style.among(50, ["blue", "blue", "black", "black", "black", "green"])]
    _large(canvas, style, char, ink)


def draw_dragon(canvas: Canvas, style: Style, code: str) -> None:
    """Paint the red (C) or green (F) dragon's character."""
    if code == "C":
        _large(canvas, style, "中", style.inks["red"])
        return
    font = style.honour_brush.font
    chars = ["發"] * 6 + (["発"] if has(font, "発") else []) if style.traditional else ["发"] * 3 + ["發"]
    char = style.among(51, chars)
    _large(
        canvas,
        style,
        char if has(font, char) else ("發" if style.traditional else "发"),
        style.inks["green" if style.chance(52) < 0.96 else "blue"],
    )


def _large(canvas: Canvas, style: Style, char: str, ink: tuple[int, int, int]) -> None:
    width, height = WIDTH * style.span(53, 0.6, 0.86), HEIGHT * style.span(54, 0.5, 0.84)
    if char == "中":
        width *= style.span(55, 0.66, 1.0)
    _box(
        canvas, style.honour_brush.glyph(char), (WIDTH / 2, HEIGHT / 2 + (8 if style.index else 0), width, height), ink
    )


def _box(canvas: Canvas, mask: np.ndarray, place: tuple[float, float, float, float], ink: tuple[int, int, int]) -> None:
    x, y, w, h = place
    canvas.stamp(mask, (x - w / 2, y - h / 2, x + w / 2, y + h / 2), ink)


def draw_index(
    canvas: Canvas, style: Style, text: str, corner: str | None = None, ink: tuple[int, int, int] | None = None
) -> None:
    """Paint a small Arabic digit or letter in a corner (tl, tr, bl, br)."""
    mask = latin(style.latin, text, int(style.span(56, 0, 9)))
    height = style.index_size
    width = min(height * mask.shape[1] / mask.shape[0], 40.0 * max(1, len(text)))
    margin_x, margin_y = style.span(57, 8, 16), style.span(58, 8, 16)
    for spot in [corner] if corner else (["tl", "br"] if style.index == "both" else [style.index]):
        x = margin_x if spot[1] == "l" else WIDTH - margin_x - width
        y = margin_y if spot[0] == "t" else HEIGHT - margin_y - height
        turned = mask[::-1, ::-1] if style.index == "both" and spot == "br" else mask
        canvas.stamp(turned, (x, y, x + width, y + height), ink or style.index_ink)
