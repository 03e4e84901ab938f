"""Columns of tables and frames, split by person."""

from __future__ import annotations

from vitalwire._errors import invalid_value
from vitalwire._native import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    #: Values by column name, `None` for missing ones.
    _Columns: TypeAlias = dict[str, list[Any]]

#: Default name of the column of people in `vitalwire.concat`, and its name in cohorts.
_USER = "user"


def is_frame(source: Any) -> bool:
    """Whether an object is a DataFrame of pandas or polars. Neither is imported here."""
    return hasattr(source, "columns") and (hasattr(source, "to_series") or hasattr(source, "iloc"))


def read_columns(source: Any) -> _Columns:
    """Returns the columns of a table or a frame. An index of pandas with a name or several levels is one or several columns too."""
    if not is_frame(source) or hasattr(source, "to_series"):
        found = source.to_dict() if isinstance(source, Table) else source.to_dict(as_series=False)
        return {name: [None if value != value else value for value in values] for name, values in found.items()}
    frame = source.reset_index() if source.index.nlevels > 1 or source.index.name is not None else source
    columns: _Columns = frame.astype(object).where(frame.notna(), None).to_dict("list")
    return columns


def find_key(source: Any, columns: _Columns, table: str) -> str | None:
    """Returns the column of people, if there is one: that of `concat`, `user`, or a first column of texts that the table does not declare."""
    if isinstance(source, Table):
        key: str | None = source._key()  # type: ignore[attr-defined]
        return key
    if _USER in columns:
        return _USER
    first = next(iter(columns), None)
    if first is None or first in Table._declared(table) or not columns[first]:  # type: ignore[attr-defined]
        return None
    return first if all(isinstance(value, str) for value in columns[first]) else None


def split(columns: _Columns, *keys: str | None) -> dict[tuple[str, ...], _Columns]:
    """Returns the rows of each combination of values in the columns `keys`, in order of appearance. `None` is a key without a value."""
    rows: dict[tuple[str, ...], list[int]] = {}
    count = len(next(iter(columns.values()), ()))
    parts: list[Sequence[object]] = [columns[key] if key else [""] * count for key in keys]
    for at, values in enumerate(zip(*parts)):
        rows.setdefault(tuple("" if value is None else str(value) for value in values), []).append(at)
    others = {name: values for name, values in columns.items() if name not in keys}
    return {values: {name: [column[at] for at in places] for name, column in others.items()} for values, places in rows.items()}


def check_days(argument: str, columns: _Columns) -> None:
    """Raises `InvalidArgumentError` if a person has several rows for a date, because the rows are then those of several people."""
    dates = [date for date in columns["date"] if date is not None]
    if len(set(dates)) < len(dates):
        raise invalid_value(argument, "must have one row for each day of a person; name the column of people `user`, or make it the first")
