"""The process that answers the queries of one variant."""

from __future__ import annotations

import json
import re
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._child import Child
from ._errors import WrongUse, error_of_run
from ._paths import state_of
from ._program import program
from ._wording import in_python

_END_SECONDS = 1.0

_POSITION = re.compile(r"^standard input:\d+: ")


class PrefetchProcess:
    """A kept process that answers the queries of one variant."""

    def __init__(self, directory: Path, options: Sequence[str]) -> None:
        command = [program(), "prefetch", str(directory), "--queries", "-", *options]
        self._path = directory / "arrangement.arrow"
        self._arrangement = state_of(self._path)
        self._lock = threading.Lock()
        self._process = Child(command)
        self.close = weakref.finalize(self, _end, self._process)

    @property
    def is_current(self) -> bool:
        """Whether it runs, and the list has the arrangement that it uses."""
        return self._process.poll() is None and state_of(self._path) == self._arrangement

    def end(self) -> None:
        """Ends the process after the query that it answers."""
        with self._lock:
            self.close()

    def answer(self, line: bytes) -> dict[str, Any]:
        with self._lock:
            try:
                self._process.input.write(line + b"\n")
                self._process.input.flush()
                text = self._process.output.readline()
            except BrokenPipeError:
                text = b""
            except BaseException:  # The answer would be that of the next query.
                self.close()
                raise
        if not text:
            code = self._process.wait_or_kill(_END_SECONDS)
            raise error_of_run(code, self._process.messages.error().removeprefix("galley: "))
        answer: dict[str, Any] = json.loads(text)
        if "error" in answer:
            raise WrongUse(in_python(_POSITION.sub("", str(answer["error"]))))
        return answer


def _end(process: Child) -> None:
    process.close_pipes()
    process.wait_or_kill(_END_SECONDS)
