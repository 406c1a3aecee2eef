"""Layouts of Dask's DataFrames: ``galley.dask.layout``."""

from __future__ import annotations

import os
from collections.abc import Sequence

import dask
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

from ._arrow_values import PythonObjects
from ._cells_file import SentCells, directory_of_process
from ._engine import Plan, layout_partition, wrong_table
from ._errors import WrongUse
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, Variants


def layout(
    ddf: dd.DataFrame,
    *,
    cells: str | os.PathLike[str],
    width: Numbers,
    row: str | None = None,
    keep: Sequence[str] = (),
    text_scale: Numbers = 1,
    scale: Numbers | None = None,
    text_size: TextSizes = None,
    platform: Platforms = None,
    layout_direction: LayoutDirections = None,
    columns: str | Sequence[str] | None = None,
    strict: bool = False,
) -> dd.DataFrame:
    """Lays out the rows of a Dask DataFrame, by ``map_partitions``.

    The cells file is one value of the graph, which the scheduler sends to each worker. Each worker process keeps one
    program for all its partitions, so that processes with one thread each are the quickest.

    The arguments are those of ``galley.spark.layout``.

    :return: A DataFrame with the columns of :func:`galley.stream`, which have Arrow's types, and those of ``keep``. It has
        one record for each row and variant with the index of the row; ``row`` counts the rows of the partition from 0.
    """
    if not isinstance(ddf, dd.DataFrame):
        raise wrong_table("ddf", ddf, "a DataFrame of Dask, such as dask.dataframe.from_pandas(frame, npartitions=8)")
    variants = Variants.of(width, text_scale, scale, text_size, platform, layout_direction=layout_direction)
    plan = Plan.of(list(ddf.columns), row, keep, variants, columns=columns, strict=strict)
    sent = SentCells.of(cells)
    inputs = ddf if plan.inputs is None else ddf[plan.inputs]
    # The key is that of the contents, by which results of an earlier call may be used again.
    file = dask.delayed(sent, name=sent.name, pure=True)
    meta = _frame(plan, [], ddf._meta)
    # Each variant repeats the index.
    return inputs.map_partitions(_layout_frame, file, plan, meta=meta, clear_divisions=True)


def _layout_frame(frame: pd.DataFrame, cells: SentCells, plan: Plan) -> pd.DataFrame:
    batches = _table(frame, plan.row).combine_chunks().to_batches()
    rows_only = plan.with_rows_only()
    return _frame(plan, list(layout_partition(rows_only, cells.write(directory_of_process()), batches)), frame)


def _table(frame: pd.DataFrame, row: str | None) -> pa.Table:
    """Returns the columns that are laid out. One whose objects have no common type of Arrow becomes a column of Python objects."""
    columns = {}
    for name in frame.columns if row is None else [row]:
        try:
            columns[str(name)] = pa.array(frame[name], from_pandas=True)
        except (pa.ArrowException, OverflowError, ValueError) as error:
            if row is not None:
                raise WrongUse(f'column "{row}" has other values than texts: {error}; row names a column of JSON texts') from None
            columns[str(name)] = PythonObjects.array(frame[name])
    return pa.table(columns)


def _frame(plan: Plan, batches: list[pa.RecordBatch], frame: pd.DataFrame) -> pd.DataFrame:
    """Returns records with the index and the columns to keep of their rows."""
    table = pa.Table.from_batches(batches, schema=plan.with_rows_only().schema)
    # Lists of structs stay Arrow's: as objects of Python they would be many times as large.
    records = table.select(list(plan.names)).to_pandas(types_mapper=pd.ArrowDtype)
    rows = table.column("row").to_numpy()
    records.index = frame.index.take(rows)
    for name in plan.keep:
        records[name] = frame[name].take(rows)
    return records
