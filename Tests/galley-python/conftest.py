"""Fixtures: a directory with the example posts, in which tests and the examples of docstrings run."""

import contextlib
import signal
import subprocess
from pathlib import Path

import pytest

from galley._program import program

# A shell starts background processes with Ctrl-C ignored, and its children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def examples(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("examples")
    subprocess.run([program(), "examples", str(directory)], check=True, stdout=subprocess.DEVNULL)
    return directory


@pytest.fixture
def posts(examples, tmp_path, monkeypatch) -> Path:
    """The present directory, with posts.yaml and posts.jsonl."""
    for name in ("posts.yaml", "posts.jsonl"):
        (tmp_path / name).write_bytes((examples / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def time_limit():
    """A context in which a signal raises TimeoutError after a number of seconds."""

    def fail(*_: object) -> None:
        raise TimeoutError("the limit of the caller")

    @contextlib.contextmanager
    def limit(seconds: float):
        earlier = signal.signal(signal.SIGALRM, fail)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, earlier)

    return limit
