#!/usr/bin/env python3
"""Wraps comments and docstrings at 100 columns, which rustfmt does on nightly only.

Input: files of Rust, Python, shell, Make, TOML or YAML; without any, all that git tracks. Output:
the files, changed in place; with `--check` only the places that are too wide, and exit code 1. A
paragraph is wrapped only if one of its lines is too wide. Code spans are never split; lists,
tables, headings and fenced blocks keep their lines. Standard library only.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from sources import ROOT, TEXT, is_python, list_tracked

WIDTH = 100
PATTERNS = ("*.rs", "*.py", "*.toml", "*.yaml", "*.conf", "Makefile", "scripts", "deploy", "models/*.py")
# A word, in which a code span or a link counts as one.
WORD = re.compile(r"(?:`[^`]*`|\[`[^`]*`\]|\S)+")
ITEM = re.compile(r"(?:[-*] |\d+\. )")
# Lines that are never joined with others.
FIXED = re.compile(r"(?:#+ |\||```|<|\s{2,}\S)")
# Lines that begin a paragraph of a module header.
LABEL = re.compile(r"(?:Purpose|Input|Output|Invariants?|Definitions?): ")


def rust_blocks(text: str) -> list[tuple[int, int, str]]:
    """[(first line, last line, prefix)] of the runs of whole-line comments with one prefix."""
    numbers = [text.count("\n", 0, found.start()) for found in TEXT.finditer(text) if found["comment"]]
    return runs(text.split("\n"), set(numbers), r"(\s*//[/!]?(?: |$))")


def hash_blocks(text: str, numbers: set[int] | None = None) -> list[tuple[int, int, str]]:
    """[(first line, last line, prefix)] of the runs of comments that begin with #; `numbers` are
    the lines that may be comments."""
    lines = text.split("\n")
    return runs(
        lines,
        set(range(1 if text.startswith("#!") else 0, len(lines))) if numbers is None else numbers,
        r"(\s*#(?: |$))",
    )


def runs(lines: list[str], numbers: set[int], prefix: str) -> list[tuple[int, int, str]]:
    """[(first line, last line, prefix)] of neighbouring lines with one prefix."""
    found = []
    for number in sorted(numbers):
        matched = re.match(prefix, lines[number])
        if not matched:
            continue
        mark = matched[1].rstrip() + " "
        if found and found[-1][1] == number - 1 and found[-1][2] == mark:
            found[-1] = (found[-1][0], number, mark)
        else:
            found.append((number, number, mark))
    return found


def docstrings(text: str) -> list[tuple[int, int]]:
    """[(first line, last line)] of the docstrings of Python source."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documented = [
        node.body[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, nodes) and ast.get_docstring(node, clean=False) is not None
    ]
    return [(first.lineno - 1, first.end_lineno - 1) for first in documented]


def paragraphs(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Groups of lines that belong together; a list item is one, a fixed line too."""
    group, fenced = [], False
    for line in lines:
        is_fence = line.lstrip().startswith("```")
        if fenced or is_fence or not line.strip() or FIXED.match(line):
            if (
                group
                and group[0]
                and ITEM.match(group[0])
                and re.match(r"\s{2,}\S", line)
                and not fenced
                and not is_fence
            ):
                group.append(line)
                continue
            if group:
                yield group, True
            yield [line], False
            group, fenced = [], fenced != is_fence
        elif group and (ITEM.match(line) or LABEL.match(line)):
            yield group, True
            group = [line]
        else:
            group.append(line)
    if group:
        yield group, True


def filled(lines: list[str], first: str, rest: str) -> list[str]:
    """A paragraph, wrapped behind these prefixes."""
    item = ITEM.match(lines[0])
    rest += " " * len(item[0]) if item else ""
    done, line = [], first.rstrip(" ") if first.endswith('"""') else first
    for word in WORD.findall(" ".join(lines)):
        glue = "" if line in (first, rest) else " "
        if len(line) + len(glue) + len(word) > WIDTH and line not in (first, rest):
            done.append(line)
            line, glue = rest, ""
        line += glue + word
    return [*done, line]


def wrapped_block(lines: list[str], mark: str) -> list[str]:
    """A run of whole-line comments."""
    result = []
    for group, may_wrap in paragraphs([line[len(mark) :] if line.startswith(mark) else "" for line in lines]):
        shown = [(mark + line).rstrip() for line in group]
        result += filled(group, mark, mark) if may_wrap and any(len(line) > WIDTH for line in shown) else shown
    return result


def wrapped_docstring(lines: list[str]) -> list[str]:
    """A docstring, quotes included."""
    indent = re.match(r"\s*", lines[0])[0]
    opening = re.match(r'\s*[rbRB]?"""', lines[0])
    if not opening or all(len(line) <= WIDTH for line in lines):
        return lines
    bare = [
        lines[0][len(opening[0]) :],
        *(line[len(indent) :] if line.startswith(indent) else line.lstrip() for line in lines[1:]),
    ]
    result = []
    for at, (group, may_wrap) in enumerate(paragraphs(bare)):
        first = opening[0] if at == 0 else indent
        shown = [first + group[0], *(indent + line for line in group[1:])]
        wraps = may_wrap and any(len(line) > WIDTH for line in shown) and group[-1].strip() != '"""'
        if may_wrap and len(group) > 1 and group[-1].strip() == '"""' and any(len(line) > WIDTH for line in shown):
            result += [*filled(group[:-1], first, indent), indent + '"""']
        else:
            result += filled(group, first, indent) if wraps else [line.rstrip() for line in shown]
    return result


def wrapped(path: Path, text: str) -> str:
    """A file with its comments wrapped."""
    lines = text.split("\n")
    if path.suffix == ".rs":
        changes = [(a, b, wrapped_block(lines[a : b + 1], mark)) for a, b, mark in rust_blocks(text)]
    elif is_python(path.name, text):
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        comments = {
            token.start[0] - 1
            for token in tokens
            if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")
        }
        changes = [(a, b, wrapped_block(lines[a : b + 1], mark)) for a, b, mark in hash_blocks(text, comments - {0})]
        changes += [(a, b, wrapped_docstring(lines[a : b + 1])) for a, b in docstrings(text)]
    else:
        changes = [(a, b, wrapped_block(lines[a : b + 1], mark)) for a, b, mark in hash_blocks(text)]
    for first, last, new in sorted(changes, key=lambda change: change[0], reverse=True):
        lines[first : last + 1] = new
    return "\n".join(lines)


def list_wrapped() -> list[Path]:
    """Returns the files that git knows and that have such comments."""
    kinds = {".rs", ".py", ".toml", ".yaml", ".conf", ""}
    paths = [ROOT / name for name in list_tracked(*PATTERNS)]
    return [path for path in paths if path.suffix in kinds and path.name != "Cargo.lock"]


def main() -> None:
    """Wraps, or checks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a comment is too wide")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    wide = []
    for path in options.files or list_wrapped():
        text = path.read_text(encoding="utf-8")
        new = wrapped(path, text)
        if new != text:
            wide.append(path)
            if not options.check:
                path.write_text(new, encoding="utf-8")
    if options.check and wide:
        names = "\n".join(f"  {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}" for path in wide)
        sys.exit(f"wrap_comments: comments are wider than {WIDTH} columns; run scripts/wrap_comments.py:\n{names}")


if __name__ == "__main__":
    main()
