"""Columns of Arrow as JSON, a column at a time."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.compute as pc

from ._arrow_values import conversion_of
from ._errors import WrongUse
from ._json_lines import NotJSON, line_of, path_of_member

_OBJECTS = ("galley.objects", "ray.data.arrow_pickled_object")
"""The extension types of columns of Python objects."""

_OWN_VALUES = (
    "arrow.bool8", "arrow.fixed_shape_tensor", "arrow.uuid", "ray.data.arrow_tensor", "ray.data.arrow_tensor_v2",
    "ray.data.arrow_variable_shaped_tensor", *_OBJECTS,
)  # fmt: skip
"""The extension types whose values are others than those of their storage. Those of Ray's tensors are arrays of numpy."""

_NOT_FINITE = {"null": None, "NaN": None, "Infinity": '"inf"', "-Infinity": '"-inf"'}

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def objects_of(batch: pa.RecordBatch) -> pa.StringArray:
    """Returns the rows of a batch as JSON objects without line ends.

    A null is left out, so that a row has no field for it. NaN counts as null, infinity is ``"inf"``. Values that have no
    form of their own here, such as dates and decimals, are written as :func:`galley.layout` writes them.
    """
    return _objects(batch.schema.names, batch.columns, batch.num_rows, "")


def _objects(names: list[str], columns: list[pa.Array], count: int, path: str) -> pa.StringArray:
    if not columns:
        return pa.array(["{}"] * count, pa.string())
    for name in names if len(set(names)) < len(names) else ():
        if names.count(name) > 1:
            raise WrongUse(f'column "{path}" has two members of the name "{name}"; give one of them another name')
    values = [_json(column, path_of_member(path, name)) for name, column in zip(names, columns)]
    members = [_joined(json.dumps(name) + ":", value) for name, value in zip(names, values)]
    # A null member is skipped with its comma. Arrow drops a row of nothing but nulls, so that the brace is one of the parts.
    joined = pc.binary_join_element_wise("{", *members, ",", null_handling="skip")
    return _joined(pc.replace_substring(joined, "{,", "{", max_replacements=1), "}")


def _json(values: pa.Array, path: str) -> pa.StringArray:
    """Returns each value as JSON, and null for null.

    :param path: The path of the values in the row, such as ``author.name``, for errors.
    """
    kind = values.type
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.ExtensionArray):
        return _others(values, path) if kind.extension_name in _OWN_VALUES else _json(values.storage, path)
    if pa.types.is_dictionary(kind):
        return _json(values.dictionary_decode(), path)
    if _is_text(kind):
        return _texts(values.cast(pa.string()))
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return values.cast(pa.string())
    if pa.types.is_floating(kind):
        return _floats(values)
    if pa.types.is_struct(kind):
        fields = [kind.field(index).name for index in range(kind.num_fields)]
        objects = _objects(fields, values.flatten(), len(values), path)
        return _null_where(values, objects)
    if pa.types.is_map(kind):
        return _maps(values, path)
    if pa.types.is_fixed_size_list(kind):
        # Arrow's cast to lists of any length fails for some items, such as nulls. Null lists have no items here.
        lengths = pc.multiply(values.is_valid().cast(pa.int32()), pa.scalar(kind.list_size, pa.int32()))
        offsets = pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(lengths)])
        return _joined("[", _lists(values, offsets, pc.fill_null(_json(values.flatten(), path), "null")), "]")
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        offsets = values.offsets
        items = _json(values.values.slice(offsets[0].as_py(), offsets[-1].as_py() - offsets[0].as_py()), path)
        return _joined("[", _lists(values, offsets, pc.fill_null(items, "null")), "]")
    return _others(values, path)


def _joined(*parts: str | pa.Array) -> pa.StringArray:
    return pc.binary_join_element_wise(*parts, "")


def _null_where(values: pa.Array, texts: pa.StringArray) -> pa.StringArray:
    """Returns texts, but null where a value is null."""
    return pc.if_else(values.is_valid(), texts, None) if values.null_count else texts


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"


def _texts(values: pa.StringArray) -> pa.StringArray:
    escaped = values
    for character, escape in _ESCAPES.items():
        escaped = pc.replace_substring(escaped, character, escape)
    # Other control characters are rare.
    if pc.any(pc.match_substring_regex(escaped, r"[\x00-\x1f]")).as_py():
        return pa.array([None if text is None else json.dumps(text) for text in values.to_pylist()], pa.string())
    return _joined('"', escaped, '"')


def _floats(values: pa.Array) -> pa.StringArray:
    """Returns numbers as Python writes them: Arrow writes 100000.0 as 100000, which is another text of a cell."""
    if pa.types.is_float32(values.type):
        # Arrow writes the fewest digits, as `shortest` does, in a seventh of the time.
        values = values.cast(pa.string())
    convert = conversion_of(values.type) or float
    texts = json.dumps([None if value is None else convert(float(value)) for value in values.to_pylist()])[1:-1]
    return pa.array([_NOT_FINITE.get(text, text) for text in texts.split(", ")] if texts else [], pa.string())


def _lists(values: pa.Array, offsets: pa.Array, items: pa.StringArray) -> pa.StringArray:
    """Returns the items of each list with commas between them, and null for a null list."""
    starts = pc.subtract(offsets, offsets[0]).cast(pa.int32())
    return _null_where(values, pc.binary_join(pa.ListArray.from_arrays(starts, items), ","))


def _maps(values: pa.MapArray, path: str) -> pa.StringArray:
    offsets = values.offsets
    first, count = offsets[0].as_py(), offsets[-1].as_py() - offsets[0].as_py()
    keys = pc.fill_null(_json(values.keys.slice(first, count), path), "nan")
    names = pc.if_else(pc.starts_with(keys, '"'), keys, _texts(keys))
    items = pc.fill_null(_json(values.items.slice(first, count), path), "null")
    return _joined("{", _lists(values, offsets, _joined(names, ":", items)), "}")


def _others(values: pa.Array, path: str) -> pa.StringArray:
    convert = conversion_of(values.type) or (lambda value: value)
    try:
        texts = [None if value is None else line_of(convert(value)).decode() for value in values.to_pylist()]
        # An object may be a NaN, which counts as null.
        return pa.array([None if text == "null" else text for text in texts], pa.string())
    except NotJSON as error:
        if isinstance(values, pa.ExtensionArray) and values.type.extension_name in _OBJECTS:
            raise  # Other objects of the column may have a JSON form.
        raise WrongUse(f'column "{path}" has values of type {values.type}: {error}') from None
