"""A pool that is kept for many calls, and the connection to one that runs elsewhere."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from subprocess import DEVNULL

from ._child import Child
from ._client import Client
from ._errors import Error, PoolUnreachable, WrongUse, error_of_run
from ._fork import only_in_this_process
from ._kept import KeptProcesses
from ._lifeline import Lifeline
from ._paths import path_of
from ._program import option_variables, program, run_program
from ._request import number_of_workers
from ._values import kind_of

_START_SECONDS = 30.0


class Pool(Client):
    """Worker processes that are kept for many calls.

    A pool ends at the end of its ``with`` statement, when it is closed or no longer used, and with this process, even if
    this process is killed.

    :param workers: The number of worker processes; by default one for each core.

    >>> with galley.Pool(workers=1) as pool:
    ...     tables = pool.layout("posts.jsonl", cells="posts.yaml", width=390)
    ...     again = pool.layout([{"id": "a", "text": "no cell"}], cells="posts.yaml", width=390)
    >>> tables["w390"].height, again.errors[0].id
    (1246.5, 'a')
    """

    def __init__(self, workers: int | None = None) -> None:
        count = number_of_workers(workers) if workers is not None else len(os.sched_getaffinity(0))
        parent = tempfile.gettempdir()
        if len(os.fsencode(parent)) > 64:  # The path of a socket has at most 107 bytes.
            parent = "/tmp"
        directory = ""
        try:
            directory = tempfile.mkdtemp(prefix="galley-", dir=parent)
            super().__init__(f"ipc://{directory}/pool")
            self._coordinator: Coordinator = _start_coordinator(self.endpoint, count)
            self._finalizer = weakref.finalize(self, only_in_this_process(_end_pool), self._coordinator, self._kept, directory)
            # Its thread keeps the coordinator, so that only the pool ends it from here.
            self._coordinator.watch()
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise

    def close(self) -> None:
        super().close()
        self._finalizer()

    def _check_open(self) -> None:
        super()._check_open()
        self._coordinator.check()


class Coordinator(Lifeline):
    """The coordinator of a pool.

    When it ends, the processes that use it end, too. They would wait for it to be started again, which nobody does.
    """

    def __init__(self, endpoint: str, command: list[str], on_info: Callable[[str], None]) -> None:
        self._endpoint = endpoint
        self._users: weakref.WeakSet[Child] = weakref.WeakSet()
        self._adding = threading.Lock()
        super().__init__(command, stdin=DEVNULL, on_info=on_info)

    def watch(self) -> None:
        """Begins to wait for its end."""
        threading.Thread(target=self._end_users, name="galley coordinator", daemon=True).start()

    def check(self) -> None:
        """Does nothing as long as the coordinator runs.

        :raises PoolUnreachable: It has ended.
        """
        if self.poll() is not None:
            code = self.exit_code
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            raise PoolUnreachable(f"the coordinator of the pool at {self._endpoint} has ended {how}; make another galley.Pool")

    def add(self, user: Child) -> None:
        """Adds a process that uses the coordinator."""
        with self._adding:
            self._users.add(user)
            has_ended = self.poll() is not None
        if has_ended:
            user.terminate()

    def _end_users(self) -> None:
        self.wait()
        with self._adding:
            users = list(self._users)
        for user in users:
            user.terminate()
        # A process that has ended stays in the list of processes until somebody waits for it.
        for user in users:
            user.wait()


class Connection(Client):
    """The connection to a coordinator that runs elsewhere, which :func:`connect` returns."""


def connect(endpoint: str, *, keys: str | os.PathLike[str] | None = None) -> Connection:
    """Connects to a coordinator that was started with ``galley coordinator``.

    :param endpoint: Its endpoint, such as ``ipc:///run/user/1000/galley`` or ``tcp://10.0.0.7:5555``.
    :param keys: The directory of keys for an endpoint that requires them.
    :raises PoolUnreachable: No coordinator listens there.

    >>> galley.connect("ipc:///tmp/there-is-no-pool")
    Traceback (most recent call last):
    galley.PoolUnreachable: no coordinator listens at ipc:///tmp/there-is-no-pool: there is no such socket; start one there \
(galley coordinator --listen)
    """
    if not isinstance(endpoint, str):
        raise WrongUse(f"endpoint is {kind_of(endpoint)}; pass a text such as ipc:///run/user/1000/galley")
    arguments = ["status", "--connect", endpoint, "--json"] + (["--keys", path_of("keys", keys)] if keys is not None else [])
    run_program(arguments)
    return Connection(endpoint, keys)


def _start_coordinator(endpoint: str, workers: int) -> Coordinator:
    listens = threading.Event()

    def note(text: str) -> None:
        if text.startswith("listening at"):
            listens.set()

    # Options for the layouts of this process are not those of the coordinator, whose first message is awaited.
    unset = [part for name in option_variables() for part in ("-u", name)]
    command = ["env", *unset] if unset else []
    command += [program(), "coordinator", "--listen", endpoint, f"--workers={workers}"]
    command += ["--log-format", "json", "--log-level", "info"]
    coordinator = Coordinator(endpoint, command, note)
    deadline = time.monotonic() + _START_SECONDS
    try:
        while not listens.wait(timeout=0.02):
            if coordinator.poll() is not None:
                raise error_of_run(coordinator.exit_code, coordinator.messages.error())
            if time.monotonic() > deadline:
                raise Error(f"the coordinator of the pool did not start within {_START_SECONDS:g} s")
    except BaseException:
        coordinator.end()
        raise
    return coordinator


def _end_pool(coordinator: Coordinator, kept: KeptProcesses, directory: str) -> None:
    try:
        kept.close()
        coordinator.end()
    finally:  # This is called once, also if Ctrl-C interrupts it.
        coordinator.cut()
        shutil.rmtree(directory, ignore_errors=True)
