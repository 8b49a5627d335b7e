"""Counts what a checkout has too much of, for scripts/structure.py.

Input: the files that git tracks. Output: one number for each name; those that are listed in
scripts/structure_ceilings.json may only fall. Definitions: the code of Rust is what comes before
`#[cfg(test)] mod` in the files of src, crates and bindings that are no tests themselves; its lines
include blank lines and comments. A function of Python has types if its result and all parameters
have them, `self` and `cls` apart. It needs only Python.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

from sources import TEXT, list_python, list_tracked, read, split_tests
from structure_modules import find_arrows_up, find_circles

CEILINGS = Path(__file__).with_name("structure_ceilings.json")
WIDTH = 120

TEST_FILE = re.compile(r"(?:^|/)(?:tests|benches|examples|build|testing)(?:/|\.rs$)")
BOUND_CLOSURE = re.compile(r"\blet (?:mut )?\w+(?:: [^=;]*)? =\s*(?:async )?(?:move )?\|")
# A `let` of a name, followed at once by another `let` of that name that is made from it.
LET_AGAIN = re.compile(r"\blet (?:mut )?(\w+)(?:: [^=;]*)? =[^;]*;(?=\s*let (?:mut )?\1\b(?:: [^=;]*)? =[^;]*\b\1\b)")
MATCH_ON_BOOL = re.compile(r"\{\s*(?:true|false) =>")
TEST_NAME = re.compile(r"#\[(?:\w+::)*test\b[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub )?(?:async )?fn (\w+)")
# A hand of a photo's request is a photo or typed: an arm or a `let` that tells which.
HAND_MATCH = re.compile(r"\bHandSource::Photo\([^()]*\)(?: if [^=]*)? =>|\blet HandSource::")
# A method or a comparison that looks for words and a space after one of them: other programs write
# such a text for people, and may change it.
READS_ENGLISH = re.compile(
    r"(?:\.(?:contains|(?:starts|ends)_with|strip_(?:pre|suf)fix|r?split(?:_once)?|r?find)\(\s*|[=!]=\s*)"
    r'"[^"]*[A-Za-z]{2}[,:]? '
)
# A field of a struct, or of the table that a macro passes on.
FIELD = r"^\s*(?:pub(?:\([^)]*\))? )?%s: (?:[A-Z]\w*[,<]|\$crate::[\w:]+ =)"
RIDDLE = re.compile(r"(?:what|whatever|who|whoever|whom|whose|nobody|nothing)_")


def count(root: Path) -> dict[str, float]:
    """Returns each count of a checkout by its name."""
    return (
        count_rust(root)
        | count_arrows(root)
        | count_python(root)
        | {"lines of README.md": len(read("README.md", root).splitlines())}
    )


def count_rust(root: Path) -> dict[str, float]:
    sources = {name: read(name, root) for name in list_tracked("*.rs", root=root)}
    code = [split_tests(text) for name, text in sources.items() if is_code(name)]
    thousands = sum(len(text.splitlines()) for text in code) / 1000
    masked = "\n".join(mask(text) for text in code)
    tests = TEST_NAME.findall("\n".join(sources.values()))
    root_package = [text for name, text in sources.items() if name.startswith("src/")]
    return {
        "tuple lets per 1,000 lines": round(count_tuple_lets(masked) / thousands, 2),
        "closures bound by `let` per 1,000 lines": round(len(BOUND_CLOSURE.findall(masked)) / thousands, 2),
        "immediate re-lets per 1,000 lines": round(len(LET_AGAIN.findall(masked)) / thousands, 2),
        "matches on a bool per 1,000 lines": round(len(MATCH_ON_BOOL.findall(masked)) / thousands, 2),
        "test names that begin with what, who, nobody or nothing": len(list(filter(RIDDLE.match, tests))),
        "lines of the root package, with its inline tests": sum(len(text.splitlines()) for text in root_package),
        "declarations of a photo's request": sum(declares_request(text) for text in code),
        "matches of a hand's source": sum(len(HAND_MATCH.findall(mask(text))) for text in code),
        "lines that read another library's English": sum(len(READS_ENGLISH.findall(text)) for text in code),
        "structs that only describe": sum(text.count('reason = "describes') for text in code),
    }


def count_arrows(root: Path) -> dict[str, float]:
    """Counts circles of modules, and arrows up inside crates: all, and those of two crates."""
    crates: dict[str, dict[str, str]] = defaultdict(dict)
    for name in filter(is_code, list_tracked("*.rs", root=root)):
        crate, source, path = name.rpartition("src/")
        if source:
            module = path.removesuffix(".rs").replace("/", "::")
            crates[crate]["" if module in ("lib", "main") else module] = split_tests(read(name, root))
    arrows = {crate: len(find_arrows_up(modules)) for crate, modules in crates.items()}
    return {
        "circles of modules": sum(len(find_circles(modules)) for modules in crates.values()),
        "arrows up inside crates": sum(arrows.values()),
        "arrows up inside the service": arrows.get("crates/tilesight-service/", 0),
        "arrows up inside the command": arrows.get("", 0),
    }


def declares_request(code: str) -> bool:
    """Tells whether a file declares the fields of a photo's request: a focus and a region, as those
    of a struct or of a table. Two do. The table of `contract/photo_fields.rs` is what clients send.
    `ReadOptions` of tilesight-vision is what the networks' crate reads by: points of any precision
    and polygons, which it also moves into the pixels of a mirrored photo, and a rule set that was
    found; what clients send is converted to it once, in `contract/table.rs`. It has no context, no
    rule sets side by side and no hands of others, and the table cannot name its types: the crate of
    the table has no geometry."""
    return all(re.search(FIELD % name, code, re.MULTILINE) for name in ("focus", "region"))


def count_python(root: Path) -> dict[str, float]:
    texts = [read(name, root) for name in list_python(root)]
    typed = [has_types for text in texts for has_types in function_types(text)]
    wide = sum(len(line) > WIDTH for text in texts for line in text.splitlines())
    return {
        f"lines of Python over {WIDTH} columns": wide,
        "functions of Python without types, %": round(100 * typed.count(False) / max(1, len(typed)), 1),
    }


def find_exceeded(counts: dict[str, float], ceilings: dict[str, float]) -> list[str]:
    """Returns a line for each count above its ceiling."""
    return [
        f"{name}: {counts[name]}, at most {ceiling}" for name, ceiling in ceilings.items() if counts[name] > ceiling
    ]


def read_ceilings() -> dict[str, float]:
    return json.loads(CEILINGS.read_text(encoding="utf-8"))


def lower_ceilings(counts: dict[str, float]) -> None:
    """Lowers each ceiling to what is counted now; none is raised."""
    lowered = {name: min(counts[name], ceiling) for name, ceiling in read_ceilings().items()}
    CEILINGS.write_text(json.dumps(lowered, indent=2) + "\n", encoding="utf-8")


def is_code(name: str) -> bool:
    """Tells whether a file is Rust that is compiled without tests."""
    return name.startswith(("src/", "crates/", "bindings/")) and not TEST_FILE.search(name)


def mask(code: str) -> str:
    """Returns Rust without comments, and with strings and characters empty."""
    return TEXT.sub(lambda found: "" if found["comment"] else '""', code)


def count_tuple_lets(masked: str) -> int:
    """Counts `let (a, b) = (x, y);`: a tuple taken apart where it is put together."""
    return sum(is_tuple_let(masked, found.end()) for found in re.finditer(r"\blet (?=\()", masked))


def is_tuple_let(masked: str, opening: int) -> bool:
    """Tells whether the pattern that opens here is bound to a tuple, and to nothing else."""
    equals = re.compile(r"(?:: [^=;]*)? =\s*(?=\()").match(masked, find_closing(masked, opening))
    if equals is None:
        return False
    closing = find_closing(masked, equals.end())
    return masked[closing : closing + 1] == ";"


def find_closing(masked: str, opening: int) -> int:
    """Returns the place after the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(masked)):
        depth += (masked[place] in "([{") - (masked[place] in ")]}")
        if depth == 0:
            return place + 1
    return len(masked)


def function_types(text: str) -> list[bool]:
    """Tells of each function of Python whether it has types."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [has_types(node) for node in ast.walk(ast.parse(text)) if isinstance(node, functions)]


def has_types(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    taken = function.args
    parameters = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
    named = [one for one in parameters if one is not None and one.arg not in ("self", "cls")]
    return function.returns is not None and all(one.annotation is not None for one in named)
