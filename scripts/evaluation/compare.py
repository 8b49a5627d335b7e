"""Folders of models side by side: the same photos, one table of main figures. Standard library
only.

Input: one `Measured` for each folder. Output: Markdown, and what the table cannot show: which hands
were won and lost against the first folder, since two models with the same rate may fail on
different photos.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaluation import metrics, targets
from evaluation.report import model_names
from evaluation.table import markdown, percent

if TYPE_CHECKING:
    from evaluation.measure import Measured


def names(folders: list[Path]) -> list[str]:
    """The shortest ends of the paths that tell the folders apart."""
    parts = [folder.resolve().parts for folder in folders]
    for depth in range(1, max(map(len, parts)) + 1):
        ends = ["/".join(part[-depth:]) for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return ends


def comparison(all_measured: list[Measured]) -> str:
    """Table with a column for each folder, and a row for each target and for the further
    figures."""
    columns = [targets.rows(measured) for measured in all_measured]
    titles = names([measured.models for measured in all_measured])
    rows = [["models"] + [model_names(measured.models) for measured in all_measured]]
    for across in zip(*columns):
        rows.append([f"{across[0].what} ({across[0].asked})"] + [target.measured for target in across])
    rows += _further(all_measured)
    rows.append(
        ["hands won / lost against the first"] + [_won_and_lost(all_measured[0], other) for other in all_measured]
    )
    return markdown(["figure (asked)"] + titles, rows)


def _further(all_measured: list[Measured]) -> list[list[str]]:
    real = [metrics.summarise(measured.real) for measured in all_measured]
    ours = [metrics.summarise(measured.ours) for measured in all_measured]
    return [
        ["real: precision"] + [percent(total.precision) for total in real],
        ["real: whole hands ignoring which flower"] + [percent(total.whole_but_kind) for total in real],
        ["real: silently wrong"] + [percent(total.silent) for total in real],
        ["renders: whole hands"] + [percent(total.whole) for total in ours],
        ["renders: with sets and winning tile"] + [percent(total.structure) for total in ours],
    ]


def _won_and_lost(first: Measured, other: Measured) -> str:
    if first is other:
        return "-"
    pairs = [(a.whole, b.whole) for a, b in zip(first.results, other.results) if a.whole is not None]
    return f"{sum(b and not a for a, b in pairs)} / {sum(a and not b for a, b in pairs)}"
