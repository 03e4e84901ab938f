"""Parts of a range, read one by one: concurrent reads and closing."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import typing

import vitalwire

#: Time until a read is in flight, in seconds. The judge delays its response for longer.
UNDER_WAY = 0.15

Json = dict[str, typing.Any]


def play(asked: typing.Any, turn: str) -> typing.Any:
    """Returns the outcome of the reads; an awaitable for an async range."""
    return _awaited(aiter(asked), turn) if hasattr(asked, "__aiter__") else _blocking(iter(asked), turn)


def _told(parts: typing.Any, read: list[int], ended: vitalwire.VitalwireError | None) -> Json:
    left = 0 if parts.resume_token is None else parts.resume_token.parts_left
    return {"read": read, "left": left} | ({} if ended is None else {"error": ended.kind, "code": ended.code})


def _blocking(parts: typing.Any, turn: str) -> Json:
    read, ended = [next(parts).index], None
    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        if turn in ("second_reader", "closed_while_read"):
            reading = beside.submit(next, parts)
            time.sleep(UNDER_WAY)
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
    return _told(parts, read, ended)


async def _awaited(parts: typing.Any, turn: str) -> Json:
    read, ended = [(await anext(parts)).index], None
    if turn in ("second_reader", "closed_while_read"):
        reading = asyncio.ensure_future(anext(parts))
        await asyncio.sleep(UNDER_WAY)
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
    return _told(parts, read, ended)
