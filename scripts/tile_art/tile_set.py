"""Every picture of the set by its tile code.

Purpose: the list of what there is. Output: code to SVG text, 46 in all. Invariant: the codes are
those of docs/notation.md, with `0m 0p 0s` for the red fives.
"""

from __future__ import annotations

from .bonus import flower, season
from .brush import polygon
from .characters import glyph
from .suits import bamboo, characters, dots
from .tile import BLUE, FACE, GREEN, INK, RED, document, line, path

_SUITS = {"m": characters, "p": dots, "s": bamboo}

# Character, ink, box and weight: the more strokes, the finer the brush.
_HONOURS = {
    "E": ("東", INK, (11, 12, 38, 53), 2.6),
    "S": ("南", INK, (12, 12, 36, 53), 2.5),
    "W": ("西", INK, (12, 14, 36, 50), 2.8),
    "N": ("北", INK, (11, 13, 38, 51), 3.0),
    "C": ("中", RED, (13, 10, 34, 57), 3.4),
    "F": ("發", GREEN, (10, 10, 40, 57), 2.4),
}


def pictures() -> dict[str, str]:
    """The whole set."""
    out = {f"{number}{suit}": document(draw(number)) for suit, draw in _SUITS.items() for number in range(1, 10)}
    out |= {
        code: document([path(glyph(char, box, weight), ink)]) for code, (char, ink, box, weight) in _HONOURS.items()
    }
    out["P"] = document(_white_dragon())
    out |= {f"f{number}": document(flower(number)) for number in range(1, 5)}
    out |= {f"s{number}": document(season(number)) for number in range(1, 5)}
    out |= {f"0{suit}": document(draw(5, red=True)) for suit, draw in _SUITS.items()}
    out["back"] = document(_back())
    return out


def _white_dragon() -> list[str]:
    """A frame: two lines, and corners that step inwards."""
    return [
        line(
            "M130 110h340a40 40 0 0 0 40 40v470a40 40 0 0 0-40 40h-340a40 40 0 0 0-40-40v-470a40 40 0 0 0 40-40z",
            BLUE,
            3.4,
        ),
        line("M170 180h260v410h-260z", BLUE, 1.3),
    ]


def _back() -> list[str]:
    """A lattice with a lozenge in every mesh, pale on green, within a frame."""
    left, top, across, down, columns, rows = 6.0, 6.0, 12.0, 13.1, 4, 5
    mesh = [
        polygon([(x, y - down / 2), (x + across / 2, y), (x, y + down / 2), (x - across / 2, y)])
        for x, y in ((left + across * (i + 0.5), top + down * (j + 0.5)) for j in range(rows) for i in range(columns))
    ]
    hearts = [
        polygon([(x, y - 2), (x + 1.8, y), (x, y + 2), (x - 1.8, y)])
        for x, y in ((left + across * (i + 0.5), top + down * (j + 0.5)) for j in range(rows) for i in range(columns))
    ]
    return [
        f'<rect x="1.5" y="1.5" width="57" height="74.5" rx="6" fill="{GREEN}"/>',
        f'<g opacity=".5">{line("".join(mesh), FACE, 0.7)}{path("".join(hearts), FACE)}</g>',
        f'<rect x="6" y="6" width="48" height="65.5" rx="2.5" fill="none" stroke="{FACE}" stroke-width="1.4"/>',
    ]
