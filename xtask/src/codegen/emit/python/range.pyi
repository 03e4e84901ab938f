@_final
class {prefix}Parts(_{prefix}Iterator[Part[_Answer, _Bound]], _Generic[_Answer, _Bound]):
    """The parts of {an} `{prefix}Range`, in order. Closing or dropping it ends what is on its way."""

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    @property
    def resume_token(self) -> ResumeToken | None:
        """A token for what was not handed out yet; `None` when nothing is left, and while a part is being read."""

    def close(self) -> None:
        """Ends what is on its way; its connections are closed. A part that another {reader} reads meanwhile ends in a `CancelledError`,
        which has the `resume_token`; later readings give no more parts.
        """

{aclose}    def __enter__(self) -> {prefix}Parts[_Answer, _Bound]: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __{iter}__(self) -> {prefix}Parts[_Answer, _Bound]: ...
    {def} __{next}__(self) -> Part[_Answer, _Bound]: ...

@_final
class {prefix}Range(_Generic[_Answer, _Bound]):
    """{range}, asked for in parts: nothing is asked before it is iterated, collected or read as a table, and each of
    these asks anew.

    It gives one `Part` after the other, in order. Several are asked for at once, as many as `concurrency` says; options of the call
    hold for each part: a timeout is a part's own.
    """

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    def __{iter}__(self) -> {prefix}Parts[_Answer, _Bound]: ...
    {def} collect(self) -> Merged[_Answer, _Bound]:
        """Every part as one answer: items in the order of the parts, without those that the part before had too.

        An error that ends it has `resume_token` for what was not read, and `so_far` for what was.
        """

    {def} collect_table(self, table: str | None = None) -> Merged[Table, _Bound]:
        """Every part as one table, read straight from the answers; the first that they hold, or the one of a name. `answer` of what
        this gives is the table.
        """

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