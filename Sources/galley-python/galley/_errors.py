"""The exceptions and warnings of the package."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ._wording import in_python


class Error(Exception):
    """A run that failed. The text of the exception is the message of the program, with parameters instead of options.

    All exceptions of this package are subclasses of it.
    """


class ProgramNotFound(Error):
    """There is no program ``galley``: neither beside the package, nor on PATH, nor where ``GALLEY`` points."""


class WrongUse(Error, ValueError):
    """Arguments that cannot be used, such as a width that is not a number."""


class PoolUnreachable(Error, ConnectionError):
    """No coordinator listens at the endpoint of :func:`galley.connect`, the connection to it was lost, or the coordinator of a pool has ended."""


class RowsError(Error):
    """Rows that cannot be read, such as a file that does not exist."""


@dataclass(frozen=True)
class RowError:
    """The error of one row."""

    row: int
    """The index of the row, from 0."""
    id: str
    """The id of the row."""
    error: str
    """The message, such as ``line 3: field "text" is missing``."""
    variants: tuple[str, ...]
    """The names of the variants in which the row has this error."""


class BadRows(RowsError):
    """Rows that cannot be laid out, with ``strict=True``.

    The text is the error of the first one. ``errors`` has the bad rows that are known: all of a small call of a pool, the first one
    of a data engine, and none of other calls, of which the program ends at the first bad row.
    """

    def __init__(self, message: str, errors: Sequence[RowError] = ()) -> None:
        super().__init__(message)
        self.errors = list(errors)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.errors)


@dataclass(frozen=True)
class Mistake:
    """One mistake of a cells file."""

    line: int | None
    """The line, from 1, or None if it is not known."""
    column: int | None
    """The column, from 1, or None if it is not known."""
    message: str
    """The path of the property and what is wrong with it."""


class CellsFileError(Error):
    """A cells file that cannot be used.

    ``path`` is the file. ``mistakes`` has all mistakes by position; ``line``, ``column`` and ``message`` are those of the
    first one.
    """

    def __init__(self, text: str, path: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(text)
        self.path = path
        self.mistakes = list(mistakes)
        first = self.mistakes[0] if self.mistakes else Mistake(None, None, text)
        self.line = first.line
        self.column = first.column
        self.message = first.message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.path, self.mistakes)


class VersionWarning(UserWarning):
    """The program has another version than the package."""


class RowsWarning(UserWarning):
    """Rows that cannot be written as JSON. They are bad rows: they have height 0 and errors."""


_LOST_POOL = (
    "no coordinator listens at ",
    "the coordinator does not reply",
    "the connection to the coordinator was lost",
)
_STRICT = re.compile(r"^.+?:(\d+): ")


def error_of_run(
    code: int, message: str, *, cells: str | None = None, rows: Sequence[str] = (), strict: bool = False
) -> Error:
    """Returns the exception for a run that failed.

    :param code: The exit code of the program.
    :param message: The error on standard error.
    :param cells: The path of the cells file, as the program received it.
    :param rows: The paths of the rows files, as the program received them.
    :param strict: Whether the first bad row ends the run.
    """
    text = in_python(message)
    if code == 2:
        return WrongUse(text)
    if message.startswith(_LOST_POOL):
        return PoolUnreachable(text)
    if cells is not None:
        mistakes = _mistakes(message, cells)
        if mistakes:
            return CellsFileError(message, cells, mistakes)
    if strict and _STRICT.match(message):
        return BadRows(text)
    if message.startswith(tuple(f"{source}: " for source in ("standard input", *rows))):
        return RowsError(text)
    return Error(text or _silent_end(code))


def _silent_end(code: int) -> str:
    if code < 0:
        return f"the program ended by signal {-code}; if the system lacks memory, use fewer workers"
    return f"the program ended with exit code {code} and without a message"


def _mistakes(message: str, cells: str) -> list[Mistake]:
    """Returns the mistakes of a cells file that a message lists, or nothing if it is about something else."""
    form = re.compile(rf"^{re.escape(cells)}(?::(\d+))?(?::(\d+))?: (.*)", re.DOTALL)
    mistakes = []
    for line in message.split("\n"):
        match = form.match(line)
        if match:
            at = [int(number) if number else None for number in match.group(1, 2)]
            mistakes.append(Mistake(at[0], at[1], match.group(3)))
    return mistakes
