"""Hooks of schemathesis: a serializer of JSON lines, which it has none of, and closed lists of
names.

Lists of names that may grow are open in the document, for the sake of clients. The running service
has the known names alone: a request with a made-up name is rightly refused, and an answer with a
name that the document does not list is a mistake.
"""

from __future__ import annotations

import json
from typing import Any

import schemathesis


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def lines(_context: Any, value: Any) -> bytes:
    """Writes each item as one line of JSON, as `POST /v1/jobs` takes them."""
    items = value if isinstance(value, list) else [value]
    return "".join(json.dumps(item) + "\n" for item in items).encode()


@schemathesis.hook
def before_load_schema(_context: Any, schema: dict[str, Any]) -> None:
    """Closes every list of names in the document."""
    close(schema)


def close(part: Any) -> None:
    """Makes an `enum` of the known names of each list in a part of the document."""
    if isinstance(part, dict):
        if "x-extensible-enum" in part:
            part["enum"] = part.pop("x-extensible-enum")
        for value in part.values():
            close(value)
    elif isinstance(part, list):
        for value in part:
            close(value)
