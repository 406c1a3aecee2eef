"""A program that is kept: rows go to its standard input, results come from its standard output."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, NoReturn

import pyarrow as pa

from ._child import Child
from ._closing import Closing
from ._errors import Error, PoolUnreachable, WrongUse, error_of_run
from ._fork import disown_in_child
from ._json_lines import BYTE_ORDER_MARK, is_blank
from ._numbering import id_of, numbered
from ._program import program
from ._results import STREAM_SCHEMA, Results
from ._variants import Variants

if TYPE_CHECKING:
    from ._pool import Coordinator

_DIRECT_BYTES = 32 << 10
"""The size of a request in bytes that a pipe takes as a whole, so that no thread has to write it."""

_MOST_BYTES_OF_BATCH = 256 << 20
"""The bytes of rows after which a batch of a coordinator is ended: one with a spool keeps rows and results until then."""

_MOST_DEATHS = 3
"""The number of times that a row on its own may end the program before it is a bad row."""

_END_SECONDS = 5.0
"""The time that a program has to end after its input has ended."""


class _Died(Exception):
    """The program has ended in the middle of a request, by a signal or without an error."""


class RowsProcess(Closing):
    """A kept process of the program, which lays out one list of rows after the other.

    A program that dies is started again, and its rows are sent again. A row that has ended the program three times
    when it was sent alone gets an error instead.

    :param command: The command line of the program.
    :param variants: The names of the variants, in the order of the stream.
    :param cells: The path of the cells file in the command line, for errors.
    :param most_bytes: The bytes of rows after which the process is replaced, or None if it need not be.
    :param coordinator: The coordinator with which the process ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        variants: Sequence[str],
        *,
        cells: str | None = None,
        most_bytes: int | None = _MOST_BYTES_OF_BATCH,
        coordinator: Coordinator | None = None,
    ) -> None:
        self._command = list(command)
        self._variants = list(variants)
        self._cells = cells
        self._most_bytes = most_bytes
        self._coordinator = coordinator
        self._lock = threading.Lock()
        self._process: Child | None = None
        self._results: Results | None = None
        self._rows_sent = 0
        self._bytes_sent = 0
        self._schema: pa.Schema | None = None
        disown_in_child(self)

    @classmethod
    def in_process(cls, cells: str, variants: Variants, *, columns: str | None = None) -> RowsProcess:
        """Returns a process that lays out on one thread, without a pool.

        :param columns: ``"heights"`` to leave frames and resources out.
        """
        command = [program(), "layout", "-", "--cells", cells, *variants.arguments, "--in-process", "--output", "-"]
        command += ["--log-format", "json"] + (["--columns", columns] if columns else [])
        # Without a coordinator nobody keeps what was laid out.
        return cls(command, variants.names(), cells=cells, most_bytes=None)

    def layout(self, lines: Sequence[bytes], first: int = 0) -> list[pa.RecordBatch]:
        """Lays out rows and returns the batches of the stream.

        The rows of the batches are numbered from 0, and their errors from ``line 1``, as if the lines were a file.

        :param lines: One JSON object each, without line ends within it. None of them is blank.
        :param first: The number of the first row, if the lines are a part of a file.
        :raises galley.Error: The program cannot run, such as with a cells file that has mistakes.
        """
        # A mark alone is a row that is not JSON.
        if first == 0 and lines and not is_blank(lines[0], is_first=True):
            lines = [lines[0].removeprefix(BYTE_ORDER_MARK), *lines[1:]]
        for line in lines:
            if b"\n" in line or is_blank(line):
                raise WrongUse(f"{line!r} is not one row; pass each row as one line without its line end")
        if not lines:
            return []
        with self._lock:
            batches = list(self._layout(lines, first, deaths=0))
            if self._most_bytes is not None and self._bytes_sent > self._most_bytes:
                self._end()
            return batches

    def close(self) -> None:
        """Ends the process. A later :meth:`layout` starts it again."""
        with self._lock:
            self._end()

    def disown(self) -> None:
        """Forgets the process in a forked child, which starts one of its own."""
        self._process, self._results, self._lock = None, None, threading.Lock()

    # Deaths

    def _layout(self, lines: Sequence[bytes], first: int, deaths: int) -> Iterator[pa.RecordBatch]:
        """Lays out lines of which the first has the number ``first``.

        The process may have died for another reason than these rows. They are divided only when it has died again.
        """
        while True:
            has_answered = self._process is not None and self._rows_sent > 0
            try:
                batches = self._exchange(lines)
            except PoolUnreachable:
                # A process sends all its rows again when its coordinator was restarted, but only once.
                if not has_answered:
                    raise
            except _Died as death:
                deaths += 1
                if len(lines) == 1 and deaths >= _MOST_DEATHS:
                    yield from self._bad_row(lines[0], first, str(death))
                    return
                if len(lines) > 1 and deaths >= 2:
                    middle = len(lines) // 2
                    for part, start in ((lines[:middle], first), (lines[middle:], first + middle)):
                        yield from self._layout(part, start, deaths=0 if len(part) == 1 else 1)
                    return
            else:
                for batch in batches:
                    yield numbered(batch, lines, self._rows_sent - len(lines), first)
                return

    def _bad_row(self, line: bytes, row: int, cause: str) -> Iterator[pa.RecordBatch]:
        """Returns batches with the error of a row that ends the program."""
        schema = self._schema or STREAM_SCHEMA
        error = f"line {row + 1}: ended the program {_MOST_DEATHS} times: {cause}"
        empty: list[object] = []
        for variant in self._variants:
            values = {
                "variant": variant,
                "row": row,
                "id": id_of(line) or str(row),
                "cell": "",
                "width": 0.0,
                "height": 0.0,
                "error": error,
                "frames": empty,
                "resources": empty,
                "missing_glyphs": 0,
                "holds_for_width": False,
            }
            arrays = [pa.array([values.get(field.name)], type=field.type) for field in schema]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    # One request

    def _exchange(self, lines: Sequence[bytes]) -> list[pa.RecordBatch]:
        """Sends lines and returns their results, with the numbers of rows that the process gives them."""
        request = b"\n".join(lines) + b"\n"
        try:
            process = self._process or self._start()
            if self._rows_sent == 0 and request.startswith(BYTE_ORDER_MARK):
                # The program takes one off its input. This one belongs to the row, which is not JSON.
                request = BYTE_ORDER_MARK + request
            self._rows_sent += len(lines)
            self._bytes_sent += len(request)
            if len(request) <= _DIRECT_BYTES:
                _write(process.input, request)
                return self._receive(len(lines))
            threading.Thread(target=_write, args=(process.input, request), name="galley rows", daemon=True).start()
            return self._receive(len(lines))
        except BaseException:
            # The process may have results left that belong to no later request.
            self._end(at_once=True)
            raise

    def _receive(self, count: int) -> list[pa.RecordBatch]:
        """Reads batches until each of the variants has ``count`` rows."""
        batches: list[pa.RecordBatch] = []
        missing = count * len(self._variants)
        assert self._results is not None
        while missing > 0:
            batch = self._results.read()
            self._schema = self._results.schema or self._schema
            if batch is None:
                self._raise_end()
            missing -= batch.num_rows
            batches.append(batch)
        if missing < 0:
            raise Error(f"the program returned {-missing} more rows than it received; report this as a defect")
        return batches

    def _raise_end(self) -> NoReturn:
        """Raises the error of a process whose stream has ended too early: `_Died` if other rows may help."""
        assert self._process is not None
        code = self._process.wait_or_kill(_END_SECONDS)
        message = self._process.messages.error()
        # 128 and more are codes of a shell for signals.
        if code in (0, 3) or code < 0 or code >= 128:
            raise _Died(message or (f"exit code {code}" if code >= 0 else f"signal {-code}"))
        raise error_of_run(code, message, cells=self._cells) from None

    # The process

    def _start(self) -> Child:
        self._process = Child(self._command, coordinator=self._coordinator)
        self._results = Results(self._process.output)
        self._rows_sent = self._bytes_sent = 0
        return self._process

    def _end(self, at_once: bool = False) -> None:
        process, self._process, self._results = self._process, None, None
        if process is None:
            return
        if at_once:
            process.kill_all()
        process.close_pipes()
        process.wait_or_kill(_END_SECONDS)

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self._end(at_once=True)


def _write(stream: IO[bytes], request: bytes) -> None:
    """Writes a request. The end of a process that does not read it shows in its output."""
    try:
        stream.write(request)
        stream.flush()
    except (BrokenPipeError, ValueError):  # Another OSError is one of the caller's signal handler.
        pass
