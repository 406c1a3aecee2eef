"""Paths that a caller passes, and changes of their files."""

from __future__ import annotations

import os
from pathlib import Path

from ._errors import WrongUse
from ._values import kind_of


def path_of(name: str, path: object) -> str:
    """Returns a path as a text.

    :param name: The name of the parameter.
    :raises WrongUse: It is no path that a file can have.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongUse(f"{name} is {kind_of(path)}; pass a path as a str or a Path")
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise WrongUse(f"{name} is {text!r}, which no file can have as its path" if text else f"{name} is an empty path")
    return text


def state_of(file: str | Path | int) -> tuple[int, int, int, int] | None:
    """Returns what shows a change of a file, or None if it does not exist.

    A program such as ``cp -p`` or ``rsync`` can keep the size and the time of modification. It cannot keep the time at which the
    system changed the file, which a change of permissions sets too.

    :param file: Its path or its descriptor.
    """
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def version_of(file: str | Path | int) -> tuple[int, int, int] | None:
    """Returns what differs between a file and another one that replaces it, or None if it does not exist.

    A change of permissions or a further link does not change the version.

    :param file: Its path or its descriptor.
    """
    state = state_of(file)
    return None if state is None else state[:3]
