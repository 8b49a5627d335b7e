"""Texts on bonus tiles: characters, words, numerals and letters, and the tile that each of them
means.

Purpose: one place that knows which bonus tile a text names, and how far it leaves that open. Input:
a generator with `random()`. Output: `Saying`s, texts with the share of each of the eight bonus
tiles. Standard library only. Invariant: the shares of a saying sum to one; a character, a word or a
number with its four names one tile, and what names none leaves all eight open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


BONUS = ("f1", "f2", "f3", "f4", "s1", "s2", "s3", "s4")
# The four plants and the four seasons name a tile. Other series that makers carve stand for either
# four: by its place in its series a character says the number only.
PLANTS, SEASONS = ("梅蘭菊竹", "梅兰菊竹"), ("春夏秋冬",)
OTHER_SERIES = ("琴棋書畫", "琴棋书画", "漁樵耕讀", "渔樵耕读", "公侯將相", "福祿壽喜", "福禄寿喜", "風花雪月")
NUMERALS = (("1", "2", "3", "4"), ("一", "二", "三", "四"), ("I", "II", "III", "IV"), ("壹", "貳", "參", "肆"))

WORDS = {
    "f1": ("PLUM", "PLUM", "PLUM", "PLUM BLOSSOM", "PLU", "PLM", "PL", "PRUNUS"),
    "f2": ("ORCHID", "ORCHID", "ORC", "ORCH", "ORCHIS", "OR", "LILY"),
    "f3": ("CHRYSANTHEMUM", "CHRYS", "CHR", "MUM", "MUM", "MUMS", "CHRY", "CHRYSANTH."),
    "f4": ("BAMBOO", "BAMBOO", "BAM", "BAMB", "BMB", "BAMBUS"),
    "s1": ("SPRING", "SPRING", "SPRING", "SPR", "SPR", "SPG", "PRINTEMPS", "FRÜHLING", "LENTE"),
    "s2": ("SUMMER", "SUMMER", "SUMMER", "SUM", "SUM", "SMR", "ÉTÉ", "SOMMER", "ZOMER"),
    "s3": ("AUTUMN", "AUTUMN", "FALL", "AUT", "AUT", "FAL", "AUTOMNE", "HERBST", "HERFST"),
    "s4": ("WINTER", "WINTER", "WINTER", "WIN", "WIN", "WTR", "HIVER", "WINTER"),
}
# Words and letters that name a four but not the tile.
FOURS = {"f": ("F", "FLOWER", "FLO", "FL", "BOUQUET"), "s": ("S", "SEASON", "SEA")}
# Which of these there are how often: the customary writing, words, numbers alone, nothing at all.
SCHEMES = (
    (("character", "numeral"), 0.2),
    (("character",), 0.12),
    (("word",), 0.18),
    (("word", "numeral"), 0.07),
    (("word", "character"), 0.04),
    (("series",), 0.04),
    (("series", "numeral"), 0.05),
    (("numeral",), 0.14),
    (("four",), 0.03),
    (("four", "numeral"), 0.03),
    ((), 0.1),
)
# The same where most tiles have a character and a numeral beside a picture, as most makers carve.
CUSTOMARY_SCHEMES = (
    (("character", "numeral"), 0.5),
    (("character",), 0.1),
    (("word", "numeral"), 0.12),
    (("word",), 0.08),
    (("numeral",), 0.2),
)
# How much likelier a motif makes the tile that it suggests: makers disagree about motifs.
HINT = 4.0


@dataclass(frozen=True)
class Saying:
    """Texts on one tile, each with its kind, and the share of each bonus tile in the order of
    BONUS."""

    parts: tuple
    shares: tuple

    @property
    def names_one(self) -> bool:
        """Whether the texts leave one tile only."""
        return max(self.shares) == 1.0


def meant(kind: str, text: str) -> tuple:
    """The bonus tiles that a text of a kind may mean."""
    if kind == "character":
        return tuple(
            code
            for four, series in (("f", PLANTS), ("s", SEASONS))
            for code in (four + str(row.index(text) + 1) for row in series if text in row)
        )
    if kind == "word":
        return tuple(code for code in BONUS if text.upper() in WORDS[code])
    if kind == "four":
        return tuple(code for code in BONUS if text.upper().rstrip("1234") in FOURS[code[0]])
    place = next(row.index(text) for row in (*OTHER_SERIES, *NUMERALS) if text in tuple(row))
    return f"f{place + 1}", f"s{place + 1}"


def shares(parts: list[tuple[str, str]] | tuple[tuple[str, str], ...], hint: str | None = None) -> tuple:
    """The share of each bonus tile on which these (kind, text) pairs stand beside a motif that
    suggests `hint`."""
    weights = [HINT if code == hint else 1.0 for code in BONUS]
    for kind, text in parts:
        allowed = meant(kind, text)
        weights = [weight if code in allowed else 0.0 for code, weight in zip(BONUS, weights)]
    total = sum(weights)
    if not total:
        raise ValueError(f"no bonus tile says all of {parts}")
    return tuple(weight / total for weight in weights)


def say(
    rng: Random,
    hint: str | None = None,
    codes: tuple[str, ...] = BONUS,
    schemes: tuple[tuple[tuple[str, ...], float], ...] = SCHEMES,
) -> Saying:
    """Texts for one of `codes`, in one of `schemes`."""
    code = _among(rng, codes)
    parts = tuple((kind, _text(rng, kind, code)) for kind in _weighted(rng, schemes))
    return Saying(parts, shares(parts, hint))


def _text(rng: Random, kind: str, code: str) -> str:
    place = int(code[1]) - 1
    if kind == "character":
        return _among(rng, PLANTS if code[0] == "f" else SEASONS)[place]
    if kind == "series":
        return _among(rng, OTHER_SERIES)[place]
    if kind == "numeral":
        return _weighted(rng, ((NUMERALS[0], 0.66), (NUMERALS[1], 0.2), (NUMERALS[2], 0.12), (NUMERALS[3], 0.02)))[
            place
        ]
    text = _among(rng, WORDS[code] if kind == "word" else FOURS[code[0]])
    return text if rng.random() < 0.75 else text.capitalize()


# Words that makers print on playing tiles, so that a word alone makes no tile a bonus tile.
NUMBER_WORDS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
SUIT_WORDS = {
    "m": ("CHAR", "CRAK", "CRACK", "WAN", "CHARACTER"),
    "p": ("DOT", "DOTS", "CIRCLE", "CIRC", "BALL"),
    "s": ("BAM", "BAMB", "BAMBOO", "STICK"),
}
HONOR_WORDS = {
    "E": ("EAST", "E", "EAST WIND"),
    "S": ("SOUTH", "S", "SOUTH WIND"),
    "W": ("WEST", "W", "WEST WIND"),
    "N": ("NORTH", "N", "NORTH WIND"),
    "C": ("RED", "RED DRAGON", "R", "DRAGON"),
    "F": ("GREEN", "GREEN DRAGON", "G", "DRAGON"),
    "P": ("WHITE", "WHITE DRAGON", "SOAP", "WH"),
}


def playing_word(rng: Random, code: str) -> str:
    """A word or two that a maker might print on a playing tile."""
    if code in HONOR_WORDS:
        return _among(rng, HONOR_WORDS[code])
    number, suit = int(code[0]) or 5, _among(rng, SUIT_WORDS[code[1]])
    return _among(
        rng,
        (f"{number} {suit}", f"{number} {suit}", suit, f"{NUMBER_WORDS[number - 1]} {suit}", NUMBER_WORDS[number - 1]),
    )


def _among(rng: Random, options: tuple[str, ...]) -> str:
    return options[int(rng.random() * len(options))]


def _weighted(rng: Random, options: tuple[tuple[tuple[str, ...], float], ...]) -> tuple[str, ...]:
    """An option of (option, weight) pairs, chosen by weight."""
    at = rng.random() * sum(weight for _, weight in options)
    for option, weight in options:
        at -= weight
        if at < 0:
            return option
    return options[-1][0]
