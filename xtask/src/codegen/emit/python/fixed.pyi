"""The native part of `vitalwire`; import `vitalwire` instead."""

import builtins as _builtins
import datetime as _datetime
from collections.abc import ItemsView as _ItemsView
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import KeysView as _KeysView
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from collections.abc import ValuesView as _ValuesView
from typing import ClassVar as _ClassVar
from typing import Final as _Final
from typing import Literal as _Literal
from typing import Protocol as _Protocol
from typing import TypeVar as _TypeVar
from typing import final as _final
from typing import overload as _overload

from typing_extensions import Buffer as _Buffer
from typing_extensions import Self as _Self

_T = _TypeVar("_T")

class _SupportsHeaders(_Protocol):
    def items(self) -> _Iterable[tuple[str, str]]: ...

__all__: list[str]

__version__: str

def _restore(class_name: str, json: str, basis: str | None = None, /) -> object:
    """What `pickle` makes a record with."""

class VitalwireError(Exception):
    """What every failed call raises. Its text holds no health data, token or URL."""

    kind: _ClassVar[str]
    """The kind's name, such as `not_found`."""
    code: _ClassVar[int]
    """The kind's stable number, the same in every language."""
    status: int | None
    """The HTTP status, if the service answered."""
    problem: ProblemDetails | None
    """What the service said. It may hold personal data."""
    request_id: str | None
    """The id that the service gave the request."""
    retry_after: float | None
    """Seconds that the service asks to wait."""
    attempts: int
    """How many times the request was sent or tried."""
    argument: str | None
    """The argument or setting that is refused."""
    place: str | None
    """Where an answer is not as described, such as `stages[2].start_at`."""
    operation: str | None
    """The operation's id, such as `get_sleep`."""
    record: object | None
    """The last state of a record that a wait was for."""
    resume_token: str | None
    """What a call over a range goes on from."""

@_final
class ResponseInfo:
    """Of the answer that a record came with: status, request id, attempts and time."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def request_id(self) -> str | None:
        """The id that the service gave the request."""

    @property
    def attempts(self) -> int:
        """How many times the request was sent or tried."""

    @property
    def elapsed(self) -> float:
        """Seconds from the start of the call to the end of the answer, waits included."""

@_final
class Redirect:
    """What came back from the consent flow. Nothing in it is signed: the `state` alone ties it to the flow that was begun."""

    @property
    def user_id(self) -> str | None:
        """The service's id of the user, as it came. It is as trustworthy as the state."""

    @property
    def provider_slug(self) -> str | None:
        """The provider; compare with the constants of `ProviderSlug`."""

    @property
    def state(self) -> str | None:
        """The state that came back."""

    @property
    def completed(self) -> bool:
        """Whether no error came back: the provider is integrated."""

    @property
    def error(self) -> str | None:
        """Why the integration failed, perhaps an empty text; `None` where it did not.

        Anybody can write a URL: escape the text before showing it.
        """

    @property
    def extra(self) -> tuple[tuple[str, str], ...]:
        """All other parameters as pairs of name and value, in their order, repeated ones too."""

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

def parse_redirect(url_or_query: str, expected_state: str | None = None) -> Redirect:
    """Reads what the browser brings back from the consent flow.

    url_or_query: A whole URL of any scheme, a path with its query, or a query with or without its `?`.

    expected_state: The state that the flow began with. `None` only where the flow began without one: then nothing tells a genuine
    return from one that somebody made up.

    Raises `SignatureError` where the state is missing, ambiguous, or another than the expected one, and `DecodeError` where it is
    no return of the consent flow.
    """

@_final
class NumberMap(_Mapping[str, float]):
    """Numbers by name, read-only: metrics, statistics, nutritional fields. Only the names that the answer had are in it.

    Equal to another one with the same numbers, `basis` and `extra`, and to any other mapping with the same numbers.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> float: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> _Iterator[str]: ...
    @_overload
    def get(self, name: str, /) -> float | None:
        """The number under a name, or the default."""

    @_overload
    def get(self, name: str, default: _T, /) -> float | _T: ...
    def keys(self) -> _KeysView[str]:
        """The names."""

    def values(self) -> _ValuesView[float]:
        """The numbers."""

    def items(self) -> _ItemsView[str, float]:
        """Pairs of name and number."""

    @property
    def basis(self) -> _Literal["per_serving", "per_100", "unknown"] | None:
        """What the numbers refer to: `per_serving`, `per_100` or `unknown`; `None` where they need no basis."""

    @property
    def extra(self) -> dict[str, object]:
        """Members whose value is no number, as a new `dict`."""

    def to_dict(self) -> dict[str, object]:
        """A new `dict` of the numbers and of what is in `extra`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> _Self: ...
    def __deepcopy__(self, memo: object, /) -> _Self: ...
    def _repr_html_(self) -> str: ...

@_final
class SeriesMap(_Mapping[str, memoryview[float]]):
    """Series of numbers by name, read-only. Each is a `memoryview` of doubles, which numpy and others take without a copy."""

    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> memoryview[float]: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> _Iterator[str]: ...
    @_overload
    def get(self, name: str, /) -> memoryview[float] | None:
        """The series under a name, or the default."""

    @_overload
    def get(self, name: str, default: _T, /) -> memoryview[float] | _T: ...
    def keys(self) -> _KeysView[str]:
        """The names."""

    def values(self) -> _ValuesView[memoryview[float]]:
        """The series."""

    def items(self) -> _ItemsView[str, memoryview[float]]:
        """Pairs of name and series."""

    @property
    def extra(self) -> dict[str, object]:
        """Members whose value is no array, as a new `dict`."""

    def to_dict(self) -> dict[str, object]:
        """A new `dict` of lists of numbers, and of what is in `extra`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> _Self: ...
    def __deepcopy__(self, memo: object, /) -> _Self: ...
    def _repr_html_(self) -> str: ...

