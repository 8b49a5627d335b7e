"""The files of an installation, below the folder that it is installed into.

Input: the program that was built, and the checkout with ONNX Runtime and the networks. Output: a
tree (archives.py). The program finds what is in `lib/tilesight` from its own folder, `bin`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dist.archives import Entry, gz
from dist.release import NETWORKS, ROOT

if TYPE_CHECKING:
    from dist.release import Release


LIBRARY = "lib/tilesight"
DOCUMENTS = "share/doc/tilesight"
MANUAL = "share/man/man1"
# Where each shell looks for completions: in a package of Debian, and everywhere else.
COMPLETIONS = {
    "bash": ("share/bash-completion/completions/tilesight",) * 2,
    "zsh": ("share/zsh/vendor-completions/_tilesight", "share/zsh/site-functions/_tilesight"),
    "fish": ("share/fish/vendor_completions.d/tilesight.fish",) * 2,
}


def installation(release: Release, program: Any, licences: str) -> dict[str, Entry]:
    """The tree that every kind of package has."""
    tree = {f"bin/{release.program}": Entry(program.read_bytes(), True), **library(release)}
    tree |= {f"{MANUAL}/{name}": Entry(text) for name, text in manual(program).items()}
    tree[f"{DOCUMENTS}/CHANGELOG.md"] = Entry((ROOT / "CHANGELOG.md").read_bytes())
    tree[f"{DOCUMENTS}/licences.txt"] = Entry(licences.encode())
    return tree


def library(release: Release) -> dict[str, Entry]:
    """ONNX Runtime and the networks."""
    pin = json.loads((ROOT / "scripts" / "onnxruntime.json").read_text())
    runtime = pin["platforms"][release.platform]["file"]
    manifest = json.loads((ROOT / "models" / "manifest.json").read_text())
    networks = [manifest[name]["file"] for name in NETWORKS if name in manifest]
    models = {
        f"{LIBRARY}/models/{name}": Entry((ROOT / "models" / name).read_bytes())
        for name in ["manifest.json", *networks]
    }
    return {f"{LIBRARY}/{runtime}": Entry((ROOT / pin["directory"] / runtime).read_bytes()), **models}


def manual(program: Any) -> dict[str, bytes]:
    """The manual pages that the program writes, by name."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "man", folder], check=True, stdout=subprocess.DEVNULL)
        return {page.name: page.read_bytes() for page in sorted(Path(folder).iterdir())}


def completions(program: Any, for_debian: bool) -> dict[Any, Entry]:
    """The completions of each shell."""
    scripts = {
        shell: subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        for shell in COMPLETIONS
    }
    return {COMPLETIONS[shell][0 if for_debian else 1]: Entry(script) for shell, script in scripts.items()}


def portable(release: Release, tree: dict[str, Entry], program: Any) -> dict[str, Entry]:
    """The tree of a tarball, in a folder with the release's name."""
    files = {
        **tree,
        **completions(program, for_debian=False),
        "INSTALL.md": Entry((ROOT / "scripts" / "dist" / "INSTALL.md").read_bytes()),
    }
    files |= {f"{DOCUMENTS}/{name}": Entry((ROOT / name).read_bytes()) for name in ("LICENSE-MIT", "LICENSE-APACHE")}
    return {f"{release.name}/{path}": entry for path, entry in files.items()}


def c_library(release: Release, built: Path, licences: str) -> dict[str, Entry]:
    """The tree of the C library, laid out by bindings/c/package.py, in a folder with its name.
    Without the static library, which has several times the size of everything else."""
    files = {}
    for path in sorted(built.rglob("*")):
        if path.is_symlink():
            files[path.relative_to(built).as_posix()] = Entry(b"", link=str(path.readlink()))
        elif path.is_file() and path.suffix != ".a":
            files[path.relative_to(built).as_posix()] = Entry(path.read_bytes())
    files["share/tilesight/licences.txt"] = Entry(licences.encode())
    return {f"{release.c_name}/{path}": entry for path, entry in files.items()}


def debian(tree: dict[str, Entry], program: Any) -> dict[str, Entry]:
    """The tree of a Debian package: below /usr, with the names and the compression of its
    policy."""
    renamed = {
        f"{DOCUMENTS}/CHANGELOG.md": f"{DOCUMENTS}/changelog.gz",
        f"{DOCUMENTS}/licences.txt": f"{DOCUMENTS}/copyright",
    }
    files = {
        renamed.get(path, path): entry for path, entry in {**tree, **completions(program, for_debian=True)}.items()
    }
    packed = {path for path in files if path.startswith(MANUAL)}
    files = {f"{path}.gz" if path in packed else path: entry for path, entry in files.items()}
    return {f"usr/{path}": Entry(gz(entry.data)) if path.endswith(".gz") else entry for path, entry in files.items()}
