"""The coordinator, which is killed and started again, and the workers that connect by themselves."""
import random
import re
import signal
import socket
import subprocess
import time

from soaking.disk import SIZE

OWN_WORKERS = 2
START_TIMEOUT = 20
STOP_TIMEOUT = 30
# Signals that end a process because of its own mistake.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}


class Coordinator:
    def __init__(self, run, interval):
        self.run, self.interval, self.generator = run, interval, run.random("coordinator")
        self.socket = run.directory / "pool"
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        self.endpoints = [f"ipc://{self.socket}", f"tcp://127.0.0.1:{self.port}"]
        self.spool = run.directory / "disk" / "spool"
        self.has_spool = "spool" not in run.without
        self.has_limit = (
            self.has_spool and run.has_option("coordinator", "--spool-limit") and "spool-limit" not in run.without
        )
        self.process, self.lives = None, 0

    def connect(self):
        """Connects to one of the endpoints."""
        if random.random() < 0.5:
            return socket.create_connection(("127.0.0.1", self.port), timeout=2)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(2)
        try:
            connection.connect(str(self.socket))
        except OSError:
            connection.close()
            raise
        return connection

    @property
    def log(self):
        return self.run.logs / f"coordinator-{self.lives}.txt"

    def start(self, limit=None):
        """Starts a coordinator, and waits until it listens."""
        self.lives += 1
        arguments = ["coordinator", "--workers", OWN_WORKERS, "--log-level", "info"]
        if self.has_spool:
            arguments += ["--spool", self.spool]
        for endpoint in self.endpoints:
            arguments += ["--listen", endpoint]
        if limit:
            arguments += ["--spool-limit", limit]
            self.run.count("coordinators with a spool limit")
            self.run.spool_limit.begin()
        else:
            self.run.spool_limit.end()
        with open(self.log, "wb") as log:
            self.process = self.run.start(arguments, log)
        end = time.monotonic() + START_TIMEOUT
        while not self.listens():
            if self.process.poll() is not None:
                code = self.process.returncode
                return self.run.wrong(f"coordinator {self.lives} ended with {code} at its start", self.log)
            if time.monotonic() > end:
                return self.run.wrong(f"coordinator {self.lives} does not listen after {START_TIMEOUT} s", self.log)
            time.sleep(0.05)
        self.run.downtimes.end()

    def listens(self):
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(self.socket))
                return True
        except OSError:
            return False

    def draw_limit(self):
        """Returns the limit of the spool for the next life, or None. The next life again has another one."""
        if not self.has_limit or self.generator.random() < 0.5:
            return None
        return SIZE * 3 // 4

    def keep(self):
        """Kills the coordinator at intervals and starts it again, until the run ends."""
        due = time.monotonic() + self.interval
        while not self.run.ending.wait(0.2):
            kills = "coordinator-kills" not in self.run.without and time.monotonic() > due
            if not kills and self.process.poll() is None:
                continue
            self.run.downtimes.begin()
            if kills:
                due += self.interval
                self.process.kill()
                self.run.count("coordinators killed")
            else:
                self.run.wrong(f"coordinator {self.lives} ended by itself with {self.process.returncode}", self.log)
            self.process.wait()
            time.sleep(self.generator.uniform(0.1, 3))
            self.start(self.draw_limit())
        # The last life has no limit, so that every batch can be completed.
        if self.run.spool_limit.overlap(time.monotonic(), time.monotonic()):
            self.run.downtimes.begin()
            self.process.kill()
            self.process.wait()
            self.start()

    def stop(self):
        stop(self, "the coordinator")

    def check_logs(self, killed):
        """Reports lost batches, crashed workers, and own workers that the coordinator has ended without a reason."""
        crashes = "|".join(str(int(number)) for number in CRASHES)
        pattern = re.compile(rf"signal ({crashes})\b|set aside|is lost|damaged|Fatal error")
        for log in sorted(self.run.logs.glob("coordinator-*.txt")):
            with open(log, errors="replace") as file:
                # Links that change bits also damage jobs, which workers return.
                lines = [
                    line.strip() for line in file if pattern.search(line.replace("was damaged on its way", ""))
                ]
            if lines:
                self.run.wrong(f"{len(lines)} lines of a log report faults, such as: {lines[0][:300]}", log)
            text = log.read_text(errors="replace")
            expired = set(re.findall(r"\(process (\d+)\) did not finish a job in time", text))
            ended = set(re.findall(rf"worker process (\d+) ended: signal {int(signal.SIGKILL)}\b", text))
            if others := ended - expired - {str(number) for number in killed}:
                self.run.wrong(f"the coordinator has killed its workers {', '.join(sorted(others))}", log)


class Worker:
    """A worker that is not the coordinator's own. A new process is started when one has ended, as systemd does."""

    def __init__(self, run, number, endpoint):
        self.run, self.number, self.endpoint = run, number, endpoint
        self.process, self.killed = None, set()
        self.log = run.logs / f"worker-{number}.txt"

    def keep(self):
        while not self.run.stopped.is_set():
            with open(self.log, "ab") as log:
                arguments = ["worker", "--connect", self.endpoint, "--log-level", "info"]
                self.process = self.run.start(arguments, log)
            while self.process.poll() is None:
                if self.run.stopped.wait(0.2):
                    return stop(self, f"worker {self.number}")
            self.judge(self.process.returncode)
            self.run.stopped.wait(0.5)

    def judge(self, code):
        if -code in CRASHES:
            self.run.wrong(f"worker {self.number} crashed by signal {-code}", self.log)
        elif self.process.pid not in self.killed:
            self.run.count(f"outside workers that ended by themselves with {code}")


def stop(peer, name):
    """Ends the process of a coordinator or a worker, which must succeed."""
    peer.process.terminate()
    try:
        code = peer.process.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        return peer.run.wrong(f"{name} has not ended {STOP_TIMEOUT} s after SIGTERM", peer.log)
    if code != 0:
        peer.run.wrong(f"{name} ended with {code} after SIGTERM", peer.log)
