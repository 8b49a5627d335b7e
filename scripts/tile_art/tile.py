"""The tile itself: its size, its colours, its body, and a face as SVG text.

Purpose: what all pictures share. Input: the shapes of a face. Output: one SVG document. Invariant:
every colour is one of `PALETTE`; a tile brings its own light body, so that it reads on a dark page
as well as on a light one.
"""

from __future__ import annotations

WIDTH, HEIGHT = 60, 80

# Each ink is legible on the face by its lightness alone, and green is darker than red. Still no
# face is told apart by colour only: the suits differ by form, the red fives carry a lozenge.
FACE, RIM, RED, GREEN, BLUE, INK = "#fbf7ea", "#c9b88f", "#cb2a2f", "#0f6642", "#1d4f9e", "#1f2630"
PALETTE = (FACE, RIM, RED, GREEN, BLUE, INK)


def path(data: str, ink: str) -> str:
    """A filled shape; path data counts in tenths."""
    return f'<path transform="scale(.1)" fill="{ink}" d="{data}"/>'


def line(data: str, ink: str, width: float) -> str:
    """A drawn line with round ends."""
    return (
        f'<path transform="scale(.1)" fill="none" stroke="{ink}" stroke-width="{width * 10:g}" stroke-linecap="round"'
        f' stroke-linejoin="round" d="{data}"/>'
    )


def disc(x: float, y: float, r: float, ink: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{ink}"/>'


def ring(x: float, y: float, r: float, ink: str, width: float) -> str:
    """A circle's line."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="none" stroke="{ink}" stroke-width="{width:g}"/>'


def document(shapes: list[str]) -> str:
    """A tile with these shapes on its face: the rim shows the tile's thickness at its lower
    edge."""
    body = (
        f'<rect x=".5" y=".5" width="59" height="79" rx="7" fill="{RIM}"/>'
        f'<rect x="1.5" y="1.5" width="57" height="74.5" rx="6" fill="{FACE}"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        + body
        + "\n"
        + "\n".join(shapes)
        + "\n</svg>\n"
    )
