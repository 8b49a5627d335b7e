"""Contact sheets of what went wrong, to be looked at. Needs Pillow.

Input: results of photos, answers to crops. Output: PNG sheets in a folder; red is missed, orange is named wrongly
(truth > reading), magenta is a false alarm, green is right.
"""
from pathlib import Path

from PIL import Image, ImageDraw

CELL = (620, 480)
PER_SHEET = 9
COLUMNS = 3
MOST_SHEETS = 6


def photo_sheets(results, folder, name):
    """Sheets of the photos with anything wrong, the worst first. Returns the paths."""
    bad = [r for r in results if not r.perfect_tiles or r.whole is False or r.structure is False]
    bad.sort(key=lambda r: -(len(r.missed) + len(r.wrong()) + len(r.false)))
    return _sheets([_photo_cell(r) for r in bad[:PER_SHEET * MOST_SHEETS]], Path(folder), name, CELL, COLUMNS)


def crop_sheets(answers, folder, name):
    """Sheets of [(path, truth, answer)] that were named wrongly."""
    cells = [_crop_cell(path, truth, answer) for path, truth, answer in answers]
    return _sheets(cells, Path(folder), name, (130, 176), 12, per_sheet=72)


def _sheets(cells, folder, name, size, columns, per_sheet=PER_SHEET):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}-*.png"):
        old.unlink()
    paths = []
    for start in range(0, len(cells), per_sheet):
        group = cells[start:start + per_sheet]
        sheet = Image.new("RGB", (size[0] * columns, size[1] * -(-len(group) // columns)), (30, 30, 30))
        for k, cell in enumerate(group):
            sheet.paste(cell, ((k % columns) * size[0], (k // columns) * size[1]))
        paths.append(folder / f"{name}-{len(paths) + 1}.png")
        sheet.save(paths[-1])
    return paths


def _photo_cell(result):
    picture = Image.open(result.photo.path).convert("RGB")
    draw = ImageDraw.Draw(picture)
    truth, seen = result.photo.tiles, result.reading.get("tiles") or []
    wrong = dict(result.wrong())
    for t, _ in result.pairs:
        _box(draw, truth[t].box, "orange" if t in wrong else "lime",
             f"{truth[t].code}>{seen[wrong[t]]['tile']}" if t in wrong else "")
    for t in result.missed:
        _box(draw, truth[t].box, "red", truth[t].code)
    for d in result.false:
        draw.polygon([tuple(p) for p in seen[d]["polygon"]], outline="magenta")
    box = _around(result, picture.size)
    picture = picture.crop(box)
    picture.thumbnail((CELL[0] - 6, CELL[1] - 40))
    cell = Image.new("RGB", CELL, (30, 30, 30))
    cell.paste(picture, (3, 36))
    _caption(ImageDraw.Draw(cell), result)
    return cell


def _caption(draw, result):
    hand = result.reading.get("hand") or {}
    read = " ".join(hand.get("concealed") or []) + " + " + str(hand.get("winning_tile"))
    melds = "; ".join(" ".join(m["tiles"]) + f" {m.get('from')}" for m in hand.get("melds") or [])
    draw.text((4, 2), f"{Path(result.photo.path).stem[:40]} [{result.photo.scene}] {result.reading.get('status')}", fill="white")
    draw.text((4, 16), f"{read} | {melds} | {' '.join(hand.get('flowers') or [])}"[:105], fill="white")


def _around(result, size):
    """The part of the photo that holds all labels and false alarms, with a margin."""
    boxes = [tile.box for tile in result.photo.tiles]
    left, top = min(b[0] for b in boxes) - 40, min(b[1] for b in boxes) - 40
    right, bottom = max(b[0] + b[2] for b in boxes) + 40, max(b[1] + b[3] for b in boxes) + 40
    return max(0, int(left)), max(0, int(top)), min(size[0], int(right)), min(size[1], int(bottom))


def _box(draw, box, colour, text):
    x, y, w, h = box
    draw.rectangle([x, y, x + w, y + h], outline=colour, width=2)
    if text:
        draw.text((x + 1, y - 12), text, fill=colour)


def _crop_cell(path, truth, answer):
    cell = Image.new("RGB", (130, 176), (30, 30, 30))
    cell.paste(Image.open(path).convert("RGB").resize((114, 152)), (8, 22))
    best = (answer.get("candidates") or [{}])[0].get("p", 0)
    ImageDraw.Draw(cell).text((6, 5), f"{truth} > {answer.get('tile')} {best:.2f}", fill="orange")
    return cell
