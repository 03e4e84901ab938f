"""Tables of several people as one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from vitalwire import _progress
from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import AsyncNightSearch, NightResult, NightSearch, RangeCall, SleepRecord, Table

if TYPE_CHECKING:
    import datetime
    import zoneinfo

#: Default table of nights, with a row for each.
_SLEEPS = "sleeps"
#: Maximum number of characters of a key in a note.
_WIDTH = 40


def concat(
    tables: Mapping[Any, Any],
    key: str = "user",
    *,
    table: str | None = None,
    missing: Literal["row"] | None = None,
    tz: str | zoneinfo.ZoneInfo | datetime.timezone | Mapping[Any, str | zoneinfo.ZoneInfo | datetime.timezone | None] | None = None,
    progress: bool = False,
) -> Table:
    """Joins the tables of several people, with a column that states the person of each row.

    Columns that only some of the tables have are missing in the rows of the others. Kinds, units and descriptions of columns are kept.

    An error has a note with the key of the person, and the tables that were read before it in `error.tables`, by key. To continue without
    reading them again, pass them instead of their ranges: `concat({**ranges, **error.tables})`. To continue without the person, leave out
    the key.

    tables: A `Table`, a response, a list of nights, a `MergedRange`, a range call or a night search for each person, by the value of the new
    column, such as `{"anna": days, "ben": others}`. Ranges are requested one after the other.

    key: Name of the new column, which is the first.

    table: Name of the table of responses and ranges. Defaults to their first table.

    missing: `"row"` adds a row for each day without a sleep, which has only `sleep_date`. Only for night searches.

    tz: Time zone for additional columns with local times, as `Table.local_time` adds them. `"user"` requests each user's own time zone, of
    range calls and night searches. It may also be a time zone by key, such as `{"anna": "Europe/Berlin", "ben": "+02:00"}`.

    progress: Shows a progress bar over the people, with the key of the person that is read.
    """
    if not isinstance(tables, Mapping):
        raise invalid_type("tables", "a mapping of names to tables, such as {'anna': table}")
    if len({str(name) for name in tables}) < len(tables):
        raise invalid_value("tables", "must not have two keys with the same text")
    if missing not in (None, "row"):
        raise invalid_value("missing", "must be None or 'row'")
    if _is_table(key):
        raise invalid_value("key", "must not be the name of a table; pass the name as `table`")
    if not isinstance(progress, bool):
        raise invalid_value("progress", "must be True or False")
    if isinstance(tz, Mapping) and not tz.keys() >= tables.keys():
        raise invalid_value("tz", "must have a time zone for each key of tables")
    read: dict[str, Table] = {}
    rows = 0
    with _progress.people(len(tables), progress) as report:
        for name, value in tables.items():
            report(name, read, rows)
            with _naming(name, read):
                found = _as_table(value, table, missing)
                zone = _time_zone(value) if tz == "user" else tz[name] if isinstance(tz, Mapping) else tz
                read[str(name)] = found if zone is None else found.local_time(zone)
            rows += len(found)
        report(None, read, rows)
    joined: Table = Table._concat(list(read.items()), key)  # type: ignore[attr-defined]
    return joined


def _is_table(name: object) -> bool:
    try:
        Table._declared(name)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return False
    return True


@contextlib.contextmanager
def _naming(name: object, read: dict[str, Table]) -> Iterator[None]:
    """Adds the key of a person and the tables that were read before to an exception."""
    try:
        yield
    except BaseException as error:
        # Best effort: Python 3.10 has no notes, and exceptions of some classes do not accept attributes.
        with contextlib.suppress(AttributeError):
            error.add_note(f"the table of {json.dumps(str(name)[:_WIDTH], ensure_ascii=False)}")  # type: ignore[attr-defined,unused-ignore]
        with contextlib.suppress(AttributeError):
            error.tables = read  # type: ignore[attr-defined]
        raise


def _time_zone(value: Any) -> str:
    if not isinstance(value, (RangeCall, NightSearch)):
        raise invalid_value("tz", 'must be a time zone or map each key to one; "user" works only with range calls and night searches')
    zone: str = value._time_zone()  # type: ignore[union-attr]
    return zone


def _as_table(value: Any, name: str | None = None, missing: str | None = None) -> Table:
    """Returns a table, or the table of a response or range."""
    if isinstance(value, Table):
        return value
    options = {} if missing is None else {"missing": missing}
    if options and not isinstance(value, (NightSearch, AsyncNightSearch)):
        raise invalid_value("missing", "must be None unless all tables are night searches; pass the search instead of its result")
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (NightResult, SleepRecord)) for item in value):
        nights = [item.sleep if isinstance(item, NightResult) else item for item in value]
        rows: Table = Table._concat([(None, night.table(name or _SLEEPS)) for night in nights], "")  # type: ignore[attr-defined,arg-type]
        return rows
    read = getattr(value, "table", None)
    if read is None:
        raise invalid_type("tables", f"tables, responses or ranges, not {type(value).__name__}")
    found = read(name, **options)
    if not isinstance(found, Table):
        if hasattr(found, "close"):
            found.close()
        raise invalid_type("tables", "tables; await the table of an AsyncClient first")
    return found
