"""JSON schemas of everything that the tool writes for other tools, and what checks them.

The schemas use these words of draft 2020-12: type, properties, required, additionalProperties,
items, enum, minimum, pattern, anyOf and $ref to their own $defs; another word is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

HERE: Final = Path(__file__).parent
_WORDS: Final = frozenset(
    [
        "$schema",
        "$defs",
        "$ref",
        "title",
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "minimum",
        "pattern",
        "anyOf",
    ]
)
_TYPES: Final = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
    "number": (int, float), "null": type(None),
}  # fmt: skip


def strict(text: str) -> object:
    """Return the value of a text that is JSON as its standard has it."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")

    value: object = json.loads(text, parse_constant=refuse)
    return value


def check(text: str, name: str) -> object:
    """Return the value of a text that is JSON by a schema, else say where it is not."""
    value = strict(text)
    schema = json.loads((HERE / f"{name}.json").read_text())
    found = list(faults(value, schema, schema, "$"))
    assert not found, found
    return value


def faults(
    value: object, schema: dict[str, object], whole: dict[str, object], at: str
) -> Iterator[str]:
    """Yield where a value is not as a schema, a part of a ``whole`` one, says."""
    unknown = schema.keys() - _WORDS
    assert not unknown, f"words that are not checked: {unknown}"
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix("#/$defs/")
        yield from faults(value, whole["$defs"][name], whole, at)  # type: ignore[index]
    if "anyOf" in schema:
        options: list[dict[str, object]] = schema["anyOf"]  # type: ignore[assignment]
        if all(any(True for _ in faults(value, o, whole, at)) for o in options):
            yield f"{at}: {value!r} is none of {options}"
    kinds = schema.get("type", list(_TYPES))
    if not any(_is(value, k) for k in ([kinds] if isinstance(kinds, str) else kinds)):  # type: ignore[attr-defined]
        yield f"{at}: {value!r} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:  # type: ignore[operator]
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "minimum" in schema and isinstance(value, int | float) and value < schema["minimum"]:  # type: ignore[operator]
        yield f"{at}: {value!r} is less than {schema['minimum']}"
    if (
        "pattern" in schema
        and isinstance(value, str)
        and not re.search(str(schema["pattern"]), value)
    ):
        yield f"{at}: {value!r} is not like {schema['pattern']}"
    if isinstance(value, list) and "items" in schema:
        for k, x in enumerate(value):
            yield from faults(x, schema["items"], whole, f"{at}[{k}]")  # type: ignore[arg-type]
    if isinstance(value, dict):
        yield from _members(value, schema, whole, at)


def _is(value: object, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))  # type: ignore[arg-type]


def _members(
    value: dict[str, object], schema: dict[str, object], whole: dict[str, object], at: str
) -> Iterator[str]:
    known: dict[str, dict[str, object]] = schema.get("properties", {})  # type: ignore[assignment]
    rest = schema.get("additionalProperties", True)
    for name in schema.get("required", []):  # type: ignore[attr-defined]
        if name not in value:
            yield f"{at}: lacks {name}"
    for name, x in value.items():
        if name in known:
            yield from faults(x, known[name], whole, f"{at}.{name}")
        elif isinstance(rest, dict):
            yield from faults(x, rest, whole, f"{at}.{name}")
        elif rest is False:
            yield f"{at}: has {name}"
