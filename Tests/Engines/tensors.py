"""Checks that galley.ray lays out the arrays and objects of Ray's batches like the rows that Ray returns."""

import logging
import os
import sys
import tempfile
import warnings

import numpy
import ray

import galley

CELLS = 'version: 1\ncells:\n  A:\n    layout: {type: stack, children: [{type: node, forEach: v, as: i, calculatedSize: [1, "{i}"]}]}\n'


def objects(values: list[object]) -> numpy.ndarray:
    found = numpy.empty(len(values), object)
    found[:] = values
    return found


COLUMNS = {
    "lists": numpy.array([[1, 2], [3, 4]]),
    "lists of lists": numpy.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
    "lists of several lengths": objects([numpy.array([1.5, 2.0]), numpy.array([3.0])]),
    "lists of texts": [numpy.array(["1", "x"]), numpy.array(["2"])],
    "objects": objects([[1, "x", 2**70], [3]]),
    "one object without JSON": objects([[b""], [3]]),
}


def main() -> None:
    environment = {name: os.environ[name] for name in ("GALLEY", "PYTHONPATH")}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    warnings.simplefilter("ignore", galley.RowsWarning)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as cells:
        cells.write(CELLS)
        cells.flush()
        options = {"cells": cells.name, "width": 100}
        for kind, values in COLUMNS.items():
            make = lambda batch, values=values: {"id": numpy.array(["a", "b"]), "v": values}  # noqa: E731
            rows = ray.data.range(1).map_batches(make)
            found = [(record["height"], record["error"]) for record in galley.ray.layout(rows, **options).take_all()]
            heights = galley.layout(rows.take_all(), **options)["w100"].heights.to_pylist()
            expected = [(row["height"], row["error"] and row["error"].partition(": ")[2]) for row in heights]
            if found != expected:
                sys.exit(f"ray: {kind} have the heights and errors {found}, but those of Python are {expected}")
        empty = galley.ray.layout(ray.data.from_items([]), row="json", **options)
        if empty.count() != 0:
            sys.exit("ray: a Dataset without rows has records")
    ray.shutdown()
    print("ray: arrays and objects are laid out like those of Python")


main()
