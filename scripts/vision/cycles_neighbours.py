"""Neighbours of the hand on a table when play stops: other hands, discards in rows of six, walls,
the dead wall with its indicator.

Input: the hand and where it lies (`cycles_life`), the board, a seeded `random.Random`. Output:
further `Placed` tiles, all of them `ignored`, from what the hand leaves of a set of 136, and what
kinds of neighbours there are.
Invariant: nothing here overlaps the hand or another tile of its level, and a tile lies on another
only where that one is still there.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from vision import cycles_hands as hands
from vision.cycles_forms import row_part
from vision.cycles_ground import overlaps
from vision.cycles_layout import HEIGHT, NEIGHBOUR, Placed

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_ground import Board
    from vision.cycles_hands import Hand


# Of two stacks of a wall, and how near a stranger's tile may come to the hand.
PITCH, APART = 1.03, 0.45


def neighbours(hand: Hand, placed: list[Placed], board: Board, rng: Random) -> tuple[list[Placed], dict[str, Any]]:
    """All other tiles, and a description of what they are."""
    pool = _rest(hand, rng)
    other_hand = rng.choice(["none", "standing", "standing", "standing", "open", "open", "down"])
    kinds: dict[str, Any] = {"other_hand": other_hand}
    parts = []
    opened = rng.choice([1, 2, 2, 3]) if kinds["other_hand"] == "open" else None
    if kinds["other_hand"] != "none":
        closed = "down" if kinds["other_hand"] == "down" else "standing"
        parts += [_other_hand(rng, pool, board, seat, "open" if seat == opened else closed) for seat in (1, 2, 3)]
    kinds["discards"] = rng.choice(["rows", "rows", "rows", "pile", "none"])
    if kinds["discards"] == "pile":
        parts.append(_pile(rng, pool, board))
    elif kinds["discards"] == "rows":
        turns, gap = rng.randint(4, 17), rng.uniform(2.6, 4.0)
        parts += [_pond(rng, pool, board, seat, max(0, turns + rng.randint(-1, 1)), gap) for seat in range(4)]
    kinds["walls"] = rng.random() < 0.75
    if kinds["walls"]:
        parts += _walls(rng, pool, board)
    return _without_clashes(placed, [tile for part in parts for tile in part]), kinds


def _rest(hand: Hand, rng: Random) -> list[str]:
    """The tiles that the hand leaves, shuffled."""
    left = Counter(dict.fromkeys(hands.FACES, 4))
    left.subtract(hand.tiles())
    rest = [face for face, count in left.items() for _ in range(count)]
    rng.shuffle(rest)
    return rest


def _take(pool: list[str], count: int) -> list[str]:
    """Up to `count` tiles off the pool."""
    taken = pool[-count:] if count else []
    del pool[len(pool) - len(taken) :]
    return taken


def _seated(tiles: list[Placed], board: Board, seat: int) -> list[Placed]:
    """Tiles as they lie before us, moved to another seat (1 the right player's)."""
    turn = math.radians(90 * seat)
    for tile in tiles:
        x, y = tile.x, tile.y - board.half
        tile.x = x * math.cos(turn) - y * math.sin(turn)
        tile.y = board.half + x * math.sin(turn) + y * math.cos(turn)
        if tile.standing:
            tile.facing += 90 * seat
        else:
            tile.angle += 90 * seat
    return tiles


def _untidy(rng: Random, tiles: list[Placed], aside: float = 0.01, turn: float = 0.8) -> list[Placed]:
    for tile in tiles:
        tile.x += rng.gauss(0, aside)
        tile.y += rng.gauss(0, aside)
        if tile.standing:
            tile.facing += rng.gauss(0, turn)
        else:
            tile.angle += rng.gauss(0, turn)
    return tiles


def _other_hand(rng: Random, pool: list[str], board: Board, seat: int, kind: str) -> list[Placed]:
    """The row of another player, up to two of their sets in their corner; standing ones turn us
    their backs."""
    sets = rng.choice([0, 0, 1, 1, 2])
    count = 13 - 3 * sets + (kind == "open" and rng.random() < 0.4)
    tiles = row_part(_take(pool, count))
    start, y = rng.uniform(-11, 9 - count - 4 * (sets > 0)), rng.uniform(1.0, 2.6)
    for tile in tiles:
        tile.x, tile.y = tile.x + start, y
        if kind == "standing":
            tile.standing, tile.face_up = True, False
        elif kind == "down":
            tile.face_up = False
        elif rng.random() < 0.15:
            tile.angle += 180
    corner = board.half - rng.uniform(0.3, 1.5)
    for place in range(sets):
        tiles += _other_set(rng, pool, corner, 0.9 + place * (HEIGHT + rng.uniform(0.05, 0.3)))
    return _seated(_untidy(rng, tiles), board, seat)


def _other_set(rng: Random, pool: list[str], corner: float, y: float) -> list[Placed]:
    """Three tiles alike if the pool has them, the first of them turned."""
    alike = [face for face, count in Counter(pool).items() if count >= 3]
    if not alike:
        return []
    face = rng.choice(alike)
    for _ in range(3):
        pool.remove(face)
    x = corner - 2 * (1 + NEIGHBOUR) - HEIGHT
    turned = Placed(face, x + HEIGHT / 2, y - (HEIGHT - 1) / 2, 90, sideways=True)
    return [turned, *(Placed(face, x + HEIGHT + NEIGHBOUR + k * (1 + NEIGHBOUR) + 0.5, y) for k in range(2))]


def _pond(rng: Random, pool: list[str], board: Board, seat: int, count: int, gap: float) -> list[Placed]:
    """Discards of one player, in rows of six from the table's middle outwards; a riichi tile lies
    sideways now and then."""
    tiles, step = [], 1 + rng.uniform(0.01, 0.07)
    sideways = rng.randrange(count) if count and rng.random() < 0.25 else None
    x = -3 * step
    for place, face in enumerate(_take(pool, count)):
        if place % 6 == 0:
            x = -3 * step + rng.gauss(0, 0.1)
        wide = HEIGHT if place == sideways else 1
        row = min(place // 6, 2) if rng.random() < 0.9 else place // 6
        # A fourth row goes on beside the third.
        extra = 6 * step if place // 6 > 2 and row == 2 else 0
        tiles.append(
            Placed(
                face,
                x + wide / 2 + extra,
                board.half - gap - HEIGHT / 2 - row * (HEIGHT + 0.05),
                90 if place == sideways else rng.choice([0, 0, 0, 180]),
                sideways=place == sideways,
            )
        )
        x += wide - 1 + step
    return _seated(_untidy(rng, tiles, 0.03, 2.0), board, seat)


def _pile(rng: Random, pool: list[str], board: Board) -> list[Placed]:
    """Discards thrown into the middle, as in many homes."""
    tiles = []
    for face in _take(pool, rng.randint(12, 45)):
        for _ in range(20):
            tile = Placed(
                face, rng.gauss(0, 4), board.half + rng.gauss(0, 4), rng.uniform(0, 360), face_up=rng.random() < 0.96
            )
            if not any(overlaps(tile, other, 0.02) for other in tiles):
                tiles.append(tile)
                break
    return tiles


def _walls(rng: Random, pool: list[str], board: Board) -> list[list[Placed]]:
    """The rest of the wall: a run before each of some players, and the dead wall with one tile face
    up."""
    parts, out = [], board.half - rng.uniform(7.8, 9.4)
    seats = rng.sample(range(4), rng.randint(1, 4))
    for seat in seats:
        stacks = rng.randint(3, 17)
        start = rng.uniform(-8.8, 8.8 - stacks * PITCH)
        tiles = []
        for place in range(stacks):
            for level in (0, 1):
                for face in _take(pool, 1):
                    tiles.append(
                        Placed(
                            face, start + (place + 0.5) * PITCH, out, rng.choice([0, 180]), level=level, face_up=False
                        )
                    )
        if seat == seats[0] and len(tiles) > 10:
            # The indicator: third stack from an end, upper tile.
            tiles[5].face_up = True
        parts.append(_seated(_untidy(rng, tiles, 0.008, 0.4), board, seat))
    return parts


def _without_clashes(placed: list[Placed], others: list[Placed]) -> list[Placed]:
    """The others in order, without those that come too near to the hand or lie in each other;
    nothing floats."""
    kept = []
    for tile in sorted(others, key=lambda tile: tile.level):
        flat = Placed(**{**vars(tile), "level": 0})
        if any(overlaps(flat, Placed(**{**vars(own), "level": 0}), APART) for own in placed):
            continue
        if any(overlaps(tile, other) for other in kept if other.level == tile.level):
            continue
        if tile.level and not any(
            other.level == 0 and math.hypot(other.x - tile.x, other.y - tile.y) < 0.2 for other in kept
        ):
            continue
        kept.append(tile)
    return kept
