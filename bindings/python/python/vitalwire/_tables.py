"""Tables of several people as one."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from vitalwire._errors import invalid_type
from vitalwire._native import MergedRange, Night, SleepRecord, Table

#: Default table of nights, with a row for each.
_SLEEPS = "sleeps"


def concat(tables: Mapping[Any, Any], key: str = "user", *, table: str | None = None) -> Table:
    """Joins the tables of several people, with a column that states the person of each row.

    Columns that only some of the tables have are missing in the rows of the others. Kinds, units and descriptions of columns are kept.

    tables: A `Table`, a response, a list of nights, a `MergedRange`, a range call or a night search for each person, by the value of the new
    column, such as `{"anna": days, "ben": others}`. Ranges are requested one after the other.

    key: Name of the new column, which is the first.

    table: Name of the table of responses and ranges. Defaults to their first table.
    """
    if not isinstance(tables, Mapping):
        raise invalid_type("tables", "a mapping of names to tables, such as {'anna': table}")
    joined: Table = Table._concat([(str(name), _as_table(each, table)) for name, each in tables.items()], key)  # type: ignore[attr-defined]
    return joined


def _as_table(value: Any, name: str | None = None) -> Table:
    """Returns a table, or the table of a response or range. Warns if parts of a range failed."""
    if isinstance(value, Table):
        return value
    if isinstance(value, MergedRange):
        if value.failures:
            warnings.warn(f"{len(value.failures)} parts of the range failed; coverage() shows them", RuntimeWarning, stacklevel=3)
        return _as_table(value.response, name)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (Night, SleepRecord)) for item in value):
        nights = [item.sleep if isinstance(item, Night) else item for item in value]
        rows: Table = Table._concat([(None, night.table(name or _SLEEPS)) for night in nights], "")  # type: ignore[attr-defined,arg-type]
        return rows
    read = getattr(value, "table", None)
    if read is None:
        raise invalid_type("tables", f"tables, responses or ranges, not {type(value).__name__}")
    found = read(name)
    if not isinstance(found, Table):
        if hasattr(found, "close"):
            found.close()
        raise invalid_type("tables", "tables; await the table of an AsyncClient first")
    return found
