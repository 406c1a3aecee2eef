"""One run of the program that writes tables into a directory."""

from __future__ import annotations

import os
import subprocess
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ._child import Child
from ._feeder import Feeder, send
from ._program import program

if TYPE_CHECKING:
    from ._pool import Coordinator

_END_SECONDS = 10.0
_POLL_SECONDS = 0.1

LIFELINE = """
exec 4<&0 3<&1 >/dev/null
"$@" <&4 3<&- 4<&- &
child=$!
exec 4<&- </dev/null 2>/dev/null
{ read -r _ <&3; kill -TERM "$child"; } &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill "$watcher"
exit "$code"
"""
"""Ends a program when the other end of a pipe is closed, also by the end of the process that holds it. The pipe is passed as
the standard output, whose number any shell can use. The shell's own messages, such as ``Killed``, are dropped."""


class Lifeline(Child):
    """A process that ends with this one, even if this one is killed."""

    def __init__(
        self,
        command: list[str],
        *,
        stdin: int,
        on_info: Callable[[str], None] | None = None,
        coordinator: Coordinator | None = None,
    ) -> None:
        theirs, ours = os.pipe()
        self.cut = weakref.finalize(self, os.close, ours)
        """Tells the process to end."""
        try:
            script = ["/bin/sh", "-c", LIFELINE, "galley"]
            super().__init__([*script, *command], stdin=stdin, stdout=theirs, on_info=on_info, coordinator=coordinator)
        except BaseException:
            self.cut()
            raise
        finally:
            os.close(theirs)

    def disown(self) -> None:
        """Closes a forked child's copies of the pipes, so that the process still ends with its parent."""
        super().disown()
        self.cut()

    def terminate(self) -> None:
        # A signal would end the shell alone.
        self.cut()

    def end(self) -> None:
        """Ends the process and those that it has started, and waits for them."""
        self.cut()
        self.wait_or_kill(_END_SECONDS)

    @property
    def exit_code(self) -> int:
        code = super().exit_code
        # The shell adds 128 to the number of a signal.
        return 128 - code if code > 128 else code


class TableRun:
    """A run of the program, with a thread that sends the rows.

    :param arguments: The arguments of the program.
    :param lines: The lines for standard input, or None if the program reads files.
    :param coordinator: The coordinator with which the run ends.
    """

    def __init__(
        self,
        arguments: list[str],
        lines: Iterable[bytes] | None,
        *,
        cells: str,
        rows: Sequence[str],
        strict: bool,
        coordinator: Coordinator | None,
    ) -> None:
        self._cells = cells
        self._rows = rows
        self._strict = strict
        self._feeder: Feeder | None = None
        command = [program(), *arguments, "--log-format", "json", "--quiet"]
        stdin = subprocess.DEVNULL if lines is None else subprocess.PIPE
        self._lifeline = Lifeline(command, stdin=stdin, coordinator=coordinator)
        if lines is not None:
            # The end of the input would complete the tables, with a part of the rows.
            self._feeder = Feeder(lines, self._lifeline, send, on_failure=self._lifeline.end)

    def wait(self, on_poll: Callable[[], object] | None = None) -> None:
        """Waits for the end of the run.

        :param on_poll: A function that is called ten times a second.
        :raises galley.Error: The run failed.
        """
        try:
            # An exception such as that of Ctrl-C can come at any moment from here.
            if self._feeder is not None:
                self._feeder.start()
            self._wait(on_poll)
        except BaseException:
            self.cancel()
            raise
        self._lifeline.cut()
        if self._feeder is not None and self._feeder.failure is not None:
            raise self._feeder.failure
        self._lifeline.raise_failure(cells=self._cells, rows=self._rows, strict=self._strict)

    def cancel(self) -> None:
        """Ends the run. Its tables are not written."""
        self._lifeline.end()

    def _wait(self, on_poll: Callable[[], object] | None) -> None:
        ended = threading.Event()

        def wait_for_process() -> None:
            self._lifeline.wait()
            ended.set()

        threading.Thread(target=wait_for_process, name="galley run", daemon=True).start()
        # A signal that comes just before a wait does not end it: a wait without end could miss Ctrl-C.
        while not ended.wait(_POLL_SECONDS):
            if on_poll is not None:
                on_poll()
