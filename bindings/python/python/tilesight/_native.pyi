from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Generic, Literal, TypeVar, final, overload

from typing_extensions import Unpack

from ._problems import Problem
from ._rules import HandToScore
from .types import *

__all__ = ["NativeReader", "NativeRules", "Score", "Scores", "__version__", "mahjong_fan_calculator"]

__version__: str

@final
class Score:
    """Itemised score of a hand.

    The total is computed at once, everything else when it is first asked for. It never changes, and equals another
    score with the same content.
    """

    @staticmethod
    def from_dict(score: Mapping[str, Any]) -> Score:
        """Return the score that `to_dict` or an answer of the HTTP service describes."""
    def to_dict(self) -> dict[str, Any]:
        """Return the whole score as the contract's JSON has it."""
    def to_json(self) -> str:
        """Return the whole score as a line of JSON."""
    def cached(self, name: str, build: Callable[[dict[str, Any], str], object]) -> object:
        """Return a field, which `build` makes of the JSON and the field's name when it is first asked for."""
    # fields of the score {
    @property
    def assumed(self) -> tuple[ContextField, ...]:
        """Context fields that got a default; `feeder` only if the payments depend on it."""
    @property
    def assumed_feeder(self) -> Feeder | None:
        """Default for the feeder of the set that decides who pays, if `assumed` contains
        `feeder`.
        """
    @property
    def assumed_red_fives(self) -> tuple[str, ...]:
        """Red fives that count although none was named, because the hand has all four fives of
        the suit, in riichi alone: `0p`. They belong to the hand, so no field of `context`
        says otherwise.
        """
    @property
    def assumed_values(self) -> Context:
        """The fields of `assumed` with their defaults, as `context` takes them."""
    @property
    def awards(self) -> tuple[Award, ...]:
        """Lines that count: in MCR the fans, from most to fewest points."""
    @property
    def base(self) -> int | None:
        """Base points, from which every payment follows, in riichi alone."""
    @property
    def counted_yakuman(self) -> bool | None:
        """Whether 13 han and more are paid as a yakuman, in riichi alone."""
    @property
    def dealer_tai(self) -> int | None:
        """Tai that a player and the dealer owe each other besides: one, and more for each deal
        that the dealer stayed on; absent in games without tai.
        """
    @property
    def doubling(self) -> Doubling | None:
        """Explanation of the total, if points are doubled; `null` if they are only added up."""
    @property
    def excluded(self) -> tuple[Exclusion, ...]:
        """Lines that the hand shows but that do not count."""
    @property
    def faan(self) -> int | None:
        """Faan of the hand, cut at the limit; absent in games without faan. It equals `total`."""
    @property
    def fu(self) -> int | None:
        """Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman, and
        for a hand without a yaku.
        """
    @property
    def fu_parts(self) -> tuple[FuPart, ...] | None:
        """Parts of the fu, which add up to it, in riichi alone."""
    @property
    def han(self) -> int | None:
        """Han of all lines, in riichi alone; of a yakuman 13 for each that is paid."""
    @property
    def legal(self) -> bool:
        """Whether the minimum is reached."""
    @property
    def limit(self) -> RiichiLimit | None:
        """Limit that the hand reaches, in riichi alone; `null` below a mangan."""
    @property
    def limit_hand(self) -> bool | None:
        """Whether a line is worth the limit by itself; absent in games without faan."""
    @property
    def minimum(self) -> int:
        """Minimum of a legal win; 0 if every winning hand is legal."""
    @property
    def minimum_unit(self) -> MinimumUnit:
        """Unit of the minimum."""
    @property
    def missing(self) -> int:
        """Amount that is missing for a legal win."""
    @property
    def others(self) -> tuple[OtherScore, ...]:
        """Values of the hands that did not win, in rule sets that score every player."""
    @property
    def payments(self) -> dict[str, int]:
        """Gain or loss of every seat; all zero for a hand that is not a legal win."""
    @property
    def range(self) -> TotalRange | None:
        """Possible totals, if missing fields or a winning tile that the photo does not show
        change the total. `total` is only one of them.
        """
    @property
    def raw_faan(self) -> int | None:
        """Faan before the limit cuts them; absent in games without faan."""
    @property
    def raw_tai(self) -> int | None:
        """Tai before the cap cuts them; absent in games without tai."""
    @property
    def ruleset(self) -> str | None:
        """Rule set that was applied; `null` if the options are not those of a named rule set."""
    @property
    def runners_up(self) -> tuple[RunnerUp, ...]:
        """Other decompositions of the same tiles."""
    @property
    def sets(self) -> tuple[ScoredSet, ...]:
        """Decomposition of the hand that scores most."""
    @property
    def sticks(self) -> int | None:
        """Points of the riichi sticks on the table, which the winner takes, in riichi alone.
        They were paid before, so neither `total` nor `payments` includes them.
        """
    @property
    def tai(self) -> int | None:
        """Tai of the hand, cut at the cap; absent in games without tai. It equals `total`."""
    @property
    def total(self) -> int:
        """Points that hands are compared by: all points, flowers included; after doubling, if
        points are doubled.
        """
    @property
    def towards_minimum(self) -> int:
        """Amount that counts towards the minimum: points without flowers, or doubles."""
    @property
    def unsettled(self) -> tuple[Wind, ...]:
        """Seats whose hands would count but were not given. The payments do not include the
        payments between these seats and the others who did not win.
        """
    @property
    def value(self) -> int:
        """Value that is settled. In games with faan it is what the table of payments has for
        them, in the smallest chips, in games of tai what a player owes without the tai of the
        dealer; 0 below the minimum.
        """
    @property
    def verdict(self) -> str | None:
        """Explanation of the total and of the minimum, in the requested language; empty if there
        is nothing to explain.
        """
    @property
    def within_reach(self) -> tuple[Reach, ...]:
        """Changes that would have made the hand legal, if it is not and little was missing."""
    @property
    def yakuman(self) -> int | None:
        """Number of yakuman that are paid, in riichi alone. A counted one is not among them."""
    # }
    def __copy__(self) -> Score: ...
    def __deepcopy__(self, memo: Any, /) -> Score: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

_One = TypeVar("_One", bound=Score | Problem, covariant=True)

@final
class Scores(Generic[_One]):
    """Scores of many hands, in their order, with a `Problem` in the place of a hand that can't be scored."""

    @property
    def totals(self) -> list[int | None]:
        """Totals of all hands, with `None` for a hand that can't be scored."""
    @property
    def problems(self) -> dict[int, Problem]:
        """Problems of the hands that can't be scored, by their place."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int, /) -> _One: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[_One]: ...
    def __iter__(self) -> Iterator[_One]: ...
    @classmethod
    def __class_getitem__(cls, kind: Any, /) -> Any: ...

@final
class NativeRules:
    def __new__(cls, profiles: Sequence[str]) -> NativeRules: ...
    def score(
        self,
        hand: HandInput,
        *,
        others: Sequence[Other] | None = None,
        lang: Lang | None = None,
        **context: Unpack[Context],
    ) -> Score:
        """Score a hand. What the context leaves out gets a default, which the score lists in `assumed`.

        `others` are the hands of the players who did not win, for rules that score every player.
        """
    @overload
    def score_many(
        self,
        hands: bytes | bytearray | memoryview | Iterable[HandInput | HandToScore],
        *,
        keep_errors: Literal[False] = False,
        lang: Lang | None = None,
        **context: Unpack[Context],
    ) -> Scores[Score]:
        """Score many hands on all cores, without the interpreter's lock.

        Each is a hand, or a dictionary with `hand`, `context` and `others`; bytes are lines of notation. Keyword
        arguments are the context of the hands that have none of their own. With `keep_errors`, a hand that can't be
        scored has a `Problem` in its place; without it, the first one is raised.
        """
    @overload
    def score_many(
        self,
        hands: bytes | bytearray | memoryview | Iterable[HandInput | HandToScore],
        *,
        keep_errors: bool,
        lang: Lang | None = None,
        **context: Unpack[Context],
    ) -> Scores[Score | Problem]: ...
    def request(self, name: str, body: bytes, lang: str | None = None, at: int = 0) -> bytes: ...

@final
class NativeReader:
    def __new__(
        cls,
        models: str | PathLike[str],
        library: str | PathLike[str],
        library_sha256: str,
        own_sets: Sequence[str],
    ) -> NativeReader: ...
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
