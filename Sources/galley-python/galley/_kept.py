"""The processes that a pool keeps for small calls."""

from __future__ import annotations

import os
import threading
import weakref
from typing import TYPE_CHECKING

from ._cells import CellsState
from ._rows_process import RowsProcess

if TYPE_CHECKING:
    from ._pool import Coordinator

_MOST_KEPT = 8
"""The largest number of idle processes that are kept for later calls."""


class KeptProcesses:
    """The idle processes for small calls."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[RowsProcess] = []
        self._is_closed = False
        self._states: weakref.WeakKeyDictionary[RowsProcess, tuple[list[str], CellsState]] = weakref.WeakKeyDictionary()

    def take(
        self, command: list[str], variants: list[str], cells: str, coordinator: Coordinator | None
    ) -> RowsProcess:
        """Returns an idle process for a command line, or a new one."""
        # The command has the path of the cells file as the caller wrote it.
        key = [os.getcwd(), *command]
        outdated: list[RowsProcess] = []
        found: RowsProcess | None = None
        with self._lock:
            for process in reversed(self._idle):
                kept_key, state = self._states[process]
                if kept_key != key:
                    continue
                self._idle.remove(process)
                if state.is_current():
                    found = process
                    break
                outdated.append(process)
        for process in outdated:
            process.close()
        if found is None:
            # A change between this moment and the start of the process is found by the next call.
            state = CellsState(cells)
            found = RowsProcess(command, variants, cells=cells, coordinator=coordinator)
            self._states[found] = (key, state)
        return found

    def put(self, process: RowsProcess) -> None:
        """Keeps a process that has no request."""
        with self._lock:
            self._idle.append(process)
            most = 0 if self._is_closed else _MOST_KEPT
            oldest = self._idle.pop(0) if len(self._idle) > most else None
        if oldest is not None:
            oldest.close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()
