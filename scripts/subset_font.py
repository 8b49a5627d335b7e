"""Cuts the font of pictures down to the letters that pictures can hold.

Purpose: `tilesight score --picture hand.png` must look the same on every machine, in every
language, without carrying 20 MB of font. Input: a folder with NotoSansCJK-Regular.ttc (Debian:
fonts-noto-cjk), SIL Open Font License 1.1. Output: assets/fonts/tilesight-sans.otf with every
character of the texts of crates/tilesight-core (the catalogues and its rule sets), and the Latin
letters and signs beside them.
Needs fonttools. The font is committed, so only who adds a word in a new script runs this; a test in
crates/tilesight-pictures/src/letters.rs says when.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import tomllib
from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
SIMPLIFIED_CHINESE = (
    2  # The collection holds Japanese, Korean, Simplified, Traditional (Taiwan), Traditional (Hong Kong).
)
SIGNS = "–—−×·…‘’“”→✓"


def strings(value: object) -> str:
    """Every text in a table of TOML."""
    if isinstance(value, dict):
        value = list(value.values())
    return "".join(map(strings, value)) if isinstance(value, list) else str(value)


def characters() -> set[int]:
    """Every character that the tables of words hold, and all of Latin-1."""
    catalogues = sorted((ROOT / "crates/tilesight-texts/catalogues").glob("*.toml"))
    profiles = sorted((ROOT / "crates/tilesight-core/src/rules").rglob("*.toml"))
    words = "".join(strings(tomllib.loads(path.read_text(encoding="utf-8"))["core"]) for path in catalogues)
    words += "".join(path.read_text(encoding="utf-8") for path in profiles)
    latin = set(range(0x20, 0x7F)) | set(range(0xA0, 0x180))
    return latin | {ord(char) for char in words + SIGNS if ord(char) >= 0x20}


def main() -> None:
    """Write the font."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "collection", type=Path, nargs="?", default=Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
    )
    font = TTFont(parser.parse_args().collection, fontNumber=SIMPLIFIED_CHINESE, recalcTimestamp=False)
    options = subset.Options(
        hinting=False,
        desubroutinize=False,
        layout_features=["kern"],
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        notdef_outline=True,
        drop_tables=subset.Options().drop_tables + ["vhea", "vmtx", "VORG", "BASE"],
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters())
    cutter.subset(font)
    # A changed font goes by its own name, so that nobody's installed one is taken for it.
    for record in list(font["name"].names):
        text = record.toUnicode()
        if record.nameID in (1, 3, 4, 6):
            font["name"].setName(
                "TilesightSans" if record.nameID == 6 else "Tilesight Sans",
                record.nameID,
                record.platformID,
                record.platEncID,
                record.langID,
            )
        elif record.nameID not in (0, 13, 14) and "Noto" in text:
            font["name"].removeNames(nameID=record.nameID)
    cff = font["CFF "].cff
    cff.fontNames = ["TilesightSans"]
    out = ROOT / "assets/fonts/tilesight-sans.otf"
    out.parent.mkdir(parents=True, exist_ok=True)
    font.save(out)
    print(f"{out.relative_to(ROOT)}: {out.stat().st_size} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    main()
