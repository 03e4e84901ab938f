"""Creates the clients of cases and the options of their calls."""

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
CONVERTED_SEPARATELY = {"token", "care_token", "retry_delay_scale", "proxy", "on_attempt"}
#: Conversions of values by kind; others are passed unchanged.
CONVERSIONS: dict[str, typing.Callable[[typing.Any], typing.Any]] = {
    "duration": lambda milliseconds: milliseconds / 1000,
    # Doubles that JSON cannot express are texts.
    "factor": float,
    "pem": str.encode,
}
#: Options that the runner handles itself.
RUNNER_OPTIONS = {"at_once", "cancel_after_ms", "close_after_ms", "close_ends"}


def token(source: typing.Any) -> typing.Any:
    """Returns a client's token: a text, a callable, or `None`."""
    if source == "absent":
        return None
    if source == "provider_fails":
        return fail
    if "text" in source:
        return source["text"]
    # The provider returns these tokens in sequence, and repeats the last one.
    *first, last = source["provider"]
    texts = itertools.chain(first, itertools.repeat(last))
    return lambda reason: next_token(next(texts))


def next_token(text: str) -> str:
    """Returns a token. A token marked `late:` is delayed."""
    if text.startswith("late:"):
        time.sleep(2)
    return text.removeprefix("late:")


def fail(reason: str) -> str:
    """Raises the exception of a failing provider."""
    raise RuntimeError("the provider fails, as the case asks for")


def as_coroutine_function(source: typing.Any) -> typing.Any:
    """Returns the callable as a coroutine function, for async clients."""
    if not callable(source):
        return source

    async def call_in_thread(reason: str) -> object:
        return await asyncio.to_thread(source, reason)

    return call_in_thread


def convert(value: typing.Any, kind: str) -> typing.Any:
    """Converts a value of a case to a keyword argument."""
    return CONVERSIONS[kind](value) if kind in CONVERSIONS else value


def settings(given: Json) -> Json:
    """Returns the keyword arguments of a client, without its tokens."""
    # Defaults to no proxy, so that the machine's proxy is not used.
    keywords = {"proxy": given.get("proxy", "none")} | {name: given[name] for name in ("on_attempt",) if name in given}
    for name, value in given.items():
        if name not in CONVERTED_SEPARATELY:
            keyword, kind = CLIENT[name]
            keywords[keyword] = convert(value, kind)
    return keywords


def options(given: Json) -> CallOptions:
    """Returns the options of a call as keyword arguments."""
    call_options = CallOptions()
    for name, value in given.items():
        if name in CALL:
            keyword, kind = CALL[name]
            setattr(call_options, keyword, convert(value, kind))
        elif name not in RUNNER_OPTIONS:
            raise Unsupported(f"{name} of a call")
    return call_options


def wait_options(given: Json) -> Json:
    """Returns the keyword arguments of a wait."""
    keywords: Json = {}
    if given.get("timeout_ms") is not None:
        keywords["wait_timeout"] = given["timeout_ms"] / 1000
    if given.get("interval_ms") is not None:
        keywords["interval"] = tuple(milliseconds / 1000 for milliseconds in given["interval_ms"])
    return keywords


def range_options(given: Json) -> Json:
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


def new_client(kind: typing.Any, given: Json, **tokens: typing.Any) -> typing.Any:
    """Creates a client with the retry delay scale of the plan."""
    scale = given.get("retry_delay_scale")
    return (kind if scale is None else functools.partial(kind._with_retry_delay_scale, scale))(**settings(given), **tokens)


def blocking_client(given: Json) -> vitalwire.Client:
    """Creates a blocking client."""
    client: vitalwire.Client = new_client(vitalwire.Client, given, token=token(given["token"]), care_token=token(given["care_token"]))
    return client


def async_client(given: Json) -> vitalwire.AsyncClient:
    """Creates an async client."""
    tokens = {name: as_coroutine_function(token(given[name])) for name in ("token", "care_token")}
    client: vitalwire.AsyncClient = new_client(vitalwire.AsyncClient, given, **tokens)
    return client
