"""Checks of what people read: no retired term, opening or name is left, and the paths and links of
the pages exist.

Input: the files that git tracks. Output: failures, each with file and line. docs/glossary.md says
which words replace the retired ones, and CONTRIBUTING.md how doc comments open and what things are
named. In prose names are exempt: code in backticks and in fenced blocks, and strings that are a
single identifier, because JSON fields, flags and metrics never change. Standard library only.
"""

import ast
import io
import re
import subprocess
import tokenize
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The files that are checked for retired terms.
READ = ("*.md", "*.toml", "Makefile", "scripts", "clients/*.py", "clients/*.ts", "deploy", "web/src", "web/e2e", "*.rs")

# Each retired term as a pattern between word boundaries; docs/glossary.md has a row for each.
RETIRED = (
    "lacks?",
    "lacking",
    "doublings?",
    "mend",
    "mends",
    "mended",
    "mending",
    "doors?",
    "circumstances?",
    "torture[ds]?",
    "laps?",
    "told(?! apart| from)",
    "said to be assumed",
    "with half a heart",
    "in the house",
    "for ever",
    "(?<!there )(?:is|are|was) none",
    "say it again",
    "not yours to do",
    "whoever",
)
TERM = re.compile(r"\b(?:" + "|".join(RETIRED) + r")\b", re.IGNORECASE)

# A doc comment opens with a verb ("Returns ...") or a noun phrase ("Maximum number of ..."), never
# with these words. "Whether ..." is right for a field, not for a function.
OPENINGS = re.compile(
    r"(?:It|Its|They|Their|Them|He|She|His|Her|We|You|Your|One|Those|These|This|That|What|Whatever|Who|Whom|Whose|Which|Where|When|How|Why|"
    r"The same|The other|Another|Such|As|Nothing|None|Some|Somebody|Something|Everything|So|Here|There)\b"
)
FUNCTION = re.compile(r"\s*(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (\w+)")
CONSTANT = re.compile(r"\s*(?:pub(?:\([^)]*\))? |export )?(?:const|static) (\w+)|([A-Z][A-Z0-9_, ]*)(?: = |: )")
# A `/** */` comment of TypeScript or JavaScript, and the function, method or arrow function that
# one documents. A glob such as "/**/x" in a string is no comment.
BLOCK = re.compile(r"(?<![^\s(])/\*\*\s[\s*]*(.+?)\s*\*/", re.DOTALL)
SCRIPT_FUNCTION = re.compile(
    r"\s*(?:(?:export |default |async )*function\b|(?:static |async )*#?\w+[<(]|"
    r"(?:export )?const \w+(?:: [^=;]*)? = (?:async )?(?:<[^>]*>)?(?:\w+|\((?:[^()]|\([^()]*\))*\)[^=;]*) =>)"
)

# Names of the old dialect: participles and prepositions for functions, superlatives for limits.
RETIRED_FUNCTIONS = re.compile(
    r"of|of_\w+|told|said|shown|taken|given|kept|left|found|seen|sent|held|drawn|written|chosen|begun|done|lost|known|met|named|refused|checked|"
    r"typed|reduced|listed|failed|described|decoded|answered|stopped|settled|renamed|parsed|excluded|counted|corrected|asked|stored|sorted|quoted|"
    r"through|eyes|judge|tell|forget|look|in|on|at|by|by_\w+|over|under|within|without|beside|behind|between|onto|around|near|inside|in_full|in_order|in_place"
)
RETIRED_CONSTANTS = re.compile(
    r"(?:\w+_)?(?:MOST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|FEW|AT_ONCE|HONOURS?)(?:_\w+)?"
)

# Terms that are right in some files: (path, term, reason).
ALLOWED = (
    (r"docs/glossary\.md|scripts/test_prose\.py", ".*", "lists them"),
    (r"CHANGELOG\.md", "torture|laps|doublings", "names what was renamed, and the word of MMM's rules"),
    (
        r".*mmm.*|docs/rules\.md|tests/(?:rules/together|rules/evenings|games/\w+|reading/games)\.rs",
        "doublings?",
        "the word of MMM's rules",
    ),
    (
        r"crates/tilesight-core/src/(?:explain/\w+|rules/(?:rule|score|reach)|rules/classical/tally|contract/score)\.rs",
        "doublings?",
        "the unit `doublings` of the JSON",
    ),
    (r"tests/support/classical_rows/.*|crates/tilesight-texts/catalogues/en\.toml", "door", "the name of a line"),
    (r"crates/tilesight-texts/catalogues/en\.toml", "doublings?", "the word of MMM's rules"),
    (r"crates/tilesight-core/src/rules/decompose/facts\.rs", "told", "quotes a ruling"),
)


def tracked(*patterns):
    """The tracked files that match."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [name for name in names.split("\0") if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def read(name):
    """A file's text."""
    return (ROOT / name).read_text(encoding="utf-8")


def markdown_prose(text):
    """(line number, prose) of a page: without fenced blocks, inline code, links' targets and
    comments."""
    fenced, lines = False, []
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if fence or fenced else line)
        fenced = fenced != fence
    return list(enumerate(prose("\n".join(lines)).split("\n"), 1))


def prose(text):
    """A text without inline code, comments and targets of links; lines keep their numbers."""
    code = r"`[^`]*?`|<!--.*?-->|\]\([^)]*\)"
    return re.sub(code, lambda found: "\n" * found[0].count("\n") + "``", text, flags=re.DOTALL)


RUST = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>b?r(?P<hashes>\#*)".*?"(?P=hashes))|b?(?P<string>"(?:[^"\\]|\\.)*")|'(?:[^'\\\n]|\\[^\n]{1,8}?)'""",
    re.DOTALL | re.VERBOSE,
)


def rust_texts(text):
    """(line number, kind, text) of every comment and string of Rust or TypeScript source."""
    for found in RUST.finditer(text):
        kind = "comment" if found["comment"] else "string"
        if found["comment"] or found["raw"] or found["string"]:
            for more, line in enumerate(found[0].split("\n")):
                yield text.count("\n", 0, found.start()) + 1 + more, kind, line


def rust_prose(text):
    """(line number, prose): comments, and strings that are more than a name."""
    for number, kind, line in rust_texts(text):
        if kind == "comment" or re.search(r"[^\W_][\s,:;'].*[^\W_]", line):
            yield number, prose(line)


def python_texts(text):
    """(line number, line) of comments, docstrings, and strings that are more than a name."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or token.type == tokenize.STRING and " " in token.string:
            yield from enumerate(prose(token.string).split("\n"), token.start[0])


def hash_comments(text):
    """(line number, line) of the lines that are a comment in Make, TOML, YAML or shell."""
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith("#")]


def is_python(name, text):
    """Tells whether a script is Python, by its name or its first line."""
    return name.endswith((".py", ".pyi")) or text.startswith("#!/usr/bin/env python3")


def retired(name, lines):
    """`file:line: term` of every retired term."""
    allowed = [re.compile(term, re.IGNORECASE) for path, term, _ in ALLOWED if re.fullmatch(path, name)]
    return [
        f"{name}:{number}: {found[0]}"
        for number, line in lines
        for found in TERM.finditer(line)
        if not any(term.fullmatch(found[0]) for term in allowed)
    ]


def texts(name):
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


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(name):
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


FOLDERS = "src|crates|bindings|tests|web|scripts|docs|models|datasets|examples|deploy|assets|benches|fuzz|clients"


def is_ignored(path):
    return subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT).returncode == 0


def missing_paths(name):
    """`page: path` of every path in code that is neither tracked nor built (ignored by Git); of a
    bare file name, where no tracked file ends with it."""
    files = "\n".join("/" + file for file in tracked()) + "\n"
    wrong = []
    for path in re.findall(r"`([\w./*-]+)`", read(name)):
        if "NAME" in path:
            continue
        if re.match(rf"(?:{FOLDERS})/", path):
            exists = bool(tracked(path)) or is_ignored(path)
        else:
            exists = not path.endswith((".rs", ".ts", ".py")) or f"/{path}\n" in files
        wrong += [] if exists else [f"{name}: {path}"]
    return wrong


def without_tests(text):
    """The source before its inline tests, whose functions are sentences."""
    return re.split(r"\n#\[cfg\((?:all\()?test\b[^\n]*\n(?:pub(?:\([^)]*\))? )?mod \w+ \{", text)[0]


def retired_openings(name, text):
    """`file:line: opening` of every doc comment that opens with a retired word."""
    lines, wrong = text.split("\n"), []
    for number, line in enumerate(lines):
        comment = re.match(r"\s*//[/!](?!/) ?(.*)", line)
        if not comment or number and re.match(r"\s*//[/!](?!/)", lines[number - 1]):
            continue
        documented = next((one for one in lines[number:] if not re.match(r"\s*(?://|#\[)", one)), "")
        is_wrong = OPENINGS.match(comment[1]) or comment[1].startswith("Whether ") and FUNCTION.match(documented)
        wrong += [f"{name}:{number + 1}: {comment[1][:40]}"] if is_wrong else []
    return wrong


def retired_block_openings(name, text):
    """`file:line: opening` of every `/** */` comment that opens with a retired word."""
    wrong = []
    for found in BLOCK.finditer(text):
        is_wrong = (
            OPENINGS.match(found[1]) or found[1].startswith("Whether ") and SCRIPT_FUNCTION.match(text, found.end())
        )
        line = text.count("\n", 0, found.start()) + 1
        wrong += [f"{name}:{line}: {found[1].splitlines()[0][:40]}"] if is_wrong else []
    return wrong


def retired_docstrings(name, text):
    """`file:line: opening` of every docstring of Python source that opens with a retired word."""
    functions, wrong = (ast.FunctionDef, ast.AsyncFunctionDef), []
    for node in ast.walk(ast.parse(text)):
        docstring = ast.get_docstring(node) if isinstance(node, (ast.Module, ast.ClassDef, *functions)) else None
        if docstring is None:
            continue
        is_function = isinstance(node, functions) and not any(
            "property" in ast.unparse(one) for one in node.decorator_list
        )
        is_wrong = OPENINGS.match(docstring) or docstring.startswith("Whether ") and is_function
        wrong += [f"{name}:{node.body[0].lineno}: {docstring[:40]}"] if is_wrong else []
    return wrong


def retired_names(name, text):
    """`file:line: name` of every function of Rust that is named in the old dialect."""
    found = ((number, FUNCTION.match(line)) for number, line in enumerate(without_tests(text).split("\n"), 1))
    return [
        f"{name}:{number}: {function[1]}"
        for number, function in found
        if function and RETIRED_FUNCTIONS.fullmatch(function[1])
    ]


def retired_constants(name, text):
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

    def test_doc_comments_open_with_a_verb_or_a_noun(self):
        wrong = [one for name in tracked("*.rs") for one in retired_openings(name, read(name))]
        wrong += [
            one
            for name in tracked("*.ts", "*.tsx", "*.mjs", "*.js")
            for one in retired_block_openings(name, read(name))
        ]
        wrong += [
            one
            for name in tracked("*.py", "*.pyi", "scripts")
            if is_python(name, read(name))
            for one in retired_docstrings(name, read(name))
        ]
        self.assertEqual(wrong, [], "CONTRIBUTING.md says how to open one")

    def test_names_are_verbs_and_nouns(self):
        names = [
            name
            for name in tracked("src", "crates", "bindings")
            if name.endswith(".rs") and not name.endswith("tests.rs") and "/tests/" not in name
        ]
        wrong = [one for name in names for one in retired_names(name, read(name))]
        wrong += [
            one
            for name in tracked("*.rs", "*.ts", "*.tsx", "*.mjs", "*.js", "*.py", "scripts")
            for one in retired_constants(name, read(name))
        ]
        self.assertEqual(wrong, [], "CONTRIBUTING.md says what to name a thing")

    def test_no_retired_term_is_left(self):
        left = [one for name in tracked(*READ) for one in retired(name, texts(name))]
        self.assertEqual(left, [], "docs/glossary.md says what to write instead")

    def test_the_glossary_lists_every_retired_term(self):
        table = read("docs/glossary.md").split("## Retired words")[1].lower()
        for pattern in RETIRED:
            stem = re.sub(r"\(\?[^)]*\)", "", pattern).strip()[:4]
            self.assertIn(stem, table, pattern)

    def test_links_lead_somewhere(self):
        self.assertEqual([link for name in tracked("*.md") for link in broken_links(name)], [])

    def test_paths_that_newcomers_are_shown_exist(self):
        pages = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/layout.md", "tests/README.md")
        self.assertEqual([path for name in pages for path in missing_paths(name)], [])


class Checks(unittest.TestCase):
    def test_openings_are_found_where_a_comment_begins(self):
        source = "/// What it is.\nx: u8,\n/// A thing.\n/// What it is.\ny: u8,\n/// Whether it is.\nz: bool,\n/// Whether it is.\n#[must_use]\npub const fn w() {}\n"
        self.assertEqual([one.split(": ")[0] for one in retired_openings("a.rs", source)], ["a.rs:1", "a.rs:8"])

    def test_openings_are_found_in_block_comments(self):
        source = (
            "/**\n * What it is.\n */\nx('/**/y');\n  /** Whether it is. */\n  z: boolean;\n/** Whether it is. */\nconst v = 1;\n"
            "/** Whether it is. */\nexport const w = async (a: B): Promise<boolean> => a;\n/** Whether it is. */\nfunction u() {}\n"
            "  /** Whether it is. */\n  t(a) {}\n/** A thing. */\nf(/** How. */ 1);\n"
        )
        self.assertEqual(
            [one.split(": ")[0] for one in retired_block_openings("a.ts", source)],
            ["a.ts:1", "a.ts:9", "a.ts:11", "a.ts:13", "a.ts:16"],
        )

    def test_openings_are_found_in_docstrings(self):
        functions = '@property\ndef a(x):\n    """Whether it is."""\ndef b():\n    """Whether it is."""\nasync def c():\n    """Tells it."""\n'
        source = f'"""What it is."""\nclass D:\n    """It is.\n\n    What."""\nE = """What it is."""\n{functions}'
        self.assertEqual(
            [one.split(": ")[0] for one in retired_docstrings("a.py", source)], ["a.py:1", "a.py:3", "a.py:11"]
        )

    def test_names_of_tests_are_sentences(self):
        source = "pub(crate) fn of(x: u8) {}\nconst MOST_TILES: u8 = 1;\nfn of_lamps() {}\nfn profile() {}\n#[cfg(test)]\nmod tests {\n    fn told() {}\n"
        self.assertEqual(retired_names("a.rs", source), ["a.rs:1: of", "a.rs:3: of_lamps"])

    def test_constants_are_checked_in_every_language(self):
        source = "pub const MOST_TILES: u8 = 1;\nexport const LONGEST = 2;\nMAX_HAND, LEAST_FRAMES = 1, 2\nMOST: int = 3\nx = MOST\nMAX_SIZE = LARGEST\n"
        self.assertEqual(
            retired_constants("a", source), ["a:1: MOST_TILES", "a:2: LONGEST", "a:3: LEAST_FRAMES", "a:4: MOST"]
        )

    def test_code_on_pages_is_exempt(self):
        page = "the doors\n```\nthe doors\n```\nof `doublings\nand` [a](doors.md)"
        self.assertEqual(retired("a.md", markdown_prose(page)), ["a.md:1: doors"])

    def test_comments_and_messages_of_source_are_read_and_names_are_not(self):
        source = '/// The circumstances, `told`.\nlet x = "doublings"; f("is mended\\"", \'"\', r#"the lap"#);'
        self.assertEqual(
            retired("a.rs", rust_prose(source)), ["a.rs:1: circumstances", "a.rs:2: mended", "a.rs:2: lap"]
        )

    def test_python_is_read(self):
        source = '"""A torture."""\nx = 1  # a door\ny = {"told": 1}\n'
        self.assertEqual(retired("a.py", python_texts(source)), ["a.py:1: torture", "a.py:2: door"])

    def test_words_that_look_alike_are_not_retired(self):
        line = "an overlap that was amended, told apart outdoors; if there is none"
        self.assertEqual(retired("a.md", [(1, line)]), [])

    def test_anchors_are_those_of_headings(self):
        self.assertEqual(anchors("# The HTTP API\n## A club's own rules\n"), {"the-http-api", "a-clubs-own-rules"})


if __name__ == "__main__":
    unittest.main()
