"""Types of what the package takes and returns, made from tests/golden/openapi.json.

`scripts/binding_types.py` writes this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from ._part import Part

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from ._native import Score
    from ._problems import Problem

AbortKind = Literal["nine_terminals", "four_winds", "four_riichi", "four_kongs", "three_winners"]
CompletedCode = Literal[
    "11m",
    "22m",
    "33m",
    "44m",
    "55m",
    "66m",
    "77m",
    "88m",
    "99m",
    "11p",
    "22p",
    "33p",
    "44p",
    "55p",
    "66p",
    "77p",
    "88p",
    "99p",
    "11s",
    "22s",
    "33s",
    "44s",
    "55s",
    "66s",
    "77s",
    "88s",
    "99s",
    "EE",
    "SS",
    "WW",
    "NN",
    "CC",
    "FF",
    "PP",
    "111m",
    "222m",
    "333m",
    "444m",
    "555m",
    "666m",
    "777m",
    "888m",
    "999m",
    "111p",
    "222p",
    "333p",
    "444p",
    "555p",
    "666p",
    "777p",
    "888p",
    "999p",
    "111s",
    "222s",
    "333s",
    "444s",
    "555s",
    "666s",
    "777s",
    "888s",
    "999s",
    "EEE",
    "SSS",
    "WWW",
    "NNN",
    "CCC",
    "FFF",
    "PPP",
    "123m",
    "234m",
    "345m",
    "456m",
    "567m",
    "678m",
    "789m",
    "123p",
    "234p",
    "345p",
    "456p",
    "567p",
    "678p",
    "789p",
    "123s",
    "234s",
    "345s",
    "456s",
    "567s",
    "678s",
    "789s",
]
ContextField = Literal[
    "seat",
    "prevalent",
    "win",
    "from",
    "last_wall_tile",
    "last_of_kind",
    "declared",
    "completes",
    "feeder",
    "riichi",
    "ippatsu",
    "dora_indicators",
    "ura_indicators",
    "honba",
    "riichi_sticks",
    "norths",
    "dealer",
    "dealer_streak",
]
Declaration = Literal[
    "original_call",
    "twofold_fortune",
    "heaven",
    "earth",
    "ninth_east_win",
    "flower_replacement",
    "dangerous_game",
    "human",
    "heaven_ready",
    "earth_ready",
    "ready",
    "eight_flowers",
    "seven_flowers",
]
DoubtKind = Literal[
    "tile_count",
    "winning_tile",
    "tile",
    "too_many_copies",
    "exposed_set",
    "concealed_kong",
    "added_kong",
    "hidden_kong",
    "not_a_set",
    "flower",
    "cut_tile",
    "not_a_win",
    "contradiction",
    "feeder",
    "indicator",
]
Feeder = Literal["left", "across", "right", "nobody"]
GameEnd = Literal["last_deal", "bankruptcy", "dealer_first", "target", "finished"]
GameState = Literal["running", "complete", "finished"]
Ignored = Literal["not_a_face", "elsewhere", "face_down", "other_size", "surplus"]
Lang = Literal["da", "de", "en", "ja", "sv", "zh", "zh-Hant"]
LeftOut = Literal["no_tiles", "other_tiles"]
ManualReason = Literal["hand", "false_mahjong", "adjustment"]
MeldKind = Literal["chow", "pung", "kong"]
MinimumUnit = Literal["points", "doublings", "faan", "tai", "yaku"]
NoScoreKind = Literal["no_hand", "not_won", "invalid_hand", "not_a_win", "flowers_not_played", "invalid_context"]
Relation = Literal["left", "across", "right"]
Riichi = Literal["no", "riichi", "double"]
RiichiLimit = Literal["mangan", "haneman", "baiman", "sanbaiman", "yakuman"]
Role = Literal["concealed", "winning", "meld", "flower", "ignored"]
Status = Literal["ok", "needs_review", "no_hand"]
TileCode = Literal[
    "1m",
    "2m",
    "3m",
    "4m",
    "5m",
    "6m",
    "7m",
    "8m",
    "9m",
    "1p",
    "2p",
    "3p",
    "4p",
    "5p",
    "6p",
    "7p",
    "8p",
    "9p",
    "1s",
    "2s",
    "3s",
    "4s",
    "5s",
    "6s",
    "7s",
    "8s",
    "9s",
    "E",
    "S",
    "W",
    "N",
    "C",
    "F",
    "P",
]
Turned = Literal["one", "two"]
WinKind = Literal["self_drawn", "discard", "kong_replacement", "robbed_kong"]
Wind = Literal["E", "S", "W", "N"]

#: A hand: a line of notation, a `Hand`, or a dictionary with the fields of one.
HandInput = Union[str, "Hand", Mapping[str, Any]]


class Context(TypedDict):
    """The win context and the rule set, every field optional."""

    completes: NotRequired[CompletedCode | None]
    """Set that the winning tile completed, given by its tiles, such as `456m`, `111p` or `EE`;
    the set that scores most when absent.
    """
    dealer: NotRequired[Wind | None]
    """Seat of the dealer, where it need not be East's: in the game of sixteen tiles the opened
    wall gives the winds. East when absent.
    """
    dealer_streak: NotRequired[int | None]
    """Number of deals that the dealer has stayed on, in the game of sixteen tiles; 0 when
    absent.
    """
    declared: NotRequired[Sequence[Declaration] | None]
    """Declarations made at the table, separated by commas; in JSON also as a list. Rule sets
    without a line for a declaration ignore it.
    """
    dora_indicators: NotRequired[Sequence[str] | None]
    """Face-up dora indicators, separated by commas; in JSON also as a list."""
    feeder: NotRequired[Feeder | None]
    """Player who fed the set that decides who pays: in MMM the third pung of dragons or the
    fourth of winds. Needed only where several players fed these sets; other rules ignore it.
    """
    from_: NotRequired[Relation | None]
    """Player who discarded the winning tile, or added it to the kong that was robbed; the left
    player when absent.
    """
    honba: NotRequired[int | None]
    """Number of counters (honba) on the table; 0 when absent."""
    ippatsu: NotRequired[bool | None]
    """The hand won within one go-around after riichi, before any call or kong."""
    last_of_kind: NotRequired[bool | None]
    """All other tiles of the winning tile's kind lay open. If all three are in the hand's own
    exposed sets, this counts as `true` even when it is `false`.
    """
    last_wall_tile: NotRequired[bool | None]
    """The winning tile was the last tile of the wall, or the discard after it."""
    norths: NotRequired[int | None]
    """Number of norths that the winner set aside as dora, where three play; they are not among
    the tiles of the hand, and with these at most four. 0 when absent.
    """
    prevalent: NotRequired[Wind | None]
    """The wind of the round; East when absent."""
    riichi: NotRequired[Riichi | None]
    """Whether the winner declared riichi: `no`, `riichi`, or `double` for riichi on the first
    discard; `no` when absent.
    """
    riichi_sticks: NotRequired[int | None]
    """Number of riichi sticks on the table, the winner's own among them; 0 when absent."""
    ruleset: NotRequired[str | None]
    """The rules to score by; `mcr-wmo` when absent."""
    seat: NotRequired[Wind | None]
    """The winner's seat wind; East when absent."""
    ura_indicators: NotRequired[Sequence[str] | None]
    """Indicators under the face-up ones, which count only with riichi; written in the same way."""
    win: NotRequired[WinKind | None]
    """Source of the winning tile; a discard when absent."""
    won: NotRequired[bool | None]
    """Whether the hand won. `false` is for a photo of a hand that did not win: such a hand needs
    no winning tile, and is scored only by rules that score every player.
    """


class GameActionAdd(TypedDict):
    """Adds what happened in the next deal, or, with `before`, in a deal that was left out
    earlier.
    """

    before: NotRequired[int | None]
    """Entry before which the new one belongs; at the end when absent."""
    kind: Literal["add"]
    play: Play
    """Event of the deal."""


class PlayWin(TypedDict):
    """A win with a hand that is scored."""

    context: NotRequired[Context]
    """Win context except seat, round, rule set and discarder, which the game determines."""
    discarder: NotRequired[int | None]
    """Player who discarded the winning tile, or added it to a kong that was robbed; `null` on a
    self-draw.
    """
    east: NotRequired[int | None]
    """Player who sits East, where the opened wall gives the winds; the dealer when absent."""
    hand: HandInput
    """Hand, as notation or as an object; stored as notation."""
    kind: Literal["win"]
    liable: NotRequired[int | None]
    """Player who let the set be called that makes them liable for the hand, such as a third pung
    of dragons in riichi; the `feeder` of the context says the same from the winner's seat.
    """
    others: NotRequired[Sequence[GameOther]]
    """Hands of the players who did not win, where the rules score every player."""
    same_discard: NotRequired[bool]
    """Whether the hand won on the discard of the entry before, beside its winner, where the
    rules allow several winners.
    """
    winner: int
    """Winner of the deal."""
    winning_tile_supposed: NotRequired[bool]
    """Whether the winning tile is only assumed: nobody saw or stated which tile won."""


class GameOther(TypedDict):
    """The hand of a player who did not win."""

    hand: HandInput
    """Hand, which may be incomplete, as notation or as an object; stored as notation."""
    player: int
    """Player who holds the hand."""


class PlayPoints(TypedDict):
    """A win with a hand of which only the points were recorded; the rules settle it."""

    discarder: NotRequired[int | None]
    """Player who discarded the winning tile; `null` on a self-draw."""
    kind: Literal["points"]
    liable: NotRequired[int | None]
    """Player who let the set be called that makes them liable for the hand: for a yakuman in
    riichi, where an option says so in Hong Kong.
    """
    points: int
    """Points of the hand; its tai in the game of sixteen tiles."""
    same_discard: NotRequired[bool]
    """Whether the hand won on the discard of the entry before, beside its winner."""
    winner: int
    """Winner of the deal."""


class PlayDraw(TypedDict):
    """The wall was empty and no player had won. In riichi no player pays: the deal was aborted."""

    abort: NotRequired[AbortKind | None]
    """Reason why the deal was aborted, in riichi alone; any of those of the rules when absent."""
    kind: Literal["draw"]


class PlayExhaustiveDraw(TypedDict):
    """The wall was empty, and the ready players are known. In riichi the others pay them."""

    kind: Literal["exhaustive_draw"]
    nagashi: NotRequired[Sequence[int]]
    """Players whose discards were all terminals and honors, and were not called (nagashi
    mangan), in riichi: each is paid a mangan, and nobody pays for not being ready.
    """
    tenpai: NotRequired[Sequence[int]]
    """Players who were ready: one tile from winning."""


class PlayRiichi(TypedDict):
    """A player declared riichi and laid a stick on the table."""

    kind: Literal["riichi"]
    player: int
    """Player who declared riichi."""


class PlayDeadHand(TypedDict):
    """A player's hand can't win any more in the deal, in riichi: it has too few or too many
    tiles, or a wrong call was made with it.
    """

    kind: Literal["dead_hand"]
    player: int
    """The player."""


class PlayChombo(TypedDict):
    """A false win in riichi, or a riichi without a ready hand: the rules say what the player
    pays, and the deal is dealt again.
    """

    kind: Literal["chombo"]
    player: int
    """The player."""


class PlayManual(TypedDict):
    """Points that the players agreed on, such as those for a false mahjong."""

    ends_deal: NotRequired[bool]
    """Whether the payments end the deal. A `hand` always ends it; after a false mahjong the
    other players may play on.
    """
    kind: Literal["manual"]
    note: NotRequired[str | None]
    """Free-text note."""
    payments: Sequence[int]
    """Points that each player gains or loses, in the order of the players; they sum to zero."""
    player: int
    """Player concerned: the winner of a hand, or the player who called a false mahjong."""
    reason: ManualReason
    """Reason for the payments."""


class GameActionCorrect(TypedDict):
    """Corrects an entry."""

    entry: int
    """Entry to correct."""
    kind: Literal["correct"]
    play: Play
    """Event as it really happened."""


class GameActionRemove(TypedDict):
    """Removes an entry."""

    entry: int
    """Entry to remove."""
    kind: Literal["remove"]


class GameActionRename(TypedDict):
    """Changes the names."""

    kind: Literal["rename"]
    players: Sequence[str]
    """Names of the players, in their order."""
    title: str
    """Title of the game."""


class GameActionFinish(TypedDict):
    """Finishes the game although deals are left."""

    kind: Literal["finish"]


class GameActionUndo(TypedDict):
    """Takes a change back."""

    change: int
    """Number of the change."""
    kind: Literal["undo"]


class Other(TypedDict):
    """The hand of a player who did not win."""

    hand: HandInput
    """The hand: of any length, for a player may have too few tiles, and a photo show fewer."""
    seat: Wind
    """The player's seat."""


class GivenAnswer(TypedDict):
    """Answer to one doubt."""

    answer: NotRequired[str | None]
    """`answer` of one of its alternatives. If absent, the hand is right as it is."""
    doubt: str
    """`id` of the doubt."""


class EveningOptions(TypedDict):
    """A new game."""

    ruleset: NotRequired[str | None]
    """Rule set to play by; `mcr-wmo` when absent."""
    title: NotRequired[str | None]
    """Title of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetScore(Part):
    """Score of a hand by one rule set."""

    problem: Problem | None = None
    """Reason why the hand can't be scored; `null` beside a score."""
    ruleset: str
    """The rule set."""
    score: Score | None = None
    """The score; `null` if the hand can't be scored by these rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulesets(Part):
    """Every rule set."""

    rulesets: tuple[Ruleset, ...]
    """The rule sets, the default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Part):
    """A rule set."""

    context: tuple[FieldChoices, ...]
    """Fields of the win context that the rule set uses."""
    conventions: Conventions
    """Conventions for laying tiles on the table."""
    game: str
    """Rule family that the rule set belongs to."""
    hand: HandSize
    """Size of a winning hand."""
    id: str
    """Identifier of the rule set in requests."""
    lines: tuple[RulesetLine, ...]
    """Every line that can count, in the order of the rules: in MCR the fans, from most to fewest
    points.
    """
    minimum: int
    """Minimum of a legal winning hand; 0 if every winning hand is legal."""
    minimum_unit: MinimumUnit
    """Unit of the minimum."""
    name: str
    """Display name."""
    options: tuple[RulesetOption, ...]
    """Options for the points on which published versions of the rules differ."""
    payments: tuple[PaymentRule, ...]
    """Payments for a hand of which only the value is known, for each winner and discarder."""
    scores_everybody: bool
    """Whether the hands of players who did not win count too, and may be sent as `others`."""
    seats: tuple[Wind, ...]
    """Seats that players take, in the order of play: three where three play."""
    short_name: str
    """Display name where space is limited, such as `MCR 2006`. It equals `name` if there is no
    shorter one.
    """
    summary: str
    """Short description."""
    value_table: tuple[ValueRow, ...] = ()
    """Table of values by han and fu, in riichi alone."""
    values: tuple[int, ...] = ()
    """Value that the payments are shares of, for each total from 0 on; the last one holds for
    all higher totals. Absent if the total itself is settled.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChoices(Part):
    """A field of the win context, with its values."""

    default: Any
    """Value if the field is absent."""
    field: str
    """Name of the field in the `context`."""
    values: tuple[Any, ...]
    """Possible values; empty if they depend on the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions(Part):
    """Conventions for laying tiles on the table, as far as rule sets differ."""

    turned_in_claimed_kong: Turned
    """Number of tiles of a claimed kong that lie sideways."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSize(Part):
    """Size of a winning hand."""

    sets: int
    """Number of sets beside the pair."""
    tiles: int
    """Number of tiles with the winning one, each kong counted as three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetLine(Part):
    """A line of a rule set."""

    code: str
    """Code of the line, the same in all languages."""
    doublings: float | None = None
    """Doubles of one occurrence, in steps of one half."""
    explanation: str
    """Conditions of the line."""
    faan: int | None = None
    """Faan of one occurrence; the limit for a line that is worth it, 0 for a line that is not
    played.
    """
    han: int | None = None
    """Han of the line in a closed hand."""
    han_open: int | None = None
    """Han of the line in an open hand; absent if only a closed hand can have it."""
    limits: float | None = None
    """Limits of one occurrence, in steps of one half."""
    name: str
    """Name of the line in the requested language."""
    names: Names
    """Name of the line in every language."""
    number: int | None = None
    """Number of the line, if the rules number their lines, as those of the WMO do."""
    paragraph: str
    """Reference to the paragraph in the rules."""
    points: int
    """Points of one occurrence; 0 for doubles, limits, faan and tai."""
    tai: int | None = None
    """Tai of one occurrence; 0 for a line that is not played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names(Part):
    """A name in every language."""

    da: str
    """Danish."""
    de: str
    """German."""
    en: str
    """English."""
    ja: str
    """Japanese."""
    pinyin: str | None = None
    """Pinyin of the name in traditional characters, in the game of sixteen tiles alone."""
    sv: str
    """Swedish."""
    zh: str
    """Chinese in simplified characters."""
    zh_hant: str
    """Chinese in traditional characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetOption(Part):
    """A point on which published versions of the rules differ."""

    explanation: str
    """Explanation of the option."""
    name: str
    """Name of the option."""
    value: Any
    """A number, a word, or whether the option is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRule(Part):
    """Payments for a hand, for one winner and discarder."""

    discarder: Wind | None = None
    """Seat that discarded the winning tile; `null` on a self-draw."""
    shares: tuple[Share, ...]
    """Share of each seat that pays."""
    winner: Wind
    """Seat that won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Part):
    """Payment of a seat: `basic + value * times / per` points, rounded down, and `for_streak`
    for each deal that the dealer has stayed on.
    """

    basic: int
    """Fixed payment for every hand."""
    for_streak: int | None = None
    """Fixed payment besides for each deal that the dealer has stayed on, in the game of sixteen
    tiles alone. There the seats are counted from the dealer as East.
    """
    per: int
    """Denominator of the share of the hand's value."""
    seat: Wind
    """Seat that pays."""
    times: int
    """Numerator of the share of the hand's value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow(Part):
    """Payments for hands of some han and fu."""

    discard: int | None = None
    """Payment of a discarder to a player other than East; `null` if no hand is claimed with
    these han and fu.
    """
    discard_to_east: int | None = None
    """Payment of a discarder to East."""
    fu: int | None = None
    """Fu of the row; `null` if they make no difference."""
    han: int
    """Least han of the row."""
    limit: RiichiLimit | None = None
    """Limit of the row; `null` below a mangan."""
    self_draw_east: int | None = None
    """Payment of East for another player's self-draw; `null` if no hand is drawn with these han
    and fu.
    """
    self_draw_others: int | None = None
    """Payment of each of the others for it."""
    self_draw_to_east: int | None = None
    """Payment of each player for East's self-draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Part):
    """A reading with its image, the program, its networks and timings."""

    engine: Engine
    """Name and version of the program."""
    file: str | None = None
    """Path of the file that was read, if there was one."""
    image: Image
    """Size of the upright photo. Polygons are given in its pixels."""
    models: Models
    """The networks that were used."""
    others: tuple[OtherReading, ...] = ()
    """Readings of the other players' hands, by seat, if photos of them were sent."""
    reading: PhotoReading
    """The reading of the photo."""
    scores: tuple[RulesetScore, ...] | None = None
    """Scores by each rule set of `rulesets`, if the request named any."""
    table_status: Status | None = None
    """Whether the scores of the table are reliable, if hands of other players were sent: `ok` if
    all readings are.
    """
    timings_ms: dict[str, float]
    """Duration of each step, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine(Part):
    """Name and version of the program."""

    name: str
    """Name of the program."""
    version: str
    """Version of the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(Part):
    """Size of the upright photo in pixels."""

    height: int
    """Distance from the top to the bottom edge."""
    width: int
    """Distance from the left to the right edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models(Part):
    """The networks, by the SHA-256 of their files."""

    classifier: str
    """The network that classifies tiles."""
    detector: str
    """The network that finds tiles."""
    large_classifier: str | None = None
    """The network that classifies tiles in doubt again, if there is one."""
    refiner: str | None = None
    """The network that refines the corners of tiles, if one was used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReading(Part):
    """Reading of a hand that did not win, for rule sets that score every player."""

    file: str | None = None
    """Path of the file that was read, if there was one."""
    image: Image
    """Size of the upright photo."""
    reading: PhotoReading
    """The reading of the photo. The payments are in the winner's reading."""
    seat: Wind
    """Seat of the player."""
    timings_ms: dict[str, float]
    """Duration of each step, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoReading(Part):
    """A reading as JSON."""

    context: Context = field(default_factory=Context)
    """Fields of the win context that were given with the photo, and the rule set that it was
    read by. A request that sends the reading back takes from here what it leaves out.
    """
    conventions: Conventions
    """The rule set's conventions for laying tiles, used to interpret sideways and face-down
    tiles.
    """
    doubts: tuple[Doubt, ...]
    """Doubts about the reading."""
    hand: Hand
    """The hand, complete or not."""
    hands_in_view: tuple[HandInView, ...] = ()
    """Whole hands in the photo, if it shows more than one: the hand of the reading first, then
    the others, best first. To read another hand, send the photo again with that hand's
    `focus`.
    """
    indicators: tuple[int, ...] = ()
    """Tiles that lie face up in a wall: proposals for `context.dora_indicators`, in rule sets
    that have them. No score uses them before they are given. Absent if there are none.
    """
    mirrored: bool = False
    """Whether the photo is mirrored, as selfie cameras make them. The hand is given as it really
    lies, polygons are given as the photo shows them.
    """
    no_score: NoScore | None = None
    """Reason why there is no score; absent beside one."""
    photos: tuple[PhotoOfHand, ...] = ()
    """Outcome of each of several photos of the hand, in the order in which they were sent.
    Absent for one photo.
    """
    possible: TotalRange | None = None
    """Possible totals for any answers to the doubts and any values of the win context's missing
    fields. Absent if there is one total or none.
    """
    probability: float
    """Probability that the whole hand is right: its tiles, its exposed sets and its winning
    tile.
    """
    repairs: tuple[Repair, ...] = ()
    """Single changes that turn a hand that does not win into a winning one, most probable first.
    Absent if there are none.
    """
    score: Score | None = None
    """The score, if the hand wins."""
    score_probability: float
    """Probability that the score is right, even if the hand is not; 0 without a score."""
    set: SetUse | None = None
    """Own set that the tiles were named with, if the request asked for one."""
    status: Status
    """Whether the reading is reliable."""
    supposed_winning_tile: str | None = None
    """Winning tile that the score assumes if no tile of the photo lies apart."""
    tiles: tuple[SeenTile, ...]
    """Every tile that was detected. Tiles of the hand come first, in reading order."""
    tiles_probability: float
    """Probability that the tiles of the hand are right, however they are divided into sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt(Part):
    """A doubt as JSON."""

    affects_score: bool
    """Whether the answers lead to different scores, or may do so."""
    alternatives: tuple[Alternative, ...]
    """Possible answers."""
    field: str | None = None
    """Field that the doubt is about, such as `context.win`, if it is about one."""
    game: str | None = None
    """Game whose hands have as many tiles, if the rule set has smaller hands: one of its rule
    sets reads the photo as such a hand.
    """
    id: str
    """Identifier of the doubt within this reading, which answers refer to. It is the same
    whenever the photo is read in the same way.
    """
    kind: DoubtKind
    """Kind of the doubt."""
    question: str
    """Question to ask a person."""
    tiles: tuple[int, ...]
    """Tiles that the doubt is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(Part):
    """A possible answer as JSON."""

    answer: str
    """Text of the answer."""
    hand: str | None = None
    """The hand after this answer, in one line of notation, as the `hand` of a request takes it.
    Absent if the answer alone does not determine the hand.
    """
    max: int | None = None
    """Highest possible total after this answer, if there are several."""
    min: int | None = None
    """Lowest possible total after this answer, if there are several."""
    p: float
    """Probability of the answer."""
    payments: dict[str, int] | None = None
    """Gain or loss of every seat after this answer, if the answers differ in nothing else or if
    the hands of several players were sent.
    """
    total: int | None = None
    """Total of the hand after this answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(Part):
    """A hand."""

    concealed: tuple[str, ...] = ()
    """Tiles in the hand without the winning tile."""
    flowers: tuple[str, ...] = ()
    """Flowers and seasons, `?` for one without a name."""
    melds: tuple[Meld, ...] = ()
    """Exposed sets and concealed kongs."""
    notation: str | None = None
    """The hand in one line. It is derived from the other fields and ignored beside them. A hand
    with no other field is read from it, its win context included.
    """
    winning_tile: str | None = None
    """Tile that completed the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld(Part):
    """A set apart from the concealed tiles."""

    added: bool = False
    """Whether the fourth tile was added to an exposed pung."""
    claimed: str | None = None
    """The claimed tile, if known."""
    concealed: bool = False
    """Whether all four tiles of a kong were drawn."""
    from_: Relation | None = None
    """Player from whom the tile was claimed, if known."""
    kind: MeldKind
    """Kind of the set."""
    tiles: tuple[str, ...]
    """Tiles of the set. The claimed tile of a chow comes first, as it lies on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInView(Part):
    """A hand in a photo that shows several, as JSON."""

    box: tuple[int, ...] | None = None
    """Bounding box of the hand for a thumbnail, in whole pixels: left, top, right and bottom
    edge.
    """
    focus: Focus
    """A point on one of the hand's tiles, in pixels of the upright photo."""
    notation: str
    """The hand in one line of notation. The first one is given as it was read, the others with
    the most probable names of their tiles.
    """
    tiles: tuple[int, ...]
    """Tiles of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus(Part):
    """A point in a photo."""

    x: int
    """Pixels from the left edge."""
    y: int
    """Pixels from the upper edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoScore(Part):
    """Reason why there is no score."""

    detail: str
    """Explanation in the requested language."""
    kind: NoScoreKind
    """Kind of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoOfHand(Part):
    """Photo of a hand of which several were sent, as JSON."""

    base: bool
    """Whether the reading's polygons, points and boxes are in the pixels of this photo."""
    file: str | None = None
    """Path of the file that was read, if there was one."""
    height: int
    """Height of the upright photo in pixels."""
    index: int
    """Index of the photo among those of the hand, counted from 0."""
    left_out: LeftOut | None = None
    """Reason why the photo was left out."""
    reason: str | None = None
    """Explanation of `left_out` in the requested language."""
    tiles: int
    """Number of tiles of the hand that the photo shows."""
    used: bool
    """Whether the photo is used. A photo whose tiles differ from those of the others is left
    out.
    """
    width: int
    """Width of the upright photo in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalRange(Part):
    """Possible totals of a hand while a value that changes them is missing."""

    legal: bool | None = None
    """Whether the hand is a legal win; `null` if that depends on the open questions."""
    max: int
    """Highest total."""
    min: int
    """Lowest total."""
    open: tuple[OpenField, ...]
    """Open questions that the total depends on. The question that narrows the range most comes
    first.
    """
    partial: bool = False
    """Whether there are too many combinations of answers to try all of them: totals outside of
    this range are then possible too, and `text` says so. Absent if not.
    """
    text: str | None = None
    """Statement whether the minimum is reached with all, some or none of the answers, in the
    requested language, or that not all combinations were tried. Absent if the rules have no
    minimum.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenField(Part):
    """A missing value that changes the total."""

    answers: tuple[OpenAnswer, ...]
    """Possible values, each with the range that remains."""
    field: str
    """`winning_tile`, or a field of the context: `win`, `seat`, `prevalent`, `riichi`, `ippatsu`
    or `declared`.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAnswer(Part):
    """A possible value of a missing field."""

    answer: str
    """The value: a tile, or a value of the context field; of `declared` an empty text where
    nothing was declared.
    """
    max: int
    """Highest total that is then possible."""
    min: int
    """Lowest total that is then possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(Part):
    """A single change that turns a hand that does not win into a winning one."""

    change: str
    """`rename`: a tile has another name; `leave_out`: a tile is not part of the hand; `add`: a
    tile is missing.
    """
    from_: str | None = None
    """Face in the hand before the change; absent for `add`."""
    hand: str
    """The hand after the change, in one line of notation."""
    legal: bool | None = None
    """Whether the hand would be a legal win; `null` if that depends on the open questions."""
    max: int | None = None
    """Highest possible total after the change, if there are several."""
    min: int | None = None
    """Lowest possible total after the change, if there are several."""
    p: float
    """Probability of this repair among all repairs."""
    partial: bool = False
    """Whether there are too many combinations of answers to try all of them: totals outside of
    `min` and `max` are then possible too. Absent if not.
    """
    text: str
    """Description of the change in the requested language."""
    tile: int | None = None
    """Tile that the change is about, if the photo shows it."""
    to: str | None = None
    """Face in the hand after the change; absent for `leave_out`."""
    total: int
    """Total of the hand after the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUse(Part):
    """Use of an own set, as JSON."""

    asked: str
    """The choice that was asked for: the name of a set, or `auto`."""
    fit: float | None = None
    """Fit of the best set to the photo, at most 1; absent if it shows too few tiles."""
    id: str | None = None
    """Identity of that set: a hash of all that is in it."""
    used: str | None = None
    """Name of the set that was used; `null` if none explains the photo, which is then read by
    the networks alone.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTile(Part):
    """A tile as JSON."""

    candidates: tuple[Candidate, ...]
    """Most probable faces."""
    face_up: bool
    """Whether the tile lies face up."""
    group: int | None = None
    """Group that the tile lies in; `null` for an ignored tile."""
    ignored: Ignored | None = None
    """Reason why the tile is ignored."""
    meld: int | None = None
    """Meld that the tile is a part of, as an index into the hand's melds."""
    p: float
    """Probability of the face, judged from this tile's crop alone."""
    photo: int | None = None
    """Photo that the tile's name comes from, as an index into `photos`, if several were sent."""
    polygon: tuple[tuple[float, ...], ...]
    """Corners of the tile, clockwise."""
    red: bool = False
    """Whether the tile is a red five."""
    role: Role
    """Role of the tile in the hand."""
    score: float
    """Confidence of the detector that this is a tile."""
    sideways: bool
    """Whether the tile lies across the others of its group."""
    tile: str
    """Code of the tile, `back`, or `none` if it is not a face."""
    views: tuple[TileView, ...] = ()
    """Position of the tile in each photo, if several were sent. Photos that do not show it are
    omitted.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Part):
    """A possible face of a tile."""

    p: float
    """Probability of the face."""
    tile: str
    """Code of the face."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView(Part):
    """Position of a tile in one of several photos, as JSON."""

    p: float
    """Probability of the face from this photo alone; low for a covered tile."""
    photo: int
    """The photo, as an index into `photos`."""
    polygon: tuple[tuple[float, ...], ...]
    """Corners of the tile, clockwise, in pixels of this photo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredReading(Part):
    """A reading with answers."""

    changes: Changes | None = None
    """Differences from the hand that was read, if the request had a `hand`."""
    context: Context = field(default_factory=Context)
    """Fields of the win context that were given with the photo or in this request, and the rule
    set.
    """
    doubts: tuple[Doubt, ...]
    """Doubts that remain. Doubts that the score depends on come first, and of these the one that
    narrows the totals most. `tiles` are indices into the tiles of the reading.
    """
    hand: Hand
    """The hand after the answers."""
    possible: TotalRange | None = None
    """Possible totals for any answers to these doubts and any values of the win context's
    missing fields. Absent if there is one total or none.
    """
    problem: Problem | None = None
    """Reason why there is no score; `null` beside a score."""
    repairs: tuple[Repair, ...] = ()
    """Single changes that turn a hand that does not win into a winning one, most probable first.
    Absent if there are none.
    """
    score: Score | None = None
    """The score; `null` if the hand has none."""
    scores: tuple[RulesetScore, ...] | None = None
    """Scores by each rule set of `rulesets`, if the request named any."""
    status: Status
    """`ok` if there is a score and it depends on no doubt."""
    supposed_winning_tile: str | None = None
    """Winning tile that the score assumes if none is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Part):
    """Differences between a reading and the corrected hand."""

    flowers: bool
    """Whether the flowers differ."""
    gained: tuple[str, ...]
    """Codes of lines that count now and did not before, or that count more often."""
    lost: tuple[str, ...]
    """Codes of lines that counted before and do not now, or that count less often."""
    structure: bool
    """Whether the hand is divided differently: which sets are melds, their kinds and their
    sources.
    """
    tiles: tuple[TileChange, ...]
    """Tiles that were misread, missed or surplus."""
    total: TotalChange
    """Total points before and after the correction, both by the rule set and the win context
    that count now.
    """
    winning_tile: TileChange | None = None
    """The winning tile, if it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileChange(Part):
    """A tile and its correction."""

    is_: TileCode | None = None
    """Correct tile; `null` if there is no tile."""
    was: TileCode | None = None
    """Tile that was read; `null` if none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalChange(Part):
    """Total points before and after a correction."""

    is_: int | None = None
    """Points of the corrected hand; `null` if it has no score."""
    was: int | None = None
    """Points of the hand as it was read; `null` if it has no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Part):
    """An evening's game."""

    end: GameEnd | None = None
    """Reason why the game is over. Absent while it is played."""
    further_win: FurtherWin | None = None
    """Players who may have won by the discard of the last entry too; absent if none may."""
    history: tuple[GameChange, ...]
    """All changes that were ever made, oldest first."""
    id: str | None = None
    """Id of the game; `null` for viewers with a read-only link."""
    next: Deal | None = None
    """Deal that is played next; `null` when the game is over."""
    players: tuple[str, ...]
    """Players in the order of their first seats: East, South, West, North."""
    revision: int
    """Revision of the game, as in the `ETag`; it grows with every change."""
    rows: tuple[GameRow, ...]
    """Rows of the score sheet, in the order of play."""
    ruleset: str
    """Rule set of the game."""
    share: str | None = None
    """Token of the read-only link; `null` if there is no link, or its token is not known."""
    standings: tuple[GamePlace, ...]
    """Places of the players, by falling totals."""
    start_points: int | None = None
    """Points that each player has at the start, to which `totals` are added, in riichi alone."""
    state: GameState
    """State of the game."""
    title: str
    """Title of the game."""
    totals: tuple[int, ...]
    """Total points of each player, in the order of the players."""
    undo: int | None = None
    """Change that an undo would take back next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherWin(Part):
    """A further winner by the discard of the last entry, who may be entered."""

    discarder: int
    """Player who discarded the tile."""
    winners: tuple[int, ...]
    """Players who may have won by it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange(Part):
    """A change in the history."""

    action: GameAction
    """Action that was applied."""
    at: int
    """Time in milliseconds since 1970."""
    by: str | None = None
    """Author of the change, as they call themselves."""
    key: str | None = None
    """`Idempotency-Key` of the request; shown to players only."""
    number: int
    """Number of the change, from 1; an entry is named by the number of the change that added it."""
    undone: bool
    """Whether the change was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Part):
    """A deal."""

    dead: tuple[int, ...] = ()
    """Players whose hands are dead, in riichi alone. Absent if none is."""
    dealer: int | None = None
    """Player who deals, in the game of sixteen tiles alone: the opened wall may give other
    winds.
    """
    declared: tuple[int, ...] | None = None
    """Players who declared riichi in this deal before the entry, in riichi alone."""
    honba: int | None = None
    """Number of counters on the table, in riichi alone."""
    may_abort: tuple[AbortKind, ...] | None = None
    """Reasons for which the deal may be aborted now, in riichi alone. Only of the deal that is
    played next.
    """
    may_declare: tuple[int, ...] | None = None
    """Players who may still declare riichi, in riichi alone: they have no stick on the table,
    and the points for one where the rules require these. Only of the deal that is played
    next.
    """
    may_nagashi: bool | None = None
    """Whether discards that are all terminals and honors are paid as a mangan, in riichi alone.
    Only of the deal that is played next.
    """
    may_win: tuple[int, ...] | None = None
    """Players who may win the deal or be ready at its end, in riichi alone: none once it must be
    aborted, and nobody whose hand is dead. Only of the deal that is played next.
    """
    number: int
    """Number in the game, from 1."""
    repeats: int
    """Number of times in a row that this dealer has dealt again."""
    riichi_sticks: int | None = None
    """Number of riichi sticks on the table, in riichi alone."""
    round: Wind
    """Wind of the round."""
    seats: tuple[int, ...]
    """Players at East, South, West and North; East deals, unless `dealer` names another player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow(Part):
    """A row of the score sheet."""

    corrected: bool
    """Whether the entry was corrected since it was added."""
    deal: Deal | None = None
    """Deal of the entry; `null` for points that were entered after the last deal."""
    entry: int
    """Id of the entry, which a correction names."""
    liable: int | None = None
    """Player who is liable for the hand, named by the entry or by the `feeder` of its win
    context. Absent if none is.
    """
    payments: tuple[int, ...]
    """Points that each player gains or loses by the entry."""
    penalty: int | None = None
    """Points that the entry takes off the result of its player in the end, in riichi. Absent if
    it takes none.
    """
    play: Play
    """Event of the deal."""
    riichi_by_stick: bool = False
    """Whether the hand counts with riichi because its winner laid a stick in the deal, although
    riichi was not stated with it. Absent otherwise.
    """
    score: GameRowScore | None = None
    """Score of the won hand."""
    totals: tuple[int, ...]
    """Total points of each player after the entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRowScore(Part):
    """Short score of a row; `POST /v1/score` explains it."""

    assumed_red_fives: tuple[str, ...] = ()
    """Red fives that count although none was named, because the hand has all four fives of the
    suit, in riichi alone: `0p`.
    """
    awards: tuple[GameRowAward, ...]
    """Lines that count."""
    counted_yakuman: bool | None = None
    """Whether 13 han and more are paid as a yakuman, in riichi alone."""
    dealer_tai: int | None = None
    """Tai that the dealer and another player owe each other beside those of the hand; absent in
    games without tai.
    """
    doubling: Doubling | None = None
    """Explanation of the total, if points are doubled; absent if they are only added up."""
    faan: int | None = None
    """Faan of the hand, cut at the limit; absent in games without faan. It equals `total`."""
    fu: int | None = None
    """Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman."""
    han: int | None = None
    """Han of all lines, in riichi alone; of a yakuman 13 for each that is paid."""
    liability_open: bool = False
    """Whether a player may be liable for the hand by its melds, and none was named: then
    `liable` or `feeder` of the win can change the payments. Absent otherwise.
    """
    limit: RiichiLimit | None = None
    """Limit that the hand reaches, in riichi alone; `null` below a mangan."""
    limit_hand: bool | None = None
    """Whether a line is worth the limit by itself; absent in games without faan."""
    sticks: int | None = None
    """Points of the riichi sticks on the table, which the winner takes, in riichi alone. They
    are part of the row's `payments`, and not of `total`.
    """
    tai: int | None = None
    """Tai of the hand, cut at the cap; absent in games without tai. It equals `total`."""
    total: int
    """Total by which hands are compared."""
    value: int
    """Value that the payments are based on."""
    yakuman: int | None = None
    """Number of yakuman that are paid, in riichi alone. A counted one is not among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRowAward(Part):
    """A line that counts."""

    code: str
    """Code of the line, the same in all languages."""
    count: int
    """Number of times that the line counts."""
    doublings: float | None = None
    """Doubles of one occurrence, in steps of one half."""
    faan: int | None = None
    """Faan of the line, all occurrences together; the limit for a line that is worth it."""
    han: int | None = None
    """Han of the line in riichi; of dora those of all their tiles."""
    limits: float | None = None
    """Limits of one occurrence, in steps of one half."""
    name: str
    """Name of the line in the requested language."""
    points: int
    """Points of one occurrence; 0 for doubles, limits, faan, tai and han."""
    tai: int | None = None
    """Tai of the line, all occurrences together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubling(Part):
    """Calculation of a total from points, doubles and limits."""

    capped: bool
    """Whether a limit or the maximum number of doubles reduced the total."""
    doublings: float
    """Doubles before any cap, in steps of one half."""
    limit: int | None = None
    """Limit that points are cut to; absent if the rules have no limit on points or only one on
    the number of doubles.
    """
    limits: float
    """Value of the hand in limits; 0 for a hand that is not a limit hand."""
    points: int
    """Points before doubling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlace(Part):
    """The place of a player."""

    left_sticks: int | None = None
    """Points of the sticks that are left on the table, in riichi alone."""
    oka: int | None = None
    """Points of the first beyond those of the start that the others put in, in riichi alone."""
    penalty: int | None = None
    """Points that false wins take off the result, in riichi alone. Absent if none do."""
    place: int
    """Place, from 1; players with equal totals share it."""
    player: int
    """The player."""
    result: int | None = None
    """Result with uma and oka, in riichi alone: the points with those of the start, less those
    that the result is counted from, with `uma`, `oka` and `left_sticks`, less `penalty`.
    """
    table_points: float | None = None
    """Tournament points for the place; players with equal totals share them. `null` where the
    rules have none.
    """
    to_next: int
    """Points that are missing to the player before; 0 for the first."""
    total: int
    """Total points won and lost."""
    uma: int | None = None
    """Points of the place, in riichi alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError(Part):
    """A field that is wrong."""

    character: int | None = None
    """For a text, the position of the character that is wrong, counted from 1."""
    detail: str
    """Description of the fault."""
    field: str
    """Path of the field, such as `hand.melds[1].tiles`."""
    understood: str | None = None
    """For a text, what it says before that character, in notation; empty if that is nothing yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenInPhoto(Part):
    """Tiles that a photo shows in which no hand was found."""

    count: int
    """Number of tiles that the photo shows."""
    height: int
    """Height of the upright photo in pixels."""
    tiles: tuple[TileInPhoto, ...]
    """The tiles, at most a screenful."""
    width: int
    """Width of the upright photo in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileInPhoto(Part):
    """A tile that a photo shows."""

    box: tuple[int, ...]
    """Box around the tile in whole pixels: left, top, right and bottom edge."""
    tile: str
    """Code of the tile, `back`, or `none` if it is not a face."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFields(Part):
    """An itemised score."""

    assumed: tuple[ContextField, ...]
    """Context fields that got a default; `feeder` only if the payments depend on it."""
    assumed_feeder: Feeder | None = None
    """Default for the feeder of the set that decides who pays, if `assumed` contains `feeder`."""
    assumed_red_fives: tuple[str, ...] = ()
    """Red fives that count although none was named, because the hand has all four fives of the
    suit, in riichi alone: `0p`. They belong to the hand, so no field of `context` says
    otherwise.
    """
    assumed_values: Context = field(default_factory=Context)
    """The fields of `assumed` with their defaults, as `context` takes them."""
    awards: tuple[Award, ...]
    """Lines that count: in MCR the fans, from most to fewest points."""
    base: int | None = None
    """Base points, from which every payment follows, in riichi alone."""
    counted_yakuman: bool | None = None
    """Whether 13 han and more are paid as a yakuman, in riichi alone."""
    dealer_tai: int | None = None
    """Tai that a player and the dealer owe each other besides: one, and more for each deal that
    the dealer stayed on; absent in games without tai.
    """
    doubling: Doubling | None = None
    """Explanation of the total, if points are doubled; `null` if they are only added up."""
    excluded: tuple[Exclusion, ...]
    """Lines that the hand shows but that do not count."""
    faan: int | None = None
    """Faan of the hand, cut at the limit; absent in games without faan. It equals `total`."""
    fu: int | None = None
    """Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman, and for a
    hand without a yaku.
    """
    fu_parts: tuple[FuPart, ...] | None = None
    """Parts of the fu, which add up to it, in riichi alone."""
    han: int | None = None
    """Han of all lines, in riichi alone; of a yakuman 13 for each that is paid."""
    legal: bool
    """Whether the minimum is reached."""
    limit: RiichiLimit | None = None
    """Limit that the hand reaches, in riichi alone; `null` below a mangan."""
    limit_hand: bool | None = None
    """Whether a line is worth the limit by itself; absent in games without faan."""
    minimum: int
    """Minimum of a legal win; 0 if every winning hand is legal."""
    minimum_unit: MinimumUnit
    """Unit of the minimum."""
    missing: int
    """Amount that is missing for a legal win."""
    others: tuple[OtherScore, ...] = ()
    """Values of the hands that did not win, in rule sets that score every player."""
    payments: dict[str, int]
    """Gain or loss of every seat; all zero for a hand that is not a legal win."""
    range: TotalRange | None = None
    """Possible totals, if missing fields or a winning tile that the photo does not show change
    the total. `total` is only one of them.
    """
    raw_faan: int | None = None
    """Faan before the limit cuts them; absent in games without faan."""
    raw_tai: int | None = None
    """Tai before the cap cuts them; absent in games without tai."""
    ruleset: str | None = None
    """Rule set that was applied; `null` if the options are not those of a named rule set."""
    runners_up: tuple[RunnerUp, ...]
    """Other decompositions of the same tiles."""
    sets: tuple[ScoredSet, ...]
    """Decomposition of the hand that scores most."""
    sticks: int | None = None
    """Points of the riichi sticks on the table, which the winner takes, in riichi alone. They
    were paid before, so neither `total` nor `payments` includes them.
    """
    tai: int | None = None
    """Tai of the hand, cut at the cap; absent in games without tai. It equals `total`."""
    total: int
    """Points that hands are compared by: all points, flowers included; after doubling, if points
    are doubled.
    """
    towards_minimum: int
    """Amount that counts towards the minimum: points without flowers, or doubles."""
    unsettled: tuple[Wind, ...] = ()
    """Seats whose hands would count but were not given. The payments do not include the payments
    between these seats and the others who did not win.
    """
    value: int
    """Value that is settled. In games with faan it is what the table of payments has for them,
    in the smallest chips, in games of tai what a player owes without the tai of the dealer; 0
    below the minimum.
    """
    verdict: str | None = None
    """Explanation of the total and of the minimum, in the requested language; empty if there is
    nothing to explain.
    """
    within_reach: tuple[Reach, ...] = ()
    """Changes that would have made the hand legal, if it is not and little was missing."""
    yakuman: int | None = None
    """Number of yakuman that are paid, in riichi alone. A counted one is not among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award(Part):
    """A line that counts."""

    code: str
    """Code of the line, the same in all languages."""
    count: int
    """Number of times that the line counts."""
    depends_on: tuple[ContextField, ...] = ()
    """Context fields with a default that this line depends on."""
    doublings: float | None = None
    """Doubles of one occurrence, in steps of one half."""
    explanation: str
    """Conditions of the line, in the requested language."""
    faan: int | None = None
    """Faan of the line, all occurrences together; the limit for a line that is worth it."""
    han: int | None = None
    """Han of the line in riichi; of dora those of all their tiles."""
    limits: float | None = None
    """Limits of one occurrence, in steps of one half."""
    name: str
    """Name of the line in the requested language."""
    number: int | None = None
    """Number of the line, if the rules number their lines, as those of the WMO do."""
    paragraph: str
    """Reference to the paragraph in the rules."""
    points: int
    """Points of one occurrence; 0 for doubles, limits, faan and tai."""
    sets: tuple[tuple[ScoredSet, ...], ...]
    """Sets that form the line, one list for each time it counts; empty if the whole hand or the
    win context forms it.
    """
    tai: int | None = None
    """Tai of the line, all occurrences together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSet(Part):
    """A set of a decomposition."""

    concealed: bool
    """Whether the set counts as concealed."""
    kind: str
    """`chow`, `pung`, `kong`, `pair`, `knitted` or `singles`."""
    tiles: tuple[TileCode, ...]
    """Tiles of the set."""
    winning: bool
    """Whether the winning tile completed the set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion(Part):
    """A line that does not count."""

    by: str
    """Code of the line that excludes it."""
    by_name: str
    """Name of the line that excludes it."""
    code: str
    """Code of the line that does not count."""
    count: int
    """Number of times that the line would have counted."""
    name: str
    """Name of the line that does not count."""
    reason: str
    """`implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`. Later
    versions may add others.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class FuPart(Part):
    """A part of the fu."""

    code: str
    """Code of the part, the same in all languages, such as `base`, `concealed_pung`, `edge_wait`
    or `rounding`.
    """
    fu: int
    """Fu of the part."""
    name: str
    """Name of the part in the requested language."""
    sets: tuple[ScoredSet, ...]
    """Sets that give it; empty if the whole hand or the win context does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherScore(Part):
    """Score of a hand that did not win."""

    awards: tuple[Award, ...]
    """Lines that count."""
    doubling: Doubling | None = None
    """Explanation of the total, if points are doubled."""
    excluded: tuple[Exclusion, ...]
    """Lines that the hand shows but that do not count."""
    seat: Wind
    """Seat of the player."""
    sets: tuple[ScoredSet, ...]
    """Sets of the hand. Tiles that form no set are together at the end."""
    total: int
    """Value of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerUp(Part):
    """A decomposition other than the one that was chosen."""

    awards: tuple[Award, ...]
    """Lines of the decomposition."""
    sets: tuple[ScoredSet, ...]
    """Sets of the decomposition."""
    total: int
    """Total of the hand with this decomposition."""
    why_not: str | None = None
    """Reason why it was not chosen, in the requested language: the difference in value, and the
    lines that differ.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach(Part):
    """A change that would have been enough for the minimum."""

    change: str
    """`self_draw`, `nothing_called` or `nothing_called_and_self_draw`."""
    lines: tuple[str, ...]
    """Codes of the lines that the change would have added."""
    text: str
    """Description of the change and its effect, in the requested language."""
    total: int
    """Total of the hand with the change."""


GameAction = Union[
    "GameActionAdd",
    "GameActionCorrect",
    "GameActionRemove",
    "GameActionRename",
    "GameActionFinish",
    "GameActionUndo",
]


Play = Union[
    "PlayWin",
    "PlayPoints",
    "PlayDraw",
    "PlayExhaustiveDraw",
    "PlayRiichi",
    "PlayDeadHand",
    "PlayChombo",
    "PlayManual",
]
