"""Progress, for functions of the caller and for bars of tqdm or rich."""

from __future__ import annotations

from collections.abc import Callable

from ._errors import WrongUse

Progress = Callable[[int, "int | None"], object]
"""A function of the rows that are done and of all rows, or None if their number is not known."""


def shown(on_progress: Progress | None, progress: bool) -> Progress | None:
    """Returns the function that reports progress: that of the caller, or one that shows a bar."""
    if on_progress is not None:
        if progress:
            raise WrongUse("on_progress and progress exclude each other")
        return on_progress
    return _bar() if progress else None


def _bar() -> Progress:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _rich_bar()
    bar = tqdm(unit=" rows")

    def report(done: int, total: int | None) -> None:
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return report


def _rich_bar() -> Progress:
    try:
        from rich.progress import Progress as RichProgress
    except ImportError:
        raise WrongUse("progress=True needs tqdm or rich; install one of them, or pass on_progress") from None
    display = RichProgress()
    display.start()
    task = display.add_task("rows", total=None)

    def report(done: int, total: int | None) -> None:
        display.update(task, completed=done, total=total)
        if done == total:
            display.stop()

    return report
