"""Checks in deploy/ that a coordinator can listen at a tcp endpoint with the address families that the documents allow its unit there:
`check_families.py PROGRAM`. A filter of system calls refuses the others, as systemd does."""

import ctypes
import errno
import pathlib
import platform
import re
import socket
import struct
import subprocess
import sys
import time

# Linux: <linux/filter.h>, <linux/seccomp.h> and <linux/prctl.h>, and the number of the system call `socket`.
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
SET_NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
SOCKET = {"x86_64": 41, "aarch64": 198}[platform.machine()]
# The offsets of the number and of the first argument of a system call in `seccomp_data`.
NUMBER, FIRST_ARGUMENT = 0, 16


# The seconds within which a coordinator listens.
TIMEOUT = 20


def restrict(families):
    """Refuses this process sockets of other families."""
    last = len(families)
    instructions = [
        (LOAD, 0, 0, NUMBER), (JUMP_IF_EQUAL, 0, last + 2, SOCKET), (LOAD, 0, 0, FIRST_ARGUMENT),
        *((JUMP_IF_EQUAL, last - index, 0, family) for index, family in enumerate(families)),
        (RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT), (RETURN, 0, 0, ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in instructions))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(instructions), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ((SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (SET_SECCOMP, FILTER, program, 0, 0)):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), "prctl")


def listens(program, families):
    """Returns whether a coordinator with these families listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    coordinator = subprocess.Popen(
        [program, "coordinator", "--listen", f"tcp://127.0.0.1:{port}"], env={"SWIFT_BACKTRACE": "enable=no"},
        preexec_fn=lambda: restrict(families))
    end = time.monotonic() + TIMEOUT
    try:
        while coordinator.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return True
            except ConnectionRefusedError:
                time.sleep(0.05)
        return False
    finally:
        coordinator.kill()
        coordinator.wait()


texts = [pathlib.Path(path).read_text() for path in ("../Sources/Documentation.docc/Operating.md", "debian/galley.default")]
stated = [re.findall(r"RestrictAddressFamilies=(.*)", text) for text in texts]
assert stated[0] == stated[1] and len(stated[0]) == 1, stated
names = stated[0][0].split()
assert listens(sys.argv[1], [getattr(socket, name) for name in names]), f"no coordinator listens with {names}"
print(f"a coordinator listens at a tcp endpoint with {', '.join(names)}")
