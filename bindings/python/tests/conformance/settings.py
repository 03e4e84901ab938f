"""A case's clients, and the options of its calls."""

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

#: Settings that are read apart from the generated ones, or are no keyword.
APART = {"token", "care_token", "retry_delay_scale", "proxy", "on_attempt"}
#: How values are read, by their kinds; the others are taken as they are.
READ: dict[str, typing.Callable[[typing.Any], typing.Any]] = {
    "duration": lambda milliseconds: milliseconds / 1000,
    # Those that JSON cannot write are texts.
    "factor": float,
    "pem": str.encode,
}
#: Options that are the runner's own matter.
OWN = {"at_once", "cancel_after_ms", "close_after_ms", "close_ends"}


def token(source: typing.Any) -> typing.Any:
    """A client's token: a text, something that gives texts, or none."""
    if source == "absent":
        return None
    if source == "provider_fails":
        return failing
    if "text" in source:
        return source["text"]
    # One after the other, and the last for ever.
    *first, last = source["provider"]
    texts = itertools.chain(first, itertools.repeat(last))
    return lambda reason: given(next(texts))


def given(text: str) -> str:
    """A token, some of which are late."""
    if text.startswith("late:"):
        time.sleep(2)
    return text.removeprefix("late:")


def failing(reason: str) -> str:
    """What a case's failing provider does."""
    raise RuntimeError("the provider fails, as the case asks for")


def awaited(source: typing.Any) -> typing.Any:
    """The same as a coroutine function, which asynchronous clients take too."""
    if not callable(source):
        return source

    async def later(reason: str) -> object:
        return await asyncio.to_thread(source, reason)

    return later


def read(value: typing.Any, kind: str) -> typing.Any:
    """A value of a plan, as a keyword takes it."""
    return READ[kind](value) if kind in READ else value


def settings(given: Json) -> Json:
    """The keywords of a client, apart from its tokens."""
    # The machine's own proxy is not used.
    keywords = {"proxy": given.get("proxy", "none")} | {name: given[name] for name in ("on_attempt",) if name in given}
    for name, value in given.items():
        if name not in APART:
            keyword, kind = CLIENT[name]
            keywords[keyword] = read(value, kind)
    return keywords


def options(given: Json) -> CallOptions:
    """The options of a call, as the keywords that it takes."""
    taken = CallOptions()
    for name, value in given.items():
        if name in CALL:
            keyword, kind = CALL[name]
            setattr(taken, keyword, read(value, kind))
        elif name not in OWN:
            raise Unsupported(f"{name} of a call")
    return taken


def waiting(given: Json) -> Json:
    """The keywords of a wait."""
    keywords: Json = {}
    if given.get("timeout_ms") is not None:
        keywords["wait_timeout"] = given["timeout_ms"] / 1000
    if given.get("interval_ms") is not None:
        keywords["interval"] = tuple(milliseconds / 1000 for milliseconds in given["interval_ms"])
    return keywords


def splitting(given: Json) -> Json:
    """The keywords of a range."""
    keywords: Json = {"on_error": "collect" if given.get("collect_errors") else "stop"}
    if given.get("days") is not None:
        keywords["part_length"] = datetime.timedelta(days=given["days"])
    if given.get("hours") is not None:
        # 24 hours are a day to a `timedelta`, and not to a text.
        keywords["part_length"] = f"{given['hours']}h"
    if given.get("concurrency") is not None:
        keywords["concurrency"] = given["concurrency"]
    if given.get("turn") is not None:
        keywords["turn"] = given["turn"]
    return keywords


def made(kind: typing.Any, given: Json, **tokens: typing.Any) -> typing.Any:
    """A client of a class, with its waits before retries as long as a plan says."""
    scale = given.get("retry_delay_scale")
    return (kind if scale is None else functools.partial(kind._with_retry_delay_scale, scale))(**settings(given), **tokens)


def blocking(given: Json) -> vitalwire.Client:
    """The client whose calls block."""
    client: vitalwire.Client = made(vitalwire.Client, given, token=token(given["token"]), care_token=token(given["care_token"]))
    return client


def awaiting(given: Json) -> vitalwire.AsyncClient:
    """The client whose calls are awaited."""
    tokens = {name: awaited(token(given[name])) for name in ("token", "care_token")}
    client: vitalwire.AsyncClient = made(vitalwire.AsyncClient, given, **tokens)
    return client
