#!/usr/bin/env python3
"""Checks that the builds of `make test` share the crates that they have in common.

    scripts/shared_builds.py

Cargo compiles a crate again for each set of its features. The lints, the documentation, the tests,
the Python package and the C library each choose other crates of the workspace; where a crate of one
choice has other features there, it and all that depends on it are compiled once more, which takes
minutes. Prints the crates whose features differ and exits with 1, or prints nothing. It needs only
Python and Cargo.
"""

import os
import subprocess
import sys
from collections import defaultdict

# The tests, whose features all others have to have.
TESTS = ("the tests", ["--features", "fleet,web", "--edges", "normal,build,dev"])
OTHERS = [
    ("the lints", ["--workspace", "--features", "fleet,web,tilesight-wasm/reader", "--edges", "normal,build,dev"]),
    ("the documentation", ["--features", "fleet", "--edges", "normal,build"]),
    ("the Python package", ["--package", "tilesight-python", "--edges", "normal,build"]),
    ("the C library", ["--package", "tilesight-c", "--edges", "normal,build"]),
]
# Crates that the tests leave out, or that have features of their own in each choice.
OWN = "tilesight"


def features(choice: list[str]) -> dict[str, set[str]]:
    """Features of each third-party crate under a choice; a crate may be built with several sets."""
    command = [os.environ.get("CARGO", "cargo"), "tree", "--locked", "--prefix", "none", "--format", "{p}|{f}", *choice]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = defaultdict(set)
    for line in filter(None, printed.splitlines()):
        package, _, names = line.replace(" (*)", "").partition("|")
        name, version = package.split(" ")[:2]
        if not name.startswith(OWN):
            found[f"{name} {version}"].add(names.strip())
    return found


def main() -> None:
    reference, choice = TESTS
    tested = features(choice)
    differ = []
    for other, choice in OTHERS:
        for crate, sets in sorted(features(choice).items()):
            if crate in tested and not sets <= tested[crate]:
                differ.append(
                    f"{other}: {crate} has {describe(sets - tested[crate])}, in {reference} {describe(tested[crate])}"
                )
    if differ:
        print(*differ, sep="\n", file=sys.stderr)
        sys.exit(
            "shared_builds: these crates and all that need them are compiled twice: give them the same "
            "features in a Cargo.toml"
        )


def describe(sets: set[str]) -> str:
    return " and ".join(sorted(names or "no features" for names in sets))


if __name__ == "__main__":
    main()
