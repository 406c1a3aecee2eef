"""Checks that galley.dask lays out partitions of Python objects like galley.layout, also objects without a common type of Arrow."""

import sys
import tempfile
import warnings

import dask
import dask.dataframe
import pandas

import galley

CELLS = 'version: 1\ncells:\n  A:\n    layout: {type: stack, children: [{type: node, forEach: v, as: i, calculatedSize: [1, "{i}"]}]}\n'
OPTIONS = {"width": 100, "columns": ["id", "height", "error"]}
COLUMNS = [
    [[1, 2], ["x"], [3.5]],
    [[1], "x", None],
    [[2**70], [1, "\ud800"], []],
    [[1], {"x": b""}, float("nan")],
]


def main() -> None:
    warnings.simplefilter("ignore", galley.RowsWarning)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as cells, dask.config.set({"dataframe.convert-string": False}):
        cells.write(CELLS)
        cells.flush()
        for values in COLUMNS:
            frame = pandas.DataFrame({"id": ["a", "b", "c"], "v": values})
            rows = dask.dataframe.from_pandas(frame, npartitions=1)
            records = galley.dask.layout(rows, cells=cells.name, **OPTIONS).compute()
            found = [[None if value is pandas.NA else value for value in record] for record in records.values.tolist()]
            heights = galley.layout(frame, cells=cells.name, width=100)["w100"].heights.to_pylist()
            expected = [[row["id"], row["height"], row["error"] and row["error"].partition(": ")[2]] for row in heights]
            if found != expected:
                sys.exit(f"dask: the objects {values} have {found}, but those of galley.layout are {expected}")
        texts = dask.dataframe.from_pandas(pandas.DataFrame({"json": ["{}", 5]}), npartitions=1)
        try:
            galley.dask.layout(texts, cells=cells.name, row="json", width=100).compute()
        except galley.WrongUse as error:
            assert 'column "json" has other values than texts' in str(error), error
        else:
            sys.exit("dask: a number is no JSON text, and is not refused")
    print("dask: objects are laid out like those of galley.layout")


main()
