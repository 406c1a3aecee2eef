"""The variants of a run: its widths, text scales and scales."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ._errors import WrongUse

Numbers = float | str | Iterable[float]
"""One number, several of them, or a text such as ``"320-430/10"`` (widths only)."""

_RANGE = re.compile(r"([0-9.]+)-([0-9.]+)(?:/([0-9.]+))?")
_MOST = 256


@dataclass(frozen=True)
class Variants:
    """The options of the program for the variants, and the names of the variants in their order."""

    width: str
    text_scale: str
    scale: str

    @classmethod
    def of(cls, width: Numbers, text_scale: Numbers, scale: Numbers) -> Variants:
        """Returns the variants of the arguments of :func:`galley.layout`."""
        return cls(_text("width", width), _text("text_scale", text_scale), _text("scale", scale))

    @property
    def arguments(self) -> list[str]:
        # A value that begins with - is taken for an option, unless it is joined to its own.
        return [f"--width={self.width}", f"--text-scale={self.text_scale}", f"--scale={self.scale}"]

    def names(self) -> list[str]:
        """Returns the names that the program gives the variants, such as ``w390`` and ``w390-t1.35@3x``.

        :raises WrongUse: A width is no number and no range.
        """
        return list(self.numbers())

    def numbers(self) -> dict[str, tuple[float, float, float]]:
        """Returns the width, text scale and scale of each variant by its name."""
        variants: dict[str, tuple[float, float, float]] = {}
        scales = [_number("text_scale", part) for part in self.text_scale.split(",")]
        pixels = [_number("scale", part) for part in self.scale.split(",")]
        for width, text_scale, scale in itertools.product(_widths(self.width), scales, pixels):
            name = "w" + _format(width)
            name += "" if text_scale == 1 else "-t" + _format(text_scale)
            name += "" if scale == 2 else f"@{_format(scale)}x"
            variants.setdefault(name, (width, text_scale, scale))
        return variants


def _text(name: str, numbers: Numbers) -> str:
    if isinstance(numbers, str):
        return numbers
    if isinstance(numbers, Iterable):
        parts = [_one(name, number) for number in numbers]
        if not parts:
            raise WrongUse(f"{name} is empty; pass at least one number")
        return ",".join(parts)
    return _one(name, numbers)


def _one(name: str, number: object) -> str:
    if isinstance(number, str):
        return number
    try:
        return _format(float(number))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise WrongUse(f"{name} is {number!r}; pass a number or a list of numbers") from None


def _format(number: float) -> str:
    return str(int(number)) if number == number // 1 and abs(number) < 1e15 else repr(number)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise WrongUse(f'{name} has "{text}", which is no number') from None


def _widths(text: str) -> Sequence[float]:
    """Returns the widths of a text such as ``320,390-430/5``, by the rules of the program."""
    widths: list[float] = []
    for part in text.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if not match:
            widths.append(_number("width", part))
            continue
        first, last, step = (_number("width", number) for number in (match[1], match[2], match[3] or "1"))
        if first > last or step <= 0 or (last - first) / step >= _MOST:
            raise WrongUse(f"width has {part}, which is not a range of at most {_MOST} widths such as 320-430/10")
        count = int((last - first) / step + 1e-9) + 1
        widths.extend(round(first + index * step, 6) for index in range(count))
    return widths
