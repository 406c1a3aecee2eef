"""Rows of Python as lines of JSON."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import struct
import traceback
import uuid
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import pyarrow as pa

from ._values import kind_of


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
        return _line(row)
    except Exception:  # A value that `json` does not know, or an exception of the caller's own class.
        pass
    try:
        return _line(_converted(row, "", 0))
    except NotJSON:
        raise
    except RecursionError:
        raise NotJSON("the row is nested too deeply, or contains itself") from None
    except Exception as error:
        raise NotJSON(reason_of(error)) from error


def reason_of(error: Exception) -> str:
    """Returns the type and the text of an exception, as the error of a row."""
    return traceback.format_exception_only(error)[-1].strip()


def _line(row: object) -> bytes:
    try:
        return _encode(row).encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8. The program lays out U+FFFD in place of its escape.
        return _encode_ascii(row).encode()


def _plain(value: object) -> object:
    """Returns the JSON form of one value that `json` does not know, with members that may need the same."""
    if isinstance(value, enum.Enum):
        return value.value
    # NaT is an instance of datetime.
    if type(value).__name__ in ("NaTType", "NAType", "MaskedConstant"):
        return None
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return _number(value)
    if isinstance(value, (uuid.UUID, os.PathLike)):
        return str(value)
    if isinstance(value, (pa.Scalar, pa.Array, pa.ChunkedArray)):
        return _of_arrow(value)
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, AbstractSet):
        return sorted(value, key=repr)
    if isinstance(value, (bytes, bytearray, memoryview, type)):
        raise TypeError(f"{type(value).__name__} has no JSON form")
    if (kind := getattr(getattr(value, "dtype", None), "kind", None)) in ("M", "m", "f"):
        return _of_numpy(value, kind)
    # Other scalars and arrays of numpy.
    convert = getattr(value, "tolist", None)
    if callable(convert):
        return convert() if _length(value) <= _MOST_ITEMS else _too_long(value)
    if isinstance(value, Sequence):
        return list(value) if len(value) <= _MOST_ITEMS else _too_long(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _number(value: decimal.Decimal) -> object:
    if not value.is_finite():
        return None if value.is_nan() else float(value)
    if value.adjusted() > _MOST_DIGITS:
        raise NotJSON(f"a number has more than {_MOST_DIGITS} digits; write it as text")
    return int(value) if value == value.to_integral_value() else float(value)


def _of_numpy(value: Any, kind: str) -> object:
    """Returns a scalar or an array of times, durations or floating-point numbers of numpy."""
    if value.ndim > 0:
        return list(value) if _length(value) <= _MOST_ITEMS else _too_long(value)
    if kind == "f":
        return shortest(float(value), value.dtype.itemsize)  # The list of a longdouble is the longdouble.
    text = str(value[()])
    if text == "NaT":
        return None
    if kind == "m":
        raise TypeError("a duration has no JSON form")
    plain = value.tolist()
    # Times with nanoseconds are no datetime.
    return text if isinstance(plain, int) else plain


def _of_arrow(value: Any) -> object:
    """Returns a scalar or an array of Arrow as values whose JSON is that of a column of its type."""
    from ._arrow_values import conversion_of  # That module imports this one.

    if isinstance(value, pa.Scalar) and not value.is_valid:
        return None
    if _length(value) > _MOST_ITEMS:
        return _too_long(value)
    if not isinstance(value, pa.Scalar):
        return list(value)
    convert = conversion_of(value.type)
    return value.as_py() if convert is None else convert(value.as_py())


def shortest(value: Any, size: int) -> Any:
    """Returns the number with the fewest digits that a number of 2 or 4 bytes stands for, or another value as it is."""
    if size not in _FLOATS or not isinstance(value, float) or not math.isfinite(value):
        return value
    stored, digits, normal = _FLOATS[size]
    if abs(value) < normal:
        digits = range(1, digits.stop)
    bits = stored.pack(value)
    numbers = (float(f"{value:.{count}g}") for count in digits)
    return next((number for number in numbers if stored.pack(number) == bits), value)


_FLOATS = {2: (struct.Struct("<e"), range(3, 6), 2.0**-14), 4: (struct.Struct("<f"), range(6, 10), 2.0**-126)}
"""For numbers of 2 and of 4 bytes: from how many digits, which always remain, to how many, which always determine the number, and the
least number for which so many remain."""


def _length(value: Any) -> int:
    size = getattr(value, "size", None)
    return size if isinstance(size, int) else len(value) if hasattr(value, "__len__") else 1


def _too_long(value: Any) -> object:
    raise NotJSON(f"{kind_of(value)} has {_length(value)} items, which is more than a row can have")


_MOST_ITEMS = 4 << 20
"""The largest number of items of a sequence that are converted: a row has at most 4 MiB."""

_MOST_DIGITS = 4300
"""The largest number of digits of a number that are written. Python itself writes no more, unless it is told to."""

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode
_encode_ascii = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_plain).encode


def _converted(value: Any, path: str, depth: int) -> object:
    """Returns a value of which all parts have a JSON form.

    :param path: The path of the value in the row, such as ``comments.0.date``.
    """
    if value is None or isinstance(value, (bool, str)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, int) and not isinstance(value, enum.Enum):
        if value.bit_length() > _MOST_DIGITS * 3:
            _check_digits(value, path)
        return value
    if depth > 200:
        raise NotJSON("the row is nested too deeply, or contains itself")
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {(name := name_of_member(key)): _converted(item, path_of_member(path, name), depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_converted(item, path_of_member(path, str(index)), depth + 1) for index, item in enumerate(value)]
    try:
        plain = _plain(value)
    except NotJSON as error:
        raise NotJSON(f'field "{path}": {error}') from None
    except TypeError:
        what = f'field "{path}" is {kind_of(value)}' if path else f"it is {kind_of(value)}"
        raise NotJSON(f"{what}, which has no JSON form; convert it to text or numbers") from None
    return _converted(plain, path, depth + 1)


def _check_digits(number: int, path: str) -> None:
    try:
        int.__repr__(number)
    except ValueError:
        what = f'field "{path}" is' if path else "it is"
        raise NotJSON(f"{what} a number with more digits than Python writes; write it as text") from None


def name_of_member(key: object) -> str:
    """Returns the name of a member, as `json` writes it where it knows the key."""
    if isinstance(key, enum.Enum):
        return name_of_member(key.value)
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return str(key)


def path_of_member(path: str, name: str) -> str:
    """Returns the path of a member of the object with a path, which is empty for the row."""
    return f"{path}.{name}" if path else name


def lines_of_text(text: str | bytes) -> Iterable[bytes]:
    """Returns the lines of JSON in an item that is text: one, or several with line ends between them."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    data = data.removesuffix(b"\n")
    return [data] if b"\n" not in data else data.split(b"\n")


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The mark that may begin a file. The program knows only the one at the beginning of its input."""


def is_blank(line: bytes, is_first: bool = False) -> bool:
    """Returns whether the program skips a line.

    :param is_first: Whether the line begins the input, where a byte order mark may precede it.
    """
    return not (line.removeprefix(BYTE_ORDER_MARK) if is_first else line).strip(b" \t\r\n")
