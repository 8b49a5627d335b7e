"""Every form in which hands lie on tables: rows in two lines, bent rows, sets stacked or scattered,
kongs of every kind.

Purpose: scenes that show what the reader has to understand, not only what is common
(`cycles_layout`). Input: a `Hand` and a seeded `random.Random`. Output: a list of `Placed` tiles
and the plan that was followed, in the units of `cycles_layout`.
Invariant: what the table does not show is taken from the hand's truth where the truth can do
without it (sources of sets in which nothing is turned); a winning tile in the row stays in the
truth, for the reader to doubt.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from vision import cycles_hands as hands
from vision.cycles_layout import HEIGHT, NEIGHBOUR, Placed, forget_sources, turned_place

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_hands import Hand, Meld


# How often each form is chosen; the commonest first.
ROWS = ["one", "one", "one", "bent", "two"]
WINNING = ["gap", "gap", "gap", "sideways", "sideways", "above", "unmarked"]
MELDS = ["right", "front", "stacked", "scattered"]
CONCEALED_KONGS = ["outer", "inner", "down", "up"]
ADDED_KONGS = ["beside", "on_top"]
# Of a hand of sixteen tiles; others have them above.
FLOWERS = ["above", "beside"]


def lay_out(hand: Hand, rng: Random) -> tuple[list[Placed], dict[str, Any]]:
    """Places the hand in a form chosen at random."""
    plan = {
        "rows": rng.choice(ROWS),
        "winning": rng.choice(WINNING),
        "melds": rng.choice(MELDS),
        "turned": rng.random() < 0.88,
        "standing": rng.random() < 0.1,
        "concealed_kong": rng.choice(CONCEALED_KONGS),
        "added_kong": rng.choice(ADDED_KONGS),
    }
    if hand.is_of_sixteen():
        plan["flowers"] = rng.choice(FLOWERS)
    if plan["standing"] or (plan["rows"] == "two" and len(hand.concealed) < 8):
        plan["rows"] = "one"
    if plan["winning"] == "above" and (
        plan["rows"] != "one" or plan["standing"] or plan["melds"] in ("front", "scattered")
    ):
        plan["winning"] = "gap"
    if not plan["turned"]:
        forget_sources(hand)
    table = Table(rng)
    right, top = _concealed(table, hand, plan)
    top = max(top, _melds(table, hand, plan, right, top))
    _flowers(table, hand, plan, top)
    return table.placed, plan


class Table:
    """Collects tiles, a part of the hand at a time, adding the small disorder of a real hand."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.placed, self.groups = rng, [], 0

    def put_part(self, part: list[Placed], x: float, y: float, angle: float = 0.0) -> None:
        """A part, a list of `Placed` around its own origin, turned by `angle` about it and put at
        (x, y), as a new group."""
        turn = math.radians(angle)
        for tile in part:
            tile.x, tile.y = (
                x + tile.x * math.cos(turn) - tile.y * math.sin(turn) + self.rng.gauss(0, 0.008),
                y + tile.x * math.sin(turn) + tile.y * math.cos(turn) + self.rng.gauss(0, 0.015),
            )
            tile.angle += angle + self.rng.gauss(0, 0.8)
            if tile.role != "flower" and self.rng.random() < 0.12:
                tile.angle += 180
            tile.group = self.groups
            self.placed.append(tile)
        self.groups += 1


def row_part(tiles: list[str], bend: float = 0.0, **facts: Any) -> list[Placed]:
    """Tiles side by side from the origin on; `bend` is how far its ends lie above its middle."""
    step, count = 1 + NEIGHBOUR, len(tiles)
    row = []
    for place, tile in enumerate(tiles):
        off = (place + 0.5) / count * 2 - 1
        slope = math.degrees(math.atan2(4 * bend * off, count * step))
        row.append(Placed(tile, (place + 0.5) * step, bend * off * off, slope, **facts))
    return row


def _concealed(table: Table, hand: Hand, plan: dict[str, Any]) -> tuple[float, float]:
    """The concealed tiles and the winning one; returns where they end to the right and at the top
    (centres' y)."""
    rng, tiles = table.rng, list(hand.concealed)
    if plan["winning"] == "unmarked":
        tiles = sorted([*tiles, hand.winning], key=hands.FACES.index)
    split = (len(tiles) + 1) // 2 if plan["rows"] == "two" else len(tiles)
    bend = rng.uniform(0.02, 0.06) * len(tiles) if plan["rows"] == "bent" else 0.0
    top = 0.0
    if split < len(tiles):
        # Read from the upper row to the lower one.
        top = HEIGHT + rng.uniform(0.05, 0.3)
        table.put_part(row_part(tiles[:split], role="concealed"), rng.uniform(0, 0.5), top)
        tiles = tiles[split:]
    row = row_part(tiles, bend, role="concealed", standing=plan["standing"])
    end, last = len(tiles) * (1 + NEIGHBOUR), row[-1]
    if plan["winning"] == "sideways":
        end += rng.uniform(0.03, 0.12)
        row.append(
            Placed(
                hand.winning,
                end + HEIGHT / 2,
                last.y - (HEIGHT - 1) / 2,
                last.angle + 90,
                role="winning",
                sideways=True,
            )
        )
        end += HEIGHT
    table.put_part(row, 0, 0)
    if plan["winning"] == "gap":
        end += rng.uniform(0.45, 0.9)
        table.put_part([Placed(hand.winning, 0.5, 0, last.angle * 0.7, role="winning")], end, last.y)
        end += 1
    if plan["winning"] == "above":
        top = HEIGHT + rng.uniform(0.02, 0.12)
        table.put_part([Placed(hand.winning, 0, 0, role="winning")], rng.uniform(1.5, len(tiles) - 1.5), top)
    return max(end, split * (1 + NEIGHBOUR)), max(top, bend)


def _melds(table: Table, hand: Hand, plan: dict[str, Any], right: float, top: float) -> float:
    """The sets that lie apart; returns the y of the highest."""
    rng, style = table.rng, plan["melds"]
    x, y = (
        (right + rng.uniform(0.9, 1.3), 0.0)
        if style in ("right", "stacked")
        else (rng.uniform(0, 2), top + HEIGHT + rng.uniform(0.7, 1.1))
    )
    highest = y
    for meld in hand.melds:
        part, width = meld_part(rng, meld, plan)
        angle = rng.uniform(-12, 12) if style == "scattered" else 0.0
        lift = max(0.0, -math.sin(math.radians(angle)) * width) + (
            rng.uniform(0.1, 0.6) if style == "scattered" else 0.0
        )
        table.put_part(part, x, y + lift, angle)
        highest = max(highest, y + lift + (1.0 if meld.added else 0.0))
        if style == "stacked":
            y += HEIGHT + rng.uniform(0.08, 0.3) + (1.0 if meld.added and plan["added_kong"] == "beside" else 0.0)
        else:
            x += width + (rng.uniform(0.9, 1.4) if style == "scattered" else rng.uniform(0.55, 0.9))
    return highest


def meld_part(rng: Random, meld: Meld, plan: dict[str, Any]) -> tuple[list[Placed], float]:
    """Lays out a set around its own left end; returns its tiles and its width."""
    count = 3 if meld.added else len(meld.tiles)
    turned = turned_place(rng, meld, count)
    hidden = (
        {"outer": (0, 3), "inner": (1, 2), "down": (0, 1, 2, 3), "up": ()}[plan["concealed_kong"]]
        if meld.concealed
        else ()
    )
    part, x = [], 0.0
    for place in range(count):
        if place == turned:
            part.append(Placed(meld.tiles[place], x + HEIGHT / 2, -(HEIGHT - 1) / 2, 90, sideways=True, role="meld"))
            x += HEIGHT + NEIGHBOUR
        else:
            part.append(Placed(meld.tiles[place], x + 0.5, 0, face_up=place not in hidden, role="meld"))
            x += 1 + NEIGHBOUR
    if meld.added and plan["added_kong"] == "on_top":
        middle = part[1]
        part.append(
            Placed(meld.tiles[3], middle.x, middle.y, middle.angle, level=1, sideways=middle.sideways, role="meld")
        )
    elif meld.added:
        assert turned is not None, "a kong with an added tile is claimed"
        below = part[turned]
        part.append(Placed(meld.tiles[3], below.x, below.y + 1.03, 90, sideways=True, role="meld"))
    return part, x


def _flowers(table: Table, hand: Hand, plan: dict[str, Any], top: float) -> None:
    """Flowers in a row of their own, away from the player or left of the row."""
    if not hand.flowers:
        return
    if plan.get("flowers") == "beside":
        width = len(hand.flowers) * (1 + NEIGHBOUR)
        table.put_part(row_part(hand.flowers, role="flower"), -width - table.rng.uniform(0.6, 2.0), 0)
    else:
        table.put_part(
            row_part(hand.flowers, role="flower"), table.rng.uniform(0, 6), top + HEIGHT + table.rng.uniform(0.9, 1.8)
        )
