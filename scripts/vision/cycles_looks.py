"""Looks of a scene's tiles, surfaces and light: plastics, cloths, lamps.

Input: a seeded `random.Random`. Output: plain data for `cycles_blender`; colours are linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random


ROOMS = ["city", "interior", "studio", "courtyard", "forest", "sunrise", "sunset"]
BODIES = [(0.86, 0.83, 0.74), (0.9, 0.9, 0.88), (0.82, 0.76, 0.6), (0.78, 0.8, 0.78)]
# Linear colours of tile backs: green, jade, blue, orange, yellow, black, red, purple.
BACKS = [
    (0.02, 0.3, 0.09),
    (0.01, 0.2, 0.16),
    (0.02, 0.12, 0.5),
    (0.7, 0.22, 0.02),
    (0.75, 0.5, 0.06),
    (0.015, 0.015, 0.018),
    (0.4, 0.02, 0.03),
    (0.25, 0.03, 0.3),
]
CLOTHS = {
    "felt": [(0.01, 0.12, 0.04), (0.01, 0.05, 0.14), (0.12, 0.01, 0.02), (0.03, 0.2, 0.06), (0.05, 0.05, 0.055)],
    "wood": [(0.22, 0.11, 0.045), (0.42, 0.26, 0.13), (0.1, 0.045, 0.02), (0.5, 0.38, 0.24)],
    "weave": [(0.2, 0.03, 0.04), (0.1, 0.14, 0.25), (0.35, 0.3, 0.22), (0.02, 0.14, 0.12)],
    "plain": [(0.5, 0.5, 0.48), (0.15, 0.15, 0.16), (0.3, 0.34, 0.38)],
}


def look(rng: Random) -> dict[str, Any]:
    """The looks of a tile set: body, back, gloss, engraving."""
    return {
        "depth": rng.uniform(0.62, 0.85),
        "split": rng.uniform(0.3, 0.55),
        "body": rng.choice(BODIES),
        "back": rng.choice(BACKS),
        "rough": rng.uniform(0.12, 0.35),
        "coat": rng.uniform(0, 0.5),
        "engrave": rng.uniform(0.2, 0.9),
        "inset": rng.uniform(0.86, 0.95),
    }


def surface(rng: Random, kind: str) -> dict[str, Any]:
    """A cloth or a table top of felt, wood, weave or plain."""
    base = [channel * rng.uniform(0.8, 1.2) for channel in rng.choice(CLOTHS[kind])]
    spread = {"felt": 0.82, "wood": 0.6, "weave": 0.65, "plain": 0.95}[kind]
    return {
        "kind": kind,
        "light": base,
        "dark": [channel * spread for channel in base],
        "turn": rng.uniform(0, 0.4),
        "scale": rng.uniform(6, 30),
        "bump": 0.35 if kind in ("felt", "weave") else 0.04,
        "rough": 0.95 if kind in ("felt", "weave") else rng.uniform(0.25, 0.6),
    }


def light(rng: Random) -> dict[str, Any]:
    """A room's light, and perhaps a lamp."""
    found = {
        "room": rng.choice(ROOMS),
        "spin": rng.uniform(0, 6.28),
        "strength": rng.uniform(0.7, 1.3),
        "exposure": rng.uniform(-0.35, 0.15),
    }
    if rng.random() < 0.65:
        warmth = rng.uniform(0.55, 1.0)
        found["lamp"] = {
            "power": rng.uniform(900, 3200),
            "size": rng.choice([0.6, 2.5, 6.0]),
            "colour": [1.0, 0.5 + 0.5 * warmth, warmth],
            "place": [rng.uniform(-8, 22), rng.uniform(-6, 16), rng.uniform(12, 20)],
        }
        found["strength"] *= 0.7
    return found
