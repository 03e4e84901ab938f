"""Conversion of tables to pyarrow, polars and pandas, which are imported on first use."""

from __future__ import annotations

import errno
import importlib
import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-not-found,unused-ignore]
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    from vitalwire import Table


#: Microseconds in each unit of durations.
_MICROSECONDS = {"ms": 1_000.0, "s": 1e6, "min": 60e6, "h": 3_600e6}


def _package(name: str, method: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{method} needs {name}: pip install {name}", name=name) from error


def to_arrow(table: Table) -> pyarrow.Table:
    """Converts a table to a `pyarrow.Table` that shares its memory."""
    arrow: pyarrow.Table = _package("pyarrow", "to_arrow").table(table)
    return arrow


def to_polars(table: Table, durations: bool) -> polars.DataFrame:
    """Converts a table to a `polars.DataFrame` that shares its memory. `durations` converts durations to `polars.Duration`."""
    package = _package("polars", "to_polars")
    frame: polars.DataFrame = package.DataFrame(table)
    units = _durations(table) if durations else {}
    duration = package.Duration("us")
    converted = [(package.col(name) * _MICROSECONDS[unit]).round().cast(package.Int64).cast(duration) for name, unit in units.items()]
    return frame.with_columns(converted) if converted else frame


def to_pandas_arrow(table: Table, lists: bool | None, durations: bool, _has_unit: bool) -> pandas.DataFrame:
    """Converts a table to a `pandas.DataFrame` of Arrow types that shares its memory."""
    package = _package("pandas", "to_pandas")
    pyarrow = _package("pyarrow", 'to_pandas(dtype_backend="pyarrow")')
    compute = _package("pyarrow.compute", "to_pandas")
    arrow = pyarrow.table(table)
    arrow = arrow.select(_columns(table, lists))
    for name, unit in (_durations(table) if durations else {}).items():
        at = arrow.schema.get_field_index(name)
        microseconds = compute.round(compute.multiply(arrow[name], _MICROSECONDS[unit])).cast(pyarrow.int64())
        arrow = arrow.set_column(at, name, microseconds.cast(pyarrow.duration("us")))
    frame: pandas.DataFrame = arrow.to_pandas(types_mapper=package.ArrowDtype)
    return _with_attributes(frame, table, durations)


def _columns(table: Table, lists: bool | None) -> list[str]:
    """Returns the columns of a frame. Lists are included on request, and by default if there are any."""
    if lists is None:
        lists = _has_lists(table)
    return [name for name, kind in table.kinds.items() if kind != "text_list" or lists]


def _has_lists(table: Table) -> bool:
    return any(kind == "text_list" and table._has_values(name) for name, kind in table.kinds.items())  # type: ignore[attr-defined]


def _durations(table: Table) -> dict[str, str]:
    found: dict[str, str] = table._durations()  # type: ignore[attr-defined]
    return found


def _with_attributes(frame: pandas.DataFrame, table: Table, durations: bool) -> pandas.DataFrame:
    """Adds the units and the name of the table, which pandas keeps in most operations. Durations have no unit."""
    left_out = _durations(table) if durations else {}
    units = {name: unit for name, unit in table.units.items() if name in frame.columns and name not in left_out}
    frame.attrs = {"table": table.name, "units": units}
    return frame


def to_pandas(table: Table, lists: bool | None, durations: bool, has_unit: bool) -> pandas.DataFrame:
    """Converts a table to a `pandas.DataFrame` of numpy types that shares no memory with the table. `has_unit` keeps the unit of times."""
    package = _package("pandas", "to_pandas")
    numpy = _package("numpy", "to_pandas")
    if lists is None:
        lists = _has_lists(table)
    # No other object refers to the bytearrays, so the frame needs no copy.
    names, (places, block), others = table._parts(lists)  # type: ignore[attr-defined]
    numbers = numpy.frombuffer(block, numpy.float64).reshape(len(places), len(table))
    columns = {place: _column(package, numpy, *parts) for place, *parts in others}
    if not has_unit and _major(package) < 3:
        times = {place for place, kind, *_ in others if kind in ("instant", "local_time")}
        columns = {place: _in_nanoseconds(package, column) if place in times else column for place, column in columns.items()}
    frame = _frame(package, numpy, table, names, places, numbers, columns)
    for name, unit in (_durations(table) if durations else {}).items():
        counts = frame[name].to_numpy(numpy.float64, na_value=numpy.nan) * _MICROSECONDS[unit]
        times = numpy.full(len(counts), "NaT", "timedelta64[us]")
        times[~numpy.isnan(counts)] = numpy.rint(counts[~numpy.isnan(counts)]).astype("timedelta64[us]")
        frame[name] = times
    return _with_attributes(frame, table, durations)


def _frame(package: Any, numpy: Any, table: Table, names: Any, places: Any, numbers: Any, columns: Any) -> pandas.DataFrame:
    """Returns a frame of number columns and other columns by place, without a copy."""
    index = package.Index(names)
    try:
        from pandas.api.internals import create_dataframe_from_blocks  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:  # before pandas 3
        frame: pandas.DataFrame = package.DataFrame(numbers.T, columns=index[places], copy=False)
        for place, column in columns.items():
            frame.insert(place, names[place], column)
        if not places:
            # Rebuilds the index: names inserted into an empty index have the type `object` instead of pandas' string type.
            frame.columns = package.Index(list(frame.columns))
        return frame
    blocks = [(_block(numpy, column), numpy.array([place])) for place, column in columns.items()]
    if places:
        blocks.append((numbers, numpy.array(places)))
    frame = create_dataframe_from_blocks(blocks, package.RangeIndex(len(table)), index)
    return frame


def _block(numpy: Any, column: Any) -> Any:
    """Returns a column as a block of pandas: numpy arrays have two dimensions."""
    return column.reshape(1, -1) if isinstance(column, numpy.ndarray) else column


def _column(pandas: Any, numpy: Any, kind: str, nullable: bool, data: Any, mask: Any) -> Any:
    if kind == "instant":
        return pandas.DatetimeIndex(numpy.frombuffer(data, mask), tz="UTC", copy=False).array
    if kind == "local_time":
        return numpy.frombuffer(data, mask)
    if kind == "integer":
        values = numpy.frombuffer(data, numpy.int64)
        return pandas.arrays.IntegerArray(values, numpy.frombuffer(mask, numpy.bool_)) if nullable else values
    if kind == "boolean":
        values = numpy.frombuffer(data, numpy.bool_)
        return pandas.arrays.BooleanArray(values, numpy.frombuffer(mask, numpy.bool_)) if nullable else values
    if kind == "text" and _major(pandas) >= 3:
        return pandas.array(data, dtype="str")
    values = numpy.empty(len(data), object)
    values[:] = data
    return values


def _major(package: Any) -> int:
    return int(package.__version__.partition(".")[0])


def _in_nanoseconds(pandas: Any, times: Any) -> Any:
    """Returns times in nanoseconds, the default unit of pandas 2, or unchanged if they do not fit."""
    try:
        return pandas.DatetimeIndex(times).as_unit("ns").array
    except pandas.errors.OutOfBoundsDatetime:
        return times


def write_parquet(table: Table, path: str | os.PathLike[str] | Any) -> None:
    """Writes a table as a Parquet file, with the units of fields and the name of the table in its metadata."""
    _check_path(path)
    _package("pyarrow", "to_parquet")
    arrow = to_arrow(table)
    arrow = arrow.replace_schema_metadata({"vitalwire.table": table.name})
    write = _package("pyarrow.parquet", "to_parquet").write_table
    if isinstance(path, (str, os.PathLike)) and "://" not in os.fsdecode(path):
        with _create(path) as file:
            write(arrow, file)
    else:
        write(arrow, path)


def write_bytes(path: str | os.PathLike[str] | Any, content: bytes) -> None:
    """Writes bytes to a path or to a binary file."""
    if hasattr(path, "write"):
        path.write(content)
        return
    _check_path(path)
    with _create(path) as file:
        file.write(content)


def _create(path: str | os.PathLike[str]) -> BinaryIO:
    """Opens a file for writing. Only its owner can read a new file; an existing one keeps its mode."""
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600))


def trial_file(path: str | os.PathLike[str] | Any) -> io.BytesIO:
    """Returns a file for a trial of a path, before any request is sent. Raises `FileNotFoundError` if its folder does not exist."""
    _check_path(path)
    if isinstance(path, (str, os.PathLike)) and not os.path.isdir(os.path.dirname(os.fsdecode(path)) or os.curdir):
        raise FileNotFoundError(errno.ENOENT, "the folder of the file does not exist", os.fsdecode(path)[:100])
    return io.BytesIO()


def _check_path(path: Any) -> None:
    from vitalwire._arguments import check_text

    if isinstance(path, (str, os.PathLike)):
        check_text("path", os.fsdecode(path))
