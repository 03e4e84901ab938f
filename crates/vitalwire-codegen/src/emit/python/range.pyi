@_final
class {prefix}Parts(_{prefix}Iterator[_Item], _Generic[_Item]):
    """The parts of {an} `{prefix}Range`, or the nights of `{prefix}Nights`, in order. Closing or dropping it ends what is on its way."""

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    @property
    def resume_token(self) -> ResumeToken | None:
        """A token for what was not handed out yet; `None` when nothing is left, and while a part is being read."""

    def close(self) -> None:
        """Ends what is on its way; its connections are closed. A part that another {reader} reads meanwhile ends in a `CancelledError`,
        which has the `resume_token`; later readings give no more parts.
        """

{aclose}    def __enter__(self) -> {prefix}Parts[_Item]: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __{iter}__(self) -> {prefix}Parts[_Item]: ...
    {def} __{next}__(self) -> _Item: ...

@_final
class {prefix}Range(_Generic[_Answer, _Bound]):
    """{range}, asked for in parts: nothing is asked before it is iterated, collected or read as a table, and each of
    these asks anew.

    It gives one `Part` after the other, in order. Several are asked for at once, as many as `concurrency` says; options of the call
    hold for each part: a timeout is a part's own.
    """

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    def __{iter}__(self) -> {prefix}Parts[Part[_Answer, _Bound]]: ...
    {def} collect(self) -> Merged[_Answer, _Bound]:
        """Every part as one answer: items in the order of the parts, without those that the part before had too.

        An error that ends it has `resume_token` for what was not read, and `so_far` for what was.
        """

    {def} collect_table(self, table: str | None = None) -> Merged[Table, _Bound]:
        """Every part as one table, read straight from the answers; the first that they hold, or the one of a name. `answer` of what
        this gives is the table.
        """

{read}
