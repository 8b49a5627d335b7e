"""Files that the pages take for granted: photos, archives, tables and profiles, made from our
samples.

Input: an empty folder. Output: the folder with everything that a reader would have, under the names
that the pages use.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from docs_commands.blocks import blocks

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "datasets" / "samples"
GAMES = ROOT / "datasets" / "games"
# Photos of a hand, by the names that the pages give them.
PHOTOS = (
    "photo.jpg",
    "hand.jpg",
    "a.jpg",
    "b.jpg",
    "winner.jpg",
    "photos/ES_discard-left (2).jpg",
    "photos/SW_self_drawn.jpg",
    "club/12.jpg",
)
# Of the folder of samples only these: the pages read all of it, which takes a minute each time.
SOME_PHOTOS = ("demo.jpg", "900001.jpg")
HANDS = (
    '{"hand":"123456789m11pFFF","context":{"seat":"S","win":"self_drawn"}}\n'
    '{"hand":"[EEE,2]123m456p789s5s5s|SE1000|2"}\n'
)
CONTEXTS = "file,seat,win,custom_id,#player\nphotos/SW_self_drawn.jpg,S,self_drawn,t1-h12,Kim\n"
KIM = "id,winning_tile,hand,reviewer\nclub/12.jpg,1m,,Kim\n"
ANN = "id,winning_tile,hand,reviewer\nclub/12.jpg,2m,,Ann\n"


def prepare(folder: Path) -> None:
    """Fills the folder."""
    for name in PHOTOS:
        copy(SAMPLES / "demo.jpg", folder / name)
    for name in SOME_PHOTOS:
        copy(SAMPLES / name, folder / "datasets" / "samples" / name)
    for seat in ("east", "south", "west"):
        copy(GAMES / f"classical-{seat}.jpg", folder / f"{seat}.jpg")
    # One photo in doubt, so that a review has something to ask.
    copy(GAMES / "classical-west.jpg", folder / "club" / "13.jpg")
    archive(folder / "photos.zip", folder / "photos")
    archive(folder / "club.zip", folder / "club")
    for name, text in (("hands.jsonl", HANDS), ("hands.csv", CONTEXTS), ("kim.csv", KIM), ("ann.csv", ANN)):
        (folder / name).write_text(text)
    rules = (ROOT / "docs" / "rules.md").read_text()
    profile = next(block.code for block in blocks(rules) if block.language == "toml")
    (folder / "clubs").mkdir()
    for file in (folder / "our-club.toml", folder / "clubs" / "our-club.toml"):
        file.write_text(profile)
    (folder / "scripts").symlink_to(ROOT / "scripts")


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def archive(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file, "w") as out:
        for photo in sorted(folder.iterdir()):
            out.write(photo, f"{folder.name}/{photo.name}")
