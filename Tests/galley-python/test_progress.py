"""Tests of the reports of progress."""

import sys
import types

import pytest

import galley
from runs import dicts, processes_of, wait_until


def test_progress_reports_all_rows(posts):
    reports = []
    rows = dicts() * 1000
    galley.layout(rows, cells="posts.yaml", width=390, on_progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (5000, 5000)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)


class Bar:
    """A bar as rich has it."""

    shown: list = []
    updates: list = []

    def __enter__(self) -> "Bar":
        self.start()
        return self

    def __exit__(self, *error) -> None:
        self.stop()

    def start(self) -> None:
        self.shown.append(self)

    def stop(self) -> None:
        self.shown.remove(self)

    def add_task(self, name, total) -> int:
        return 7

    def update(self, task, **numbers) -> None:
        self.updates.append(numbers)


def test_a_bar_ends_with_its_run_also_if_the_run_fails(posts, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "rich.progress", types.SimpleNamespace(Progress=Bar))
    monkeypatch.setitem(sys.modules, "rich", types.SimpleNamespace(progress=None))
    galley.layout(dicts(), cells="posts.yaml", width=390, progress=True)
    assert Bar.updates[-1] == {"completed": 5, "total": 5}
    assert Bar.shown == []
    with pytest.raises(galley.CellsFileError):
        galley.layout(dicts(), cells="none.yaml", width=390, progress=True)
    assert Bar.shown == []
    with pytest.raises(galley.WrongUse, match="exclude each other"):
        galley.layout(dicts(), cells="posts.yaml", width=390, output=posts / "tables", progress=True, on_progress=print)
    assert not processes_of(posts)


def test_an_error_of_the_progress_function_ends_the_run(posts):
    def stop(done, total):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        galley.layout(dicts(), cells="posts.yaml", width=390, on_progress=stop)
    wait_until(lambda: not processes_of(posts))
