#!/usr/bin/env python3
"""Measures reading and scoring in headless Chromium. `make bench-browser` calls it.

Input: out/site, out/npm/package, the module with the feature `measure`, target/release/tilesight,
and our own rendered samples, enlarged to photos of 2,000 pixels and of 12 megapixels. Output: the
text between the marks of docs/browser.md; out/bench/browser.json has the figures. Browser and
program run on the same one core, one after the other. Linux only, since memory is what /proc says.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import page
from evaluation.phones import Kind, written
from evaluation.program import Program
from evaluation.speed import one_core, run

ROOT = Path(__file__).resolve().parents[1]
USUAL = Kind("2,000 pixels, 20 tiles", (2000, 1500))
LARGE = Kind("12 megapixels, 20 tiles", (4032, 3024), photos=1)
# Rounds of the program over the photos; the first is not counted.
ROUNDS = 6
# What is asked for: seconds, times the program, megabytes, microseconds, frames a second.
MAX_SECONDS, MAX_TIMES = 1.2, 12
MAX_READING, MAX_TYPED, MAX_MEMORY = 14, 1, 400
MAX_HAND, MIN_FRAMES = 1, 2


def native(program: Any, photos: list[Path]):
    """Seconds of the program for a photo, the median after the first round."""
    readings, _, _ = run(program, photos * ROUNDS)
    return statistics.median(answer["timings_ms"]["total"] for answer in readings[len(photos) :]) / 1000


def in_browser(program: Any, measure: Path, large: Any, photos: list[Path]):
    """The figures of bindings/npm/bench.mjs."""
    command = ["node", ROOT / "bindings/npm/bench.mjs", measure, large, *photos]
    environment = {**os.environ, "TILESIGHT_PROGRAM": str(program)}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit("bench_browser: bindings/npm/bench.mjs failed")
    return json.loads(done.stdout)


def rows(figures: dict[str, dict[str, Any]], seconds: float) -> list[tuple[str, str, str, bool]]:
    """The rows of the table: what, measured, asked for, whether it is reached."""
    reading, loaded, hands, parity = (figures[name] for name in ("reading", "loaded", "hands", "parity"))
    here = statistics.median(reading["took"]) / 1000
    typed = {how: size / 1e6 for how, size in loaded["page"].items()}
    everything = {how: typed[how] + size / 1e6 for how, size in loaded["reader"].items()}
    peak = figures["memory"]["peak"]
    return [
        (
            "photo of 2,000 pixels to score, after loading, one thread, median",
            f"{here:.2f} s",
            f"at most {MAX_SECONDS} s",
            here <= MAX_SECONDS,
        ),
        (
            "the same beside the program on the same core",
            f"{here / seconds:.1f} × {seconds:.3f} s",
            f"at most {MAX_TIMES} ×",
            here <= MAX_TIMES * seconds,
        ),
        (
            "loaded for the first reading, gzip",
            megabytes(everything),
            f"at most {MAX_READING} MB",
            everything["gzip"] <= MAX_READING,
        ),
        ("loaded for typed hands alone, gzip", megabytes(typed), f"at most {MAX_TYPED} MB", typed["gzip"] <= MAX_TYPED),
        (
            "memory of the tab while reading, 12 megapixels among them, at its peak",
            f"{peak:.0f} MB",
            f"at most {MAX_MEMORY} MB",
            peak <= MAX_MEMORY,
        ),
        (
            f"a hand of the MCR corpus, the total alone, mean of {hands['count']:,}",
            f"{hands['inside']:.2f} µs",
            f"at most {MAX_HAND} µs",
            hands["inside"] <= MAX_HAND,
        ),
        *equal(parity),
        *viewfinder(figures["viewfinder"]),
    ]


def megabytes(sizes: dict[str, float]) -> str:
    """Text of the sizes in MB of what is loaded: compressed in both ways and uncompressed."""
    return f"{sizes['gzip']:.2f} MB (brotli {sizes['brotli']:.2f}, as it is {sizes['bytes']:.1f})"


def equal(parity: dict[str, float]) -> list[tuple[str, str, str, bool]]:
    """The rows of scenes that are read as by the program."""
    total = parity["scenes"]
    words = {
        "hands": "scenes with the program's hand and score",
        "doubts": "with its doubts",
        "close": f"with its probabilities (at most {parity['apart']:.4f} apart)",
    }
    asked = {"hands": "all", "doubts": "all", "close": "within 0.01"}
    return [(words[what], f"{parity[what]} of {total}", asked[what], parity[what] == total) for what in words]


def viewfinder(found: dict[str, int]) -> list[tuple[str, str, str, bool]]:
    """The rows of the viewfinder."""
    rate = found["frames"] / found["ms"] * 1000
    return [
        ("viewfinder, frames read a second", f"{rate:.1f}", f"at least {MIN_FRAMES}", rate >= MIN_FRAMES),
        (
            f"samples steady and right in 14 frames, glare over two tiles in each; steady and wrong: {found['wrong']}",
            f"{found['right']} of {found['samples']}",
            "none wrong",
            found["wrong"] == 0,
        ),
    ]


def processor() -> str:
    """The name of the processor."""
    names = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return names[0] if names else platform.machine()


def section(figures: dict[str, dict[str, Any]], seconds: float, load: float) -> str:
    """The generated section."""
    runtime = json.loads((ROOT / "web/node_modules/onnxruntime-web/package.json").read_text())["version"]
    reading, sizes = figures["reading"], figures["memory"]
    stages = {part: statistics.median(t.get(part, 0) for t in reading["stages"]) for part in reading["stages"][0]}
    parts = ", ".join(f"{part} {took:.0f}" for part, took in stages.items() if took >= 0.5 and part != "total")
    lines = [
        (
            f"Measured {datetime.date.today().isoformat()} with `make bench-browser`: {figures['browser']}, "
            f"headless, onnxruntime-web {runtime}, on one core "
            f"of {processor()}, a shared machine with a load of {load:.1f}. The photos are our samples, enlarged, "
            "with a sensor's noise."
        ),
        "",
        "| what | measured | asked for | |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {what} | {value} | {asked} | {'reached' if reached else '**missed**'} |"
        for what, value, asked, reached in rows(figures, seconds)
    ]
    lines += [
        "",
        (
            f"A photo's milliseconds in the median: {parts}. The first photo after loading takes "
            f"{reading['first'] / 1000:.1f} s, since the browser still "
            f"optimises; loading from this machine takes {reading['loading'] / 1000:.1f} s. Memory is the "
            "proportional set size (`Pss`) of the process that has "
            f"page and worker; an empty page has {sizes['before']:.0f} MB. A call of `score()` with explanation, "
            f"range and JSON takes {figures['hands']['call']:.0f} µs. "
            "What is loaded is what a first visit of the site keeps for offline use, each file compressed by itself."
        ),
    ]
    return "\n".join(lines)


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", type=Path, help="the module with the feature `measure`")
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--page", default=ROOT / "docs" / "browser.md", type=Path)
    parser.add_argument("--no-page", action="store_true", help="print only; leave the page alone")
    options = parser.parse_args()
    out = ROOT / "out" / "bench"
    photos, large = written(USUAL, out / "browser"), written(LARGE, out / "browser")[0]
    with one_core():
        seconds = native(Program(options.program), photos)
        figures = in_browser(options.program, options.measure.resolve(), large, photos)
    (out / "browser.json").write_text(json.dumps({**figures, "native": seconds}))
    content = section(figures, seconds, os.getloadavg()[1])
    if not options.no_page:
        page.write(options.page, "browser", content)
    print(content)


if __name__ == "__main__":
    main()
