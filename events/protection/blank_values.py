"""The value that stands for one that the reader may not see, by the type of the value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict


def without_values(values: Mapping[str, Any], kept: Collection[str], declared: type) -> dict[str, Any]:
    """Return the values with those that are not `kept` blanked, as the annotations of `declared` say.

    A value without an annotation is blanked by its own type.
    """
    types = _types_of(declared)
    return {
        name: value if name in kept else blank_value(types.get(name, type(value))) for name, value in values.items()
    }


def blank_value(declared: Any) -> Any:
    """Return the blank value of a type.

    None where the type allows it, else an empty list, False or an empty text. A TypedDict keeps its keys. Numbers,
    booleans and dates have no blank value, and become None.
    """
    choices = get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
    if NoneType in choices:
        return None
    for choice in choices:
        if choice is list or get_origin(choice) is list:
            return []
        if get_origin(choice) is Literal and get_args(choice) == (False,):
            return False
    if is_typeddict(declared):
        return {name: blank_value(each) for name, each in _types_of(declared).items()}
    if declared is dict or get_origin(declared) is dict:
        return {}
    return "" if declared is str else None


@cache
def _types_of(declared: type) -> dict[str, Any]:
    return get_type_hints(declared)
