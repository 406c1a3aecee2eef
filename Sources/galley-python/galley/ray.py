"""Layouts of Ray's Datasets: ``galley.ray.layout``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import pyarrow as pa
import ray
from ray.data import ActorPoolStrategy, Dataset

from ._cells_file import SentCells, directory_of_process
from ._engine import Plan, layout_partition
from ._variants import Numbers


def layout(
    ds: Dataset,
    *,
    cells: str | os.PathLike[str],
    width: Numbers,
    row: str | None = None,
    keep: Sequence[str] = (),
    text_scale: Numbers = 1,
    scale: Numbers = 2,
    columns: str | Sequence[str] | None = None,
    strict: bool = False,
    actors: int | None = None,
) -> Dataset:
    """Lays out the rows of a Ray Dataset, by ``map_batches`` with actors.

    The cells file is one object of the object store. Rows are divided into blocks of at most 20,000. Each actor keeps one program
    for all its blocks.

    The other arguments are those of ``galley.spark.layout``.

    :param actors: The number of actors. Without it, it is the number of cores of the cluster.
    :return: A Dataset with the columns of :func:`galley.stream` and those of ``keep``. It has one record for each row and
        variant; ``row`` counts the rows of the block from 0.
    """
    options = {"width": width, "text_scale": text_scale, "scale": scale}
    names = ds.columns() or []
    plan = Plan.of(names, row, keep, **options, columns=columns, strict=strict)
    cells_reference = ray.put(SentCells.of(cells))
    inputs = ds if plan.inputs is None else ds.select_columns(plan.inputs)
    count = actors or max(1, int(ray.cluster_resources().get("CPU", 1)))
    # Without blocks of its own the read of all files is fused with the layout, and one actor does both.
    return inputs.repartition(target_num_rows_per_block=_ROWS_OF_BLOCK).map_batches(
        _Actor,
        fn_constructor_args=(plan, cells_reference),
        batch_format="pyarrow",
        batch_size=None,
        compute=ActorPoolStrategy(min_size=count, max_size=count),
        num_cpus=_CORES_OF_ACTOR,
    )


_ROWS_OF_BLOCK = 20_000

_CORES_OF_ACTOR = 0.5
"""The part of a core that an actor reserves. Ray starts all actors before it reads, and reading must have cores, too."""


class _Actor:
    def __init__(self, plan: Plan, cells: ray.ObjectRef) -> None:
        self._plan = plan
        self._cells = ray.get(cells).write(directory_of_process())

    def __call__(self, block: pa.Table) -> Iterator[pa.Table]:
        for batch in layout_partition(self._plan, self._cells, block.combine_chunks().to_batches()):
            yield pa.Table.from_batches([batch])
