"""Files that git tracks, and what is code and what is text in them, for the checks of sources."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Comments, strings and characters of Rust and TypeScript.
TEXT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>b?r(?P<hashes>\#*)".*?"(?P=hashes))|"""
    r"""b?(?P<string>"(?:[^"\\]|\\.)*")|'(?:[^'\\\n]|\\[^\n]{1,8}?)'""",
    re.DOTALL | re.VERBOSE,
)
# The start of the inline tests of a file of Rust.
TESTS = re.compile(r"\n#\[cfg\((?:all\()?test\b[^\n]*\n(?:pub(?:\([^)]*\))? )?mod \w+ \{")


def list_tracked(*patterns: str, root: Path = ROOT) -> list[str]:
    """Returns the names of the tracked files that match, without links."""
    command = ["git", "ls-files", "-z", "--", *patterns]
    names = subprocess.check_output(command, cwd=root, text=True).split("\0")
    return [name for name in names if name and (root / name).is_file() and not (root / name).is_symlink()]


def read(name: str, root: Path = ROOT) -> str:
    return (root / name).read_text(encoding="utf-8")


def is_python(name: str, text: str) -> bool:
    """Tells whether a file is Python, by its name or its first line."""
    return name.endswith((".py", ".pyi")) or text.startswith("#!/usr/bin/env python3")


def list_python(root: Path = ROOT) -> list[str]:
    """Returns the files of Python, among them the scripts whose names do not say so."""
    names = list_tracked("*.py", "*.pyi", "scripts", root=root)
    return [name for name in names if Path(name).suffix in ("", ".py", ".pyi") and is_python(name, read(name, root))]


def split_tests(code: str) -> str:
    """Returns the source before its inline tests."""
    return TESTS.split(code)[0]
