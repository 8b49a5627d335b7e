#!/usr/bin/env python3
"""Fills the README's demo and speed sections with what this machine prints. `make readme` calls it.

Input: target/release/tilesight, the demo sample, our samples, the scoring bench, and PyMahjongGB
and Pillow to run beside.
Output: the text between the markers of README.md. Invariant: every figure is measured in this run,
and stands beside something else that was measured in the same run on the same machine.
"""

import datetime
import io
import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "target" / "release" / "tilesight"
SAMPLES = ROOT / "datasets" / "samples"


def output(*command):
    """Runs a command, which must succeed, and returns what it prints."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"readme: {' '.join(map(str, command))} failed:\n{done.stderr[-800:]}")
    return done.stdout


def found(pattern, text):
    """The number that a pattern's group matches."""
    match = re.search(pattern, text)
    if not match:
        sys.exit(f"readme: no {pattern!r} in:\n{text}")
    return float(match[1])


def demo():
    """The demo's output as a block of text."""
    demo = (SAMPLES / "demo.jpg").relative_to(ROOT)
    text = output(PROGRAM, "read", demo, "--context", demo.with_suffix(".context.json"))
    return "```text\n" + text.rstrip() + "\n```"


def scoring():
    """Our scoring and PyMahjongGB's on the same rows."""
    ours = output("cargo", "bench", "--locked", "--no-default-features", "--bench", "mcr")
    mean, worst = found(r"mean ([\d.]+) µs", ours), found(r"slowest:\s+([\d.]+) µs", ours)
    theirs = output(sys.executable, "scripts/bench_mcr.py")
    their_mean, their_worst = found(r"mean ([\d.]+) µs", theirs), found(r"worst ([\d.]+) µs", theirs)
    return [
        f"| MCR hand of the corpus, mean | {mean:.2f} µs | PyMahjongGB, called from Python: {their_mean:.2f} µs | {their_mean / mean:.1f} × |",
        f"| slowest of its 8,000 hands | {worst:.2f} µs | PyMahjongGB: {their_worst:.1f} µs | {their_worst / worst:.1f} × |",
    ]


def decoding(photos, rounds=5):
    """Median seconds that Pillow (libjpeg-turbo) takes to decode one of the photos."""
    times = []
    for photo in photos:
        data = photo.read_bytes()
        for _ in range(rounds):
            began = time.perf_counter()
            Image.open(io.BytesIO(data)).convert("RGB").load()
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def reading():
    """A photo from bytes to score, beside decoding the same JPEG with Pillow."""
    photos = sorted(SAMPLES.glob("*.jpg"))
    lines = output(PROGRAM, "read", *photos, "--json").splitlines()
    timings = [json.loads(line)["timings_ms"] for line in lines]
    total = statistics.median(t["total"] for t in timings)
    stages = ", ".join(
        f"{stage} {statistics.median(t[stage] for t in timings):.1f}" for stage in timings[0] if stage != "total"
    )
    pillow = decoding(photos) * 1000
    return f"| photo of 1.2 megapixels, bytes to score, median of {len(photos)} | {total:.0f} ms ({stages}) | Pillow decodes its JPEG: {pillow:.1f} ms | 1/{total / pillow:.0f} |"


def speed():
    """The table of speeds."""
    head = [
        f"Measured {datetime.date.today().isoformat()} with `make readme`, one core of a shared cloud machine.",
        "",
        "| what | Tilesight | compared with | ratio |",
        "|---|---|---|---|",
    ]
    return "\n".join(head + scoring() + [reading()])


def filled(text, name, content):
    """The README with one section replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"readme: README.md has no markers for {name}")
    return text[: text.index(begin) + len(begin)] + "\n" + content + "\n" + text[text.index(end) :]


def main():
    """Measures and writes."""
    readme = ROOT / "README.md"
    text = filled(filled(readme.read_text(), "demo", demo()), "speed", speed())
    readme.write_text(text)
    print(text[text.index("<!-- speed") : text.index("<!-- end of speed")])


if __name__ == "__main__":
    main()
