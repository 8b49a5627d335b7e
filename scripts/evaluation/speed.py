"""Speed and memory of one reader on 12-megapixel photos, beside Pillow decoding the same files.
Linux; photos need Pillow.

Input: the program and some photos. Output: `Speed`. Everything runs on one core. Wall times are the
program's own (`timings_ms`), each photo's fastest of three runs, because the machine may be shared;
the processor time of a photo is the slope between a run of all photos once and a run of all photos
three times, so loading the models is not in it. Peak memory is the kernel's record of the process
that read them all.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from evaluation.program import ProgramError, parse_lines

SIZE = (4032, 3024)
RUNS = 3
PARTS = ("decode", "detect", "refine", "classify", "layout", "joint", "score")
# A small process in between: the kernel's record of a child starts from its parent's memory, which
# pictures have made large here.
LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(pid, 0)
print(json.dumps({"kib": used.ru_maxrss, "cpu_s": used.ru_utime + used.ru_stime}), file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass
class Speed:
    """Milliseconds of one photo: `total` and `parts` of wall time, `cpu` of the processor; the same
    of Pillow; MiB at the peak."""

    total: float | None = None
    parts: dict = field(default_factory=dict)
    cpu: float | None = None
    pillow: float | None = None
    pillow_cpu: float | None = None
    peak_mib: float | None = None
    photos: int = 0
    load: float | None = None


def enlarge(paths: Any, folder: Path) -> list[Any]:
    """JPEG files of 4032 x 3024 pixels in `folder`, resized from these landscape photos."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    large = []
    for path in map(Path, paths):
        large.append(folder / f"{path.stem}-12mp.jpg")
        if not large[-1].exists():
            Image.open(path).convert("RGB").resize(SIZE, Image.BICUBIC).save(large[-1], quality=90)
    return large


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Binds this process, and those it starts, to the last of its cores."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def run(program: Any, paths: Any) -> tuple[list[dict[str, Any]], Any, Any]:
    """(readings, KiB at the peak, seconds of the processor) of one process that reads these
    photos."""
    command = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(program.path), "read", *map(str, paths), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=program.environment())
    answers = parse_lines(done.stdout)
    if len(answers) != len(paths):
        raise ProgramError(
            f"{program.path} printed {len(answers)} answers for {len(paths)} photos: {done.stderr.strip()[-400:]}"
        )
    used = json.loads(done.stderr.strip().splitlines()[-1])
    return answers, used["kib"], used["cpu_s"]


def fastest(readings: list[dict[str, dict[str, int]]], photos: int) -> list[dict[str, int]]:
    """Of readings of the same photos again and again: each photo's timings in its fastest run."""
    rounds = [readings[k::photos] for k in range(photos)]
    return [min((r["timings_ms"] for r in some), key=lambda t: t["total"]) for some in rounds]


def pillow(paths: Any) -> tuple[Any, Any]:
    """(wall, processor) milliseconds of Pillow's decoding each photo to RGB: median over photos of
    the fastest of three."""
    from PIL import Image

    walls, cpus = [], []
    for path in paths:
        times = []
        for _ in range(RUNS):
            wall, cpu = time.perf_counter(), time.process_time()
            Image.open(path).convert("RGB").load()
            times.append((time.perf_counter() - wall, time.process_time() - cpu))
        walls.append(1000 * min(wall for wall, _ in times))
        cpus.append(1000 * min(cpu for _, cpu in times))
    return median(walls), median(cpus)


def measure(program: Any, paths: Any) -> Speed:
    """`Speed` over these photos."""
    paths = list(paths)
    with one_core():
        once, first_kib, once_cpu = run(program, paths)
        again, kib, all_cpu = run(program, paths * RUNS)
        walls, cpus = pillow(paths)
    best = fastest(once + again, len(paths))
    return Speed(
        total=median(t["total"] for t in best),
        parts={part: median(t.get(part, 0) for t in best) for part in PARTS},
        cpu=1000 * (all_cpu - once_cpu) / (len(paths) * (RUNS - 1)),
        pillow=walls,
        pillow_cpu=cpus,
        peak_mib=max(first_kib, kib) / 1024,
        photos=len(paths),
        load=os.getloadavg()[0],
    )


def models_megabytes(folder: Path) -> float:
    """Size of what a reader loads, in MB (10^6 bytes): networks and manifest."""
    return sum(path.stat().st_size for path in Path(folder).iterdir() if path.suffix in (".onnx", ".json")) / 1e6
