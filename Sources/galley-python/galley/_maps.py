"""Maps of Arrow as dicts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from ._json_lines import line_of


def dicts_for_maps(kind: pa.DataType) -> Callable[[Any], Any] | None:
    """Returns a function that returns a value of a type with dicts for its maps, or None if the type has no maps.

    Python has a map of Arrow as a list of pairs, and a function for dicts only in late versions.
    """
    if pa.types.is_map(kind):
        item_of = dicts_for_maps(kind.item_type) or _same
        return lambda pairs: None if pairs is None else {_name(key): item_of(item) for key, item in pairs}
    if pa.types.is_struct(kind):
        return members_with_dicts({field.name: field.type for field in kind})
    if isinstance(kind, pa.BaseExtensionType):
        return dicts_for_maps(kind.storage_type)
    item = dicts_for_maps(kind.value_type) if hasattr(kind, "value_type") else None
    if item is None or pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return item
    convert_item = item
    return lambda items: items and [convert_item(value) for value in items]


def members_with_dicts(kinds: Mapping[str, pa.DataType]) -> Callable[[Any], Any] | None:
    """Returns a function that returns a dict with dicts for the maps of its members, or None if they have no maps.

    :param kinds: The types of the members.
    """
    members = {name: convert for name, kind in kinds.items() if (convert := dicts_for_maps(kind)) is not None}
    if not members:
        return None
    return lambda row: row and {**row, **{name: convert(row[name]) for name, convert in members.items()}}


def _same(value: Any) -> Any:
    return value


def _name(key: Any) -> str:
    """Returns a key as the name of a member: a text as it is, another value as the text of its JSON."""
    if isinstance(key, str):
        return key
    if key != key:
        return "nan"
    text = line_of(key).decode()
    return str(json.loads(text)) if text.startswith('"') else text
