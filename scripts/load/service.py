"""The release service as a process on one core, and what the kernel says of it. Linux only.

Input: the program and its flags. Output: its address, peak memory, and how much of its core others
took meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
# Far longer than it takes: only a service that hangs meets it.
READY_S = 30


class LoadError(Exception):
    """The reason why the bench can't measure, in one line."""


def cores() -> tuple[int, int]:
    """(core of the service, core of the client): two where there are two."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


def on_core(core: int) -> Callable:
    """Binds a child process to one core before it starts."""
    return lambda: os.sched_setaffinity(0, {core})


class Service:
    """A running service with one worker, and the core that it is bound to."""

    def __init__(self, process: subprocess.Popen, address: str, core: int) -> None:
        self.process, self.address, self.core = process, address, core

    def url(self, path: str) -> str:
        return self.address + path

    def get(self, path: str):
        """The body of an answer."""
        with urllib.request.urlopen(self.url(path), timeout=READY_S) as answer:
            return answer.read()

    def wait_until_idle(self) -> None:
        """Returns once no photo is left: what the run before was cut off with would be in the way
        of the next."""
        wait_until(lambda: b"\ntilesight_photos_in_flight 0\n" in self.get("/metrics"), "idle")

    def forget_peak(self) -> None:
        """Lets the kernel's record of the most memory start anew."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def peak_mib(self) -> float:
        """The most memory since then, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024

    def used_s(self) -> float:
        """Seconds of the processor that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def busy_s(self) -> float:
        """Seconds that its core was busy, for any process; time that the hypervisor gave to others
        counts too."""
        line = re.search(rf"^cpu{self.core} (.*)$", Path("/proc/stat").read_text(), re.MULTILINE)
        user, nice, system, _idle, _wait, interrupts, soft, stolen = map(int, line[1].split()[:8])
        return (user + nice + system + interrupts + soft + stolen) / TICKS


@contextlib.contextmanager
def running(program: Path, *flags: str) -> Iterator[Service]:
    """The service on its core, ready to read photos; stopped as a process manager would."""
    core = cores()[0]
    command = [str(program), "serve", "--listen", "127.0.0.1:0", "--workers", "1", *flags]
    environment = {**os.environ, "TILESIGHT_LOG": "tilesight=warn"}
    pin = on_core(core)
    # No thread has begun yet that `preexec_fn` could disturb.
    output = {"stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, preexec_fn=pin, env=environment, **output)  # noqa: PLW1509
    try:
        address = re.search(r"http://\S+", process.stdout.readline() or "")
        if not address:
            raise LoadError(f"{program} did not start: run `make setup build`")
        service = Service(process, address[0], core)
        wait_until(lambda: service.get("/readyz"), "ready")
        yield service
    finally:
        process.terminate()
        process.wait(timeout=90)


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Returns once something holds of the service."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if holds():
                return
        time.sleep(0.05)
    raise LoadError(f"the service did not become {what}")
