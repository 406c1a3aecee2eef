"""Rows on their way to the standard input of a program."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from ._child import Child

_WRITE_BYTES = 64 << 10

_MOST_WAITING = 1024
"""The largest number of lines that wait for a slow output."""


class Feeder:
    """A thread that reads rows from the caller and writes them to a program.

    :param send: :func:`send` or :func:`send_promptly`.
    :param on_failure: A function that ends the program if the caller's iterator raises an exception.
    """

    def __init__(
        self,
        lines: Iterable[bytes],
        process: Child,
        send: Callable[[Iterable[bytes], Callable[[bytes], object]], None],
        on_failure: Callable[[], object],
    ) -> None:
        self.failure: BaseException | None = None
        """The exception of the caller's iterator."""
        self._lines = lines
        self._process = process
        self._send = send
        self._on_failure = on_failure

    def start(self) -> None:
        """Begins to read rows."""
        threading.Thread(target=self._run, name="galley rows", daemon=True).start()

    def _run(self) -> None:
        try:
            self._send(self._lines_until_end(), self._write)
        except _OutputClosed:
            pass  # The program has ended; its exit code and its message tell why.
        except BaseException as failure:
            self.failure = failure
            self._on_failure()
        self._process.close_input()

    def _lines_until_end(self) -> Iterator[bytes]:
        """Yields the lines as long as the program runs: those that the caller's iterator has after its end belong to the caller."""
        lines = iter(self._lines)
        while self._process.returncode is None and (line := next(lines, None)) is not None:
            yield line

    def _write(self, block: bytes) -> None:
        try:
            self._process.input.write(block)
            self._process.input.flush()
        except (OSError, ValueError) as error:  # The caller's iterator can raise the same exceptions.
            raise _OutputClosed from error


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


def send_promptly(lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Writes each line as soon as it comes, also if the next one takes long."""
    _PromptWriter(write).send(lines)


class _OutputClosed(Exception):
    """The program does not read any more."""


class _PromptWriter:
    """A thread that writes lines as soon as they come, and together those that come while it writes."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._has_ended = False
        self._failure: _OutputClosed | None = None
        self._thread = threading.Thread(target=self._run, name="galley writer", daemon=True)
        self._thread.start()

    def send(self, lines: Iterable[bytes]) -> None:
        """Takes lines until they end or the output is closed, and waits until they are written.

        :raises _OutputClosed: Nothing can be written any more.
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
            except _OutputClosed as failure:
                with self._changed:
                    self._failure = failure
                    self._changed.notify_all()
                return
