"""A program that speaks the stream of Galley, for tests of processes that keep one.

Each row has the height that its member `height` states. `die` ends the process by a signal, `die_once FILE` only if FILE does
not exist yet. `fail` ends it with an error of the program, which precedes the signal if `die` is there too. Each start is
counted by a line in the file of the first argument.
"""

import json
import os
import signal
import sys

import pyarrow as pa

from galley._results import STREAM_SCHEMA


def act(row: dict) -> None:
    if "fail" in row:
        print(json.dumps({"level": "error", "message": row["fail"]}), file=sys.stderr)
        sys.stderr.flush()
    if row.get("die") or ("die_once" in row and not os.path.exists(row["die_once"])):
        if "die_once" in row:
            open(row["die_once"], "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    if "fail" in row:
        os._exit(1)


def batch(variant: str, rows: list) -> pa.RecordBatch:
    values = []
    for number, row in rows:
        error = None if isinstance(row, dict) else f"line {number + 1}: is not an object"
        row = row if isinstance(row, dict) else {}
        frame = dict(node="n", type="text", parent=-1, x=0, y=0, width=1, height=2, lines=1, truncated=False)
        values.append(
            dict(variant=variant, row=number, id=str(row.get("id", number)), cell="A", width=1, height=row.get("height", 0))
            | dict(error=error, frames=[frame] * row.get("frames", 0), resources=[], missing_glyphs=0)
        )
    return pa.RecordBatch.from_pylist(values, schema=STREAM_SCHEMA)


def main() -> None:
    starts, *variants = sys.argv[1:]
    with open(starts, "a") as file:
        file.write("start\n")
    schema = STREAM_SCHEMA.with_metadata({"galley.version": "0.5.0"})
    number = 0
    pending = b""
    output = os.fdopen(1, "wb", buffering=0)
    with pa.ipc.new_stream(output, schema) as writer:
        while data := os.read(0, 1 << 16):
            *lines, pending = (pending + data).split(b"\n")
            rows = []
            for line in lines:
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if isinstance(row, dict):
                    act(row)
                rows.append((number, row))
                number += 1
            if rows:
                for variant in variants:
                    writer.write_batch(batch(variant, rows))


main()
