"""One run of the program that writes tables into a directory."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable

from ._errors import error_of_run
from ._program import Messages, program

_WRITE_BYTES = 64 << 10
_MOST_WAITING = 1024
"""The largest number of lines that wait for a slow output."""
_END_SECONDS = 10.0
_PROGRESS_SECONDS = 0.1

LIFELINE = """
exec 4<&0 3<&1 >/dev/null
"$@" <&4 3<&- 4<&- &
child=$!
exec 4<&- </dev/null
{ read -r _ <&3; kill -TERM "$child" 2>/dev/null; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
"""
"""Ends a program when the other end of a pipe is closed, also by the end of the process that holds it. The pipe is passed as
the standard output, whose number any shell can use."""


class Lifeline:
    """A process that ends with this one, even if this one is killed."""

    def __init__(self, command: list[str], *, stdin: int, on_info: Callable[[str], None] | None = None) -> None:
        theirs, self._ours = os.pipe()
        try:
            # A new session keeps Ctrl-C of a terminal from the program: this process decides when it ends.
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", LIFELINE, "galley", *command],
                stdin=stdin,
                stdout=theirs,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except BaseException:
            os.close(self._ours)
            raise
        finally:
            os.close(theirs)
        assert self.process.stderr is not None
        self.messages = Messages(self.process.stderr, on_info)
        self._lock = threading.Lock()
        self._is_cut = False

    def cut(self) -> None:
        """Tells the process to end."""
        with self._lock:
            if not self._is_cut:
                self._is_cut = True
                os.close(self._ours)

    def end(self) -> None:
        """Ends the process and those that it has started, and waits for them."""
        self.cut()
        try:
            self.process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    @property
    def exit_code(self) -> int:
        """The exit code of the process that has ended; negative for a signal."""
        code = self.process.returncode
        return 128 - code if code > 128 else code


class TableRun:
    """A run of the program, with a thread that sends the rows.

    :param arguments: The arguments of the program.
    :param lines: The lines for standard input, or None if the program reads files.
    """

    def __init__(
        self,
        arguments: list[str],
        lines: Iterable[bytes] | None,
        *,
        cells: str,
        strict: bool = False,
    ) -> None:
        self._cells = cells
        self._strict = strict
        self._failure: BaseException | None = None
        self._feeder: threading.Thread | None = None
        command = [program(), *arguments, "--log-format", "json", "--quiet"]
        self._lifeline = Lifeline(command, stdin=subprocess.DEVNULL if lines is None else subprocess.PIPE)
        if lines is not None:
            self._feeder = threading.Thread(target=self._feed, args=(lines,), name="galley rows", daemon=True)
            self._feeder.start()

    def wait(self, on_poll: Callable[[], object] | None = None) -> None:
        """Waits for the end of the run.

        :param on_poll: A function that is called ten times a second.
        :raises galley.Error: The run failed.
        """
        try:
            self._wait(on_poll)
        except BaseException:
            self.cancel()
            raise
        self._lifeline.cut()
        if self._failure is not None:
            raise self._failure
        code = self._lifeline.exit_code
        if code not in (0, 3):
            raise error_of_run(code, self._lifeline.messages.error(), cells=self._cells, strict=self._strict)
        if self._feeder is not None:
            self._feeder.join()

    def cancel(self) -> None:
        """Ends the run. Its tables are not written."""
        self._lifeline.end()

    def _wait(self, on_poll: Callable[[], object] | None) -> None:
        process = self._lifeline.process
        if on_poll is None:
            process.wait()
            return
        while True:
            try:
                process.wait(timeout=_PROGRESS_SECONDS)
                return
            except subprocess.TimeoutExpired:
                on_poll()

    def _feed(self, lines: Iterable[bytes]) -> None:
        stdin = self._lifeline.process.stdin
        assert stdin is not None
        try:
            send(lines, stdin.write)
        except BrokenPipeError:
            pass  # The program has ended; its exit code and its message tell why.
        except BaseException as failure:  # An error of the caller's iterator.
            self._failure = failure
            # The end of the input would complete the tables, with a part of the rows.
            self._lifeline.end()
        try:
            stdin.close()
        except BrokenPipeError:
            pass


def send(lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Writes lines in blocks."""
    block: list[bytes] = []
    size = 0
    for line in lines:
        block.append(line)
        size += len(line)
        if size >= _WRITE_BYTES:
            write(b"\n".join(block) + b"\n")
            block.clear()
            size = 0
    if block:
        write(b"\n".join(block) + b"\n")


class PromptWriter:
    """A thread that writes lines as soon as they come, and together those that come while it writes."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._has_ended = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="galley writer", daemon=True)
        self._thread.start()

    def send(self, lines: Iterable[bytes]) -> None:
        """Takes lines until they end or the output is closed, and waits until they are written.

        :raises OSError: The output is closed.
        """
        try:
            for line in lines:
                with self._changed:
                    while len(self._lines) >= _MOST_WAITING and self._failure is None:
                        self._changed.wait()
                    if self._failure is not None:
                        break
                    self._lines.append(line)
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._has_ended = True
                self._changed.notify_all()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._lines and not self._has_ended:
                    self._changed.wait()
                if not self._lines:
                    return
                block = list(self._lines)
                self._lines.clear()
                self._changed.notify_all()
            try:
                self._write(b"\n".join(block) + b"\n")
            except OSError as failure:
                with self._changed:
                    self._failure = failure
                    self._changed.notify_all()
                return
