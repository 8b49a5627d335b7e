"""The things of a mahjong table that are no tiles: dice, seat markers, scoring sticks, trays,
racks, papers, a console, cups.

Input: the board, all tiles on it, a seeded `random.Random`. Output: boxes and cylinders as plain
data, in tile widths; `picture` names a drawing of `cycles_prints` that lies on a box's upper side,
`z` is the height of what it stands on.
Invariant: no thing stands where a tile or another thing is.
"""

from __future__ import annotations

import colorsys
import math
from typing import TYPE_CHECKING, Any

from vision.cycles_ground import corners, cross, rectangle

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_ground import Board
    from vision.cycles_layout import Placed


MARKERS = [
    (0.5, 0.02, 0.02),
    (0.02, 0.15, 0.35),
    (0.8, 0.78, 0.7),
    (0.02, 0.02, 0.02),
    (0.75, 0.5, 0.05),
    (0.02, 0.25, 0.1),
]
STICK = (0.85, 0.84, 0.78)
WOOD = (0.3, 0.16, 0.07)


class _Things:
    """Collects things that have room."""

    def __init__(self, rng: Random, board: Board, tiles: list[Placed]) -> None:
        self.rng, self.board, self.things = rng, board, []
        self.taken = [corners(tile) for tile in tiles]

    def put(
        self,
        name: str,
        size: tuple[float, float, float],
        place: tuple[float, float, float],
        colour: tuple[float, float, float],
        picture: str | None = None,
        **facts: str,
    ) -> bool:
        """Adds a box if there is room; `place` is x, y, angle. Returns whether there was."""
        x, y, angle = place
        shape = facts.get("shape", "box")
        outline = rectangle(x, y, angle, (size[0] / 2 + 0.12, size[1] / 2 + 0.12))
        if any(cross(outline, other) for other in self.taken):
            return False
        self.taken.append(outline)
        self.things.append(
            {
                "name": f"{name}{len(self.things)}",
                "shape": shape,
                "w": size[0],
                "d": size[1],
                "h": size[2],
                "colour": list(colour),
                "x": x,
                "y": y,
                "z": self._under(x, y),
                "angle": angle,
                "picture": picture,
            }
        )
        return True

    def _under(self, x: float, y: float) -> float:
        """The height of the rail or of the cloth."""
        return self.board.height if max(abs(x), abs(y - self.board.half)) > self.board.half else 0.0

    def seat(self, seat: int, x: float, y: float) -> tuple[float, float]:
        """A place as it lies before us, moved to a seat."""
        turn = math.radians(90 * seat)
        y -= self.board.half
        return (x * math.cos(turn) - y * math.sin(turn), self.board.half + x * math.sin(turn) + y * math.cos(turn))


def props(board: Board, tiles: list[Placed], rng: Random) -> list[dict[str, Any]]:
    """Puts random props where they have room, and returns them."""
    things = _Things(rng, board, tiles)
    for chance, put in (
        (0.25, _console),
        (0.6, _dice),
        (0.6, _markers),
        (0.5, _sticks),
        (0.3, _trays),
        (0.35, _racks),
        (0.3, _paper),
        (0.5, _drinks),
    ):
        if rng.random() < chance:
            put(things, rng, board)
    return things.things


def _console(things: _Things, rng: Random, board: Board) -> None:
    """The middle of an automatic table, flat, with its dice under a dome."""
    side = rng.uniform(3.0, 4.5)
    if things.put("console", (side, side, 0.12), (0, board.half, rng.choice([0, 45])), (0.03, 0.03, 0.035)):
        things.things.append(
            {
                "name": "dome",
                "shape": "cylinder",
                "w": 1.8,
                "d": 1.8,
                "h": 0.4,
                "colour": [0.3, 0.32, 0.36],
                "x": 0,
                "y": board.half,
                "z": 0.12,
                "angle": 0,
                "picture": None,
            }
        )


def _dice(things: _Things, rng: Random, board: Board) -> None:
    side, colour = rng.uniform(0.45, 0.7), rng.choice([(0.85, 0.85, 0.82), (0.6, 0.03, 0.03), (0.85, 0.85, 0.82)])
    x, y = rng.uniform(-6, 12), rng.uniform(3, board.half + 3)
    for _ in range(rng.randint(2, 4)):
        things.put(
            "die",
            (side, side, side),
            (x + rng.gauss(0, 1.1), y + rng.gauss(0, 1.1), rng.uniform(0, 90)),
            colour,
            f"die{rng.randint(1, 6)}",
        )


def _markers(things: _Things, rng: Random, board: Board) -> None:
    """A seat marker with its wind before one player or all of them."""
    size = rng.choice([(1.5, 1.5, 0.3), (1.1, 1.1, 0.9), (1.3, 2.2, 0.35)])
    colour, first = rng.choice(MARKERS), rng.randrange(4)
    ink = "light" if max(colour) < 0.6 else "dark"
    for seat in range(4) if rng.random() < 0.4 else [0] if rng.random() < 0.6 else [rng.randrange(4)]:
        x, y = rng.choice(
            [(board.half - 1.5, -board.rail / 2), (rng.uniform(5, 12), rng.uniform(3.2, 5)), (board.half - 1.3, 4.5)]
        )
        wind = "ESWN"[(first + seat) % 4]
        things.put(
            "marker", size, (*things.seat(seat, x, y), 90 * seat + rng.gauss(0, 6)), colour, f"marker_{wind}_{ink}"
        )


def _sticks(things: _Things, rng: Random, board: Board) -> None:
    """Scoring sticks: in the middle, or in a heap before a player."""
    for _ in range(rng.randint(1, 3)):
        seat, x, y = rng.randrange(4), rng.uniform(-9, 9), rng.choice([rng.uniform(2.5, 6), board.half - 2.2])
        angle = rng.choice([0, 90, rng.uniform(0, 180)])
        for k in range(rng.randint(1, 5)):
            place = things.seat(seat, x + rng.gauss(0, 0.2), y + 0.45 * k)
            things.put(
                "stick", (2.6, 0.27, 0.15), (*place, angle + rng.gauss(0, 6)), STICK, f"stick{rng.randint(1, 3)}"
            )


def _trays(things: _Things, rng: Random, board: Board) -> None:
    """Open drawers on the rail, dark, with sticks in them."""
    for seat in range(4):
        x, y = things.seat(seat, rng.choice([-6, 0, 7]), -board.rail / 2)
        if things.put("tray", (6, 1.3, 0.12), (x, y, 90 * seat), (0.04, 0.04, 0.045)):
            turn = math.radians(90 * seat)
            for k in range(4):
                step = -1.8 + 1.2 * k
                things.things.append(
                    {
                        "name": f"traystick{len(things.things)}",
                        "shape": "box",
                        "w": 0.95,
                        "d": 0.2,
                        "h": 0.14,
                        "colour": list(STICK),
                        "x": x + step * math.cos(turn),
                        "y": y + step * math.sin(turn),
                        "z": board.height + 0.12,
                        "angle": 90 * seat + rng.gauss(0, 4),
                        "picture": None,
                    }
                )


def _racks(things: _Things, rng: Random, board: Board) -> None:
    """Long racks between the rows and the wall, or at the edge of the cloth."""
    height, colour = (
        rng.uniform(0.2, 0.75),
        rng.choice([WOOD, (0.02, 0.02, 0.02), (0.03, 0.18, 0.07), (0.7, 0.68, 0.6)]),
    )
    y = rng.choice([0.3, 4.0])
    for seat in range(4):
        for length in (18, 14, 10):
            if things.put(
                "rack",
                (length, 0.5, height),
                (*things.seat(seat, rng.uniform(-3, 3), y), 90 * seat + rng.gauss(0, 1)),
                colour,
            ):
                break


def _paper(things: _Things, rng: Random, board: Board) -> None:
    """A score sheet on the rail or on a free piece of cloth."""
    for _ in range(8):
        seat, angle = rng.randrange(4), rng.gauss(0, 12)
        size = rng.choice([(5.5, 7.5, 0.012), (4, 5.5, 0.012), (7.5, 5.5, 0.012)])
        place = things.seat(seat, rng.uniform(-11, 11), rng.uniform(4, 9))
        if things.put("paper", size, (*place, 90 * seat + angle), (0.8, 0.8, 0.78), "paper"):
            return


def _drinks(things: _Things, rng: Random, board: Board) -> None:
    """Cups, phones and the like, at the table's corners."""
    for _ in range(rng.randint(1, 3)):
        name, size, shape = rng.choice(
            [
                ("cup", (3, 3, 3.2), "cylinder"),
                ("phone", (2.9, 6, 0.35), "box"),
                ("pen", (0.35, 5, 0.35), "box"),
                ("chip", (1.5, 1.5, 0.16), "cylinder"),
                ("bowl", (2.4, 2.4, 0.9), "cylinder"),
            ]
        )
        colour = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.8))
        seat = rng.randrange(1, 4)
        place = things.seat(seat, rng.uniform(-board.half + 2, board.half - 2), rng.uniform(2, 8))
        things.put(name, size, (*place, rng.uniform(0, 90)), colour, shape=shape)
