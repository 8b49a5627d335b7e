"""Installs the packages of a release into empty folders, and uses them as their users would.

Input: the folder with the packages, and the sums that they have. Output: nothing if all is well,
else the faults. The program runs in another folder and with an empty PATH and environment, so that
it can use neither Rust nor Python nor Node, nor files of this checkout.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dist import components, sbom
from dist.release import ROOT, find

# A download takes seconds with this size; set by the project.
MAX_PACKAGE = 60_000_000
# Far longer than a service takes to start.
PATIENCE = 60
SAMPLES = ROOT / "datasets" / "samples"
# What scripts/readme.py prints of the sample photo.
DEMO = ("123m* 456m 789m 222s 11m", "20  the minimum of 8 is met")
HAND = "[EEE,2]123m456p789s5s5s|SE1000|2"
# How a crate shows in a program: by the paths of its sources, which messages of panics name.
SOURCE = re.compile(rb"/cargo/registry/src/[^/\0]+/([A-Za-z0-9_-]+?)-(\d+\.\d+\.\d+[^/\0]*)/")


class Checks:
    """The packages with their sums, and what is wrong with them."""

    def __init__(self, folder: Path, sums: str | None) -> None:
        release, self.faults = find(), []
        self.folder, self.sums = folder, sums
        self.bom = json.loads((folder / f"{release.name}.cdx.json").read_text())
        # What was packed, which may be an earlier commit than that of the checkout now.
        self.release = replace(release, **sbom.origin(self.bom))
        self.scratch = tempfile.TemporaryDirectory(prefix="tilesight-dist-")
        self.place = Path(self.scratch.name)
        (self.place / "elsewhere").mkdir()

    def expect(self, holds: Any, fault: str):
        if not holds:
            self.faults.append(fault)
        return holds

    def package(self, name: str) -> Path:
        file = self.folder / name
        if self.expect(file.is_file(), f"{name} is missing"):
            self.expect(
                file.stat().st_size <= MAX_PACKAGE, f"{name} has {file.stat().st_size} bytes, more than {MAX_PACKAGE}"
            )
        return file

    def run(self, program: Any, *arguments: str | Path) -> tuple[int, str]:
        """Runs the program with nothing else to find; returns how it ended and what it printed."""
        done = subprocess.run(
            [program, *arguments],
            cwd=self.place / "elsewhere",
            env=environment(self.place),
            capture_output=True,
            text=True,
            timeout=PATIENCE * 5,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def environment(place: Path) -> dict[str, str]:
    """An environment in which no other program is found."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {"PATH": str(place / "elsewhere"), "HOME": str(place / "elsewhere"), **kept}


def run(folder: Path, sums: str | None) -> int:
    """Checks everything; returns the exit code."""
    checks = Checks(folder, sums)
    with checks.scratch:
        check_sums(checks)
        for where, program in installed(checks):
            check_components(checks, program.read_bytes(), 50)
            check_program(checks, where, program)
        check_python(checks)
        check_npm(checks)
        check_c(checks)
        check_container(checks)
        check_paths(checks)
    for fault in checks.faults:
        print(f"dist: {fault}", file=sys.stderr)
    print(f"dist: {'all packages work' if not checks.faults else f'{len(checks.faults)} faults'}")
    return 1 if checks.faults else 0


def check_sums(checks: Checks) -> None:
    listed = (checks.folder / "SHA256SUMS").read_text()
    checks.expect(listed == checks.sums, "SHA256SUMS does not have the sums of the packages")


def installed(checks: Checks) -> Iterator[tuple[str, Path]]:
    """Installs the program from each package that has it; yields what it came with, and where it
    is."""
    name = checks.release.name
    if checks.release.is_windows:
        archive = checks.package(f"{name}.zip")
        with zipfile.ZipFile(archive) as whole:
            whole.extractall(checks.place / "archive")
    else:
        archive = checks.package(f"{name}.tar.gz")
        unpack(checks, archive, made(checks.place / "archive"))
    yield archive.name, checks.place / "archive" / name / "bin" / checks.release.program
    if checks.release.debian:
        package = checks.package(f"tilesight_{checks.release.version}_{checks.release.debian}.deb")
        root = made(checks.place / "debian")
        install_debian(package, root)
        for path in (
            "usr/share/doc/tilesight/copyright",
            "usr/share/man/man1/tilesight.1.gz",
            "usr/share/bash-completion/completions/tilesight",
        ):
            checks.expect((root / path).is_file(), f"the Debian package has no {path}")
        yield package.name, root / "usr" / "bin" / "tilesight"


def unpack(checks: Checks, archive: Path, folder: Path) -> None:
    """Unpacks a tarball, whose entries are root's and of the commit's time."""
    with tarfile.open(archive) as whole:
        owners = {(entry.mtime, entry.uid, entry.gid) for entry in whole.getmembers()}
    checks.expect(owners == {(checks.release.epoch, 0, 0)}, f"{archive.name} has other times or owners")
    # Modes as well: Python's filters for untrusted archives change some.
    subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)


def made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def install_debian(package: Path, root: Path) -> None:
    """Installs a Debian package into an empty root: by dpkg for the administrator, else without its
    list of packages."""
    if shutil.which("dpkg-deb") is None:
        raise SystemExit("dist: dpkg is missing, which installs the Debian package: install it (Debian has it)")
    if os.getuid() != 0:
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        return
    for name in ("info", "updates"):
        made(root / "var/lib/dpkg" / name)
    for name in ("status", "available"):
        (root / "var/lib/dpkg" / name).touch()
    # An empty root has no libc; it is that of this machine which the program uses.
    subprocess.run(
        ["dpkg", f"--root={root}", "--force-depends", "--force-bad-path", "-i", package],
        check=True,
        capture_output=True,
    )


def check_program(checks: Checks, where: str, program: Any) -> None:
    """The program says what it is, finds its files, reads every sample and serves the page."""
    code, text = checks.run(program, "--version")
    checks.expect(
        code == 0 and f"tilesight {checks.release.version}\n" in text and checks.release.commit in text,
        f"{where}: --version prints {text!r}",
    )
    code, text = checks.run(program, "doctor")
    checks.expect(
        code == 0 and str(program.parents[1].resolve() / "lib" / "tilesight") in text,
        f"{where}: doctor ends with {code}: {text}",
    )
    code, text = checks.run(program, "score", HAND)
    checks.expect(code == 0, f"{where}: score ends with {code}: {text}")
    code, text = checks.run(program, "read", SAMPLES / "demo.jpg", "--context", SAMPLES / "demo.context.json")
    checks.expect(code == 0 and all(part in text for part in DEMO), f"{where}: the sample photo is read as {text}")
    photos = sorted(SAMPLES.glob("*.jpg"))
    code, text = checks.run(program, "read", *photos, "--json")
    rows = text.splitlines()
    checks.expect(
        code in (0, 1) and len(rows) == len(photos),
        f"{where}: {len(rows)} of {len(photos)} samples are read, and it ends with {code}",
    )
    check_service(checks, where, program)


def check_service(checks: Checks, where: str, program: Any) -> None:
    """The service with its page, on a free port."""
    process = subprocess.Popen(
        [program, "serve", "--listen", "127.0.0.1:0"],
        cwd=checks.place / "elsewhere",
        env=environment(checks.place),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    try:
        address = next(
            (found.group(1) for line in process.stdout if (found := re.search(r"listens on (http://\S+)", line))), None
        )
        if not checks.expect(address, f"{where}: the service does not start"):
            return
        wait_until_ready(address)
        page = fetch(address, "/")
        script = re.search(r'src="([^"]+\.js)"', page)
        if checks.expect(script, f"{where}: the page has no script"):
            checks.expect(
                len(fetch(address, "/" + script.group(1).lstrip("./"))) > 1000, f"{where}: the page's script is missing"
            )
        body = json.dumps({"hand": HAND}).encode()
        score = json.loads(fetch(address, "/v1/score", body))
        checks.expect(
            score.get("total", score.get("score", {}).get("total")), f"{where}: the service does not score: {score}"
        )
    finally:
        watch.cancel()
        process.terminate()
        process.wait(PATIENCE)


def fetch(address: Any, path: str, body: bytes | None = None):
    """The answer to a request, as text."""
    request = urllib.request.Request(
        address + path, data=body, headers={"content-type": "application/json"} if body else {}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read().decode()


def wait_until_ready(address: Any):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return fetch(address, "/readyz")
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def check_python(checks: Checks) -> None:
    """The wheel scores a hand in an empty environment, without a package index."""
    wheels = list(checks.folder.glob("*.whl"))
    if not checks.expect(len(wheels) == 1, f"there are {len(wheels)} wheels instead of one"):
        return
    place = checks.place / "python"
    venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheels[0]], check=True
    )
    code = f"import tilesight; print(tilesight.score({HAND!r}).total)"
    done = subprocess.run(
        [python, "-c", code], cwd=checks.place / "elsewhere", capture_output=True, text=True, check=False
    )
    checks.expect(done.stdout.strip().isdigit(), f"the wheel does not score: {done.stdout + done.stderr}")


def check_npm(checks: Checks) -> None:
    """The npm package scores a hand in an empty project."""
    packages = list(checks.folder.glob("tilesight-*.tgz"))
    if not checks.expect(len(packages) == 1, f"there are {len(packages)} npm packages instead of one"):
        return
    folder = made(checks.place / "npm" / "node_modules" / "tilesight")
    with tarfile.open(packages[0]) as archive:
        for entry in archive.getmembers():
            file = folder / Path(entry.name).relative_to("package")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(archive.extractfile(entry).read())
    code = f"import {{ init, score }} from 'tilesight'; await init(); console.log(score({HAND!r}).total)"
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", code],
        cwd=checks.place / "npm",
        capture_output=True,
        text=True,
        check=False,
    )
    checks.expect(done.stdout.strip().isdigit(), f"the npm package does not score: {done.stdout + done.stderr}")


def check_c(checks: Checks) -> None:
    """The C library is compiled into its example by its pkg-config file, wherever it lies; the
    example scores a hand, and reads a photo with the program's ONNX Runtime."""
    if not checks.release.c_name:
        return
    for tool in ("cc", "pkg-config"):
        if shutil.which(tool) is None:
            raise SystemExit(f"dist: {tool} is missing, which the C library is tried with: install it (Debian has it)")
    archive = checks.package(f"{checks.release.c_name}.tar.gz")
    unpack(checks, archive, made(checks.place / "c"))
    folder = checks.place / "c" / checks.release.c_name
    lib, share, example = folder / "lib", folder / "share" / "tilesight", checks.place / "c" / "score"
    for library in sorted(path for path in lib.iterdir() if path.is_file() and not path.is_symlink()):
        check_components(checks, library.read_bytes(), 20)
    paths = {**os.environ, "PKG_CONFIG_PATH": str(lib / "pkgconfig")}
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tilesight"], env=paths, capture_output=True, text=True, check=True
    ).stdout.split()
    subprocess.run(["cc", share / "score.c", *flags, f"-Wl,-rpath,{lib}", "-o", example], check=True)
    code, text = checks.run(example, HAND)
    checks.expect(code == 0 and json.loads(text)["total"], f"{archive.name}: score ends with {code}: {text}")
    runtime = next((checks.place / "archive" / checks.release.name / "lib" / "tilesight").glob("*onnxruntime*"))
    code, text = checks.run(example, SAMPLES / "demo.jpg", share / "models", runtime)
    checks.expect(
        code == 0 and json.loads(text)["hand"]["notation"], f"{archive.name}: the sample photo is read as {text}"
    )
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "licences.txt", "README.md"):
        checks.expect((share / name).is_file(), f"{archive.name} has no {name}")


def check_container(checks: Checks) -> None:
    """Checks that everything that the container is built from is one of the packages."""
    definition = checks.folder / "Containerfile"
    if not definition.exists():
        return
    for pattern in re.findall(r"^COPY (?!--from)(?:--\S+ )*(\S+) ", definition.read_text(), re.MULTILINE):
        checks.expect(list(checks.folder.glob(pattern)), f"the Containerfile copies {pattern}, which is not there")


def check_components(checks: Checks, program: Any, min_crates: int) -> None:
    """The bill of materials has every crate that shows in the program or library, at least so many,
    and no hash but those of the lock file."""
    bom = checks.bom
    checks.faults += [f"the SBOM: {fault}" for fault in sbom.problems(bom)]
    listed = {
        (one["name"], one["version"]): {hash["content"] for hash in one.get("hashes", [])}
        for one in bom["components"]
        if one.get("purl", "").startswith("pkg:cargo/")
    }
    shown = {(name.decode(), version.decode()) for name, version in SOURCE.findall(program)}
    checks.expect(len(shown) > min_crates, f"only {len(shown)} crates show in a program")
    for name, version in sorted(shown - set(listed)):
        checks.faults.append(f"the SBOM does not list {name} {version}, which is in the program")
    locked = components.checksums((ROOT / "Cargo.lock").read_text())
    for crate, sums in listed.items():
        checks.expect(not sums or sums == {locked.get(crate)}, f"the SBOM has another hash of {crate} than Cargo.lock")
    terms = checks.package(f"{checks.release.name}.licences.txt").read_text()
    for one in bom["components"]:
        checks.expect(
            f"  {one['name']} {one['version']}: " in terms, f"the licences do not name {one['name']} {one['version']}"
        )


def check_paths(checks: Checks) -> None:
    """No package names a folder of the machine that it was built on."""
    home = os.environ.get("CARGO_HOME") or str(Path.home() / ".cargo")
    for what, data in contents(checks.folder):
        for folder in (str(ROOT), home):
            checks.expect(folder.encode() not in data, f"{what} names {folder}")


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of all packages that can be opened, with names."""
    for file in sorted(folder.iterdir()):
        if file.name.endswith(("gz", "tgz")):
            with tarfile.open(file) as archive:
                yield from (
                    (f"{file.name}: {entry.name}", archive.extractfile(entry).read())
                    for entry in archive.getmembers()
                    if entry.isfile()
                )
        elif file.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(file) as archive:
                yield from ((f"{file.name}: {name}", archive.read(name)) for name in archive.namelist())
        elif file.suffix != ".deb":
            yield file.name, file.read_bytes()
