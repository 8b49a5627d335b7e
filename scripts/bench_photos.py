#!/usr/bin/env python3
"""Measures how long a photo takes, from its bytes to its score, on photos like phones write them.
`make bench-photos` calls it.

Input: target/release/tilesight, models/ and our own rendered samples. Output: the text between the
marks of docs/speed.md; out/bench/photos.json has every reading. The photos are the samples,
enlarged or put side by side until 20, 60 or 170 tiles are in view, and drawn tables of 190 tiles,
with a sensor's noise, as JPEG files of 3 MB and more. Everything runs on one core. Beside each
photo's own stages stand what libjpeg-turbo takes to decode the same file at half its size, which is
the physical yardstick, and in full; and a Python pipeline on the same networks. Linux only.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bench_batch
import pillow_heif
from evaluation import page
from evaluation.phones import Kind, written
from evaluation.program import Program
from evaluation.speed import PARTS, one_core, run
from load.wrk import percentile
from PIL import Image

pillow_heif.register_heif_opener()

ROOT = Path(__file__).resolve().parents[1]
# Rounds over the photos of a kind; the first is not counted, since networks and memory warm up in
# it.
ROUNDS = 6

KINDS = (
    Kind("1.2 megapixels, 20 tiles", (1280, 960), max_ms=35),
    Kind("12 megapixels, 20 tiles", (4032, 3024), max_ms=70),
    Kind("12 megapixels, 60 tiles", (4032, 3024), grid=2, samples=3),
    Kind("12 megapixels, 170 tiles", (4032, 3024), grid=3, samples=8, max_ms=150),
    Kind("12 megapixels, whole table", (4032, 3024), samples=0, photos=3),
    Kind("48 megapixels, 20 tiles", (8064, 6048), photos=3, max_ms=140),
    Kind("12 megapixels, 20 tiles, HEIC", (4032, 3024), photos=3, max_ms=550, ending="heic", quality=45),
    Kind("12 megapixels, 20 tiles, AVIF", (4032, 3024), photos=3, ending="avif", quality=55),
)


def say(text: str) -> None:
    """Progress, kept apart from the figures."""
    print(text, file=sys.stderr, flush=True)


def decoded(file, half: bool) -> float:
    """Milliseconds of libjpeg-turbo for a file, at half its size or in full."""
    began = time.perf_counter()
    picture = Image.open(file)
    if half and picture.format == "JPEG":
        picture.draft("RGB", (picture.width // 2, picture.height // 2))
    picture.convert("RGB").load()
    return 1000 * (time.perf_counter() - began)


@dataclass
class Timing:
    """Milliseconds of a kind of photos: the median and the 95th of a hundred, the stages, the
    yardsticks; what the photos are."""

    kind: Kind
    total: float
    p95: float
    stages: dict
    half: float
    full: float
    megabytes: float
    tiles: float
    peak_mib: float


def measure(program: Program, kind: Kind, files: list[Path]) -> Timing:
    """`Timing` of a kind, the yardsticks between the program's rounds: both meet the same
    machine."""
    readings, peaks, half, full = [], [], [], []
    for turn in range(ROUNDS):
        answers, kib, _ = run(program, [files[0], *files])
        peaks.append(kib / 1024)
        if turn:
            readings += answers[1:]
            half += [decoded(file, True) for file in files]
            full += [decoded(file, False) for file in files]
    unread = [answer for answer in readings if "timings_ms" not in answer]
    if unread:
        sys.exit(f"bench_photos: {kind.name}: not read: {unread[0]}")
    timings = [answer["timings_ms"] for answer in readings]
    totals = [timing["total"] for timing in timings]
    return Timing(
        kind,
        statistics.median(totals),
        percentile(totals, 95),
        {part: statistics.median(t.get(part, 0) for t in timings) for part in (*PARTS, "mirror", "light")},
        statistics.median(half),
        statistics.median(full),
        statistics.mean(file.stat().st_size for file in files) / 1e6,
        statistics.mean(len(answer["tiles"]) for answer in readings),
        max(peaks),
    )


def rates(program: Program, files: list[Path], out: Path) -> tuple[float, float]:
    """(photos a second of a core in a batch, the same of the Python pipeline)."""
    many = bench_batch.copies(files, 60, out / "photos")
    bench = bench_batch.Bench(program.path, out)
    return bench.batch(many, 1).core_rate(), bench.python(many, 1).core_rate()


def verdict(value: float, max_ms: float | None) -> str:
    """A figure's word, if it has a limit."""
    if max_ms is None:
        return ""
    return f"{max_ms:.0f}, {bench_batch.verdict(value <= max_ms)}"


def section(timings: list[Timing], batch: tuple[float, float], load: float) -> str:
    """The generated section."""
    lines = [
        (
            f"Measured {datetime.date.today().isoformat()} with `make bench-photos` on one core of a shared cloud "
            "machine with a "
            f"load of {load:.1f}: {ROUNDS - 1} rounds over 3 to 5 photos of each kind. Compare the program with "
            "libjpeg-turbo beside "
            "it rather than with another machine's milliseconds."
        ),
        "",
        (
            "| photo | MB | tiles seen | bytes to score, median | 95 % | at most | Pillow decodes it at half size "
            "| in full | memory, MiB |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for t in timings:
        lines.append(
            f"| {t.kind.name} | {t.megabytes:.1f} | {t.tiles:.0f} | {t.total:.0f} ms | {t.p95:.0f} | "
            f"{verdict(t.total, t.kind.max_ms)} | "
            f"{half_of(t)} | {t.full:.0f} ms | {t.peak_mib:.0f} |"
        )
    stages = [part for part in timings[0].stages if any(t.stages[part] >= 0.5 for t in timings)]
    lines += [
        "",
        "Where the milliseconds go, in the median:",
        "",
        f"| photo | {' | '.join(stages)} |",
        "|---" * (len(stages) + 1) + "|",
    ]
    for t in timings:
        lines.append(f"| {t.kind.name} | {' | '.join(f'{t.stages[part]:.0f}' for part in stages)} |")
    ours, theirs = batch
    usual = timings[1]
    lines += [
        "",
        "| target | measured | |",
        "|---|---|---|",
        (
            "| 12 megapixels, 20 tiles: at most 0.8 × Pillow's full decoding of the same file | "
            f"{usual.total / usual.full:.2f} × | {bench_batch.verdict(usual.total <= 0.8 * usual.full)} |"
        ),
        (
            f"| `tilesight batch`: at least 14 photos of 3 MB a second of a core | {ours:.1f} | "
            f"{bench_batch.verdict(ours >= 14)} |"
        ),
        f"| at least 2.5 × the Python pipeline | {ours / theirs:.2f} × | {bench_batch.verdict(ours >= 2.5 * theirs)} |",
        (
            f"| memory of one reader, 12 megapixels: at most 150 MiB | {usual.peak_mib:.0f} MiB | "
            f"{bench_batch.verdict(usual.peak_mib <= 150)} |"
        ),
    ]
    return "\n".join(lines)


def half_of(timing: Timing) -> str:
    """The milliseconds of half a JPEG; other kinds are decoded in full."""
    return f"{timing.half:.0f} ms" if timing.kind.ending == "jpg" else "-"


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--models", type=Path, help="another folder of models")
    parser.add_argument("--page", default=ROOT / "docs" / "speed.md", type=Path)
    parser.add_argument("--no-page", action="store_true", help="print only; leave the page alone")
    options = parser.parse_args()
    out = ROOT / "out" / "bench" / "phones"
    program = Program(options.program, options.models)
    timings = []
    for kind in KINDS:
        files = written(kind, out)
        with one_core():
            timings.append(measure(program, kind, files))
        say(f"{kind.name}: {timings[-1].total:.1f} ms")
    with one_core():
        batch = rates(program, written(KINDS[1], out), out.parent / "phones-batch")
    (out.parent / "photos.json").write_text(json.dumps([{**vars(t), "kind": vars(t.kind)} for t in timings]))
    content = section(timings, batch, os.getloadavg()[1])
    if not options.no_page:
        page.write(options.page, "speed", content)
    print(content)


if __name__ == "__main__":
    main()
