"""A process of the program: its pipes, its messages and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

from ._errors import error_of_run
from ._fork import disown_in_child
from ._program import Messages

if TYPE_CHECKING:
    from ._pool import Coordinator

_END_SECONDS = 10.0


class Child(subprocess.Popen[bytes]):
    """A child process with the messages of its standard error.

    It has a session of its own, which keeps Ctrl-C of a terminal from it: this process decides when it ends.

    :param coordinator: The coordinator of this Python process that the child uses, with which it ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int = subprocess.PIPE,
        stdout: int = subprocess.PIPE,
        on_info: Callable[[str], None] | None = None,
        coordinator: Coordinator | None = None,
    ) -> None:
        if coordinator is not None:
            coordinator.check()
        self._owner = os.getpid()
        self._closing_of_input = threading.Lock()
        try:
            super().__init__(
                command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, bufsize=1 << 16, start_new_session=True
            )
            assert self.stderr is not None
            self.messages = Messages(self.stderr, on_info)
            disown_in_child(self)
            if coordinator is not None:
                coordinator.add(self)
        except BaseException:
            # A traceback can keep this object.
            self._abandon()
            raise

    def __del__(self) -> None:
        # Ctrl-C can come before a caller has this object. The module subprocess would keep the process and its pipes.
        self._abandon()
        super().__del__()

    def _abandon(self) -> None:
        """Ends a process that nobody has ended, unless it was not started."""
        if getattr(self, "pid", None) is None or self.returncode is not None or self._owner != os.getpid():
            return
        self.terminate()
        self.wait_or_kill(_END_SECONDS)
        self.close_pipes()

    def disown(self) -> None:
        """Forgets the process and its pipes in a forked child of this process, which could only take what belongs to its parent."""
        self.returncode = 0
        # The ends of the pipes must be seen although the child lives. What is buffered goes nowhere. A thread of the parent may
        # have held the lock of a buffer when the child was forked, so that closing it would wait forever.
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (self.stdin, self.stdout):
            if stream is not None and not stream.closed:
                os.dup2(nowhere, stream.fileno(), inheritable=False)
        os.close(nowhere)
        self.stdin = self.stdout = None

    @property
    def input(self) -> IO[bytes]:
        """The pipe to its standard input."""
        assert self.stdin is not None
        return self.stdin

    @property
    def output(self) -> IO[bytes]:
        """The pipe from its standard output."""
        assert self.stdout is not None
        return self.stdout

    @property
    def exit_code(self) -> int:
        """The exit code of the process that has ended; negative for a signal."""
        return int(self.returncode)

    def close_input(self) -> None:
        """Closes the pipe to its standard input. Any thread can do so, also while another one does."""
        if self.stdin is None:
            return
        # Two threads that close one buffered writer: the second one writes the buffer that the first one has freed.
        with self._closing_of_input:
            try:
                self.stdin.close()
            except OSError:  # Rows that the process has not read.
                pass

    def close_pipes(self) -> None:
        """Closes the pipes of its input and its output."""
        self.close_input()
        if self.stdout is not None:
            self.stdout.close()

    def kill_all(self) -> None:
        """Kills the process and those that it has started."""
        if self.poll() is None:
            # While another thread waits for it, `poll` does not see that it has ended.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait_or_kill(self, seconds: float) -> int:
        """Waits for the end of a process that has been told to end, and kills it after some time. Returns its exit code."""
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill_all()
            return self.wait()

    def raise_failure(self, *, cells: str, rows: Sequence[str], strict: bool) -> None:
        """Raises the error of a process that has ended, if its run failed.

        :raises galley.Error: The run failed.
        """
        # 3 is the code of a run with bad rows.
        if self.exit_code not in (0, 3):
            raise error_of_run(self.exit_code, self.messages.error(), cells=cells, rows=rows, strict=strict)
