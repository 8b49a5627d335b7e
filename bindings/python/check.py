"""Installs the wheel of a folder into empty environments, and uses it as its users would.

    bindings/python/check.py FOLDER

One environment has the wheel alone, which scores hands; the other has the extra `photos` too, and
type checkers, which read the package and the examples. It needs a package index. It fails, and
never skips, if something is missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TESTS = Path(__file__).resolve().parent / "tests"
EXAMPLES = [TESTS.parents[2] / "examples/python" / name for name in ("bot.py", "import_scores.py")]

#: ONNX Runtime as scripts/setup pins it for the program, so that both read photos alike.
PHOTOS = ["onnxruntime==1.31.1", "numpy", "pillow"]
#: pyright as scripts/requirements-style.txt pins it
CHECKERS = ["mypy==2.4.1", "pyright==1.1.414"]


def main(folder: Path) -> None:
    wheels = sorted(folder.glob("tilesight-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"check.py: {folder} has {len(wheels)} wheels of tilesight instead of one; run `make python`")
    with tempfile.TemporaryDirectory(prefix="tilesight-python-") as place:
        scorer, reader = Path(place, "scorer"), Path(place, "reader")
        install(scorer, ["--no-index", str(wheels[0])])
        run(scorer, ["test_score.py", "test_corpus.py"])
        install(reader, [str(wheels[0]), *PHOTOS, *CHECKERS])
        run(reader, ["test_reader.py"])
        check_types(reader / "bin/python", Path(place))


def check_types(python: Path, place: Path) -> None:
    """Checks the package, its stubs, and its use, from elsewhere, so that the installed package is
    seen."""
    code = "import tilesight; print(tilesight.__path__[0])"
    installed = subprocess.run([python, "-c", code], cwd=place, check=True, capture_output=True, text=True)
    checked = place / "checked"
    shutil.copytree(installed.stdout.strip(), checked / "tilesight", ignore=shutil.ignore_patterns("models"))
    for file in (TESTS / "typed.py", *EXAMPLES):
        shutil.copy(file, checked)
    config = {"typeCheckingMode": "strict", "pythonVersion": "3.10", "reportMissingModuleSource": False}
    (checked / "pyrightconfig.json").write_text(json.dumps(config))
    # JSON may be anything, which pyright takes for what a function says that it returns.
    strict = ["mypy", "--strict", "--no-warn-return-any"]
    for command in (
        [*strict, TESTS / "typed.py", TESTS / "refused.py", *EXAMPLES],
        [*strict, "--package", "tilesight"],
        ["mypy.stubtest", "tilesight", "--allowlist", TESTS / "stubtest.txt"],
        ["pyright", "--project", checked, "--pythonpath", python],
    ):
        subprocess.run([python, "-m", *command], cwd=place, check=True)


def install(place: Path, packages: list[str]) -> None:
    venv.create(place, with_pip=True)
    pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *packages], check=True)


def run(place: Path, tests: list[str]) -> None:
    for test in tests:
        subprocess.run([place / "bin/python", TESTS / test], cwd=place, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
