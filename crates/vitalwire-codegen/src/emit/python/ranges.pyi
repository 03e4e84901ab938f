_Answer = _TypeVar("_Answer")
_Bound = _TypeVar("_Bound", bound=_datetime.date)
_Item = _TypeVar("_Item")

@_final
class ResumeToken:
    """What a range has not read: give it to the same call as `resume=`, in a later process too.

    `str(token)` is a text to store. It holds the operation, the range and the parts that are left, and a hash of the other
    arguments; no access token, no address and nothing that was read.
    """

    @staticmethod
    def parse(text: str) -> ResumeToken:
        """A token from its text."""

    @property
    def operation(self) -> str:
        """The operation's id, such as `daily_statistics`."""

    @property
    def parts_left(self) -> int:
        """How many parts are left."""

    @property
    def range(self) -> tuple[_datetime.date, _datetime.date] | None:
        """Both bounds of the whole range, instants as `datetime`; `None` where it is open."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@_final
class RangeProgress:
    """How far a range is. Parts that an earlier run read are not counted."""

    @property
    def done(self) -> int:
        """Parts that are done, failed ones that were passed over among them."""

    @property
    def total(self) -> int:
        """Parts of this run."""

    @property
    def items(self) -> int:
        """Items so far; rows, where a table is read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@_final
class Part(_Generic[_Answer, _Bound]):
    """One part of a range: its bounds and its answer, or why there is none."""

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    @property
    def index(self) -> int:
        """Its place among the parts of the whole range, from 0."""

    @property
    def range(self) -> tuple[_Bound, _Bound] | None:
        """Its bounds: dates, both inclusive, or instants, the second exclusive. `None` where the range is open."""

    @property
    def answer(self) -> _Answer:
        """Its answer, without the items that the part before had too. Of a part that failed, reading it raises its error."""

    @property
    def error(self) -> VitalwireError | None:
        """Why it has no answer; `None` of a part that has one."""

    @property
    def duplicates(self) -> int:
        """How many items were left out of the answer because the part before had them."""

@_final
class Night:
    """A sleep that was found, a nap too, and the days that it counts to."""

    @property
    def days(self) -> tuple[_datetime.date, ...]:
        """The days whose sleep it is part of, as daily statistics say; empty where they do not name the day. Where `error` is, the days
        that failed.
        """

    @property
    def sleep(self) -> SleepRecord:
        """The record. Of days that failed, reading it raises their error."""

    @property
    def error(self) -> VitalwireError | None:
        """Why there is no record: a day that failed, with `on_error="collect"`; `None` otherwise."""

@_final
class MergedPart(_Generic[_Bound]):
    """Where the items of one part are in the merged answer."""

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    @property
    def index(self) -> int:
        """Its place among the parts of the whole range, from 0."""

    @property
    def range(self) -> tuple[_Bound, _Bound] | None:
        """Its bounds; `None` where the range is open."""

    @property
    def rows(self) -> slice:
        """Its items, as a slice of the merged list or the rows of the table."""

@_final
class Merged(_Generic[_Answer, _Bound]):
    """The answers to the parts of a range as one. Items are in the order of the parts."""

    def __class_getitem__(cls, key: _Any) -> _GenericAlias: ...
    @property
    def answer(self) -> _Answer:
        """The answer. The bounds that it states are those of its parts, from the first to the last; its other members are the first
        part's.
        """

    @property
    def parts(self) -> tuple[MergedPart[_Bound], ...]:
        """The parts that were read, in order, and where their items are."""

    @property
    def duplicates(self) -> int:
        """How many items were left out because the part before had them; of `Nights`, ids that their day or an earlier one has too."""

    @property
    def skipped(self) -> int:
        """Of `Nights`: how many ids were left out because no sleep has them. 0 otherwise."""

    @property
    def failures(self) -> tuple[Part[_Answer, _Bound], ...]:
        """The parts that failed; none but with `on_error="collect"`."""

    @property
    def resume_token(self) -> ResumeToken | None:
        """A token for the parts that are not in it; `None` when it is whole."""

