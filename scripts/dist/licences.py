"""Writes one text with the terms of everything that a release is made of.

Input: components. Output: a list of them with their licences, then every text once, with the names
of all that it is for. A component without a file of its own is listed with its authors below the
text of the licence that it names; one with neither is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dist.components import Component


RULE = "=" * 80


def normal(text: str) -> str:
    """A text without differences in its white space, by which texts are compared."""
    return re.sub(r"\s+", " ", text).strip()


def collect(components: list[Component], standard: dict[str, str]) -> str:
    """The document. `standard` has the texts of licences that components name without a file of
    their own, by SPDX id."""
    texts, named = {}, {}
    for one in components:
        for text in one.terms():
            named.setdefault(normal(text), []).append(one)
            texts.setdefault(normal(text), text.strip())
        if not one.files:
            add_standard(one, standard, texts, named)
    sections = [
        f"{RULE}\n{names(named[key])}\n{RULE}\n\n{texts[key]}\n"
        for key in sorted(texts, key=lambda key: (-len(named[key]), names(named[key]), key))
    ]
    return "\n".join([head(components), *sections])


def add_standard(
    one: Component, standard: dict[str, str], texts: dict[str, str], named: dict[str, list[Component]]
) -> None:
    """Adds the text of the licence that a component names."""
    chosen = [name for name in re.findall(r"[\w.-]+", one.licence) if name in standard]
    if not chosen:
        raise SystemExit(f"dist: {one.name} {one.version} has no licence file, and {one.licence} has no text here")
    holders = f"{one.name}: copyright {', '.join(one.authors) or 'its authors'}"
    for name in chosen:
        key = normal(standard[name])
        named.setdefault(key, []).append(one)
        texts[key] = f"{texts.get(key, standard[name].strip())}\n\n{holders}"


def names(components: list[Component]) -> str:
    return "\n".join(sorted({f"{one.name} {one.version}" for one in components}))


def head(components: list[Component]) -> str:
    """Introduction of the document, and the list of components."""
    lines = sorted({f"  {one.name} {one.version}: {one.licence}" for one in components})
    about = (
        "Tilesight is under the MIT or the Apache-2.0 licence, at your option. A release contains, or is linked with:"
    )
    return "\n".join([about, "", *lines, ""])
