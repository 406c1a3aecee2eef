"""What all parts of a soak share: its directory, processes, counts, and what was wrong."""
import collections
import os
import pathlib
import random
import signal
import subprocess
import threading
import time

# Every process of the run has this variable with the run's directory, so that processes that are left can be found.
MARK = "SOAK_DIRECTORY"


class Periods:
    """The times in which something was disturbed, such as those without a coordinator."""

    def __init__(self):
        self.periods = []

    def begin(self):
        self.end()
        self.periods.append([time.monotonic(), None])

    def end(self):
        if self.periods and self.periods[-1][1] is None:
            self.periods[-1][1] = time.monotonic()

    def overlap(self, begin, end):
        return any(first <= end and (last is None or last >= begin) for first, last in self.periods)

    def wait(self, begin, end):
        """Returns the seconds from a time to another in which nothing was disturbed any more, or 0 if it is again."""
        if any(first <= end and (last is None or last > end) for first, last in self.periods):
            return 0
        return end - max([begin, *(last for _, last in self.periods if last <= end)])

    def seconds(self, start):
        """Returns the begin and end of each period in seconds since a time. The last one may not have ended."""
        return [[round(time - start, 1) if time else None for time in period] for period in self.periods]


class Run:
    def __init__(self, program, directory, seed, without):
        self.program, self.directory = pathlib.Path(program).resolve(), pathlib.Path(directory)
        self.seed, self.without = seed, set(without)
        self.lock, self.counts, self.wrongs = threading.Lock(), collections.Counter(), []
        self.begin, self.is_interrupted = time.monotonic(), False
        # Set when no more faults and batches are to be started, and when everything has to end.
        self.ending, self.stopped = threading.Event(), threading.Event()
        # The longest seconds for which commands waited for a coordinator that was there.
        self.longest_waits = collections.Counter()
        self.downtimes, self.full_disk, self.spool_limit = Periods(), Periods(), Periods()
        self.logs = self.directory / "logs"
        for name in ["logs", "tables", "batches", "kinds", "runtime", "disk", "tmp"]:
            (self.directory / name).mkdir(mode=0o700)
        self.environment = os.environ | {
            MARK: str(self.directory),
            "XDG_RUNTIME_DIR": str(self.directory / "runtime"),
            "TMPDIR": str(self.directory / "tmp"),
            # Messages have times, from which it follows how long clients wait.
            "GALLEY_LOG_FORMAT": "json",
        }
        self.version = self.call("--version").stdout.removeprefix("galley ").strip()

    def random(self, name):
        """Returns a generator of its own for each part, so that the parts do not change each other's numbers."""
        return random.Random(f"{self.seed} {name}")

    def has_option(self, verb, option):
        return option in self.call("help", verb).stdout

    def has_verb(self, verb):
        return f"  {verb} " in self.call("--help").stdout

    def call(self, *arguments):
        """Runs the program undisturbed."""
        return subprocess.run(
            [self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", env=self.environment, start_new_session=True,
        )

    def start(self, arguments, errors, output=subprocess.DEVNULL, **options):
        """Starts the program in a session of its own, which Ctrl-C does not interrupt."""
        options = {"stdin": subprocess.DEVNULL, "env": self.environment, "start_new_session": True} | options
        return subprocess.Popen([self.program, *map(str, arguments)], stdout=output, stderr=errors, **options)

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] += number

    def say(self, text):
        minutes, seconds = divmod(int(time.monotonic() - self.begin), 60)
        print(f"{minutes:3}:{seconds:02} {text}", flush=True)

    def wrong(self, text, *evidence):
        """Notes that something is wrong, with the files that show it."""
        if self.is_interrupted:
            return
        text = text + "".join(f"\n      {path}" for path in evidence)
        with self.lock:
            self.wrongs.append(text)
        self.say(f"WRONG: {text}")

    def processes(self):
        """Returns the numbers of the processes of this run and their command lines, without zombies."""
        found, mark = {}, f"{MARK}={self.directory}".encode()
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    if mark not in file.read().split(b"\0"):
                        continue
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    found[int(number)] = file.read().decode(errors="replace").split("\0")[:-1]
            except OSError:
                continue
        return found

    def kill_all(self):
        """Kills all processes of the run, also those that are just being started."""
        end = time.monotonic() + 10
        while (processes := self.processes()) and time.monotonic() < end:
            for number in processes:
                self.signal(number, signal.SIGKILL)
            time.sleep(0.1)

    def signal(self, number, kind):
        """Sends a signal to a process of this run. Returns whether it was sent."""
        if number not in self.processes():
            return False
        try:
            os.kill(number, kind)
        except ProcessLookupError:
            return False
        return True
