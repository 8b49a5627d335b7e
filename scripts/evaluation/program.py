"""Runs the real `tilesight` program and reads what it prints. Standard library only.

Input: paths of photos or crops. Output: one dictionary for each, in order, and the seconds it took.
Invariant: a photo that the program refuses counts as read wrongly (status "error"); a program that fails altogether stops
the evaluation, since figures over half the photos would look like figures over all.
"""
import json
import subprocess
import time

# Enough photos for loading the models not to matter, few enough that progress can be shown.
BATCH = 12


class ProgramError(Exception):
    """The program did not run, or did not print one line of JSON for each file."""


def read_photos(program, paths, say=None):
    """Readings of photos: [(reading, seconds)]."""
    return _in_batches([str(program), "read"], paths, say)


def classify_crops(program, paths, say=None):
    """Classes of single-tile pictures: [(answer, seconds)]."""
    return _in_batches([str(program), "classify"], paths, say, batch=100)


def _in_batches(command, paths, say, batch=BATCH):
    answers = []
    for start in range(0, len(paths), batch):
        answers += _one_batch(command, paths[start:start + batch])
        if say:
            say(f"{len(answers)} of {len(paths)}")
    return answers


def _one_batch(command, paths):
    began = time.monotonic()
    try:
        done = subprocess.run(command + [str(p) for p in paths] + ["--json"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ProgramError(f"{command[0]} does not run: {error}. Build it with: cargo build --release") from error
    each = (time.monotonic() - began) / max(1, len(paths))
    answers = parse_lines(done.stdout)
    if len(answers) != len(paths):
        raise ProgramError(
            f"{' '.join(command)} printed {len(answers)} answers for {len(paths)} files (exit {done.returncode}): "
            + done.stderr.strip()[-400:])
    return [(answer, seconds_of(answer, each)) for answer in answers]


def parse_lines(text):
    """One JSON document a line; `reading` is unwrapped, an error becomes a reading with status "error"."""
    answers = []
    for line in text.splitlines():
        if not line.strip():
            continue
        answer = json.loads(line)
        if isinstance(answer.get("reading"), dict):
            answer = {**answer, **answer.pop("reading")}
        if "error" in answer or ("type" in answer and "tiles" not in answer and "tile" not in answer):
            answer = {"status": "error", "tiles": [], "hand": None, "problem": answer}
        answers.append(answer)
    return answers


def seconds_of(answer, fallback):
    """The program's own time for a photo if it tells one (`timings_ms`), else its share of the batch's time."""
    timing = answer.get("timings_ms") or answer.get("timing_ms")
    if isinstance(timing, dict) and timing:
        return timing.get("total", sum(v for v in timing.values() if isinstance(v, (int, float)))) / 1000
    return fallback
