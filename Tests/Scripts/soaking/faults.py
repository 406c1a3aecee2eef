"""What disturbs the pool: signals, a full disk, and malformed and silent peers."""
import signal
import time

from malformed_data import Sender
from soaking.clients import REPLY

# Connections that are open and send nothing.
SILENT_PEERS = 4


class Faults:
    def __init__(self, run, coordinator, workers, batches, disk):
        self.run, self.coordinator, self.workers, self.batches, self.disk = run, coordinator, workers, batches, disk
        without = ["wrong workers"] if "wrong-workers" in run.without else []
        self.sender = Sender(coordinator.connect, run.version, without)

    def all(self):
        """Returns the names of the faults, which --without takes, and their functions."""
        faults = {
            "worker-kills": self.kill_workers, "worker-stops": self.stop_workers,
            "client-kills": self.kill_clients, "client-stops": self.stop_clients,
            "malformed": self.send_malformed_data, "silent": self.be_silent,
        }
        return faults | ({"full-disk": self.fill_disk} if self.disk.is_mounted else {})

    def worker_processes(self):
        """Returns the processes of all workers, also of the coordinator's own."""
        return sorted(number for number, command in self.run.processes().items() if command[1:2] == ["worker"])

    def kill_workers(self):
        generator = self.run.random("worker kills")
        while not self.run.ending.wait(generator.uniform(2, 12)):
            # The first of the outside workers is never killed, so that its memory can be observed.
            spared = {self.workers[0].process.pid}
            numbers = [number for number in self.worker_processes() if number not in spared]
            if numbers:
                number = generator.choice(numbers)
                for worker in self.workers:
                    worker.killed.add(number)
                self.run.count("workers killed", self.run.signal(number, signal.SIGKILL))

    def stop_workers(self):
        generator = self.run.random("worker stops")
        while not self.run.ending.wait(generator.uniform(2, 12)):
            seconds, numbers = generator.choice([0.1, 0.5, 2, 7, 12]), self.worker_processes()
            if numbers and self.pause(generator.choice(numbers), seconds):
                self.run.count("workers stopped")

    def pause(self, number, seconds):
        if not self.run.signal(number, signal.SIGSTOP):
            return False
        try:
            self.run.ending.wait(seconds)
        finally:
            self.run.signal(number, signal.SIGCONT)
        return True

    def kill_clients(self):
        generator = self.run.random("client kills")
        while not self.run.ending.wait(generator.uniform(2, 15)):
            if running := sorted(self.batches.running.copy(), key=lambda command: command.name):
                command = generator.choice(running)
                # Its thread may see the end of the process before the signal is known to be sent.
                command.was_killed = True
                self.run.count("clients killed", self.run.signal(command.process.pid, signal.SIGKILL))

    def stop_clients(self):
        generator = self.run.random("client stops")
        while not self.run.ending.wait(generator.uniform(2, 15)):
            if running := sorted(self.batches.running.copy(), key=lambda command: command.name):
                command = generator.choice(running)
                command.was_stopped = True
                self.run.count("clients stopped", self.pause(command.process.pid, 10))

    def fill_disk(self):
        generator = self.run.random("full disk")
        while not self.run.ending.wait(generator.uniform(10, 40)):
            self.disk.fill()
            self.run.ending.wait(generator.uniform(0.5, 6))
            self.disk.clear()

    def send_malformed_data(self):
        generator = self.run.random("malformed data")
        while not self.run.ending.wait(generator.uniform(0, 0.5)):
            self.sender.send()

    def be_silent(self):
        generator, peers = self.run.random("silent peers"), []
        while not self.run.ending.wait(generator.uniform(1, 10)):
            try:
                peers.append(self.coordinator.connect())
                self.run.count("silent connections")
            except OSError:
                pass
            if len(peers) > SILENT_PEERS:
                peers.pop(0).close()
        for peer in peers:
            peer.close()


class Polls:
    """Commands that observe the pool or load it from time to time."""

    def __init__(self, run, coordinator, batches):
        self.run, self.coordinator, self.batches = run, coordinator, batches

    def poll(self):
        generator = self.run.random("polls")
        verbs = ["status", "batches"] if self.run.has_verb("batches") else ["status"]
        while not self.run.ending.wait(generator.uniform(1, 5)):
            verb, begin = generator.choice(verbs), time.monotonic()
            outcome = self.run.call(verb, "--connect", generator.choice(self.coordinator.endpoints))
            self.run.count(f"polls of {verb}")
            waited = self.run.downtimes.wait(begin, time.monotonic())
            self.run.longest_waits[verb] = max(self.run.longest_waits[verb], waited)
            if waited > REPLY:
                self.run.wrong(f"galley {verb} waited {waited:.1f} s for a coordinator that was there")
            if outcome.returncode == 0:
                continue
            if self.run.downtimes.overlap(begin - 0.5, time.monotonic()):
                self.run.count("polls without a coordinator")
            else:
                seconds = time.monotonic() - begin
                reason = outcome.stderr.strip()
                self.run.wrong(f"galley {verb} ended with {outcome.returncode} after {seconds:.1f} s: {reason}")

    def load(self):
        """Runs load tests. They may fail while the pool is disturbed, but must remove their batches."""
        generator = self.run.random("load tests")
        while not self.run.ending.wait(generator.uniform(20, 60)):
            with self.batches.budget.take(8 << 20) as has_room:
                if not has_room:
                    return
                self.batches.load_test, begin = None, time.monotonic()
                outcome = self.run.call(
                    "loadtest", "--connect", generator.choice(self.coordinator.endpoints), "--rate", 4, "--batch-rows",
                    "50,500", "--duration", 5, "--quiet",
                )
                self.batches.load_test = time.monotonic()
                self.run.count(f"load tests that ended with {outcome.returncode}")
                if outcome.returncode not in (0, 1):
                    self.run.wrong(f"galley loadtest ended with {outcome.returncode}: {outcome.stderr.strip()[-300:]}")
                if not self.run.downtimes.overlap(begin, time.monotonic()):
                    time.sleep(1)
                    listed = self.batches.listed() or {}
                    left = sum(batch.get("input", "").startswith("load test ") for batch in listed.values())
                    if left:
                        self.run.wrong(f"galley loadtest left {left} batches without a restart of the coordinator")
