"""Batches of results while rows are laid out."""

from __future__ import annotations

import copy
import os
import subprocess
import threading
import weakref
from typing import TYPE_CHECKING, NoReturn

import pyarrow as pa

from ._asynchronous import in_thread
from ._child import Child
from ._closing import Closing
from ._errors import BadRows, Error, WrongUse
from ._feeder import Feeder, send_promptly
from ._fork import only_in_this_process
from ._layout import warn_of_unwritable
from ._program import program
from ._request import Request, Target
from ._results import Results, errors_of
from ._rows import Rows
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, columns_of

if TYPE_CHECKING:
    from ._client import Client

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
    """The results of a run in progress.

    Without :meth:`close`, a loop over a stream ends normally only after the last batch. After a failure each further call raises it
    again. After the cancellation of a task or an interruption before the end, it raises an :class:`Error` that says so.
    """

    def __init__(
        self, request: Request, target: Target, columns: str | None, strict: bool, *, client: Client | None = None
    ) -> None:
        self._client = client
        """The pool, which ends when nothing uses it, or None when the stream has ended."""
        self._request = request
        self._strict = strict
        self._feeder: Feeder | None = None
        self._ending: BaseException | type[StopIteration] | None = None
        """What further calls raise, or None as long as the stream has not ended."""
        self._reading = threading.Lock()
        self._owner = os.getpid()
        command = [program(), *request.arguments(target), "--output", "-", "--log-format", "json", "--quiet"]
        command += ["--strict"] if strict else []
        command += [f"--columns={columns_of(columns)}"] if columns is not None else []
        has_lines = request.rows.paths is None
        # If this process is killed, the end of the pipes ends the program.
        stdin = subprocess.PIPE if has_lines else subprocess.DEVNULL
        self._process = Child(command, stdin=stdin, coordinator=target.process)
        # An open stream ends before the interpreter does, which stops the threads that write to the program.
        self._end_process = weakref.finalize(self, only_in_this_process(_end_process), self._process)
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
            if self._ending is not None:
                raise _again(self._ending)
            try:
                batch = self._read()
                if batch is None:
                    self._finish()
                return self._with_causes(batch)
            except BaseException as cause:
                # This has no effect after the end of the run.
                self._end(f"{type(cause).__name__} interrupted a call of next")
                raise

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> pa.RecordBatch:
        import asyncio

        try:
            batch = await in_thread(next, self, None)
        except asyncio.CancelledError:
            self._end("a call of anext was cancelled, such as by asyncio.wait_for")
            raise
        if batch is None:
            raise StopAsyncIteration
        return batch

    def close(self) -> None:
        """Ends the run. The stream is then at its end, for all readers."""
        if self._ending is None:
            self._ending = StopIteration
        self._release()

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await in_thread(self.close)

    def _read(self) -> pa.RecordBatch | None:
        """Returns the next batch, or None at the end of the output, which may be that of a failed run."""
        try:
            return self._results.read()
        except ValueError:
            if self._ending is None:
                raise
            return None  # Another thread has closed the stream.

    def _with_causes(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch with the causes of the rows that Python could not write as JSON."""
        errors = errors_of(batch, self._request.rows.unwritable)
        columns = [errors if name == "error" else batch.column(name) for name in batch.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    def _finish(self) -> NoReturn:
        """Waits for the end of the run, whose output looks like a complete stream to Arrow's reader even if the run failed.

        :raises StopIteration: All batches were read.
        :raises BaseException: The run failed, or the stream was closed before.
        """
        self._process.wait()
        failure = self._failure_of_run()
        if self._ending is None:
            self._ending = StopIteration if failure is None else _again(failure)
        else:
            failure = None
        self._release()
        if self._ending is StopIteration:
            warn_of_unwritable(self._request.rows.unwritable)
        try:
            raise _again(self._ending) if failure is None else failure
        finally:
            del failure  # Otherwise the exception and this call would refer to each other.

    def _failure_of_run(self) -> BaseException | None:
        """Returns the exception of the caller's iterator or that of the program, which has ended."""
        if self._feeder is not None and self._feeder.failure is not None:
            return self._feeder.failure
        rows = self._request.rows
        try:
            self._process.raise_failure(cells=self._request.cells, rows=rows.arguments, strict=self._strict)
        except BadRows as failure:
            return rows.explained(failure)
        except Error as failure:
            client = self._client  # Another thread may close the stream.
            return failure if client is None else client._cause_of(failure)
        if self._results.is_cut:
            return Error("the results end in the middle of a batch, although the program has succeeded; report this as a defect")
        return None

    def _end(self, cause: str) -> None:
        """Ends the run. Further calls raise an error with the cause, unless the stream has ended before.

        :param cause: A clause such as ``its pool was closed``.
        """
        if self._ending is None:
            self._ending = Error(f"the stream was closed before its end, because {cause}; make another stream for the other rows")
        self._release()

    def _release(self) -> None:
        self._end_process()
        self._client = None


def _again(ending: BaseException | type[StopIteration]) -> BaseException | type[StopIteration]:
    """Returns a copy of an exception, without the traceback, which would keep the objects of the caller that has received it."""
    if not isinstance(ending, BaseException):
        return ending
    try:
        return copy.copy(ending)
    except Exception:
        return ending  # Some exceptions cannot be copied.


def _end_process(process: Child) -> None:
    """Ends the process and closes its pipes. A feeder that waits for the next row finds out when it comes."""
    process.terminate()
    process.wait_or_kill(_END_SECONDS)
    process.messages.join()
    process.close_pipes()
