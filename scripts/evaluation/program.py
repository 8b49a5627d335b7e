"""Runs the real `tilesight` program and reads what it prints. Standard library only.

Input: paths of photos or crops. Output: one dictionary for each, in order, and the seconds it took.
Invariant: a photo that the program refuses counts as read wrongly (status "error"); a program that
fails altogether stops the evaluation, since figures over half the photos would look like figures
over all.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Enough photos for loading the models not to matter, few enough that progress can be shown.
BATCH = 12
# Pictures to give to the program.
Paths = Sequence[str] | Sequence[Path]


class ProgramError(Exception):
    """The program did not run, or did not print one line of JSON for each file."""


@dataclass(frozen=True)
class Program:
    """The program's file and the folder of the models it is to load (None: its own choice)."""

    path: Path
    models: Path | None = None

    def read(self, paths: Paths, say: Any = None, flags: Sequence[str] = ()) -> list[tuple[Any, float]]:
        """Readings of photos with this win context: [(reading, seconds)]."""
        return self._in_batches("read", ["--json", *flags], parse_lines, paths, say)

    def classify(self, paths: Paths, say: Any = None) -> list[tuple[Any, float]]:
        """Classes of single-tile pictures: [(answer, seconds)]."""
        return self._in_batches("classify", ["--json"], parse_lines, paths, say, batch=100)

    def stage(self, name: str, paths: Paths, say: Any = None) -> list[Any]:
        """The results of one stage of reading, for each photo."""
        answers = self._in_batches("read", ["--stage", name], json_lines, paths, say)
        return [answer for answer, _ in answers]

    def overlay(self, path: str | Path, picture: str | Path, flags: Sequence[str] = ()) -> None:
        """Draws the reading of a photo onto it, as a PNG."""
        command = [str(self.path), "read", str(path), "--overlay", str(picture), *flags]
        subprocess.run(command, capture_output=True, check=False, env=self.environment())

    def environment(self) -> dict[str, str]:
        """The environment to run it in: models that were named here are meant, so the program is
        given their manifest's hash."""
        if not self.models:
            return dict(os.environ)
        environment = {"TILESIGHT_MODELS": str(self.models)}
        manifest = Path(self.models) / "manifest.json"
        if manifest.is_file():
            environment["TILESIGHT_MODELS_SHA256"] = hashlib.sha256(manifest.read_bytes()).hexdigest()
        return {**os.environ, **environment}

    def _in_batches(
        self, verb: str, flags: list[str], parse: Callable, paths: Paths, say: Any, batch: int = BATCH
    ) -> list[tuple[dict[str, Any] | list[dict[str, str]], float]]:
        answers = []
        for start in range(0, len(paths), batch):
            answers += self._one_batch(verb, flags, parse, paths[start : start + batch])
            if say:
                say(f"{' '.join([verb] + flags)}: {len(answers)} of {len(paths)}")
        return answers

    def _one_batch(self, verb: str, flags: list[str], parse: Callable, paths: Paths) -> list[tuple[Any, float]]:
        command = [str(self.path), verb] + [str(p) for p in paths] + flags
        began = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment())
        except OSError as error:
            raise ProgramError(f"{self.path} does not run: {error}. Build it with: cargo build --release") from error
        each = (time.monotonic() - began) / max(1, len(paths))
        answers = parse(done.stdout)
        if len(answers) != len(paths):
            raise ProgramError(
                f"{self.path} {verb} printed {len(answers)} answers for {len(paths)} files (exit {done.returncode}): "
                + done.stderr.strip()[-400:]
            )
        return [(answer, seconds_of(answer, each)) for answer in answers]


def json_lines(text: str) -> list[Any]:
    """Parses one JSON document a line, unchanged."""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def parse_lines(text: str) -> list[dict[str, Any]]:
    """Parses one JSON document a line; `reading` is unwrapped, an error becomes a reading with
    status "error"."""
    answers = []
    for answer in json_lines(text):
        if isinstance(answer.get("reading"), dict):
            answer = {**answer, **answer.pop("reading")}
        if "error" in answer or ("type" in answer and "tiles" not in answer and "tile" not in answer):
            answer = {"status": "error", "tiles": [], "hand": None, "problem": answer}
        answers.append(answer)
    return answers


def seconds_of(answer: dict[str, Any] | list[dict[str, str]], fallback: float) -> float:
    """The program's own time for a photo if it tells one (`timings_ms`), else its share of the
    batch's time."""
    timing = answer.get("timings_ms") if isinstance(answer, dict) else None
    if isinstance(timing, dict) and timing:
        return timing.get("total", sum(v for v in timing.values() if isinstance(v, (int, float)))) / 1000
    return fallback
