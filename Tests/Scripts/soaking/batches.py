"""Batches of all kinds that are submitted, fetched and cancelled, and whose tables are compared."""
import contextlib
import json
import re
import shutil
import threading
import time

from soaking.clients import NO_COORDINATOR, Budget, Command
from soaking.disk import SIZE
from soaking.kinds import difference

# The space for which batches are started. Programs take 40 MiB of the rest.
BUDGET = SIZE * 2 // 3
# How batches are submitted, and how often, in percent.
MODES = {"attached": 55, "detached": 30, "cancelled": 10, "cancelled while attached": 5}
MODES_WITHOUT_SPOOL = {"attached": 95, "cancelled while attached": 5}
ATTEMPTS = 20
# The number of attempts that may fail without an explanation until the batch counts as lost.
FAILURES = 3
# The seconds after the end of a client after which its batch is cancelled, if the coordinator still has it.
ORPHANED = 5
GONE = re.compile(r"keeps no batch|has no batch|there is no batch")


class Batches:
    def __init__(self, run, coordinator, kinds):
        self.run, self.coordinator, self.kinds = run, coordinator, kinds
        self.budget, self.running, self.lock = Budget(run, BUDGET), set(), threading.Lock()
        self.number = 0
        # The time at which nobody wanted a batch any more, by its input, and that of the last load test.
        self.wanted, self.unwanted, self.load_test = set(), {}, None
        self.fetchers = []

    # MARK: Submit

    def submit(self, submitter):
        """Submits batches one after the other until the run ends."""
        generator = self.run.random(submitter)
        modes = MODES if self.coordinator.has_spool else MODES_WITHOUT_SPOOL
        while not self.run.ending.wait(generator.uniform(0, 1)):
            # Faults can happen while a large batch is laid out; small ones are complete at once.
            kind = generator.choices(self.kinds, [3 if kind.is_large else 1 for kind in self.kinds])[0]
            mode = generator.choices(list(modes), modes.values())[0]
            endpoint, wait = generator.choice(self.coordinator.endpoints), generator.uniform(0, 15)
            with contextlib.ExitStack() as stack:
                if not stack.enter_context(self.budget.take(kind.bytes)):
                    return
                batch = Batch(self, kind, endpoint)
                if mode == "attached":
                    batch.run_attached()
                elif mode == "cancelled while attached":
                    batch.run_cancelled(wait / 8)
                elif name := batch.detach():
                    # Others are submitted while this one waits. Its space is returned when it was fetched.
                    rest = stack.pop_all()
                    target = batch.fetch_later if mode == "detached" else batch.cancel_later
                    thread = threading.Thread(target=self.release, args=(rest, target, name, wait), daemon=True)
                    self.fetchers.append(thread)
                    thread.start()

    def release(self, stack, target, *arguments):
        with stack:
            try:
                target(*arguments)
            except Exception as error:  # A mistake of this script must not look like a success.
                self.run.wrong(f"the soak itself failed: {error!r}")
                raise

    def begin(self):
        """Returns the number of a new batch and the link to its rows, by whose name the coordinator lists it."""
        with self.lock:
            self.number += 1
            rows = self.run.directory / "batches" / f"{self.number}.jsonl"
            self.wanted.add(str(rows))
            return self.number, rows

    def forget(self, rows):
        """Notes that nobody wants a batch any more."""
        with self.lock:
            self.wanted.discard(str(rows))
            self.unwanted[str(rows)] = time.monotonic()

    # MARK: What the coordinator lists

    def listed(self, endpoint=None):
        """Returns the batches that the coordinator lists by their names, or None if it does not reply."""
        verb = "batches" if self.has_batches else "status"
        outcome = self.run.call(verb, "--json", "--connect", endpoint or self.coordinator.endpoints[0])
        if outcome.returncode != 0:
            return None
        listed = json.loads(outcome.stdout)
        return {batch.get("name", ""): batch for batch in (listed if verb == "batches" else listed.get("batches", []))}

    def cancel_unwanted(self, at_once=False):
        """Cancels the batches of clients that were killed or refused, as an operator does.

        Returns how many batches there were, or None if the coordinator does not reply.
        """
        listed, now = self.listed(), time.monotonic()
        for name, batch in (listed or {}).items():
            rows = batch.get("input", "")
            is_load_test = rows.startswith("load test ")
            since = self.load_test if is_load_test else self.unwanted.get(rows)
            if rows in self.wanted or (is_load_test and since is None):
                continue
            if at_once or since is None or now - since > ORPHANED:
                if self.run.call("cancel", name, "--connect", self.coordinator.endpoints[0]).returncode == 0:
                    self.run.count(f"left batches of {self.source(is_load_test, since)}")
        return None if listed is None else len(listed)

    @staticmethod
    def source(is_load_test, since):
        return "load tests" if is_load_test else "malformed peers" if since is None else "clients that ended"

    def operate(self):
        self.has_batches = self.run.has_verb("batches")
        while not self.run.ending.wait(5):
            self.cancel_unwanted()


class Batch:
    """One batch with its client, from its submission until its tables were compared."""

    def __init__(self, batches, kind, endpoint):
        self.batches, self.run, self.kind, self.endpoint = batches, batches.run, kind, endpoint
        self.number, self.rows = batches.begin()
        self.rows.symlink_to(kind.rows)
        self.attempts = 0

    def command(self, name, verb, *arguments):
        arguments = [verb, *arguments, "--connect", self.endpoint]
        return Command(self.run, f"{name}-{self.number}", arguments)

    def submission(self, *arguments):
        variants = ["--cells", self.kind.cells, "--width", self.kind.widths]
        return self.command("submit", "submit", self.rows, *variants, *arguments)

    def output(self):
        self.attempts += 1
        return self.run.directory / "tables" / f"{self.number}-{self.attempts}"

    def end(self, outcome):
        self.batches.forget(self.rows)
        self.rows.unlink()
        self.run.count(f"batches {outcome}")

    def end_failed(self, command, explanation, how=""):
        """Ends a batch whose command failed, which is reported unless a fault explains it."""
        if explanation:
            command.remove_log()
        else:
            command.fail(f"({self.kind.name}{how}) failed")
        self.end(f"not accepted or ended: {explanation}" if explanation else "failed without an explanation")

    def judge(self, command, output):
        """Returns whether the tables of a command are right. What is neither right nor explained is reported."""
        if output.exists() or command.code in (0, 3):
            found = difference(self.kind.tables, output) if output.exists() else "there are no tables"
            if found:
                command.fail(f"({self.kind.name}): {found}; expected: {self.kind.expected}")
                return False
            if command.code not in (self.kind.code, -9):
                command.fail(f"({self.kind.name}) has the right tables")
            shutil.rmtree(output)
            command.remove_log()
            return True
        for partial in output.parent.glob(f"{output.name}.*"):
            if command.was_killed:
                self.run.count("incomplete tables of killed clients")
            else:
                command.fail(f"left {partial.name}")
            shutil.rmtree(partial)
        return False

    # MARK: Attached

    def run_attached(self):
        output = self.output()
        command = self.submission("--output", output).finish(self.batches.running)
        if self.judge(command, output):
            return self.end("with the right tables")
        if output.exists():
            return self.end("with wrong tables")
        self.end_failed(command, command.explanation())

    def run_cancelled(self, wait):
        """Cancels a batch while its client waits. It may have been completed before that."""
        output, cancelled = self.output(), threading.Event()

        def cancel():
            self.run.ending.wait(wait)
            for name, batch in (self.batches.listed(self.endpoint) or {}).items():
                if batch.get("input") == str(self.rows):
                    command = self.command("cancel", "cancel", name).finish(set())
                    if command.code == 0:
                        cancelled.set()
                    elif not command.explanation() and not GONE.search(command.errors):
                        command.fail(f"({self.kind.name}) failed")
                    command.remove_log()

        thread = threading.Thread(target=cancel)
        thread.start()
        command = self.submission("--output", output).finish(self.batches.running)
        thread.join()
        if self.judge(command, output):
            return self.end("with the right tables")
        self.end_failed(command, "cancelled" if cancelled.is_set() and command.code == 1 else command.explanation())

    # MARK: Detached

    def detach(self):
        """Returns the name of the batch if it was accepted."""
        command = self.submission("--detach").finish(self.batches.running)
        if command.code == 0:
            command.remove_log()
            self.run.count("detached batches accepted")
            return command.output.strip()
        self.end_failed(command, command.explanation(), ", detached")
        return None

    def fetch_later(self, name, wait):
        """Fetches the batch until its tables are there: whatever happened, an accepted batch is not lost."""
        self.run.ending.wait(wait)
        failures = 0
        while self.attempts < ATTEMPTS and not self.run.stopped.is_set():
            output = self.output()
            command = self.command("fetch", "fetch", name, "--output", output).finish(self.batches.running)
            if self.judge(command, output):
                return self.end("with the right tables")
            if output.exists():
                return self.end("with wrong tables")
            interrupted = self.run.downtimes.overlap(command.begin - 0.5, command.end)
            if not command.explanation() and not (interrupted and NO_COORDINATOR.search(command.errors)):
                command.fail(f"({self.kind.name}, batch {name}) failed")
                failures += 1
                if failures == FAILURES or GONE.search(command.errors):
                    return self.end("lost")
            self.run.count("fetches that were repeated")
            self.run.stopped.wait(1)
        self.run.wrong(f"batch {name} ({self.kind.name}) could not be fetched in {self.attempts} attempts")
        self.end("lost")

    def cancel_later(self, name, wait):
        """Cancels the batch. If the coordinator was killed meanwhile, the first attempt may have succeeded."""
        self.run.ending.wait(wait / 4)
        for attempt in range(ATTEMPTS):
            command = self.command("cancel", "cancel", name).finish(self.batches.running)
            if command.code == 0 or attempt > 0 and GONE.search(command.errors):
                command.remove_log()
                return self.end("cancelled")
            if not command.explanation():
                command.fail(f"({self.kind.name}) failed")
                break
            self.run.stopped.wait(1)
        self.end("whose cancellation failed")
