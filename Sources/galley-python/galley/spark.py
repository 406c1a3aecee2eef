"""Layouts of Spark's DataFrames: ``galley.spark.layout``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import monotonically_increasing_id
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from ._cells_file import SentCells, directory_of_process
from ._engine import Plan, layout_partition, wrong_table
from ._errors import WrongUse
from ._json_lines import path_of_member
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, Variants


def layout(
    df: DataFrame,
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
) -> DataFrame:
    """Lays out the rows of a DataFrame on the executors, by ``mapInArrow``.

    The cells file is sent by ``addFile``. Each Python worker keeps one program for all its partitions. Rows that are read in a
    number of partitions that leaves cores idle are divided anew, unless they were sorted or shuffled.

    :param cells: The path of the cells file on the driver.
    :param width: The widths of the list in points: a number, several numbers, or a text such as ``"320-430/10"``.
    :param platform: The platform whose texts and rounding the layout follows, or several, as in :func:`galley.layout`.
    :param layout_direction: The direction of the list, ``"ltr"`` or ``"rtl"``, or both.
    :param row: The column that has the rows as JSON texts. Without it the columns are the fields of the rows.
    :param keep: Columns of ``df`` that the result has too.
    :param columns: ``"heights"`` to leave the frames out, which is quicker, or the names of the columns that the result has.
    :param strict: Whether a bad row is an exception of its task. Otherwise it is a record with its error and the height 0.
    :return: A DataFrame with the columns of :func:`galley.stream` and those of ``keep``. It has one record for each row and
        variant; ``row`` counts the rows of the partition from 0.
    """
    # The DataFrame of Spark Connect is another class in Spark 3.5. A column has every attribute, and its class has not.
    if not hasattr(type(df), "mapInArrow"):
        raise wrong_table("df", df, "a DataFrame of Spark, such as spark.createDataFrame(frame)")
    variants = Variants.of(width, text_scale, scale, text_size, platform, layout_direction=layout_direction)
    plan = Plan.of(df.columns, row, keep, variants, columns=columns, strict=strict)
    if row is None:
        _check_types(df.schema, "", _NO_JSON, "they have no JSON form; leave the column out, or convert it to text or numbers")
    for column in plan.keep:
        _check_types(df.schema[column].dataType, column, _NO_ARROW, "Spark cannot send them to Python; convert them to text or numbers")
    inputs = df if plan.inputs is None else df.select(*map(_quoted, plan.inputs))
    names = inputs.columns
    name = _send(df.sparkSession, SentCells.of(cells))
    schema = StructType([*from_arrow_schema(plan.schema).fields, *(df.schema[column] for column in plan.keep)])

    def layout_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        named = (pa.RecordBatch.from_arrays(batch.columns, names) for batch in batches)
        return layout_partition(plan, SparkFiles.get(name), named)

    # `mapInArrow` looks its columns up by their names, in which a dot or a grave accent is syntax.
    return _divided(inputs.toDF(*map(str, range(len(names))))).mapInArrow(layout_batches, schema)


_NO_JSON = ("binary", "interval", "daytimeinterval", "yearmonthinterval", "variant")
"""The names of Spark's types whose values have no JSON form here. Some versions of Spark lack some of them."""

_NO_ARROW = ("interval", "yearmonthinterval")
"""The names of Spark's types that have no type of Arrow."""


def _check_types(kind: DataType, path: str, refused: tuple[str, ...], reason: str) -> None:
    """Checks the types of the values of a column. Otherwise each task would fail, which Spark tries four times.

    :param path: The path of the values in the row, such as ``author.name``.
    :param refused: The names of the types that cannot be used.
    :param reason: Why they cannot, and what to do.
    :raises WrongUse: A type cannot be used, or a struct has two members of one name.
    """
    if kind.typeName() in refused:
        raise WrongUse(f'column "{path}" has values of type {kind.simpleString()}: {reason}')
    if isinstance(kind, StructType):
        for field in kind:
            if path and kind.names.count(field.name) > 1:
                raise WrongUse(f'column "{path}" has two members of the name "{field.name}"; give one of them another name')
            _check_types(field.dataType, path_of_member(path, field.name), refused, reason)
    elif isinstance(kind, ArrayType):
        _check_types(kind.elementType, path, refused, reason)
    elif isinstance(kind, MapType):
        _check_types(kind.keyType, path, refused, reason)
        _check_types(kind.valueType, path, refused, reason)


_PARTITIONS_OF_CORE = 4
"""The partitions for each core, if rows are divided anew. More of them end closer together."""

_MOST_IDLE = 0.25
"""The largest share of the cores' time that the last partitions may leave idle."""

_STEPS_WITH_PARTITIONS = re.compile(r"^[ :+*()\d-]*(AdaptiveSparkPlan|Exchange|Sort|TakeOrderedAndProject)\b", re.MULTILINE)
"""The steps of a plan after which rows stay in their partitions. They have an order over all partitions or a division that the caller
chose, or, with an adaptive plan, a number of partitions that is known when the stages before have run."""

_NUMBER = "__galley_number"


def _divided(inputs: DataFrame) -> DataFrame:
    """Returns the same rows in partitions of equal numbers of rows, for all cores, if those that are there leave cores idle."""
    context = getattr(inputs.sparkSession, "sparkContext", None)
    # Spark Connect has no context, and a stream no rows yet.
    if context is None or inputs.isStreaming:
        return inputs
    execution = inputs._jdf.queryExecution()
    if _STEPS_WITH_PARTITIONS.search(execution.executedPlan().toString()):
        return inputs
    rows = execution.toRdd()
    if "ShuffledRDD" in rows.toDebugString():  # Such as by a sort of the RDD from which a DataFrame was made.
        return inputs
    partitions, cores = rows.getNumPartitions(), context.defaultParallelism
    waves = -(-partitions // cores)
    if partitions >= waves * cores * (1 - _MOST_IDLE):
        return inputs
    # The order of the rows is that of their numbers, also when a partition is repeated.
    numbered = inputs.withColumn(_NUMBER, monotonically_increasing_id())
    divided = numbered.repartition(cores * _PARTITIONS_OF_CORE, _NUMBER).sortWithinPartitions(_NUMBER)
    return divided.drop(_NUMBER)


def _quoted(column: str) -> str:
    """Returns a column's name in a form in which a dot is no path."""
    return "`" + column.replace("`", "``") + "`"


def _send(session: SparkSession, cells: SentCells) -> str:
    """Sends a cells file to the executors, also to those that start later. Returns its name for `SparkFiles`."""
    path = cells.write(directory_of_process())
    context = getattr(session, "sparkContext", None)
    if context is not None:
        context.addFile(path)
    else:
        # Spark Connect has no context.
        session.addArtifacts(path, file=True)
    return cells.name
