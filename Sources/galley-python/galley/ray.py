"""Layouts of Ray's Datasets: ``galley.ray.layout``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import pyarrow as pa
import ray
from ray.data import Dataset, TaskPoolStrategy

from ._cells_file import SentCells, path_in_process
from ._engine import Plan, layout_partition, wrong_table
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, Variants


def layout(
    ds: Dataset,
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
    actors: int | None = None,
) -> Dataset:
    """Lays out the rows of a Ray Dataset, by ``map_batches`` with three tasks for two cores.

    The cells file is one object of the object store. Rows are divided into blocks of at most 100,000. Each worker process of Ray
    keeps one program for all its blocks.

    The other arguments are those of ``galley.spark.layout``.

    :param actors: The largest number of blocks that are laid out at a time. Without it, Ray decides by the cores of the cluster.
    :return: A Dataset with the columns of :func:`galley.stream` and those of ``keep``. It has one record for each row and
        variant; ``row`` counts the rows of the block from 0.
    """
    if not isinstance(ds, Dataset):
        raise wrong_table("ds", ds, "a Dataset of Ray, such as ray.data.from_pandas(frame)")
    variants = Variants.of(width, text_scale, scale, text_size, platform, layout_direction=layout_direction)
    # A Dataset that has never had a row has no columns.
    names = ds.columns() or [name for name in (row, *keep) if name is not None]
    plan = Plan.of(names, row, keep, variants, columns=columns, strict=strict)
    sent = SentCells.of(cells)
    inputs = ds if plan.inputs is None else ds.select_columns(plan.inputs)
    # Without blocks of its own the read of all files is fused with the layout, and one task does both. Tasks use the worker
    # processes that Ray has; the processes of actors start anew for each Dataset, which takes 3 s on 2 cores.
    return inputs.repartition(target_num_rows_per_block=_ROWS_OF_BLOCK).map_batches(
        _layout_block,
        fn_args=(plan, sent.name, ray.put(sent)),
        batch_format="pyarrow",
        batch_size=None,
        compute=TaskPoolStrategy(size=actors),
        num_cpus=_CORES_OF_TASK,
    )


_ROWS_OF_BLOCK = 100_000
"""The largest number of rows that one task lays out, for about a second at one width.

Ray looks for ended tasks every 0.1 s, and starts the next task when it has looked once or twice. So a task ends 0.1 to 0.2 s
before the next one starts in its place, which is as long as 20,000 rows take.
"""

_CORES_OF_TASK = 0.66
"""The part of a core that a task asks Ray for: three tasks for two cores, of which the third has work while another ends."""


def _layout_block(block: pa.Table, plan: Plan, name: str, cells: ray.ObjectRef) -> Iterator[pa.Table]:
    path = path_in_process(name, lambda: ray.get(cells))
    for batch in layout_partition(plan, path, block.combine_chunks().to_batches()):
        yield pa.Table.from_batches([batch])
