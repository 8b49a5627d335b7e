#!/usr/bin/env python3
"""Measures `tilesight batch` and writes the figures into docs/batch.md. `make bench-batch` calls
it.

Input: target/release/tilesight, models/, and our samples enlarged to 12 megapixels, as phones take
them. Output: the text between the markers of docs/batch.md; out/bench/batch.json has every run.
Measured: a batch beside the bare pipeline (`tilesight read`, one photo after the other), which is
what the queue and the store cost; beside a Python pipeline on onnxruntime and OpenCV with the same
networks (scripts/batch/pipeline.py); and memory over many photos. Every photo is a file of its own:
copies of our samples with a few bytes behind the JPEG's end, which no decoder reads. Linux only.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from batch import runs
from evaluation.speed import enlarge, one_core

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = sorted((ROOT / "datasets" / "samples").glob("9*.jpg"))
# Small photos for the run that is about memory: 10,000 of them in minutes.
SMALL = 400
# Shares of the photos at which memory is compared: the first tenth is for buffers to reach their
# sizes.
SHARES = (0.1, 0.5, 0.95)
# MiB that are no growth: what an allocator gives back or not.
SAME = 16


def say(text: str) -> None:
    """Progress, kept apart from the figures."""
    print(text, file=sys.stderr, flush=True)


def copies(sources: list[Path], count: int, folder: Path) -> list[Any]:
    """Writes `count` different files that show what the sources show, in turn."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    contents = [path.read_bytes() for path in sources]
    files = []
    for number in range(count):
        files.append(folder / f"{number:05}.jpg")
        files[-1].write_bytes(contents[number % len(contents)] + f"{number:05}".encode())
    return files


def shrunk(paths: list[Path], folder: Path) -> list[Any]:
    """The photos with a longer side of SMALL pixels."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    small = []
    for path in paths:
        small.append(folder / path.name)
        image = Image.open(path).convert("RGB")
        image.thumbnail((SMALL, SMALL))
        image.save(small[-1], quality=90)
    return small


class Bench:
    """The commands that are compared."""

    def __init__(self, program: Path, out: Path) -> None:
        self.program, self.out = program, out

    def batch(self, files: list[Path], jobs: int, watch: bool = False) -> runs.Run:
        """`tilesight batch` into an empty folder."""
        results = self.out / "results"
        shutil.rmtree(results, ignore_errors=True)
        watched = results / "results.jsonl.partial" if watch else None
        run = runs.measure(
            [self.program, "batch", "-", "--out", results, "--jobs", jobs, "--quiet"], len(files), files, watch=watched
        )
        self.check(results / "results.jsonl", files)
        return run

    def bare(self, files: list[Path]) -> runs.Run:
        """The pipeline without queue and store: `tilesight read`, which is one thread."""
        rows = self.out / "read.jsonl"
        command = ["sh", "-c", f'tr "\\n" "\\0" | xargs -0 "{self.program}" read --json > "{rows}"']
        run = runs.measure(command, len(files), files, allowed=(0, 123))
        self.check(rows, files)
        return run

    def python(self, files: list[Path], processes: int) -> runs.Run:
        """Runs the pipeline in Python, scripts/batch/pipeline.py."""
        rows = self.out / "python.jsonl"
        command = [sys.executable, ROOT / "scripts" / "batch" / "pipeline.py", ROOT / "models", processes, rows]
        run = runs.measure(command, len(files), files, env={"PYTHONPATH": str(ROOT / "scripts")})
        self.check(rows, files)
        return run

    @staticmethod
    def check(rows: Any, files: list[Path]) -> None:
        """A run that left photos out is no run."""
        written = sum(1 for _ in rows.open())
        if written != len(files):
            sys.exit(f"bench_batch: {rows} has {written} rows for {len(files)} photos")


def same_tiles(out: Path) -> float:
    """The share of the program's tiles that the Python pipeline names alike: they do the same work,
    though not more."""

    def counted(names: Any):
        return Counter(name for name in names if name not in ("none", "back"))

    theirs = {row["id"]: counted(row["tiles"] or []) for row in map(json.loads, (out / "python.jsonl").open())}
    alike = seen = 0
    for row in map(json.loads, (out / "results" / "results.jsonl").open()):
        ours = counted(tile["tile"] for tile in row["reading"]["tiles"]) if "reading" in row else Counter()
        seen += ours.total()
        alike += (ours & theirs[row["id"]]).total()
    return alike / max(seen, 1)


def compare(bench: Bench, files: list[Path]) -> tuple[dict[Any, Any], float, int]:
    """{name: Run}: each on one core, then on all."""
    cores = len(os.sched_getaffinity(0))
    measured = {}
    with one_core():
        for name, run in {
            "bare": lambda: bench.bare(files),
            "batch": lambda: bench.batch(files, 1),
            "python": lambda: bench.python(files, 1),
        }.items():
            measured[name] = run()
            say(
                f"{name}, one core: {measured[name].cpu_ms():.1f} ms of a core a photo, "
                f"{measured[name].rate():.1f} photos a second"
            )
    same = same_tiles(bench.out)
    for name, run in {
        "batch on all cores": lambda: bench.batch(files, cores),
        "python on all cores": lambda: bench.python(files, cores),
    }.items():
        measured[name] = run()
        say(f"{name}: {measured[name].cpu_ms():.1f} ms of a core a photo, {measured[name].rate():.1f} photos a second")
    return measured, same, cores


def verdict(reached: bool) -> str:
    """A word for a target."""
    return "reached" if reached else "**missed**"


def section(measured: dict[str, Any], same: float, cores: int, memory: runs.Run, load: float) -> str:
    """The generated section."""
    count = measured["batch"].photos
    bare, batch, python = (measured[name] for name in ("bare", "batch", "python"))
    cost, ratio = batch.cpu / bare.cpu - 1, python.cpu / batch.cpu
    marks = {share: runs.around(memory.memory, share) for share in SHARES}
    growth = (marks[0.95] or 0) - (marks[0.1] or 0)
    rows = [
        ("bare pipeline: `tilesight read`, one thread", bare),
        ("`tilesight batch --jobs 1`", batch),
        ("Python: onnxruntime, OpenCV, one process", python),
        (f"`tilesight batch --jobs {cores}`", measured["batch on all cores"]),
        (f"Python, {cores} processes", measured["python on all cores"]),
    ]
    return "\n".join(
        [
            (
                f"Measured {datetime.date.today().isoformat()} with `make bench-batch`, {cores} cores of a shared "
                f"cloud machine with a load of {load:.1f} on average: compare processor times rather than wall-clock "
                f"times. {count:,} photos of 12 megapixels; the first three rows on one core."
            ),
            "",
            "| | processor time per photo | photos per second and core | photos per second, wall clock |",
            "|---|---|---|---|",
            *(f"| {name} | {run.cpu_ms():.1f} ms | {run.core_rate():.1f} | {run.rate():.1f} |" for name, run in rows),
            "",
            "| target | measured | |",
            "|---|---|---|",
            (
                f"| at least 2 × the photos per second and core of the Python pipeline | {ratio:.2f} × | "
                f"{verdict(ratio >= 2)} |"
            ),
            f"| queue and store cost less than 5 % of the bare pipeline | {cost:+.1%} | {verdict(cost < 0.05)} |",
            (
                f"| memory does not grow over {memory.photos:,} photos | "
                f"{', '.join(f'{marks[share] or 0:.0f} MiB at {share:.0%}' for share in SHARES)}; "
                f"at most {max(mib for _, mib in memory.memory):.0f} MiB | {verdict(growth < SAME)} |"
            ),
            "",
            (
                f"The Python pipeline gives {same:.1%} of the tiles the same name as the program: up to that "
                "point both do the same work."
            ),
        ]
    )


def filled(text: str, content: str) -> str:
    """docs/batch.md with its section replaced."""
    begin, end = "<!-- batch -->", "<!-- end of batch -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit("bench_batch: docs/batch.md has no markers")
    return text[: text.index(begin) + len(begin)] + "\n" + content + "\n" + text[text.index(end) :]


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--photos", default=1_000, type=int, help="of 12 megapixels, for the comparison")
    parser.add_argument("--small", default=10_000, type=int, help="for the run that is about memory")
    parser.add_argument("--page", default=ROOT / "docs" / "batch.md", type=Path)
    options = parser.parse_args()
    out = ROOT / "out" / "bench" / "batch"
    bench = Bench(options.program, out)
    try:
        large = copies(enlarge(SAMPLES, out.parent / "large"), options.photos, out / "photos")
        measured, same, cores = compare(bench, large)
        small = copies(shrunk(SAMPLES, out.parent / "small"), options.small, out / "photos")
        memory = bench.batch(small, cores, watch=True)
        say(f"memory: {[(share, runs.around(memory.memory, share)) for share in SHARES]}")
    except runs.RunError as error:
        sys.exit(f"bench_batch: {error}")
    shutil.rmtree(out / "photos")
    (out / "batch.json").write_text(
        json.dumps({name: vars(run) for name, run in {**measured, "memory": memory}.items()})
    )
    content = section(measured, same, cores, memory, os.getloadavg()[1])
    options.page.write_text(filled(options.page.read_text(), content))
    print(content)


if __name__ == "__main__":
    main()
