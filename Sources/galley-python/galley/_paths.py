"""Paths that a caller passes."""

from __future__ import annotations

import os

from ._errors import WrongUse


def path_of(name: str, path: object) -> str:
    """Returns a path as a text.

    :param name: The name of the parameter.
    :raises WrongUse: It is no path that a file can have.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongUse(f"{name} is a {type(path).__name__}; pass a path as a str or a Path")
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise WrongUse(f"{name} is {text!r}, which no file can have as its path" if text else f"{name} is an empty path")
    return text
