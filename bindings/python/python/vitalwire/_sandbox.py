"""A local sandbox of the service with synthetic people, for development and tests."""

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
from collections.abc import Iterable, Mapping

from vitalwire import _arguments, _control, _program
from vitalwire._errors import invalid_value
from vitalwire._native import AsyncClient, Client, ClosedError, ConfigurationError

if typing.TYPE_CHECKING:
    from types import TracebackType

    from vitalwire._arguments import EffectName

__all__ = ["Sandbox"]

_P = typing.ParamSpec("_P")
_C = typing.TypeVar("_C")


def _same_arguments(
    constructor: typing.Callable[_P, _C],
) -> typing.Callable[[typing.Callable[..., _C]], typing.Callable[typing.Concatenate[Sandbox, _P], _C]]:
    """For type checkers: gives a method the signature of a constructor. Has no effect at run time."""
    return lambda method: method


class Sandbox:
    """A local sandbox of the service with synthetic data, run by the program `vitalwire` of the package `vitalwire-sandbox`.

    Start it with `with`, `async with` or `start()`. It stops at the end of the block, at `close()`, or when this process ends for any
    reason.

        with vitalwire.Sandbox(seed=7) as sandbox:
            client = sandbox.client()
            client.sleeps.get(sandbox.sleep_id)

    For a study, start it with more people, missing days and effects of known size: `Sandbox(people=30, missing=0.1, effects="all")`.

    seed: Seed of all numbers, ids, keys and tokens. Defaults to 1.

    people: Number of people, 1 to 10,000: `person-1`, `person-2` and so on. Their number does not change their data. Defaults to 4.

    missing: Share of days without data, 0 to 0.9. Such a day and the night before it have no values. Defaults to 0.

    effects: True effects in the data, for analyses to find: `"all"`; names, each with an optional size, as in `["all", "illness=10",
    "travel=off"]`; or sizes by name, as in `{"steps_on_latency": -1.5}`. The README of the package has their model. Defaults to none.

    delivery: People whose data arrives late, never, or only from a day on, by user id: `{"person-2": "late:3", "person-3": "absent",
    "person-4": "new:14"}`. With `late:3`, each day arrives 3 days later. With `new:14`, data begins 13 days before the start.
    Meals and lab reports are not affected. Defaults to none.

    today: Date of the sandbox's clock, which then stands at noon UTC; 2020-02-01 to 2199-12-31. Defaults to the clock of the machine.

    time_scale: Speed of the sandbox's clock, 0 to 1,000,000 seconds per second. Defaults to 1, or to 0 with `today`.

    processing: Duration of analyses in seconds of the sandbox's clock, or `"typical"`. Defaults to 0.

    db: Database file for uploads and changes. An existing file is continued. Defaults to memory, which holds about 10,000 uploads of each
    kind.

    faults: Faults to play, such as `"status; status=503; times=2; operation=get_user_info"`. Each affects the next matching requests.

    webhook_url: URL for webhooks of all kinds: plain `http`, on this machine or a host in `allow_hosts`.

    allow_hosts: Other hosts that the sandbox may contact, for webhooks and pictures by URL.

    bind: Loopback address and port to listen on. Defaults to a free port of 127.0.0.1.

    program: Path of the program. Defaults to `VITALWIRE_PROGRAM`, the package `vitalwire-sandbox`, or `vitalwire` on `PATH`.

    start_timeout: Maximum seconds until the sandbox is ready. Defaults to 30.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        people: int | None = None,
        missing: float | None = None,
        effects: str | Iterable[str] | Mapping[EffectName, float] | None = None,
        delivery: str | Mapping[str, str] | None = None,
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
            ("seed", _arguments.format_option("seed", seed, int)),
            ("people", _arguments.format_option("people", people, int)),
            ("missing", _arguments.format_option("missing", missing, float, int)),
            ("effects", None if effects is None else _arguments.format_effects(effects)),
            ("delivery", None if delivery is None else _arguments.format_delivery(delivery)),
            ("today", None if today is None else _arguments.format_date(today)),
            ("time-scale", _arguments.format_option("time_scale", time_scale, float, int)),
            ("processing", _arguments.format_option("processing", processing, str, float, int)),
            ("db", _arguments.format_option("db", db, str, os.PathLike)),
            ("webhook-url", _arguments.format_option("webhook_url", webhook_url, str)),
            ("bind", _arguments.format_option("bind", bind, str)),
        ]
        options += [("fault", fault) for fault in _arguments.check_texts("faults", faults)]
        options += [("allow-host", host) for host in _arguments.check_texts("allow_hosts", allow_hosts)]
        self._options = [f"--{name}={value}" for name, value in options if value is not None]
        self._program = None if program is None else _arguments.check_type("program", program, str, os.PathLike)
        self._limit = float(_arguments.check_type("start_timeout", start_timeout, float, int))
        if not 0 < self._limit < math.inf:
            raise invalid_value("start_timeout", "must be a number of seconds above 0")
        self._lock = threading.Lock()
        self._process: _program.Process | None = None
        self._ready: dict[str, typing.Any] = {}
        self._end: weakref.finalize[[], Sandbox] | None = None
        self._closed = False

    def start(self) -> Sandbox:
        """Starts the sandbox, waits until it is ready and returns it. Does nothing if it is running."""
        with self._lock:
            self._check_open()
            if self._process is None:
                path, source = _program.find(self._program)
                _program.check(path, source)
                process = _program.Process([path, "sandbox", "--ready-json", *self._options], self._limit)
                # The finalizer also runs at interpreter exit and at garbage collection.
                self._end = weakref.finalize(self, process.end)
                self._process, self._ready = process, process.ready
                if self._closed:
                    # Another thread or task closed the sandbox during the start.
                    self._end()
                self._check_open()
        return self

    def close(self) -> None:
        """Stops the sandbox. Requests in flight have one second to complete. Does nothing if it is closed."""
        # Set before taking the lock, so that a concurrent start() sees it.
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
            # The thread continues, and stops the sandbox that it started.
            self._closed = True
            raise

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await asyncio.shield(asyncio.to_thread(self.close))

    def __repr__(self) -> str:
        if self._closed:
            return "<vitalwire.Sandbox, closed>"
        return f"<vitalwire.Sandbox at {self._ready['base_url']}>" if self._ready else "<vitalwire.Sandbox, not started>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("a Sandbox is a running program and cannot be copied or pickled")

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
        """Base URL of the control routes: faults, clock, requests, webhooks. Open `base_url` in a browser for a page about the sandbox."""
        return self._text("control_url")

    @property
    def token(self) -> str:
        """Access token of `user_id` for the health service."""
        return self._text("token")

    @property
    def care_token(self) -> str:
        """Access token for the care service."""
        return self._text("care_token")

    @property
    def webhook_key(self) -> str:
        """Key that signs webhooks."""
        return self._text("webhook_key")

    @property
    def application_id(self) -> int:
        """Id of the application."""
        return int(self._member("application_id"))

    @property
    def application_key(self) -> str:
        """Key of the application, which signs user ids for the token exchange."""
        return self._text("application_key")

    @property
    def user_id(self) -> str:
        """Id of the first user within the application."""
        return self._text("user_id")

    @property
    def user_ids(self) -> tuple[str, ...]:
        """Ids of the initial users. Any other id is also a user with its own data; `token_of` returns its token."""
        return tuple(self._member("user_ids"))

    @property
    def sleep_id(self) -> str:
        """Id of the last night of the first user."""
        return self._text("sleep_id")

    @property
    def sleep_date(self) -> datetime.date:
        """Date of the night `sleep_id`."""
        return datetime.date.fromisoformat(self._text("sleep_date"))

    @property
    def today(self) -> datetime.date:
        """Date of the sandbox's clock at the start, in UTC."""
        return datetime.date.fromisoformat(self._text("today"))

    @property
    def pid(self) -> int:
        """Process id of the program."""
        self._member("base_url")
        return typing.cast("_program.Process", self._process).pid

    @property
    def running(self) -> bool:
        """Whether the sandbox is running."""
        return self._process is not None and not self._closed and self._process.runs()

    @property
    def environment(self) -> dict[str, str]:
        """A new `dict` of the environment variables for `Client.from_env` and the program `vitalwire`."""
        names = ("base_url", "care_base_url", "token", "care_token")
        return {f"VITALWIRE_{name.upper()}": self._text(name) for name in names}

    @_same_arguments(Client)
    def client(self, *args: typing.Any, **settings: typing.Any) -> Client:
        """Creates a `Client` for the sandbox, with the same arguments as `Client`. Defaults to the first user."""
        return Client(*args, **self._settings(args, settings))

    @_same_arguments(AsyncClient)
    def async_client(self, *args: typing.Any, **settings: typing.Any) -> AsyncClient:
        """Creates an `AsyncClient` for the sandbox, with the same arguments as `AsyncClient`. Defaults to the first user."""
        return AsyncClient(*args, **self._settings(args, settings))

    def _settings(self, args: tuple[typing.Any, ...], given: dict[str, typing.Any]) -> dict[str, typing.Any]:
        names = ("base_url", "care_base_url", "token", "care_token")
        # Positional arguments are the first of these settings, in order. Loopback needs no proxy.
        return {**{name: self._text(name) for name in names[len(args) :]}, "proxy": "none", **given}

    def token_of(self, user_id: str) -> str:
        """Returns an access token for a user, by the token exchange of an application's server."""
        key = self.application_key.encode()
        signature = hmac.new(key, _arguments.check_unicode("user_id", user_id).encode(), hashlib.sha256).hexdigest()
        return self.client().tokens.exchange(self.application_id, user_id, signature).access_token

    def add_fault(self, fault: str) -> None:
        """Adds a fault, as the setting `faults` does at the start."""
        _control.send(self.control_url, "POST", "/faults", {"fault": _arguments.check_unicode("fault", fault)}, "fault")

    def clear_faults(self) -> None:
        """Removes all faults."""
        _control.send(self.control_url, "DELETE", "/faults", None, "fault")

    def advance(self, by: datetime.timedelta) -> None:
        """Advances the sandbox's clock by at most 100 years. Analyses and webhooks that become due are completed."""
        seconds = _arguments.check_type("by", by, datetime.timedelta).total_seconds()
        _control.send(self.control_url, "POST", "/clock", {"advance": seconds}, "by")

    def reset(self) -> None:
        """Resets the sandbox to its initial data: removes uploads, changes, faults and logged requests. The clock is kept."""
        _control.send(self.control_url, "POST", "/reset", {}, "db")

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("closed: the sandbox is closed; create a new one")

    def _member(self, name: str) -> typing.Any:
        self._check_open()
        if not self._ready:
            raise ConfigurationError("configuration: the sandbox is not started: use it with `with`, or call start()")
        return self._ready[name]

    def _text(self, name: str) -> str:
        return str(self._member(name))
