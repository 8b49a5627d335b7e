"""Places of a hand's tiles on the table, as players lay them (concealed row, sets, winning tile,
flowers).

Input: a `Hand` and a seeded `random.Random`. Output: a list of `Placed` tiles on the plane and the
plan that was followed. Units are tile widths; x runs along the row from the player's left, y away
from the player, angles in degrees anticlockwise seen from above.
Invariant: the claimed tile of a set lies sideways exactly where the contract says its source puts
it, and `Placed.sideways` is true for those tiles and for a sideways winning tile only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vision import cycles_hands as hands

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_hands import Hand, Meld


# A common tile: 26 mm wide, 35 mm high. The gap between neighbours in a row is what fingers leave.
HEIGHT = 1.34
NEIGHBOUR = 0.035


@dataclass
class Placed:
    """A tile on the table: centre of its foot print, turn, level (1 = lying on another), and what
    it is to the hand.

    `facing` is the side of the table that a standing tile shows its face to: 0 ours, 90 the right
    player's, and so on; `face_up` False where that is not the camera's. `lift` is the height of
    what it lies on, such as a rail.
    """

    tile: str
    x: float
    y: float
    angle: float = 0.0
    level: int = 0
    face_up: bool = True
    sideways: bool = False
    standing: bool = False
    role: str = "ignored"
    group: int = -1
    facing: float = 0.0
    lift: float = 0.0


class _Table:
    """Collects tiles, adding the small disorder of a real hand."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.placed, self.groups = rng, [], 0

    def new_group(self) -> int:
        self.groups += 1
        return self.groups - 1

    def put(self, tile: str, x: float, y: float, **facts: Any) -> None:
        angle = facts.pop("angle", 0.0) + self.rng.gauss(0, 0.8)
        # Players do not turn every tile the right way round: upside down counts as upright.
        if facts.pop("may_flip", True) and self.rng.random() < 0.12:
            angle += 180
        self.placed.append(Placed(tile, x + self.rng.gauss(0, 0.008), y + self.rng.gauss(0, 0.015), angle, **facts))


def lay_out(
    hand: Hand,
    rng: Random,
    winning_style: str | None = None,
    melds_where: str | None = None,
    turned: float | None = None,
    standing: float = 0.1,
    turned_in_kong: int = 1,
) -> tuple[list[Placed], dict[str, Any]]:
    """Places the hand. `turned` False leaves claimed tiles upright, as many tables do: their source
    is then unknown.

    `standing` is the chance that the concealed tiles stand on their edges; `turned_in_kong` is how
    many tiles of a claimed kong lie sideways (two in Mahjong Masters Million).
    """
    table = _Table(rng)
    plan = {
        "winning": winning_style or rng.choice(["gap", "gap", "sideways"]),
        "melds": melds_where or rng.choice(["right", "front"]),
        "turned": rng.random() < 0.85 if turned is None else turned,
        "standing": rng.random() < standing,
        "concealed_kong": rng.choice(["outer", "inner"]),
    }
    if turned_in_kong != 1:
        plan["turned_in_claimed_kong"] = turned_in_kong
    if not plan["turned"]:
        forget_sources(hand)
    end = _concealed_row(table, hand, plan)
    if plan["melds"] == "right":
        x, y = end + rng.uniform(0.9, 1.3), 0.0
    else:
        x, y = rng.uniform(0.0, 2.0), HEIGHT + rng.uniform(0.7, 1.1)
    for meld in hand.melds:
        x = _meld(table, meld, x, y, plan) + rng.uniform(0.55, 0.9)
    _flowers(table, hand, plan)
    return table.placed, plan


def forget_sources(hand: Hand) -> None:
    """Removes the sources of the melds of a hand in which nothing is turned: the photo cannot say
    who discarded, and neither may the truth."""
    for meld in hand.melds:
        if not meld.concealed:
            meld.claimed = meld.source = None
            meld.added = False
            meld.tiles = sorted(meld.tiles, key=hands.FACES.index)


def _concealed_row(table: _Table, hand: Hand, plan: dict[str, Any]) -> float:
    group, x = table.new_group(), 0.0
    for tile in hand.concealed:
        table.put(tile, x + 0.5, 0, role="concealed", group=group, standing=plan["standing"])
        x += 1 + NEIGHBOUR
    if hand.winning is None:
        return x
    if plan["winning"] == "sideways":
        x += table.rng.uniform(0.03, 0.12)
        table.put(hand.winning, x + HEIGHT / 2, -(HEIGHT - 1) / 2, angle=90, role="winning", group=group, sideways=True)
        return x + HEIGHT
    x += table.rng.uniform(0.45, 0.9)
    table.put(hand.winning, x + 0.5, 0, role="winning", group=table.new_group())
    return x + 1


def _meld(table: _Table, meld: Meld, x: float, y: float, plan: dict[str, Any]) -> float:
    """Lays one set from x on, and returns where it ends."""
    group = table.new_group()
    count = 3 if meld.added else len(meld.tiles)
    turned = turned_places(table.rng, meld, count, plan.get("turned_in_claimed_kong", 1))
    for place in range(count):
        facts = {"role": "meld", "group": group}
        if place in turned:
            centre = x + HEIGHT / 2
            table.put(meld.tiles[place], centre, y - (HEIGHT - 1) / 2, angle=90, sideways=True, **facts)
            if meld.added:
                table.put(meld.tiles[3], centre, y + 1.03 - (HEIGHT - 1) / 2, angle=90, sideways=True, **facts)
            x += HEIGHT + NEIGHBOUR
            continue
        hidden = meld.concealed and (place in (0, 3)) == (plan["concealed_kong"] == "outer")
        table.put(meld.tiles[place], x + 0.5, y, face_up=not hidden, **facts)
        x += 1 + NEIGHBOUR
    return x


def turned_place(rng: Random, meld: Meld, count: int) -> int | None:
    """The place of the sideways tile in a set of `count` tiles; None where nothing is turned."""
    if meld.source is None:
        return None
    if meld.source == "across":
        return 1 if count == 3 else rng.choice([1, 2])
    return 0 if meld.source == "left" else count - 1


def turned_places(rng: Random, meld: Meld, count: int, in_kong: int) -> tuple[int, ...]:
    """The places of all sideways tiles in a set: of a claimed kong `in_kong` neighbours lie
    sideways, the claimed one at its place among them."""
    place = turned_place(rng, meld, count)
    if place is None or meld.source is None:
        return ()
    if meld.kind != "kong" or meld.added or in_kong == 1:
        return (place,)
    first = {"left": 0, "across": 1, "right": 2}[meld.source]
    return tuple(range(first, first + in_kong))


def _flowers(table: _Table, hand: Hand, plan: dict[str, Any]) -> None:
    if not hand.flowers:
        return
    group = table.new_group()
    front = plan["melds"] == "front" and hand.melds
    y = (2 if front else 1) * HEIGHT + table.rng.uniform(1.2, 1.8) * (2 if front else 1)
    x = table.rng.uniform(0, 6)
    for tile in hand.flowers:
        table.put(tile, x + 0.5, y, role="flower", group=group, may_flip=False)
        x += 1 + NEIGHBOUR


def discards(hand: Hand, placed: list[Placed], rng: Random) -> list[Placed]:
    """Tiles of the same set that are not the hand's: loose discards and a wall with its backs up,
    well away from it."""
    left = Counter(dict.fromkeys(hands.FACES, 4))
    left.subtract(hand.tiles())
    rest = [face for face, count in left.items() for _ in range(count)]
    rng.shuffle(rest)
    far = max(p.y for p in placed) + HEIGHT
    others = []
    if rng.random() < 0.7:
        others += _pile(rng, [rest.pop() for _ in range(rng.randint(4, 16))], far + rng.uniform(1.6, 2.6))
    if rng.random() < 0.5:
        others += _wall(rng, [rest.pop() for _ in range(2 * rng.randint(4, 11))], far + rng.uniform(8, 10))
    return others


def _pile(rng: Random, tiles: list[str], y: float) -> list[Placed]:
    """Discards in untidy rows of six, at an angle of their own."""
    start, tilt = rng.uniform(0, 7), rng.uniform(-25, 25)
    pile = []
    for place, tile in enumerate(tiles):
        column, row = place % 6, place // 6
        pile.append(
            Placed(
                tile,
                start + column * 1.25 + rng.gauss(0, 0.05),
                y + row * 1.7 + rng.gauss(0, 0.05),
                tilt * 0.2 + rng.gauss(0, 6) + rng.choice([0, 0, 0, 180]),
                face_up=rng.random() < 0.95,
            )
        )
    return pile


def _wall(rng: Random, tiles: list[str], y: float) -> list[Placed]:
    """Two levels of tiles, backs up."""
    start = rng.uniform(-1, 5)
    return [
        Placed(
            tile,
            start + (place // 2) * 1.03,
            y + rng.gauss(0, 0.01),
            rng.gauss(0, 0.5),
            level=1 - place % 2,
            face_up=False,
        )
        for place, tile in enumerate(tiles)
    ]
