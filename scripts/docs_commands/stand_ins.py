"""Programs that the commands of the pages find first on their PATH.

Each hands what it was called with to the real program, with what one machine among many needs: free
ports instead of 8080 and 4222, servers in the background that end with their block, no build of the
release that takes minutes. A block is run as it is printed; only these differ.

    python3 scripts/docs_commands --as tilesight|curl|make|cargo|nats-server [ARGUMENTS]
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Far longer than any start takes: only a program that hangs meets it.
PATIENCE = 120
NAMES = ("tilesight", "curl", "make", "cargo", "nats-server")
# Targets that run, and those that `make test` has made or that a build of the release would make.
RUN = ("setup", "build", "demo", "serve")
MADE = ("setup", "build", "build-web", "toolchain", "web/dist/index.html")
NATS = "nats://localhost:4222"
SERVICE = "localhost:8080"


def state() -> Path:
    """The folder where stand-ins and the runner tell each other what runs."""
    return Path(os.environ["DOCS_STATE"])


def program() -> str:
    return os.environ["DOCS_PROGRAM"]


def real(name: str) -> str:
    """The path of a program; from here on no stand-in is found any more."""
    places = [place for place in os.environ["PATH"].split(os.pathsep) if Path(place) != Path(os.environ["DOCS_BIN"])]
    os.environ["PATH"] = os.pathsep.join([*places, "/usr/sbin"])
    return shutil.which(name) or sys.exit(f"docs: {name} is missing")


def wait_for(what: str, look: Callable[[], Any]) -> Any:
    """Calls `look` until it finds something, and returns that; exits if nothing is found in
    time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"docs: {what} is missing after {PATIENCE} s")


def write_whole(file: Path, text: str) -> None:
    """Writes a file that nobody sees half written."""
    file.with_suffix(".new").write_text(text)
    file.with_suffix(".new").rename(file)


def supervise(log: str | Path, command: list[str]) -> int:
    """Runs a server; its id and how it ended are files that the runner reads."""
    with Path(log).open("ab") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    running = state() / f"{process.pid}.running"
    write_whole(running, " ".join(map(str, command)))
    code = process.wait()
    write_whole(running.with_suffix(".ended"), str(code))
    # The runner may have tidied up as soon as it saw the end.
    running.unlink(missing_ok=True)
    return code


def tilesight(arguments: list[str]):
    """The command. What serves until it is stopped goes on in the background."""
    arguments = [address_of_nats() if one == NATS else re.sub(r":8080$", ":0", one) for one in arguments]
    serves = arguments[:1] in (["serve"], ["worker"])
    reviews = "--review" in arguments or (arguments[:1] == ["review"] and arguments[1:2] not in (["merge"], ["export"]))
    if "--help" in arguments or not (serves or reviews):
        os.execv(program(), [program(), *arguments])
    if serves and "--listen" not in arguments:
        os.environ["TILESIGHT_LISTEN"] = "127.0.0.1:0"
    log = state() / f"{len(list(state().glob('*.log')))}-{os.getpid()}.log"
    log.touch()
    command = [sys.executable, str(Path(__file__).parent), "--supervise", str(log), program(), *arguments]
    supervisor = subprocess.Popen(
        command, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def begun():
        text = log.read_text(errors="replace")
        return re.search(r"listens on (https?)://(\S+)|tilesight works on ", text) or supervisor.poll() is not None

    found = wait_for("a line that says where the program listens", begun)
    if found is True:
        # It had nothing to serve, or failed.
        print(log.read_text(errors="replace"))
        return supervisor.returncode
    if arguments[0] == "serve":
        (state() / "port.new").write_text(found.group(2).rsplit(":", 1)[1])
        (state() / "port.new").rename(state() / "port")
        wait_for("a service that is ready", is_ready)
    return 0


def place_of(server: str) -> Path:
    """The folder where a block's own server is written down, or the one that was there before."""
    return state() if server in os.environ["DOCS_OWN"].split() else Path(os.environ["DOCS_SHARED"])


def port() -> str:
    """The port of the service."""
    file = place_of("service") / "port"
    wait_for("the port of a service", file.exists)
    return file.read_text()


def is_ready():
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port()}/readyz") as answer:
            return answer.status == 200
    except OSError:
        return False


def curl(arguments: list[str]) -> None:
    """A request to the service; an answer that is an error is a failure."""
    arguments = [one.replace(SERVICE, f"localhost:{port()}") for one in arguments]
    curl = real("curl")
    os.execv(curl, [curl, "--fail-with-body", "--silent", "--show-error", "--max-time", str(PATIENCE), *arguments])


def make(arguments: list[str]):
    """A target of the Makefile, with the program that is there instead of a release."""
    if not set(arguments) <= set(RUN):
        sys.exit(f"docs: `make {' '.join(arguments)}` is not run here: mark the block, with the reason")
    make = [real("make"), "--no-print-directory", "-C", str(ROOT), f"TILESIGHT={program()}"]
    if arguments == ["serve"]:
        recipe = subprocess.run(
            [*make, "--dry-run", *(f"--old-file={one}" for one in MADE), "serve"],
            capture_output=True,
            text=True,
            check=True,
        )
        if not recipe.stdout.strip().endswith(f"{program()} serve"):
            sys.exit(f"docs: `make serve` does not serve: {recipe.stdout}")
        return tilesight(["serve"])
    return os.execv(make[0], [*make, *(f"--old-file={one}" for one in MADE), *arguments])


def cargo(arguments: list[str]) -> int:
    """A build of the release, which is not made: its features must exist."""
    if arguments[:2] != ["build", "--release"]:
        sys.exit(f"docs: `cargo {' '.join(arguments)}` has no stand-in: mark the block, or add one")
    metadata = subprocess.run(
        [real("cargo"), "metadata", "--no-deps", "--locked", "--format-version", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    features = next(
        package["features"] for package in json.loads(metadata.stdout)["packages"] if package["name"] == "tilesight"
    )
    asked = [name for flag, names in itertools.pairwise(arguments) if flag == "--features" for name in names.split(",")]
    unknown = [name for name in asked if name not in features]
    if unknown:
        sys.exit(f"docs: no such feature: {', '.join(unknown)}")
    return 0


def nats_server(arguments: list[str]) -> int:
    """A server of NATS on a free port, which it writes down."""
    server = os.environ.get("TILESIGHT_NATS_SERVER") or real("nats-server")
    return supervise(
        state() / "nats.log",
        [server, *arguments, "--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", str(state())],
    )


def address_of_nats():
    """The address of the cluster."""
    place = place_of("cluster")

    def found():
        for file in place.glob("*.ports"):
            try:
                return json.loads(file.read_text())["nats"][0]
            except (ValueError, KeyError):
                return None
        return None

    return wait_for("the address of a NATS server", found)


def stand_in(name: str, arguments: list[str]):
    """Does what a program does; returns how it ended."""
    return {"tilesight": tilesight, "curl": curl, "make": make, "cargo": cargo, "nats-server": nats_server}[name](
        arguments
    )
