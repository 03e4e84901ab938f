"""Cohorts as Dask data frames.

    import vitalwire.dask
    from vitalwire.cohort import Budget, People

    people = People.from_key_file(ids, application_id=7, key_file="/etc/study/key")
    frame = vitalwire.dask.read("daily", people, "2025-01-01", "2025-06-30", budget=Budget(per_second=20))
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable
from typing import Any

import dask.dataframe  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import TableName, plan
from vitalwire.cohort._tasks import TASKS, Task, divide

__all__ = ["read"]


def read(
    table: TableName,
    people: People,
    first: datetime.date | str,
    last: datetime.date | str,
    settings: Settings | None = None,
    *,
    columns: Iterable[str] | None = None,
    budget: Budget | None = None,
    tasks: int = TASKS,
    failures: str | os.PathLike[str] | None = None,
) -> Any:
    """Returns a table of a cohort as a Dask data frame of Arrow types. Nothing is requested before it is computed.

    The graph contains no token and no key: workers read the file of `people`, or the key that it names.

    columns: Names of the columns besides `user`. Other statistics are not requested, so days and hours without a value of these have no
    row. Defaults to all.

    budget: Limits on the requests of all tasks together. Defaults to 16 requests at a time.

    tasks: Maximum number of partitions. It is at most the number of users, of requests a second, and of requests at a time.

    failures: Folder for users whose rows could not be read, on storage that all workers share. Without it, the first failure ends the
    computation.
    """
    named = None if columns is None else tuple(columns)
    whole = plan(people, table, first, last)
    parts = divide(whole, people, settings, columns=named, budget=budget, tasks=tasks, failures=failures)
    return dask.dataframe.from_map(_frame, parts, meta=_pandas(parts[0].schema.empty_table()), label=f"vitalwire-{table}")


def _frame(task: Task) -> pandas.DataFrame:
    return _pandas(pyarrow.Table.from_batches(task.batches(), task.schema))


def _pandas(table: pyarrow.Table) -> pandas.DataFrame:
    frame: pandas.DataFrame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    return frame
