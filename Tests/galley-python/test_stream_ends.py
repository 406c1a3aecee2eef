"""Tests of the ends of streams: a stream that has not returned all rows never ends as if it were complete."""

import asyncio
import itertools
import subprocess
import sys
import threading

import pytest

import galley
from runs import dicts

CLOSED = "^the stream was closed before its end, because "


def endless() -> galley.Stream:
    return galley.stream(itertools.repeat(dicts()[0]), cells="posts.yaml", width=390, workers=1)


def waiting(limit: threading.Event):
    """Yields rows, and then waits for an event."""
    yield from dicts()
    limit.wait(timeout=20)


def test_a_closed_stream_is_at_its_end(posts):
    with endless() as stream:
        next(stream)
    assert stream._process.poll() is not None
    assert list(stream) == []


def test_a_complete_stream_remains_at_its_end(posts):
    with galley.stream("posts.jsonl", cells="posts.yaml", width=390, workers=1) as stream:
        assert sum(batch.num_rows for batch in stream) == 5
        assert list(stream) == []
    assert list(stream) == []


def test_each_reader_of_a_stream_receives_its_failure(posts):
    def rows():
        yield from dicts()
        raise RuntimeError("the database is gone")

    stream = galley.stream(rows(), cells="posts.yaml", width=390, workers=1)
    failures = []

    def read() -> None:
        try:
            list(stream)
        except RuntimeError as failure:
            failures.append(str(failure))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == ["the database is gone"] * 3
    with pytest.raises(RuntimeError, match="the database is gone"):
        next(stream)


def test_a_failed_run_fails_again(posts):
    stream = galley.stream([*dicts(), b"no json"], cells="posts.yaml", width=390, strict=True, workers=1)
    for _ in range(2):
        with pytest.raises(galley.BadRows, match="^line 6: "):
            list(stream)


def test_an_interrupted_stream_raises_an_error_with_the_interruption(posts, time_limit):
    limit = threading.Event()
    stream = galley.stream(waiting(limit), cells="posts.yaml", width=390, workers=1)
    with pytest.raises(TimeoutError), time_limit(0.1):
        list(stream)
    limit.set()
    with pytest.raises(galley.Error, match=CLOSED + "TimeoutError interrupted a call of next; "):
        next(stream)


def test_a_task_whose_stream_was_cancelled_by_another_one_raises_an_error(posts):
    limit = threading.Event()

    async def read(stream: galley.Stream) -> None:
        async for _ in stream:
            pass

    async def main():
        stream = galley.stream(waiting(limit), cells="posts.yaml", width=390, workers=1)
        await anext(stream)
        tasks = [asyncio.create_task(read(stream)) for _ in range(2)]
        await asyncio.sleep(0.1)
        tasks[0].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    cancelled, other = asyncio.run(main())
    limit.set()
    assert isinstance(cancelled, asyncio.CancelledError)
    assert "because a call of anext was cancelled, such as by asyncio.wait_for; " in str(other)


def test_a_stream_after_a_time_limit_of_asyncio_raises_an_error(posts):
    limit = threading.Event()

    async def main():
        stream = galley.stream(waiting(limit), cells="posts.yaml", width=390, workers=1)
        with pytest.raises(asyncio.TimeoutError):
            while True:
                await asyncio.wait_for(anext(stream), 0.5)
        with pytest.raises(galley.Error, match=CLOSED + "a call of anext was cancelled"):
            await anext(stream)

    asyncio.run(main())
    limit.set()


@pytest.mark.parametrize("rows", ["lines * 9999", "iter(lines * 9999)", "itertools.chain(lines, map(time.sleep, [60]))"])
def test_an_open_stream_does_not_disturb_the_end_of_the_interpreter(posts, rows):
    code = (
        "import galley, itertools, time\nlines = open('posts.jsonl').readlines()\n"
        f"stream = galley.stream({rows}, cells='posts.yaml', width=390, workers=1)\nprint(next(stream).num_rows > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert (done.stdout, done.stderr, done.returncode) == ("True\n", "", 0)
