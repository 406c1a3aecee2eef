"""Progress, for functions of the caller and for bars of tqdm or rich."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ._errors import WrongUse
from ._values import shortened

Progress = Callable[[int, "int | None"], object]
"""A function of the rows that are done and of all rows, or None if their number is not known."""


@contextmanager
def shown(on_progress: Progress | None, progress: bool) -> Iterator[Progress | None]:
    """Gives the function that reports progress: that of the caller, or one that shows a bar, which ends with the block."""
    if on_progress is not None and not callable(on_progress):
        raise WrongUse(f"on_progress is {shortened(on_progress)}; pass a function of the rows read and of all rows")
    if not progress:
        yield on_progress
        return
    if on_progress is not None:
        raise WrongUse("on_progress and progress exclude each other")
    with _tqdm_bar() if find_spec("tqdm") else _rich_bar() as report:
        yield report


@contextmanager
def _tqdm_bar() -> Iterator[Progress]:
    from tqdm.auto import tqdm

    with tqdm(unit=" rows") as bar:

        def report(done: int, total: int | None) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield report


@contextmanager
def _rich_bar() -> Iterator[Progress]:
    try:
        from rich.progress import Progress as RichProgress
    except ImportError:
        raise WrongUse("progress=True needs tqdm or rich; install one of them, or pass on_progress") from None
    with RichProgress() as display:
        task = display.add_task("rows", total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)
