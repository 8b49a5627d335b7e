"""Hooks of schemathesis: a serializer of JSON lines, which it has none of, closed lists of names,
and a part of the cases of coverage.

Lists of names that may grow are open in the document, for the sake of clients. The running service
has the known names alone: a request with a made-up name is rightly refused, and an answer with a
name that the document does not list is a mistake.

Nine requests in ten are those of the phase of coverage, however few examples are asked for. Most
are for a few large bodies, of which several have the same parts, such as the win context: of the
cases of an operation beyond the first WHOLE, one in TILESIGHT_COVERAGE is sent.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import schemathesis

# Operations of which this many cases or fewer are sent have small bodies, or none.
WHOLE = 100

sent: Counter[str] = Counter()


@schemathesis.hook
def filter_case(_context: Any, case: Any) -> bool:
    """Returns whether a case is sent."""
    if case.meta is None or case.meta.phase.name.value != "coverage":
        return True
    sent[case.operation.label] += 1
    number = sent[case.operation.label]
    return number <= WHOLE or number % int(os.environ.get("TILESIGHT_COVERAGE", "1")) == 0


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
