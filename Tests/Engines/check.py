"""Lays out the demo's rows with data engines, and compares all values with those of the program."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.parquet as pq

import galley
from clusters import CLUSTERS, Run
from programs import Killer, Meter, idle_seconds, programs

FILES = 8
BAD = ["null", "7", '{"id":"bad","cell":"Nope"}', '{"cell":', '{"cell":"PhotoCell"}']
WIDTHS = {"width": [320, 390]}
ANDROID = {"width": 390, "scale": 2.625, "platform": "android", "layout_direction": ["ltr", "rtl"]}


def make_rows(directory: Path, count: int) -> None:
    """Writes rows.jsonl, some of which are bad, demo.yaml, and the rows as Parquet files with their numbers."""
    for arguments in (["examples", directory], ["demo", "--rows", count, "--quiet", "--output", directory / "demo"]):
        options = ["--keep-rows", directory / "demo.jsonl"] if arguments[0] == "demo" else []
        command = [os.environ["GALLEY"], *map(str, arguments + options)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = (directory / "demo.jsonl").read_text().splitlines()
    for index, bad in enumerate(BAD):
        rows[(index + 1) * count // (len(BAD) + 1)] = bad
    (directory / "rows.jsonl").write_text("\n".join(rows) + "\n")
    (directory / "rows").mkdir()
    table = pa.table({"json": rows, "n": pa.array(range(count), pa.int64())})
    size = -(-count // FILES)
    for index in range(FILES):
        pq.write_table(table.slice(index * size, size), directory / "rows" / f"{index}.parquet", row_group_size=20_000)


def expected_of(directory: Path, variants: dict[str, object]) -> pa.Table:
    """Returns what `galley layout --output -` writes, with the number of the row in `n`."""
    batches = galley.stream(directory / "rows.jsonl", cells=directory / "demo.yaml", **variants)
    table = pa.Table.from_batches(list(batches))
    errors = pc.replace_substring_regex(table.column("error"), r"^(line|row) \d+: ", "")
    table = table.set_column(table.schema.get_field_index("error"), "error", errors)
    return table.append_column("n", table.column("row")).drop_columns(["row"])


def leaves(values: pa.Array, name: str) -> dict[str, pa.Array]:
    """Returns the columns without nesting, as the engines name and type nested columns differently."""
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks)
    if pa.types.is_list(values.type) or pa.types.is_large_list(values.type):
        lengths = pc.list_value_length(values).cast(pa.int64())
        return {f"{name}.length": lengths} | leaves(values.flatten(), f"{name}[]")
    if pa.types.is_struct(values.type):
        parts: dict[str, pa.Array] = {}
        for field, column in zip(values.type, values.flatten()):
            parts |= leaves(column, f"{name}.{field.name}")
        return parts
    return {name: values.cast(pa.string()) if pa.types.is_large_string(values.type) else values}


def compare(found: pa.Table, expected: pa.Table) -> None:
    """Ends the check at the first column that differs."""
    if found.num_rows != expected.num_rows:
        sys.exit(f"there are {found.num_rows} records, but the program returns {expected.num_rows}")
    order = [("n", "ascending"), ("variant", "ascending")]
    found, expected = found.sort_by(order), expected.sort_by(order)
    # A row without an id has its number in the partition.
    of_row = pc.equal(expected.column("id"), pc.cast(expected.column("n"), pa.string()))
    for name in expected.column_names:
        left, right = found.column(name), expected.column(name)
        if name == "id":
            left, right = (pc.if_else(of_row, "", column.cast(pa.string())) for column in (left, right))
        lefts, rights = leaves(left, name), leaves(right, name)
        for part in rights:
            if not lefts[part].equals(rights[part]):
                sys.exit(f"column {part} differs from that of the program")


def check(
    engine: str, run: Run, directory: Path, variants: dict[str, object], kills: Sequence[str] = (), seconds: float = 0
) -> None:
    expected = expected_of(directory, variants)
    options = {"cells": directory / "demo.yaml", "row": "json", "keep": ["n"]} | variants
    for kill in [None, *kills]:
        output = directory / f"{engine}-{kill}-{expected.column('variant')[0]}"
        start = time.monotonic()
        if kill is None:
            run(str(directory / "rows"), str(output), **options)
        else:
            with Killer(kill, seconds) as killer:
                run(str(directory / "rows"), str(output), **options)
            if killer.killed is None:
                sys.exit(f"{engine}: no {kill} was killed; take more rows")
        elapsed = time.monotonic() - start
        found = pyarrow.dataset.dataset(output, exclude_invalid_files=True).to_table()
        numbers = pc.cast(found.column("row"), pa.int64())
        if pc.min(numbers).as_py() != 0:
            sys.exit(f"{engine}: no partition has a row 0")
        compare(found, expected)
        event = f"a killed {kill}" if kill else "nothing killed"
        names = " ".join(pc.unique(expected.column("variant")).to_pylist())
        print(f"{engine}: {found.num_rows} records of {names} with {event} are those of the program ({elapsed:.1f} s)", flush=True)


def check_refusal(engine: str) -> None:
    """Ends the check if a table that is none of the engine has another error than one that names it."""
    try:
        getattr(galley, engine).layout(pa.table({}), cells="demo.yaml", width=390)
    except galley.WrongUse as error:
        if "is a Table of pyarrow; pass a" in str(error):
            return
    sys.exit(f"{engine}: a table of pyarrow is not refused")


def check_programs(engine: str) -> None:
    """Ends the check if more programs run than the cluster has processes."""
    # Three tasks of Ray share two cores.
    most = 3 if engine == "ray" else 2
    if len(programs()) > most:
        sys.exit(f"{engine}: {len(programs())} programs run in {most} processes")


def bench(engine: str, run: Run, directory: Path, count: int) -> None:
    """Prints rows/s of an engine, once it is warm, between two runs of the pool.

    The ceiling is the rate at which the same processor seconds would keep all cores busy. Where other programs run, the share
    of the processor time that was there counts: that which the engine used, of it and of the time in which cores were idle.
    """
    cells = directory / "demo.yaml"
    for columns in (None, "heights"):
        rates = {}
        for name in ("warm", "pool", engine, "pool again", f"{engine} again"):
            idle, start = idle_seconds(), time.monotonic()
            if name.startswith("pool"):
                command = [os.environ["GALLEY"], "layout", str(directory / "rows.jsonl"), f"--cells={cells}", "--width=390"]
                code = subprocess.run([*command, "--quiet", "--force", "--output", str(directory / "pool")], check=False).returncode
                if code not in (0, 3):
                    sys.exit(f"galley layout ended with exit code {code}")
            else:
                with Meter() as meter:
                    run(str(directory / "rows"), None, cells=cells, width=390, row="json", columns=columns)
            seconds = time.monotonic() - start
            rates[name] = count / seconds
            if name.startswith(engine):
                used = meter.seconds()
                busy = sum(used.values())
                ceiling = count * (os.cpu_count() or 1) / busy
                print(
                    f"{engine}, columns={columns}: {seconds:.2f} s, {rates[name]:,.0f} rows/s; processor seconds "
                    + ", ".join(f"{kind} {value:.1f}" for kind, value in used.items())
                    + f"; ceiling {ceiling:,.0f} rows/s, of which {rates[name] / ceiling:.0%}; "
                    + f"of the processor time that was there {busy / (busy + idle_seconds() - idle):.0%}"
                )
        del rates["warm"]
        print(f"columns={columns}: " + ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("engines", nargs="*", metavar="engine", help=", ".join(CLUSTERS))
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--bench", action="store_true")
    arguments = parser.parse_args()
    engines = arguments.engines or list(CLUSTERS)
    if unknown := set(engines) - set(CLUSTERS):
        parser.error(f"{', '.join(unknown)} is no engine; the engines are {', '.join(CLUSTERS)}")
    count = 300 if arguments.small else arguments.rows
    os.environ["CHECK_ENGINES"] = str(os.getpid())
    with tempfile.TemporaryDirectory(prefix="check-engines-") as name:
        directory = Path(name)
        make_rows(directory, count)
        for engine in engines:
            kills = [] if arguments.small else ["program", "worker", *(["executor"] if engine == "spark" else [])]
            with CLUSTERS[engine]() as run:
                if arguments.bench:
                    bench(engine, run, directory, count)
                else:
                    check(engine, run, directory, WIDTHS, kills, seconds=count / 400_000)
                    check_programs(engine)
                    check_refusal(engine)
                    check(engine, run, directory, ANDROID)
            for _ in range(100):
                if not programs():
                    break
                time.sleep(0.1)
            else:
                sys.exit(f"{engine}: programs {programs()} run after the cluster has ended")


if __name__ == "__main__":
    main()
