#!/usr/bin/env python3
"""Runs the shell steps of a job of .github/workflows on this machine.

    scripts/workflow.py WORKFLOW JOB [STEP...]     such as `release pack Pack Check`

Input: a workflow in the plain form that ours have: two spaces a level, a step's keys below each
other, commands on one line or as a block. Output: that of the steps; it ends with the first that
fails. What a forge brings itself (`uses`) is not run, and a step for another system is left out.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".github" / "workflows"
SYSTEMS = {"Linux": "Linux", "Darwin": "macOS", "Windows": "Windows"}


@dataclass
class Step:
    """A step: its name, its keys, and its commands."""

    keys: dict = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.keys.get("name", self.keys.get("uses", ""))

    def is_for(self, system: str) -> bool:
        """Tells whether the step runs on a system."""
        condition = self.keys.get("if", "")
        named = re.search(r"runner\.os == '(\w+)'", condition)
        return named is None or named.group(1) == system


def jobs(text: str) -> dict[str, list[str]]:
    """The lines of each job, by name."""
    found, name = {}, None
    for line in text.partition("\njobs:\n")[2].splitlines():
        begun = re.match(r"  (\w[\w-]*):$", line)
        if begun:
            name = begun.group(1)
            found[name] = []
        elif name:
            found[name].append(line)
    return found


def steps(lines: list[str]) -> list[Step]:
    """The steps of a job."""
    found, block = [], None
    for line in lines[lines.index("    steps:") + 1 :]:
        entry = re.match(r"(      - |        )([\w-]+): ?(.*)$", line)
        if entry:
            dash, key, value = entry.groups()
            if "-" in dash:
                found.append(Step())
            block = key if value in ("|", "") else None
            found[-1].keys[key] = "" if block else re.sub(r"^'(.*)'$", r"\1", value)
        elif block and found:
            found[-1].keys[block] += line.removeprefix("          ") + "\n"
    return found


def read(workflow: str, job: str) -> list[Step]:
    """The steps of a job of a workflow of ours."""
    file = FOLDER / f"{workflow}.yml"
    known = jobs(file.read_text()) if file.is_file() else {}
    if job not in known:
        sys.exit(f"workflow: {file} has no job {job}")
    return steps(known[job])


def main(arguments: list[str]) -> None:
    """The command line."""
    if len(arguments) < 2:
        sys.exit(__doc__)
    workflow, job, *names = arguments
    for step in read(workflow, job):
        commands = step.keys.get("run")
        system = SYSTEMS.get(platform.system(), "")
        if commands is None or not step.is_for(system) or (names and step.name not in names):
            print(f"workflow: {step.name}: not run here", flush=True)
            continue
        print(f"workflow: {step.name}", flush=True)
        folder = ROOT / step.keys.get("working-directory", ".")
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", commands],
            cwd=folder,
            env={**os.environ, "CI": "true"},
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"workflow: {step.name} ended with {done.returncode}")


if __name__ == "__main__":
    main(sys.argv[1:])
