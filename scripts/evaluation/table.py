"""Writes the figures as Markdown tables and puts them into the model card between its markers. Standard library only."""
from evaluation.metrics import Rate, calibration_error, plain

BEGIN = "<!-- evaluation: written by `make evaluate`, do not edit -->"
END = "<!-- end of evaluation -->"
BONUS = {f"{kind}{n}" for kind in "fs" for n in range(1, 5)}


def percent(rate):
    """`97.1 % (96.0-98.0) of 1234`, or a dash of nothing."""
    if not rate.total:
        return "-"
    low, high = rate.interval()
    return f"{100 * rate.value:.1f} % ({100 * low:.1f}-{100 * high:.1f}) of {rate.total}"


def photo_table(rows):
    """One row for each (name, Summary)."""
    lines = [
        "| photos | n | tiles found | found and named | class accuracy | precision | whole hand | but for which flower "
        "| with sets and winning tile "
        "| silently wrong | calibration error | s a photo |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, total in rows:
        error = calibration_error(total.confidence)
        cells = [name, str(total.photos)] + [
            percent(rate) for rate in (total.found, total.named, total.accuracy, total.precision, total.whole,
                                       total.whole_but_kind, total.structure, total.silent)]
        cells += ["-" if error is None else f"{100 * error:.1f} %", f"{_median(total.seconds):.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def scene_table(rows):
    """The same for each scene, in short: few photos make wide intervals, so counts are given."""
    lines = ["| scene | photos | tiles found | found and named | whole hands |", "|---|---|---|---|---|"]
    for name, total in rows:
        rates = [f"{rate.hits} of {rate.total}" if rate.total else "-" for rate in (total.found, total.named, total.whole)]
        lines.append("| " + " | ".join([name, str(total.photos)] + rates) + " |")
    return "\n".join(lines)


def _median(values):
    return sorted(values)[len(values) // 2] if values else 0.0


def crop_rates(answers):
    """Rates over [(truth, answer)] of single-tile crops: the 34 faces, the bonus tiles, bonus tiles as such."""
    faces, bonus, as_bonus = Rate(), Rate(), Rate()
    for truth, answer in answers:
        said = plain(answer.get("tile") or "")
        if truth in BONUS:
            bonus.add(said == truth)
            as_bonus.add(said in BONUS)
        else:
            faces.add(said == truth)
    return faces, bonus, as_bonus


def crop_table(answers):
    """The unseen-set crops."""
    faces, bonus, as_bonus = crop_rates(answers)
    sure = [(float(a["candidates"][0]["p"]), plain(a["tile"]) == t) for t, a in answers if a.get("candidates")]
    error = calibration_error(sure)
    rows = [
        ("34 suit and honour faces", percent(faces)), ("flowers and seasons, exact", percent(bonus)),
        ("flowers and seasons, as some bonus tile", percent(as_bonus)),
        ("calibration error", "-" if error is None else f"{100 * error:.1f} %"),
    ]
    return "\n".join(["| unseen-set crops | right |", "|---|---|"] + [f"| {a} | {b} |" for a, b in rows])


def confusion_list(confusion, most=15):
    """The commonest confusions, truth first."""
    if not confusion:
        return "No tile that was found was named wrongly."
    return ", ".join(f"{truth} read as {said} ({count})" for (truth, said), count in confusion.most_common(most))


def into_card(card, text):
    """The card with what stands between the markers replaced; raises ValueError when it has no markers."""
    if card.count(BEGIN) != 1 or card.count(END) != 1:
        raise ValueError("the model card needs one pair of evaluation markers")
    head, rest = card.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n{text.strip()}\n{END}{tail}"
