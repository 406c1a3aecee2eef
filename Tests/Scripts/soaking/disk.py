"""The small file system of the spool."""
import ctypes
import os
import shutil
import subprocess

MIB = 1 << 20
SIZE = 192 * MIB
# With less free space, a record of a journal may not fit.
LARGEST_RECORD = 8 * MIB


class Disk:
    """A tmpfs on which the spool lies, so that it can be full."""

    def __init__(self, run):
        self.run, self.path, self.was_full = run, run.directory / "disk", False
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "soak", self.path]
        self.is_mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0

    def watch(self):
        """Notes when the disk is full, by `fill` or because clients that were killed have left batches there."""
        while self.is_mounted and not self.run.stopped.wait(0.1):
            is_full = shutil.disk_usage(self.path).free < LARGEST_RECORD
            if is_full and not self.was_full:
                self.run.full_disk.begin()
                self.run.count("periods with a full disk")
            elif self.was_full and not is_full:
                self.run.full_disk.end()
            self.was_full = is_full

    def fill(self):
        """Leaves no free space."""
        with open(self.path / "filler", "wb", buffering=0) as file:
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
