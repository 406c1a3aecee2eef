"""Tests of the ends of pools, of their streams and of coordinators."""

import gc
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref

import pytest

import galley
from galley._program import program
from galley._rows_process import RowsProcess
from runs import dicts, processes_of, wait_until


def test_a_closed_pool_leaves_nothing(posts):
    pool = galley.Pool(workers=1)
    pool.layout(dicts(), cells="posts.yaml", width=390)
    directory = pool.endpoint.removeprefix("ipc://").removesuffix("/pool")
    assert len(processes_of(pool.endpoint)) >= 2
    pool.close()
    assert not os.path.exists(directory)
    assert not processes_of(pool.endpoint)
    with pytest.raises(galley.WrongUse, match="the pool is closed"):
        pool.layout(dicts(), cells="posts.yaml", width=390)


def test_the_end_of_a_pool_ends_its_streams(posts):
    with galley.Pool(workers=1) as pool:
        streams = [pool.stream(rows, cells="posts.yaml", width=390) for rows in (itertools.repeat(dicts()[0]), dicts() * 9999)]
        for stream in streams:
            next(stream)
        complete = pool.stream("posts.jsonl", cells="posts.yaml", width=390)
        assert sum(batch.num_rows for batch in complete) == 5
    for stream in streams:
        assert stream._process.poll() is not None
        with pytest.raises(galley.Error, match="was closed before its end, because its pool was closed; make another stream"):
            next(stream)
    assert list(complete) == []


def test_a_pool_lasts_as_long_as_one_of_its_streams(posts):
    stream = galley.Pool(workers=1).stream("posts.jsonl", cells="posts.yaml", width=390)
    endpoint = stream._client.endpoint
    gc.collect()
    assert sum(batch.num_rows for batch in stream) == 5
    del stream
    gc.collect()
    assert not processes_of(endpoint)


def test_a_stream_that_has_failed_does_not_keep_its_pool(posts):
    pool = galley.Pool(workers=1)
    stream = pool.stream([b"no json"], cells="posts.yaml", width=390, strict=True)
    with pytest.raises(galley.BadRows):
        list(stream)
    used = weakref.ref(pool)
    del pool
    assert used() is None
    with pytest.raises(galley.BadRows):
        list(stream)


def test_the_end_of_the_interpreter_ends_an_open_stream_before_its_pool(posts):
    code = (
        "import galley, itertools, sys\nfrom galley import _pool, _stream\n"
        "for module, name in ((_stream, '_end_process'), (_pool, '_end_pool')):\n"
        "    def end(*arguments, name=name, function=getattr(module, name)):\n"
        "        print(name)\n        function(*arguments)\n"
        "    setattr(module, name, end)\n"
        "pool = galley.Pool(workers=1)\n"
        "stream = pool.stream(itertools.repeat({}), cells='posts.yaml', width=390)\nnext(stream)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["_end_process", "_end_pool"], "", 0)


@pytest.mark.parametrize("place", ["_client.KeptProcesses", "_pool.only_in_this_process", "_lifeline.Lifeline.end"])
def test_an_interrupted_pool_leaves_no_process_and_no_directory(posts, monkeypatch, place):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tempfile, "tempdir", str(posts))
    with monkeypatch.context() as patch:
        patch.setattr(f"galley.{place}", interrupted)
        with pytest.raises(KeyboardInterrupt):
            galley.Pool(workers=1).close()
    gc.collect()
    assert not list(posts.glob("galley-*"))
    wait_until(lambda: not processes_of(f"ipc://{posts}"))


def coordinator_of(pool: galley.Pool) -> int:
    found = processes_of(pool.endpoint)
    [coordinator] = [pid for pid, command in found.items() if b"coordinator" in command and not command.startswith(b"/bin/sh")]
    return coordinator


def test_a_pool_whose_coordinator_was_killed_says_so_at_once(posts):
    with galley.Pool(workers=1) as pool:
        rows = dicts()
        pool.layout(rows, cells="posts.yaml", width=390)
        kept = list(pool._coordinator._users)
        os.kill(coordinator_of(pool), signal.SIGKILL)
        wait_until(lambda: kept and all(process.returncode is not None for process in kept))
        message = f"^the coordinator of the pool at {pool.endpoint} has ended by signal 9; make another galley.Pool$"
        for call in (pool.layout, pool.stream):
            with pytest.raises(galley.PoolUnreachable, match=message):
                call(rows, cells="posts.yaml", width=390)


@pytest.mark.parametrize(
    "call",
    [
        lambda pool: pool.layout(dicts(), cells="posts.yaml", width=390),
        lambda pool: pool.layout("posts.jsonl", cells="posts.yaml", width=390),
        lambda pool: list(pool.stream(dicts(), cells="posts.yaml", width=390)),
    ],
)
def test_the_end_of_the_coordinator_of_a_pool_ends_a_call_at_once(posts, call):
    with galley.Pool(workers=1) as pool:
        call(pool)
        coordinator = coordinator_of(pool)
        # The call waits until the coordinator is killed.
        os.kill(coordinator, signal.SIGSTOP)
        threading.Timer(0.5, os.kill, (coordinator, signal.SIGKILL)).start()
        begin = time.monotonic()
        with pytest.raises(galley.PoolUnreachable, match="has ended by signal 9; make another galley.Pool$"):
            call(pool)
        assert time.monotonic() - begin < 10


def test_a_call_that_loses_the_coordinator_of_its_pool_says_so(posts, monkeypatch):
    with galley.Pool(workers=1) as pool, monkeypatch.context() as patch:
        def lost(*arguments, **options):
            pool._coordinator.end()
            raise galley.PoolUnreachable("the coordinator does not reply")

        patch.setattr(RowsProcess, "layout", lost)
        with pytest.raises(galley.PoolUnreachable, match="make another galley.Pool"):
            pool.layout(dicts(), cells="posts.yaml", width=390)


def test_a_killed_caller_leaves_no_process(posts):
    code = (
        "import galley, time\np = galley.Pool(workers=1)\n"
        "p.layout([{}], cells='posts.yaml', width=390)\nprint(p.endpoint, flush=True)\ntime.sleep(60)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    endpoint = caller.stdout.readline().strip()
    assert len(processes_of(endpoint)) >= 2
    caller.kill()
    caller.communicate()
    wait_until(lambda: not processes_of(endpoint))


def test_a_running_pool_is_used_and_its_end_is_an_error(posts):
    endpoint = f"ipc://{posts}/pool"
    with pytest.raises(galley.PoolUnreachable, match="no coordinator listens at"):
        galley.connect(endpoint)
    coordinator = subprocess.Popen([program(), "coordinator", "--listen", endpoint, "--workers", "1", "--quiet"])
    try:
        wait_until(lambda: (posts / "pool").exists())
        with galley.connect(endpoint) as pool:
            assert pool.layout(dicts(), cells="posts.yaml", width=390)["w390"].height == 1246.5
            assert pool.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"].height == 1246.5
            coordinator.kill()
            coordinator.wait()
            with pytest.raises(galley.PoolUnreachable):
                pool.layout("posts.jsonl", cells="posts.yaml", width=390)
    finally:
        coordinator.kill()
        coordinator.wait()


def test_a_pool_is_used_however_often_its_coordinator_is_restarted(posts):
    endpoint = f"ipc://{posts}/pool"

    def start():
        started = subprocess.Popen([program(), "coordinator", "--listen", endpoint, "--workers", "1", "--quiet"])
        wait_until(lambda: (posts / "pool").exists())
        return started

    coordinator = start()
    try:
        with galley.connect(endpoint) as pool:
            for _ in range(4):
                assert pool.layout(dicts(), cells="posts.yaml", width=390)["w390"].height == 1246.5
                coordinator.kill()
                coordinator.wait()
                coordinator = start()
    finally:
        coordinator.kill()
        coordinator.wait()
