"""Counts of what a reading got right, and the figures that they become. Standard library only.

Input: a `Photo` with its truth and the reading of the program. Output: a `PhotoResult`, and sums
over many of them.
Definitions: a truth tile is *found* when a detection's centre lies in its box and the boxes overlap
by 0.3 (intersection over union), one to one, best overlap first. 0.3 is low because labels of
turned tiles are loose; a neighbour in a row never reaches it. A tile of which only the numeral has
a box is found when a larger detection has the numeral's middle in it. A tile is *named* when it is
found and its class is right. False alarms are counted only where every face is labelled: inside the
hull of the labels, or anywhere in an exhaustively labelled photo.
Invariant: every rate is kept as a pair of whole numbers, so that sums over sources are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from evaluation import geometry

MIN_OVERLAP = 0.3
# Truth tiles of which less is visible are neither demanded nor held against the program (the
# detector is trained to find what shows more than 62 %).
MIN_VISIBLE = 0.62


@dataclass
class TruthTile:
    """A labelled tile; `visible` is 1 in real photos, where every label is taken as visible.
    `numeral`: the box covers only the tile's numeral.

    Only our renders know the rest: `polygon` (corners, from the face's own top left on), `role`
    (`concealed`, `winning`, `meld`, `flower`; `ignored` is clutter, which corrected labels of real
    photos know too), whether it lies sideways in its row, stands, or shows its face.
    """

    code: str
    box: tuple
    visible: float = 1.0
    polygon: list | None = None
    role: str | None = None
    sideways: bool | None = None
    standing: bool | None = None
    face_up: bool | None = None
    numeral: bool = False


@dataclass
class Photo:
    """A photo and what is true of it.

    `exhaustive`: every face in view is labelled. `closed`: every face inside the hull of the labels
    is (not so where a few discards are labelled with the hand). `labels_are_hand`: the labels, but
    for those of clutter, are exactly the hand's tiles. `as_labelled`: the same photo before
    datasets/label-corrections.json corrected its labels; None where labels are our own.
    """

    path: str
    source: str
    scene: str
    kind: str
    tiles: list
    split: str = "test"
    exhaustive: bool = False
    closed: bool = True
    labels_are_hand: bool = False
    hand: dict | None = None
    as_labelled: Photo | None = None


@dataclass
class Rate:
    """`hits` of `total`; `low` and `high` are the 95 % Wilson interval."""

    hits: int = 0
    total: int = 0

    @classmethod
    def of(cls, hits: Iterator) -> Rate:
        """The rate of some cases."""
        rate = cls()
        for hit in hits:
            rate.add(hit)
        return rate

    def add(self, hit: bool) -> None:
        """Counts one case."""
        self.hits += bool(hit)
        self.total += 1

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.hits + other.hits, self.total + other.total)

    @property
    def value(self) -> Any:
        """The share as a float, or None of nothing."""
        return self.hits / self.total if self.total else None

    def interval(self) -> Any:
        """95 % Wilson score interval as two floats, or None of nothing."""
        if not self.total:
            return None
        z, n, p = 1.959964, self.total, self.hits / self.total
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class PhotoResult:
    """The comparison of one reading with the truth of its photo.

    `pairs`: (truth, detection) indices of the demanded tiles; `matched`: the truth tile of each
    detection that has one, demanded or not; `missed`, `false`: indices that found no partner.
    """

    photo: Photo
    reading: dict
    seconds: float
    pairs: list = field(default_factory=list)
    matched: dict = field(default_factory=dict)
    missed: list = field(default_factory=list)
    false: list = field(default_factory=list)
    in_region: int = 0
    whole: bool | None = None
    whole_but_kind: bool | None = None
    structure: bool | None = None
    structure_but_kind: bool | None = None

    @property
    def perfect_tiles(self):
        """Every demanded tile found and named, and no false alarm."""
        return not self.missed and not self.false and not self.wrong()

    def wrong(self) -> list[tuple[int, int]]:
        """Pairs whose class is wrong."""
        tiles = self.reading.get("tiles", [])
        return [(t, d) for t, d in self.pairs if self.photo.tiles[t].code != plain(tiles[d]["tile"])]


def in_hand(tile: dict[str, Any]) -> bool:
    """Tells whether the reading counts this tile among the hand's."""
    return tile.get("role") not in (None, "ignored")


def plain(code: Any) -> str:
    """A red five is a five here: no truth of ours tells them apart."""
    return "5" + code[1] if code and code[0] == "0" else code


def match(truth, polygons):
    """Pairs (truth index, detection index), one to one, the best overlaps first."""
    scored = []
    for d, polygon in enumerate(polygons):
        for t, tile in enumerate(truth):
            overlap = geometry.iou(tile.box, geometry.bounds(polygon))
            if (_has_numeral if tile.numeral else _covers)(polygon, tile.box, overlap):
                scored.append((overlap, t, d))
    pairs, used_truth, used_seen = [], set(), set()
    for _, t, d in sorted(scored, key=lambda s: (-s[0], s[1], s[2])):
        if t not in used_truth and d not in used_seen:
            pairs.append((t, d))
            used_truth.add(t)
            used_seen.add(d)
    return sorted(pairs)


def _covers(polygon, box, overlap):
    return overlap >= MIN_OVERLAP and geometry.inside_box(geometry.centre(polygon), box)


def _has_numeral(polygon, box, _overlap):
    across, down = geometry.bounds(polygon)[2:]
    return across * down > box[2] * box[3] and geometry.inside_convex(
        geometry.centre(geometry.box_corners(box)), polygon
    )


def judge(photo, reading, seconds):
    """Compares a reading with the photo's truth."""
    seen = reading.get("tiles") or []
    pairs = match(photo.tiles, [tile["polygon"] for tile in seen])
    demanded = {k for k, tile in enumerate(photo.tiles) if tile.visible >= MIN_VISIBLE}
    result = PhotoResult(photo, reading, seconds)
    result.pairs = [(t, d) for t, d in pairs if t in demanded]
    result.missed = sorted(demanded - {t for t, _ in pairs})
    region = _region(photo)
    result.matched = {d: t for t, d in pairs}
    for d, tile in enumerate(seen):
        if d not in result.matched and _is_false(photo, tile, region):
            result.false.append(d)
    result.in_region = len(result.matched) + len(result.false)
    _judge_hand(result)
    return result


def uncorrected(result: PhotoResult) -> PhotoResult | None:
    """Judges the reading by the labels before their correction; None where labels are our own."""
    return result.photo.as_labelled and judge(result.photo.as_labelled, result.reading, result.seconds)


def _region(photo: Photo) -> list[tuple[float, float]] | None:
    if photo.exhaustive or not photo.closed:
        return None
    return geometry.hull([corner for tile in photo.tiles for corner in geometry.box_corners(tile.box)])


def _is_false(photo: Photo, tile: dict[str, Any], region: list[tuple[float, float]] | None) -> bool:
    """Tells whether a detection that matches no truth tile is a false alarm. A tile that the
    program itself calls no face is not one. Backs are labelled in our renders only."""
    if tile["tile"] == "none":
        return False
    if photo.hand is None and not tile.get("face_up", True):
        return False
    if photo.exhaustive:
        return True
    return region is not None and geometry.inside_convex(geometry.centre(tile["polygon"]), region)


def hand_tiles(hand: dict[str, Any] | None) -> Counter[str]:
    """Counter of all tiles of a hand in the contract's form, flowers included."""
    if not hand:
        return Counter()
    tiles = list(hand.get("concealed") or [])
    if hand.get("winning_tile"):
        tiles.append(hand["winning_tile"])
    for meld in hand.get("melds") or []:
        tiles += meld["tiles"]
    return Counter(plain(tile) for tile in tiles + list(hand.get("flowers") or []))


def any_bonus(tiles: Counter[str]) -> Counter[str]:
    """The multiset with all bonus tiles alike: most rule sets count them and do not ask which."""
    alike = Counter()
    for tile, count in tiles.items():
        alike["bonus" if tile[0] in "fs" else tile] += count
    return alike


def hand_structure(hand: dict[str, Any]):
    """The parts of a hand that must agree for two hands with their sets to be the same: all but the
    order in which things are named."""
    melds = sorted(
        (
            m["kind"],
            tuple(sorted(map(plain, m["tiles"]))),
            bool(m.get("concealed")),
            bool(m.get("added")),
            plain(m.get("claimed")) or "",
            m.get("from") or "",
        )
        for m in hand.get("melds") or []
    )
    concealed = sorted(map(plain, hand.get("concealed") or []))
    return concealed, plain(hand.get("winning_tile")), melds, sorted(hand.get("flowers") or [])


def _judge_hand(result: PhotoResult) -> None:
    """`whole`: the multiset of tiles is right. `structure`: sets, claims and winning tile are right
    too."""
    photo, read = result.photo, result.reading.get("hand") or {}
    if photo.hand is not None:
        truth = hand_tiles(photo.hand)
        seen, known = hand_structure(read), hand_structure(photo.hand)
        result.structure = bool(read) and seen == known
        result.structure_but_kind = bool(read) and (*seen[:3], len(seen[3])) == (*known[:3], len(known[3]))
    elif photo.labels_are_hand:
        truth = Counter(tile.code for tile in photo.tiles if tile.role != "ignored")
    else:
        return
    result.whole = hand_tiles(read) == truth
    result.whole_but_kind = any_bonus(hand_tiles(read)) == any_bonus(truth)


@dataclass
class Summary:
    """Sums over photos."""

    photos: int = 0
    found: Rate = field(default_factory=Rate)
    named: Rate = field(default_factory=Rate)
    accuracy: Rate = field(default_factory=Rate)
    precision: Rate = field(default_factory=Rate)
    whole: Rate = field(default_factory=Rate)
    whole_but_kind: Rate = field(default_factory=Rate)
    structure: Rate = field(default_factory=Rate)
    silent: Rate = field(default_factory=Rate)
    unread: int = 0
    seconds: list = field(default_factory=list)
    confusion: Counter = field(default_factory=Counter)
    confidence: list = field(default_factory=list)


def summarise(results: list[PhotoResult]) -> Summary:
    """Adds results up."""
    total = Summary()
    for result in results:
        _add(total, result)
    return total


def _add(total: Summary, result: PhotoResult) -> None:
    seen, truth = result.reading.get("tiles") or [], result.photo.tiles
    wrong = set(result.wrong())
    demanded = len(result.pairs) + len(result.missed)
    total.photos += 1
    total.seconds.append(result.seconds)
    total.unread += result.reading.get("status") == "error"
    total.found += Rate(len(result.pairs), demanded)
    total.named += Rate(len(result.pairs) - len(wrong), demanded)
    total.accuracy += Rate(len(result.pairs) - len(wrong), len(result.pairs))
    total.precision += Rate(result.in_region - len(result.false), result.in_region)
    for t, d in result.pairs:
        total.confidence.append((confidence(seen[d]), (t, d) not in wrong))
        if (t, d) in wrong:
            total.confusion[truth[t].code, plain(seen[d]["tile"])] += 1
    if result.whole is not None:
        total.whole.add(result.whole)
        total.whole_but_kind.add(bool(result.whole_but_kind))
        # Which flower it is changes no score.
        same_score = result.whole_but_kind if result.structure is None else result.structure_but_kind
        total.silent.add(not same_score and result.reading.get("status") == "ok")
    if result.structure is not None:
        total.structure.add(result.structure)


def confidence(tile: dict[str, Any]) -> float:
    """The probability that the program gives to the name it chose."""
    for candidate in tile.get("candidates") or []:
        if plain(candidate["tile"]) == plain(tile["tile"]):
            return float(candidate["p"])
    return float(tile.get("score", 1.0))
