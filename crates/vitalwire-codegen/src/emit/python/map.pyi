@_final
class {class}(_Mapping[str, {value}]):
    """{about}"""

    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> {value}: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> _Iterator[str]: ...
    @_overload
    def get(self, name: str, /) -> {value} | None:
        """The {one} under a name, or the default."""

    @_overload
    def get(self, name: str, default: _T, /) -> {value} | _T: ...
    def keys(self) -> _KeysView[str]:
        """The names."""

    def values(self) -> _ValuesView[{value}]:
        """The {many}."""

    def items(self) -> _ItemsView[str, {value}]:
        """Pairs of name and {one}."""

{own}    @property
    def extra(self) -> dict[str, object]:
        """Members whose value is no {json}, as a new `dict`; as `extra` of a record has them."""

    def to_dict(self) -> dict[str, object]:
        """A new `dict` of {plain}, and of what is in `extra`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> _Self: ...
    def __deepcopy__(self, memo: object, /) -> _Self: ...
    def _repr_html_(self) -> str:
        """A table for notebooks: {shown}."""

    def _ipython_key_completions_(self) -> list[str]:
        """The names, which IPython offers behind a bracket and a quote."""

