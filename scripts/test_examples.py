"""The examples of apps against the document of the API: every path, parameter and field that they
name is there, in the answers that they ask for."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API = json.loads((ROOT / "tests" / "golden" / "openapi.json").read_text())
SCHEMAS = API["components"]["schemas"]
READ = API["paths"]["/v1/hands"]["post"]
KOTLIN = (ROOT / "examples" / "android" / "TilesightService.kt").read_text()
SWIFT = (ROOT / "examples" / "ios" / "TilesightService.swift").read_text()
# What each structure of the Swift example is in the document.
STRUCTURES = {
    "ReadHand": "CompactReading",
    "Hand": "Hand",
    "Award": "CompactAward",
    "Score": "CompactScore",
    "Answer": "CompactChoice",
    "Doubt": "CompactDoubt",
    "TilesightProblem": "Problem",
}


def fields(*schemas: str) -> set[str]:
    return {name for schema in schemas for name in SCHEMAS[schema]["properties"]}


def is_optional(schema: str, name: str) -> bool:
    """Tells whether an answer may have no value for a field."""
    field = SCHEMAS[schema]["properties"][name]
    may_be_null = "null" in str(field.get("type", "")) or {"type": "null"} in field.get("oneOf", [])
    return may_be_null or name not in SCHEMAS[schema].get("required", [])


def structures(text: str) -> list[tuple[str, str]]:
    """Names and bodies of the structures that are decoded, inner ones first."""
    inner = r" *struct (\w+): [\w, ]+\{([^{}]*)\}"
    return [
        *re.findall(inner, text),
        *re.findall(inner, re.sub(r"\n *(var|static)[^\n]*", "", re.sub(inner, "", text))),
    ]


class Apps(unittest.TestCase):
    def test_both_ask_for_the_compact_answer_of_a_photo(self) -> None:
        parameters = {one["name"] for one in READ["parameters"]}
        kotlin = set(re.findall(r'"(\w+)" to ', KOTLIN))
        swift = set(re.findall(r'\("(\w+)", "?\w+"?\)', SWIFT))
        self.assertEqual(kotlin, {"seat", "prevalent", "win", "ruleset", "detail"})
        self.assertEqual(swift, kotlin)
        self.assertLessEqual(kotlin, parameters)
        self.assertIn("application/octet-stream", READ["requestBody"]["content"])
        for text in (KOTLIN, SWIFT):
            self.assertIn("v1/hands", text)
            self.assertIn("application/octet-stream", text)

    def test_kotlin_reads_fields_that_answers_have(self) -> None:
        known = fields(
            "CompactReading",
            "Hand",
            "CompactScore",
            "CompactAward",
            "CompactDoubt",
            "CompactChoice",
            "NoScore",
            "Problem",
        )
        read = set(re.findall(r'(?:get|opt)(?:String|Int|Boolean|JSONObject|JSONArray)\("(\w+)"', KOTLIN)) | set(
            re.findall(r'objects\("(\w+)"\)', KOTLIN)
        )
        self.assertGreater(len(read), 8)
        self.assertLessEqual(read, known)
        # `get` fails where a field is missing.
        for name in set(re.findall(r'get(?:String|Int|Boolean|JSONObject|JSONArray)\("(\w+)"', KOTLIN)):
            of = [
                schema
                for schema in (
                    "CompactReading",
                    "CompactScore",
                    "CompactAward",
                    "CompactDoubt",
                    "CompactChoice",
                    "Hand",
                )
                if name in fields(schema)
            ]
            self.assertFalse(all(is_optional(schema, name) for schema in of), name)

    def test_swift_decodes_answers_as_they_are(self) -> None:
        found = 0
        for name, body in structures(SWIFT):
            for field, kind in re.findall(r"(?:let |, )(\w+): (\[?[\w: ]+\]?\??)", body):
                schema = STRUCTURES[name]
                self.assertIn(field, fields(schema), name)
                if is_optional(schema, field):
                    self.assertTrue(kind.endswith("?"), f"{name}.{field} may be missing")
                found += 1
        self.assertGreater(found, 14)


if __name__ == "__main__":
    unittest.main()
