"""Parts of a score as objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ScoredSet:
    """Set of a decomposition."""

    #: `chow`, `pung`, `kong`, `pair`, `knitted` or `singles`
    kind: str
    #: tiles of the set, such as `("1m", "2m", "3m")`
    tiles: tuple[str, ...]
    #: whether the set counts as concealed
    concealed: bool
    #: whether the winning tile completed the set
    winning: bool


@dataclass(frozen=True)
class Award:
    """Line that counts. In MCR it is a fan, in riichi a yaku."""

    #: code of the line, the same in all languages
    code: str
    #: name of the line
    name: str
    #: points of one occurrence; 0 in games that count han, faan or doubles
    points: int
    #: number of times that the line counts
    count: int
    #: han of the line, in riichi alone
    han: int | None
    #: faan of the line, in Hong Kong's games alone
    faan: int | None
    #: doubles of one occurrence, in games with doubles
    doublings: float | None
    #: limits of one occurrence, in games with limits
    limits: float | None
    #: number of the line, if the rules number their lines
    number: int | None
    #: reference to the paragraph in the rules
    paragraph: str
    #: conditions of the line
    explanation: str
    #: sets that form the line, one tuple for each time it counts
    sets: tuple[tuple[ScoredSet, ...], ...]


@dataclass(frozen=True)
class Exclusion:
    """Line that the hand shows but that does not count."""

    code: str
    name: str
    #: code of the line that excludes it
    by: str
    #: name of the line that excludes it
    by_name: str
    #: number of times that the line would have counted
    count: int
    #: `implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`
    reason: str


def sets_from(sets: Iterable[dict[str, Any]]) -> tuple[ScoredSet, ...]:
    """Convert the sets of a score."""
    return tuple(ScoredSet(one["kind"], tuple(one["tiles"]), one["concealed"], one["winning"]) for one in sets)


def awards_from(awards: Iterable[dict[str, Any]]) -> tuple[Award, ...]:
    """Convert the awards of a score."""
    return tuple(_award_from(one) for one in awards)


def _award_from(award: dict[str, Any]) -> Award:
    return Award(
        code=award["code"],
        name=award["name"],
        points=award["points"],
        count=award["count"],
        han=award.get("han"),
        faan=award.get("faan"),
        doublings=award.get("doublings"),
        limits=award.get("limits"),
        number=award.get("number"),
        paragraph=award["paragraph"],
        explanation=award["explanation"],
        sets=tuple(sets_from(sets) for sets in award["sets"]),
    )


def exclusions_from(excluded: Iterable[dict[str, Any]]) -> tuple[Exclusion, ...]:
    """Convert the exclusions of a score."""
    return tuple(Exclusion(**{name: one[name] for name in Exclusion.__dataclass_fields__}) for one in excluded)
