"""Compiles the Kotlin package and a program that uses it, and runs the program on the JVM.

    bindings/kotlin/check.py FOLDER

FOLDER has the C library as `bindings/c/package.py` lays it out. `scripts/setup-kotlin` brings the
compiler and JNA. `TILESIGHT_CORPUS` names the program that prints the test data. It fails, and
never skips, if something is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bindings/c"))

# pyright takes this script for `check`; Python takes bindings/c/check.py.
from check import PHOTO, SHEET, models, onnxruntime  # noqa: E402  # pyright: ignore


def main(folder: Path) -> None:
    setup = subprocess.run([ROOT / "scripts/setup-kotlin"], stdout=subprocess.PIPE, text=True, check=False)
    if setup.returncode != 0:
        sys.exit(setup.returncode)
    kotlinc, jna = setup.stdout.split()
    with tempfile.TemporaryDirectory(prefix="tilesight-kotlin-") as place:
        package, program, corpus = Path(place, "tilesight.jar"), Path(place, "check.jar"), Path(place, "corpus.jsonl")
        run([kotlinc, "-cp", jna, HERE / "src/main/kotlin", "-d", package])
        run([kotlinc, "-cp", f"{package}:{jna}", HERE / "src/test/kotlin", "-include-runtime", "-d", program])
        with corpus.open("wb") as file:
            subprocess.run([os.environ["TILESIGHT_CORPUS"]], stdout=file, check=True)
        java = ["java", "-Xss512k", f"-Djna.library.path={folder / 'lib'}", "-cp", f"{program}:{package}:{jna}"]
        run([*java, "CheckKt", corpus, models(folder), onnxruntime(), PHOTO, SHEET])


def run(command: list[object]) -> None:
    done = subprocess.run([str(part) for part in command], check=False)
    if done.returncode != 0:
        sys.exit(f"check.py: {Path(str(command[0])).name} failed: {done.returncode}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
