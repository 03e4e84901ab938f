"""Conversion of tables to pyarrow, polars and pandas, which are imported on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-not-found,unused-ignore]
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    from vitalwire import Table


def _package(name: str, method: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{method} needs {name}: pip install {name}", name=name) from error


def to_arrow(table: Table) -> pyarrow.Table:
    """Converts a table to a `pyarrow.Table` that shares its memory."""
    arrow: pyarrow.Table = _package("pyarrow", "to_arrow").table(table)
    return arrow


def to_polars(table: Table) -> polars.DataFrame:
    """Converts a table to a `polars.DataFrame` that shares its memory."""
    frame: polars.DataFrame = _package("polars", "to_polars").DataFrame(table)
    return frame


def to_pandas_arrow(table: Table, lists: bool) -> pandas.DataFrame:
    """Converts a table to a `pandas.DataFrame` of Arrow types that shares its memory."""
    package = _package("pandas", "to_pandas")
    arrow = _package("pyarrow", 'to_pandas(dtype_backend="pyarrow")').table(table)
    if not lists:
        arrow = arrow.select([name for name, kind in table.kinds.items() if kind != "text_list"])
    frame: pandas.DataFrame = arrow.to_pandas(types_mapper=package.ArrowDtype)
    return frame


def to_pandas(table: Table, lists: bool) -> pandas.DataFrame:
    """Converts a table to a `pandas.DataFrame` of numpy types that shares no memory with the table."""
    package = _package("pandas", "to_pandas")
    numpy = _package("numpy", "to_pandas")
    # No other object refers to the bytearrays, so the frame needs no copy.
    (_, names, block), others = table._parts(lists)  # type: ignore[attr-defined]
    numbers = numpy.frombuffer(block, numpy.float64).reshape(len(names), len(table)).T
    frame: pandas.DataFrame = package.DataFrame(numbers, columns=names, copy=False)
    for place, name, kind, nullable, data, mask in others:
        frame.insert(place, name, _column(package, numpy, kind, nullable, data, mask))
    if not names:
        # Rebuilds the index: names inserted into an empty index have the type `object` instead of pandas' string type.
        frame.columns = package.Index(list(frame.columns))
    return frame


def _column(pandas: Any, numpy: Any, kind: str, nullable: bool, data: Any, mask: Any) -> Any:
    if kind == "instant":
        return pandas.DatetimeIndex(numpy.frombuffer(data, mask), copy=False).tz_localize("UTC")
    if kind == "local_time":
        return numpy.frombuffer(data, mask)
    if kind == "integer":
        values = numpy.frombuffer(data, numpy.int64)
        return pandas.arrays.IntegerArray(values, numpy.frombuffer(mask, numpy.bool_)) if nullable else values
    if kind == "boolean":
        values = numpy.frombuffer(data, numpy.bool_)
        return pandas.arrays.BooleanArray(values, numpy.frombuffer(mask, numpy.bool_)) if nullable else values
    if kind == "text" and int(pandas.__version__.partition(".")[0]) >= 3:
        return pandas.array(data, dtype="str")
    values = numpy.empty(len(data), object)
    values[:] = data
    return values
