"""Checks the stream of `--output -` as other programs read it: check_stream.py GALLEY EXAMPLES [--pause SECONDS] [--rows N].

Compares the stream with the tables of the same rows in all ways to lay out (in one process, with a pool of its own, with a
running coordinator), and writes rows, half lines and nothing to a kept process.
"""

import argparse
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import duckdb
import polars
import pyarrow as pa
import pyarrow.ipc

WIDTHS = ["--width", "320,390", "--scale", "2,3"]


class Setup:
    """The program, and a coordinator that runs while the checks do."""

    def __init__(self, galley: str, examples: pathlib.Path, scratch: pathlib.Path) -> None:
        self.galley, self.examples, self.scratch = galley, examples, scratch
        os.mkdir(scratch / "pool", 0o700)
        self.endpoint = f"ipc://{scratch}/pool/galley"
        self.coordinator = subprocess.Popen([galley, "coordinator", "--listen", self.endpoint, "--workers", "2"], stderr=subprocess.DEVNULL)

    def modes(self) -> dict[str, list[str]]:
        return {
            "in process": ["layout", "--in-process"],
            "own pool": ["layout", "--workers", "2"],
            "coordinator": ["submit", "--connect", self.endpoint, "--wait"],
        }

    def command(self, mode: str, name: str, *options: str, rows: str = "-") -> list[str]:
        verb, *more = self.modes()[mode]
        return [self.galley, verb, rows, "--cells", str(self.examples / f"{name}.yaml"), *WIDTHS, *more, *options]

    def rows(self, name: str) -> bytes:
        return (self.examples / f"{name}.jsonl").read_bytes()


def run(command: list[str], data: bytes) -> tuple[pa.Table, subprocess.CompletedProcess[bytes]]:
    outcome = subprocess.run(command, input=data, capture_output=True)
    assert outcome.returncode in (0, 3), (command, outcome.returncode, outcome.stderr)
    table = pa.ipc.open_stream(outcome.stdout).read_all()
    table.validate(full=True)
    return table, outcome


HEIGHTS = ("row", "id", "cell", "width", "height", "error", "missing_glyphs", "margin_narrower", "margin_wider", "holds_for_width")


def table_records(directory: pathlib.Path, variant: str) -> list[dict]:
    """The records of a directory's tables, as the stream has them."""

    def read(name: str) -> list[dict]:
        return pa.ipc.open_file(pa.memory_map(str(directory / variant / name))).read_all().to_pylist()

    frames, resources = read("frames.arrow"), read("resources.arrow")
    records = []
    for row in read("heights.arrow"):
        record = {"variant": variant} | {name: row[name] for name in HEIGHTS}
        own = frames[row["first_frame"] : row["first_frame"] + row["frame_count"]]
        record["frames"] = [{name: value for name, value in frame.items() if name != "row"} for frame in own]
        record["resources"] = [
            {name: each[name] for name in ("node", "url", "type", "y", "pixel_width", "pixel_height")}
            for each in resources
            if each["row"] == row["row"]
        ]
        for each in record["resources"]:
            each["y"] -= row["y"]
        records.append(record)
    return records


def lines_and_texts(directory: pathlib.Path, variant: str) -> list[dict]:
    """The lines and texts of each row of a directory's tables, as the stream has them."""

    def read(name: str) -> list[dict]:
        return pa.ipc.open_file(pa.memory_map(str(directory / variant / name))).read_all().to_pylist()

    records = [{"lines": [], "texts": []} for _ in read("heights.arrow")]
    for kind in ("lines", "texts"):
        for each in read(f"{kind}.arrow"):
            records[each.pop("row")][kind].append(each)
    return records


def check_lines(setup: Setup) -> None:
    """The stream has the lines and texts of the tables."""
    command, rows = setup.command("in process", "posts", "--lines", "--quiet"), setup.rows("posts")
    directory = setup.scratch / "lines"
    subprocess.run([*command, "--output", str(directory)], input=rows, check=True)
    table, outcome = run([*command, "--output", "-"], rows)
    assert polars.read_ipc_stream(outcome.stdout)["lines"].to_list() == table["lines"].to_pylist()
    records = table.to_pylist()
    for variant in {each["variant"] for each in records}:
        stream = [{kind: each[kind] for kind in ("lines", "texts")} for each in records if each["variant"] == variant]
        assert stream == lines_and_texts(directory, variant), variant
    print("the stream has the lines and texts of the tables")


def check_values(setup: Setup) -> None:
    """The stream has the values of the tables, whichever process lays out."""
    for cells in sorted(setup.examples.glob("*.yaml")):
        name = cells.stem
        data = setup.rows(name) + b"\nnot json\n"
        directory = setup.scratch / name
        subprocess.run(setup.command("in process", name, "--output", str(directory), "--quiet"), input=data, stderr=subprocess.DEVNULL)
        variants = [each["name"] for each in json.loads((directory / "manifest.json").read_text())["variants"]]
        for mode in setup.modes():
            table, outcome = run(setup.command(mode, name, "--output", "-", "--quiet"), data)
            assert outcome.returncode == 3, (name, mode)
            for variant in variants:
                stream = [each for each in table.to_pylist() if each["variant"] == variant]
                expected = table_records(directory, variant)
                for got, want in zip(stream, expected, strict=True):
                    for one, other in zip(got["resources"], want["resources"], strict=True):
                        assert abs(one.pop("y") - other.pop("y")) < 1e-3, (name, mode, got)
                    assert got == want, (name, mode, got, want)
        print(f"{name}: the stream has the values of the tables")


def check_readers(setup: Setup) -> None:
    command = setup.command("in process", "posts", "--output", "-", "--quiet")
    data = subprocess.run(command, input=setup.rows("posts"), capture_output=True, check=True).stdout
    table = pa.ipc.open_stream(data).read_all()
    assert not any(pa.types.is_unsigned_integer(field.type) or pa.types.is_dictionary(field.type) for field in table.schema)
    frame = polars.read_ipc_stream(data)
    assert frame["height"].to_list() == table["height"].to_pylist()
    assert frame["frames"].to_list() == table["frames"].to_pylist()
    connection = duckdb.connect()
    connection.register("stream", table)
    heights = connection.execute("select height, len(frames), frames[1].node from stream order by variant, row").fetchall()
    expected = sorted(table.to_pylist(), key=lambda each: (each["variant"], each["row"]))
    assert heights == [(each["height"], len(each["frames"]), each["frames"][0]["node"]) for each in expected]
    narrow, _ = run([*command, "--columns", "heights"], setup.rows("posts"))
    assert "frames" not in narrow.column_names and narrow["resources"].to_pylist() == table["resources"].to_pylist()
    print("pyarrow, polars and DuckDB read the stream")


class Kept:
    """A process that is kept to lay out rows as they come."""

    def __init__(self, setup: Setup, mode: str, *options: str) -> None:
        self.process = subprocess.Popen(
            setup.command(mode, "posts", "--output", "-", "--quiet", *options), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        # The schema comes before the first row is written.
        self.reader = pa.ipc.open_stream(self.process.stdout)

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, rows: int, variants: int = 4) -> list[dict]:
        records: list[dict] = []
        while len(records) < rows * variants:
            records += self.reader.read_next_batch().to_pylist()
        assert len(records) == rows * variants
        return records

    def end(self) -> tuple[int, bytes]:
        self.process.stdin.close()
        errors = self.process.stderr.read()
        return self.process.wait(20), errors


def check_kept(setup: Setup, mode: str) -> None:
    lines = setup.rows("posts").splitlines(keepends=True)
    kept = Kept(setup, mode)
    for _ in range(20):
        kept.write(b"".join(lines))
        kept.read(len(lines))
    # The results of whole lines come although the next line is not complete.
    half = len(lines[1]) // 2
    kept.write(lines[0] + lines[1][:half])
    kept.read(1)
    time.sleep(0.3)
    kept.write(lines[1][half:])
    last = kept.read(1)
    assert [each["row"] for each in last] == [20 * len(lines) + 1] * 4
    # The last line need not end.
    kept.write(lines[0].rstrip(b"\n"))
    code, errors = kept.end()
    assert sum(batch.num_rows for batch in kept.reader) == 4 and (code, errors) == (0, b""), (mode, code, errors)
    print(f"{mode}: rows, half lines and the end of the input")


def check_ends(setup: Setup, mode: str) -> None:
    rows = setup.rows("posts")
    # No rows: the stream has a schema and an end.
    table, outcome = run(setup.command(mode, "posts", "--output", "-"), b"")
    assert table.num_rows == 0 and outcome.returncode == 0 and b"0 rows" in outcome.stderr, outcome.stderr
    # A run that fails has no end mark.
    strict = subprocess.run(setup.command(mode, "posts", "--output", "-", "--strict"), input=rows + b"bad\n", capture_output=True)
    assert strict.returncode == 1 and not strict.stdout.endswith(b"\xff\xff\xff\xff\0\0\0\0"), (mode, strict)
    # Compressed rows.
    packed, _ = run(setup.command(mode, "posts", "--output", "-", "--quiet"), gzip.compress(rows))
    plain, _ = run(setup.command(mode, "posts", "--output", "-", "--quiet"), rows)
    assert packed.to_pylist() == plain.to_pylist()
    # A reader that ends is no error.
    command = " ".join(setup.command(mode, "posts", "--output", "-"))
    piped = subprocess.run(f"set -o pipefail; yes '{rows.splitlines()[0].decode()}' | head -200000 | {command} | head -c 3000 | wc -c",
                           shell=True, capture_output=True, executable="/bin/bash")  # fmt: skip
    assert piped.stdout.strip() == b"3000" and piped.stderr == b"" and piped.returncode == 141, (mode, piped)
    # Ctrl-C ends a run that waits for rows.
    kept = Kept(setup, mode)
    kept.write(rows)
    kept.read(len(rows.splitlines()))
    kept.process.send_signal(signal.SIGINT)
    started = time.monotonic()
    assert kept.process.wait(20) == 130, mode
    assert time.monotonic() - started < 5, mode
    assert not kept.process.stdout.read().endswith(b"\xff\xff\xff\xff\0\0\0\0")
    print(f"{mode}: ends of runs")


def check_paused_reader(setup: Setup, mode: str, rows: int, pause: float) -> None:
    """A reader that reads nothing for a time holds up the program, whose memory stays bounded."""
    line = setup.rows("posts").splitlines(keepends=True)[0]
    kept = Kept(setup, mode)
    peak = 0

    def write() -> None:
        part = line * 1000
        for _ in range(rows // 1000):
            kept.process.stdin.write(part)
        kept.process.stdin.close()

    def watch() -> None:
        nonlocal peak
        while kept.process.poll() is None:
            try:
                status = pathlib.Path(f"/proc/{kept.process.pid}/status").read_text()
            except (FileNotFoundError, ProcessLookupError):
                return
            if "VmRSS:" in status:
                peak = max(peak, int(status.split("VmRSS:")[1].split()[0]) >> 10)
            time.sleep(0.2)

    for each in (write, watch):
        threading.Thread(target=each, daemon=True).start()
    time.sleep(pause)
    started = time.monotonic()
    count = sum(batch.num_rows for batch in kept.reader)
    seconds = time.monotonic() - started
    code = kept.process.wait(60)
    assert code == 0 and count == rows * 4, (mode, code, count, kept.process.stderr.read())
    print(f"{mode}: {rows} rows x 4 after a pause of {pause} s in {seconds:.1f} s, at most {peak} MiB")
    assert peak < 700, (mode, peak)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("galley")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--pause", type=float, default=1)
    parser.add_argument("--rows", type=int, default=20_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        setup = Setup(arguments.galley, arguments.examples, pathlib.Path(scratch))
        try:
            check_values(setup)
            check_lines(setup)
            check_readers(setup)
            for mode in setup.modes():
                check_kept(setup, mode)
                check_ends(setup, mode)
                check_paused_reader(setup, mode, arguments.rows, arguments.pause)
        finally:
            setup.coordinator.terminate()
            setup.coordinator.wait(30)


if __name__ == "__main__":
    sys.exit(main())
