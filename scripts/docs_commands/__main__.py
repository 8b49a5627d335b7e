"""Runs the commands of README, docs and the pages beside them as they are printed.

    scripts/docs_commands [PAGE...]        all pages without one

Input: TILESIGHT_PROGRAM, or target/release/tilesight, with its models. Every block of shell of a
page runs in bash, in order, in one scratch folder with what the page takes for granted
(fixtures.py); what it calls is found among the stand-ins first (stand_ins.py). Of a block that
can't run everywhere (`<!-- not run: REASON -->`), and of commands within sentences, the
subcommands, flags and targets must exist. Not run again: terminal output, which
tests/command/docs.rs compares, and blocks with `<!-- run: curl -->`, which clients/check.py runs.

Output: the blocks that failed, with what they printed. Everything that was started is stopped.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from docs_commands import blocks, fixtures, stand_ins

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TILESIGHT_PROGRAM", ROOT / "target" / "release" / "tilesight")).resolve()
# Far longer than any block takes: only one that hangs meets it.
PATIENCE = 300
# What a block starts itself instead of using what was there before, and the command that does.
OWN = (("service", r"tilesight serve|make serve"), ("cluster", "nats-server --jetstream"))


class Place:
    """A scratch folder with stand-ins, and a folder for what runs in the background."""

    def __init__(self, folder: Path, shared: Place | None = None) -> None:
        self.work, self.state, self.bin = folder / "work", folder / "state", folder / "bin"
        for place in (self.work, self.state, self.bin, folder / "home"):
            place.mkdir(parents=True)
        for name in stand_ins.NAMES:
            write_stand_in(self.bin / name, name)
        # The pages name the release, too.
        (self.work / "target" / "release").mkdir(parents=True)
        write_stand_in(self.work / "target" / "release" / "tilesight", "tilesight")
        kept = {
            name: value
            for name, value in os.environ.items()
            if not re.match("TILESIGHT_(?!NATS_SERVER)|MAKE|MFLAGS|CARGO_(?!HOME)", name)
        }
        path = os.pathsep.join([str(self.bin), os.environ["PATH"]])
        names = {
            "DOCS_STATE": self.state,
            "DOCS_SHARED": shared.state if shared else self.state,
            "DOCS_PROGRAM": PROGRAM,
            "DOCS_BIN": self.bin,
        }
        toolchains = {"RUSTUP_HOME": Path.home() / ".rustup", "CARGO_HOME": Path.home() / ".cargo"}
        self.env = {
            **{name: str(place) for name, place in toolchains.items()},
            **kept,
            **{name: str(value) for name, value in names.items()},
            "PATH": path,
            "HOME": str(folder / "home"),
        }

    def run(self, code: str):
        """Runs a block; returns how it ended and what it printed."""
        own = [name for name, command in OWN if re.search(command, code)]
        env = {**self.env, "DOCS_OWN": " ".join(own)}
        command = ["bash", "-euo", "pipefail", "-c", code]
        process = subprocess.Popen(
            command,
            cwd=self.work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=PATIENCE)
            return process.returncode, printed.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            return "no end", printed.decode(errors="replace")

    def stop(self) -> list[Any]:
        """Ends what the last block started; returns what did not end well."""
        faults = []
        for running in self.state.glob("*.running"):
            # A server may end by itself meanwhile, and its supervisor tidies up.
            try:
                process, command = int(running.stem), running.read_text()
                os.kill(process, signal.SIGTERM)
            except (FileNotFoundError, ProcessLookupError):
                continue
            code = ended(self.state / f"{process}.ended", process)
            if code not in ("0", "130", "1" if "nats-server" in command else "0"):
                logs = "\n".join(log.read_text(errors="replace")[-4000:] for log in self.state.glob("*.log"))
                faults.append(f"{command} ended with {code}:\n{logs}")
        for left in self.state.iterdir():
            left.unlink(missing_ok=True)
        return faults


def write_stand_in(file: Path, name: str) -> None:
    """A program that calls its stand-in."""
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent}" --as {name} "$@"\n')
    file.chmod(0o755)


def ended(file: Path, process: Any) -> str:
    """Waits for a process and returns how it ended; kills one that does not end."""
    end = time.monotonic() + stand_ins.PATIENCE
    while time.monotonic() < end:
        if file.exists():
            return file.read_text()
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    return "no end"


def start_shared(place: Place, pages: list[Any]) -> None:
    """The service and the cluster that pages presuppose, where no block starts them."""
    shell = "".join(block.code for page in pages for block in blocks.blocks(page.read_text()) if block.is_shell)
    commands = []
    if stand_ins.SERVICE in shell:
        commands.append("tilesight serve --data jobs")
    if stand_ins.NATS in shell:
        commands.append(f"{ROOT}/scripts/setup-nats; nats-server --jetstream --store_dir nats >/dev/null 2>&1 &")
    code, printed = place.run("\n".join(commands))
    if code != 0:
        sys.exit(f"docs: the service does not start: run `make setup`\n{printed}")


def check_block(place: Place, block: blocks.Block) -> list[str]:
    """Runs a block, or checks what it names; returns what is wrong."""
    if block.problem:
        return [block.problem]
    if block.is_run_elsewhere:
        return []
    if block.reason is not None:
        return [fault for words in blocks.commands(block.code) for fault in check_named(place, words)]
    code, printed = place.run(block.code)
    faults = place.stop()
    if code != 0:
        faults.insert(0, f"ended with {code}:\n{block.code}\n{printed[-4000:]}")
    return faults


def check_named(place: Place, words: list[str]) -> list[str]:
    """Lists what a command names that does not exist: a subcommand, a flag, a target, a script."""
    name, rest = Path(words[0]).name, words[1:]
    if name == "tilesight":
        done = subprocess.run(
            [PROGRAM, *rest, "--help"], cwd=place.work, env=place.env, capture_output=True, text=True, check=False
        )
        stands_for_a_value = re.search("invalid value '[A-Z]+'", done.stderr)
        return (
            [f"`{' '.join(words)}`: {done.stderr.strip()}"] if done.returncode != 0 and not stands_for_a_value else []
        )
    if name == "make":
        targets = re.findall(r"^([\w/-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return [
            f"`make {one}`: there is no such target"
            for one in rest
            if re.fullmatch("[a-z][a-z0-9-]*", one) and one not in targets
        ]
    if words[0].startswith("scripts/") and not (ROOT / words[0]).exists():
        return [f"{words[0]} does not exist"]
    return []


def check_page(page: Path, shared: Place | None) -> list[Any]:
    """Runs the commands of a page and lists what is wrong with them, each with its line."""
    name, text = page.relative_to(ROOT), page.read_text()
    shell = [block for block in blocks.blocks(text) if block.is_shell]
    faults = []
    with tempfile.TemporaryDirectory(prefix="tilesight-docs-") as folder:
        place = Place(Path(folder), shared)
        fixtures.prepare(place.work)
        try:
            for words in blocks.inline(text):
                faults += [f"{name}: {fault}" for fault in check_named(place, words)]
            for block in shell:
                faults += [f"{name}:{block.line}: {fault}" for fault in check_block(place, block)]
        finally:
            # What a block started that was interrupted.
            place.stop()
    counted = [block for block in shell if block.reason is None and not block.is_run_elsewhere]
    if shell:
        print(f"docs: {name}: {len(counted)} of {len(shell)} blocks run", flush=True)
    return faults


def main():
    """The command line."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--as"]:
        return stand_ins.stand_in(arguments[1], arguments[2:])
    if arguments[:1] == ["--supervise"]:
        return stand_ins.supervise(arguments[1], arguments[2:])
    if not PROGRAM.exists():
        sys.exit(f"docs: {PROGRAM} is missing: run `make build`, or set TILESIGHT_PROGRAM")
    others = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "tests/README.md")
    pages = [Path(page).resolve() for page in arguments] or [
        *(ROOT / page for page in others),
        *sorted((ROOT / "docs").glob("*.md")),
    ]
    with tempfile.TemporaryDirectory(prefix="tilesight-docs-") as folder:
        shared = Place(Path(folder))
        try:
            start_shared(shared, pages)
            faults = [fault for page in pages for fault in check_page(page, shared)]
        finally:
            left = shared.stop()
    for fault in [*faults, *left]:
        print(f"docs: {fault}", file=sys.stderr)
    return 1 if faults or left else 0


if __name__ == "__main__":
    sys.exit(main())
