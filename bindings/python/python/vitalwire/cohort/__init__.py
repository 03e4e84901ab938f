"""Reads and exports the data of many users within rate limits.

    from vitalwire import cohort

    credentials = cohort.UserCredentials.from_file("users.csv")
    plan = cohort.plan(credentials, ["daily", "sleeps"], "2025-01-01", "2025-06-30")
    with cohort.read(plan, credentials, cohort.Settings("https://health.example.org")) as reader:
        for table in reader:
            print(table)
        print(reader.failures)

A plan contains no secret, so it can be stored or sent to other machines. `UserCredentials` has the users' credentials; its pickles contain
only the path of the file, or the name of the application key. The first column of each table is `user`. If a user cannot be read, the
reader adds a `Failure` and continues with the other users.

`vitalwire.polars`, `vitalwire.dlt`, `vitalwire.spark`, `vitalwire.dask` and `vitalwire.ray` read cohorts with these libraries.
"""

from vitalwire._native import (
    Changes, ExportProgress, Failure, FailureReason, Plan, RateLimits, RemovedUser, Settings, Summary, SyncStates, UserCredentials,
    WorkItem, aexport, aplan_export, aread, export, failures, plan, plan_export, read, remove_user, repair,
)
from vitalwire._native import _cohort_verify as verify
from vitalwire.cohort._columns import TableName, open_dataset
from vitalwire.cohort._reader import AsyncReader, Reader

__all__ = [
    "AsyncReader", "Changes", "ExportProgress", "Failure", "FailureReason", "Plan", "RateLimits", "Reader", "RemovedUser", "Settings",
    "Summary", "SyncStates", "TableName", "UserCredentials", "WorkItem", "aexport", "aplan_export", "aread", "export", "failures",
    "open_dataset", "plan", "plan_export", "read", "remove_user", "repair", "verify",
]
