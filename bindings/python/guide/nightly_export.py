import sys

from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
limits = cohort.RateLimits(per_second=20, in_flight=8)
tables: list[cohort.TableName] = ["daily", "sleeps", "sleep_stages"]
due = cohort.plan_export(
    credentials, tables, "2025-11-01", "2025-11-20", "study", rate_limits=limits
)
summary = cohort.export(due, credentials, "study", rate_limits=limits, resume=True)
added = sum(changes.added for changes in summary.tables.values())
print(f"{added} rows added until {summary.last_day}, {summary.failures} failures")
for reason in summary.reasons:
    print(reason.count, reason.kind, reason.message, file=sys.stderr)
sys.exit(1 if summary.failures else 0)
