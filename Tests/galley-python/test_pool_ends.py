"""Tests of the ends of pools, of their streams and of coordinators."""

import os
import subprocess
import sys

import pytest

import galley
from galley._program import program
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
