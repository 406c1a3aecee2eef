"""Batches of results while rows are laid out."""

from __future__ import annotations

import os
import subprocess
import threading

import pyarrow as pa

from ._asynchronous import in_thread
from ._child import Child
from ._closing import Closing
from ._errors import BadRows, Error, WrongUse
from ._feeder import Feeder, send_promptly
from ._layout import warn_of_unwritable
from ._program import program
from ._request import Request, Target
from ._results import Results
from ._rows import Rows
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, columns_of

_END_SECONDS = 10.0


def stream(
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
    workers: int | None = None,
    columns: str | None = None,
    strict: bool = False,
) -> Stream:
    """Lays out rows and yields their results as they come, without a directory and with bounded memory.

    The arguments are those of :func:`galley.layout`. The batches are in the order of the rows: for each run of rows one
    batch for each variant. Rows that come slowly are laid out at once.

    :param columns: ``"heights"`` to leave the column ``frames`` out, which is quicker.
    :return: An iterator and an asynchronous iterator of ``pyarrow.RecordBatch``. Leaving a loop early ends the run when the
        iterator is closed or no longer used.

    >>> for batch in galley.stream("posts.jsonl", cells="posts.yaml", width=[320, 390]):
    ...     print(batch.column("variant")[0], batch.column("height").to_pylist())
    w320 [176.0, 290.0, 220.0, 272.0, 210.0]
    w390 [156.0, 309.5, 220.0, 311.5, 249.5]

    With asyncio, cancelling the task ends the run:

    >>> async def heights():
    ...     async with galley.stream("posts.jsonl", cells="posts.yaml", width=390) as batches:
    ...         return [height async for batch in batches for height in batch.column("height").to_pylist()]
    >>> asyncio.run(heights())
    [156.0, 309.5, 220.0, 311.5, 249.5]
    """
    request = Request(rows, cells, width, text_scale, scale, text_size, platform, lines, layout_direction)
    return Stream(request, Target.workers(workers), columns, strict)


class Stream(Closing):
    """The results of a run in progress."""

    def __init__(self, request: Request, target: Target, columns: str | None, strict: bool) -> None:
        self._request = request
        self._strict = strict
        self._feeder: Feeder | None = None
        self._has_ended = False
        self._reading = threading.Lock()
        self._owner = os.getpid()
        command = [program(), *request.arguments(target), "--output", "-", "--log-format", "json", "--quiet"]
        command += ["--strict"] if strict else []
        command += [f"--columns={columns_of(columns)}"] if columns is not None else []
        has_lines = request.rows.paths is None
        # If this process is killed, the end of the pipes ends the program.
        self._process = Child(command, stdin=subprocess.PIPE if has_lines else subprocess.DEVNULL)
        self._results = Results(self._process.output)
        if has_lines:
            # The feeder does not refer to this object, so that a stream that is no longer used ends the run.
            self._feeder = Feeder(request.rows.lines(), self._process, send_promptly, on_failure=self._process.terminate)
            self._feeder.start()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> pa.RecordBatch:
        if os.getpid() != self._owner:
            raise WrongUse("the stream belongs to the process that has forked this one; make another one here")
        # Several threads or tasks share the batches.
        with self._reading:
            if self._has_ended:
                raise StopIteration
            try:
                batch = self._read()
                if batch is None:
                    self._finish()
            except BaseException:
                self.close()
                raise
        if batch is None:
            raise StopIteration
        return batch

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> pa.RecordBatch:
        import asyncio

        try:
            batch = await in_thread(next, self, None)
        except asyncio.CancelledError:
            self.close()
            raise
        if batch is None:
            raise StopAsyncIteration
        return batch

    def close(self) -> None:
        """Ends the run."""
        self._has_ended = True
        self._process.terminate()
        self._process.wait_or_kill(_END_SECONDS)
        self._close_pipes()

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await in_thread(self.close)

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def _read(self) -> pa.RecordBatch | None:
        """Returns the next batch, or None at the end of the output, which may be that of a failed run."""
        try:
            return self._results.read()
        except ValueError:
            if not self._has_ended:
                raise
            return None  # Another thread has closed the stream.

    def _finish(self) -> None:
        """Waits for the end of the run.

        :raises galley.Error: The run failed. The output of such a run looks like a complete stream to Arrow's reader.
        """
        was_closed = self._has_ended
        self._has_ended = True
        self._process.wait()
        self._close_pipes()
        if was_closed:
            return
        if self._feeder is not None and self._feeder.failure is not None:
            raise self._feeder.failure
        rows = self._request.rows
        try:
            self._process.raise_failure(cells=self._request.cells, rows=rows.arguments, strict=self._strict)
        except BadRows as failure:
            raise rows.explained(failure) from None
        if self._results.is_cut:
            raise Error("the results end in the middle of a batch, although the program has succeeded; report this as a defect")
        warn_of_unwritable(rows.unwritable)

    def _close_pipes(self) -> None:
        """Closes the pipes of a process that has ended. A feeder that waits for the next row finds out when it comes."""
        self._process.messages.join()
        self._process.close_pipes()
