"""Lays out rows and returns their tables."""

from __future__ import annotations

import os
import subprocess
import threading
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from ._asynchronous import in_thread
from ._errors import BadRows, Error, RowsWarning, WrongUse
from ._feeder import Feeder, send
from ._lifeline import Lifeline
from ._paths import path_of
from ._program import program
from ._progress import Progress, shown
from ._request import Request, Target
from ._rows import Rows
from ._tables import Tables, tables_of_directory
from ._temporary import Temporary
from ._values import kind_of
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, columns_of

_POLL_SECONDS = 0.1

end_of_task: ContextVar[threading.Event | None] = ContextVar("end_of_task", default=None)
"""The end of the task for which a thread lays out, which ends the run too."""


def layout(
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
    workers: int | None = None,
    strict: bool = False,
    output: str | os.PathLike[str] | None = None,
    replace: bool = False,
    resume: bool = False,
    base: str | os.PathLike[str] | Tables | None = None,
    on_progress: Progress | None = None,
    progress: bool = False,
) -> Tables:
    """Lays out rows with worker processes for this call, and returns their tables.

    :param rows: The path of a rows file or a list of paths (JSON Lines, also compressed); or dicts, or lines of JSON, in
        a list or any other iterable; or a table of pandas, polars or pyarrow, of which the columns are the fields. An
        iterator is read by a thread while its rows are laid out.
    :param cells: The path of the cells file.
    :param width: The width of the list in points, or several, or ranges such as ``"320-430/10"``.
    :param text_scale: The factor of font sizes and line heights, or several.
    :param scale: The device pixels per point, or several; 2 unless it is given. Android, React Native and Compose need it.
    :param text_size: A text size of iOS such as ``"AX1"``, or several, at which fonts can state other sizes.
    :param platform: The platform whose texts and rounding the layout follows, such as ``"web"`` or ``"flutter"``, or several.
    :param layout_direction: The direction of the list, ``"ltr"`` or ``"rtl"``, or both.
    :param lines: Whether the tables have the lines of texts, which :meth:`Variant.lines` returns.
    :param columns: ``"heights"`` to leave the frames out: the tables have heights and resources alone.
    :param workers: The number of worker processes; by default one for each core.
    :param strict: Whether a bad row is an exception. Otherwise it has height 0 and is in ``tables.errors``.
    :param output: The directory to write. By default it is a temporary one that is removed with the tables.
    :param replace: Whether the tables of an earlier run in ``output`` may be replaced.
    :param resume: Whether an interrupted run with the same ``output``, cells and variants is continued. Rows that it had laid
        out are taken from it.
    :param base: The tables of an earlier run. Rows that are the same there are taken from it. If it cannot be used, a warning says
        so, and all rows are laid out.
    :param on_progress: A function that receives the rows read so far and the number of all rows, or None if that is not
        known.
    :param progress: Whether to show progress with tqdm or rich, one of which must be installed.
    :raises CellsFileError: The cells file has mistakes.
    :raises RowsError: A rows file cannot be read.
    :raises BadRows: A row is bad, with ``strict``.
    :raises WrongUse: An argument is wrong.
    :raises Error: The run failed for another reason.

    >>> rows = [{"id": 1, "cell": "PostCell", "text": "Hello", "userName": "Ada", "handle": "ada",
    ...          "avatar": "https://img.example/1.jpg", "likes": 0, "reposts": 0}, {"text": "no cell class"}]
    >>> tables = galley.layout(rows, cells="posts.yaml", width=390)
    >>> tables["w390"].heights.column("height").to_pylist()
    [94.0, 0.0]
    >>> [(error.row, error.error) for error in tables.errors]
    [(1, 'line 2: layout.child.children[0].url: field "avatar" is missing; write {avatar?} where it may be')]
    """
    with shown(on_progress, progress) as report:
        request = Request(rows, cells, width, text_scale, scale, text_size, platform, lines, layout_direction)
        return Layout(request, Target.workers(workers), output, replace, base, strict, resume, columns).result(report)


async def layout_async(
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
    workers: int | None = None,
    strict: bool = False,
    output: str | os.PathLike[str] | None = None,
    replace: bool = False,
    resume: bool = False,
    base: str | os.PathLike[str] | Tables | None = None,
) -> Tables:
    """Lays out rows as :func:`galley.layout`, while the event loop goes on. Cancelling the task ends the run.

    >>> tables = asyncio.run(galley.layout_async("posts.jsonl", cells="posts.yaml", width=390))
    >>> tables["w390"].height
    1246.5
    """
    request = Request(rows, cells, width, text_scale, scale, text_size, platform, lines, layout_direction)
    run = Layout(request, Target.workers(workers), output, replace, base, strict, resume, columns)
    return await run.result_async()


class Layout:
    """One run that writes tables into a directory. It has begun when it is created."""

    def __init__(
        self,
        request: Request,
        target: Target,
        output: str | os.PathLike[str] | None,
        replace: bool,
        base: str | os.PathLike[str] | Tables | None,
        strict: bool,
        resume: bool = False,
        columns: str | None = None,
    ) -> None:
        self._request = request
        self._temporary: Temporary | None = None
        if output is None:
            if replace:
                raise WrongUse("replace has no meaning without output, the directory to replace")
            if resume:
                raise WrongUse("resume has no meaning without output, the directory of the interrupted run")
            self._temporary = Temporary()
            self._directory = self._temporary.path / "tables"
        else:
            self._directory = Path(path_of("output", output))
            if str(self._directory) == "-":
                raise WrongUse("output is -, the standard output; use galley.stream for results without a directory")
        # The present directory may be another one when the run has ended.
        self._path = self._directory.absolute()
        arguments = request.arguments(target) + [f"--output={self._directory}"]
        arguments += ["--force"] if replace else []
        arguments += ["--strict"] if strict else []
        arguments += ["--resume"] if resume else []
        arguments += [] if columns is None else [f"--columns={columns_of(columns)}"]
        self._base = None if base is None else directory_of("base", base)
        arguments += [] if self._base is None else [f"--base={self._base}"]
        lines = request.rows.lines() if request.rows.paths is None else None
        self._strict = strict
        self._lifeline = Lifeline(
            [program(), *arguments, "--log-format", "json", "--quiet"],
            stdin=subprocess.DEVNULL if lines is None else subprocess.PIPE,
            coordinator=target.process,
        )
        # The end of the input would complete the tables, with a part of the rows.
        self._feeder = None if lines is None else Feeder(lines, self._lifeline, send, on_failure=self._lifeline.end)

    def result(self, on_progress: Progress | None = None) -> Tables:
        """Waits for the end of the run and returns its tables. An exception, also that of Ctrl-C, ends the run."""
        rows = self._request.rows
        poll: Callable[[], Any] | None = None
        if on_progress is not None:
            report = on_progress
            poll = lambda: report(rows.rows_read, rows.total)  # noqa: E731
        try:
            self._wait(poll)
        except BadRows as failure:
            raise rows.explained(failure) from None
        tables = tables_of_directory(
            self._path,
            unwritable=rows.unwritable,
            pictures=self._request,
            temporary=self._temporary,
        )
        if on_progress is not None:
            number = int(tables.manifest["rows"])
            on_progress(number, number)
        warn_of_unwritable(rows.unwritable)
        if self._base is not None and tables.manifest.get("takenRows") is None:
            reason = f"galley layout --base={self._base} states why"
            warnings.warn(f"base, {self._base}, is not used, and all rows were laid out; {reason}", stacklevel=3)
        return tables

    async def result_async(self) -> Tables:
        """Does what :meth:`result` does. Cancellation ends the run."""
        import asyncio

        try:
            return await in_thread(self.result)
        except asyncio.CancelledError:
            self._lifeline.end()
            raise

    def _wait(self, on_poll: Callable[[], object] | None) -> None:
        """Waits for the end of the process.

        :param on_poll: A function that is called ten times a second.
        :raises galley.Error: The run failed.
        """
        try:
            # An exception such as that of Ctrl-C can come at any moment from here.
            if self._feeder is not None:
                self._feeder.start()
            self._wait_for_process(on_poll)
        except BaseException:
            self._lifeline.end()
            raise
        self._lifeline.cut()
        if self._feeder is not None and self._feeder.failure is not None:
            raise self._feeder.failure
        request = self._request
        self._lifeline.raise_failure(cells=request.cells, rows=request.rows.arguments, strict=self._strict)

    def _wait_for_process(self, on_poll: Callable[[], object] | None) -> None:
        ended = threading.Event()

        def wait() -> None:
            self._lifeline.wait()
            ended.set()

        threading.Thread(target=wait, name="galley run", daemon=True).start()
        # A signal that comes just before a wait does not end it: a wait without end could miss Ctrl-C.
        task = end_of_task.get()
        while not ended.wait(_POLL_SECONDS):
            if task is not None and task.is_set():
                raise Error("the task that awaits the tables was cancelled")
            if on_poll is not None:
                on_poll()


def directory_of(name: str, run: str | os.PathLike[str] | Tables) -> Path:
    """Returns the directory of tables that may be open.

    :param name: The name of the parameter.
    """
    if isinstance(run, Tables):
        return next(iter(run.values())).directory.parent
    if not isinstance(run, (str, os.PathLike)):
        raise WrongUse(f"{name} is {kind_of(run)}; pass tables, or the path of their directory")
    return Path(path_of(name, run))


def warn_of_unwritable(unwritable: dict[int, str]) -> None:
    """Warns of rows that have no JSON form."""
    if unwritable:
        row = min(unwritable)
        warnings.warn(
            f"{len(unwritable)} of the rows cannot be written as JSON and are bad rows. Row {row} "
            + unwritable[row].partition(": ")[2],
            RowsWarning,
            stacklevel=4,
        )
