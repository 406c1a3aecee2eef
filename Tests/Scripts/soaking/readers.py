"""Programs that read tables while these are replaced, overwritten and truncated."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from soaking.run import Periods

# The kinds whose tables replace each other, and the width for which they are laid out.
FEEDS, WIDTH = ["feed-500", "feed-3000"], "390"
TABLES = ["heights", "frames", "resources"]
OFFSETS = [0, 100, 5_000, 50_000, 100, 1_000_000_000]
# Opens the tables and reads the heights again and again, and prints the number of rows of each.
PYTHON = """
import sys, galley
for line in sys.stdin:
    try: print(galley.open(sys.argv[1])["w390"].heights.num_rows, flush=True)
    except galley.Error as error: print("error:", str(error).replace("\\n", " "), flush=True)
"""


class Readers:
    def __init__(self, run, kinds):
        self.run, self.directory = run, run.directory / "read"
        self.damaged, self.replaced = Periods(), Periods()
        self.kinds = [kind for kind in kinds if kind.name in FEEDS]
        self.python = next(filter(has_pyarrow, [".build/readers/bin/python", sys.executable]), None)
        self.answers = set()
        for kind in self.kinds:
            self.lay_out(kind)
            self.answers.add(self.prefetch(0).stdout)

    def lay_out(self, kind):
        """Replaces the tables as the program does: by a new directory."""
        self.replaced.begin()
        outcome = self.run.call(
            "layout", kind.rows, "--cells", kind.cells, "--width", WIDTH, "--in-process", "--quiet", "--force",
            "--output", self.directory,
        )
        self.replaced.end()
        if outcome.returncode != kind.code:
            self.run.wrong(f"galley layout --force ended with {outcome.returncode}: {outcome.stderr.strip()}")

    def all(self):
        functions = [self.replace, self.read_by_prefetch, self.read_by_view]
        return functions + ([self.read_by_python] if self.python else [])

    def replace(self):
        generator = self.run.random("replaced tables")
        while not self.run.ending.wait(generator.uniform(0.5, 3)):
            if generator.random() < 0.5:
                self.lay_out(generator.choice(self.kinds))
                self.run.count("tables replaced")
                continue
            path = self.directory / f"w{WIDTH}" / f"{generator.choice(TABLES)}.arrow"
            self.damaged.begin()
            if generator.random() < 0.5:
                os.truncate(path, generator.randrange(path.stat().st_size))
                self.run.count("tables truncated")
            else:
                other = generator.choice(self.kinds).expected.glob(f"*/{path.name}")
                shutil.copyfile(next(other), path)
                self.run.count("tables overwritten in place")
            self.run.ending.wait(generator.uniform(0.2, 2))
            # A file that is truncated and restored has another inode, so that no reader mistakes it for its own.
            self.lay_out(generator.choice(self.kinds))
            self.damaged.end()

    def judge(self, what, code, errors, begin):
        """Counts the end of a reader. Only damaged tables may be an error, and none may end a process by a signal."""
        self.run.count(f"readings by {what}")
        if code < 0 or code >= 128:
            self.run.wrong(f"galley {what} ended by signal {-code} while tables changed: {errors[-300:]}")
        elif code != 0 and not self.damaged.overlap(begin - 0.5, time.monotonic()):
            self.run.wrong(f"galley {what} ended with {code} with whole tables: {errors[-300:]}")
        elif code != 0:
            self.run.count(f"errors of {what}")

    def prefetch(self, pause):
        arguments = ["prefetch", self.directory / f"w{WIDTH}", "--viewport", "844", "--queries", "-"]
        process = self.run.start(arguments, subprocess.PIPE, subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        try:
            for offset in OFFSETS:
                process.stdin.write(f'{{"offset": {offset}}}\n')
                process.stdin.flush()
                time.sleep(pause)
        except BrokenPipeError:
            pass
        output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def read_by_prefetch(self):
        while not self.run.ending.wait(random.uniform(0, 1)):
            begin = time.monotonic()
            outcome = self.prefetch(random.choice([0, 0.1]))
            self.judge("prefetch", outcome.returncode, outcome.stderr, begin)
            is_whole = not self.damaged.overlap(begin - 0.5, time.monotonic())
            if is_whole and outcome.returncode == 0 and outcome.stdout not in self.answers:
                self.run.wrong(f"galley prefetch gives other answers while tables are replaced: {outcome.stdout[:300]}")

    def read_by_python(self):
        package = os.path.join(os.path.dirname(__file__), "../../../Sources/galley-python")
        environment = self.run.environment | {"PYTHONPATH": package, "GALLEY": str(self.run.program)}
        arguments = [self.python, "-B", "-c", PYTHON, self.directory]
        process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            start_new_session=True,
        )
        while not self.run.ending.wait(random.uniform(0, 0.5)):
            begin = time.monotonic()
            try:
                process.stdin.write("\n")
                process.stdin.flush()
                line = process.stdout.readline().strip()
            except BrokenPipeError:
                line = ""
            if not line:
                return self.run.wrong(f"galley.open ended with {process.wait()}: {process.stderr.read()[-300:]}")
            # galley.open reads the manifest, and the heights when they are first used.
            if "was replaced since" in line and self.replaced.overlap(begin, time.monotonic()):
                self.run.count("tables replaced while galley.open read them")
                continue
            self.judge("galley.open", int(line.startswith("error:")), line, begin)
        process.stdin.close()
        process.wait()

    def read_by_view(self):
        arguments = ["view", self.directory, "--listen", "127.0.0.1:0"]
        with open(self.run.logs / "view.txt", "ab") as errors:
            process = self.run.start(arguments, errors, subprocess.PIPE)
        address = process.stdout.readline().decode().strip().rstrip("/")
        while not self.run.ending.wait(random.uniform(0, 0.5)):
            path = random.choice([f"heights/w{WIDTH}", f"cells/w{WIDTH}?first={random.randrange(400)}&end=450"])
            try:
                urllib.request.urlopen(f"{address}/{path}", timeout=10).read()
                self.run.count("readings by view")
            except urllib.error.HTTPError:
                self.run.count("errors of view")
            except OSError as error:
                if process.poll() is not None:
                    return self.run.wrong(f"galley view ended with {process.returncode} while tables changed: {error}")
                self.run.count("errors of view")
        process.send_signal(signal.SIGTERM)
        process.wait()


def has_pyarrow(python):
    try:
        return subprocess.run([python, "-c", "import pyarrow"], capture_output=True).returncode == 0
    except OSError:
        return False
