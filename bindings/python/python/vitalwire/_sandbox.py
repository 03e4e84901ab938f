"""A sandbox of the service to develop and test against: synthetic people, on this machine."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import hmac
import math
import os
import threading
import typing
import weakref
from collections.abc import Iterable

from vitalwire import _control, _given, _program
from vitalwire._native import AsyncClient, Client, ClosedError, ConfigurationError
from vitalwire._refuse import bad_value

if typing.TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Sandbox"]

_P = typing.ParamSpec("_P")
_C = typing.TypeVar("_C")


def _takes_what(
    constructor: typing.Callable[_P, _C],
) -> typing.Callable[[typing.Callable[..., _C]], typing.Callable[typing.Concatenate[Sandbox, _P], _C]]:
    """For type checkers: a method of the sandbox takes what a constructor does. At run time it stays as it is."""
    return lambda method: method


class Sandbox:
    """A sandbox of the service, run by the program `vitalwire` of the package `vitalwire-sandbox`. All its data is synthetic.

    It starts at `with`, at `async with` or by `start`, and ends with the block, by `close`, or with this process, however that ends.

        with vitalwire.Sandbox(seed=7) as sandbox:
            client = sandbox.client()
            client.sleeps.get(sandbox.sleep_id)

    seed: Decides every number, id, key and token; 1 by default.

    today: Stops its clock at noon UTC of this date, 2020-02-01 to 2199-12-31; without it, the machine's clock.

    time_scale: How many seconds pass in it in a real one, 0 to 1,000,000; 1 by default, or 0 with `today`.

    processing: How long its analyses take on its clock, in seconds, or `"typical"`; 0 by default.

    db: A file for what is uploaded and changed, which goes on with what is there; without it, memory, for about 10,000 uploads of a kind.

    faults: Texts such as `"status; status=503; times=2; operation=get_user_info"`, each met by the next request it is aimed at.

    webhook_url: Where to send webhooks of all kinds: plain http, on this machine or a host of `allow_hosts`.

    allow_hosts: Hosts besides this machine that it may reach, for pictures by address and webhooks.

    bind: Where to listen: a loopback address and a port; a free port of 127.0.0.1 by default.

    program: The path of the program, instead of VITALWIRE_SANDBOX_PROGRAM, that of the package `vitalwire-sandbox`, or that on PATH.

    start_timeout: How long it may take to be ready, in seconds.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        today: datetime.date | None = None,
        time_scale: float | None = None,
        processing: float | typing.Literal["typical"] | None = None,
        db: str | os.PathLike[str] | None = None,
        faults: Iterable[str] = (),
        webhook_url: str | None = None,
        allow_hosts: Iterable[str] = (),
        bind: str | None = None,
        program: str | os.PathLike[str] | None = None,
        start_timeout: float = 30,
    ) -> None:
        options = [
            ("seed", _given.option("seed", seed, int)),
            ("today", None if today is None else _given.day(today)),
            ("time-scale", _given.option("time_scale", time_scale, float, int)),
            ("processing", _given.option("processing", processing, str, float, int)),
            ("db", _given.option("db", db, str, os.PathLike)),
            ("webhook-url", _given.option("webhook_url", webhook_url, str)),
            ("bind", _given.option("bind", bind, str)),
        ]
        options += [("fault", fault) for fault in _given.texts("faults", faults)]
        options += [("allow-host", host) for host in _given.texts("allow_hosts", allow_hosts)]
        self._options = [f"--{name}={value}" for name, value in options if value is not None]
        self._program = None if program is None else _given.typed("program", program, str, os.PathLike)
        self._limit = float(_given.typed("start_timeout", start_timeout, float, int))
        if not 0 < self._limit < math.inf:
            raise bad_value("start_timeout", "not a number of seconds above 0")
        self._lock = threading.Lock()
        self._process: _program.Process | None = None
        self._ready: dict[str, typing.Any] = {}
        self._end: weakref.finalize[[], Sandbox] | None = None
        self._closed = False

    def start(self) -> Sandbox:
        """Starts it and waits until it is ready; one that runs already stays as it is. Gives itself."""
        with self._lock:
            self._check_open()
            if self._process is None:
                path, source = _program.find(self._program)
                _program.check(path, source)
                process = _program.Process([path, "sandbox", "--ready-json", *self._options], self._limit)
                # Also at the end of the interpreter, and where nobody closed it.
                self._end = weakref.finalize(self, process.end)
                self._process, self._ready = process, process.ready
                if self._closed:
                    # Closed by another thread or a task meanwhile.
                    self._end()
                self._check_open()
        return self

    def close(self) -> None:
        """Ends it. Calls under way have a second to come to their end. To close one that is closed does nothing."""
        # Before the lock: one that is being started sees it.
        self._closed = True
        with self._lock:
            if self._end is not None:
                self._end()

    def __enter__(self) -> Sandbox:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Sandbox:
        try:
            return await asyncio.to_thread(self.start)
        except asyncio.CancelledError:
            # The thread goes on; it ends what it started.
            self._closed = True
            raise

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await asyncio.shield(asyncio.to_thread(self.close))

    def __repr__(self) -> str:
        if self._closed:
            return "<vitalwire.Sandbox, closed>"
        return f"<vitalwire.Sandbox at {self._ready['base_url']}>" if self._ready else "<vitalwire.Sandbox, not started>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("a Sandbox is a running program: it cannot be copied or pickled")

    @property
    def base_url(self) -> str:
        """Base URL of the health service."""
        return self._text("base_url")

    @property
    def care_base_url(self) -> str:
        """Base URL of the care service."""
        return self._text("care_base_url")

    @property
    def control_url(self) -> str:
        """Base URL of the control routes: faults, clock, requests, webhooks. `base_url` itself is a page for people."""
        return self._text("control_url")

    @property
    def token(self) -> str:
        """Token of `user_id` at the health service."""
        return self._text("token")

    @property
    def care_token(self) -> str:
        """Token of the care service."""
        return self._text("care_token")

    @property
    def webhook_key(self) -> str:
        """The key that signs webhooks."""
        return self._text("webhook_key")

    @property
    def application_id(self) -> int:
        """Id of the application."""
        return int(self._member("application_id"))

    @property
    def application_key(self) -> str:
        """The application's key, which stands behind the ids of its users."""
        return self._text("application_key")

    @property
    def user_id(self) -> str:
        """Id of the first user within the application."""
        return self._text("user_id")

    @property
    def user_ids(self) -> tuple[str, ...]:
        """Ids of the users that the sandbox starts with. Any other id is a user with data of its own, too; `token_of` makes its token."""
        return tuple(self._member("user_ids"))

    @property
    def sleep_id(self) -> str:
        """Id of the first user's last night."""
        return self._text("sleep_id")

    @property
    def sleep_date(self) -> datetime.date:
        """Date of that night."""
        return datetime.date.fromisoformat(self._text("sleep_date"))

    @property
    def today(self) -> datetime.date:
        """The date in it, UTC, when it started."""
        return datetime.date.fromisoformat(self._text("today"))

    @property
    def pid(self) -> int:
        """Process id of the program."""
        self._member("base_url")
        return typing.cast("_program.Process", self._process).pid

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and not self._closed and self._process.runs()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that `Client.from_env` and the program `vitalwire` read, as a new `dict`."""
        names = ("base_url", "care_base_url", "token", "care_token")
        return {f"VITALWIRE_{name.upper()}": self._text(name) for name in names}

    @_takes_what(Client)
    def client(self, *args: typing.Any, **settings: typing.Any) -> Client:
        """A client of it, for the first user unless `token` says otherwise. Takes what `Client` takes."""
        return Client(*args, **self._settings(args, settings))

    @_takes_what(AsyncClient)
    def async_client(self, *args: typing.Any, **settings: typing.Any) -> AsyncClient:
        """The same for `asyncio`: takes what `AsyncClient` takes."""
        return AsyncClient(*args, **self._settings(args, settings))

    def _settings(self, args: tuple[typing.Any, ...], given: dict[str, typing.Any]) -> dict[str, typing.Any]:
        names = ("base_url", "care_base_url", "token", "care_token")
        # What is given by its place is the first of them. What is on this machine needs no proxy.
        return {**{name: self._text(name) for name in names[len(args) :]}, "proxy": "none", **given}

    def token_of(self, user_id: str) -> str:
        """A token of another user, by the exchange that an application's server makes."""
        key = self.application_key.encode()
        signature = hmac.new(key, _given.unicode("user_id", user_id).encode(), hashlib.sha256).hexdigest()
        return self.client().tokens.exchange(self.application_id, user_id, signature).access_token

    def add_fault(self, fault: str) -> None:
        """Switches a fault on, as the setting `faults` does at the start."""
        _control.send(self.control_url, "POST", "/faults", {"fault": _given.unicode("fault", fault)}, "fault")

    def clear_faults(self) -> None:
        """Switches all faults off."""
        _control.send(self.control_url, "DELETE", "/faults", None, "fault")

    def advance(self, by: datetime.timedelta) -> None:
        """Moves its clock on, by 100 years at most. What is being analysed, and webhooks, come due."""
        seconds = _given.typed("by", by, datetime.timedelta).total_seconds()
        _control.send(self.control_url, "POST", "/clock", {"advance": seconds}, "by")

    def reset(self) -> None:
        """Puts it back to how it began, without uploads, changes, faults and logged requests. Its clock stays where it is."""
        _control.send(self.control_url, "POST", "/reset", {}, "db")

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("closed: the sandbox is closed; make a new one")

    def _member(self, name: str) -> typing.Any:
        self._check_open()
        if not self._ready:
            raise ConfigurationError("configuration: the sandbox is not started: use it with `with`, or call start()")
        return self._ready[name]

    def _text(self, name: str) -> str:
        return str(self._member(name))
