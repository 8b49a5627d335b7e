"""Writes the figures as Markdown tables and puts them into the model card between its markers.
Standard library only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from evaluation import calibration, difficulty
from evaluation.metrics import Rate, plain

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult, Summary
    from evaluation.survival import Strays


BEGIN = "<!-- evaluation: written by `make evaluate`, do not edit -->"
END = "<!-- end of evaluation -->"
BONUS = {f"{kind}{n}" for kind in "fs" for n in range(1, 5)}


def percent(rate: Rate) -> str:
    """`97.1 % (96.0-98.0) of 1234`, or a dash of nothing."""
    if not rate.total:
        return "-"
    low, high = rate.interval()
    return f"{100 * rate.value:.1f} % ({100 * low:.1f}-{100 * high:.1f}) of {rate.total}"


def markdown(heads: list[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def counted(rate: Rate) -> str:
    """`3 of 5`, or a dash of nothing."""
    return f"{rate.hits} of {rate.total}" if rate.total else "-"


def share(value: float | None) -> str:
    """A share in percent, or a dash."""
    return "-" if value is None else f"{100 * value:.1f} %"


def photo_table(rows: list[tuple[str, Summary]]) -> str:
    """Table with a row for each (name, Summary)."""
    heads = [
        "photos",
        "n",
        "tiles found",
        "found and named",
        "class accuracy",
        "precision",
        "whole hand",
        "ignoring which flower",
        "with sets and winning tile",
        "silently wrong",
        "calibration error",
        "s a photo",
    ]
    lines = []
    for name, total in rows:
        rates = (
            total.found,
            total.named,
            total.accuracy,
            total.precision,
            total.whole,
            total.whole_but_kind,
            total.structure,
            total.silent,
        )
        error = calibration.error(total.confidence)
        lines.append([name, str(total.photos), *map(percent, rates), share(error), f"{_median(total.seconds):.2f}"])
    return markdown(heads, lines)


def scene_table(rows: Any) -> str:
    """Short table with a row for each scene: few photos make wide intervals, so counts are
    given."""
    lines = [[name, str(total.photos), *map(counted, (total.found, total.named, total.whole))] for name, total in rows]
    return markdown(["scene", "photos", "tiles found", "found and named", "whole hands"], lines)


def family_table(rows: Any) -> str:
    """Each family of sets, with intervals."""
    lines = [[name, str(total.photos), *map(percent, (total.found, total.named, total.whole))] for name, total in rows]
    return markdown(["set family", "photos", "tiles found", "found and named", "whole hands"], lines)


def difficulty_table(columns: list[tuple[str, list[PhotoResult]]]) -> str:
    """Groups of tiles down; for each (name, results) found and named across. Groups that nothing is
    in are left out."""
    heads = ["tiles"] + [f"{name}: {what}" for name, _ in columns for what in ("found", "found and named")]
    lines = []
    for group, test in difficulty.groups():
        rates = [rate for _, results in columns for rate in difficulty.rates(results, test)]
        if any(rate.total for rate in rates):
            lines.append([group, *map(percent, rates)])
    return markdown(heads, lines)


def set_table(rows):
    """Held-out sets of later collections: (name, found, named)."""
    return markdown(
        ["held-out sets of later collections", "found", "found and named"],
        [[name, percent(found), percent(named)] for name, found, named in rows],
    )


def quad_table(found):
    """Outlines and attitudes of our renders' tiles."""
    median, p95 = found.percentile(0.5), found.percentile(0.95)
    rows = [
        ("corner error under 10 % of the tile's width", percent(found.close)),
        (
            "corner error, median / 95th percentile, in tile widths",
            "-" if median is None else f"{median:.3f} / {p95:.3f}",
        ),
        ("sideways or not, tiles of the hand", percent(found.sideways)),
        ("- of those that lie sideways", percent(found.turned)),
        ("face up or down", percent(found.face_up)),
    ]
    return markdown(["outlines and orientation, our renders", "right"], rows)


def stray_table(rows: list[tuple[str, Strays]]) -> str:
    """Photos with a tile in the hand that does not belong there: (name, Strays)."""
    lines = [[name, percent(strays.photos), str(strays.tiles)] for name, strays in rows if strays.photos.total]
    return markdown(["in the reading's hand, but not in the true hand", "photos", "tiles"], lines)


def clutter_table(rows: Any) -> str:
    """Table of the hands that clutter around them hides, by kind, side and size of it."""
    heads = ["clutter around a hand that is read without it", "no hand found", "lost"]
    return markdown(heads, [[row.name, percent(row.unseen), percent(row.lost)] for row in rows])


def speed_table(taken: Any) -> str:
    """Table of the time and memory for a 12-megapixel photo on one core, beside Pillow."""
    parts = ", ".join(f"{part} {ms:.0f}" for part, ms in taken.parts.items())
    rows = [
        ("median of the program, ms (its parts)", f"{taken.total:.0f} ({parts})"),
        ("Pillow decodes the same files, ms", f"{taken.pillow:.0f}"),
        (
            "ratio of the two, by the clock / by processor time",
            f"{taken.total / taken.pillow:.2f} / {taken.cpu / taken.pillow_cpu:.2f}",
        ),
        ("processor time of a photo, program / Pillow, ms", f"{taken.cpu:.0f} / {taken.pillow_cpu:.0f}"),
        ("peak memory of the reader, MiB", f"{taken.peak_mib:.0f}"),
        ("load of the machine meanwhile", f"{taken.load:.1f}"),
    ]
    return markdown([f"one 12-megapixel photo, one core ({taken.photos} photos)", "measured"], rows)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def crop_rates(answers: list[tuple[str, dict[str, str]]]) -> tuple[Rate, Rate, Rate]:
    """Rates over [(truth, answer)] of single-tile crops: the 34 faces, the bonus tiles, bonus tiles
    as such."""
    faces, bonus, as_bonus = Rate(), Rate(), Rate()
    for truth, answer in answers:
        said = plain(answer.get("tile") or "")
        if truth in BONUS:
            bonus.add(said == truth)
            as_bonus.add(said in BONUS)
        else:
            faces.add(said == truth)
    return faces, bonus, as_bonus


def crop_table(crops: Any) -> str:
    """The unseen-set crops: [(path, truth, answer)]."""
    faces, bonus, as_bonus = crop_rates([(truth, answer) for _, truth, answer in crops])
    rows = [
        ("34 suit and honour faces", percent(faces)),
        ("flowers and seasons, exact", percent(bonus)),
        ("flowers and seasons, as some bonus tile", percent(as_bonus)),
        ("all 42", percent(faces + bonus)),
        ("calibration error", share(calibration.error(calibration.crop_pairs(crops)))),
    ]
    return markdown(["unseen-set crops", "right"], rows)


def confusion_list(confusion: Counter[tuple[str, str]], max_rows: int = 15) -> str:
    """The commonest confusions, truth first."""
    if not confusion:
        return "No tile that was found was named wrongly."
    return ", ".join(f"{truth} read as {said} ({count})" for (truth, said), count in confusion.most_common(max_rows))


def into_card(card: str, text: str) -> str:
    """The card with what stands between the markers replaced; raises ValueError when it has no
    markers."""
    if card.count(BEGIN) != 1 or card.count(END) != 1:
        raise ValueError("the model card needs one pair of evaluation markers")
    head, rest = card.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n{text.strip()}\n{END}{tail}"
