"""The release that is packed: its version, its platform, and the commit that it is built from.

Input: the checkout, with Cargo and git. Output: a `Release`. All times in packages are that of the
commit, so that two builds of one commit are the same.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = {"linux": "linux", "darwin": "macos", "windows": "windows"}
# The networks by their keys in models/manifest.json, which need not name all.
NETWORKS = ("classifier", "detector", "refiner", "large_classifier")
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True)
class Release:
    """A version for one platform, such as `x86_64-unknown-linux-gnu`, with the time of its commit
    in seconds."""

    version: str
    target: str
    epoch: int
    commit: str

    @property
    def platform(self) -> str:
        """Name of the platform as scripts/setup and the program spell it, such as
        `linux-x86_64`."""
        system = next(name for part, name in SYSTEMS.items() if part in self.target)
        return f"{system}-{self.target.split('-')[0]}"

    @property
    def is_windows(self) -> bool:
        return self.platform.startswith("windows")

    @property
    def debian(self) -> str | None:
        """Debian's name of the architecture; None where there is no Debian package."""
        return DEBIAN.get(self.target.split("-")[0]) if self.platform.startswith("linux") else None

    @property
    def name(self) -> str:
        return f"tilesight-{self.version}-{self.platform}"

    @property
    def c_name(self) -> str | None:
        """Name of the C library's package; None where there is none. A library of macOS is named
        when it is installed, and bindings/c/package.py knows no Windows."""
        return f"tilesight-c-{self.version}-{self.platform}" if self.platform.startswith("linux") else None

    @property
    def program(self) -> str:
        return "tilesight.exe" if self.is_windows else "tilesight"


def output(*command: str) -> str:
    """Runs a command and returns what it prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"dist: {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def find() -> Release:
    """The release of this checkout, for the platform of its compiler."""
    packages = json.loads(output("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))["packages"]
    version = next(package["version"] for package in packages if package["name"] == "tilesight")
    host = re.search(r"^host: (\S+)$", output("rustc", "-vV"), re.MULTILINE).group(1)
    commit = os.environ.get("TILESIGHT_COMMIT") or output("git", "rev-parse", "HEAD").strip()
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct").strip()
    return Release(version, host, int(epoch), commit)
