"""The native part of `vitalwire`; import `vitalwire` instead."""

import builtins as _builtins
import datetime as _datetime
import os as _os
import zoneinfo as _zoneinfo
from collections.abc import AsyncIterator as _AsyncIterator
from collections.abc import Awaitable as _Awaitable
from collections.abc import Callable as _Callable
from collections.abc import Collection as _Collection
from collections.abc import ItemsView as _ItemsView
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import KeysView as _KeysView
from collections.abc import Mapping as _Mapping
from collections.abc import Reversible as _Reversible
from collections.abc import Sequence as _Sequence
from collections.abc import ValuesView as _ValuesView
from types import GenericAlias as _GenericAlias
from typing import Any as _Any
from typing import ClassVar as _ClassVar
from typing import Final as _Final
from typing import Generic as _Generic
from typing import Literal as _Literal
from typing import Protocol as _Protocol
from typing import TypeAlias as _TypeAlias
from typing import TypeVar as _TypeVar
from typing import final as _final
from typing import overload as _overload

import pandas as _pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
import polars as _polars  # type: ignore[import-not-found,unused-ignore]
import pyarrow as _pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
from typing_extensions import Buffer as _Buffer
from typing_extensions import Self as _Self

_T = _TypeVar("_T")
_T_co = _TypeVar("_T_co", covariant=True)

_Reason = _Literal["missing", "expiring", "rejected"]

class _SupportsHeaders(_Protocol):
    def items(self) -> _Iterable[tuple[str, str]]: ...

class _BinaryFile(_Protocol):
    def read(self, size: int = ..., /) -> _Buffer: ...

class _PillowImage(_Protocol):
    @property
    def mode(self) -> str: ...
    def save(self, fp: _Any, format: str | None = ..., **params: _Any) -> None: ...

_Upload: _TypeAlias = str | _os.PathLike[str] | _Buffer | _BinaryFile | _PillowImage

__all__: list[str]

__version__: str

def _restore(class_name: str, json: str, basis: str | None = None, /) -> object:
    """What `pickle` makes a record with."""

def _restore_table(name: str, stream: bytes, skipped: dict[str, int], time_unit: str) -> Table:
    """What `pickle` makes a table with."""

def _restore_records(class_name: str, items: tuple[object, ...]) -> Records[_Any]:
    """What `pickle` makes a list of records with."""

_Zone: _TypeAlias = str | _zoneinfo.ZoneInfo | _datetime.timezone
_TimeUnit: _TypeAlias = _Literal["us", "ns"]
_ColumnKind: _TypeAlias = _Literal["number", "integer", "boolean", "text", "date", "instant", "local_time", "text_list"]

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
    may_have_taken_effect: bool
    """Whether the service may have done what the failed call asked for, although no answer
    says so. False where it surely did not: a read, a refused connection, a definite 4xx, a
    local check, a deadline or a cancel before it was sent. Otherwise look whether it is
    there before an upload is sent again."""
    is_transient: bool
    """Whether the same call may well succeed a little later; false for an upload that may
    have been taken."""
    argument: str | None
    """The argument or setting that is refused."""
    place: str | None
    """Where an answer is not as described, such as `stages[2].start_at`."""
    operation: str | None
    """The operation's id, such as `get_sleep`."""
    record: {waited} | None
    """Of a wait that ended early: the record as it was read last."""
    record_id: str | None
    """The id of the record that an upload has made, where it ended without a result."""
    resume_token: ResumeToken | None
    """What a range has not read."""
    so_far: Merged[_Any, _Any] | None
    """What a range had read before it failed. It is not pickled."""

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
class WaitProgress:
    """How far waiting for an analysis is."""

    @property
    def polls(self) -> int:
        """How often the record was read so far; 0 after an upload's own answer."""

    @property
    def status(self) -> str:
        """The status as on the wire; it may be one that this version does not know."""

    @property
    def elapsed(self) -> float:
        """Seconds since waiting began, the upload included."""

    @property
    def record_id(self) -> str | None:
        """After an upload, the id of its record, which `wait_for` takes; `None` of a call that waits for a record by its id."""

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
class CancelToken:
    """Ends calls from elsewhere: pass it as `cancel=`, and call `cancel()` from any thread.

    A call that it ends raises `CancelledError`, and its connection is closed; one that begins later is not sent. One token may be
    given to many calls. What an upload has done by then may stand.
    """

    def __new__(cls) -> CancelToken: ...
    def cancel(self) -> None:
        """Ends every call that has this token, now and later."""

    @property
    def cancelled(self) -> bool:
        """Whether `cancel()` was called."""

{maps}@_final
class Table:
    """Rows of one kind, as columns: statistics, stages, samples, lab results, ingredients.

    polars, DuckDB, pyarrow and others take it through `__arrow_c_stream__`, without a copy: `polars.DataFrame(stages)`,
    `pyarrow.table(stages)`, `duckdb.sql("select * from stages")`. A missing value is missing, never 0. Instants are in UTC, in
    microseconds, as Python, pandas, polars and DuckDB count unless they are told otherwise; the numbers' units are in the fields'
    metadata under `unit`. Columns for names that no row has are left out, unless the call asked for them: such statistics are the
    first ones, in the order in which they were asked for.

    What a table does not give is told by one `RuntimeWarning`, when it is first exported: values that were left out, by column and
    count, and digits that microseconds do not hold, which are cut, towards the past. `in_time_unit("ns")` keeps them.
    """

    @classmethod
    def read(cls, name: str, operation: str, body: _Buffer) -> Table:
        """Reads a table from the body of an answer. `operation` is the id of the operation that gave it, such as `get_sleep`."""

    @property
    def name(self) -> str:
        """Which table it is, such as `sleep_stages`."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns that have one, by name."""

    @property
    def kinds(self) -> dict[str, _ColumnKind]:
        """The kinds of the columns by name: `number`, `integer`, `boolean`, `text`, `date`, `instant` (UTC), `local_time` (a clock on
        the wall), `text_list`.
        """

    @property
    def docs(self) -> dict[str, str]:
        """What the columns are, by name."""

    @property
    def skipped(self) -> int:
        """How many values of an unexpected type or range were left out."""

    @property
    def skipped_by_column(self) -> dict[str, int]:
        """How many values of an unexpected type or range were left out of each column. Where a whole object or list was of another
        type, the name is that of the member of the answer.
        """

    @property
    def time_unit(self) -> _TimeUnit:
        """The unit in which exports count times: `us`, microseconds, or `ns`, nanoseconds."""

    def in_time_unit(self, unit: _TimeUnit) -> Table:
        """A table whose exports count times in this unit. `ns` keeps every digit, and reaches from 1677 to 2262: times before and
        after are left out. Times of different units cannot be joined by pandas and polars.
        """

    def local_time(self, zone: _Zone) -> Table:
        """A table with what the clocks of a time zone showed beside each instant, in columns whose names end in `_local`. The zone counts
        before what a record itself says of its clock: that is one offset, the one at its end, which is an hour off before a change
        of the clocks. `zone` is an IANA name such as `Europe/Berlin`, an offset such as `+02:00`, a `zoneinfo.ZoneInfo` or a
        `datetime.timezone`.
        """

    def to_arrow(self, *, tz: _Zone | None = None, time_unit: _TimeUnit | None = None) -> _pyarrow.Table:
        """A `pyarrow.Table` over the same memory. With `tz`, as `local_time` makes it; with `time_unit`, as `in_time_unit` does. Needs
        pyarrow.
        """

    def to_polars(self, *, tz: _Zone | None = None, time_unit: _TimeUnit | None = None) -> _polars.DataFrame:
        """A `polars.DataFrame` over the same memory. With `tz`, as `local_time` makes it; with `time_unit`, as `in_time_unit` does.
        Needs polars.
        """

    def to_pandas(
        self,
        *,
        dtype_backend: _Literal["pyarrow"] | None = None,
        tz: _Zone | None = None,
        time_unit: _TimeUnit | None = None,
        lists: bool = False,
    ) -> _pandas.DataFrame:
        """A `pandas.DataFrame` with memory of its own. Needs pandas, and pyarrow only where `dtype_backend` asks for it.

        Numbers are `float64` with NaN where one is missing; integers and booleans that may be missing are `Int64` and `boolean`;
        instants are `datetime64[us, UTC]` and local times `datetime64[us]`, as pandas makes them of Python's own; dates are
        `datetime.date`, as the records have them, so that `merge` finds them (`pandas.to_datetime` makes `datetime64` of such a
        column); texts are pandas' own type for them. `dtype_backend="pyarrow"` gives Arrow's types over the same memory instead.
        Lists of texts, such as the ids behind a bucket, are left out unless `lists=True`. With `tz`, local times are added as
        `local_time` does; with `time_unit`, times are as `in_time_unit` makes them.
        """

    def to_dict(self, *, tz: _Zone | None = None) -> dict[str, list[object]]:
        """A new `dict` of one list for each column: plain Python values, `None` where one is missing. Instants are aware `datetime`
        in UTC, local times naive ones. Needs no package.
        """

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as a stream of Arrow record batches, as the Arrow PyCapsule interface has it, over the same memory."""

    def __arrow_c_schema__(self) -> object:
        """The table's Arrow schema, as the Arrow PyCapsule interface has it."""

    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: _ClassVar[None]  # type: ignore[assignment]

@_final
class Token:
    """A token and when it ends, as a callable gives it. Neither its text nor its end is shown.

    Another is asked for a little before `expires_at`, an aware `datetime`; without one, when the service refuses it.
    """

    def __new__(cls, text: str, *, expires_at: _datetime.datetime | None = None) -> Token: ...

@_final
class Records(_Collection[_T_co], _Reversible[_T_co]):
    """An answer that is a list of records: a sequence that cannot be changed.

    It is not registered as `collections.abc.Sequence`, because polars would read it record by record then, and not as a table.
    """

    def __len__(self) -> int: ...
    @_overload
    def __getitem__(self, at: int, /) -> _T_co: ...
    @_overload
    def __getitem__(self, at: slice, /) -> tuple[_T_co, ...]: ...
    def __iter__(self) -> _Iterator[_T_co]: ...
    def __reversed__(self) -> _Iterator[_T_co]: ...
    def __contains__(self, record: object, /) -> bool: ...
    def count(self, value: object) -> int:
        """How often a record is in the list."""

    def index(self, value: object, *bounds: int) -> int:
        """Where a record first is; a `ValueError` where it is not."""

    @property
    def response(self) -> ResponseInfo | None:
        """What is known of the answer."""

    def to_dict(self) -> list[dict[str, object]]:
        """The records as on the wire: a new `list` of `dict`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Records[_T_co]: ...
    def __deepcopy__(self, memo: object, /) -> Records[_T_co]: ...
    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
