"""Reads the parts of a range one by one, with concurrent reads or while the iterator is closed."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import typing

import vitalwire

#: Seconds after which a read is in flight. The judge delays its response for longer.
IN_FLIGHT_AFTER = 0.15

Json = dict[str, typing.Any]


def play(range_call: typing.Any, turn: str) -> typing.Any:
    """Returns the outcome of the reads, or an awaitable of the outcome for an async range."""
    return _play_async(aiter(range_call), turn) if hasattr(range_call, "__aiter__") else _play_blocking(iter(range_call), turn)


def _outcome(parts: typing.Any, read: list[int], ended: vitalwire.VitalwireError | None) -> Json:
    left = 0 if parts.resume_token is None else parts.resume_token.parts_left
    return {"read": read, "left": left} | ({} if ended is None else {"error": ended.kind, "code": ended.code})


def _play_blocking(parts: typing.Any, turn: str) -> Json:
    read, ended = [next(parts).index], None
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        if turn in ("second_reader", "closed_while_read"):
            reading = executor.submit(next, parts)
            time.sleep(IN_FLIGHT_AFTER)
            try:
                next(parts) if turn == "second_reader" else parts.close()
            except vitalwire.VitalwireError as error:
                ended = error
            try:
                read.append(reading.result().index)
            except vitalwire.VitalwireError as error:
                ended = error
        elif turn == "closed":
            parts.close()
    read += [part.index for part in parts]
    read += [part.index for part in parts]
    return _outcome(parts, read, ended)


async def _play_async(parts: typing.Any, turn: str) -> Json:
    read, ended = [(await anext(parts)).index], None
    if turn in ("second_reader", "closed_while_read"):
        reading = asyncio.ensure_future(anext(parts))
        await asyncio.sleep(IN_FLIGHT_AFTER)
        try:
            await (anext(parts) if turn == "second_reader" else parts.aclose())
        except vitalwire.VitalwireError as error:
            ended = error
        try:
            read.append((await reading).index)
        except vitalwire.VitalwireError as error:
            ended = error
    elif turn == "closed":
        await parts.aclose()
    read += [part.index async for part in parts]
    read += [part.index async for part in parts]
    return _outcome(parts, read, ended)
