"""Scores and readings as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

_CELL = "padding:.1em .6em;text-align:left"


def score_html(score: dict[str, Any]) -> str:
    """Return the hand, a table of the lines that count, with their sets, and who pays whom."""
    hand = " ".join("".join(one["tiles"]) for one in score["sets"])
    return f"<div><code>{escape(hand)}</code>{_table(score)}</div>"


def _table(score: dict[str, Any]) -> str:
    """Return the total, the lines that count, and who pays whom."""
    rows = "".join(_award_row(award) for award in score["awards"])
    payments = ", ".join(f"{seat} {amount:+}" for seat, amount in score["payments"].items())
    verdict = escape(score.get("verdict") or "")
    return (
        f"<div><b>{score['total']}</b> <small>{escape(score.get('ruleset') or '')}</small> {verdict}"
        f"<table>{rows}</table><small>{escape(payments)}</small></div>"
    )


def reading_html(reading: dict[str, Any]) -> str:
    """Return the hand of a reading, its score, and its open questions."""
    score = reading.get("score")
    doubts = "".join(f"<li>{escape(doubt['question'])}</li>" for doubt in reading.get("doubts", []))
    return (
        f"<div><code>{escape(reading['hand']['notation'])}</code>"
        f"{_table(score) if score else '<p>no score</p>'}{f'<ul>{doubts}</ul>' if doubts else ''}</div>"
    )


def _award_row(award: dict[str, Any]) -> str:
    sets = "; ".join(" ".join("".join(one["tiles"]) for one in sets) for sets in award["sets"] if sets)
    worth = next(
        (f"{award[name]} {unit}" for name, unit in _UNITS if award.get(name) is not None),
        award["points"] * award["count"],
    )
    return (
        f'<tr title="{escape(award["explanation"])}"><td style="{_CELL}">{escape(award["name"])}</td>'
        f'<td style="{_CELL}">{escape(sets)}</td><td style="{_CELL}">{worth}</td></tr>'
    )


_UNITS = (("han", "han"), ("faan", "faan"), ("doublings", "doubles"), ("limits", "limits"))
