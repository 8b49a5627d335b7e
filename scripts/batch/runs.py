"""Runs of programs over many photos: how long, how much of the processor, how much memory. Linux.

Input: a command and what it reads from standard input. Output: a `Run`. Invariant: the processor's
time is the kernel's own count of the command and all its children, so that it means the same on a
machine that others use too; wall time does not.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MIB = 1024 * 1024


class RunError(Exception):
    """A command did not do what it was run for."""


@dataclass
class Run:
    """Figures of a run: photos, seconds of wall and of the processor, memory in MiB by the share of
    photos that were done."""

    photos: int
    wall: float
    cpu: float
    memory: list = field(default_factory=list)

    def rate(self) -> float:
        """Photos a second."""
        return self.photos / self.wall

    def core_rate(self) -> float:
        """Photos a second of one core's time."""
        return self.photos / self.cpu

    def cpu_ms(self) -> float:
        """Milliseconds of a core that a photo takes."""
        return 1000 * self.cpu / self.photos


def measure(
    command: Sequence[Path | str | int],
    photos: int,
    lines: Sequence[Path | str],
    allowed: tuple[int, int] = (0, 1),
    env: dict[str, str] | None = None,
    watch: Path | None = None,
) -> Run:
    """Runs a command with lines on standard input; `watch` is a file whose rows tell how far it is,
    and then memory is noted."""
    before, began = os.times(), time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )
    samples, over = [], threading.Event()
    watcher = threading.Thread(target=sample, args=(process.pid, watch, samples, over), daemon=True)
    watcher.start()
    _, errors = process.communicate("\n".join(map(str, lines)) + "\n")
    over.set()
    watcher.join()
    after, wall = os.times(), time.perf_counter() - began
    if process.returncode not in allowed:
        raise RunError(f"{command[0]} ended with {process.returncode}: {errors.strip()[-600:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(photos, wall, cpu, [(rows / photos, mib) for rows, mib in samples])


def sample(pid: int, watch: Path | None, samples: list[Any], over: threading.Event, period: float = 0.5) -> None:
    """Notes rows written and memory in use, now and then, until it is over."""
    if watch is None:
        return
    counted = Rows(watch)
    while not over.wait(period):
        memory = resident(pid)
        if memory is not None:
            samples.append((counted.now(), memory))


class Rows:
    """The rows of a file that grows, each counted once."""

    def __init__(self, path: Path) -> None:
        self.path, self.at, self.rows = path, 0, 0

    def now(self) -> int:
        """Counts the rows that the file has by now."""
        try:
            with Path(self.path).open("rb") as file:
                file.seek(self.at)
                while part := file.read(MIB):
                    self.at += len(part)
                    self.rows += part.count(b"\n")
        except FileNotFoundError:
            pass
        return self.rows


def resident(pid: int) -> float | None:
    """MiB that a process has in memory, or None when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmRSS:")), None)
    return int(line.split()[1]) / 1024 if line else None


def around(samples: list[tuple[float, float]], share: float, width: float = 0.05) -> float | None:
    """The mean memory while about this share of the photos was done; None where nothing was noted
    then."""
    near = [mib for done, mib in samples if abs(done - share) <= width]
    return sum(near) / len(near) if near else None
