"""Progress of a range or a cohort: a tqdm bar in notebooks and terminals if tqdm is installed, otherwise lines of text."""

from __future__ import annotations

import contextlib
import sys
import time
import typing

if typing.TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sized

    from vitalwire._native import ExportProgress

T = typing.TypeVar("T")
U = typing.TypeVar("U")
T_co = typing.TypeVar("T_co", covariant=True)

#: Minimum seconds between lines in output that is not a terminal, such as a log file.
SECONDS_BETWEEN_LINES = 10.0


class CollectRun(typing.Protocol[T_co]):
    """A run that collects a range and pauses for each progress report."""

    def __call__(self) -> Awaitable[tuple[T_co] | None]:
        """Continues until the next report. Returns the result at the end."""

    def stop_and_attach(self, exception: BaseException) -> Awaitable[None]:
        """Stops an interrupted run, and attaches the parts that it read to the exception."""

    def close(self) -> None:
        """Closes the display."""


async def drive(run: CollectRun[T]) -> T:
    """Awaits the steps of a run in sequence."""
    try:
        while True:
            ended = await run()
            if ended is not None:
                return ended[0]
    except GeneratorExit:
        # A coroutine that is being closed cannot await.
        raise
    except BaseException as interrupted:
        with contextlib.suppress(Exception):
            await run.stop_and_attach(interrupted)
        raise
    finally:
        run.close()


async def chain(value: Awaitable[T], then: typing.Callable[[T], Awaitable[U]]) -> U:
    """Awaits a value, passes it to a function, and awaits the result."""
    return await then(await value)


class Reader(typing.Protocol):
    """Reader of the parts of a range."""

    @property
    def resume_token(self) -> object:
        """Token for the parts that were not returned yet."""


async def turn(reader: Reader, part: Awaitable[T]) -> T:
    """Awaits a part. If it is interrupted, attaches a token for the parts that were not returned to the exception."""
    try:
        return await part
    except (GeneratorExit, Exception):
        raise
    except BaseException as interrupted:
        interrupted.resume_token = reader.resume_token  # type: ignore[attr-defined]
        raise


class Progress(typing.Protocol):
    """Progress of a range, or a `Step`."""

    @property
    def done(self) -> int:
        """Number of parts that are done."""

    @property
    def items(self) -> int:
        """Number of items or rows received."""


class Step(typing.NamedTuple):
    """Progress of a cohort."""

    done: int
    items: int


class Display(typing.Protocol):
    """Display of progress."""

    def describe(self, text: str) -> None:
        """Sets the text before the progress."""

    def update(self, progress: Progress) -> None:
        """Shows the progress."""

    def close(self) -> None:
        """Closes the display and leaves its last state visible."""


def show(operation: str, total: int, unit: str = "part") -> Display:
    """Creates a display for `total` parts, or other units."""
    if _is_interactive():
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            return Bar(tqdm(total=total, desc=operation, unit=unit))
    return Lines(operation, total, unit)


@contextlib.contextmanager
def people(total: int, is_shown: bool) -> Iterator[typing.Callable[[object, Sized, int], None]]:
    """Returns a function that shows whose table is read, the people that are done and their rows. At the end, the name is `None`."""
    if not is_shown:
        yield lambda name, done, rows: None
        return
    display = show("concat", total, "user")

    def report(name: object, done: Sized, rows: int) -> None:
        display.describe("concat" if name is None else f"concat: {name}")
        display.update(Step(len(done), rows))

    try:
        yield report
    finally:
        display.close()


class Listener:
    """Receives the progress of a cohort: calls a function, or updates a display that opens at the first report."""

    def __init__(self, progress: typing.Any, operation: str, unit: str) -> None:
        self._function = progress if callable(progress) else None
        self._is_shown = progress is True
        self._operation, self._unit = operation, unit
        self._display: Display | None = None

    def __call__(self, progress: ExportProgress) -> object:
        """Reports the progress. Returns the result of the function."""
        if self._function is not None:
            return self._function(progress)
        if self._is_shown:
            if self._display is None:
                self._display = show(self._operation, progress.total, self._unit)
            self._display.update(Step(progress.done, progress.rows))
        return None

    def close(self) -> None:
        """Closes the display."""
        if self._display is not None:
            self._display.close()


def _in_notebook() -> bool:
    """Whether an IPython kernel runs this code."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "IPKernelApp" in shell.config


def _in_terminal() -> bool:
    # Standard error may be missing or closed.
    with contextlib.suppress(AttributeError, ValueError):
        return sys.stderr.isatty()
    return False


def _is_interactive() -> bool:
    return _in_notebook() or _in_terminal()


class Bar:
    """A tqdm progress bar."""

    def __init__(self, bar: typing.Any) -> None:
        self._bar = bar

    def describe(self, text: str) -> None:
        """Sets the text before the bar."""
        self._bar.set_description(text)

    def update(self, progress: Progress) -> None:
        """Advances the bar."""
        self._bar.set_postfix(items=progress.items, refresh=False)
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        """Closes the bar and leaves it visible."""
        self._bar.close()


class Lines:
    """Display as text: a line that is overwritten in a terminal, otherwise a line every few seconds and one for the last part."""

    def __init__(self, operation: str, total: int, unit: str = "part") -> None:
        self._operation, self._total, self._unit, self._overwrites = operation, total, unit, _in_terminal()
        self._open = False
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES

    def describe(self, text: str) -> None:
        """Sets the text of the next line."""
        self._operation = text

    def update(self, progress: Progress) -> None:
        """Writes or overwrites a line, if it is time for one."""
        text = f"{self._operation}: {progress.done} of {self._total} {self._unit}s, {progress.items} items"
        if self._overwrites:
            self._open = True
            self._write(f"\r{text}\x1b[K")
        elif progress.done == self._total or time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN_LINES
            self._write(f"{text}\n")

    def close(self) -> None:
        """Terminates the line."""
        if self._open:
            self._open = False
            self._write("\n")

    def __del__(self) -> None:
        self.close()

    def _write(self, text: str) -> None:
        # A full log or a closed terminal must not abort the range.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()
