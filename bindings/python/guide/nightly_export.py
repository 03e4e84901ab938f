import sys

from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
# --8<-- [start:settings]
limits = cohort.RateLimits(per_second=20, in_flight=8)
settings = cohort.Settings(timeout=20, max_retries=3, user_agent="study/1.0")
# --8<-- [end:settings]
tables: list[cohort.TableName] = ["daily", "sleeps", "sleep_stages"]
first, last = "2025-11-01", "2025-11-20"
due = cohort.plan_export(
    credentials, tables, first, last, "study", settings, rate_limits=limits
)
summary = cohort.export(
    due, credentials, "study", settings, rate_limits=limits, resume=True
)
added = sum(changes.added for changes in summary.tables.values())
print(f"{added} rows added until {summary.last_day}, {summary.failures} failures")
for reason in summary.reasons:
    print(reason.count, reason.kind, reason.message, file=sys.stderr)
sys.exit(1 if summary.failures else 0)
