"""Commands that are disturbed while they run, and the judgement of how they ended."""
import contextlib
import datetime
import json
import re
import signal
import subprocess
import threading
import time

# The longest time that a command may take, in seconds. Batches can wait for the next coordinator.
TIMEOUT = 400
# A coordinator that is killed in the first seconds of a command may not have accepted its batch yet.
ACCEPTANCE = 3
NO_COORDINATOR = re.compile(
    r"does not reply|no coordinator|no process listens|refused|No such file|about to stop|the coordinator stops|ends each connection"
)
# The seconds in which a client learns that a coordinator was started again, and in which one replies that is there.
REPLY = 2
SENT_AGAIN = "the batch is sent again"
DISK_FULL = re.compile(r"No space left|disk is full|no room")
SPOOL_LIMIT = re.compile(r"spool-limit")
# A batch that is not kept is sent a second time when it was lost, but not a third time.
LOST_TWICE = re.compile(r"sent again.*keeps no batches", re.DOTALL)


class Command:
    """One command of the program that can be killed and stopped."""

    def __init__(self, run, name, arguments):
        self.run, self.name, self.arguments = run, name, arguments
        self.errors_file = run.logs / f"{name}.txt"
        self.was_killed = self.was_stopped = False
        self.begin = self.end = self.code = None
        self.output = self.errors = ""

    def finish(self, running):
        """Starts the command, and waits for it. `running` has it meanwhile."""
        self.begin = time.monotonic()
        with open(self.errors_file, "wb") as errors:
            self.process = self.run.start(self.arguments, errors, subprocess.PIPE)
        running.add(self)
        try:
            self.output = self.process.communicate(timeout=TIMEOUT)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.output = self.process.communicate()[0].decode(errors="replace")
            self.run.wrong(f"{self.name} has not ended after {TIMEOUT} s: {self.text}", self.errors_file)
            self.was_killed = True
        finally:
            running.discard(self)
        self.end, self.code = time.monotonic(), self.process.returncode
        self.errors = self.errors_file.read_text(errors="replace")
        self.check_wait()
        return self

    def check_wait(self):
        """Reports a client that learns late that its batch was lost with the coordinator before."""
        for line in self.errors.splitlines():
            if SENT_AGAIN not in line:
                continue
            self.run.count("batches that were sent again")
            time_of_day = datetime.datetime.fromisoformat(json.loads(line)["time"].replace("Z", "+00:00")).timestamp()
            waited = self.run.downtimes.wait(self.begin, time_of_day - time.time() + time.monotonic())
            if self.was_stopped:
                continue
            self.run.longest_waits["submit"] = max(self.run.longest_waits["submit"], waited)
            if waited > REPLY:
                self.run.wrong(f"{self.name} sends its batch again {waited:.1f} s after the restart", self.errors_file)

    @property
    def text(self):
        return " ".join(map(str, self.arguments))

    def explanation(self):
        """Returns which fault explains that the command failed, or None."""
        if self.code == -signal.SIGKILL and self.was_killed:
            return "killed"
        if self.code != 1:
            return None
        # Whether the disk is full is examined at intervals.
        if DISK_FULL.search(self.errors) and self.run.full_disk.overlap(self.begin - 1, self.end):
            return "disk full"
        if SPOOL_LIMIT.search(self.errors) and self.run.spool_limit.overlap(self.begin, self.end):
            return "spool limit"
        if LOST_TWICE.search(self.errors) and self.run.downtimes.overlap(self.begin, self.end):
            return "lost twice"
        missing = self.run.downtimes.overlap(self.begin - 0.5, self.begin + ACCEPTANCE)
        return "no coordinator" if NO_COORDINATOR.search(self.errors) and missing else None

    def fail(self, text):
        faults = [name for name, was in [("stopped", self.was_stopped), ("killed", self.was_killed)] if was]
        for name, periods in [
            ("coordinator killed meanwhile", self.run.downtimes), ("disk full meanwhile", self.run.full_disk),
            ("spool limited", self.run.spool_limit),
        ]:
            if periods.overlap(self.begin, self.end):
                faults.append(name)
        reason = "".join(self.errors.strip().splitlines()[-1:])[:300]
        begin, end = self.begin - self.run.begin, self.end - self.run.begin
        self.run.wrong(
            f"{self.name} {text}, exit code {self.code}, from {begin:.1f} to {end:.1f} s"
            f" ({', '.join(faults) or 'no fault'}): {reason}\n      {self.text}",
            self.errors_file,
        )

    def remove_log(self):
        self.errors_file.unlink(missing_ok=True)


class Budget:
    """The space in the spool for which batches may be started, so that accepted ones always have room in the end."""

    def __init__(self, run, size):
        self.run, self.left, self.condition = run, size, threading.Condition()

    @contextlib.contextmanager
    def take(self, size):
        """Waits until there is room. The value is whether there is any before the run ends."""
        with self.condition:
            while self.left < size and not self.run.ending.is_set():
                self.condition.wait(0.5)
            has_room = self.left >= size
            self.left -= size if has_room else 0
        try:
            yield has_room
        finally:
            with self.condition:
                self.left += size if has_room else 0
                self.condition.notify_all()
