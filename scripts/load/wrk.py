"""wrk, and figures from what it tells of every answer (answers.lua).

Input: a service, a body, a number of clients, a duration. Output: a `Run`. wrk is bound to the
other core.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from load.service import LoadError, cores, on_core

SCRIPT = Path(__file__).with_name("answers.lua")
# Far longer than any answer takes: an answer that wrk gives up on would be missing from the
# figures.
PATIENCE = "60s"
# Steps of Server-Timing that are no work on the photo.
NO_STAGES = ("receive", "wait", "total")


@dataclass
class Answer:
    """An answer: its status, milliseconds as the client saw them, Retry-After, and milliseconds of
    each step."""

    status: int
    took: float
    retry_after: str = ""
    steps: dict = field(default_factory=dict)

    def stages(self) -> float:
        """Milliseconds of the stages of reading together."""
        return sum(took for step, took in self.steps.items() if step not in NO_STAGES)


@dataclass
class Run:
    """A run of wrk: its answers (none where they were only counted), what it counted, and what the
    machine did."""

    seconds: float
    requests: int
    refused: int
    broken: int
    p50: float
    p99: float
    answers: list = field(default_factory=list)
    peak_mib: float | None = None
    others: float | None = None

    def read(self) -> list[Answer]:
        """The answers with a reading."""
        return [answer for answer in self.answers if answer.status == 200]

    def rate(self) -> float:
        """Photos a second that were read."""
        return len(self.read()) / self.seconds


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many percent of the values don't exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def parse_steps(header: str) -> dict[str, float]:
    """Server-Timing as {step: milliseconds}."""
    entries = [entry.strip().split(";dur=") for entry in header.split(",") if entry.strip()]
    return {step: float(took) for step, took in entries}


def parse(text: str) -> Run:
    """A `Run` from what wrk and answers.lua print."""
    answers, run = [], None
    for line in text.splitlines():
        kind, *fields = line.split("\t")
        if kind == "answer":
            status, took, retry_after, steps = fields
            answers.append(Answer(int(status), int(took) / 1000, retry_after, parse_steps(steps)))
        elif kind == "summary":
            requests, took, refused, broken, p50, p99 = map(int, fields)
            run = Run(took / 1e6, requests, refused, broken, p50 / 1000, p99 / 1000)
    if run is None:
        raise LoadError(f"wrk printed no figures: {text.strip()[-400:]}")
    run.answers = answers
    return run


def measure(
    service: Any,
    path: str,
    body: Any,
    clients: int,
    seconds: float,
    *,
    kind: str = "image/jpeg",
    rate: float = 0,
    each: bool = True,
) -> Run:
    """Sends the file `body` from so many clients; `rate` requests a second, or each its next one
    once it is answered."""
    threads = clients if each else 1
    command = [
        os.environ.get("TILESIGHT_WRK", "wrk"),
        f"-t{threads}",
        f"-c{clients}",
        f"-d{seconds}s",
        "--timeout",
        PATIENCE,
        "-s",
        str(SCRIPT),
        service.url(path),
        "--",
        str(body),
        kind,
        str(threads),
        str(rate),
        "each" if each else "",
    ]
    service.wait_until_idle()
    service.forget_peak()
    used, busy = service.used_s(), service.busy_s()
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=on_core(cores()[1]))
    if done.returncode:
        raise LoadError(f"wrk failed: {(done.stderr or done.stdout).strip()[-400:]}")
    run = parse(done.stdout)
    run.peak_mib = service.peak_mib()
    run.others = max(0.0, (service.busy_s() - busy) - (service.used_s() - used)) / run.seconds
    if run.broken:
        raise LoadError(f"{run.broken} of {run.requests} requests got no answer")
    return run


def calm(max_others: float, tries: int, run: Callable) -> Run:
    """The calmest of a few runs: the first in which others took less than `max_others` of the
    service's core, or the one in which they took the least."""
    runs = []
    for _ in range(tries):
        runs.append(run())
        if runs[-1].others < max_others:
            break
    return min(runs, key=lambda one: one.others)
