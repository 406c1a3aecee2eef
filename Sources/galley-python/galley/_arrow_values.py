"""Values of Arrow as the values of Python whose JSON is that of their column."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from ._json_lines import NotJSON, line_of, shortest


def conversion_of(kind: pa.DataType) -> Callable[[Any], Any] | None:
    """Returns a function that converts a value of a type as `to_pylist` returns it, or None if it needs no conversion.

    A map becomes a dict: pyarrow has it as a list of pairs. A number of 16 or 32 bits becomes the one with the fewest digits: Python
    has 4.989999771118164 for 4.99. An interval raises `NotJSON`, as durations do: Python has it as a tuple. Values of other
    classes, such as the NA of pandas, remain.
    """
    if pa.types.is_map(kind):
        key_of, item_of = (conversion_of(part) or _same for part in (kind.key_type, kind.item_type))

        def dict_of(pairs: Any) -> Any:
            # polars has a dict.
            pairs = list(pairs.items()) if isinstance(pairs, dict) else pairs
            return {_name(key_of(key)): item_of(item) for key, item in pairs} if isinstance(pairs, (list, tuple)) else pairs

        return dict_of
    if pa.types.is_struct(kind):
        return conversion_of_members({field.name: field.type for field in kind})
    if pa.types.is_float16(kind) or pa.types.is_float32(kind):
        return partial(shortest, size=kind.bit_width // 8)
    if pa.types.is_interval(kind):
        return _refused
    if isinstance(kind, pa.BaseExtensionType):
        if kind.extension_name == "arrow.fixed_shape_tensor":
            return _conversion_of_tensor(kind)
        return conversion_of(kind.storage_type)
    item = conversion_of(kind.value_type) if hasattr(kind, "value_type") else None
    if item is None or pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return item
    convert_item = item
    return lambda items: [convert_item(value) for value in items] if isinstance(items, (list, tuple)) else items


def conversion_of_members(kinds: Mapping[str, pa.DataType]) -> Callable[[Any], Any] | None:
    """Returns a function that converts the members of a dict, or None if none of them needs a conversion.

    :param kinds: The types of the members.
    """
    members = {name: convert for name, kind in kinds.items() if (convert := conversion_of(kind)) is not None}
    if not members:
        return None
    return lambda row: (
        {**row, **{name: convert(row[name]) for name, convert in members.items()}} if isinstance(row, dict) else row
    )


def _conversion_of_tensor(kind: Any) -> Callable[[Any], Any]:
    """Returns a function that nests the items of a tensor, which `to_pylist` returns as one list."""
    convert = conversion_of(kind.value_type) or _same
    is_permuted = list(kind.permutation or []) != sorted(kind.permutation or [])

    def nested(items: list[Any], shape: Sequence[int]) -> list[Any]:
        if len(shape) < 2:
            return items
        size = math.prod(shape[1:])
        return [nested(items[index * size : (index + 1) * size], shape[1:]) for index in range(shape[0])]

    def tensor(items: Any) -> Any:
        if not isinstance(items, list):
            return items
        if is_permuted:
            raise NotJSON("a tensor with a permutation has no JSON form; convert it to lists")
        return nested([convert(item) for item in items], kind.shape)

    return tensor


def _same(value: Any) -> Any:
    return value


def _refused(value: Any) -> Any:
    if isinstance(value, tuple):
        raise NotJSON("an interval has no JSON form; convert it to text or numbers")
    return value


def _name(key: Any) -> str:
    """Returns a key as the name of a member: a text as it is, another value as the text of its JSON."""
    if isinstance(key, str):
        return key
    if key != key:
        return "nan"
    text = line_of(key).decode()
    return str(json.loads(text)) if text.startswith('"') else text


class PythonObjects(pa.ExtensionType):  # type: ignore[misc]
    """The type of a column of Python objects that have no common type of Arrow."""

    def __init__(self) -> None:
        super().__init__(pa.large_binary(), "galley.objects")

    @classmethod
    def array(cls, objects: Iterable[object]) -> pa.ExtensionArray:
        """Returns a column of objects."""
        return pa.ExtensionArray.from_storage(cls(), pa.array(map(pickle.dumps, objects), pa.large_binary()))

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> PythonObjects:
        return cls()

    def __arrow_ext_scalar_class__(self) -> type:
        return _PythonObject


class _PythonObject(pa.ExtensionScalar):  # type: ignore[misc]
    def as_py(self, **_: object) -> object:
        return pickle.loads(self.value.as_py())
