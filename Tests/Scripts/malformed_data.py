#!/usr/bin/env python3
"""Connections that send malformed data to a coordinator, as Tests/Scripts/hostile and Tests/Scripts/soak use them.

    python3 Tests/Scripts/malformed_data.py PORT SECONDS VERSION

sends data from 16 connections at a time, and prints how many there were of each kind. The protocol below the messages
is ZMTP 3.1 (rfc.zeromq.org/spec/37); the messages are those of protos/galley.proto.
"""
import collections
import random
import socket
import struct
import sys
import threading
import time

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
PROPERTIES = b"\x0bSocket-Type\0\0\0\x06DEALER" + b"\x08Identity\0\0\0\0"
READY = b"\x04" + bytes([len(PROPERTIES) + 6]) + b"\x05READY" + PROPERTIES
STATUS_REQUEST = b"\x00\x04\x12\x02\x22\x00"
# The name of the rows of the batches that these connections open.
INPUT = "malformed"


def long_frame(length, data):
    return b"\x02" + length.to_bytes(8, "big") + data


def frame(flags, data):
    """Returns a frame with its flags: 1 for more parts, 4 for a command."""
    return bytes([flags | 2]) + len(data).to_bytes(8, "big") + data


def message(*parts):
    """Returns the frames of a message. All but the last have the flag for more."""
    return b"".join(frame(index < len(parts) - 1, part) for index, part in enumerate(parts))


def varint(value):
    data = b""
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])


def field(number, value):
    """Returns a field of a protobuf message: an integer, a double, a string or bytes, which can be a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def fields_of(data):
    """Returns the fields of a protobuf message: the number, the wire type, and an integer or the bytes of each."""
    fields, offset = [], 0

    def integer():
        nonlocal offset
        value = shift = 0
        while True:
            byte = data[offset]
            value, offset, shift = value | (byte & 127) << shift, offset + 1, shift + 7
            if byte < 128:
                return value

    while offset < len(data):
        tag = integer()
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            fields.append((number, kind, integer()))
            continue
        size = integer() if kind == 2 else {1: 8, 5: 4}[kind]
        fields.append((number, kind, data[offset : offset + size]))
        offset += size
    return fields


def encoded_fields(fields):
    """Returns the protobuf message of fields as `fields_of` returns them."""
    data = b""
    for number, kind, value in fields:
        size = varint(len(value)) if kind == 2 else b""
        data += varint(number << 3 | kind) + size + (varint(value) if kind == 0 else value)
    return data


def variant(width):
    return field(3, field(1, width) + field(2, 1.0) + field(3, 2.0))


def from_worker(number, fields=b""):
    return message(field(1, field(number, fields)))


def from_client(number, fields=b"", *parts):
    return message(field(2, field(number, fields)), *parts)


def wrong_fields(version):
    """Returns a message that can be decoded, but whose fields are wrong."""
    name = random.choice(["", "m", "../../etc/passwd", "\x1b[2J", "x" * 100_000])
    huge = random.choice([2**31, 2**32 - 1, 2**63, 2**64 - 1])
    begin = field(1, version) + field(2, 1)
    memory = field(1, random.choice([0, 1, huge])) + field(2, random.choice([0, 3, huge])) + field(3, b"\0" * 8)
    return random.choice(
        [
            lambda: from_client(1, field(1, random.choice(["", "0.0.0", name])) + field(2, 1) + field(7, INPUT)),
            lambda: from_client(1, begin + variant(random.choice([-1.0, 0.0, 1e300, float("nan")])) + field(7, INPUT)),
            lambda: from_client(1, begin + variant(390.0) * 300 + field(4, bytes(32)) + field(7, INPUT)),
            lambda: from_client(1, begin + variant(390.0) + field(4, b"short") + field(7, INPUT)),
            lambda: from_client(1, begin + variant(390.0) + field(4, bytes(32)) + field(7, INPUT), b"no program"),
            lambda: from_client(1, begin + variant(390.0) + field(4, bytes(32)) + field(9, memory) + field(7, INPUT)),
            lambda: from_client(2, field(1, huge) + field(2, huge) + field(3, huge) + field(4, 2**32 - 1), b"{}\n"),
            lambda: from_client(3, field(1, huge) + field(2, name)),
            lambda: from_client(5, begin + field(3, name) + field(4, huge)),
            lambda: from_client(6, field(1, huge) + field(2, huge) + field(3, 1)),
            lambda: from_worker(1, field(1, "0.0.0") + field(2, huge) + field(3, 2**32 - 1)),
            lambda: from_worker(2, field(1, huge) + field(2, 1) + field(3, 2**32 - 1) + field(5, float("nan"))),
            lambda: from_worker(3, field(1, huge) + field(3, name)),
            lambda: from_worker(4),
            lambda: from_worker(5, field(1, huge)),
            lambda: from_worker(6, field(1, huge) + field(3, 1)),
        ]
    )()


def wrong_worker(version):
    """Returns the messages of a worker that registers, and then reports a result for a job that it does not have."""
    hello = field(1, version) + field(2, random.choice([0, 1, 2**63])) + field(3, random.choice([0, 2, 2**32 - 1]))
    return from_worker(1, hello) + from_worker(2, field(1, 2**63) + field(2, 1) + field(3, 7))


def handshake(connection):
    """Connects as a DEALER. libzmq closes connections that send more than the greeting before they have its own."""
    connection.sendall(GREETING)
    received = b""
    while len(received) < len(GREETING):
        data = connection.recv(4096)
        if not data:
            raise ConnectionError("closed")
        received += data
    connection.sendall(READY)


def data_without_handshake():
    """Returns functions that make the whole data of one connection, by their names."""
    begin = GREETING + READY
    return {
        "random bytes": lambda: random.randbytes(random.randrange(1, 65536)),
        "partial greetings": lambda: GREETING[: random.randrange(len(GREETING))],
        "partial handshakes": lambda: begin[: len(GREETING) + random.randrange(len(READY))],
    }


def data_after_handshake(version):
    """Returns functions that make the data of one connection behind the handshake, by their names."""
    return {
        "random frames": lambda: random.randbytes(random.randrange(1, 65536)),
        "random messages": lambda: b"".join(
            bytes([0, n]) + random.randbytes(n) for n in random.choices(range(256), k=200)
        ),
        "messages of many parts": lambda: b"\x01\x00" * random.randrange(20000) + b"\x00\x00",
        "huge lengths": lambda: long_frame(
            random.choice([2**30 - 1, 2**30, 2**40, 2**63 - 1, 2**64 - 1]), random.randbytes(65536)
        ),
        "partial messages": lambda: wrong_fields(version)[: random.randrange(1, 20)],
        "unread replies": lambda: STATUS_REQUEST * 2000,
        "wrong fields": lambda: b"".join(wrong_fields(version) for _ in range(random.randrange(1, 20))),
        "wrong workers": lambda: wrong_worker(version),
    }


class Sender:
    """Sends malformed data over one connection after the other, and counts them."""

    def __init__(self, connect, version, without=()):
        before, after = data_without_handshake(), data_after_handshake(version)
        self.connect, self.with_handshake, self.counts = connect, set(after), collections.Counter()
        self.kinds = {name: data for name, data in (before | after).items() if name not in without}
        self.bytes, self.closed, self.lock = 0, 0, threading.Lock()

    def send(self):
        """Sends the data of one connection. Several threads may call this."""
        kind = random.choice(list(self.kinds))
        data = self.kinds[kind]()
        try:
            with self.connect() as connection:
                if kind in self.with_handshake:
                    handshake(connection)
                connection.sendall(data)
                with self.lock:
                    self.counts[kind] += 1
                    self.bytes += len(data)
                # With 0, the connection may end before the coordinator has read the data.
                time.sleep(random.choice([0, 0.02, 0.1, 0.5]))
        except OSError:
            # The coordinator may close the connection at any time.
            with self.lock:
                self.closed += 1


def main():
    port, end, version = int(sys.argv[1]), time.monotonic() + float(sys.argv[2]), sys.argv[3]
    sender = Sender(lambda: socket.create_connection(("127.0.0.1", port), timeout=2), version)

    def repeat():
        while time.monotonic() < end:
            sender.send()

    threads = [threading.Thread(target=repeat) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    count = sum(sender.counts.values())
    print(f"{count} hostile connections, {sender.bytes >> 20} MiB; the coordinator closed {sender.closed} others:")
    print("  " + ", ".join(f"{count} {kind}" for kind, count in sorted(sender.counts.items())))


if __name__ == "__main__":
    main()
