"""Tests of runs that end before all rows are laid out."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import galley
from runs import dicts, processes_of, wait_until


def test_an_interrupted_run_is_resumed(posts):
    rows = [{**dicts()[0], "id": str(number)} for number in range(5000)]
    options = {"cells": "posts.yaml", "width": 390, "output": posts / "tables", "workers": 1}

    def interrupted():
        yield from rows[:4000]
        wait_until(lambda: list(posts.glob("tables.journal/*")))
        time.sleep(0.5)
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError):
        galley.layout(interrupted(), **options)
    assert list(posts.glob("tables.journal/*"))
    with pytest.raises(galley.Error, match="run again without resume=True"):
        galley.layout(rows, **{**options, "width": 320}, resume=True)
    tables = galley.layout(rows, **options, resume=True)
    assert tables["w390"].heights["id"].to_pylist() == [row["id"] for row in rows]
    assert not list(posts.glob("tables.journal"))


def test_an_error_of_the_iterator_leaves_no_file_thread_or_process(posts):
    def rows():
        yield from dicts() * 100
        raise RuntimeError("the database is gone")

    def state() -> tuple[int, int, int]:
        threads = [thread for thread in threading.enumerate() if thread.name.startswith("galley")]
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        return len(os.listdir("/proc/self/fd")), len(threads), len(children)

    def fails(run) -> None:
        with pytest.raises(RuntimeError, match="the database is gone"):
            run()

    galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    with galley.Pool(workers=1) as pool:
        pool.layout(dicts(), cells="posts.yaml", width=390)
        before = state()
        for caller in (galley, pool):
            options = {"cells": "posts.yaml", "width": 390}
            fails(lambda: caller.layout(rows(), **options))
            fails(lambda: list(caller.stream(rows(), **options)))
            fails(lambda: asyncio.run(caller.layout_async(rows(), **options)))
            wait_until(lambda: state() == before, seconds=5)


def test_an_error_of_the_iterator_ends_the_run_without_tables(posts):
    def rows():
        yield from dicts() * 200
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError, match="the database is gone"):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")
    assert not (posts / "tables").exists()
    assert not processes_of(posts)


def test_a_broken_pipe_of_the_iterator_is_no_end_of_the_rows(posts):
    def rows():
        yield from dicts()
        raise BrokenPipeError("the source is gone")

    with pytest.raises(BrokenPipeError, match="the source is gone"):
        galley.layout(rows(), cells="posts.yaml", width=390)
    with pytest.raises(BrokenPipeError, match="the source is gone"):
        list(galley.stream(rows(), cells="posts.yaml", width=390))


def test_a_killed_program_is_an_error_with_its_signal(posts):
    def rows():
        yield from dicts()
        wait_until(lambda: kill(posts / "tables"))
        time.sleep(0.2)
        yield dicts()[0]

    def kill(directory) -> bool:
        found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if is_program(path, directory)]
        for path in found:
            os.kill(int(path.parent.name), signal.SIGKILL)
        return bool(found)

    def is_program(path, directory) -> bool:
        try:
            command = path.read_bytes().split(b"\0")
        except OSError:
            return False
        return command[0] != b"/bin/sh" and f"--output={directory}".encode() in command

    with pytest.raises(galley.Error, match="^the program ended by signal 9; "):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")


def test_ctrl_c_ends_the_run_and_leaves_no_process(posts):
    def rows():
        yield from dicts()
        wait_until(lambda: processes_of(posts / "tables"))
        # Python loses an interrupt that comes while a finalizer runs, such as those of threads that are just created.
        time.sleep(0.3)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        while True:
            yield dicts()[0]

    with pytest.raises(KeyboardInterrupt):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")
    assert not (posts / "tables").exists()
    wait_until(lambda: not processes_of(posts / "tables"))


@pytest.mark.parametrize("caller", ["layout", "layout_async", "pool.layout_async"])
def test_an_interrupted_call_leaves_the_other_rows_to_the_caller(posts, time_limit, caller):
    taken = []

    def rows():
        for row in dicts() * 1000:
            taken.append(row)
            time.sleep(0.01)
            yield row

    options = {"cells": "posts.yaml", "width": 390}
    given = rows()
    with galley.Pool(workers=1) as pool, pytest.raises((TimeoutError, asyncio.TimeoutError)):
        if caller == "layout":
            with time_limit(0.6):
                galley.layout(given, **options)
        else:
            call = pool.layout_async if caller == "pool.layout_async" else galley.layout_async
            asyncio.run(asyncio.wait_for(call(given, **options), 0.6))
    count = len(taken)
    time.sleep(0.3)
    # A thread was waiting for one more.
    assert 0 < count <= len(taken) <= count + 1
    assert next(given) == taken[-1]


@pytest.mark.parametrize("is_file", [True, False])
def test_a_cancelled_call_of_a_pool_ends_its_run(posts, is_file):
    os.mkfifo("rows.jsonl")  # A run that waits for rows.
    source = os.open("rows.jsonl", os.O_RDWR)
    file = open("rows.jsonl", "rb")
    rows = "rows.jsonl" if is_file else file

    async def cancelled(pool) -> None:
        call = asyncio.create_task(pool.layout_async(rows, cells="posts.yaml", width=390, output=posts / "tables"))
        while not processes_of(posts / "tables"):
            await asyncio.sleep(0.02)
        call.cancel()

    with galley.Pool(workers=1) as pool:
        asyncio.run(cancelled(pool))
        wait_until(lambda: not processes_of(posts / "tables"), seconds=5)
    os.write(source, b"\n")
    os.close(source)
    file.close()
    assert not (posts / "tables").exists()


@pytest.mark.parametrize("place", ["_child.Messages", "_child.disown_in_child", "_stream.only_in_this_process"])
def test_an_interrupted_start_leaves_no_process(posts, monkeypatch, place):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"galley.{place}", interrupted)
    cells = posts / "posts.yaml"
    with pytest.raises(KeyboardInterrupt) as kept:
        galley.stream(dicts(), cells=cells, width=390)
    if place.startswith("_child"):  # An interactive session keeps the traceback.
        assert not processes_of(cells)
    del kept
    assert not processes_of(cells)


def test_a_killed_caller_leaves_no_process_and_no_tables(posts):
    code = (
        "import galley, itertools, sys\n"
        "print('begins', flush=True)\n"
        f"galley.layout(itertools.repeat({{}}), cells='posts.yaml', width=390, output={str(posts / 'tables')!r})\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    wait_until(lambda: any(b"layout" in command and b"import" not in command for command in processes_of(posts / "tables").values()))
    caller.kill()
    caller.wait()
    wait_until(lambda: not processes_of(posts / "tables"))
    assert not (posts / "tables" / "manifest.json").exists()
