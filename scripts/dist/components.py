"""Components that a release is made of: crates, npm packages, ONNX Runtime, networks, font.

Input: Cargo's and npm's lock files, with the packages that they brought. Output: `Component`s. A
crate counts if Cargo links it into the program, into the modules of the page, into the Python
package or into the C library; crates that only build others don't.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dist.release import NETWORKS, ROOT, output

if TYPE_CHECKING:
    from dist.release import Release


if TYPE_CHECKING:
    pass


# What is built, and how Cargo is asked for it: a part, its package, its features and its target
# (None: the platform's).
BUILDS = (
    ("program", "tilesight", "fleet,web", None),
    ("page", "tilesight-wasm", "reader", "wasm32-unknown-unknown"),
    ("wheel", "tilesight-python", "", None),
    ("c", "tilesight-c", "", None),
)
# Of these npm packages files are part of the page, though only its build depends on them.
PACKED = ("onnxruntime-web",)
# The terms of that package, which its files leave out.
OF_RUNTIME = (ROOT / "bindings" / "npm" / "onnxruntime-licence.txt",)
# Names of files with the terms of a package, or with notices that go with it.
TERMS = re.compile(
    r"(?i)^(un)?licen[cs]e([-_.].*)?$|^(copying|copyright|notice|ofl|third.?party.?notices)([-_.].*)?$|"
    r".*[-_.]licen[cs]e(\.(md|txt))?$"
)


@dataclass(frozen=True)
class Component:
    """A part of a release: its kind in CycloneDX, its name and version, the SPDX expression of its
    licence, its package URL, hashes by algorithm, files with its terms, and what it is in."""

    kind: str
    name: str
    version: str
    licence: str
    purl: str = ""
    hashes: tuple = ()
    files: tuple = ()
    parts: tuple = ()
    authors: tuple = ()

    @property
    def ref(self) -> str:
        return self.purl or f"{self.kind}:{self.name}@{self.version}"

    def terms(self) -> list[str]:
        """The texts of its terms."""
        return [file.read_text(errors="replace") for file in self.files]


def terms_in(folder: Path) -> tuple[Path, ...]:
    """Files of a package's folder with its terms."""
    inner = [
        file for name in ("LICENSES", "licenses") if (folder / name).is_dir() for file in (folder / name).iterdir()
    ]
    outer = [file for file in folder.iterdir() if TERMS.match(file.name)]
    return tuple(sorted(file for file in [*outer, *inner] if file.is_file() and file.suffix not in (".rs", ".html")))


def linked(package: str, features: str, target: str) -> set[tuple[str, str]]:
    """Names and versions of the crates that Cargo links into a package."""
    command = ["cargo", "tree", "--locked", "--package", package, "--target", target]
    command += ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    return crates_of(output(*command, *(["--features", features] if features else [])))


def crates_of(tree: str) -> set[tuple[str, str]]:
    """Names and versions in the lines that `cargo tree` prints."""
    lines = [re.match(r"(\S+) v(\S+)", line) for line in tree.splitlines()]
    return {(line[1], line[2]) for line in lines if line}


def spdx(licence: str) -> str:
    """An SPDX expression; older crates separate a choice by a slash."""
    return (licence or "NOASSERTION").replace("/", " OR ")


def checksums(lock: str) -> dict[tuple[str, str], str]:
    """SHA-256 of each crate of a Cargo.lock that comes from a registry, by name and version."""
    blocks = [
        dict(re.findall(r'^(name|version|checksum) = "(.+)"$', block, re.MULTILINE))
        for block in lock.split("[[package]]")
    ]
    return {(block["name"], block["version"]): block["checksum"] for block in blocks if "checksum" in block}


def crates(release: Release) -> tuple[list[Any], dict[Any, list[Any]]]:
    """The crates of a release, and what each depends on among them."""
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1", "--all-features"))
    sums = checksums((ROOT / "Cargo.lock").read_text())
    parts = {}
    for part, package, features, target in BUILDS:
        for crate in linked(package, features, target or release.target):
            parts.setdefault(crate, []).append(part)
    found, ids = {}, {}
    for package in metadata["packages"]:
        key = (package["name"], package["version"])
        if key in parts:
            hashes = (("SHA-256", sums[key]),) if key in sums else ()
            purl = f"pkg:cargo/{key[0]}@{key[1]}"
            files = terms_in(Path(package["manifest_path"]).parent if key in sums else ROOT)
            found[package["id"]] = Component(
                "library",
                *key,
                spdx(package["license"]),
                purl,
                hashes,
                files,
                tuple(parts[key]),
                tuple(package["authors"]),
            )
            ids[package["id"]] = purl
    missing = set(parts) - {(one.name, one.version) for one in found.values()}
    if missing:
        raise SystemExit(f"dist: Cargo links crates that its metadata does not have: {sorted(missing)}")
    edges = {
        ids[node["id"]]: sorted({ids[one] for one in node["dependencies"] if one in ids})
        for node in metadata["resolve"]["nodes"]
        if node["id"] in ids
    }
    return sorted(found.values(), key=lambda one: one.ref), edges


def npm_packages() -> list[Any]:
    """The npm packages that the page is made of."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    found = []
    for path, package in lock["packages"].items():
        name = path.rpartition("node_modules/")[2]
        is_part = "node_modules/" in path and not package.get("link") and (not package.get("dev") or name in PACKED)
        if is_part:
            purl = f"pkg:npm/{name.replace('@', '%40', 1)}@{package['version']}"
            hashes = (integrity(package["integrity"]),) if "integrity" in package else ()
            found.append(
                Component(
                    "library",
                    name,
                    package["version"],
                    spdx(package.get("license")),
                    purl,
                    hashes,
                    terms_in(ROOT / "web" / path) or OF_RUNTIME,
                    ("page",),
                )
            )
    return sorted(found, key=lambda one: one.ref)


def integrity(text: str) -> tuple[str, str]:
    """Algorithm and hex of a hash that npm writes in base64."""
    algorithm, _, value = text.partition("-")
    return f"SHA-{algorithm.removeprefix('sha')}", base64.b64decode(value).hex()


def runtime(release: Release) -> Component:
    """ONNX Runtime, from the pin of this platform."""
    pin = json.loads((ROOT / "scripts" / "onnxruntime.json").read_text())
    hashes = (("SHA-256", pin["platforms"][release.platform]["sha256"]),)
    purl = f"pkg:pypi/{pin['package']}@{pin['version']}"
    return Component(
        "library",
        "onnxruntime",
        pin["version"],
        pin["licence"],
        purl,
        hashes,
        terms_in(ROOT / pin["directory"]),
        ("program",),
    )


def own_parts(release: Release) -> list[Component]:
    """The networks, and the font of pictures."""
    manifest = json.loads((ROOT / "models" / "manifest.json").read_text())
    everywhere = tuple(part for part, *_ in BUILDS)
    networks = [(name.replace("_", "-"), manifest[name]) for name in NETWORKS if name in manifest]
    kind = "machine-learning-model"
    found = [
        Component(
            kind,
            f"tilesight-{name}",
            release.version,
            "MIT OR Apache-2.0",
            "",
            (("SHA-256", network["sha256"]),),
            terms_in(ROOT),
            everywhere,
        )
        for name, network in networks
    ]
    fonts = terms_in(ROOT / "assets" / "fonts")
    return [*found, Component("data", "tilesight-sans", release.version, "OFL-1.1", files=fonts, parts=("program",))]


def standard_library() -> Component:
    """Rust's standard library, which every crate is linked with."""
    version = re.match(r"rustc (\S+)", output("rustc", "--version")).group(1)
    return Component(
        "library",
        "rust-std",
        version,
        "MIT OR Apache-2.0",
        f"pkg:generic/rust-std@{version}",
        parts=tuple(part for part, *_ in BUILDS),
        authors=("The Rust Project Developers",),
    )


def find(release: Release) -> tuple[list[Any], dict[Any, list[Any]]]:
    """All components of a release, and what the crates depend on."""
    linked_crates, edges = crates(release)
    return [*linked_crates, *npm_packages(), runtime(release), standard_library(), *own_parts(release)], edges
