"""A process that ends with this one."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from ._child import Child

if TYPE_CHECKING:
    from ._pool import Coordinator

_END_SECONDS = 10.0

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
