"""The small file system of the spool."""
import ctypes
import os
import shutil
import subprocess
import threading

MIB = 1 << 20
SIZE = 192 * MIB
# With less free space, a record of a journal may not fit.
LARGEST_RECORD = 8 * MIB


class Disk:
    """A tmpfs on which the spool lies, so that it can be full."""

    def __init__(self, run):
        self.run, self.path = run, run.directory / "disk"
        self.is_full, self.lock = False, threading.Lock()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "soak", self.path]
        self.is_mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0

    def watch(self):
        """Notes when the disk is full because clients that were killed have left batches there."""
        while self.is_mounted and not self.run.stopped.wait(0.1):
            with self.lock:
                self.note(shutil.disk_usage(self.path).free < LARGEST_RECORD)

    def note(self, is_full):
        if is_full and not self.is_full:
            self.run.full_disk.begin()
            self.run.count("periods with a full disk")
        elif self.is_full and not is_full:
            self.run.full_disk.end()
        self.is_full = is_full

    def fill(self):
        """Leaves no free space."""
        with self.lock, open(self.path / "filler", "wb", buffering=0) as file:
            self.note(True)
            try:
                while True:
                    file.write(bytes(MIB))
            except OSError:
                pass

    def clear(self):
        (self.path / "filler").unlink(missing_ok=True)

    def unmount(self):
        if self.is_mounted:
            # MNT_DETACH: also if a process that is left has files there.
            ctypes.CDLL(None).umount2(os.fsencode(self.path), 2)
            self.is_mounted = False
