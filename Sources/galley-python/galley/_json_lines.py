"""Rows of Python as lines of JSON."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any


class NotJSON(Exception):
    """A row that cannot be written as JSON. The text names the field."""


def line_of(row: object) -> bytes:
    """Returns a row as one line of JSON without its line end.

    NaN, NaT and NA become null, which is how pandas has a missing value. Infinity becomes ``"inf"``, which cells files
    take as an unlimited dimension. Dates and times become ISO 8601, decimals become numbers, enumerations their values,
    numpy's scalars and arrays numbers and lists.

    :raises NotJSON: A value has no JSON form.
    """
    try:
        return _encode(row).encode()
    except UnicodeEncodeError:
        # A lone surrogate. The program reports it as an error of the row.
        return json.dumps(row, separators=(",", ":"), default=_plain).encode()
    except (TypeError, ValueError, RecursionError):
        try:
            return _encode(_converted(row, "", 0)).encode("utf-8", "surrogatepass")
        except RecursionError:
            raise NotJSON("the row is nested too deeply, or contains itself") from None


def _plain(value: object) -> object:
    """Returns the JSON form of one value that `json` does not know, with members that may need the same."""
    if isinstance(value, enum.Enum):
        return value.value
    # NaT is an instance of datetime.
    if type(value).__name__ in ("NaTType", "NAType"):
        return None
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, (uuid.UUID, os.PathLike)):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, AbstractSet):
        return sorted(value, key=repr)
    # numpy's scalars and arrays, and the scalars of Arrow.
    for method in ("tolist", "as_py"):
        convert = getattr(value, method, None)
        if callable(convert) and not isinstance(value, type):
            return convert()
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode


def _converted(value: Any, path: str, depth: int) -> object:
    """Returns a value of which all parts have a JSON form.

    :param path: The path of the value in the row, such as ``comments.0.date``.
    """
    if value is None or isinstance(value, (bool, int, str)) and not isinstance(value, enum.Enum):
        return value
    if depth > 200:
        raise NotJSON("the row is nested too deeply, or contains itself")
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {str(key): _converted(item, _member(path, key), depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_converted(item, _member(path, index), depth + 1) for index, item in enumerate(value)]
    try:
        return _converted(_plain(value), path, depth + 1)
    except TypeError:
        what = f'field "{path}" is a {type(value).__name__}' if path else f"it is a {type(value).__name__}"
        raise NotJSON(f"{what}, which has no JSON form; convert it to text or numbers") from None


def _member(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def lines_of_text(text: str | bytes) -> Iterable[bytes]:
    """Returns the lines of JSON in an item that is text: one, or several with line ends between them."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    data = data.removesuffix(b"\n")
    return [data] if b"\n" not in data else data.split(b"\n")


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The mark that may begin a file. The program knows only the one at the beginning of its input."""


def is_blank(line: bytes) -> bool:
    """Returns whether the program skips a line."""
    return not line.strip(b" \t\r\n")
