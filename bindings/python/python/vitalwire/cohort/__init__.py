"""Cohorts: the data of many users, planned, read within one request budget, and exported.

    from vitalwire import cohort

    people = cohort.People.from_file("people.csv")
    plan = cohort.plan(people, ["daily", "sleeps"], "2025-01-01", "2025-06-30")
    with cohort.read(plan, people, cohort.Settings("https://health.example.org")) as reader:
        for table in reader:
            print(table)
        print(reader.failures)

A plan contains no secret, so it can be stored or sent to other machines. `People` keeps credentials, and is pickled as a path or as the
name of a key. The first column of each table is `user`. A failing user becomes a `UserFailure` and does not stop the others.

`vitalwire.polars`, `vitalwire.dlt`, `vitalwire.spark`, `vitalwire.dask` and `vitalwire.ray` read cohorts in these engines.
"""

from vitalwire.cohort._export import ExportProgress, Summary, TableChanges, aexport, export, open_dataset
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import Plan, TableName, WorkItem, plan
from vitalwire.cohort._reader import AsyncReader, Reader, UserFailure, aread, read

__all__ = [
    "AsyncReader",
    "Budget",
    "ExportProgress",
    "People",
    "Plan",
    "Reader",
    "Settings",
    "Summary",
    "TableChanges",
    "TableName",
    "UserFailure",
    "WorkItem",
    "aexport",
    "aread",
    "export",
    "open_dataset",
    "plan",
    "read",
]
