"""Compiles and runs C programs with the library of a folder, as its users would.

    bindings/c/check.py FOLDER

FOLDER is laid out by package.py. It needs a C compiler with the sanitizers for addresses and
undefined behaviour. `TILESIGHT_CORPUS` names the program that prints the test data, and
`TILESIGHT_ONNXRUNTIME` may name ONNX Runtime's library. It fails, and never skips, if something is
missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PHOTO, SHEET = ROOT / "datasets/samples/demo.jpg", ROOT / "docs/tiles.png"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
SANITIZERS = ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

#: hands of each rule set, at least
ROWS = {"mcr-wmo": 8637, "mcr-mil": 8637, "mmm": 24, "classical-dmjl": 1021}
#: hands of sixteen tiles under rules of their own: every tenth, and all
SIXTEEN = (353, 3053)


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="tilesight-c-") as place:
        check_example(folder, Path(place))
        corpus = compile_c(folder, HERE / "tests/corpus.c", Path(place, "corpus"), SANITIZERS)
        check_corpus(corpus)
        check_taiwan(corpus, Path(place, "profiles.json"))
        hostile = compile_c(folder, HERE / "tests/hostile.c", Path(place, "hostile"), SANITIZERS)
        run([hostile, models(folder), onnxruntime(), PHOTO, SHEET])
    print("check.py: C passed")


def compile_c(folder: Path, source: Path, program: Path, flags: list[str], static: bool = False) -> Path:
    """Compile a program against the shared or the static library."""
    if shutil.which("cc") is None:
        sys.exit("check.py: a C compiler is missing (Debian: apt-get install gcc libc6-dev)")
    lib = folder / "lib"
    if static:
        link = [f"-I{folder / 'include'}", lib / "libtilesight.a", "-lpthread", "-ldl", "-lm"]
    else:
        link = [*pkg_config(folder), f"-Wl,-rpath,{lib}", "-lpthread"]
    subprocess.run(["cc", *WARNINGS, *flags, source, *link, "-o", program], check=True)
    return program


def pkg_config(folder: Path) -> list[str]:
    """Return the flags of the library, as tilesight.pc has them."""
    if shutil.which("pkg-config") is None:
        sys.exit("check.py: pkg-config is missing (Debian: apt-get install pkg-config)")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder / "lib/pkgconfig")}
    return run(["pkg-config", "--cflags", "--libs", "tilesight"], environment=environment).split()


def check_example(folder: Path, place: Path) -> None:
    """The example scores a hand and reads a photo, with either library."""
    for static in (False, True):
        program = compile_c(folder, HERE / "examples/score.c", place / f"score-{static}", ["-O2"], static)
        score = json.loads(run([program, "[EEE,2]123m456p789s5s5s"]))
        assert score["total"] >= 8, score
        reading = json.loads(run([program, PHOTO, models(folder), onnxruntime()]))
        assert reading["hand"]["notation"] == "1123456789m222s1m", reading
    wrong = subprocess.run([program, "11x"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1 and json.loads(wrong.stderr)["status"] == 422, wrong


def check_corpus(program: Path) -> None:
    """Every hand of the test data has its total, and the answer of the program."""
    rows = [json.loads(line) for line in run([os.environ["TILESIGHT_CORPUS"]]).splitlines()]
    requests = "".join(json.dumps(row["request"]) + "\n" for row in rows)
    lines = run([program], requests).splitlines()
    assert len(lines) == len(rows), f"{len(lines)} answers to {len(rows)} requests"
    counted: Counter[str] = Counter()
    for row, line in zip(rows, lines):
        status, _, text = line.partition(" ")
        answer = json.loads(text)
        assert status == "200", f"{row['source']}: {text}"
        ruleset = answer["ruleset"]
        total = answer["value"] if ruleset == "mmm" else answer["total"]
        assert total == row["total"], f"{row['source']}: {total} instead of {row['total']}"
        assert answer == row["answer"], f"{row['source']}: {text}"
        counted[ruleset] += 1
    for ruleset, number in ROWS.items():
        assert counted[ruleset] >= number, f"{counted[ruleset]} hands of {ruleset}"
    print(f"check.py: {sum(counted.values())} hands scored")


def check_taiwan(program: Path, profiles: Path) -> None:
    """Each hand of sixteen tiles has its tai by the rules of its row, or is refused as it is by
    the program. The rule sets of all rows are too many for one engine."""
    statuses: Counter[str] = Counter()
    for part in "12":
        lines = [json.loads(line) for line in run([os.environ["TILESIGHT_CORPUS"], "taiwan", part]).splitlines()]
        profiles.write_text(json.dumps([line["profile"] for line in lines if "profile" in line]))
        rows = [line for line in lines if "source" in line]
        requests = "".join(json.dumps(row["request"]) + "\n" for row in rows)
        for row, line in zip(rows, run([program, profiles], requests).splitlines(), strict=True):
            status, _, text = line.partition(" ")
            answer = json.loads(text)
            assert answer == row["answer"], f"{row['source']}: {text}"
            assert row["total"] in (None, answer.get("tai")), f"{row['source']}: {text}"
            statuses["scored" if status == "200" else "refused"] += 1
    assert statuses["scored"] in SIXTEEN and statuses["refused"] == 68, statuses
    print(f"check.py: {sum(statuses.values())} hands of sixteen tiles scored or refused")


def models(folder: Path) -> Path:
    return folder / "share/tilesight/models"


def onnxruntime() -> Path:
    """Return ONNX Runtime's library, as `make setup` brings it."""
    named = os.environ.get("TILESIGHT_ONNXRUNTIME")
    if named:
        return Path(named)
    path = subprocess.run(
        [sys.executable, ROOT / "scripts/setup", "--path", "onnxruntime"], capture_output=True, text=True, check=True
    )
    return Path(path.stdout.strip())


def run(command: list[object], stdin: str | None = None, environment: dict[str, str] | None = None) -> str:
    """Run a program, and return what it prints."""
    words = [str(part) for part in command]
    done = subprocess.run(words, input=stdin, stdout=subprocess.PIPE, text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"check.py: {Path(words[0]).name} failed: {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
