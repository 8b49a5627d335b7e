#!/usr/bin/env python3
"""Fills the README's demo and speed sections with what this machine prints. `make readme` calls it.

Input: target/release/tilesight, the demo sample, the scoring bench, and PyMahjongGB to run beside.
Output: the text between the markers of README.md. Invariant: every figure is measured in this run,
and stands beside something else that was measured in the same run on the same machine. The times of
photos are in docs/speed.md alone, which `make bench-photos` writes.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "target" / "release" / "tilesight"
SAMPLES = ROOT / "datasets" / "samples"


def output(*command: str | Path) -> str:
    """Runs a command, which must succeed, and returns what it prints."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"readme: {' '.join(map(str, command))} failed:\n{done.stderr[-800:]}")
    return done.stdout


def found(pattern: str, text: str) -> float:
    """The number that a pattern's group matches."""
    match = re.search(pattern, text)
    if not match:
        sys.exit(f"readme: no {pattern!r} in:\n{text}")
    return float(match[1])


def demo() -> str:
    """The demo's output as a block of text."""
    demo = (SAMPLES / "demo.jpg").relative_to(ROOT)
    text = output(PROGRAM, "read", demo, "--context", demo.with_suffix(".context.json"))
    return "```text\n" + text.rstrip() + "\n```"


def scoring() -> list[str]:
    """Our scoring and PyMahjongGB's on the same rows."""
    ours = output("cargo", "bench", "--locked", "--no-default-features", "--bench", "mcr")
    mean, worst = found(r"mean ([\d.]+) µs", ours), found(r"slowest:\s+([\d.]+) µs", ours)
    theirs = output(sys.executable, "scripts/bench_mcr.py")
    their_mean, their_worst = found(r"mean ([\d.]+) µs", theirs), found(r"worst ([\d.]+) µs", theirs)
    return [
        (
            f"| MCR hand of the corpus, mean | {mean:.2f} µs | PyMahjongGB, called from Python: {their_mean:.2f} "
            f"µs | {their_mean / mean:.1f} × |"
        ),
        (
            f"| slowest of its 8,000 hands | {worst:.2f} µs | PyMahjongGB: {their_worst:.1f} µs | "
            f"{their_worst / worst:.1f} × |"
        ),
    ]


def speed() -> str:
    """The table of speeds."""
    head = [
        f"Measured {datetime.date.today().isoformat()} with `make readme`, one core of a shared cloud machine.",
        "",
        "| what | Tilesight | compared with | ratio |",
        "|---|---|---|---|",
    ]
    return "\n".join(head + scoring())


def filled(text: str, name: str, content: str) -> str:
    """The README with one section replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"readme: README.md has no markers for {name}")
    return text[: text.index(begin) + len(begin)] + "\n" + content + "\n" + text[text.index(end) :]


def main() -> None:
    """Measures and writes."""
    readme = ROOT / "README.md"
    text = filled(filled(readme.read_text(), "demo", demo()), "speed", speed())
    readme.write_text(text)
    print(text[text.index("<!-- speed") : text.index("<!-- end of speed")])


if __name__ == "__main__":
    main()
