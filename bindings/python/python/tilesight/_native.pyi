from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any

from ._objects import Award, Exclusion, ScoredSet
from ._rules import Hand

class Score:
    @staticmethod
    def from_dict(score: dict[str, Any]) -> Score: ...
    @property
    def total(self) -> int: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def legal(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    @property
    def awards(self) -> tuple[Award, ...]: ...
    @property
    def excluded(self) -> tuple[Exclusion, ...]: ...
    @property
    def sets(self) -> tuple[ScoredSet, ...]: ...
    @property
    def payments(self) -> dict[str, int]: ...
    @property
    def assumed(self) -> list[str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Scores:
    @property
    def totals(self) -> list[int | None]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, at: int) -> Score: ...
    def __iter__(self) -> Iterator[Score]: ...

class NativeRules:
    def __init__(self, profiles: Sequence[str]) -> None: ...
    def score(
        self,
        hand: Hand,
        others: Sequence[dict[str, Any]] | None = None,
        lang: str | None = None,
        **context: Any,
    ) -> Score: ...
    def score_many(
        self,
        hands: bytes | bytearray | memoryview | Iterable[Hand],
        keep_errors: bool = False,
        lang: str | None = None,
        **context: Any,
    ) -> Scores: ...
    def request(self, name: str, body: bytes, lang: str | None = None, at: int = 0) -> bytes: ...

class NativeReader:
    def __init__(
        self,
        models: str | PathLike[str],
        library: str | PathLike[str],
        library_sha256: str,
        own_sets: Sequence[str],
    ) -> None: ...
    def request(self, name: str, rules: NativeRules, body: bytes, lang: str | None = None) -> bytes: ...

def mahjong_fan_calculator(
    pack: Sequence[tuple[str, str, int]],
    hand: Sequence[str],
    winTile: str,
    flowerCount: int,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: int,
    prevalentWind: int,
    verbose: bool = False,
) -> tuple[tuple[Any, ...], ...]: ...
