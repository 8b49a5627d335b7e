#!/usr/bin/env python3
"""Measures the structure of the code: crates, features, dependencies, circles, names, functions.

    scripts/structure.py              prints a table
    scripts/structure.py --circles    lists the files of each circle of imports, and what they import
    scripts/structure.py --arrows     lists the arrows up inside crates, with their imports
    scripts/structure.py --names      lists the type names that are defined in three or more places
    scripts/structure.py --times      also measures how long an edit takes until its tests have run
    scripts/structure.py --check      fails if a count is above its ceiling in structure_ceilings.json
    scripts/structure.py --lower      lowers the ceilings to what is counted now
    scripts/structure.py --root DIR   measures another checkout, such as an older commit

Code is what Cargo compiles without tests: of each file what comes before `#[cfg(test)] mod`, of
src, crates and bindings. It needs only Python, and Cargo for the dependencies.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import sources
import structure_counts
import structure_modules

OPENINGS = re.compile(r"(?:" + "|".join(json.loads(sources.read("scripts/prose.json"))["openings"]) + r")\b")
TYPE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|union|trait|type) (\w+)")
FUNCTION = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern \"C\" )*fn (\w+)")
SUPERLATIVE = re.compile(r"\b(?:\w*_)?(?:most|MOST)(?:_\w*)?\b")
GATE = re.compile(r"cfg(?:_attr)?!?\((?:[^()]|\([^()]*\))*feature *= *\"")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--circles", action="store_true")
    parser.add_argument("--arrows", action="store_true")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lower", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    counts = structure_counts.count(root)
    if arguments.lower:
        structure_counts.lower_ceilings(counts)
    if arguments.check or arguments.lower:
        exceeded = structure_counts.find_exceeded(counts, structure_counts.read_ceilings())
        if exceeded:
            sys.exit("\n  ".join(["structure: above a ceiling of scripts/structure_ceilings.json:", *exceeded]))
        return
    packages = read_packages(root)
    files = [file for package in packages for file in package["files"]]
    if arguments.names:
        for name, places in sorted(repeated_types(files).items()):
            print(name, *places, sep="\n    ")
        return
    crates = [{file["module"]: file["code"] for file in package["files"]} for package in packages]
    if arguments.circles:
        for edges in (circle for modules in crates for circle in structure_modules.find_circles(modules)):
            print(*(f"{a} -> {b}" for a, b in edges), "", sep="\n")
        return
    if arguments.arrows:
        for modules in crates:
            for (one, other), edges in structure_modules.find_arrows_up(modules).items():
                print(f"{one} -> {other}", *(f"    {a} -> {b}" for a, b in edges), sep="\n")
        return
    rows = measure(root, packages, files) + list(counts.items())
    if arguments.times:
        rows += measure_times(root)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")


def measure(
    root: pathlib.Path, packages: list[dict[str, Any]], files: list[dict[str, str]]
) -> list[tuple[str, int | str]]:
    lengths = [length for file in files for length in function_lengths(file["code"])]
    documented, retired = doc_openings(files)
    gates = sum(len(GATE.findall(structure_modules.strip_comments(file["text"]))) for file in files)
    features = sorted({name for package in packages for name in package["features"]})
    code = sum(count_code(file["code"]) for file in files)
    constructors = sum(len(re.findall(r"\bfn of\b", file["code"])) for file in files)
    named_most = sum(len(SUPERLATIVE.findall(structure_counts.mask(file["code"]))) for file in files)
    rows = [
        ("crates", len(packages)),
        ("lines of code", f"{code:,} in {len(files)} files"),
        ("features", f"{len(features)}: {', '.join(features)}"),
        ("feature gates", gates),
        ("arrows against the order of the crates", len(upward_arrows(packages))),
        ("type names in three or more places", len(repeated_types(files))),
        ("constructors named `of`", constructors),
        ("names with most or MOST", named_most),
        ("doc comments with a retired opening", f"{retired} of {documented}, {retired / documented:.1%}"),
        ("functions, lines: median, 90 %, 99 %, longest", quantiles(lengths)),
    ]
    for label, options in [
        ("crates that scoring needs", ["-p", "tilesight-core"]),
        ("crates that a folder of photos needs", ["-p", "tilesight", *without_fleet(packages)]),
        ("crates of the program with everything", ["-p", "tilesight", "--all-features"]),
    ]:
        rows.append((label, count_dependencies(root, options)))
    return rows


def without_fleet(packages: list[dict[str, Any]]) -> list[Any]:
    """Returns the features of a command that reads folders but has no client of a fleet."""
    package = next(package for package in packages if package["name"] == "tilesight")
    has_fleet = "fleet" in package["default"]
    # Once `batch` needed the fleet: then the default is the smallest that reads a folder.
    return ["--no-default-features", "--features", "batch,http,tls,allocator"] if has_fleet else []


def read_packages(root: pathlib.Path) -> list[dict[str, Any]]:
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"]
    metadata = json.loads(subprocess.check_output(command, cwd=root))
    packages = []
    for package in metadata["packages"]:
        folder = pathlib.Path(package["manifest_path"]).parent
        targets = [target for target in package["targets"] if set(target["kind"]) & {"lib", "cdylib", "rlib", "bin"}]
        source = pathlib.Path(targets[0]["src_path"]).parent
        files = [read_file(root, source, path) for path in sorted(source.rglob("*.rs"))]
        packages.append(
            {
                "name": package["name"],
                "folder": folder,
                "features": [name for name in package["features"] if name != "default"],
                "default": package["features"].get("default", []),
                "dependencies": [one["name"] for one in package["dependencies"] if one["kind"] is None],
                "files": [file for file in files if not is_test(file["module"])],
            }
        )
    return packages


def read_file(root: pathlib.Path, source: pathlib.Path, path: pathlib.Path) -> dict[str, str]:
    text = path.read_text(encoding="utf-8")
    code = sources.split_tests(text)
    parts = path.relative_to(source).with_suffix("").parts
    module = "::".join(() if parts in (("lib",), ("main",)) else parts)
    return {"path": str(path.relative_to(root)), "module": module, "text": text, "code": code}


def is_test(module: str) -> bool:
    return module.split("::")[-1] in ("tests", "testing") or "::tests::" in module


def count_code(code: str) -> int:
    return sum(1 for line in structure_modules.strip_comments(code).splitlines() if line.strip())


def doc_openings(files: list[dict[str, str]]) -> tuple[int, int]:
    documented = retired = 0
    for file in files:
        before = False
        for line in file["text"].splitlines():
            comment = re.match(r"\s*//[/!](?!/) ?(.*)", line)
            if comment and not before:
                documented += 1
                retired += bool(OPENINGS.match(comment[1]))
            before = bool(comment)
    return documented, retired


def function_lengths(code: str) -> Iterator[int]:
    """Yields the lines of each function, from its head to its closing brace."""
    lines = code.splitlines()
    for start, line in enumerate(lines):
        head = FUNCTION.match(line)
        if not head:
            continue
        opening = next((at for at in range(start, len(lines)) if re.search(r"[{;}]$", lines[at])), start)
        if lines[opening].endswith(";"):
            continue  # A trait's function without a body.
        end = opening
        if lines[opening].endswith("{"):
            end = next((at for at in range(opening + 1, len(lines)) if lines[at].startswith(head[1] + "}")), opening)
        yield end - start + 1


def quantiles(lengths: list[int]) -> str:
    ordered = sorted(lengths)
    shares = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.9, 0.99)]
    return ", ".join(map(str, [*shares, ordered[-1]]))


def repeated_types(files: list[dict[str, str]]) -> dict[str, list[str]]:
    places = {}
    for file in files:
        for line in file["code"].splitlines():
            found = TYPE.match(line)
            # Associated types of traits and of their implementations are named by the traits.
            if found and not re.match(r"\s+(?:pub )?type ", line):
                places.setdefault(found[1], []).append(file["path"])
    return {name: found for name, found in places.items() if len(found) >= 3}


def upward_arrows(packages: list[dict[str, Any]]) -> list[Any]:
    """Returns dependencies that lead back: Cargo refuses them between crates."""
    names = {package["name"]: package["dependencies"] for package in packages}

    def reaches(start: str, goal: str, seen: set[str]) -> bool:
        return any(
            next_ == goal or (next_ in names and next_ not in seen and reaches(next_, goal, seen | {next_}))
            for next_ in names[start]
        )

    return [name for name in names if reaches(name, name, {name})]


def count_dependencies(root: pathlib.Path, options: list[str]) -> int | str:
    command = [
        "cargo",
        "tree",
        "--locked",
        "--offline",
        "-e",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
        *options,
    ]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if result.returncode:
        return f"unknown: {result.stderr.strip().splitlines()[0]}"
    return len({line.removesuffix(" (*)") for line in result.stdout.splitlines() if line})


EDITS = [
    (
        "an edit of a rule until its tests have run, s",
        "crates/tilesight-core/src/rules/mcr/exclusion.rs",
        ["cargo", "test", "-q", "--locked", "-p", "tilesight-core", "--test", "rules"],
    ),
    (
        "an edit of a stage until its unit tests have run, s",
        "crates/tilesight-vision/src/layout/heaps.rs",
        ["cargo", "test", "-q", "--locked", "-p", "tilesight-vision", "--lib"],
    ),
    ("make test-quick after an edit, s", "crates/tilesight-core/src/rules/mcr/exclusion.rs", ["make", "test-quick"]),
]


def measure_times(root: pathlib.Path) -> list[Any]:
    """Measures each command after an edit of a file, once it had run before."""
    rows = []
    for label, file, command in EDITS:
        path = root / file
        text = path.read_text(encoding="utf-8")
        try:
            run(root, command)
            path.write_text(text + "\n// Changed by scripts/structure.py for a moment.\n", encoding="utf-8")
            start = time.monotonic()
            run(root, command)
            rows.append((label, f"{time.monotonic() - start:.0f}"))
        finally:
            path.write_text(text, encoding="utf-8")
    return rows


def run(root: pathlib.Path, command: list[str]) -> None:
    result = subprocess.run(
        command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr[-2000:]}")


if __name__ == "__main__":
    main()
