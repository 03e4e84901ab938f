"""Reads and exports the data of many users within a request budget.

    from vitalwire import cohort

    people = cohort.People.from_file("people.csv")
    plan = cohort.plan(people, ["daily", "sleeps"], "2025-01-01", "2025-06-30")
    with cohort.read(plan, people, cohort.Settings("https://health.example.org")) as reader:
        for table in reader:
            print(table)
        print(reader.failures)

A plan contains no secret, so it can be stored or sent to other machines. `People` has the users' credentials; its pickles contain only the
path of the file, or the name of the application key. The first column of each table is `user`. If a user cannot be read, the reader adds a
`UserFailure` and continues with the other users.

`vitalwire.polars`, `vitalwire.dlt`, `vitalwire.spark`, `vitalwire.dask` and `vitalwire.ray` read cohorts with these libraries.
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
