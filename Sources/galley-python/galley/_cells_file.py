"""The cells file as it is sent to the processes of an engine."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ._errors import WrongUse
from ._fork import only_in_this_process
from ._paths import path_of
from ._program import run_program


@dataclass(frozen=True)
class SentCells:
    """A cells file by its contents. Files with the same contents have the same name."""

    name: str
    contents: bytes

    @classmethod
    def of(cls, cells: str | os.PathLike[str]) -> SentCells:
        """Returns a cells file without mistakes, packed with its fonts, so that all machines lay out the same.

        :raises galley.CellsFileError: The file has mistakes.
        """
        path = path_of("cells", cells)
        with tempfile.TemporaryDirectory(prefix="galley-") as directory:
            packed = os.path.join(directory, "cells.galley")
            try:
                run_program(["pack", path, "--output", packed], cells=path)
            except WrongUse:  # The program is too old for `galley pack`.
                # Without a pack each machine needs the fonts, and font files of the cells file are not found.
                packed = path
            if packed == path:
                run_program(["check", path], cells=path)
            contents = Path(packed).read_bytes()
        return cls(f"galley-{hashlib.sha256(contents).hexdigest()[:32]}{Path(packed).suffix}", contents)

    def write(self, directory: str) -> str:
        """Writes the file into a directory, if it is not there yet. Returns its path."""
        path = os.path.join(directory, self.name)
        if not os.path.exists(path):
            # Another thread or process may write it at the same time: the file appears as a whole.
            with tempfile.NamedTemporaryFile(dir=directory, delete=False) as file:
                file.write(self.contents)
            os.replace(file.name, path)
        return path


_files: dict[tuple[int, str], IO[bytes]] = {}


def path_in_process(name: str, receive: Callable[[], SentCells]) -> str:
    """Returns the path of a cells file that programs of this process can open while the process runs.

    The file has no name in a directory, so that the system removes it however the process ends: Ray ends its worker processes without
    the functions of `atexit`.

    :param receive: Returns the cells file, if it is not there yet.
    """
    key = (os.getpid(), name)
    if key not in _files:
        file = tempfile.TemporaryFile(prefix="galley-")
        file.write(receive().contents)
        file.flush()
        # Another thread may have written it at the same time.
        _files.setdefault(key, file)
    return f"/proc/{os.getpid()}/fd/{_files[key].fileno()}"


@functools.cache
def directory_of_process() -> str:
    """Returns a directory that is removed when this process ends."""
    directory = tempfile.mkdtemp(prefix="galley-")
    atexit.register(only_in_this_process(shutil.rmtree), directory, ignore_errors=True)
    return directory
