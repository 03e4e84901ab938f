"""Clients of cases, and the options of their calls."""

from __future__ import annotations

import asyncio
import datetime
import functools
import itertools
import time
import typing

import vitalwire
from arguments import Unsupported
from generated.settings import CALL, CLIENT, CallOptions

Json = dict[str, typing.Any]

#: Settings that are converted separately or are not keyword arguments.
APART = {"token", "care_token", "retry_delay_scale", "proxy", "on_attempt"}
#: Conversions of values by kind; others are passed unchanged.
READ: dict[str, typing.Callable[[typing.Any], typing.Any]] = {
    "duration": lambda milliseconds: milliseconds / 1000,
    # Doubles that JSON cannot express are texts.
    "factor": float,
    "pem": str.encode,
}
#: Options that the runner handles itself.
OWN = {"at_once", "cancel_after_ms", "close_after_ms", "close_ends"}


def token(source: typing.Any) -> typing.Any:
    """Returns a client's token: a text, a callable, or `None`."""
    if source == "absent":
        return None
    if source == "provider_fails":
        return failing
    if "text" in source:
        return source["text"]
    # One after the other; the last one repeats.
    *first, last = source["provider"]
    texts = itertools.chain(first, itertools.repeat(last))
    return lambda reason: given(next(texts))


def given(text: str) -> str:
    """Returns a token, which may be delayed."""
    if text.startswith("late:"):
        time.sleep(2)
    return text.removeprefix("late:")


def failing(reason: str) -> str:
    """Raises the exception of a failing provider."""
    raise RuntimeError("the provider fails, as the case asks for")


def awaited(source: typing.Any) -> typing.Any:
    """Returns the callable as a coroutine function, for async clients."""
    if not callable(source):
        return source

    async def later(reason: str) -> object:
        return await asyncio.to_thread(source, reason)

    return later


def read(value: typing.Any, kind: str) -> typing.Any:
    """Converts a value of a plan to a keyword argument."""
    return READ[kind](value) if kind in READ else value


def settings(given: Json) -> Json:
    """Returns the keyword arguments of a client, without its tokens."""
    # The machine's proxy is not used.
    keywords = {"proxy": given.get("proxy", "none")} | {name: given[name] for name in ("on_attempt",) if name in given}
    for name, value in given.items():
        if name not in APART:
            keyword, kind = CLIENT[name]
            keywords[keyword] = read(value, kind)
    return keywords


def options(given: Json) -> CallOptions:
    """Returns the options of a call as keyword arguments."""
    taken = CallOptions()
    for name, value in given.items():
        if name in CALL:
            keyword, kind = CALL[name]
            setattr(taken, keyword, read(value, kind))
        elif name not in OWN:
            raise Unsupported(f"{name} of a call")
    return taken


def waiting(given: Json) -> Json:
    """Returns the keyword arguments of a wait."""
    keywords: Json = {}
    if given.get("timeout_ms") is not None:
        keywords["wait_timeout"] = given["timeout_ms"] / 1000
    if given.get("interval_ms") is not None:
        keywords["interval"] = tuple(milliseconds / 1000 for milliseconds in given["interval_ms"])
    return keywords


def splitting(given: Json) -> Json:
    """Returns the keyword arguments of a range."""
    keywords: Json = {"on_error": "collect" if given.get("collect_errors") else "stop"}
    if given.get("days") is not None:
        keywords["part_length"] = datetime.timedelta(days=given["days"])
    if given.get("hours") is not None:
        # A `timedelta` of 24 hours is a day; the text "24h" is not.
        keywords["part_length"] = f"{given['hours']}h"
    if given.get("concurrency") is not None:
        keywords["concurrency"] = given["concurrency"]
    if given.get("turn") is not None:
        keywords["turn"] = given["turn"]
    return keywords


def made(kind: typing.Any, given: Json, **tokens: typing.Any) -> typing.Any:
    """Creates a client with the retry delay scale of the plan."""
    scale = given.get("retry_delay_scale")
    return (kind if scale is None else functools.partial(kind._with_retry_delay_scale, scale))(**settings(given), **tokens)


def blocking(given: Json) -> vitalwire.Client:
    """Creates a blocking client."""
    client: vitalwire.Client = made(vitalwire.Client, given, token=token(given["token"]), care_token=token(given["care_token"]))
    return client


def awaiting(given: Json) -> vitalwire.AsyncClient:
    """Creates an async client."""
    tokens = {name: awaited(token(given[name])) for name in ("token", "care_token")}
    client: vitalwire.AsyncClient = made(vitalwire.AsyncClient, given, **tokens)
    return client
