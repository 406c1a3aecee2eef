"""Clusters of this machine, with two processes that lay out: Spark, Ray and Dask.

Each is a context that yields a function. It lays out the rows of Parquet files and writes the results to Parquet files, or
computes and drops them if there is no directory for them.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import galley

Run = Callable[..., None]


@contextmanager
def spark() -> Iterator[Run]:
    import pyspark
    from pyspark.sql import SparkSession

    # local-cluster starts its executors with the jars below SPARK_HOME. They reach the driver by the loopback address.
    os.environ.update(SPARK_HOME=os.path.dirname(pyspark.__file__), SPARK_LOCAL_IP="127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory(prefix="check-engines-") as directory:
        os.environ["SPARK_LOCAL_DIRS"] = directory
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        for name in ("GALLEY", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "CHECK_ENGINES"):
            builder = builder.config(f"spark.executorEnv.{name}", os.environ[name])
        # One file a partition, so that a killed executor has done some of them.
        session = builder.config("spark.sql.files.maxPartitionBytes", "4m").getOrCreate()
        session.sparkContext.setLogLevel("OFF")

        def run(rows: str, output: str | None, **options: object) -> None:
            writer = galley.spark.layout(session.read.parquet(rows), **options).write
            writer.parquet(output) if output else writer.format("noop").mode("overwrite").save()

        try:
            yield run
        finally:
            session.stop()
            # The logs and files of the executors.
            shutil.rmtree(os.path.join(os.environ["SPARK_HOME"], "work"), ignore_errors=True)


@contextmanager
def ray() -> Iterator[Run]:
    import ray

    environment = {name: os.environ[name] for name in ("GALLEY", "PYTHONPATH", "CHECK_ENGINES")}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(rows: str, output: str | None, **options: object) -> None:
        out = galley.ray.layout(ray.data.read_parquet(rows), **options)
        out.write_parquet(output) if output else [None for _ in out.iter_internal_ref_bundles()]

    try:
        yield run
    finally:
        ray.shutdown()


@contextmanager
def dask() -> Iterator[Run]:
    import dask.dataframe
    from distributed import Client, LocalCluster

    def run(rows: str, output: str | None, **options: object) -> None:
        out = galley.dask.layout(dask.dataframe.read_parquet(rows, split_row_groups=True), **options)
        out.to_parquet(output, write_index=False) if output else out.map_partitions(len).compute()

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster),
    ):
        yield run


CLUSTERS = {"spark": spark, "ray": ray, "dask": dask}
