#!/usr/bin/env python3
"""Writes the types of Kotlin, Swift and Python from the description of the API.

    scripts/binding_types.py            writes all files
    scripts/binding_types.py --check    fails if one is not up to date

Input: tests/golden/openapi.json. Output: the schemas of ROOTS with all that they use, as data
classes of Kotlin and as structs of Swift, and those of `scripts/binding_types_python.py`. Names of
codes stay texts in Kotlin and Swift, because a new version may add some; what may be several things
stays JSON. Standard library only.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from string import Template
from typing import Any

import binding_types_python

ROOT = Path(__file__).resolve().parent.parent
API = ROOT / "tests/golden/openapi.json"
KOTLIN = ROOT / "bindings/kotlin/src/main/kotlin/tilesight/Types.kt"
SWIFT = ROOT / "bindings/swift/Sources/Tilesight/Types.swift"
PYTHON = ROOT / "bindings/python/python/tilesight/types.py"
STUB = ROOT / "bindings/python/python/tilesight/_native.pyi"
CATALOGUES = ROOT / "crates/tilesight-texts/catalogues"

#: what the functions take and return
ROOTS = (
    "Context",
    "Hand",
    "Score",
    "RulesetScore",
    "Rulesets",
    "CompactAnswer",
    "CompactAnswered",
    "Game",
    "FieldError",
)
#: what is sent too
SENT = ("Context", "Focus", "Hand", "Meld")
#: names that the libraries of the languages have already
RENAMED = {"Context": "WinContext", "Problem": "ProblemDetails"}

#: fields that the HTTP service alone adds
OF_THE_SERVICE = {"request_id"}

NOTICE = "Made from tests/golden/openapi.json by scripts/binding_types.py."
KOTLIN_WORDS = set(
    "as break class continue do else false for fun if in interface is null object package return super this"
    " throw true try typealias typeof val var when while".split()
)
SWIFT_WORDS = set(
    "Any as associatedtype break case catch class continue default defer deinit do else enum extension"
    " fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator"
    " private protocol public repeat rethrows return self Self static struct subscript super switch throw"
    " throws true try typealias var where while".split()
)


class Type:
    """A type of the description: `kind` is a name in LEAVES, or list, map, object or any; `of` is
    the type of a list's or map's items, or the name of an object."""

    def __init__(self, kind: str, of: Any = None, optional: bool = False) -> None:
        self.kind, self.of, self.optional = kind, of, optional


LEAVES = {
    "text": ("String", "String"),
    "int": ("Int", "Int"),
    "long": ("Long", "Int64"),
    "number": ("Double", "Double"),
    "flag": ("Boolean", "Bool"),
}


def load() -> dict[str, dict[str, Any]]:
    """The schemas by name."""
    return json.loads(API.read_text(encoding="utf-8"))["components"]["schemas"]


def reference(schema: dict[str, Any]) -> str | None:
    """The name of the schema that this one only refers to."""
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else None


def is_object(schema: dict[str, Any]) -> bool:
    return "properties" in schema or "allOf" in schema


def type_of(schema: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> Type:
    """The type of a schema."""
    name = reference(schema)
    if name is not None:
        return Type("object", name) if is_object(schemas[name]) else type_of(schemas[name], schemas)
    choices = schema.get("oneOf", [])
    others = [one for one in choices if one.get("type") != "null"]
    if len(others) == 1:
        found = type_of(others[0], schemas)
        return Type(found.kind, found.of, len(choices) > 1)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    optional = "null" in kinds
    kinds = [kind for kind in kinds if kind != "null"]
    if choices or len(kinds) != 1:
        return Type("any", optional=True)
    kind = kinds[0]
    if kind == "array":
        return Type("list", type_of(schema["items"], schemas), optional)
    if kind == "object":
        values = schema.get("additionalProperties")
        return Type("map", type_of(values if isinstance(values, dict) else {}, schemas), optional)
    if kind == "integer":
        return Type("long" if "64" in schema.get("format", "") else "int", optional=optional)
    return Type({"string": "text", "number": "number", "boolean": "flag"}[kind], optional=optional)


def fields_of(schema: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> list[tuple[str, Type, str]]:
    """(name, type, description) of each field of an object."""
    parts = [schemas[name] if (name := reference(part)) else part for part in schema.get("allOf", [])]
    found = [field for part in parts for field in fields_of(part, schemas)]
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        if name in OF_THE_SERVICE:
            continue
        found_type = type_of(field, schemas)
        found_type.optional |= name not in required
        text = field.get("description") or next(
            (one["description"] for one in field.get("oneOf", []) if "description" in one), ""
        )
        found.append((name, found_type, text))
    return found


def reachable(schemas: dict[str, dict[str, Any]]) -> list[str]:
    """The objects that ROOTS use, each after those that name it."""
    found: list[str] = list(ROOTS)

    def add(one: Type) -> None:
        if one.kind == "object" and one.of not in found:
            found.append(one.of)
        elif one.kind in ("list", "map"):
            add(one.of)

    for name in found:
        for _, field_type, _ in fields_of(schemas[name], schemas):
            add(field_type)
    return found


def camel(name: str) -> str:
    """`raw_faan` as rawFaan."""
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def type_name(name: str) -> str:
    return RENAMED.get(name, name)


def comment(text: str, indent: str) -> list[str]:
    """A doc comment, in at most 100 columns."""
    text = re.sub(r"\s+", " ", text.replace("*/", "").replace("/*", "/ *")).strip()
    return textwrap.wrap(text, 96 - len(indent))


# --- Kotlin ---------------------------------------------------------------------------------


def kotlin_comment(text: str, indent: str) -> list[str]:
    lines = comment(text, indent)
    if not lines or (len(lines) == 1 and len(indent) + len(lines[0]) <= 93):
        return [f"{indent}/** {line} */" for line in lines]
    return [f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"]


def kotlin_name(name: str) -> str:
    name = camel(name)
    return f"`{name}`" if name in KOTLIN_WORDS else name


def kotlin_type(one: Type) -> str:
    if one.kind == "any":
        return "Any?"
    plain = {
        "list": lambda: f"List<{kotlin_type(one.of)}>",
        "map": lambda: f"Map<String, {kotlin_type(one.of)}>",
        "object": lambda: type_name(one.of),
    }.get(one.kind, lambda: LEAVES[one.kind][0])()
    return plain + ("?" if one.optional else "")


def kotlin_from(one: Type, value: str) -> str:
    """An expression that converts a value of JSON, which is not null."""
    if one.kind == "any":
        return value
    if one.kind == "object":
        return f"{type_name(one.of)}.from({value})"
    if one.kind in ("list", "map"):
        function = {"list": "listOf", "map": "mapOf"}[one.kind]
        return f"Json.{function}({value}) {{ {kotlin_from(one.of, 'it')} }}"
    return f"Json.{one.kind}({value})"


def kotlin_field(name: str, one: Type) -> str:
    if one.kind == "any":
        return f'json["{name}"]'
    if one.optional:
        return f'json["{name}"]?.let {{ {kotlin_from(one, "it")} }}'
    return kotlin_from(one, f'json["{name}"]')


def kotlin_to(one: Type, value: str) -> str:
    """An expression that converts a value to JSON."""
    safe = "?" if one.optional else ""
    if one.kind == "object":
        return f"{value}{safe}.toJson()"
    if one.kind == "list" and one.of.kind == "object":
        return f"{value}{safe}.map {{ it.toJson() }}"
    return value


KOTLIN_CLASS = Template("""\
$comment
data class $name(
$parameters
) {
$to_json    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): $name {
            val json = Json.members(value)
            return $name(
$arguments
            )
        }
    }
}
""")
KOTLIN_TO_JSON = Template("""\
    internal fun toJson(): Map<String, Any?> = Json.withoutNulls(
$members
    )

""")


def kotlin(schemas: dict[str, dict[str, Any]]) -> str:
    """The file of Kotlin."""
    head = [f"// {NOTICE}", "", "package tilesight", ""]
    return "\n".join([*head, *(kotlin_class(name, schemas) for name in reachable(schemas))])


def kotlin_class(name: str, schemas: dict[str, dict[str, Any]]) -> str:
    fields = fields_of(schemas[name], schemas)
    members = [f'        "{field}" to {kotlin_to(one, kotlin_name(field))}' for field, one, _ in fields]
    return KOTLIN_CLASS.substitute(
        comment="\n".join(kotlin_comment(schemas[name].get("description", name + "."), "")),
        name=type_name(name),
        parameters=",\n".join(kotlin_parameter(*field, is_sent=name in SENT) for field in fields),
        to_json=KOTLIN_TO_JSON.substitute(members=",\n".join(members)) if name in SENT else "",
        arguments=",\n".join(f"                {kotlin_field(field, one)}" for field, one, _ in fields),
    )


def kotlin_parameter(name: str, one: Type, text: str, is_sent: bool) -> str:
    """A value of a class with its comment; everything may be left out of what is sent."""
    default = " = null" if one.optional else " = emptyList()" if one.kind == "list" else ""
    value = f"    val {kotlin_name(name)}: {kotlin_type(one)}{default if is_sent else ''}"
    return "\n".join([*kotlin_comment(text, "    "), value])


# --- Swift ----------------------------------------------------------------------------------


def swift_name(name: str) -> str:
    name = camel(name)
    return f"`{name}`" if name in SWIFT_WORDS else name


def swift_type(one: Type) -> str:
    plain = {
        "any": lambda: "JSON",
        "list": lambda: f"[{swift_type(one.of)}]",
        "map": lambda: f"[String: {swift_type(one.of)}]",
        "object": lambda: type_name(one.of),
    }.get(one.kind, lambda: LEAVES[one.kind][1])()
    return plain + ("?" if one.optional else "")


SWIFT_STRUCT = Template("""\
$comment
public struct $name: Codable, Equatable, Sendable {
$variables

    enum CodingKeys: String, CodingKey {
$cases
    }
$init}
""")
SWIFT_INIT = Template("""\

    public init(
$parameters
    ) {
$assignments
    }
""")


def swift(schemas: dict[str, dict[str, Any]]) -> str:
    """The file of Swift."""
    return "\n".join([f"// {NOTICE}", "", *(swift_struct(name, schemas) for name in reachable(schemas))])


def swift_struct(name: str, schemas: dict[str, dict[str, Any]]) -> str:
    fields = fields_of(schemas[name], schemas)
    variables = [
        [*swift_comment(text, "    "), f"    public var {swift_value(field, one)}"] for field, one, text in fields
    ]
    return SWIFT_STRUCT.substitute(
        comment="\n".join(swift_comment(schemas[name].get("description", name + "."), "")),
        name=type_name(name),
        variables="\n".join(line for lines in variables for line in lines),
        cases="\n".join(swift_case(field) for field, _, _ in fields),
        init=swift_init(fields) if name in SENT else "",
    )


def swift_comment(text: str, indent: str) -> list[str]:
    return [f"{indent}/// {line}" for line in comment(text, indent)]


def swift_value(name: str, one: Type) -> str:
    return f"{swift_name(name)}: {swift_type(one)}"


def swift_case(name: str) -> str:
    return f"        case {swift_name(name)}" + (f' = "{name}"' if camel(name) != name else "")


def swift_init(fields: list[tuple[str, Type, str]]) -> str:
    """A public initializer, in which everything may be left out."""
    defaults = [" = nil" if one.optional else " = []" if one.kind == "list" else "" for _, one, _ in fields]
    parameters = [f"        {swift_value(field, one)}{value}" for (field, one, _), value in zip(fields, defaults)]
    assignments = [f"        self.{camel(field)} = {swift_name(field)}" for field, _, _ in fields]
    return SWIFT_INIT.substitute(parameters=",\n".join(parameters), assignments="\n".join(assignments))


# --- Python ---------------------------------------------------------------------------------


def python(schemas: dict[str, dict[str, Any]]) -> tuple[str, str]:
    """The module of the types, and the stub with the properties of a score."""
    writer = binding_types_python.Writer(schemas)
    module = writer.module(path.stem for path in CATALOGUES.glob("*.toml"))
    before, start, rest = STUB.read_text(encoding="utf-8").partition("    # fields of the score {\n")
    end = rest.partition("    # }\n")[1:]
    return module, "".join([before, start, writer.score(), *end])


def main() -> None:
    schemas, stale = load(), []
    module, stub = python(schemas)
    for path, text in ((KOTLIN, kotlin(schemas)), (SWIFT, swift(schemas)), (PYTHON, module), (STUB, stub)):
        if "--check" in sys.argv[1:]:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                stale.append(str(path.relative_to(ROOT)))
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(
            f"binding_types: {', '.join(stale)} {'is' if len(stale) == 1 else 'are'} not up to date: run "
            "scripts/binding_types.py"
        )


if __name__ == "__main__":
    main()
