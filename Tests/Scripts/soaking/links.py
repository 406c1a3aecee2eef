"""Links between workers and the coordinator that change what passes, as broken devices and wrong workers do."""
import ctypes
import random
import socket
import struct
import threading

from malformed_data import GREETING, encoded_fields, fields_of, frame

# The bits that are changed: in one of so many messages of a worker, and in one of so many pieces from the coordinator.
MESSAGES, PIECES = 50, 500
# The results of a worker with wrong values that have some, one of so many.
WRONG_RESULTS = 3
PIECE = 1 << 16
# Fields of protos/galley.proto.
WORKER, HELLO, RESULT = 1, 1, 2
HELLO_PROCESS, HELLO_MEMORY = 2, 4
RESULT_DURATION, RESULT_CACHE_HIT_RATE, RESULT_CHECKSUMS = 4, 5, 10
VARINT, DOUBLE = 0, 1
HEADER, HEADER_WITH_LINES = 10 * 8, 14 * 8


def checksum_function():
    """Returns the function that computes the checksums of columns, or None where its library is missing."""
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
    except (OSError, AttributeError):
        return None
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_uint64
    return lambda data: function(data, len(data))


class Link:
    """Passes on the connections of workers to the coordinator.

    The workers share no memory with the coordinator through it, so that all bytes pass. Subclasses change them.
    """

    def __init__(self, run, coordinator):
        self.run, self.coordinator = run, coordinator
        self.server = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.run.stopped.is_set():
            worker, _ = self.server.accept()
            try:
                coordinator = socket.create_connection(("127.0.0.1", self.coordinator.port))
            except OSError:
                worker.close()
                continue
            for pump in self.pass_messages, self.pass_bytes:
                threading.Thread(target=self.guard, args=(pump, worker, coordinator), daemon=True).start()

    def guard(self, pump, worker, coordinator):
        """Passes on bytes until one of the connections ends, and ends the other one."""
        try:
            pump(worker, coordinator)
        except OSError:
            pass
        for connection in worker, coordinator:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pass_bytes(self, worker, coordinator):
        while data := coordinator.recv(PIECE):
            worker.sendall(self.changed_bytes(data))

    def pass_messages(self, worker, coordinator):
        self.pass_greeting(worker, coordinator)
        stream, parts = worker.makefile("rb"), []
        while head := stream.read(1):
            flags = head[0]
            data = stream.read(int.from_bytes(stream.read(8 if flags & 2 else 1), "big"))
            if flags & 4:  # a command
                coordinator.sendall(frame(flags, data))
                continue
            parts.append(data)
            if not flags & 1:
                coordinator.sendall(self.changed_message(self.relayed(parts)))
                parts = []

    def pass_greeting(self, worker, coordinator):
        """Passes on the greeting in its pieces, because each peer waits for pieces of the other's."""
        left = len(GREETING)
        while left and (data := worker.recv(left)):
            coordinator.sendall(data)
            left -= len(data)

    def relayed(self, parts):
        """Returns the parts of a message with the changes of every link in its envelope."""
        envelope = [(WORKER, *rest) for number, *rest in fields_of(parts[0]) if number == WORKER]
        messages = [
            (number, kind, encoded_fields(self.changed_hello(fields_of(value))) if number == HELLO else value)
            for _, _, worker in envelope for number, kind, value in fields_of(worker)
        ]
        results = [value for number, _, value in messages if number == RESULT]
        if results and len(parts) > 1:
            changed, columns = self.changed_result(fields_of(results[0]), parts[1:])
            messages, parts = [(RESULT, 2, encoded_fields(changed))], [parts[0], *columns]
        return [encoded_fields([(WORKER, 2, encoded_fields(messages))]), *parts[1:]]

    def changed_hello(self, fields):
        return [field for field in fields if field[0] != HELLO_MEMORY]

    def changed_result(self, fields, columns):
        return fields, columns

    def changed_message(self, parts):
        return b"".join(frame(index < len(parts) - 1, part) for index, part in enumerate(parts))

    def changed_bytes(self, data):
        return data


class ChangingLink(Link):
    """A link that changes bits in both directions."""

    def changed_message(self, parts):
        return self.with_changed_bit(super().changed_message(parts), MESSAGES)

    def changed_bytes(self, data):
        return self.with_changed_bit(data, PIECES)

    def with_changed_bit(self, data, rarity):
        if random.randrange(rarity):
            return data
        self.run.count("bits changed by a link")
        data = bytearray(data)
        # Envelopes are short and come first.
        end = random.choice([len(data), min(len(data), 128)])
        data[random.randrange(end)] ^= 1 << random.randrange(8)
        return bytes(data)


class WrongValues(Link):
    """Makes its worker one that states the processes of others, impossible sizes and absurd durations."""

    checksum = staticmethod(checksum_function())

    def changed_hello(self, fields):
        """States the process of one of the coordinator's own workers, or of the coordinator."""
        number = self.coordinator.process.pid
        try:
            with open(f"/proc/{number}/task/{number}/children") as file:
                number = random.choice([number, *map(int, file.read().split())])
        except OSError:
            pass
        self.run.count("workers with the process of another")
        kept = [field for field in super().changed_hello(fields) if field[0] != HELLO_PROCESS]
        return [*kept, (HELLO_PROCESS, VARINT, number)]

    def changed_result(self, fields, columns):
        rows = int.from_bytes(columns[0][:8], "little") & ~(1 << 63)
        if rows == 0 or random.randrange(WRONG_RESULTS):
            return fields, columns
        columns = [self.impossible(columns[0], rows), *columns[1:]] if random.random() < 0.7 else columns
        absurd = {
            RESULT_DURATION: (VARINT, random.choice([0, 1 << 40, 1 << 63, (1 << 64) - 1])),
            RESULT_CACHE_HIT_RATE: (DOUBLE, struct.pack("<d", random.choice([float("nan"), float("inf"), -1, 1e308]))),
            # The worker vouches for its values.
            RESULT_CHECKSUMS: (2, b"".join(struct.pack("<Q", self.checksum(part)) for part in columns)),
        }
        kept = [field for field in fields if field[0] not in absurd]
        return kept + [(number, *rest) for number, rest in absurd.items()], columns

    def impossible(self, columns, rows):
        """Replaces the height of one row, which follows the widths of all rows."""
        self.run.count("results with impossible heights")
        columns = bytearray(columns)
        header = HEADER_WITH_LINES if columns[7] & 0x80 else HEADER
        offset = header + (4 * rows + 7 & ~7) + 4 * random.randrange(rows)
        height = random.choice([float("nan"), float("inf"), -float("inf"), -100.0, 1e30])
        columns[offset : offset + 4] = struct.pack("<f", height)
        return bytes(columns)
