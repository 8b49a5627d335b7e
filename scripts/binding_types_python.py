"""Types of Python from the description of the API, for `binding_types.py`.

Input: the schemas of tests/golden/openapi.json, and the names of the languages. Output: the text of
`bindings/python/python/tilesight/types.py`, and the properties of a score for `_native.pyi`. What
is answered becomes frozen dataclasses, what is sent typed dictionaries; codes are literals.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Iterable
from typing import Any

Schemas = dict[str, dict[str, Any]]

#: what the functions of the package return
ROOTS = ("Score", "RulesetScore", "Rulesets", "Answer", "AnsweredReading", "Game", "FieldError", "SeenInPhoto")
#: what they take as dictionaries
SENT = ("Context", "Other", "GivenAnswer", "GameAction", "NewGame")
#: classes that the package has itself
WRITTEN = ("Score", "Problem")
#: schemas that stand for a value of Python
ALIASES = {"RulesetId": "str", "Payments": "dict[str, int]", "HandInput": "HandInput"}
#: names of the codes in a list
ITEMS = {"DeclaredCodes": "Declaration"}
#: names that the package gives to something else
RENAMED = {"Reading": "PhotoReading", "Score": "ScoreFields", "NewGame": "EveningOptions"}
#: fields that a function takes by themselves
GIVEN_APART = {"NewGame": {"players"}}
OF_THE_SERVICE = {"request_id"}
WIDTH = 120
#: columns of comments
TEXT_WIDTH = 100

HEAD = '''\
"""Types of what the package takes and returns, made from tests/golden/openapi.json.

`scripts/binding_types.py` writes this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from ._part import Part

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from ._native import Score
    from ._problems import Problem

'''
HAND_INPUT = """\

#: A hand: a line of notation, a `Hand`, or a dictionary with the fields of one.
HandInput = Union[str, "Hand", Mapping[str, Any]]
"""


def reference(schema: dict[str, Any]) -> str | None:
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else None


def class_name(name: str) -> str:
    return RENAMED.get(name, name)


def attribute(name: str) -> str:
    """The name of a field in Python: `from` is a keyword."""
    return f"{name}_" if keyword.iskeyword(name) else name


class Writer:
    """Collects the schemas that are used, and writes each once."""

    def __init__(self, schemas: Schemas) -> None:
        self.schemas = schemas
        self.literals: dict[str, str] = {}
        self.unions: dict[str, str] = {}
        self.sent: dict[str, str] = {}
        self.parts: dict[str, str] = {}

    def annotation(self, schema: dict[str, Any], is_sent: bool) -> str:
        """The type of a value."""
        name = reference(schema)
        if name is not None:
            return self.named(name, is_sent)
        choices = [one for one in schema.get("oneOf", []) if one.get("type") != "null"]
        if len(choices) == 1:
            return self.annotation(choices[0], is_sent) + " | None"
        codes = schema.get("enum") or schema.get("x-extensible-enum")
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        optional = " | None" if "null" in kinds else ""
        kinds = [kind for kind in kinds if kind != "null"]
        if codes and "string" in kinds:
            return literal(codes) + optional
        if choices or len(kinds) != 1:
            return "Any"
        return self.plain(kinds[0], schema, is_sent) + optional

    def plain(self, kind: str, schema: dict[str, Any], is_sent: bool) -> str:
        if kind == "array":
            item = self.annotation(schema["items"], is_sent)
            return f"Sequence[{item}]" if is_sent else f"tuple[{item}, ...]"
        if kind == "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {self.annotation(values if isinstance(values, dict) else {}, is_sent)}]"
        return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[kind]

    def named(self, name: str, is_sent: bool) -> str:
        """The type of a schema with a name, which is written first."""
        if name in ALIASES:
            return ALIASES[name]
        schema = self.schemas[name]
        if "properties" in schema:
            if name not in WRITTEN:
                self.add(name, is_sent)
            return name if name in WRITTEN else class_name(name)
        if name in ITEMS:
            self.literals.setdefault(name, wrapped(f"{ITEMS[name]} = ", schema["items"]["x-extensible-enum"]))
            return f"Sequence[{ITEMS[name]}]" if is_sent else f"tuple[{ITEMS[name]}, ...]"
        members = [reference(one) for one in schema.get("oneOf", [])]
        if members and None not in members:
            self.union(name, [str(one) for one in members])
            return name
        if "enum" in schema or "x-extensible-enum" in schema:
            codes = schema.get("enum") or schema["x-extensible-enum"]
            self.literals.setdefault(name, wrapped(f"{name} = ", codes))
            return name
        return self.annotation(schema, is_sent)

    def union(self, name: str, members: list[str]) -> None:
        """Writes dictionaries that are told apart by a field. They are never taken apart."""
        if name not in self.unions:
            self.unions[name] = ""
            self.unions[name] = f"{name} = Union[\n" + "".join(f'    "{one}",\n' for one in members) + "]\n"
            for one in members:
                self.add(one, True)

    def add(self, name: str, is_sent: bool) -> None:
        written = self.sent if is_sent or name in SENT else self.parts
        # A dataclass is taken as well as returned.
        if name in self.sent or name in self.parts:
            return
        if name in ("Hand", "Meld"):
            written = self.parts
        written[name] = ""
        write = self.dictionary if written is self.sent else self.part
        written[name] = write(name)

    def fields(self, name: str, is_sent: bool) -> Iterable[tuple[str, str, bool, str]]:
        """(name, type, whether it has to be there, description) of each field."""
        schema = self.schemas[name]
        required = schema.get("required", [])
        for field, value in schema["properties"].items():
            if field in OF_THE_SERVICE | GIVEN_APART.get(name, set()):
                continue
            text = value.get("description") or next(
                (one["description"] for one in value.get("oneOf", []) if "description" in one), ""
            )
            yield field, self.annotation(value, is_sent), field in required, text

    def dictionary(self, name: str) -> str:
        lines = [f"class {class_name(name)}(TypedDict):", f'    """{self.description(name)}"""', ""]
        for field, kind, is_required, text in self.fields(name, True):
            lines.append(f"    {attribute(field)}: {kind if is_required else f'NotRequired[{kind}]'}")
            lines += docstring(text)
        return "\n".join(lines) + "\n"

    def part(self, name: str) -> str:
        lines = [
            "@dataclass(frozen=True, slots=True, kw_only=True)",
            f"class {class_name(name)}(Part):",
            f'    """{self.description(name)}"""',
            "",
        ]
        for field, kind, is_required, text in self.fields(name, False):
            lines.append(f"    {attribute(field)}: {kind if is_required else with_default(kind)}")
            lines += docstring(text)
        return "\n".join(lines) + "\n"

    def description(self, name: str) -> str:
        lines = textwrap.wrap(collapsed(self.schemas[name].get("description", f"{name}.")), TEXT_WIDTH - 10)
        return lines[0] if len(lines) == 1 else "\n    ".join([*lines, ""])

    def score(self) -> str:
        """The properties of a score, for the stub of its class."""
        lines = []
        for field, kind, is_required, text in self.fields("Score", False):
            kind = kind if is_required else with_default(kind).split(" = ")[0]
            lines += ["    @property", f"    def {field}(self) -> {kind}:", *docstring(text, "        ")]
            if lines[-1].endswith(":"):
                lines[-1] += " ..."
        return "\n".join(lines) + "\n"

    def module(self, languages: Iterable[str]) -> str:
        """The whole module."""
        for name in (*ROOTS, *SENT):
            self.named(name, name in SENT)
        self.add("Score", False)
        self.literals["Lang"] = wrapped("Lang = ", sorted(languages))
        names = "".join(self.literals[name] for name in sorted(self.literals))
        classes = [*self.sent.values(), *self.parts.values()]
        unions = "".join(f"\n\n{text}" for text in self.unions.values())
        return HEAD + names + HAND_INPUT + "\n\n" + "\n\n".join(classes) + unions


def with_default(kind: str) -> str:
    """The type and default of a field that may be missing."""
    if kind.startswith("tuple["):
        return kind + (" = ()" if not kind.endswith("None") else " = None")
    defaults = {"Any": " = None", "bool": " = False", "Context": " = field(default_factory=Context)"}
    if kind in defaults:
        return kind + defaults[kind]
    return kind + (" = None" if kind.endswith(" | None") else " | None = None")


def literal(codes: list[str]) -> str:
    return "Literal[" + ", ".join(f'"{code}"' for code in codes) + "]"


def wrapped(start: str, codes: list[str]) -> str:
    """A literal of codes, in one line if they fit."""
    line = start + literal(codes) + "\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{start}Literal[\n" + "".join(f'    "{code}",\n' for code in codes) + "]\n"


def collapsed(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace('"""', "'''")).strip()


def docstring(text: str, indent: str = "    ") -> list[str]:
    lines = textwrap.wrap(collapsed(text), TEXT_WIDTH - len(indent) - 6)
    if not lines:
        return []
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:]), f'{indent}"""']
