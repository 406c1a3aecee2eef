"""The processes that a cluster has started, found in /proc by a mark in their environment."""

import os
import signal
import threading
import time


def _marked() -> dict[int, list[bytes]]:
    """Returns the command lines of the processes of the cluster by their identifiers."""
    mark = f"CHECK_ENGINES={os.environ['CHECK_ENGINES']}".encode()
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as command, open(f"/proc/{name}/environ", "rb") as environment:
                if mark in environment.read().split(b"\0"):
                    found[int(name)] = command.read().split(b"\0")
        except OSError:  # The process has ended.
            pass
    return found


def programs() -> list[int]:
    """Returns the process identifiers of the kept programs."""
    return [pid for pid, command in _marked().items() if b"--in-process" in command]


class Meter:
    """A thread that measures the processor time of the cluster's processes, also of those that end meanwhile."""

    def __init__(self) -> None:
        self._first: dict[int, float] = {}
        self._last: dict[int, tuple[str, float]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Meter":
        self._look()
        self._first = {pid: seconds for pid, (_, seconds) in self._last.items()}
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def seconds(self) -> dict[str, float]:
        """Returns the seconds of Java, Python, the program and other processes."""
        found = dict.fromkeys(("java", "python", "program", "other"), 0.0)
        for pid, (kind, seconds) in self._last.items():
            found[kind] += seconds - self._first.get(pid, 0)
        return found

    def _run(self) -> None:
        while not self._stop.wait(0.5):
            self._look()

    def _look(self) -> None:
        for pid, command in (_marked() | {os.getpid(): [b"python"]}).items():
            try:
                self._last[pid] = _kind(command), _status(pid)[1]
            except OSError:  # The process has ended.
                pass


def _kind(command: list[bytes]) -> str:
    name = os.path.basename(command[0])
    if b"--in-process" in command:
        return "program"
    return "java" if name == b"java" else "python" if name.startswith((b"python", b"ray::")) else "other"


def idle_seconds() -> float:
    """Returns the time in which the processors of this machine had nothing to do."""
    with open("/proc/stat") as file:
        fields = file.readline().split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def _status(pid: int) -> tuple[int, float]:
    """Returns the parent of a process and the seconds of processor time that it has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _command(pid: int) -> str:
    with open(f"/proc/{pid}/cmdline") as file:
        return file.read()


class Killer:
    """A thread that kills one process when a program has worked for a while.

    `what` is the program itself, the Python process that keeps it ("worker"), or Spark's Java process above that
    ("executor").
    """

    def __init__(self, what: str, after: float) -> None:
        self.killed: int | None = None
        self._what = what
        self._after = after
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Killer":
        self._start_times = {pid: _status(pid)[1] for pid in programs()}
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.005):
            for pid in programs():
                try:
                    if _status(pid)[1] - self._start_times.get(pid, 0) < self._after:
                        continue
                    target = self._target(pid)
                    os.kill(target, signal.SIGKILL)
                except (OSError, IndexError):
                    continue
                self.killed = target
                if target != pid:
                    self._expect_end(pid)
                return

    def _target(self, pid: int) -> int:
        if self._what == "program":
            return pid
        target = _status(pid)[0]
        while self._what == "executor" and "CoarseGrainedExecutorBackend" not in _command(target):
            target = _status(target)[0]
        return target

    @staticmethod
    def _expect_end(pid: int) -> None:
        """Ends the check if a program outlives the process that keeps it."""
        for _ in range(1000):
            if pid not in programs():
                return
            time.sleep(0.01)
        print(f"program {pid} did not end with the process that kept it", flush=True)
        os._exit(1)
