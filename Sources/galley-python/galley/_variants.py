"""The variants of a run: its widths, text scales, scales, text sizes, platforms and directions."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ._errors import WrongUse
from ._values import is_boolean, shortened

Numbers = float | str | Iterable[float]
"""One number, several of them, or a text such as ``"320-430/10"`` (widths only)."""

TextSizes = str | Iterable[str] | None
"""One text size of iOS or several, such as ``"L,AX1"`` or ``["L", "AX1"]``; ``None`` for the plain sizes of fonts."""

Platforms = str | Iterable[str] | None
"""One platform or several, such as ``"web,flutter"`` or ``["web", "flutter"]``; ``None`` for texture."""

LayoutDirections = str | Iterable[str] | None
"""One direction of the list or both, such as ``"rtl"`` or ``["ltr", "rtl"]``; ``None`` for from left to right."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_RANGE = re.compile(r"([0-9.]+)-([0-9.]+)(?:/([0-9.]+))?")
_MOST = 256
"""The largest number of variants of a run."""
_MOST_WIDTH = 10_000_000
_MOST_SCALE = 100
_PLATFORMS = ("texture", "web", "webkit", "firefox", "android", "reactNative", "flutter", "compose")
_ON_PIXELS = ("android", "reactNative", "compose")
"""The platforms that round to device pixels."""
_DIRECTIONS = ("ltr", "rtl")
_TEXT_SIZES = ("XS", "S", "M", "L", "xL", "xxL", "xxxL", "AX1", "AX2", "AX3", "AX4", "AX5")


@dataclass(frozen=True)
class Variants:
    """The options of the program for the variants, and the names of the variants in their order."""

    width: str
    text_scale: str
    scale: str
    """The scales with commas between them; empty for 2."""
    text_size: str = ""
    """The text sizes with commas between them; empty for the plain sizes of fonts."""
    platform: str = ""
    """The platforms with commas between them; empty for texture."""
    lines: bool = False
    """Whether the results have the lines of texts."""
    layout_direction: str = ""
    """The directions of the list with commas between them; empty for from left to right."""

    @classmethod
    def of(
        cls,
        width: Numbers,
        text_scale: Numbers,
        scale: Numbers | None,
        text_size: TextSizes = None,
        platform: Platforms = None,
        lines: bool = False,
        layout_direction: LayoutDirections = None,
    ) -> Variants:
        """Returns the variants of the arguments of :func:`galley.layout`.

        :raises WrongUse: A number is none, or out of its range, or a name is unknown, or there are too many variants.
        """
        sizes = ",".join(_names("text_size", text_size, _TEXT_SIZES, "text size", "text sizes of iOS", "AX1"))
        platforms = ",".join(_names("platform", platform, _PLATFORMS, "platform", "platforms", "web"))
        if scale is None and (rounding := [name for name in platforms.split(",") if name in _ON_PIXELS]):
            raise WrongUse(
                f"the platform {rounding[0]} rounds to device pixels and needs their number a point; pass scale, such as 2.625"
            )
        directions = ",".join(
            _names("layout_direction", layout_direction, _DIRECTIONS, "direction", "directions", "rtl")
        )
        numbers = (_text("width", width), _text("text_scale", text_scale), "" if scale is None else _text("scale", scale))
        variants = cls(*numbers, sizes, platforms, bool(lines), directions)
        if len(variants.numbers()) > _MOST:
            optional = {"text_size": sizes, "platform": platforms, "layout_direction": directions}
            names = ["width", "text_scale", "scale", *(name for name, given in optional.items() if given)]
            listed = ", ".join(names[:-1]) + " and " + names[-1]
            raise WrongUse(f"{listed} have more than {_MOST} combinations; pass fewer at a time")
        return variants

    @property
    def arguments(self) -> list[str]:
        # A value that begins with - is taken for an option, unless it is joined to its own.
        arguments = [f"--width={self.width}", f"--text-scale={self.text_scale}"]
        arguments += [f"--scale={self.scale}"] if self.scale else []
        arguments += [f"--text-size={self.text_size}"] if self.text_size else []
        arguments += [f"--platform={self.platform}"] if self.platform else []
        arguments += [f"--layout-direction={self.layout_direction}"] if self.layout_direction else []
        return arguments + (["--lines"] if self.lines else [])

    def names(self) -> list[str]:
        """Returns the names that the program gives the variants, such as ``w390`` and ``w390-t1.35-tAX1@3x``."""
        return list(self.numbers())

    def numbers(self) -> dict[str, tuple[float, float, float, str | None, str, str]]:
        """Returns the width, text scale, scale, text size, platform and direction of each variant by its name."""
        variants: dict[str, tuple[float, float, float, str | None, str, str]] = {}
        scales = [_number("text_scale", part) for part in self.text_scale.split(",")]
        pixels = [_number("scale", part) for part in (self.scale or "2").split(",")]
        sizes: list[str | None] = [*self.text_size.split(",")] if self.text_size else [None]
        axes = itertools.product(
            self.platform.split(",") if self.platform else ["texture"],
            sizes,
            _widths(self.width),
            scales,
            pixels,
            self.layout_direction.split(",") if self.layout_direction else ["ltr"],
        )
        for platform, text_size, width, text_scale, scale, direction in axes:
            name = "" if platform == "texture" else f"{platform}-"
            name += "w" + _format(width)
            name += "" if text_scale == 1 else "-t" + _format(text_scale)
            name += "" if text_size is None else f"-t{text_size}"
            name += "" if direction == "ltr" else f"-{direction}"
            name += "" if scale == 2 else f"@{_format(scale)}x"
            variants.setdefault(name, (width, text_scale, scale, text_size, platform, direction))
        return variants


def _names(
    argument: str, given: str | Iterable[str] | None, known: Sequence[str], kind: str, known_as: str, example: str
) -> list[str]:
    """Returns the names of an argument, each of which is known."""
    if given is None:
        return []
    if not isinstance(given, (str, Iterable)) or isinstance(given, (Mapping, bytes, bytearray)):
        raise WrongUse(f"{argument} is {shortened(given)}; pass a {kind} such as {example} or a list of {kind}s")
    names = given.split(",") if isinstance(given, str) else list(itertools.islice(given, _MOST + 1))
    names = [name.strip() if isinstance(name, str) else name for name in names]
    if not names:
        raise WrongUse(f"{argument} is empty; pass at least one {kind}, or None for the default")
    for name in names:
        if name not in known:
            raise WrongUse(f"{argument} has {shortened(name)}; the {known_as} are {', '.join(known)}")
    return names


def _text(name: str, numbers: Numbers) -> str:
    if isinstance(numbers, str):
        return numbers
    is_scalar = getattr(numbers, "ndim", None) == 0
    if isinstance(numbers, Iterable) and not is_scalar and not isinstance(numbers, (Mapping, bytes, bytearray)):
        parts = [_one(name, number) for number in itertools.islice(numbers, _MOST + 1)]
        if not parts:
            raise WrongUse(f"{name} is empty; pass at least one number")
        return ",".join(parts)
    return _one(name, numbers)


def _one(name: str, number: object) -> str:
    if isinstance(number, str):
        return number
    try:
        if is_boolean(number) or isinstance(number, (bytes, bytearray)):
            raise TypeError
        return _format(float(number))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise WrongUse(f"{name} is {shortened(number)}; pass a number or a list of numbers") from None


def _format(number: float) -> str:
    return str(int(number)) if math.isfinite(number) and number == number // 1 and abs(number) < 1e15 else repr(number)


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        form = "neither a number nor a range such as 320-430/10" if name == "width" else "no number"
        raise WrongUse(f'{name} has "{shortened(text)[1:-1]}", which is {form}')
    number = float(text)
    most = _MOST_WIDTH if name == "width" else _MOST_SCALE
    fits = number < most if name == "width" else number <= most
    if number <= 0 or not fits:
        limit = f"below {most:,}" if name == "width" else f"at most {most}"
        raise WrongUse(f'{name} has "{shortened(text)[1:-1]}"; pass a number above 0 and {limit}')
    return number


def _widths(text: str) -> Sequence[float]:
    """Returns the widths of a text such as ``320,390-430/5``, by the rules of the program."""
    widths: list[float] = []
    for part in text.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if not match:
            widths.append(_number("width", part))
            continue
        first, last, step = (_number("width", number) for number in (match[1], match[2], match[3] or "1"))
        if first > last or (last - first) / step >= _MOST:
            raise WrongUse(f"width has {part}, which is not a range of at most {_MOST} widths such as 320-430/10")
        count = int((last - first) / step + 1e-9) + 1
        widths.extend(round(first + index * step, 6) for index in range(count))
    return widths


def columns_of(columns: str) -> str:
    """Returns the columns of the results, as the program names them.

    :raises WrongUse: There is no such choice.
    """
    if columns != "heights":
        raise WrongUse(f'columns is {columns!r}; pass "heights" to leave the frames out, or None')
    return columns
