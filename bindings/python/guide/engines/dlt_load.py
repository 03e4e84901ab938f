import dlt

import vitalwire.dlt
from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
source = vitalwire.dlt.source(
    credentials, ["daily", "sleeps"], "2025-11-01", "2025-11-20"
)
destination = dlt.destinations.duckdb("cohort.duckdb")
pipeline = dlt.pipeline("study", destination=destination, dataset_name="study")
pipeline.run(source).raise_on_failed_jobs()
with pipeline.sql_client() as client:
    print(client.execute_sql('SELECT count(*), count(DISTINCT "user") FROM daily'))
