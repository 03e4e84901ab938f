import pathlib

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import vitalwire.spark

spark = SparkSession.builder.master("local[2]").getOrCreate()
vitalwire.spark.register(spark)
options = {
    "users_file": pathlib.Path("users.csv").absolute(),
    "per_second": 20,
    "tasks": 2,
}
reader = spark.read.format("vitalwire").options(**options)
days = reader.options(table="daily", first="2025-11-01", last="2025-11-20").load()
recent = days.filter(col("date") >= "2025-11-19")  # Requests two days.
recent.select("user", "date", "steps").orderBy("user", "date").show()
spark.stop()
