"""Loads the table `sleeps` of a file of users into a folder, with dlt or a stream of Spark. A test kills it and starts it again.

Usage: interrupted.py dlt|spark USERS_FILE BASE_URL FOLDER
"""

from __future__ import annotations

import json
import pathlib
import sys

import cohort_service

#: Maximum number of requests per second. A run takes long enough to kill it.
RATE = 40


def load_with_dlt(users_file: str, base_url: str, folder: pathlib.Path) -> None:
    """Runs a pipeline to a DuckDB database."""
    import dlt

    import vitalwire.dlt
    from vitalwire import cohort

    credentials, settings = cohort.UserCredentials.from_file(users_file), cohort.Settings(base_url, proxy="none")
    limits = cohort.RateLimits(per_second=RATE)
    destination = dlt.destinations.duckdb(str(folder / "cohort.duckdb"))
    pipeline = dlt.pipeline("study", destination=destination, dataset_name="study", pipelines_dir=str(folder / "pipelines"))
    source = vitalwire.dlt.source(credentials, "sleeps", cohort_service.FIRST, cohort_service.LAST, settings, rate_limits=limits)
    pipeline.run(source).raise_on_failed_jobs()


def load_with_spark(users_file: str, base_url: str, folder: pathlib.Path) -> None:
    """Runs a streaming query to Parquet files until all days are loaded."""
    from pyspark.sql import SparkSession

    import vitalwire.spark

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    vitalwire.spark.register(spark)
    options = {"users_file": users_file, "base_url": base_url, "proxy": "none", "per_second": str(RATE)}
    rows = spark.readStream.format("vitalwire").options(table="sleeps", first=cohort_service.FIRST, last=cohort_service.LAST, **options).load()
    writer = rows.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    writer.trigger(availableNow=True).start(str(folder / "rows")).awaitTermination()
    # A killed run leaves files that do not belong to the rows; Spark's log in the folder lists the others.
    keys = spark.read.parquet(str(folder / "rows")).select("user", "sleep_id").collect()
    (folder / "keys.json").write_text(json.dumps([list(row) for row in keys]))
    spark.stop()


if __name__ == "__main__":
    loads = {"dlt": load_with_dlt, "spark": load_with_spark}
    loads[sys.argv[1]](sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]))
