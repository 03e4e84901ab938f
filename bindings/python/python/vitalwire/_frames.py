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
    names, (places, block), others = table._parts(lists)  # type: ignore[attr-defined]
    numbers = numpy.frombuffer(block, numpy.float64).reshape(len(places), len(table))
    columns = {place: _column(package, numpy, *parts) for place, *parts in others}
    index = package.Index(names)
    try:
        from pandas.api.internals import create_dataframe_from_blocks  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:  # before pandas 3
        frame: pandas.DataFrame = package.DataFrame(numbers.T, columns=index[places], copy=False)
        for place, column in columns.items():
            frame.insert(place, names[place], column)
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
    if kind == "text" and int(pandas.__version__.partition(".")[0]) >= 3:
        return pandas.array(data, dtype="str")
    values = numpy.empty(len(data), object)
    values[:] = data
    return values
