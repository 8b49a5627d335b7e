"""Runs the examples with the wheel of a folder, in an empty environment.

    examples/python/check.py FOLDER

It needs a package index. `TILESIGHT_PHOTOS` names the folder of our own sample photos.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(folder: str | Path) -> None:
    wheels = sorted(Path(folder).glob("tilesight-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"check.py: {folder} has {len(wheels)} wheels of tilesight instead of one; run `make python`")
    with tempfile.TemporaryDirectory(prefix="tilesight-examples-") as place:
        venv.create(place, with_pip=True)
        python = Path(place) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        wheel = f"{wheels[0].resolve()}[photos]"
        subprocess.run(
            [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                wheel,
                "-r",
                HERE / "requirements.txt",
            ],
            check=True,
        )
        env = {**os.environ, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([python, "-m", "unittest", "discover", "-s", HERE], check=True, cwd=place, env=env)


if __name__ == "__main__":
    main(sys.argv[1])
