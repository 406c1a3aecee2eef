"""Tests of streams."""

import asyncio
import gc
import itertools
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

import galley
from galley._child import Child
from galley._program import program
from galley._results import STREAM_SCHEMA, Results
from runs import dicts


def has_ended(stream: galley.Stream) -> bool:
    return stream._process.poll() is not None


def test_a_stream_has_all_rows_in_order(posts):
    rows = dicts() * 300
    batches = list(galley.stream(rows, cells="posts.yaml", width=[320, 390]))
    table = pa.Table.from_batches(batches)
    assert table.schema.equals(STREAM_SCHEMA)
    tables = galley.layout(rows, cells="posts.yaml", width=[320, 390])
    for name, variant in tables.items():
        own = table.filter(pa.compute.equal(table["variant"], name))
        assert own["row"].to_pylist() == list(range(1500))
        assert own["height"].to_pylist() == variant.heights["height"].to_pylist()


def test_a_stream_of_heights_has_no_frames(posts):
    options = {"cells": "posts.yaml", "width": [320, 390]}
    [whole, heights] = (pa.Table.from_batches(list(galley.stream("posts.jsonl", **options, columns=c))) for c in (None, "heights"))
    assert heights.equals(whole.drop_columns(["frames"]))
    with pytest.raises(galley.WrongUse, match='columns is \'frames\'; pass "heights"'):
        galley.stream("posts.jsonl", **options, columns="frames")


def test_results_come_while_the_next_row_takes_long(posts):
    received = threading.Event()

    def rows():
        yield from dicts()
        assert received.wait(timeout=20)
        yield from dicts()

    counts = []
    for batch in galley.stream(rows(), cells="posts.yaml", width=390):
        counts.append(batch.num_rows)
        if sum(counts) == 5:
            received.set()
    assert sum(counts) == 10


def test_a_stream_that_is_no_longer_used_ends_its_run(posts):
    stream = galley.stream(itertools.repeat(dicts()[0]), cells="posts.yaml", width=390)
    next(stream)
    process = stream._process
    del stream
    gc.collect()
    assert process.poll() is not None


def test_threads_read_one_stream_one_after_the_other(posts, monkeypatch):
    read, readers = Results.read, []

    def slow_read(results: Results) -> pa.RecordBatch | None:
        readers.append(threading.current_thread())
        assert len(readers) == 1
        time.sleep(0.02)
        batch = read(results)
        readers.clear()
        return batch

    monkeypatch.setattr(Results, "read", slow_read)
    found: list[pa.RecordBatch] = []
    with galley.stream(dicts() * 10, cells="posts.yaml", width=[320, 390]) as stream:
        threads = [threading.Thread(target=lambda: found.extend(stream)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(batch.num_rows for batch in found) == 100


def test_an_error_of_the_iterator_is_raised(posts):
    def rows():
        yield from dicts()
        raise RuntimeError("the database is gone")

    stream = galley.stream(rows(), cells="posts.yaml", width=390)
    with pytest.raises(RuntimeError, match="the database is gone"):
        list(stream)
    assert has_ended(stream)


def test_two_threads_never_close_the_input_of_a_process_at_once(monkeypatch):
    class Pipe:
        closers = most = closed = 0

        def close(self) -> None:
            self.closers += 1
            self.most = max(self.most, self.closers)
            time.sleep(0.05)
            self.closers -= 1
            self.closed += 1

    child = Child(["true"])
    child.input.close()
    pipe = Pipe()
    monkeypatch.setattr(child, "stdin", pipe)
    threads = [threading.Thread(target=child.close_input) for _ in range(2)]
    for thread in threads:
        thread.start()
    child.close_pipes()
    for thread in threads:
        thread.join()
    child.wait()
    child.messages.join()
    assert (pipe.closed, pipe.most) == (3, 1)


def test_a_failed_run_is_not_taken_for_a_complete_stream(posts):
    with pytest.raises(galley.BadRows, match="line 1001: "):
        list(galley.stream(dicts() * 200 + [b"no json"], cells="posts.yaml", width=390, strict=True))
    with pytest.raises(galley.CellsFileError, match="none.yaml: cannot be read"):
        list(galley.stream(dicts(), cells="none.yaml", width=390))
    with pytest.raises(galley.WrongUse, match="neither a number"):
        list(galley.stream(dicts(), cells="posts.yaml", width="wide"))
    killed = galley.stream(itertools.repeat(dicts()[0]), cells="posts.yaml", width=390)
    next(killed)
    killed._process.send_signal(signal.SIGKILL)
    with pytest.raises(galley.Error, match="signal 9"):
        list(killed)


def test_a_time_limit_of_the_caller_is_no_end_of_the_rows(posts, time_limit):
    limit = threading.Event()

    def rows():
        yield from dicts()
        limit.wait(timeout=20)

    stream = galley.stream(rows(), cells="posts.yaml", width=390)
    assert next(stream).num_rows > 0
    with pytest.raises(TimeoutError, match="the limit of the caller"), time_limit(0.1):
        list(stream)
    limit.set()
    assert has_ended(stream)


def test_results_that_end_within_a_batch_are_no_complete_stream(posts, monkeypatch):
    complete = subprocess.run(
        [program(), "layout", "posts.jsonl", "--cells=posts.yaml", "--width=390", "--output=-"], stdout=subprocess.PIPE, check=True
    ).stdout
    for length in (0, 100, len(complete) - 100):
        (posts / "part").write_bytes(complete[:length])
        (posts / "program").write_text(f"#!/bin/sh\ncat {posts}/part\n")
        (posts / "program").chmod(0o755)
        monkeypatch.setenv("GALLEY", str(posts / "program"))
        with pytest.raises(galley.Error, match="the results end in the middle of a batch"):
            list(galley.stream("posts.jsonl", cells="posts.yaml", width=390))


def test_bad_rows_are_rows_with_errors(posts):
    with pytest.warns(galley.RowsWarning, match="^1 of the rows cannot be written as JSON and are bad rows. Row 1"):
        batches = list(galley.stream([b"7", {"a": object()}, dicts()[0]], cells="posts.yaml", width=390))
    assert all(batch.schema.equals(STREAM_SCHEMA) for batch in batches)
    errors = [error for batch in batches for error in batch["error"].to_pylist()]
    assert errors[0].startswith("line 1: ")
    assert errors[1:] == [
        'line 2: cannot be written as JSON: field "a" is an object, which has no JSON form; convert it to text or numbers',
        None,
    ]


def test_cancelling_a_task_ends_the_run(posts):
    streams = []

    async def endless():
        async with galley.stream(itertools.repeat(dicts()[0]), cells="posts.yaml", width=390) as stream:
            streams.append(stream)
            async for _ in stream:
                pass

    async def main():
        task = asyncio.create_task(endless())
        while not streams:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert has_ended(streams[0])


def test_calls_that_wait_for_rows_hold_no_thread_of_the_event_loop(posts):
    last = threading.Event()

    def rows():
        yield from dicts()
        assert last.wait(timeout=20)

    async def rest(stream: galley.Stream) -> None:
        async for _ in stream:
            pass

    async def main():
        options = {"cells": "posts.yaml", "width": 390, "workers": 1}
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
        async with galley.stream(rows(), **options) as stream:
            await anext(stream)
            tasks = [asyncio.create_task(task) for task in (galley.layout_async(rows(), **options), rest(stream))]
            await asyncio.sleep(0)
            try:
                await asyncio.wait_for(asyncio.to_thread(int), timeout=5)
            finally:
                last.set()
            await asyncio.gather(*tasks)

    asyncio.run(main())


def test_cancelling_a_layout_ends_the_run(posts):
    began = threading.Event()

    def rows():
        for row in itertools.repeat(dicts()[0]):
            began.set()
            yield row

    async def main():
        options = {"cells": "posts.yaml", "width": 390, "output": posts / "tables"}
        task = asyncio.create_task(galley.layout_async(rows(), **options))
        await asyncio.to_thread(began.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert not Path("tables").exists()
