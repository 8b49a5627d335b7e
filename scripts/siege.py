#!/usr/bin/env python3
"""Attacks the release service while ordinary users work, and writes what users experience into
docs/load.md.

Input: target/release/tilesight and our demo photo, enlarged to 12 megapixels. Output: the text
between the markers of docs/load.md; out/siege/siege.json has every time. It fails if a user's
request failed or memory grew. `make check-siege` calls it. Each attack runs alone and then all
together; before each the same users work alone, because the machine may be shared and what matters
is the ratio. The service has one core and one worker, users and attackers have the other. Linux
only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import json
import re
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation.speed import enlarge
from load import bodies, service, users
from load.attackers import ATTACKS
from load.service import LoadError
from load.wrk import percentile

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("phone", "phone2", "table", "club", "attacker", "attacker2")
# What an attack may leave behind, such as connections that wait for their time limit, is not
# counted to the next one.
BETWEEN_S = 3
# Ordinary users' 99th percentile under siege, as a multiple of the same without.
MAX_RATIO = 2.0
# A monitor that gets no answer for longer takes the service for dead.
MAX_LIVEZ_MS = 200
# People wait for these. Photos of jobs give way to requests, so a flood of requests makes them
# wait.
WAITED_FOR = ("photo", "score", "sheet", "sheet seen", "livez", "livez, own listener")
# Pictures of 49 megapixels take 150 MiB each while they are read, for every sender.
MAX_GROWTH_MIB = 300
# What grows from attack to attack is a leak; buffers of the allocator settle.
FLAT = 1.15
WORDS = {
    "unread": "1,200 connections that pipeline and never read",
    "slow_heads": "1,200 request heads at one byte per second",
    "slow_bodies": "120 slow bodies",
    "photos": "photos, 40 at a time",
    "strangers": "requests without a key, 20 at a time",
    "onlookers": "400 viewers of one link",
    "archives": "ZIP archives that unpack to 210 MB each",
    "webhooks": "webhooks to a receiver that never answers",
    "broken": "images that declare huge sizes",
    "churn": "connections opened and closed",
    "large_answers": "answers to a reading of 140 kB with 64 doubts, 2 at a time",
    "small_answers": "answers to a reading of 1 kB, 8 at a time",
    "lists": "results, review and errors of a job of 1,000 photos, 8 at a time",
    "grid": "photos of a grid of equal faces, 4 at a time",
    "pictures": "pictures of a few kilobytes and 16 to 49 megapixels, 4 at a time",
}


@dataclass(frozen=True)
class Photos:
    """The file of the users' photo, and the folder of what the attackers send."""

    photo: Path
    bodies: Path


def say(text: str) -> None:
    """Progress, kept apart from the figures."""
    print(text, file=sys.stderr, flush=True)


def keys(program: Path, folder: Path) -> tuple[Path, dict[Any, Any]]:
    """A file with keys, and the keys by their names."""
    file, secrets = folder / "keys.txt", {}
    for name in NAMES:
        made = subprocess.run(
            [program, "keys", "new", name, "--file", file, "--rate", "6000"], capture_output=True, text=True, check=True
        )
        secrets[name] = re.search(r"tilesight_\S+", made.stdout)[0]
    return file, secrets


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def besieged(secrets: dict[str, str], port: int, photos: Any, seconds: float, attacks: list[str]) -> Iterator[None]:
    """Attackers in a process of their own, while this lasts."""
    if not attacks:
        yield
        return
    keys = ",".join(secrets[name] for name in NAMES if name.startswith("attacker"))
    command = [
        sys.executable,
        str(ROOT / "scripts/load/attackers.py"),
        "--port",
        str(port),
        "--keys",
        keys,
        "--photo",
        str(photos.photo),
        "--bodies",
        str(photos.bodies),
        "--seconds",
        str(seconds + 5),
        *attacks,
    ]
    core = service.cores()[1]
    # Politer than the users, who share the core with them: what is measured is the service.
    # No thread has begun yet that `preexec_fn` could disturb.
    process = subprocess.Popen(["nice", "-n", "10", *command], preexec_fn=service.on_core(core))  # noqa: PLW1509
    try:
        yield
        if process.poll() not in (None, 0):
            raise LoadError(f"the attackers ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def run(
    running: service.Service,
    ports: tuple[int, int],
    secrets: dict[str, str],
    photos: Any,
    seconds: float,
    attacks: list[str],
) -> dict[str, Any]:
    """Runs these attacks for so many seconds; returns the users' figures, with the service's memory
    after them."""
    keys = [secrets[name] for name in NAMES if not name.startswith("attacker")]
    with besieged(secrets, ports[0], photos, seconds, attacks):
        figures = asyncio.run(users.work(ports[0], ports[1], keys, photos.photo.read_bytes(), seconds))
    return {**figures.as_json(), "peak_mib": running.peak_mib()}


def ratios(alone: dict[str, Any], under: dict[str, Any]) -> dict[str, float]:
    """{kind of request: its 99th percentile as a multiple of the same alone}."""
    return {
        kind: percentile(took, 99) / percentile(alone["took"][kind], 99)
        for kind, took in under["took"].items()
        if alone["took"].get(kind)
    }


def waited_for(of: dict[str, float]) -> dict[str, float]:
    """The ratios of the kinds of request that people wait for."""
    return {kind: ratio for kind, ratio in of.items() if kind in WAITED_FOR}


def rows(alone: dict[str, Any], runs: dict[str, dict[str, Any]]) -> list[str]:
    """The table: a row for each attack."""
    kinds = ("photo", "score", "sheet", "sheet seen", "job done", "livez", "livez, own listener")
    lines = ["| attack | " + " | ".join(kinds) + " | failed | peak memory |", "|---" * (len(kinds) + 3) + "|"]
    p99 = {kind: percentile(alone["took"][kind], 99) for kind in kinds}
    none = " | ".join(f"{p99[kind]:,.0f} ms" for kind in kinds)
    lines.append(f"| none: p99 | {none} | {len(alone['failures'])} | {alone['peak_mib']:.0f} MiB |")
    for name, under in runs.items():
        of = ratios(alone, under)
        cells = " | ".join(f"{of[kind]:.1f} ×" if kind in of else "-" for kind in kinds)
        lines.append(f"| {WORDS.get(name, name)} | {cells} | {len(under['failures'])} | {under['peak_mib']:.0f} MiB |")
    return lines


def verdicts(alone: dict[str, Any], runs: dict[str, dict[str, Any]]) -> list[tuple[str, bool]]:
    """The guarantees, and whether each was kept."""
    failed = sum(len(under["failures"]) for under in runs.values())
    requests = sum(len(took) for under in runs.values() for took in under["took"].values())
    worst = {
        name: max(of.items(), key=lambda one: one[1])
        for name, under in runs.items()
        if (of := waited_for(ratios(alone, under)))
    }
    over = {name: one for name, one in worst.items() if one[1] > MAX_RATIO}
    *peaks, last = (under["peak_mib"] for under in runs.values())
    peak = max([*peaks, alone["peak_mib"]])
    slow = "; ".join(f"{WORDS.get(name, name)}: {kind} {ratio:.1f} ×" for name, (kind, ratio) in over.items())
    longest = max(
        took for under in runs.values() for kind in ("livez", "livez, own listener") for took in under["took"][kind]
    )
    return [
        (f"no user request fails: {failed} of {requests} failed", not failed),
        (
            f"the p99 of interactive requests stays within {MAX_RATIO:.0f} × of the p99 without attackers"
            + (f": {slow}" if over else ""),
            not over,
        ),
        (f"`/livez` answers within 0.2 s: {longest:.0f} ms at the longest", longest <= MAX_LIVEZ_MS),
        (
            (
                f"memory stays flat: {alone['peak_mib']:.0f} MiB without attackers, {peak:.0f} MiB at the most "
                "under one attack, "
                f"{last:.0f} MiB under all of them at the end"
            ),
            last <= FLAT * peak and peak <= alone["peak_mib"] + MAX_GROWTH_MIB,
        ),
    ]


def section(seconds: float, alone: dict[str, Any], runs: dict[str, dict[str, Any]]) -> str:
    """The generated section."""
    lines = [
        (
            f"Measured {datetime.date.today().isoformat()} with `make check-siege`, {seconds} s for each row, on a "
            "shared cloud machine: "
            "the service with one worker on one core, users and attackers on the other, over loopback. Each figure "
            "is the users' "
            "99th percentile as a multiple of the one without attackers. Four users send photos, typed hands, "
            "entries of a game "
            "and jobs, and never retry; attackers have two addresses and two keys."
        ),
        "",
    ]
    lines += ["| guarantee | |", "|---|---|"]
    lines += [f"| {text} | {'kept' if kept else '**not kept**'} |" for text, kept in verdicts(alone, runs)]
    return "\n".join([*lines, "", *rows(alone, runs)])


def filled(text: str, content: str) -> str:
    """docs/load.md with its section replaced."""
    begin, end = "<!-- siege -->", "<!-- end of siege -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit("siege: docs/load.md has no `siege` markers")
    return text[: text.index(begin) + len(begin)] + "\n" + content + "\n" + text[text.index(end) :]


def measure(program: Path, photos: Any, seconds: float, attacks: list[str]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """(users alone, {attack: users under it}); all attacks together are the last."""
    with tempfile.TemporaryDirectory(prefix="tilesight-siege-") as folder:
        folder = Path(folder)
        file, secrets = keys(program, folder)
        health = free_port()
        flags = [
            "--keys",
            str(file),
            "--data",
            str(folder / "data"),
            "--health-listen",
            f"127.0.0.1:{health}",
            "--webhooks-anywhere",
            "--write-timeout",
            "5",
        ]
        with service.running(program, *flags) as running:
            ports = (int(running.address.rsplit(":", 1)[1]), health)
            run(running, ports, secrets, photos, 3, [])
            alone = run(running, ports, secrets, photos, seconds, [])
            say(f"alone: {len(alone['failures'])} failed")
            runs = {}
            for name, names in [*((one, [one]) for one in attacks), ("all together", list(attacks))]:
                running.forget_peak()
                runs[name] = run(running, ports, secrets, photos, seconds, names)
                worst = max(ratios(alone, runs[name]).items(), key=lambda one: one[1], default=("nothing", 0))
                say(f"{name}: {len(runs[name]['failures'])} failed, worst {worst[0]} {worst[1]:.1f} ×")
                subprocess.run(["sleep", str(BETWEEN_S)], check=True)
    return alone, runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--page", default=ROOT / "docs" / "load.md", type=Path)
    parser.add_argument("--seconds", default=30, type=int, help="for each attack")
    parser.add_argument("--attacks", nargs="+", default=ATTACKS, choices=ATTACKS)
    parser.add_argument("--dry", action="store_true", help="print, and leave the page as it is")
    arguments = parser.parse_args()
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard_limit, 65_536), hard_limit))
    out = ROOT / "out" / "siege"
    demo = ROOT / "datasets" / "samples" / "demo.jpg"
    photos = Photos(enlarge([demo], out)[0], bodies.write(demo, demo.with_suffix(".json"), out / "bodies"))
    try:
        alone, runs = measure(arguments.program, photos, arguments.seconds, arguments.attacks)
    except LoadError as error:
        sys.exit(f"siege: {error}")
    (out / "siege.json").write_text(json.dumps({"alone": alone, **runs}))
    content = section(arguments.seconds, alone, runs)
    print(content)
    for name, under in runs.items():
        for failure in sorted(set(under["failures"]))[:10]:
            say(f"FAILED  {name}: {failure}")
    if not arguments.dry:
        arguments.page.write_text(filled(arguments.page.read_text(), content))
    if not all(kept for _, kept in verdicts(alone, runs)):
        sys.exit("siege: a guarantee was not kept")


if __name__ == "__main__":
    main()
