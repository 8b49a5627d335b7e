"""Lays out the C library as it is installed.

    bindings/c/package.py BUILT FOLDER

Input: the folder in which Cargo built the library. Output: FOLDER with `include`, `lib`, `share`,
which can be copied to /usr/local or stay where they are: tilesight.pc finds them relative to
itself.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

#: the interface's version is a part of the library's name
SONAME = "libtilesight.so.1"

PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include
models=${{prefix}}/share/tilesight/models

Name: tilesight
Description: Scores hands of mahjong, and reads them from photos
Version: {version}
Libs: -L${{libdir}} -ltilesight
Libs.private: -lpthread -ldl -lm
Cflags: -I${{includedir}}
"""


def main(built: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lib, share = folder / "lib", folder / "share/tilesight"
    for place in (folder / "include", lib / "pkgconfig", share / "models"):
        place.mkdir(parents=True)
    shutil.copy(HERE / "include/tilesight.h", folder / "include")
    shutil.copy(built / "libtilesight.a", lib)
    if (built / "libtilesight.dylib").is_file():
        shutil.copy(built / "libtilesight.dylib", lib)
    else:
        shutil.copy(built / "libtilesight.so", lib / SONAME)
        (lib / "libtilesight.so").symlink_to(SONAME)
    (lib / "pkgconfig/tilesight.pc").write_text(PKG_CONFIG.format(version=version()))
    for file in [*ROOT.glob("models/*.onnx"), ROOT / "models/manifest.json"]:
        shutil.copy(file, share / "models")
    for file in [ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE", HERE / "README.md", HERE / "examples/score.c"]:
        shutil.copy(file, share)


def version() -> str:
    """Return the version of the library."""
    lines = (HERE / "Cargo.toml").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("version = "))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
