import duckdb

from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
due = cohort.plan_export(credentials, "daily", "2025-01-01", "2025-12-31", "study")
limits = cohort.RateLimits(per_second=100)
summary = cohort.export(due, credentials, "study", rate_limits=limits, resume=True)
days = summary.tables["daily"]
print(days.added, "rows added,", days.removed, "removed,", summary.failures, "failures")

query = """
    SELECT "user", count(*) AS days, round(avg(steps)) AS steps
    FROM 'study/table=daily/*/*.parquet' GROUP BY "user" ORDER BY "user\""""
print(duckdb.sql(query))
