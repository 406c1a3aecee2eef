"""A pool and its gateways, which end with the check."""

import pathlib
import signal
import subprocess
import time

from connection import TOKEN, request


class Pool:
    def __init__(self, galley, work):
        self.galley, self.work = galley, pathlib.Path(work)
        self.endpoint = f"ipc://{work}/pool"
        self.processes = []
        (self.work / "token").write_text(TOKEN + "\n")

    def __enter__(self):
        self.coordinator = self.start("coordinator", "--listen", self.endpoint)
        for _ in range(2):
            self.start("worker", "--connect", self.endpoint, "--wait")
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(20)

    def start(self, *arguments, **options):
        process = subprocess.Popen([self.galley, *map(str, arguments)], **options)
        self.processes.append(process)
        return process

    def gateway(self, *arguments):
        """Starts a gateway and returns its port when layouts are possible."""
        process = self.start(
            "gateway", "--connect", self.endpoint, "--wait", "--listen", "127.0.0.1:0", "--token-file",
            self.work / "token", "--cells", f"posts={self.work}/examples/posts.yaml", "--log-level", "error",
            *arguments, stdout=subprocess.PIPE, text=True)
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        wait_until(lambda: request(port, "GET", "/readyz").status == 200)
        return port

    def kill_coordinator(self):
        self.coordinator.send_signal(signal.SIGKILL)
        self.coordinator.wait()

    def restart_coordinator(self):
        self.coordinator = self.start("coordinator", "--listen", self.endpoint)


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.1)
