"""How the progress of a range is shown: a bar of tqdm where that is installed and somebody looks, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
import typing

if typing.TYPE_CHECKING:
    from collections.abc import Awaitable

    from vitalwire import RangeProgress

T = typing.TypeVar("T")
T_co = typing.TypeVar("T_co", covariant=True)

#: Seconds between two lines where each stays, as in the log of a job.
EVERY = 10.0


class Stages(typing.Protocol[T_co]):
    """A run that stops at each report."""

    def __call__(self) -> Awaitable[tuple[T_co] | None]:
        """Goes on to the next report; at the end gives the result."""

    def keep(self, exception: BaseException) -> Awaitable[None]:
        """Ends an interrupted run, and puts what it read on the exception."""

    def close(self) -> None:
        """Ends what is shown."""


async def drive(stages: Stages[T]) -> T:
    """Awaits one stage after the other."""
    try:
        while True:
            ended = await stages()
            if ended is not None:
                return ended[0]
    except GeneratorExit:
        # Nothing can be awaited any more.
        raise
    except BaseException as interrupted:
        with contextlib.suppress(Exception):
            await stages.keep(interrupted)
        raise
    finally:
        stages.close()


class Reader(typing.Protocol):
    """The parts of a range."""

    @property
    def resume_token(self) -> object:
        """Has what was not handed out."""


async def turn(reader: Reader, part: Awaitable[T]) -> T:
    """Awaits a part. An exception that interrupts it carries a token for what was not handed out."""
    try:
        return await part
    except (GeneratorExit, Exception):
        raise
    except BaseException as interrupted:
        interrupted.resume_token = reader.resume_token  # type: ignore[attr-defined]
        raise


class Display(typing.Protocol):
    """Something that shows how far a range is."""

    def update(self, progress: RangeProgress) -> None:
        """Shows it."""

    def close(self) -> None:
        """Leaves what was shown last."""


def show(operation: str, total: int) -> Display:
    """Begins to show the progress of so many parts."""
    if _watched():
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            return Bar(tqdm(total=total, desc=operation, unit="part"))
    return Lines(operation, total)


def _in_notebook() -> bool:
    """Whether a kernel runs this. What is not imported is not running it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "IPKernelApp" in shell.config


def _in_terminal() -> bool:
    # There may be no standard error, or a closed one.
    with contextlib.suppress(AttributeError, ValueError):
        return sys.stderr.isatty()
    return False


def _watched() -> bool:
    return _in_notebook() or _in_terminal()


class Bar:
    """A bar of tqdm."""

    def __init__(self, bar: typing.Any) -> None:
        self._bar = bar

    def update(self, progress: RangeProgress) -> None:
        """Moves it on."""
        self._bar.set_postfix(items=progress.items, refresh=False)
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        """Leaves it as it is."""
        self._bar.close()


class Lines:
    """One line that is written over in a terminal; elsewhere one now and then, and one for the last part."""

    def __init__(self, operation: str, total: int) -> None:
        self._operation, self._total, self._over = operation, total, _in_terminal()
        self._open = False
        self._next = time.monotonic() + EVERY

    def update(self, progress: RangeProgress) -> None:
        """Shows it, if it is time."""
        text = f"{self._operation}: {progress.done} of {self._total} parts, {progress.items} items"
        if self._over:
            self._open = True
            self._write(f"\r{text}\x1b[K")
        elif progress.done == self._total or time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            self._write(f"{text}\n")

    def close(self) -> None:
        """Ends the line."""
        if self._open:
            self._open = False
            self._write("\n")

    def __del__(self) -> None:
        self.close()

    def _write(self, text: str) -> None:
        # Nobody's range ends because a log is full or a terminal closed.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()
