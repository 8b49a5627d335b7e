"""Checks of what people read: no retired term, opening or name is left, and the paths and links of
the pages exist.

Input: the files that git tracks. Output: failures, each with file and line. docs/glossary.md says
which words replace the retired ones, and CONTRIBUTING.md how doc comments open and what things are
named. In prose names are exempt: code in backticks and in fenced blocks, and strings that are a
single identifier, because JSON fields, flags and metrics never change. scripts/prose.json lists the
rules. Standard library only.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sources import ROOT, TEXT, is_python, list_tracked, read, split_tests

# What is retired, and where it is right nevertheless; docs/glossary.md has a row for each term.
RULES = json.loads(Path(__file__).with_name("prose.json").read_text(encoding="utf-8"))
TERM = re.compile(r"\b(?:" + "|".join(RULES["terms"]) + r")\b", re.IGNORECASE)
# A doc comment opens with a verb ("Returns ...") or a noun phrase ("Maximum number of ..."), never
# with these words. "Whether ..." is right for a field, not for a function.
OPENINGS = re.compile(r"(?:" + "|".join(RULES["openings"]) + r")\b")
# Names of the old dialect: participles and prepositions for functions, superlatives for limits.
RETIRED_FUNCTIONS = re.compile("|".join(RULES["functions"]))
RETIRED_CONSTANTS = re.compile(r"(?:\w+_)?(?:" + "|".join(RULES["constants"]) + r")(?:_\w+)?")
FUNCTION = re.compile(r"\s*(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (\w+)")
CONSTANT = re.compile(r"\s*(?:pub(?:\([^)]*\))? |export )?(?:const|static) (\w+)|([A-Z][A-Z0-9_, ]*)(?: = |: )")
# Code that names a file or a folder of this repository.
NAMED_PATH = re.compile(r"(?:" + "|".join(RULES["folders"]) + r")/.*|.*\w\.(?:rs|tsx?|mjs|pyi?|md)")
# A `/** */` comment of TypeScript or JavaScript, and the function, method or arrow function that
# one documents. A glob such as "/**/x" in a string is no comment.
BLOCK = re.compile(r"(?<![^\s(])/\*\*\s[\s*]*(.+?)\s*\*/", re.DOTALL)
SCRIPT_FUNCTION = re.compile(
    r"\s*(?:(?:export |default |async )*function\b|(?:static |async )*#?\w+[<(]|"
    r"(?:export )?const \w+(?:: [^=;]*)? = (?:async )?(?:<[^>]*>)?(?:\w+|\((?:[^()]|\([^()]*\))*\)[^=;]*) =>)"
)


def markdown_prose(text: str) -> list[tuple[int, str]]:
    """(line number, prose) of a page: without fenced blocks, inline code, links' targets and
    comments."""
    fenced, lines = False, []
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if fence or fenced else line)
        fenced = fenced != fence
    return list(enumerate(prose("\n".join(lines)).split("\n"), 1))


def prose(text: str) -> str:
    """A text without inline code, comments and targets of links; lines keep their numbers."""
    code = r"`[^`]*?`|<!--.*?-->|\]\([^)]*\)"
    return re.sub(code, lambda found: "\n" * found[0].count("\n") + "``", text, flags=re.DOTALL)


def rust_texts(text: str) -> Iterator[tuple[int, str, str]]:
    """(line number, kind, text) of every comment and string of Rust or TypeScript source."""
    for found in TEXT.finditer(text):
        kind = "comment" if found["comment"] else "string"
        if found["comment"] or found["raw"] or found["string"]:
            for more, line in enumerate(found[0].split("\n")):
                yield text.count("\n", 0, found.start()) + 1 + more, kind, line


def rust_prose(text: str) -> Iterator[tuple[int, str]]:
    """(line number, prose): comments, and strings that are more than a name."""
    for number, kind, line in rust_texts(text):
        if kind == "comment" or re.search(r"[^\W_][\s,:;'].*[^\W_]", line):
            yield number, prose(line)


def python_texts(text: str) -> Iterator[tuple[int, str]]:
    """(line number, line) of comments, docstrings, and strings that are more than a name."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string):
            yield from enumerate(prose(token.string).split("\n"), token.start[0])


def hash_comments(text: str) -> list[tuple[int, str]]:
    """(line number, line) of the lines that are a comment in Make, TOML, YAML or shell."""
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith("#")]


def retired(name: str, lines: Iterator | list[tuple[int, str]]) -> list[str]:
    """`file:line: term` of every retired term."""
    rules = [rule for rule in RULES["allowed"] if re.fullmatch(rule["files"], name)]
    allowed = [re.compile(rule["terms"], re.IGNORECASE) for rule in rules]
    return [
        f"{name}:{number}: {found[0]}"
        for number, line in lines
        for found in TERM.finditer(line)
        if not any(term.fullmatch(found[0]) for term in allowed)
    ]


def texts(name: str) -> list[tuple[int, str]]:
    """(line number, text) of what people read in a file."""
    text = read(name)
    if name.endswith(".md"):
        return markdown_prose(text)
    if name.endswith((".rs", ".ts", ".tsx")):
        return list(rust_prose(text))
    if is_python(name, text):
        return list(python_texts(text))
    if name.endswith("catalogues/en.toml"):
        return list(
            enumerate(
                prose(
                    re.sub(r"^\w+ = |\{\w+\}|\b(?:one|other|name|explanation) = ", "", text, flags=re.MULTILINE)
                ).split("\n"),
                1,
            )
        )
    return [(number, prose(line)) for number, line in hash_comments(text)]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(name: str) -> list[Any]:
    """`page: link` of every relative link that leads nowhere."""
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", read(name)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        page = (ROOT / name).parent / path if path else ROOT / name
        is_broken = not page.exists()
        if not is_broken and anchor and page.suffix == ".md":
            is_broken = anchor not in anchors(page.read_text(encoding="utf-8"))
        wrong += [f"{name}: {target}"] if is_broken else []
    return wrong


def comments(name, text):
    """(line number, line) of a page, or of the comments of Rust, TypeScript or Python source."""
    if name.endswith(".md"):
        return enumerate(text.split("\n"), 1)
    if not is_python(name, text):
        return ((number, line) for number, kind, line in rust_texts(text) if kind == "comment")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return (
        one
        for token in tokens
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""'))
        for one in enumerate(token.string.split("\n"), token.start[0])
    )


def known_paths(files):
    """Every end of the path of a file or a folder, such as `src/reader.rs` and `reader.rs`."""
    parts = [file.split("/") for file in files]
    return {"/".join(path[start:end]) for path in parts for end in range(1, len(path) + 1) for start in range(end)}


def missing_paths(name, text, known):
    """`file:line: path` of every path in backticks that is neither tracked nor built (ignored by
    Git). A path may begin at any folder, so that it can be relative to a crate or to its file."""
    other = [re.compile(rule["path"]) for rule in RULES["other_paths"] if re.fullmatch(rule["files"], name)]
    found = ((number, path) for number, line in comments(name, text) for path in re.findall(r"`([\w./*-]+)`", line))
    named = ((number, path) for number, path in found if NAMED_PATH.fullmatch(path))
    return [
        f"{name}:{number}: {path}"
        for number, path in named
        if not any(one.fullmatch(path) for one in other) and not path_exists(name, path, known)
    ]


def path_exists(name, path, known):
    inside = re.sub(r"^(?:\.\.?/)+", "", path).rstrip("/")
    if "*" in inside:
        return bool(list_tracked(inside) or list_tracked(f"*/{inside}"))
    return inside in known or is_ignored(inside) or is_ignored(f"{Path(name).parent}/{inside}")


def is_ignored(path):
    return subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT, check=False).returncode == 0


def retired_openings(name, text):
    """`file:line: opening` of every doc comment that opens with a retired word."""
    lines, wrong = text.split("\n"), []
    for number, line in enumerate(lines):
        comment = re.match(r"\s*//[/!](?!/) ?(.*)", line)
        if not comment or (number and re.match(r"\s*//[/!](?!/)", lines[number - 1])):
            continue
        documented = next((one for one in lines[number:] if not re.match(r"\s*(?://|#\[)", one)), "")
        is_wrong = OPENINGS.match(comment[1]) or (comment[1].startswith("Whether ") and FUNCTION.match(documented))
        wrong += [f"{name}:{number + 1}: {comment[1][:40]}"] if is_wrong else []
    return wrong


def retired_block_openings(name: str, text: str) -> list[str]:
    """`file:line: opening` of every `/** */` comment that opens with a retired word."""
    wrong = []
    for found in BLOCK.finditer(text):
        is_wrong = OPENINGS.match(found[1]) or (
            found[1].startswith("Whether ") and SCRIPT_FUNCTION.match(text, found.end())
        )
        line = text.count("\n", 0, found.start()) + 1
        wrong += [f"{name}:{line}: {found[1].splitlines()[0][:40]}"] if is_wrong else []
    return wrong


def retired_docstrings(name: str, text: str) -> list[str]:
    """`file:line: opening` of every docstring of Python source that opens with a retired word."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        docstring = ast.get_docstring(node)
        if docstring is None:
            continue
        is_function = isinstance(node, functions) and not any(
            "property" in ast.unparse(one) for one in node.decorator_list
        )
        is_wrong = OPENINGS.match(docstring) or (docstring.startswith("Whether ") and is_function)
        wrong += [f"{name}:{node.body[0].lineno}: {docstring[:40]}"] if is_wrong else []
    return wrong


def retired_names(name: str, text: str) -> list[str]:
    """`file:line: name` of every function of Rust that is named in the old dialect."""
    found = ((number, FUNCTION.match(line)) for number, line in enumerate(split_tests(text).split("\n"), 1))
    return [
        f"{name}:{number}: {function[1]}"
        for number, function in found
        if function and RETIRED_FUNCTIONS.fullmatch(function[1])
    ]


def retired_constants(name: str, text: str) -> list[str]:
    """`file:line: name` of every constant that is named in the old dialect, in any language."""
    return [
        f"{name}:{number}: {constant}"
        for number, line in enumerate(text.split("\n"), 1)
        for found in [CONSTANT.match(line)]
        if found
        for constant in re.findall(r"\w+", found[1] or found[2])
        if RETIRED_CONSTANTS.fullmatch(constant)
    ]


class Prose(unittest.TestCase):
    maxDiff = None

    def test_doc_comments_open_with_a_verb_or_a_noun(self) -> None:
        wrong = [one for name in list_tracked("*.rs") for one in retired_openings(name, read(name))]
        wrong += [
            one
            for name in list_tracked("*.ts", "*.tsx", "*.mjs", "*.js")
            for one in retired_block_openings(name, read(name))
        ]
        wrong += [
            one
            for name in list_tracked("*.py", "*.pyi", "scripts")
            if is_python(name, read(name))
            for one in retired_docstrings(name, read(name))
        ]
        self.assertEqual(wrong, [], "CONTRIBUTING.md says how to open one")

    def test_names_are_verbs_and_nouns(self) -> None:
        names = [
            name
            for name in list_tracked("src", "crates", "bindings")
            if name.endswith(".rs") and not name.endswith("tests.rs") and "/tests/" not in name
        ]
        wrong = [one for name in names for one in retired_names(name, read(name))]
        wrong += [
            one
            for name in list_tracked("*.rs", "*.ts", "*.tsx", "*.mjs", "*.js", "*.py", "scripts")
            for one in retired_constants(name, read(name))
        ]
        self.assertEqual(wrong, [], "CONTRIBUTING.md says what to name a thing")

    def test_no_retired_term_is_left(self) -> None:
        left = [one for name in list_tracked(*RULES["read"]) for one in retired(name, texts(name))]
        self.assertEqual(left, [], "docs/glossary.md says what to write instead")

    def test_the_glossary_lists_every_retired_term(self) -> None:
        table = read("docs/glossary.md").split("## Retired words")[1].lower()
        for pattern in RULES["terms"]:
            stem = re.sub(r"\(\?[^)]*\)", "", pattern).strip()[:4]
            self.assertIn(stem, table, pattern)

    def test_links_lead_somewhere(self) -> None:
        self.assertEqual([link for name in list_tracked("*.md") for link in broken_links(name)], [])

    def test_paths_in_backticks_exist(self):
        known = known_paths(list_tracked())
        names = list_tracked("*.md", "*.rs", "*.ts", "*.tsx", "*.mjs", "*.py", "*.pyi", "scripts")
        texts = {name: read(name) for name in names}
        sources = [name for name in names if re.search(r"\.(?:md|rs|tsx?|mjs)$", name) or is_python(name, texts[name])]
        self.assertEqual([path for name in sources for path in missing_paths(name, texts[name], known)], [])


class Checks(unittest.TestCase):
    def test_a_path_may_begin_at_any_folder_and_must_exist(self):
        known = known_paths(["crates/a/src/reader.rs", "docs/b.md"])
        page = "`crates/a/src/reader.rs` `src/reader.rs` `reader.rs` `crates/a/` `src/gone.rs` `gone.rs` `/v1/hands`"
        self.assertEqual(missing_paths("x.md", page, known), ["x.md:1: src/gone.rs", "x.md:1: gone.rs"])
        source = '/// `b.md`, `../src/reader.rs`\nlet x = "`gone.rs`"; // `old.rs`\n'
        self.assertEqual(missing_paths("x.rs", source, known), ["x.rs:2: old.rs"])
        self.assertEqual(missing_paths("x.py", '"""`gone.py`"""\nx = "`other.py`"\n', known), ["x.py:1: gone.py"])

    def test_openings_are_found_where_a_comment_begins(self):
        source = (
            "/// What it is.\nx: u8,\n/// A thing.\n/// What it is.\ny: u8,\n/// Whether it is.\n"
            "z: bool,\n/// Whether it is.\n#[must_use]\npub const fn w() {}\n"
        )
        self.assertEqual([one.split(": ")[0] for one in retired_openings("a.rs", source)], ["a.rs:1", "a.rs:8"])

    def test_openings_are_found_in_block_comments(self) -> None:
        source = (
            "/**\n * What it is.\n */\nx('/**/y');\n  /** Whether it is. */\n  z: boolean;\n"
            "/** Whether it is. */\nconst v = 1;\n"
            "/** Whether it is. */\nexport const w = async (a: B): Promise<boolean> => a;\n"
            "/** Whether it is. */\nfunction u() {}\n"
            "  /** Whether it is. */\n  t(a) {}\n/** A thing. */\nf(/** How. */ 1);\n"
        )
        self.assertEqual(
            [one.split(": ")[0] for one in retired_block_openings("a.ts", source)],
            ["a.ts:1", "a.ts:9", "a.ts:11", "a.ts:13", "a.ts:16"],
        )

    def test_openings_are_found_in_docstrings(self) -> None:
        functions = (
            '@property\ndef a(x):\n    """Whether it is."""\ndef b():\n    """Whether it is."""\n'
            'async def c():\n    """Tells it."""\n'
        )
        source = f'"""What it is."""\nclass D:\n    """It is.\n\n    What."""\nE = """What it is."""\n{functions}'
        self.assertEqual(
            [one.split(": ")[0] for one in retired_docstrings("a.py", source)], ["a.py:1", "a.py:3", "a.py:11"]
        )

    def test_names_of_tests_are_sentences(self) -> None:
        source = (
            "pub(crate) fn of(x: u8) {}\nconst MOST_TILES: u8 = 1;\nfn of_lamps() {}\nfn profile() {}\n"
            "#[cfg(test)]\nmod tests {\n    fn told() {}\n"
        )
        self.assertEqual(retired_names("a.rs", source), ["a.rs:1: of", "a.rs:3: of_lamps"])

    def test_constants_are_checked_in_every_language(self) -> None:
        source = (
            "pub const MOST_TILES: u8 = 1;\nexport const LONGEST = 2;\nMAX_HAND, LEAST_FRAMES = 1, 2\n"
            "MOST: int = 3\nx = MOST\nMAX_SIZE = LARGEST\n"
        )
        self.assertEqual(
            retired_constants("a", source), ["a:1: MOST_TILES", "a:2: LONGEST", "a:3: LEAST_FRAMES", "a:4: MOST"]
        )

    def test_code_on_pages_is_exempt(self) -> None:
        page = "the doors\n```\nthe doors\n```\nof `doublings\nand` [a](doors.md)"
        self.assertEqual(retired("a.md", markdown_prose(page)), ["a.md:1: doors"])

    def test_comments_and_messages_of_source_are_read_and_names_are_not(self) -> None:
        source = '/// The circumstances, `told`.\nlet x = "doublings"; f("is mended\\"", \'"\', r#"the lap"#);'
        self.assertEqual(
            retired("a.rs", rust_prose(source)), ["a.rs:1: circumstances", "a.rs:2: mended", "a.rs:2: lap"]
        )

    def test_python_is_read(self) -> None:
        source = '"""A torture."""\nx = 1  # a door\ny = {"told": 1}\n'
        self.assertEqual(retired("a.py", python_texts(source)), ["a.py:1: torture", "a.py:2: door"])

    def test_words_that_look_alike_are_not_retired(self) -> None:
        line = "an overlap that was amended, told apart outdoors; if there is none"
        self.assertEqual(retired("a.md", [(1, line)]), [])

    def test_anchors_are_those_of_headings(self) -> None:
        self.assertEqual(anchors("# The HTTP API\n## A club's own rules\n"), {"the-http-api", "a-clubs-own-rules"})


if __name__ == "__main__":
    unittest.main()
