"""Checks how galley.spark divides rows anew, which decides how many cores lay out at the end of a run, and names and types of columns."""

import os
import sys
import tempfile

import pyspark

# The session starts with the jars of the package.
os.environ.update(SPARK_HOME=os.path.dirname(pyspark.__file__), PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")

from pyspark.sql import DataFrame, SparkSession, functions  # noqa: E402

from galley import WrongUse  # noqa: E402
from galley.spark import _divided, layout  # noqa: E402

CORES = 4
ROWS = 4000


def partitions(rows: DataFrame) -> list[list[int]]:
    """Returns the numbers of the rows of each partition."""
    return rows.rdd.glom().map(lambda part: [row.id for row in part]).collect()


def check(session: SparkSession) -> None:
    for count in (3, 4, 6, 7, 8, 9):
        rows = session.range(0, ROWS, 1, count)
        assert _divided(rows) is rows, f"{count} partitions leave few cores idle"
    for count in (1, 2, 5):
        divided = _divided(session.range(0, ROWS, 1, count))
        assert divided.columns == ["id"], divided.columns
        found = partitions(divided)
        assert len(found) == 4 * CORES, f"{count} partitions become {len(found)}, and not four for each core"
        assert sorted(sum(found, [])) == list(range(ROWS)), "each row is there once"
        assert all(part == sorted(part) for part in found), "rows keep their order"
        sizes = [len(part) for part in found]
        assert max(sizes) < 2 * min(sizes), f"partitions have {sizes} rows"
        assert partitions(_divided(session.range(0, ROWS, 1, count))) == found, "a repeated run has the same partitions"
    # Spark chooses these partitions only when the stage before has run.
    for is_adaptive in (True, False):
        session.conf.set("spark.sql.adaptive.enabled", is_adaptive)
        session.conf.set("spark.sql.shuffle.partitions", 5)
        few = session.range(0, ROWS, 1, 5)
        resilient = session.sparkContext.parallelize(range(ROWS), 5).map(lambda number: (number,))
        for shuffled in (
            few.groupBy((functions.col("id") % 7).alias("id")).count(),
            few.orderBy("id"),
            few.orderBy("id").cache(),
            few.orderBy("id").limit(9),
            # One partition is sorted without a shuffle.
            session.range(0, ROWS, 1, 1).orderBy(-functions.col("id")).selectExpr("id + 1 AS id"),
            resilient.sortBy(lambda row: -row[0]).toDF("id long"),
        ):
            assert _divided(shuffled) is shuffled, shuffled
        named = session.createDataFrame([(number, "") for number in range(ROWS)], "id long, name string").coalesce(1)
        # A limit takes the rows into one partition that nobody has chosen.
        for plain in (few.limit(150), named.where("name <> 'Exchange'").select("id")):
            assert _divided(plain).rdd.getNumPartitions() == 4 * CORES, plain
    session.conf.set("spark.sql.adaptive.enabled", True)
    stream = session.readStream.format("rate").load()
    assert _divided(stream) is stream


def check_names(session: SparkSession) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as cells:
        cells.write('version: 1\ncells:\n  A:\n    layout: {type: node, id: box, calculatedSize: [1, "{h}"]}\n')
        cells.flush()
        options = {"cells": cells.name, "width": 100, "columns": ["height"]}
        texts = session.createDataFrame([('{"h": 7}', 8)], ["a.text", "a`number"])
        fields = session.createDataFrame([(9, 1, 2)], ["h", "a.b", "a`b"])
        assert layout(texts, row="a.text", keep=["a`number"], **options).first() == (7, 8)
        assert layout(fields, **options).first() == (9,), "rows have columns of any name"
        twice = session.createDataFrame([(9, 1, 2)], ["h", "s", "s"])
        expect_refusal('two columns of the rows have the name "s"', twice, options)
        twice = session.sql("select 9 as h, named_struct('x', 1, 'x', 2) as s")
        expect_refusal('column "s" has two members of the name "x"; give one of them another name', twice, options)


def check_types(session: SparkSession) -> None:
    kinds = {
        "X'00'": ("s", "binary"),
        "interval 1 day": ("s", "interval day"),
        "interval 1 year": ("s", "interval year"),
        "named_struct('a', array(map('k', X'00')))": ("s.a", "binary"),
    }
    if hasattr(pyspark.sql.types, "VariantType"):
        kinds["parse_json('1')"] = ("s", "variant")
    for value, (path, kind) in kinds.items():
        fields = session.sql(f"select 9 as h, {value} as s")
        expect_refusal(f'column "{path}" has values of type {kind}: they have no JSON form', fields, {"cells": "", "width": 100})


    year = session.sql("select '{}' as json, interval 1 year as s")
    options = {"cells": "", "width": 100, "row": "json", "keep": ["s"]}
    expect_refusal('column "s" has values of type interval year: Spark cannot send them to Python', year, options)


def expect_refusal(message: str, rows: DataFrame, options: dict[str, object]) -> None:
    try:
        layout(rows, **options)
    except WrongUse as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"no error says: {message}")


def main() -> None:
    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        check(session)
        check_names(session)
        check_types(session)
    finally:
        session.stop()
    print("spark: rows in 1, 2 and 5 partitions are divided into 16 for 4 cores; others stay as they are")


main()
