"""Puts figures into a page of the documentation, between its marks. Standard library only.

Input: a page, the name of a section, its new text. Output: the page with what stands between
`<!-- NAME -->` and `<!-- /NAME -->` replaced.
Invariant: a page without exactly one such pair is left alone, and said to be wrong.
"""

from __future__ import annotations

from pathlib import Path


def replaced(page: str, name: str, text: str) -> str:
    """The page as text with the section's text replaced; ValueError where its marks are missing."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    if page.count(start) != 1 or page.count(end) != 1:
        raise ValueError(f"the page needs one pair of marks: {start.strip()} and {end}")
    before, rest = page.split(start)
    return f"{before}{start}{text.strip()}\n{end}{rest.split(end)[1]}"


def write(path: Path, name: str, text: str) -> None:
    """Replaces the section in a file."""
    path.write_text(replaced(path.read_text(), name, text))
