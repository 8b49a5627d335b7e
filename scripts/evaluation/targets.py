"""The figures to reach, each beside what was measured. Standard library only.

Input: `Measured`. Output: `Target` rows and their Markdown. A rate is reached by its value, not by
its interval, which is printed beside it; where fewer cases were asked than the target needs to be
told from nothing (1 in 200 cannot be shown by 40 photos), the verdict is "open". What was not
measured is "open" too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluation import calibration, clutter, metrics, quads, survival, table

if TYPE_CHECKING:
    from evaluation.measure import Measured


YES, NO, OPEN = "reached", "NOT reached", "open"


@dataclass(frozen=True)
class Target:
    """A row of the table: what, how much is asked, what was measured, what the test split alone
    says, the verdict."""

    what: str
    asked: str
    measured: str
    test_split: str
    verdict: str


def min_rate(what: str, asked: float, rate: metrics.Rate, test: metrics.Rate | None = None) -> Target:
    """A rate that must reach a share."""
    verdict = OPEN if not rate.total else YES if rate.value >= asked else NO
    return Target(what, f"{100 * asked:g} %", table.percent(rate), table.percent(test) if test else "", verdict)


def max_rate(what: str, asked: float, rate: metrics.Rate, test: metrics.Rate | None = None) -> Target:
    """A rate that must stay below a share; open where the photos are too few to tell."""
    verdict = OPEN if not rate.total else NO if rate.value > asked else YES if rate.total * asked >= 1 else OPEN
    return Target(what, f"at most {100 * asked:g} %", table.percent(rate), table.percent(test) if test else "", verdict)


def max_value(what: str, asked: float, value: float | None, form: str, test: float | None = None) -> Target:
    """A number that must stay below another; `form` writes it."""
    verdict = OPEN if value is None else YES if value <= asked else NO
    written = "-" if value is None else form.format(value)
    return Target(what, "at most " + form.format(asked), written, "" if test is None else form.format(test), verdict)


def rows(measured: Measured) -> list[Target]:
    """All targets of issue 3, in its order."""
    return [
        *_real(measured),
        *_crops(measured),
        *_renders(measured),
        *_calibration(measured),
        *_cost(measured),
        *_strays(measured),
        *_clutter(measured),
    ]


def _test(results: list[Any]) -> list[Any]:
    return [r for r in results if r.photo.split == "test"]


def _real(measured: Measured) -> list[Target]:
    as_they_came = [judged for judged in map(metrics.uncorrected, measured.real) if judged]
    return [*_held_out("held-out real scenes", measured.real), *_held_out("with the original labels", as_they_came)]


def _held_out(name: str, results: list[Any]) -> list[Target]:
    whole, test = metrics.summarise(results), metrics.summarise(_test(results))
    return [
        min_rate(f"{name}: tiles found", 0.997, whole.found, test.found),
        min_rate(f"{name}: found and named", 0.99, whole.named, test.named),
        min_rate(f"{name}: whole hands exact", 0.90, whole.whole, test.whole),
    ]


def _crops(measured: Measured) -> list[Target]:
    faces, bonus, _ = table.crop_rates([(truth, answer) for _, truth, answer in measured.crops])
    return [
        min_rate("unseen-set crops: 34 faces", 0.995, faces),
        min_rate("unseen-set crops: all 42", 0.95, faces + bonus),
    ]


def _renders(measured: Measured) -> list[Target]:
    total, outlines = metrics.summarise(measured.ours), quads.measure(measured.ours)
    return [
        min_rate("our renders: tiles found", 0.99, total.found),
        min_rate("our renders: found and named", 0.99, total.named),
        min_rate("our renders: corners within 10 % of a width", 0.99, outlines.close),
        min_rate("our renders: sideways or not", 0.99, outlines.sideways),
    ]


def _calibration(measured: Measured) -> list[Target]:
    def errors(pairs: Callable) -> tuple[float | None, float | None]:
        return calibration.error(pairs(measured.real)), calibration.error(pairs(_test(measured.real)))

    tile, tile_test = errors(calibration.tile_pairs)
    hand, hand_test = errors(calibration.hand_pairs)
    return [
        max_value("calibration error of a tile, real photos", 0.02, tile, "{:.3f}", tile_test),
        max_value("calibration error of a hand, real photos", 0.05, hand, "{:.3f}", hand_test),
    ]


def _cost(measured: Measured) -> list[Target]:
    taken = measured.speed
    return [
        max_value("one 12-megapixel photo, one core, median", 130, taken and taken.total, "{:.0f} ms"),
        max_value("models on disk", 15, measured.megabytes, "{:.1f} MB"),
        max_value("peak memory of one reader", 250, taken and taken.peak_mib, "{:.0f} MiB"),
    ]


def _strays(measured: Measured) -> list[Target]:
    """Pictures from the web show jokers, which no label names: their strays are in the other table
    only."""
    labelled = [*measured.real, *measured.ours]
    return [
        max_rate("photos with a false alarm in the hand", 0.005, survival.false_alarms(labelled).photos),
        max_rate(
            "the same of drawn keyboards, consoles, cloth and wood", 0.005, survival.false_alarms(measured.blank).photos
        ),
        max_rate("photos with clutter in the hand, our renders", 0.01, survival.clutter_taken(measured.ours).photos),
        max_rate(
            "either of the two in real photos of a hand",
            0.015,
            survival.beyond_labels(measured.real).photos,
            survival.beyond_labels(_test(measured.real)).photos,
        ),
    ]


def _clutter(measured: Measured) -> list[Target]:
    """Hands that are read alone and not among clutter."""
    rows = clutter.lost(measured.clutter)
    return [max_rate("hands lost with clutter around them", 0.01, rows[0].lost)] if rows else []


def markdown(targets: list[Target]) -> str:
    """The table, worst news included."""
    return table.markdown(
        ["what", "asked", "measured", "test split alone", "verdict"],
        [[t.what, t.asked, t.measured, t.test_split, t.verdict] for t in targets],
    )
