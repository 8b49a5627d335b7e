"""Serializer of JSON lines for schemathesis, which has none of its own.

Input: a value that it made from the schema of a line. Output: lines of JSON, one for each value.
"""

import json

import schemathesis


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def lines(_context, value):
    """Writes each item as one line of JSON, as `POST /v1/jobs` takes them."""
    items = value if isinstance(value, list) else [value]
    return "".join(json.dumps(item) + "\n" for item in items).encode()
