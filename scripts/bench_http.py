#!/usr/bin/env python3
"""Measures the release service under load and writes the figures into docs/load.md.
`make bench-http` calls it.

Input: target/release/tilesight, wrk (scripts/setup-wrk), and our demo photo, enlarged to 12
megapixels.
Output: the text between the markers of docs/load.md; out/bench/http.json has every run.
Invariant: every figure is measured in this run; a speed is given next to something else measured in
the same run on the same core: the stages' own times, or Pillow decoding the same JPEG. Linux only:
cores and memory come from /proc.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation.speed import enlarge, one_core
from load import service, wrk

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = (1, 2, 8, 32)
SECONDS = {1: 15, 2: 12, 8: 15, 32: 20}
OVERLOAD = 5
# Each sends once in so many seconds at the most, so that hardly any is still waiting when its next
# request is due.
OVERLOAD_PERIOD_S = 1.25
OVERLOAD_SECONDS = 25
HAND = {"hand": "123456789m11pFFF", "context": {"seat": "S"}}
SCORE_CLIENTS, SCORE_SECONDS = 16, 5
# A run is measured once more where other processes used more than this of the service's core.
CALM, TRIES = 0.04, 2


def say(text: str) -> None:
    """Progress, kept apart from the figures."""
    print(text, file=sys.stderr, flush=True)


def calm(what: str, run: Any) -> wrk.Run:
    """The calmest of a few runs, with its progress printed."""
    kept = wrk.calm(CALM, TRIES, run)
    say(f"{what}: {kept.requests} requests in {kept.seconds:.0f} s, others took {kept.others:.0%} of the core")
    return kept


def under_load(program: Any, photo: Path, score: Any) -> tuple[dict[int, wrk.Run], wrk.Run]:
    """({clients: Run}, Run of typed scores): nobody is refused, because as many may wait as there
    are clients."""
    with service.running(program, "--waiting", str(max(CLIENTS)), "--uploads", str(2 * max(CLIENTS))) as running:
        wrk.measure(running, "/v1/hands", photo, 1, 2)
        runs = {
            clients: calm(
                f"{clients} clients",
                functools.partial(wrk.measure, running, "/v1/hands", photo, clients, SECONDS[clients]),
            )
            for clients in CLIENTS
        }
        scores = calm(
            "typed scores",
            lambda: wrk.measure(
                running, "/v1/score", score, SCORE_CLIENTS, SCORE_SECONDS, kind="application/json", each=False
            ),
        )
    return runs, scores


def overloaded(program: Any, photo: Path, capacity: float) -> wrk.Run:
    """A `Run` with the service's own limits, and five times as many photos as it can read."""
    rate = OVERLOAD * capacity
    clients = round(rate * OVERLOAD_PERIOD_S)
    with service.running(program) as running:
        wrk.measure(running, "/v1/hands", photo, 1, 2)
        return calm(
            "overload", lambda: wrk.measure(running, "/v1/hands", photo, clients, OVERLOAD_SECONDS, rate=round(rate, 1))
        )


def pillow_ms(photo: Path, rounds: int = 9):
    """Median milliseconds of Pillow's decoding of the photo, on one core."""
    from PIL import Image

    times = []
    with one_core():
        for _ in range(rounds):
            began = time.perf_counter()
            Image.open(photo).convert("RGB").load()
            times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def latency_rows(runs: dict[int, Any], pillow: float) -> list[str]:
    """A table of the closed runs: each client sends its next photo once the last is answered."""
    rows = [
        (
            "| clients | photos per second | p50 | p95 | p99 | p50 / time of Pillow to decode the JPEG | peak "
            "memory | core used by others |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for clients, run in runs.items():
        took = [answer.took for answer in run.read()]
        p50, p95, p99 = (wrk.percentile(took, percent) for percent in (50, 95, 99))
        rows.append(
            f"| {clients} | {run.rate():.1f} | {p50:.0f} ms | {p95:.0f} ms | {p99:.0f} ms | {p50 / pillow:.1f} × "
            f"| {run.peak_mib:.0f} MiB | {run.others:.0%} |"
        )
    return rows


def overhead(run: Any) -> tuple[Any, Any, Any]:
    """(median wall time, median sum of the stages, the median of wall time over stages less
    one)."""
    read = run.read()
    ratio = statistics.median(answer.took / answer.stages() for answer in read)
    return statistics.median(a.took for a in read), statistics.median(a.stages() for a in read), ratio - 1


def verdict(reached: bool) -> str:
    """A word for a target."""
    return "reached" if reached else "**missed**"


def target_rows(runs: dict[int, Any], over: wrk.Run, scores: wrk.Run, capacity: float) -> list[str]:
    """The targets, with what was measured."""
    wall, stages, extra = overhead(runs[1])
    unloaded = wrk.percentile([answer.took for answer in runs[1].read()], 99)
    accepted = wrk.percentile([answer.took for answer in over.read()], 99)
    refused = [answer for answer in over.answers if answer.status in (429, 503)]
    other = len(over.answers) - len(refused) - len(over.read())
    promised = sum(answer.retry_after.isdigit() for answer in refused)
    quick = wrk.percentile([answer.took for answer in refused], 50)
    offered = len(over.answers) / over.seconds
    speed = scores.requests / scores.seconds
    core = (
        "client and service on one core each"
        if len(set(service.cores())) == 2
        else "client and service on the same core"
    )
    return [
        "| target | measured | |",
        "|---|---|---|",
        (
            f"| a request takes at most 10 % longer than its stages | {wall:.1f} ms, stages {stages:.1f} ms: "
            f"{extra:.1%} | {verdict(extra < 0.10)} |"
        ),
        (
            f"| at {OVERLOAD} × capacity the excess is rejected with `Retry-After` | {offered:.0f} photos per "
            f"second arrived, {capacity:.1f} can be read: "
            f"{len(refused) / len(over.answers):.0%} rejected ({quick:.1f} ms, median), {promised} of "
            f"{len(refused)} with `Retry-After`; {other} other answers; "
            f"{over.rate():.1f} per second were read | {verdict(promised == len(refused) > 0 and not other)} |"
        ),
        (
            f"| then p99 of the accepted is at most twice the unloaded p99 | {accepted:.0f} ms, unloaded "
            f"{unloaded:.0f} ms: {accepted / unloaded:.2f} × | {verdict(accepted <= 2 * unloaded)} |"
        ),
        (
            f"| 5,000 typed scores per second on one core | {speed:,.0f} ({SCORE_CLIENTS} connections, {core}; p50 "
            f"{scores.p50:.1f} ms, p99 {scores.p99:.1f} ms; {scores.refused} rejected) "
            f"| {verdict(speed >= 5000 and not scores.refused)} |"
        ),
    ]


def stage_line(run: Any) -> str:
    """The stages of the unloaded photo, one after the other."""
    names = [name for name in run.read()[0].steps if name not in wrk.NO_STAGES]
    medians = {name: statistics.median(answer.steps[name] for answer in run.read()) for name in names}
    return ", ".join(f"{name} {took:.1f}" for name, took in medians.items())


def overload_line(alone: wrk.Run, over: wrk.Run) -> str:
    """Sentences that say how accepted requests spend their time under overload."""
    p50, p95 = (wrk.percentile([answer.took for answer in over.read()], percent) for percent in (50, 95))
    p95_alone = wrk.percentile([answer.took for answer in alone.read()], 95)
    wait = statistics.median(answer.steps["wait"] for answer in over.read())
    stages, unloaded = (statistics.median(answer.stages() for answer in run.read()) for run in (over, alone))
    return (
        f"Under overload: p50 {p50:.0f} ms, of which {wait:.0f} ms is waiting for the previous photo; p95 "
        f"{p95:.0f} ms, {p95 / p95_alone:.2f} × the unloaded p95. The stages take {stages:.0f} ms instead of "
        f"{unloaded:.0f} ms, because {len(over.answers) / over.seconds:.0f} photos per second are received or "
        "rejected on the same core. "
        f"Peak memory {over.peak_mib:.0f} MiB; other processes used {over.others:.0%} of the core."
    )


def section(photo: Path, runs: dict[int, Any], scores: wrk.Run, over: wrk.Run) -> str:
    """The generated section."""
    capacity = max(run.rate() for run in runs.values())
    pillow = pillow_ms(photo)
    placed = (
        "service with one worker on one core, wrk on the other"
        if len(set(service.cores())) == 2
        else "service with one worker and wrk on the same core, which makes every figure worse"
    )
    return "\n".join(
        [
            (
                f"Measured {datetime.date.today().isoformat()} with `make bench-http`, one core of a shared cloud "
                f"machine: {placed}, over loopback. "
                f"The photo is a JPEG of 12 megapixels and {photo.stat().st_size / 1e6:.1f} MB; Pillow decodes it "
                f"in {pillow:.0f} ms on such a core. "
                f"The calmer of {TRIES} runs was kept if other processes used more than {CALM:.0%} of the core."
            ),
            "",
            *target_rows(runs, over, scores, capacity),
            "",
            (
                f"One worker reads {capacity:.1f} photos per second and uses one core. "
                f"Median milliseconds per stage with one client: {stage_line(runs[1])}."
            ),
            "",
            *latency_rows(runs, pillow),
            "",
            overload_line(runs[1], over),
        ]
    )


def filled(text: str, content: str) -> str:
    """docs/load.md with its section replaced."""
    begin, end = "<!-- load -->", "<!-- end of load -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit("bench_http: docs/load.md has no `load` markers")
    return text[: text.index(begin) + len(begin)] + "\n" + content + "\n" + text[text.index(end) :]


def kept(run: Any) -> dict[Any, Any]:
    """A run for out/bench/http.json."""
    return {
        **{name: value for name, value in vars(run).items() if name != "answers"},
        "answers": [vars(a) for a in run.answers],
    }


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--page", default=ROOT / "docs" / "load.md", type=Path)
    options = parser.parse_args()
    out = ROOT / "out" / "bench"
    photo = enlarge([ROOT / "datasets" / "samples" / "demo.jpg"], out)[0]
    score = out / "hand.json"
    score.write_text(json.dumps(HAND))
    try:
        runs, scores = under_load(options.program, photo, score)
        capacity = max(run.rate() for run in runs.values())
        over = overloaded(options.program, photo, capacity)
    except service.LoadError as error:
        sys.exit(f"bench_http: {error}")
    every = {**{f"{clients} clients": run for clients, run in runs.items()}, "scores": scores, "overload": over}
    (out / "http.json").write_text(json.dumps({name: kept(run) for name, run in every.items()}))
    content = section(photo, runs, scores, over)
    options.page.write_text(filled(options.page.read_text(), content))
    print(content)


if __name__ == "__main__":
    main()
