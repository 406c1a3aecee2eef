"""The program ``galley``: where it is, and what it says on standard error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from ._errors import ProgramNotFound, VersionWarning, error_of_run
from ._wording import in_python

_MOST_MESSAGES = 200
"""The largest number of messages of a program that are kept."""


def program() -> str:
    """Returns the path of the program ``galley``.

    It is the value of the environment variable ``GALLEY`` if it is set, or else the program beside this package, or else
    the one on PATH.

    :raises ProgramNotFound: There is none.
    """
    chosen = os.environ.get("GALLEY")
    if chosen:
        if os.access(chosen, os.X_OK) and not os.path.isdir(chosen):
            return os.path.abspath(chosen)
        raise ProgramNotFound(f"GALLEY is {chosen}, which is no program; set it to the path of the program galley")
    beside = Path(__file__).parent / "bin" / "galley"
    if os.access(beside, os.X_OK):
        return str(beside)
    found = shutil.which("galley")
    if found is None:
        raise ProgramNotFound(
            f"there is no program galley at {beside} and none on PATH; install a wheel of galley that contains it, or "
            "build it (swift build -c release --product galley) and set GALLEY to its path"
        )
    return found


_checked_versions: set[str] = set()


def option_variables() -> list[str]:
    """Returns the names of the environment variables that set options of the program."""
    return [name for name in os.environ if name.startswith("GALLEY_")]


def check_version(version: str | None) -> None:
    """Warns once for each version of the program that is not that of the package."""
    from . import __version__

    if version is None or version == __version__ or version in _checked_versions:
        return
    _checked_versions.add(version)
    warnings.warn(
        f"the program galley has version {version} and the Python package has {__version__}; install both from one wheel",
        VersionWarning,
        stacklevel=3,
    )


def run_program(
    arguments: list[str],
    *,
    input: bytes | None = None,
    cells: str | None = None,
    good_codes: Sequence[int] = (0,),
    force: str = "--force",
) -> tuple[bytes, str]:
    """Runs the program to its end. Returns its standard output and the text of its standard error.

    :param cells: The path of the cells file among the arguments, for errors.
    :param good_codes: The exit codes of a run that has not failed.
    :param force: The text of ``--force`` in messages, where it is not that of :func:`galley.layout`.
    :raises galley.Error: The run failed.
    """
    done = subprocess.run(
        [program(), *arguments],
        input=input,
        stdin=subprocess.DEVNULL if input is None else None,
        capture_output=True,
        check=False,
    )
    text = done.stderr.decode("utf-8", "replace").strip().removeprefix("galley: ").replace("--force", force)
    if done.returncode not in good_codes:
        raise error_of_run(done.returncode, text, cells=cells)
    return done.stdout, text


def warn_of(messages: str, stacklevel: int) -> None:
    """Warns of what a program that has succeeded wrote to standard error.

    :param stacklevel: The frame that the warnings name: 1 for the caller of this function, 2 for the one above.
    """
    for line in messages.splitlines():
        warnings.warn(in_python(line.removeprefix("galley: ")), stacklevel=stacklevel + 1)


class Messages:
    """The messages that a program writes to standard error with ``--log-format json``, read by a thread."""

    def __init__(self, stream: IO[bytes], on_info: Callable[[str], None] | None = None) -> None:
        self._stream = stream
        self._on_info = on_info
        self._errors: deque[str] = deque(maxlen=_MOST_MESSAGES)
        self._others: deque[str] = deque(maxlen=_MOST_MESSAGES)
        self._thread = threading.Thread(target=self._read, name="galley messages", daemon=True)
        self._thread.start()

    def error(self) -> str:
        """Returns the error that ended the program, or lines that are no messages. Waits for its end first."""
        self.join()
        return "\n".join(self._errors or self._others)

    def join(self) -> None:
        """Waits for the end of the messages, for which a process that has inherited the pipe may stay a while."""
        self._thread.join(timeout=5)

    def _read(self) -> None:
        with self._stream:
            for line in self._stream:
                self._take(line.decode("utf-8", "replace").rstrip("\n"))

    def _take(self, line: str) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, Mapping) or "level" not in message:
            self._others.append(line)
            return
        text = str(message.get("message", ""))
        if message["level"] == "error":
            self._errors.append(text)
        elif message["level"] == "info" and self._on_info is not None:
            self._on_info(text)
