"""Numbers and other values that a caller passes."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable
from typing import Any, TypeGuard

from ._errors import WrongUse


def shortened(value: object) -> str:
    """Returns the text of a value in a message."""
    return reprlib.repr(value)


def kind_of(value: object) -> str:
    """Returns the type of a value with its article, such as ``an int``."""
    name = type(value).__name__
    # Names that begin with u, such as UserDict and uint8, are spoken as you, those with two capitals, such as RDD, by letters.
    vowels = "AEFHILMNORSX" if name[:2].isupper() else "aeioAEIO"
    return f"{'an' if name[0] in vowels else 'a'} {name}"


def is_boolean(value: object) -> bool:
    """Returns whether a value is True or False, also of numpy."""
    return type(value).__name__ in ("bool", "bool_")


def is_integer(value: object) -> TypeGuard[int]:
    return hasattr(value, "__index__") and not is_boolean(value)


def number_of(name: str, value: Any) -> float:
    """Returns a finite number.

    :param name: The name of the parameter.
    :raises WrongUse: It is no number, or not finite.
    """
    try:
        # Python would take a text for the number that it states.
        if isinstance(value, (str, bytes, bytearray)) or is_boolean(value):
            raise TypeError
        # Scalars of Arrow are no numbers in each of its versions.
        number = float(value.as_py() if hasattr(value, "as_py") else value)
    except (TypeError, ValueError, OverflowError):
        raise WrongUse(f"{name} is {shortened(value)}; pass a number") from None
    if not math.isfinite(number):
        raise WrongUse(f"{name} is {number}; pass a finite number")
    return number


def edges_of(name: str, edges: object) -> str:
    """Returns distances from four edges as the program takes them.

    :raises WrongUse: They are not four numbers.
    """
    distances = list(edges) if isinstance(edges, Iterable) and not isinstance(edges, (str, bytes)) else []
    if len(distances) != 4:
        raise WrongUse(
            f"{name} needs four numbers, top, left, bottom and right, such as (16, 16, 16, 16), not {shortened(edges)}"
        )
    return ",".join(str(number_of(name, distance)) for distance in distances)
