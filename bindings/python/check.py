"""Installs the wheel of a folder into empty environments, and uses it as its users would.

    bindings/python/check.py FOLDER

One environment has the wheel alone, which scores hands; the other has the extra `photos` too, and a
type checker. It needs a package index. It fails, and never skips, if something is missing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TESTS = Path(__file__).parent / "tests"

#: ONNX Runtime as scripts/setup pins it for the program, so that both read photos alike.
PHOTOS = ["onnxruntime==1.31.1", "numpy", "pillow"]


def main(folder: Path) -> None:
    wheels = sorted(folder.glob("tilesight-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"check.py: {folder} has {len(wheels)} wheels of tilesight instead of one; run `make python`")
    with tempfile.TemporaryDirectory(prefix="tilesight-python-") as place:
        scorer, reader = Path(place, "scorer"), Path(place, "reader")
        install(scorer, ["--no-index", str(wheels[0])])
        run(scorer, ["test_score.py", "test_corpus.py"])
        install(reader, [str(wheels[0]), *PHOTOS, "mypy==2.4.1"])
        run(reader, ["test_reader.py"])
        # `python -m mypy` from elsewhere, so that it sees the installed package.
        python = reader / "bin/python"
        for checked in ([TESTS / "typed.py"], ["--package", "tilesight"]):
            subprocess.run([python, "-m", "mypy", "--strict", *checked], cwd=place, check=True)


def install(place: Path, packages: list[str]) -> None:
    venv.create(place, with_pip=True)
    pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *packages], check=True)


def run(place: Path, tests: list[str]) -> None:
    for test in tests:
        subprocess.run([place / "bin/python", TESTS / test], cwd=place, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
