"""Scenes of given hands: those of other games than MCR, and of players who have not won.

Input: a JSON file, a list of `{ "name", "seed", "hand", "context", "turned_in_claimed_kong" }`;
`hand` and `context` as the contract writes them, `winning_tile` null for a hand that has not won.
Output: a `Hand` and where its tiles lie. Looks, light and camera follow the seed as in every other
scene; the tiles lie flat, the concealed ones in one row, so that the scene shows the game and not
the difficulty of a form.
Invariant: a scene depends on its entry alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision import cycles_hands, cycles_layout

if TYPE_CHECKING:
    from random import Random


def read(path: Path):
    """The entries by name."""
    entries = json.loads(path.read_text())
    names = [entry["name"] for entry in entries]
    if len(set(names)) != len(names):
        raise ValueError(f"{path}: a name is there twice")
    return entries


def hand_of(entry: dict[str, Any]) -> cycles_hands.Hand:
    """The hand of an entry."""
    given = entry["hand"]
    melds = [
        cycles_hands.Meld(
            meld["kind"],
            list(meld["tiles"]),
            meld.get("concealed", False),
            meld.get("added", False),
            meld.get("claimed"),
            meld.get("from"),
        )
        for meld in given.get("melds", [])
    ]
    return cycles_hands.Hand(
        entry["name"],
        list(given["concealed"]),
        given.get("winning_tile"),
        melds,
        list(given.get("flowers", [])),
        entry["context"],
    )


def lay_out(
    hand: cycles_hands.Hand, entry: dict[str, Any], rng: Random
) -> tuple[list[cycles_layout.Placed], dict[str, Any]]:
    """The places of the tiles, and the plan."""
    return cycles_layout.lay_out(
        hand,
        rng,
        winning_style="gap",
        melds_where=entry.get("melds", "front"),
        turned=True,
        standing=0.0,
        turned_in_kong=entry.get("turned_in_claimed_kong", 1),
    )
