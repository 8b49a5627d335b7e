"""How schemathesis writes the bodies that it has no serializer for.

Input: a value that it made from the schema of a line. Output: lines of JSON, one for each value.
"""

import json

import schemathesis


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def lines(_context, value):
    """One line for each item, as `POST /v1/jobs` takes them."""
    items = value if isinstance(value, list) else [value]
    return "".join(json.dumps(item) + "\n" for item in items).encode()
