"""What a pool and a connection have in common: the calls that a coordinator lays out."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any

from ._asynchronous import in_thread
from ._closing import Closing
from ._errors import BadRows, Error, WrongUse
from ._json_lines import BYTE_ORDER_MARK, is_blank
from ._kept import KeptProcesses
from ._layout import Layout, end_of_task, warn_of_unwritable
from ._program import option_variables, program
from ._progress import Progress, shown
from ._request import Request, Target
from ._rows import Rows
from ._stream import Stream
from ._stream_tables import tables_of_stream
from ._tables import Tables
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes

if TYPE_CHECKING:
    from ._pool import Coordinator

_SMALL_ROWS = 2000
_SMALL_BYTES = 1 << 20
"""The rows and bytes up to which a call uses a kept process. The results of such a call are held in memory."""

_BEGINNINGS = (b"{", b"null")
"""The beginnings of a first line that is no other format: a row, or what stands for one that cannot be written."""


class Client(Closing):
    """What :class:`Pool` and :class:`Connection` have in common."""

    _coordinator: Coordinator | None = None

    def __init__(self, endpoint: str, keys: str | os.PathLike[str] | None = None) -> None:
        self.endpoint = endpoint
        """The endpoint of the coordinator."""
        self._keys = keys
        self._kept = KeptProcesses()
        self._streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self._opening = threading.Lock()
        """The lock of ``_streams`` and ``_is_closed``."""
        self._is_closed = False
        self._process = os.getpid()

    def layout(
        self,
        rows: Rows,
        *,
        cells: str | os.PathLike[str],
        width: Numbers,
        text_scale: Numbers = 1,
        scale: Numbers | None = None,
        text_size: TextSizes = None,
        platform: Platforms = None,
        layout_direction: LayoutDirections = None,
        lines: bool = False,
        columns: str | None = None,
        priority: int = 0,
        strict: bool = False,
        output: str | os.PathLike[str] | None = None,
        replace: bool = False,
        base: str | os.PathLike[str] | Tables | None = None,
        on_progress: Progress | None = None,
        progress: bool = False,
    ) -> Tables:
        """Lays out rows with the pool, and returns their tables.

        The arguments and errors are those of :func:`galley.layout`, without ``workers`` and ``resume``. Up to 2,000 rows
        that are no file go to a process that is kept for the same cells file and variants. Threads can call this at once.

        :param priority: Batches of a higher priority are laid out first.
        :raises PoolUnreachable: The coordinator does not reply.
        """
        self._check_open()
        request = Request(rows, cells, width, text_scale, scale, text_size, platform, lines, layout_direction)
        try:
            with shown(on_progress, progress) as report:
                is_plain = output is base is columns is None and not (replace or lines or option_variables())
                if request.rows.paths is None and is_plain:
                    given = request.rows.lines()
                    first, are_all = _first_lines(given)
                    if are_all:
                        return self._layout_small(request, first, priority, strict, report)
                    request.rows.resume(chain(first, given))
                return Layout(request, self._target(priority), output, replace, base, strict, columns=columns).result(report)
        except BadRows:
            raise
        except Error as failure:
            cause = self._cause_of(failure)
            if cause is failure:
                raise
            raise cause from None

    async def layout_async(self, rows: Rows, **options: Any) -> Tables:
        """Lays out rows as :meth:`layout` with the same arguments, while the event loop goes on.

        Cancelling the task ends the call; rows that were sent already are laid out nevertheless.
        """
        has_ended = threading.Event()
        if isinstance(rows, Iterator) and not hasattr(rows, "__arrow_c_stream__"):
            rows = _until(has_ended, rows)

        def call() -> Tables:
            end_of_task.set(has_ended)  # The thread has a context of its own.
            return self.layout(rows, **options)

        try:
            return await in_thread(call)
        finally:
            has_ended.set()

    def stream(
        self,
        rows: Rows,
        *,
        cells: str | os.PathLike[str],
        width: Numbers,
        text_scale: Numbers = 1,
        scale: Numbers | None = None,
        text_size: TextSizes = None,
        platform: Platforms = None,
        layout_direction: LayoutDirections = None,
        lines: bool = False,
        priority: int = 0,
        columns: str | None = None,
        strict: bool = False,
    ) -> Stream:
        """Lays out rows with the pool and yields their results as they come, as :func:`galley.stream`."""
        self._check_open()
        request = Request(rows, cells, width, text_scale, scale, text_size, platform, lines, layout_direction)
        stream = Stream(request, self._target(priority), columns, strict, client=self)
        with self._opening:
            self._streams.add(stream)
            is_closed = self._is_closed
        if is_closed:
            stream.close()
            self._check_open()
        return stream

    def close(self) -> None:
        """Ends the processes of this object and its streams. Tables that it has returned remain valid."""
        with self._opening:
            self._is_closed = True
            streams = list(self._streams)
        for stream in streams:
            stream._end("its pool was closed")
        self._kept.close()

    def _target(self, priority: int) -> Target:
        return Target.coordinator(self.endpoint, self._keys, priority, self._coordinator)

    def _check_open(self) -> None:
        if self._is_closed:
            raise WrongUse("the pool is closed; make another one")
        if os.getpid() != self._process:
            raise WrongUse("the pool belongs to the process that has forked this one; make another one here")

    def _cause_of(self, failure: Error) -> Error:
        """Returns the error of a pool that has ended, or else the failure of a call."""
        try:
            self._check_open()
        except Error as cause:
            return cause
        return failure

    def _layout_small(
        self, request: Request, lines: list[bytes], priority: int, strict: bool, report: Progress | None
    ) -> Tables:
        begin = time.perf_counter()
        names = request.variants.names()
        target = self._target(priority)
        command = [program(), *request.arguments(target), "--output", "-", "--log-format", "json"]
        process = self._kept.take(command, names, request.cells, target.process)
        try:
            batches = process.layout(lines)
        except BaseException:
            process.close()
            raise
        self._kept.put(process)
        seconds = time.perf_counter() - begin
        manifest = _manifest(request, lines, seconds)
        tables = tables_of_stream(batches, manifest, unwritable=request.rows.unwritable, pictures=request)
        if report is not None:
            report(len(lines), len(lines))
        warn_of_unwritable(request.rows.unwritable)
        if strict and tables.errors:
            raise BadRows(tables.errors[0].error, tables.errors)
        return tables


def _until(has_ended: threading.Event, rows: Iterator[Any]) -> Iterator[Any]:
    """Yields rows until the task that awaits their tables has ended. The rows that the iterator has then are those of its caller."""
    for row in rows:
        yield row
        if has_ended.is_set():
            raise Error("the task that awaits the tables was cancelled")


def _first_lines(lines: Iterator[bytes]) -> tuple[list[bytes], bool]:
    """Returns the first lines, and whether they are all lines and suit a kept process: few, none of them blank, and not of a
    file of another format, whose error only a run of its own states."""
    first: list[bytes] = []
    size = 0
    for line in lines:
        size += len(line)
        is_row = not is_blank(line) if first else line.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(_BEGINNINGS)
        first.append(line)
        if len(first) > _SMALL_ROWS or size > _SMALL_BYTES or not is_row:
            return first, False
    return first, len(first) > 0


def _manifest(request: Request, lines: list[bytes], seconds: float) -> dict[str, Any]:
    """Returns the manifest of rows that a kept process has laid out."""
    from . import __version__

    variants = [
        {"name": name, "width": width, "textScale": text_scale, "scale": scale}
        | ({} if text_size is None else {"textSize": text_size})
        | ({} if platform == "texture" else {"platform": platform})
        | ({} if direction == "ltr" else {"layoutDirection": direction})
        for name, (width, text_scale, scale, text_size, platform, direction) in request.variants.numbers().items()
    ]
    content = b"\n".join(lines) + b"\n"
    return {
        "format": 1,
        "version": __version__,
        "input": {"name": "standard input", "bytes": len(content), "hash": f"sha256:{sha256(content).hexdigest()}"},
        # The hash of cells with their fonts is not known here.
        "cells": {"hash": ""},
        "rows": len(lines),
        "variants": variants,
        "timings": {"seconds": seconds, "rowsPerSecond": round(len(lines) / seconds)},
    }
