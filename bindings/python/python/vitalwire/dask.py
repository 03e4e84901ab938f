"""Returns cohorts as Dask data frames.

    import vitalwire.dask
    from vitalwire.cohort import RateLimits, UserCredentials

    credentials = UserCredentials.from_application_key(ids, application_id=7, key_file="/etc/study/key")
    frame = vitalwire.dask.read("daily", credentials, "2025-01-01", "2025-06-30", rate_limits=RateLimits(per_second=20))
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable
from typing import Any

import dask.dataframe  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire._native import RateLimits, Settings, UserCredentials, plan
from vitalwire.cohort._columns import TableName
from vitalwire.cohort._tasks import TASKS, Task, divide

__all__ = ["read"]


def read(
    table: TableName,
    credentials: UserCredentials,
    first: datetime.date | str,
    last: datetime.date | str,
    settings: Settings | None = None,
    *,
    columns: Iterable[str] | None = None,
    rate_limits: RateLimits | None = None,
    tasks: int = TASKS,
    failures: str | os.PathLike[str] | None = None,
) -> Any:
    """Returns a table of a cohort as a Dask data frame of Arrow types. Sends no request before the data frame is computed.

    The graph contains no token and no key. Workers read the file of users, or the key.

    columns: Names of the columns besides `user`. Other statistics are not requested, so days and hours without a value of these statistics
    have no row. Defaults to all that this release knows.

    rate_limits: Limits on the requests of all tasks together. Defaults to 16 requests in flight.

    tasks: Maximum number of partitions. There are never more than users, requests per second, or requests in flight. Defaults to 8.

    failures: Folder for the failures of users, on storage that all workers share. By default, the first failure fails the computation.
    """
    whole = plan(credentials, table, first, last)
    parts = divide(table, whole, credentials, settings, columns, rate_limits, tasks, failures)
    return dask.dataframe.from_map(_frame, parts, meta=_pandas(parts[0].schema.empty_table()), label=f"vitalwire-{table}")


def _frame(task: Task) -> pandas.DataFrame:
    return _pandas(pyarrow.Table.from_batches(task.batches(), task.schema))


def _pandas(table: pyarrow.Table) -> pandas.DataFrame:
    frame: pandas.DataFrame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    return frame
