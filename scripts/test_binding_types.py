"""Kotlin and Swift are up to date: their types with the API, and their calls with the C header.

Input: the files of bindings/. Standard library only: this needs neither language, so that what no
compiler checks here at least calls functions that exist, with as many arguments of the right kinds.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

import binding_types

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "bindings/c/include/tilesight.h"
NATIVE = ROOT / "bindings/kotlin/src/main/kotlin/tilesight/Native.kt"
SWIFT = ROOT / "bindings/swift/Sources/Tilesight"

#: types of C as JNA has them
JNA = {
    "TilesightHandle": "Long",
    "uint64_t": "Long",
    "int32_t": "Int",
    "uint32_t": "Int",
    "bool": "Byte",
    "const uint8_t *": "ByteArray",
    "const char *": "String",
}


def parameters(text: str) -> list[str]:
    """The parts between commas that are in no brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += char in "([{"
        depth -= char in ")]}"
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def header_functions(text: str) -> dict[str, tuple[str, list[str]]]:
    """The functions of the header: name to type of the result and types of the parameters."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = {}
    for result, name, inside in re.findall(r"^(\w[\w ]*?\*?) ?(tilesight_\w+)\(([^)]*)\);", text, flags=re.MULTILINE):
        inside = [] if inside.strip() == "void" else parameters(inside)
        found[name] = (result.strip(), [re.sub(r"\s*\w+$", "", one).strip() for one in inside])
    return found


def end_of_brackets(text: str, at: int) -> int:
    """The place of the bracket that closes one opened before `at`."""
    depth = 1
    while depth:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        at += 1
    return at - 1


def calls(text: str) -> Iterator[tuple[str, list[str], int]]:
    """(name, arguments, place) of every call of a C function."""
    for found in re.finditer(r"\b(tilesight_\w+)\(", text):
        yield found[1], parameters(text[found.end() : end_of_brackets(text, found.end())]), found.start()


def kept_handles(text: str, at: int) -> set[str]:
    """The names of the numbers whose handles Swift keeps until the code around a place has
    ended."""
    blocks = re.finditer(r"\bhandle\.call \{ (\w+) in\b", text[:at])
    return {found[1] for found in blocks if end_of_brackets(text, found.end()) > at}


class Bindings(unittest.TestCase):
    def test_types_are_up_to_date(self) -> None:
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/binding_types.py", "--check"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_version_of_the_interface_is_one_number(self) -> None:
        abi = re.search(r"#define TILESIGHT_ABI (\d+)", HEADER.read_text())[1]
        self.assertIn(f"const val ABI = {abi}\n", NATIVE.read_text())
        for name in ("build.rs", "package.py"):
            self.assertRegex((ROOT / "bindings/c" / name).read_text(), rf'libtilesight\.so\.{abi}"')

    def test_kotlin_declares_the_functions_of_the_header(self) -> None:
        functions = header_functions(HEADER.read_text())
        self.assertGreater(len(functions), 20)
        expected = {}
        for name, (result, types) in functions.items():
            result = "Pointer?" if name == "tilesight_text" else JNA[result]
            expected[name] = (result, [JNA[one] for one in types])
        native = re.findall(r"fun (tilesight_\w+)\(([^)]*)\): (\S+)", NATIVE.read_text())
        declared = {
            name: (result, [one.split(":")[1].strip() for one in parameters(inside)]) for name, inside, result in native
        }
        self.assertEqual(declared, expected)

    def test_swift_calls_functions_of_the_header(self) -> None:
        functions = header_functions(HEADER.read_text())
        called = {}
        for file in sorted(SWIFT.glob("*.swift")):
            for name, arguments, _ in calls(file.read_text()):
                self.assertIn(name, functions, file.name)
                self.assertEqual(len(arguments), len(functions[name][1]), f"{file.name}: {name}")
                called[name] = arguments
        self.assertEqual(set(functions) - set(called), {"tilesight_version", "tilesight_handles"})

    def test_swift_keeps_handles_during_calls(self) -> None:
        functions = header_functions(HEADER.read_text())
        # What is passed to these is no object's handle, or that of the object which they belong to.
        own = {"tilesight_status", "tilesight_text", "tilesight_length", "tilesight_release"}
        kept = 0
        for file in sorted(SWIFT.glob("*.swift")):
            text = file.read_text()
            for name, arguments, at in calls(text):
                handles = [one for one, kind in zip(arguments, functions[name][1]) if kind == "TilesightHandle"]
                if name not in own:
                    self.assertLessEqual(set(handles), kept_handles(text, at), f"{file.name}: {name}")
                    kept += len(handles)
        self.assertGreater(kept, 10)
        handle = (SWIFT / "Library.swift").read_text()
        self.assertIn("private let number: TilesightHandle", handle)
        self.assertIn("withExtendedLifetime(self) { function(number) }", handle)


class Checks(unittest.TestCase):
    def test_declarations_are_found(self) -> None:
        text = (
            "/** tilesight_no(int); */\nuint32_t tilesight_abi(void);\n"
            "const char *tilesight_text(TilesightHandle handle);\n"
        )
        text += "TilesightHandle tilesight_set(const uint8_t *file,\n    uint64_t file_length);\n"
        expected = {
            "tilesight_abi": ("uint32_t", []),
            "tilesight_text": ("const char *", ["TilesightHandle"]),
            "tilesight_set": ("TilesightHandle", ["const uint8_t *", "uint64_t"]),
        }
        self.assertEqual(header_functions(text), expected)

    def test_arguments_are_counted_outside_brackets(self) -> None:
        [(name, arguments, _)] = calls("tilesight_a(f(1, 2), [3, 4], { $0, $1 })")
        self.assertEqual((name, len(arguments)), ("tilesight_a", 3))

    def test_handles_are_kept_within_their_block(self) -> None:
        text = "engine.handle.call { e in x { $0 } handle.call { r in one(e, r) } two(e) } three(e)"
        kept = [kept_handles(text, text.index(call)) for call in ("one", "two", "three")]
        self.assertEqual(kept, [{"e", "r"}, {"e"}, set()])

    def test_types_are_converted(self) -> None:
        schemas = [
            ({"type": ["integer", "null"]}, "int"),
            ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "text"),
            ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "any"),
            ({}, "any"),
        ]
        for schema, kind in schemas:
            converted = binding_types.type_of(schema, {})
            self.assertEqual((converted.kind, converted.optional), (kind, True), schema)


if __name__ == "__main__":
    unittest.main()
