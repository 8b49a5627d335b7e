"""Layouts of a winning hand when play stops: sets in the corner or on the rail, the winning tile
far off, everything a little astray.

Purpose: scenes of tables as players leave them, beside the tidy forms of `cycles_forms`. Input: a
`Hand`, the `Board` it lies on and a seeded `random.Random`. Output: a list of `Placed` tiles and
the plan that was followed, in tile widths: the player's edge of the cloth is y = 0, x = 0 its
middle, y runs away from the player.
Invariant: no two tiles of one level overlap, none hangs over the table's edge, and the truth keeps
only what `cycles_forms` keeps of it. Distances are those measured on some forty sets in photos of
clubs and tournaments: sets five to twelve widths from the row, rows of sets 0 to 0.3 apart, the
winning tile up to six widths from the row's end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from vision import cycles_hands as hands
from vision.cycles_forms import CONCEALED_KONGS, Table, meld_part, row_part
from vision.cycles_ground import is_inside, is_possible, overlaps
from vision.cycles_layout import HEIGHT, NEIGHBOUR, Placed, forget_sources

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_ground import Board
    from vision.cycles_hands import Hand


ROWS = ["one", "one", "one", "split", "split", "bent", "two"]
WINNING = [
    "gap",
    "gap",
    "far",
    "far",
    "rail",
    "rail",
    "thrown",
    "thrown",
    "sideways",
    "sideways",
    "above",
    "above",
    "unmarked",
]
MELDS = ["corner", "corner", "corner", "corner_side", "rail", "beside", "front", "thrown", "thrown"]
ADDED_KONGS = ["beside", "beside", "on_top"]
# How often an arrangement is drawn anew, and how often it may fail before other forms are tried.
TRIES, PATIENCE = 600, 25


def lay_out(hand: Hand, rng: Random, board: Board) -> tuple[list[Placed], dict[str, Any]]:
    """Places the hand on the board."""
    turned = rng.random() < 0.75
    if not turned:
        forget_sources(hand)
    for attempt in range(TRIES):
        if attempt % PATIENCE == 0:
            plan = {**_plan(hand, rng), "turned": turned}
        table = Table(rng)
        if _arrange(table, hand, plan, board) and is_possible(table.placed, board):
            return table.placed, plan
    raise ValueError(f"no way was found to lay out {hand.recipe}")


def _plan(hand: Hand, rng: Random) -> dict[str, Any]:
    plan = {
        "rows": rng.choice(ROWS),
        "winning": rng.choice(WINNING),
        "melds": rng.choice(MELDS),
        "standing": rng.random() < 0.1,
        "concealed_kong": rng.choice(CONCEALED_KONGS),
        "added_kong": rng.choice(ADDED_KONGS),
    }
    if plan["standing"] or len(hand.concealed) < 4 or (plan["rows"] == "two" and len(hand.concealed) < 8):
        plan["rows"] = "one"
    if plan["winning"] in ("above", "sideways") and (
        plan["rows"] in ("two", "split") or len(hand.concealed) < 4 or plan["standing"]
    ):
        plan["winning"] = rng.choice(["far", "gap", "rail"])
    if plan["melds"] == "rail":
        # A rail is no wider than a tile is high.
        plan["added_kong"] = "on_top"
    return plan


def _arrange(table: Table, hand: Hand, plan: dict[str, Any], board: Board) -> bool:
    """Tries to lay out the hand; False where it runs out of room."""
    rng = table.rng
    parts = [meld_part(rng, meld, plan) for meld in hand.melds]
    width = _row_width(hand, plan)
    y = rng.uniform(0.9, 3.0)
    start = _row_start(rng, width, parts, plan, board)
    if start is None:
        return False
    end = _concealed(table, hand, plan, start, y)
    _melds(table, parts, plan, board, (start, end, y))
    _winning(table, hand, plan, board, (start, end, y))
    return _flowers(table, hand, board, (start, end, y))


def _row_width(hand: Hand, plan: dict[str, Any]) -> float:
    count = len(hand.concealed) + (plan["winning"] == "unmarked")
    if plan["rows"] == "two":
        count = (count + 1) // 2
    return count * (1 + NEIGHBOUR) + (2 if plan["rows"] == "split" else 0)


def _row_start(
    rng: Random, width: float, parts: list[tuple[list[Placed], float]], plan: dict[str, Any], board: Board
) -> float | None:
    """The x at which the row starts, so that the sets find their place to its right; None where
    there is no room."""
    left, right = 0.6 - board.half, board.half - 0.4
    if parts and plan["melds"] in ("corner", "corner_side", "rail"):
        gap, block = rng.uniform(5, 12), _block_width(parts, plan)
        start = right - block - gap - width
        # Where there is no room for as much, the sets may end beyond the corner's start: two widths
        # closer, no more.
        return start if start > left else left if start > left - 2 else None
    taken = width + (_block_width(parts, plan) + 3 if parts and plan["melds"] == "beside" else 0)
    return rng.uniform(left, max(left, min(right - taken, 0))) if taken < right - left else None


def _block_width(parts: list[tuple[list[Placed], float]], plan: dict[str, Any]) -> float:
    """Of all sets together."""
    widths = [width for _, width in parts]
    return max(widths) if plan["melds"] == "corner" else sum(widths) + 0.8 * (len(widths) - 1)


def _concealed(table: Table, hand: Hand, plan: dict[str, Any], x: float, y: float) -> float:
    """The concealed tiles from x on; returns where they end."""
    rng, tiles = table.rng, list(hand.concealed)
    if plan["winning"] == "unmarked":
        tiles = sorted([*tiles, hand.winning], key=hands.FACES.index)
    rows = _cut(rng, tiles, plan)
    end = x
    for place, row in enumerate(rows):
        bend = rng.uniform(0.02, 0.06) * len(row) if plan["rows"] == "bent" else 0.0
        part = row_part(row, bend, role="concealed", standing=plan["standing"])
        angle = rng.gauss(0, 1.0) if len(rows) == 1 or plan["rows"] == "two" else rng.gauss(0, 5)
        if plan["rows"] == "two":
            # Read from the upper row to the lower one.
            table.put_part(
                part, x + rng.uniform(0, 0.8), y + (HEIGHT + rng.uniform(0.02, 0.3)) * (1 - place), angle * 0.3
            )
            end = max(end, x + len(row) * (1 + NEIGHBOUR))
            continue
        table.put_part(part, end, y + (rng.gauss(0, 0.25) if place else 0), angle)
        end += len(row) * (1 + NEIGHBOUR) * math.cos(math.radians(angle))
        if place + 1 < len(rows):
            end += rng.uniform(0.4, 2.2) if len(rows) == 2 else rng.uniform(0.35, 1.2)
    return end


def _cut(rng: Random, tiles: list[str], plan: dict[str, Any]) -> list[list[str]]:
    """The rows or parts of a row, left to right."""
    if plan["rows"] == "two":
        half = (len(tiles) + 1) // 2
        return [tiles[:half], tiles[half:]]
    if plan["rows"] != "split":
        return [tiles]
    cuts = sorted(rng.sample(range(1, len(tiles)), 1 if len(tiles) < 7 or rng.random() < 0.6 else 2))
    return [tiles[a:b] for a, b in zip([0, *cuts], [*cuts, len(tiles)])]


def _melds(
    table: Table,
    parts: list[tuple[list[Placed], float]],
    plan: dict[str, Any],
    board: Board,
    row: tuple[float, float, float],
) -> None:
    """The sets where the plan wants them."""
    rng, style = table.rng, plan["melds"]
    start, end, y = row
    right = board.half - rng.uniform(0.2, 1.2)
    if style == "corner":
        _stack(table, parts, right, rng.uniform(0.8, 1.6))
    elif style == "thrown":
        for part, width in parts:
            _throw(table, part, (start - 1, end + 8 - width), (y + 2, y + 7.5), 75)
    elif style == "front":
        x, level = start + rng.uniform(-1, 2), y + (2 if plan["rows"] == "two" else 1) * HEIGHT + rng.uniform(0.25, 1.6)
        for part, width in parts:
            table.put_part(part, x, level + rng.gauss(0, 0.1), rng.gauss(0, 2.5))
            x += width + rng.uniform(0.2, 1.2)
    else:
        x = end + rng.uniform(0.7, 2.0) if style == "beside" else right - _block_width(parts, plan)
        level = (
            -board.rail / 2
            if style == "rail"
            else y + rng.gauss(0, 0.3)
            if style == "beside"
            else rng.uniform(0.8, 1.5)
        )
        for part, width in parts:
            if style == "rail":
                for tile in part:
                    tile.lift = board.height
            table.put_part(part, x, level + rng.gauss(0, 0.05), rng.gauss(0, 1.0 if style == "rail" else 2.5))
            x += width + rng.uniform(0.1, 0.8)


def _stack(table: Table, parts: list[tuple[list[Placed], float]], right: float, y: float) -> None:
    """Row upon row in the corner, the first nearest to the player or to the middle of the table."""
    rng = table.rng
    ragged, tilt = rng.choice([0.05, 0.3]), rng.gauss(0, 2.0) if rng.random() < 0.7 else rng.uniform(-14, 14)
    turn = math.radians(tilt)
    up = 0.0
    for part, width in parts:
        below = min(tile.y - _reach(tile) for tile in part)
        above = max(tile.y + _reach(tile) for tile in part)
        up += -below
        dx = -width + rng.gauss(0, ragged)
        table.put_part(
            part,
            right + dx * math.cos(turn) - up * math.sin(turn),
            y - HEIGHT / 2 + dx * math.sin(turn) + up * math.cos(turn),
            tilt + rng.gauss(0, 0.7),
        )
        up += above + rng.uniform(0.03, 0.3)


def _reach(tile: Placed) -> float:
    """Distance that a tile of an unturned part reaches up and down."""
    return 0.5 if tile.sideways else HEIGHT / 2


def _winning(table: Table, hand: Hand, plan: dict[str, Any], board: Board, row: tuple[float, float, float]) -> None:
    """The winning tile, unless it lies unmarked among the others."""
    rng, style = table.rng, plan["winning"]
    start, end, y = row
    tile = Placed(hand.winning, 0, 0, role="winning")
    last = max((p for p in table.placed if p.role == "concealed"), key=lambda p: p.x)
    if style == "gap":
        table.put_part([tile], end + 0.5 + rng.uniform(0.45, 0.9), last.y, rng.gauss(0, 2))
    elif style == "sideways":
        tile.sideways, tile.angle = True, 90
        table.put_part([tile], end + HEIGHT / 2 + rng.uniform(0.05, 0.15), last.y - (HEIGHT - 1) / 2, rng.gauss(0, 1))
    elif style == "above":
        table.put_part(
            [tile], rng.uniform(start + 1, end - 1), last.y + HEIGHT + rng.uniform(0.08, 0.25), rng.gauss(0, 3)
        )
    elif style == "far":
        _throw(table, [tile], (end + 1.5, end + 6), (y - 0.4, y + 1.0), rng.choice([4, 15]))
    elif style == "rail":
        tile.lift = board.height
        _throw(table, [tile], (start + 2, end + 5), (-board.rail / 2, -board.rail / 2), 6)
    elif style == "thrown":
        _throw(table, [tile], (start + 1, end + 6), (y + 1.9, y + 6), 80)


def _throw(table: Table, part: list[Placed], xs: tuple[float, float], ys: tuple[float, float], max_turn: int) -> None:
    """Puts a part where nothing lies yet, turned by up to `max_turn` degrees."""
    rng = table.rng
    for _ in range(30):
        x, y, angle = rng.uniform(*xs), rng.uniform(*ys), rng.uniform(-max_turn, max_turn)
        if not any(overlaps(a, b, 0.1) for a in moved(part, x, y, angle) for b in table.placed):
            break
    table.put_part(part, x, y, angle)


def moved(part: list[Placed], x: float, y: float, angle: float) -> list[Placed]:
    """Copies of a part's tiles, turned about its origin and put at (x, y), without any disorder."""
    turn = math.radians(angle)
    return [
        Placed(
            **{
                **vars(tile),
                "x": x + tile.x * math.cos(turn) - tile.y * math.sin(turn),
                "y": y + tile.x * math.sin(turn) + tile.y * math.cos(turn),
                "angle": tile.angle + angle,
            }
        )
        for tile in part
    ]


def _flowers(table: Table, hand: Hand, board: Board, row: tuple[float, float, float]) -> bool:
    """Flowers beside the row, before it or on the rail; False where there is no room."""
    if not hand.flowers:
        return True
    rng = table.rng
    start, end, y = row
    width = len(hand.flowers) * (1 + NEIGHBOUR)
    for _ in range(40):
        place = rng.choice(["before", "left", "rail", "right"])
        at, up = {
            "before": (rng.uniform(start, end), y + rng.uniform(1.7, 3.5)),
            "left": (start - width - rng.uniform(0.6, 3), y + rng.gauss(0, 0.3)),
            "right": (end + rng.uniform(0.8, 5), y + rng.gauss(0, 0.4)),
            "rail": (rng.uniform(start - 3, end), -board.rail / 2),
        }[place]
        part = row_part(hand.flowers, role="flower", lift=board.height if place == "rail" else 0.0)
        around = moved(part, at, up, 0)
        if all(is_inside(tile, board) for tile in around) and not any(
            overlaps(a, b, 0.3) for a in around for b in table.placed
        ):
            table.put_part(part, at, up, rng.gauss(0, 1.5))
            return True
    return False
