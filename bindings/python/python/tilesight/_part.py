"""Parts of answers: dataclasses that are built from JSON by their annotations."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar, Union, cast

_T = TypeVar("_T", bound="Part")
#: Conversion of a value of JSON.
_Builder = Callable[[Any], Any]
#: Fields of the classes that were built.
_FIELDS: dict[type[Part], dict[str, tuple[str, _Builder]]] = {}


class Part:
    """Part of an answer. It never changes, and equals another with the same values."""

    __slots__ = ()

    @classmethod
    def from_dict(cls: type[_T], values: Mapping[str, Any]) -> _T:
        """Return the part that `to_dict`, or an answer of the HTTP service, describes."""
        fields = _fields(cls).items()
        return cls(**{name: build(values[key]) for name, (key, build) in fields if key in values})

    def to_dict(self) -> dict[str, Any]:
        """Return the part as JSON has it. What has no value is left out."""
        values = {key: getattr(self, name) for name, (key, _) in _fields(type(self)).items()}
        return {key: plain(value) for key, value in values.items() if value is not None}


def field_of(cls: type[Part], values: Mapping[str, Any], name: str) -> Any:
    """Return one field of a part, without building the others."""
    key, build = _fields(cls)[name]
    return build(values[key]) if key in values else _default(cls, name)


def plain(value: Any) -> Any:
    """Return what the package takes or returns as JSON has it: `from_` is `from` there."""
    if isinstance(value, Mapping):
        given = cast("Mapping[str, Any]", value)
        return {("from" if name == "from_" else name): plain(one) for name, one in given.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in cast("Sequence[Any]", value)]
    return value.to_dict() if hasattr(value, "to_dict") else value


def spelt(value: Any) -> Any:
    """Return JSON that stays a dictionary, with `from` spelt as an argument of Python."""
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        return {("from_" if name == "from" else name): spelt(one) for name, one in given.items()}
    if isinstance(value, list):
        return [spelt(one) for one in cast("Sequence[Any]", value)]
    return value


def _fields(cls: type[Part]) -> dict[str, tuple[str, _Builder]]:
    """Return the name in JSON and the conversion of each field."""
    if cls not in _FIELDS:
        _FIELDS[cls] = _described(cls)
    return _FIELDS[cls]


def _described(cls: type[Part]) -> dict[str, tuple[str, _Builder]]:
    from ._native import Score
    from ._problems import Problem

    hints = typing.get_type_hints(cls, localns={"Score": Score, "Problem": Problem})
    names = [field.name for field in dataclasses.fields(cast(Any, cls))]
    return {name: ("from" if name == "from_" else name, _builder(hints[name])) for name in names}


def _builder(hint: Any) -> _Builder:
    """Return the function that converts JSON to what an annotation says."""
    origin = typing.get_origin(hint)
    kinds = [one for one in typing.get_args(hint) if one is not types.NoneType]
    if origin in (Union, types.UnionType):
        return partial(_optional, _builder(kinds[0])) if len(kinds) == 1 else spelt
    if origin is tuple:
        return partial(_tuple, _builder(kinds[0]))
    if typing.is_typeddict(hint) or origin is dict:
        return spelt
    return getattr(hint, "from_dict", _same)


def _optional(build: _Builder, value: Any) -> Any:
    return None if value is None else build(value)


def _tuple(build: _Builder, values: list[Any]) -> tuple[Any, ...]:
    return tuple(build(value) for value in values)


def _same(value: Any) -> Any:
    return value


def _default(cls: type[Part], name: str) -> Any:
    """Return the value of a field that an answer lacks."""
    field = next(field for field in dataclasses.fields(cast(Any, cls)) if field.name == name)
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
