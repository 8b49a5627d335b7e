"""`python3 -m tile_art FOLDER`: writes the set."""

import sys
from pathlib import Path

from .tile_set import pictures

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for code, text in pictures().items():
        (folder / f"{code}.svg").write_text(text, encoding="utf-8")
