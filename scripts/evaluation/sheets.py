"""Contact sheets of what went wrong, to be looked at. Needs Pillow.

Input: results of photos, answers to crops. Output: PNG sheets in a folder; red is missed, orange is
named wrongly (truth > reading), magenta does not belong (with a thick line, and its name, where it
got into the hand), blue belongs to the hand and was left out, green is right. Each caption tells
the photo, the causes of the failure and the hand that was read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw, ImageFont

from evaluation import causes, survival
from evaluation.geometry import bounds, box_corners

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult


CELL = (620, 480)
PER_SHEET = 9
COLUMNS = 3
MAX_SHEETS = 6


def photo_sheets(results: list[PhotoResult], folder: Path, name: str) -> list[Any]:
    """Sheets of the photos with anything wrong, the worst first. Returns the paths."""
    bad = [r for r in results if not r.perfect_tiles or r.whole is False or r.structure is False]
    bad += [r for r in results if r.photo.kind == "blank" and r not in bad and survival.beyond_truth(r)]
    # Hands first: they are what counts. Then the most errors first.
    bad.sort(key=lambda r: (not causes.causes(r), -(len(r.missed) + len(r.wrong()) + len(r.false))))
    return _sheets([_photo_cell(r) for r in bad[: PER_SHEET * MAX_SHEETS]], Path(folder), name, CELL, COLUMNS)


def crop_sheets(answers: Any, folder: Path, name: str) -> list[Any]:
    """Sheets of [(path, truth, answer)] that were named wrongly."""
    cells = [_crop_cell(path, truth, answer) for path, truth, answer in answers]
    return _sheets(cells, Path(folder), name, (130, 176), 12, per_sheet=72)


def _sheets(
    cells: list[Image.Image], folder: Path, name: str, size: tuple[int, int], columns: int, per_sheet: int = PER_SHEET
) -> list[Any]:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}-*.png"):
        old.unlink()
    paths = []
    for start in range(0, len(cells), per_sheet):
        group = cells[start : start + per_sheet]
        sheet = Image.new("RGB", (size[0] * columns, size[1] * -(-len(group) // columns)), (30, 30, 30))
        for k, cell in enumerate(group):
            sheet.paste(cell, ((k % columns) * size[0], (k // columns) * size[1]))
        paths.append(folder / f"{name}-{len(paths) + 1}.png")
        sheet.save(paths[-1])
    return paths


def _photo_cell(result: PhotoResult):
    """The part of the photo that matters, as large as the cell allows; drawn upon after scaling, so
    that names stay readable."""
    picture = Image.open(result.photo.path).convert("RGB")
    box = _around(result, picture.size)
    picture = picture.crop(box)
    scale = min((CELL[0] - 6) / picture.width, (CELL[1] - 64) / picture.height)
    picture = picture.resize(
        (max(1, round(picture.width * scale)), max(1, round(picture.height * scale))), Image.LANCZOS
    )

    def place(points: Any):
        return [((x - box[0]) * scale, (y - box[1]) * scale) for x, y in points]

    _marks(ImageDraw.Draw(picture), result, place)
    cell = Image.new("RGB", CELL, (30, 30, 30))
    cell.paste(picture, (3, 60))
    _caption(ImageDraw.Draw(cell), result)
    return cell


def _marks(draw: ImageDraw.ImageDraw, result: PhotoResult, place: Callable) -> None:
    """Frames around the tiles, and names where something is wrong."""
    truth, seen = result.photo.tiles, result.reading.get("tiles") or []
    wrong, left_out = dict(result.wrong()), _left_out(result)
    for t, d in result.pairs:
        colour = "orange" if t in wrong else "deepskyblue" if t in left_out else "lime"
        words = f"{truth[t].code}>{seen[d]['tile']}" if t in wrong else truth[t].code if t in left_out else ""
        _frame(draw, place(box_corners(truth[t].box)), colour, words)
    for t in result.missed:
        _frame(draw, place(box_corners(truth[t].box)), "red", truth[t].code)
    strays = set(_strays(result))
    for d in set(result.false) | strays:
        _frame(
            draw, place(seen[d]["polygon"]), "magenta", seen[d]["tile"] if d in strays else "", 4 if d in strays else 1
        )


def _strays(result: PhotoResult) -> list[int]:
    """Tiles of the reading's hand that do not belong, where the truth can tell."""
    known = result.photo.exhaustive or result.photo.labels_are_hand
    return survival.beyond_truth(result) + survival.clutter(result) if known else []


def _left_out(result: PhotoResult):
    """Tiles of the hand that the reading left out, where the truth can tell."""
    known = result.photo.hand is not None or result.photo.labels_are_hand
    return set(survival.left_out(result)) if known else set()


def _caption(draw: ImageDraw.ImageDraw, result: PhotoResult) -> None:
    hand = result.reading.get("hand") or {}
    photo, font = result.photo, ImageFont.load_default(size=14)
    read = " ".join(hand.get("concealed") or []) + " + " + str(hand.get("winning_tile") or "?")
    melds = "; ".join(" ".join(m["tiles"]) + f" {m.get('from') or ''}" for m in hand.get("melds") or [])
    chance = result.reading.get("probability")
    claimed = "" if chance is None else f" {chance:.2f}"
    draw.text(
        (4, 2),
        f"{Path(photo.path).stem[-26:]} [{photo.scene}] {result.reading.get('status')}{claimed}",
        fill="white",
        font=font,
    )
    draw.text((4, 21), ", ".join(causes.causes(result)) or "tiles only", fill="orange", font=font)
    draw.text((4, 40), f"{read} | {melds} | {' '.join(hand.get('flowers') or [])}"[:92], fill="white", font=font)


def _around(result: PhotoResult, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of the photo that holds all labels and the reading's hand, with a margin."""
    boxes = [tile.box for tile in result.photo.tiles]
    if not boxes:
        return 0, 0, *size
    boxes += [bounds(result.reading["tiles"][d]["polygon"]) for d in _strays(result)]
    margin = max(box[2] for box in boxes) / 2
    left, top = min(b[0] for b in boxes) - margin, min(b[1] for b in boxes) - margin
    right, bottom = max(b[0] + b[2] for b in boxes) + margin, max(b[1] + b[3] for b in boxes) + margin
    return max(0, int(left)), max(0, int(top)), min(size[0], int(right)), min(size[1], int(bottom))


def _frame(draw: ImageDraw.ImageDraw, points: Any, colour: str, words: str, thick: int = 2) -> None:
    points = [tuple(point) for point in points]
    draw.line(points + points[:1], fill=colour, width=thick)
    if words:
        x, y, _, h = bounds(points)
        font = ImageFont.load_default(size=15)
        at = (x + 1, y - 17 if y > 17 else y + h + 1)
        draw.rectangle(draw.textbbox(at, words, font=font), fill="black")
        draw.text(at, words, fill=colour, font=font)


def _crop_cell(path: str, truth: str, answer: dict[str, Any]):
    cell = Image.new("RGB", (130, 176), (30, 30, 30))
    cell.paste(Image.open(path).convert("RGB").resize((114, 152)), (8, 22))
    best = (answer.get("candidates") or [{}])[0].get("p", 0)
    ImageDraw.Draw(cell).text((6, 5), f"{truth} > {answer.get('tile')} {best:.2f}", fill="orange")
    return cell
