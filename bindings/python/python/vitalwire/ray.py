"""Returns cohorts as Ray datasets.

    import vitalwire.ray
    from vitalwire.cohort import RateLimits, UserCredentials

    credentials = UserCredentials.from_application_key(ids, application_id=7, key_file="/etc/study/key")
    days = vitalwire.ray.read("daily", credentials, "2025-01-01", "2025-06-30", rate_limits=RateLimits(per_second=20))
"""

from __future__ import annotations

import datetime
import functools
import os
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
import ray.data  # type: ignore[import-untyped,import-not-found,unused-ignore]
from ray.data.block import BlockMetadata  # type: ignore[import-untyped,import-not-found,unused-ignore]
from ray.data.datasource import Datasource, ReadTask  # type: ignore[import-untyped,import-not-found,unused-ignore]

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
    """Returns a table of a cohort as a Ray dataset. Sends no request before the dataset is executed. Read tasks stream their blocks.

    Tasks contain no token and no key. Workers read the file of users, or the key.

    columns: Names of the columns besides `user`. Other statistics are not requested, so days and hours without a value of these statistics
    have no row. Defaults to all that this release knows.

    rate_limits: Limits on the requests of all tasks together. Defaults to 16 requests in flight.

    tasks: Maximum number of tasks. There are never more than users, requests per second, or requests in flight. Defaults to 8.

    failures: Folder for the failures of users, on storage that all workers share. By default, the first failure fails the execution.
    """
    whole = plan(credentials, table, first, last)
    parts = divide(table, whole, credentials, settings, columns, rate_limits, tasks, failures)
    return ray.data.read_datasource(_Source(table, parts), override_num_blocks=len(parts))


class _Source(Datasource):  # type: ignore[misc,unused-ignore]
    """Ray data source with one read task for each task of a cohort."""

    def __init__(self, table: str, parts: list[Task]) -> None:
        super().__init__()
        self._table, self._parts = table, parts

    def get_name(self) -> str:
        """Returns the name in progress bars."""
        return f"Vitalwire {self._table}"

    def estimate_inmemory_data_size(self) -> int | None:
        """Returns `None`, because the size is unknown."""
        return None

    def get_read_tasks(self, *_arguments: object, **_keywords: object) -> list[ReadTask]:
        """Returns a read task for each task. Ignores the requested parallelism, because more tasks would exceed the rate limits."""
        meta = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        return [ReadTask(functools.partial(_tables, part), meta, schema=part.schema) for part in self._parts]


def _tables(task: Task) -> Iterator[pyarrow.Table]:
    for batch in task.batches():
        yield pyarrow.Table.from_batches([batch])
