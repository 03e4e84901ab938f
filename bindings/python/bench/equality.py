"""Checks that two alternatives return the same values."""

from __future__ import annotations

import numpy as np
import pandas as pd


def frames(ours: pd.DataFrame, theirs: pd.DataFrame, measure: str) -> None:
    """Compares two tables of hourly statistics, regardless of their column types and prefixes.

    Raises `AssertionError` if a value differs.
    """
    theirs = theirs.rename(columns=lambda name: name.removeprefix("values."))
    assert len(ours) == len(theirs) > 0, f"{measure}: {len(ours)} rows beside {len(theirs)}"
    for name in ("from_timestamp", "to_timestamp"):
        assert (_instants(ours[name]) == _instants(theirs[name])).all(), f"{measure}: {name}"
    numbers = [name for name in theirs.columns if theirs[name].dtype == np.float64 and theirs[name].notna().any()]
    # The benchmark requests hourly statistics with 19 names.
    assert len(numbers) == 19, f"{measure}: {len(numbers)} columns of numbers"
    for name in numbers:
        assert np.array_equal(_numbers(ours[name]), _numbers(theirs[name]), equal_nan=True), f"{measure}: {name}"
    assert ("record_ids" in ours.columns) == ("record_ids" in theirs.columns), f"{measure}: only one has record_ids"
    if "record_ids" in ours.columns:
        pairs = zip(ours["record_ids"], theirs["record_ids"], strict=True)
        assert all(list(mine) == [str(each) for each in them] for mine, them in pairs), f"{measure}: record_ids"


def _numbers(column: pd.Series) -> np.ndarray:
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _instants(column: pd.Series) -> np.ndarray:
    return pd.to_datetime(column, utc=True).dt.as_unit("ns").astype("int64").to_numpy()
