"""Packs and checks releases: `make dist` and `make check-dist` run it.

    python3 scripts/dist pack PROGRAM      packs the program and what `make npm site python c` made
    python3 scripts/dist check             installs and uses the packages as their users would
    python3 scripts/dist compare A B       whether two folders of packages are the same, byte for byte
    python3 scripts/dist merge OUT A B...  puts the packages of several platforms together

Output: out/dist, with a list of SHA-256 sums. docs/releases.md describes the packages.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from dist import archives, check, components, deb, licences, sbom, tree
from dist.release import ROOT, find

OUT = ROOT / "out" / "dist"
SUMS = "SHA256SUMS"


def standard_texts() -> dict[str, str]:
    """Texts of licences without the name of a holder, for packages that bring none."""
    mit = (ROOT / "LICENSE-MIT").read_text().splitlines(keepends=True)
    return {
        "MIT": "".join(line for line in mit if not line.startswith("Copyright")),
        "Apache-2.0": (ROOT / "LICENSE-APACHE").read_text(),
    }


def pack(program: Path) -> None:
    """Fills out/dist."""
    release = find()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    parts, edges = components.find(release)
    terms = licences.collect(parts, standard_texts())
    files = tree.installation(release, program, terms)
    whole = tree.portable(release, files, program)
    if release.is_windows:
        (OUT / f"{release.name}.zip").write_bytes(archives.zipped(whole, release.epoch))
    else:
        (OUT / f"{release.name}.tar.gz").write_bytes(archives.tar_gz(whole, release.epoch))
    if release.debian:
        package = deb.pack(release, tree.debian(files, program))
        (OUT / f"tilesight_{release.version}_{release.debian}.deb").write_bytes(package)
        shutil.copyfile(ROOT / "deploy" / "Containerfile.package", OUT / "Containerfile")
    if release.c_name:
        library = tree.c_library(release, ROOT / "out" / "c", terms)
        (OUT / f"{release.c_name}.tar.gz").write_bytes(archives.tar_gz(library, release.epoch))
    site = ROOT / "out" / "site"
    pages = {
        f"tilesight-{release.version}-site/{file.relative_to(site).as_posix()}": archives.Entry(file.read_bytes())
        for file in site.rglob("*")
        if file.is_file()
    }
    (OUT / f"tilesight-{release.version}-site.tar.gz").write_bytes(archives.tar_gz(pages, release.epoch))
    for file in [one(ROOT / "out" / "npm", "tilesight-*.tgz"), one(ROOT / "out" / "python", "tilesight-*.whl")]:
        shutil.copyfile(file, OUT / file.name)
    (OUT / f"{release.name}.cdx.json").write_text(sbom.document(release, parts, edges))
    (OUT / f"{release.name}.licences.txt").write_text(terms)
    (OUT / SUMS).write_text(sums(OUT))
    for file in sorted(OUT.iterdir()):
        print(f"dist: {file.stat().st_size / 1e6:8.2f} MB  {file.relative_to(ROOT)}")


def one(folder: Path, pattern: str) -> Path:
    """The file of a folder that was built."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise SystemExit(f"dist: {folder} has {len(found)} files {pattern} instead of one: run `make dist`")
    return found[0]


def sums(folder: Path) -> str:
    """SHA-256 of each package of a folder, as sha256sum writes and checks it."""
    packages = [file for file in sorted(folder.iterdir()) if file.name != SUMS]
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in packages)


def compare(left: Path | str, right: Path | str) -> bool:
    """Prints which packages of two folders differ; returns whether all are the same."""
    here, there = read_sums(left), read_sums(right)
    different = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
    for name in different:
        print(f"dist: {name} differs")
    count = len({*here, *there})
    print(f"dist: {count - len(different)} of {count} packages are the same, byte for byte")
    return not different


def read_sums(folder: Path | str) -> dict[str, str]:
    """Returns the SHA-256 of each package of a folder, by its name."""
    lines = [line.split("  ") for line in sums(Path(folder)).splitlines()]
    return {name: digest for digest, name in lines}


def merge(out: Path, folders: list[Path]) -> None:
    """Copies packages of several platforms into one folder, with their sums. Those for every
    platform are in all folders, and are taken from the first."""
    out.mkdir(parents=True)
    for folder in folders:
        for file in sorted(folder.iterdir()):
            if not (out / file.name).exists():
                shutil.copyfile(file, out / file.name)
    (out / SUMS).write_text(sums(out))


def main(arguments: list[str]) -> int:
    """The command line."""
    match arguments:
        case ["pack", program]:
            pack(Path(program).resolve())
        case ["check"]:
            bill = OUT / f"{find().name}.cdx.json"
            if not bill.is_file():
                sys.exit(f"dist: {bill.relative_to(ROOT)} is missing: run `make dist`")
            return check.run(OUT, sums(OUT))
        case ["merge", out, *folders] if folders:
            merge(Path(out), [Path(folder) for folder in folders])
        case ["compare", left, right]:
            return 0 if compare(left, right) else 1
        case _:
            sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
