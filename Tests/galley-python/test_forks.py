"""Tests of Python processes that fork, and of the first rows of a kept process."""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import pytest

import galley
from galley._child import Child
from galley._rows_process import RowsProcess
from galley._variants import Variants
from runs import dicts


def in_child(body) -> int:
    """Calls a function in a forked child. Returns the exit code, which is 0 if the function returns true."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if body() else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_leaves_the_process_of_its_parent_alone(posts):
    rows = [line.encode() for line in Path("posts.jsonl").read_text().splitlines()]
    with RowsProcess.in_process("posts.yaml", Variants.of(390, 1, None)) as process:
        before = process.layout(rows)
        assert in_child(lambda: process.layout(rows[:2])[0].num_rows == 2) == 0
        assert process.layout(rows) == before


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_pool_and_its_tables_belong_to_the_process_that_made_them(posts):
    with galley.Pool(workers=1) as pool:
        tables = pool.layout("posts.jsonl", cells="posts.yaml", width=390)

        def use_in_child() -> bool:
            with pytest.raises(galley.WrongUse, match="forked"):
                pool.layout([{}], cells="posts.yaml", width=390)
            pool.close()
            tables.close()
            return True

        assert in_child(use_in_child) == 0
        assert len(pool.layout([{}], cells="posts.yaml", width=390).errors) == 1
        assert tables["w390"].heights.num_rows == 5


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_that_lives_on_does_not_delay_the_end_of_a_pool(posts):
    pool = galley.Pool(workers=1)
    pool.layout([{}], cells="posts.yaml", width=390)
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    begin = time.monotonic()
    pool.close()
    took = time.monotonic() - begin
    os.kill(child, 9)
    os.waitpid(child, 0)
    assert took < 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_stream_belongs_to_the_process_that_made_it(posts):
    forked = threading.Event()

    def rows():
        yield from dicts()
        assert forked.wait(timeout=20)
        yield from dicts()

    stream = galley.stream(rows(), cells="posts.yaml", width=390, workers=1)
    count = next(stream).num_rows

    def use_in_child() -> bool:
        with pytest.raises(galley.WrongUse, match="the stream belongs to the process that has forked this one"):
            next(stream)
        stream.close()
        return True

    assert in_child(use_in_child) == 0
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    forked.set()
    begin = time.monotonic()
    count += sum(batch.num_rows for batch in stream)
    took = time.monotonic() - begin
    os.kill(child, 9)
    os.waitpid(child, 0)
    assert count == 10
    assert took < 15  # A child that held the input open would delay the end by 30 s.


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_ends_although_a_thread_was_writing_to_a_program(posts):
    process = Child(["sleep", "60"])

    def write() -> None:
        with contextlib.suppress(BrokenPipeError):
            process.input.write(bytes(1 << 20))

    thread = threading.Thread(target=write)
    thread.start()
    time.sleep(0.2)

    def close() -> bool:
        signal.alarm(10)
        process.close_pipes()
        process.terminate()
        return process.wait_or_kill(1) == 0

    assert in_child(close) == 0
    assert process.poll() is None
    process.kill_all()
    process.wait()
    thread.join()
    process.close_pipes()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_prefetches_by_a_process_of_its_own(posts):
    variant = galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"]
    query = {"viewport": 200, "mode": "visibleOnly"}
    answers = [galley.prefetch(variant, offset=offset, **query) for offset in (0, 200)]
    assert in_child(lambda: galley.prefetch(variant, offset=0, **query) == answers[0]) == 0
    assert galley.prefetch(variant, offset=200, **query) == answers[1]


@pytest.mark.parametrize("rows", [[b"null"], [b'"text"', b"[1,2]"], [b"a,b"] * 8, [b"-"], [b"[1"] * 7])
def test_the_first_rows_of_a_kept_process_need_not_be_objects(posts, rows):
    with RowsProcess.in_process("posts.yaml", Variants.of(390, 1, None)) as process:
        for _ in range(2):
            errors = [error for batch in process.layout(rows) for error in batch.column("error").to_pylist()]
            assert len(errors) == len(rows) and all(errors)


def test_a_byte_order_mark_begins_any_request(posts):
    line = Path("posts.jsonl").read_bytes().splitlines()[0]
    with RowsProcess.in_process("posts.yaml", Variants.of(390, 1, None)) as process:
        for _ in range(2):
            assert process.layout([b"\xef\xbb\xbf" + line])[0].column("error").to_pylist() == [None]
    with galley.Pool(workers=1) as pool:
        for _ in range(2):
            assert pool.layout([b"\xef\xbb\xbf", line], cells="posts.yaml", width=390).manifest["rows"] == 1


@pytest.mark.parametrize("rows", [["\ufeff"], ["\ufeff\ufeff"], ["\ufeff\ufeff{}", "{}"]])
def test_a_second_byte_order_mark_is_a_part_of_the_row(posts, rows):
    with RowsProcess.in_process("posts.yaml", Variants.of(390, 1, None)) as process:
        for _ in range(2):
            errors = [error for batch in process.layout([row.encode() for row in rows]) for error in batch["error"].to_pylist()]
            assert len(errors) == len(rows) and "is not JSON" in errors[0]
