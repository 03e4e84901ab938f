    {def} table(self, name: str | None = None) -> Table:
        """The table of `collect_table`. Where parts failed and were left out, a `RuntimeWarning` says so."""

    {def} to_arrow(self, table: str | None = None, *, tz: _Zone | None = None, time_unit: _TimeUnit | None = None) -> _pyarrow.Table:
        """`table().to_arrow()`."""

    {def} to_polars(self, table: str | None = None, *, tz: _Zone | None = None, time_unit: _TimeUnit | None = None) -> _polars.DataFrame:
        """`table().to_polars()`."""

    {def} to_pandas(
        self,
        table: str | None = None,
        *,
        dtype_backend: _Literal["pyarrow"] | None = None,
        tz: _Zone | None = None,
        time_unit: _TimeUnit | None = None,
        lists: bool = False,
    ) -> _pandas.DataFrame:
        """`table().to_pandas()`."""

    {def} to_dict(self, table: str | None = None, *, tz: _Zone | None = None) -> dict[str, list[object]]:
        """`table().to_dict()`."""

{stream}