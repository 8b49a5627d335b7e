"""Random legal winning hands, as they are for the near-photographic scenes.

Input: a seeded `random.Random`. Output: a `Hand` (concealed tiles, winning tile, melds, flowers)
and the context of the win, in the field names of the contract (`hand`, `context`).
Invariant: never more than four of a kind, each bonus tile once, 14 tiles (or, with five sets, 17)
and one more for each kong. Recipes are MCR hands that mostly reach eight points, since a scene of a
hand that may not be declared is no use as an example.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random


SUITS = "mps"
WINDS = ["E", "S", "W", "N"]
DRAGONS = ["C", "F", "P"]
BONUS = [f"f{n}" for n in range(1, 5)] + [f"s{n}" for n in range(1, 5)]
NUMBERED = [f"{n}{s}" for s in SUITS for n in range(1, 10)]
FACES = NUMBERED + WINDS + DRAGONS
SOURCES = ["left", "across", "right"]
# How many sets lie on the table, as often as they are here.
EXPOSED = [0, 1, 1, 2, 2, 3]
EXPOSED_OF_SIXTEEN = [*EXPOSED, 4, 5]


@dataclass
class Meld:
    """An exposed set or a concealed kong; `tiles` in the order they lie, the claimed one where its
    source says."""

    kind: str
    tiles: list
    concealed: bool = False
    added: bool = False
    claimed: str | None = None
    source: str | None = None

    def contract(self) -> dict[str, Any]:
        """The meld in the contract's field names."""
        return {
            "kind": self.kind,
            "tiles": self.tiles,
            "concealed": self.concealed,
            "added": self.added,
            "claimed": self.claimed,
            "from": self.source,
        }


@dataclass
class Hand:
    """A complete winning hand, and what the table knows about the win."""

    recipe: str
    concealed: list
    winning: str
    melds: list = field(default_factory=list)
    flowers: list = field(default_factory=list)
    context: dict = field(default_factory=dict)

    def contract(self) -> dict[str, Any]:
        """The contract's `hand` object, without notation (the program writes that)."""
        return {
            "concealed": self.concealed,
            "winning_tile": self.winning,
            "melds": [meld.contract() for meld in self.melds],
            "flowers": self.flowers,
        }

    def is_of_sixteen(self) -> bool:
        """Tells whether the hand has five sets: sixteen tiles and the winning one."""
        return len(self.concealed) + 3 * len(self.melds) >= 16

    def tiles(self) -> list[str]:
        """Every tile of the hand but the flowers."""
        return (
            self.concealed
            + ([self.winning] if self.winning else [])
            + [tile for meld in self.melds for tile in meld.tiles]
        )


def chow(number: int, suit: str) -> list[str]:
    """The chow that starts at `number`."""
    return [f"{number + step}{suit}" for step in range(3)]


def pung(tile: str) -> list[str]:
    """Three of `tile`."""
    return [tile] * 3


def make_hand(rng: Random, recipe: Any = None, melds: int | None = None, kongs: float = 0.25) -> Hand:
    """A random hand of a named recipe, with `melds` sets laid out (None: any number that the recipe
    allows)."""
    return _made(rng, RECIPES if recipe is None else {recipe: RECIPES[recipe]}, melds, kongs)


def make_hand_of_sixteen(rng: Random, melds: int | None = None, kongs: float = 0.25) -> Hand:
    """A random hand of sixteen tiles and the winning one: a set more than a recipe has."""
    recipes = {name: RECIPES[name] for name in RECIPES if name not in WITHOUT_SETS}
    hand = _made(rng, recipes, melds, kongs, added=1)
    hand.context["ruleset"] = "tw-common"
    return hand


def _made(rng: Random, recipes: dict[str, Any], melds: int | None, kongs: float, added: int = 0) -> Hand:
    while True:
        name = rng.choice(list(recipes)) if len(recipes) > 1 else next(iter(recipes))
        sets, pair = recipes[name](rng)
        if sets is None:
            hand = _whole_hand(rng, name, pair)
        else:
            hand = _set_hand(rng, name, sets + [_any_set(rng) for _ in range(added)], pair, melds, kongs)
        if hand is not None and max(Counter(hand.tiles()).values()) <= 4:
            hand.flowers = sorted(rng.sample(BONUS, rng.choice([0, 0, 0, 1, 2, 2, 3])))
            hand.context = _context(rng, hand)
            return hand


def _whole_hand(rng: Random, name: str, tiles: list[str]) -> Hand:
    tiles = list(tiles)
    winning = tiles.pop(rng.randrange(len(tiles)))
    return Hand(name, _arranged(rng, tiles), winning)


def _set_hand(rng: Random, name: str, sets: list[list[str]], pair: str, melds: int | None, kongs: float) -> Hand:
    exposed = rng.choice(EXPOSED if len(sets) == 4 else EXPOSED_OF_SIXTEEN) if melds is None else melds
    rng.shuffle(sets)
    laid = [_expose(rng, group, kongs) for group in sets[:exposed]]
    held = [tile for group in sets[exposed:] for tile in group] + [pair, pair]
    winning = held.pop(rng.randrange(len(held)))
    return Hand(name, _arranged(rng, held), winning, laid)


def _arranged(rng: Random, tiles: list[str]) -> list[str]:
    """Mostly sorted, as players keep them; one hand in six is not."""
    tiles = sorted(tiles, key=FACES.index)
    if rng.random() < 1 / 6:
        rng.shuffle(tiles)
    return tiles


def _expose(rng: Random, group: list[str], kongs: float) -> Meld:
    """Lays a set out: a chow is always claimed from the left, a pung from anyone; some pungs are
    kongs."""
    group = list(group)
    if group[0] != group[1]:
        claimed = group.pop(rng.randrange(3))
        return Meld("chow", [claimed] + group, claimed=claimed, source="left")
    source = rng.choice(SOURCES)
    tile = group[0]
    if rng.random() >= kongs:
        return Meld("pung", group, claimed=tile, source=source)
    style = rng.choice(["claimed", "added", "concealed"])
    if style == "concealed":
        return Meld("kong", [tile] * 4, concealed=True)
    return Meld("kong", [tile] * 4, added=style == "added", claimed=tile, source=source)


def _context(rng: Random, hand: Hand) -> dict[str, Any]:
    """A random win context. A discard comes from someone; nothing rare that a photo cannot
    contradict is chosen."""
    win = rng.choice(["self_drawn", "discard", "discard"])
    return {
        "ruleset": "mcr-wmo",
        "seat": rng.choice(WINDS),
        "prevalent": rng.choice(WINDS[:2]),
        "win": win,
        "from": rng.choice(SOURCES) if win == "discard" else None,
        "last_wall_tile": False,
        "last_of_kind": False,
    }


def _mixed_straight(rng: Random) -> tuple[list[list[str]], str]:
    suits = rng.sample(SUITS, 3)
    sets = [chow(n, s) for n, s in zip((1, 4, 7), suits)]
    return sets + [_any_set(rng)], rng.choice(FACES)


def _mixed_triple_chow(rng: Random) -> tuple[list[list[str]], str]:
    number = rng.randint(1, 7)
    return [chow(number, s) for s in SUITS] + [_any_set(rng)], rng.choice(FACES)


def _pure_straight(rng: Random) -> tuple[list[list[str]], str]:
    suit = rng.choice(SUITS)
    return [chow(n, suit) for n in (1, 4, 7)] + [_any_set(rng)], rng.choice(FACES)


def _pure_shifted_chows(rng: Random) -> tuple[list[list[str]], str]:
    suit, number, step = rng.choice(SUITS), rng.randint(1, 3), rng.choice([1, 2])
    return [chow(number + step * k, suit) for k in range(3)] + [_any_set(rng)], rng.choice(FACES)


def _mixed_shifted_pungs(rng: Random) -> tuple[list[list[str]], str]:
    number = rng.randint(1, 7)
    suits = rng.sample(SUITS, 3)
    sets = [pung(f"{number + k}{s}") for k, s in enumerate(suits)]
    return sets + [_any_set(rng)], rng.choice(FACES)


def _half_flush(rng: Random) -> tuple[list[list[str]], str]:
    suit = rng.choice(SUITS)
    sets = [
        chow(rng.randint(1, 7), suit),
        chow(rng.randint(1, 7), suit),
        pung(rng.choice(DRAGONS)),
        pung(f"{rng.randint(1, 9)}{suit}"),
    ]
    return sets, rng.choice(WINDS)


def _full_flush(rng: Random) -> tuple[list[list[str]], str]:
    suit = rng.choice(SUITS)
    return [chow(rng.randint(1, 7), suit) for _ in range(4)], f"{rng.randint(1, 9)}{suit}"


def _all_pungs(rng: Random) -> tuple[list[list[str]], str]:
    tiles = rng.sample(NUMBERED, 3)
    return [pung(t) for t in tiles] + [pung(rng.choice(DRAGONS))], rng.choice(FACES)


def _two_dragons(rng: Random) -> tuple[list[list[str]], str]:
    dragons = rng.sample(DRAGONS, 2)
    return [pung(d) for d in dragons] + [pung(rng.choice(NUMBERED)), pung(rng.choice(WINDS))], rng.choice(FACES)


def _upper_tiles(rng: Random) -> tuple[list[list[str]], str]:
    sets = [chow(rng.choice([6, 7]), s) for s in SUITS] + [pung(f"{rng.randint(6, 9)}{rng.choice(SUITS)}")]
    return sets, f"{rng.randint(6, 9)}{rng.choice(SUITS)}"


def _seven_pairs(rng: Random) -> tuple[None, list[str]]:
    return None, [tile for kind in rng.sample(FACES, 7) for tile in (kind, kind)]


def _thirteen_orphans(rng: Random) -> tuple[None, list[str]]:
    kinds = [f"{n}{s}" for s in SUITS for n in (1, 9)] + WINDS + DRAGONS
    return None, kinds + [rng.choice(kinds)]


def _any_set(rng: Random) -> list[str]:
    if rng.random() < 0.6:
        return chow(rng.randint(1, 7), rng.choice(SUITS))
    return pung(rng.choice(FACES))


RECIPES = {
    "mixed_straight": _mixed_straight,
    "mixed_triple_chow": _mixed_triple_chow,
    "pure_straight": _pure_straight,
    "pure_shifted_chows": _pure_shifted_chows,
    "mixed_shifted_pungs": _mixed_shifted_pungs,
    "half_flush": _half_flush,
    "full_flush": _full_flush,
    "all_pungs": _all_pungs,
    "two_dragons": _two_dragons,
    "upper_tiles": _upper_tiles,
    "seven_pairs": _seven_pairs,
    "thirteen_orphans": _thirteen_orphans,
}
WITHOUT_SETS = ("seven_pairs", "thirteen_orphans")
