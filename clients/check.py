#!/usr/bin/env python3
"""Runs the real service and looks at it as its clients do.

    clients/check.py [--schemathesis] [--python] [--typescript] [--examples]      all of them without a flag

Input: target/release/tilesight (or TILESIGHT_PROGRAM) with its models. Four looks: requests made by
schemathesis from /openapi.json; a Python and a TypeScript client generated from it; the examples of
docs/http.md, taken out of the page and run as they stand. Whatever is generated lies in out/clients
and is made anew each time. It fails where a tool is missing: `make check-clients` brings them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "clients"
TOOLS = Path(sys.executable).parent
PROGRAM = Path(os.environ.get("TILESIGHT_PROGRAM", ROOT / "target" / "release" / "tilesight"))
# Far longer than any start takes: only a program that hangs meets it.
PATIENCE = 180


# A club's own rule set, which no client can know when it is generated.
CLUB = """
id = "check-club"
extends = "mcr-wmo"
title = "A club"
"""


class Service:
    """`tilesight serve` on a free port, with places for feedback and jobs and a club's rules; ends
    with the block."""

    def __enter__(self) -> Service:
        self.feedback = tempfile.TemporaryDirectory(prefix="tilesight-feedback-")
        self.data = tempfile.TemporaryDirectory(prefix="tilesight-data-")
        club = Path(self.data.name, "club.toml")
        club.write_text(CLUB)
        command = [
            PROGRAM,
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--feedback",
            self.feedback.name,
            "--data",
            f"{self.data.name}/jobs",
        ]
        command += ["--rules", club]
        environment = {**os.environ, "TILESIGHT_LOG": "tilesight=warn"}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        self.url = first.strip().split(" ")[-1]
        if not self.url.startswith("http"):
            sys.exit(f"clients: {PROGRAM} does not serve: run `make setup build`")
        self.wait()
        return self

    def wait(self) -> None:
        """Until photos can be read."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz") as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        sys.exit("clients: the service is never ready")

    def __exit__(self, *_: Any) -> None:
        self.process.terminate()
        ended = self.process.wait(PATIENCE)
        self.feedback.cleanup()
        self.data.cleanup()
        if ended != 0:
            sys.exit(f"clients: the service ended with {ended}")


def run(command: Sequence[object], **more: Any) -> str:
    """Runs a command, and ends with its output where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more, check=False)
    if done.returncode != 0:
        print(done.stdout[-8000:], done.stderr[-8000:], sep="\n", file=sys.stderr)
        sys.exit(f"clients: failed: {' '.join(str(part) for part in command)}")
    return done.stdout


def generate(command: Sequence[object], **more: Any) -> None:
    """Runs a generator, and ends with its output where it warns: what it warns of is missing in the
    client."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more, check=False)
    printed = done.stdout + done.stderr
    if done.returncode != 0 or re.search(r"\bwarn", printed, re.IGNORECASE):
        print(printed[-8000:], file=sys.stderr)
        sys.exit(f"clients: failed, or generated with warnings: {' '.join(str(part) for part in command)}")


def check_operations(client: str, described: Path, generated: set[str]) -> None:
    """Ends where operations of the document that a generated client is made of are missing in
    it."""
    items = json.loads(described.read_text())["paths"].values()
    named = {one["operationId"] for item in items for one in item.values() if "operationId" in one}
    if named - generated:
        sys.exit(f"clients: the {client} client does not have {', '.join(sorted(named - generated))}")


def document(service: Service) -> Path:
    """The OpenAPI document, as a file for the generators."""
    path = OUT / "openapi.json"
    with urllib.request.urlopen(f"{service.url}/openapi.json") as answer:
        path.write_bytes(answer.read())
    return path


def schemathesis(service: Service, options: argparse.Namespace) -> None:
    """Requests that follow the document, and such that do not: the answers have to follow it."""
    command = [
        TOOLS / "schemathesis",
        "--config-file",
        ROOT / "clients" / "schemathesis.toml",
        "run",
        f"{service.url}/openapi.json",
    ]
    command += ["--max-examples", options.max_examples, "--no-color"]
    command += ["--seed", options.seed] if options.seed else []
    hooks = {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(ROOT / "clients")}
    hooks["TILESIGHT_COVERAGE"] = str(options.coverage)
    printed = run(command, cwd=OUT, env={**os.environ, **hooks})
    print("schemathesis:", *re.findall(r"\d+ generated, .*", printed))


def python(service: Service) -> None:
    """A client by openapi-python-client, used as its users would. It is made of the committed
    document, which does not have the rule set of this service's club. It knows no raw pictures, so
    it sends forms."""
    folder = OUT / "python"
    shutil.rmtree(folder, ignore_errors=True)
    described = ROOT / "tests" / "golden" / "openapi.json"
    generator = [
        TOOLS / "openapi-python-client",
        "generate",
        "--path",
        described,
        "--output-path",
        folder,
        "--meta",
        "none",
    ]
    generate([*generator, "--config", ROOT / "clients" / "python" / "generator.yaml"])
    check_operations("Python", described, {module.stem for module in (folder / "api").glob("*/*.py")})
    # The package is imported by its name, from the folder above it.
    package = OUT / "tilesight_client"
    shutil.rmtree(package, ignore_errors=True)
    folder.rename(package)
    print(
        "python:",
        run(
            [sys.executable, ROOT / "clients" / "python" / "check.py", service.url],
            env={**os.environ, "PYTHONPATH": str(OUT)},
        ).strip(),
    )


def typescript(service: Service) -> None:
    """Types by openapi-typescript under openapi-fetch: checked by the compiler, then run."""
    here = ROOT / "clients" / "typescript"
    if not shutil.which("npm"):
        sys.exit("clients: Node 20 is missing: it runs the TypeScript client")
    run(["npm", "ci", "--no-audit", "--no-fund"], cwd=here)
    described, types = document(service), here / "generated" / "tilesight.ts"
    generate(["npx", "openapi-typescript", described, "--output", types], cwd=here)
    check_operations("TypeScript", described, set(re.findall(r'operations\["(\w+)"\]', types.read_text())))
    run(["npx", "tsc", "--project", "."], cwd=here)
    print("typescript:", run(["node", "generated/js/check.js", service.url], cwd=here).strip())


def examples(service: Service) -> None:
    """The examples of docs/http.md that say so, each as it stands there, on photos of ours."""
    text = (ROOT / "docs" / "http.md").read_text()
    blocks = re.findall(r"<!-- run: (\w+) -->\n```\w+\n(.*?)```", text, re.DOTALL)
    if {kind for kind, _ in blocks} != {"curl", "python", "typescript"}:
        sys.exit("clients: docs/http.md has no examples to run")
    for kind, code in blocks:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "datasets" / "samples" / "demo.jpg", Path(folder) / "photo.jpg")
            for seat in ("east", "south", "west"):
                shutil.copy(ROOT / "datasets" / "games" / f"classical-{seat}.jpg", Path(folder) / f"{seat}.jpg")
            code = code.replace("http://localhost:8080", service.url).replace("localhost:8080", service.url)
            printed = example(kind, code, Path(folder))
        if not re.search("mcr-wmo|classical-dmjl", printed):
            sys.exit(f"clients: an example in {kind} printed no score: {printed}\n{code}")
    print(f"examples: {len(blocks)} of docs/http.md")


def example(kind: str, code: str, folder: Path) -> str:
    """Runs one example and returns what it prints."""
    if kind == "curl":
        return run(["bash", "-euc", code.replace("curl ", "curl --fail-with-body --silent --show-error ")], cwd=folder)
    if kind == "python":
        (folder / "example.py").write_text(code)
        return run([sys.executable, "example.py"], cwd=folder)
    (folder / "example.mts").write_text(code)
    here = ROOT / "clients" / "typescript"
    run(["npm", "ci", "--no-audit", "--no-fund"], cwd=here)
    options = [
        "--module",
        "nodenext",
        "--target",
        "es2023",
        "--skipLibCheck",
        "--types",
        "node",
        "--typeRoots",
        here / "node_modules" / "@types",
    ]
    run([here / "node_modules" / ".bin" / "tsc", *options, "example.mts"], cwd=folder)
    return run(["node", "example.mjs"], cwd=folder)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    looks = ("schemathesis", "python", "typescript", "examples")
    for look in looks:
        parser.add_argument(f"--{look}", action="store_true")
    parser.add_argument(
        "--max-examples", type=int, default=15, help="requests of schemathesis for each operation and phase"
    )
    parser.add_argument("--coverage", type=int, default=1, help="send one in so many cases of large bodies")
    parser.add_argument("--seed", type=int, default=20061, help="of schemathesis; 0 for another one each time")
    options = parser.parse_args()
    chosen = [look for look in looks if getattr(options, look)] or looks
    OUT.mkdir(parents=True, exist_ok=True)
    with Service() as service:
        if "schemathesis" in chosen:
            schemathesis(service, options)
        for look in (python, typescript, examples):
            if look.__name__ in chosen:
                look(service)


if __name__ == "__main__":
    main()
