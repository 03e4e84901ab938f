"""Plays syncs of one user, each from the state of an earlier one, and describes their outcomes."""

from __future__ import annotations

import datetime
import itertools
import json
import typing
from collections.abc import Callable

import canonical
import settings
import vitalwire
from vitalwire import webhook

Json = dict[str, typing.Any]

#: Options of the calls of a sync.
OPTIONS = ("timeout", "attempt_timeout", "connect_timeout", "max_retries", "token")
#: Position of the version in a state.
VERSION = 6


async def play(
    client: Callable[[str], vitalwire.Client],
    syncs: list[Json],
    describe_failure: Callable[[vitalwire.VitalwireError], Json],
    texts: list[str],
) -> Json:
    """Plays syncs. `client` returns the client with a path after the base URL."""
    outcomes = []
    before: bytes | None = None
    last: bytes | None = None
    for sync in syncs:
        outcome: Json = {"parts": []}
        outcomes.append(outcome)
        try:
            call = start(client(sync.get("base_path", "")), sync, state_of(sync["state"], before, last))
            texts.append(repr(call))
            if sync.get("record_events"):
                before = last = call.record_events()
                continue
            parts = call.__aiter__() if hasattr(call, "__aiter__") else iter(call)
        except vitalwire.VitalwireError as error:
            outcome |= failure(error, describe_failure)
            continue
        for number in itertools.count():
            if number == sync.get("max_parts"):
                parts.close()
                break
            try:
                part = await anext(parts, None) if hasattr(parts, "__anext__") else next(parts, None)
            except vitalwire.VitalwireError as error:
                # The parts after a failed one are read, too.
                outcome |= failure(error, describe_failure)
                continue
            if part is None:
                break
            before, last = part.state_before, part.state
            outcome["parts"].append(describe_part(part, sync.get("columns", []), texts))
    return {"sync": outcomes}


def start(on: vitalwire.Client, sync: Json, state: bytes | None) -> typing.Any:
    """Creates a sync."""
    keywords: Json = {name: sync[name] for name in ("look_back", "check_account", "expect_account") if name in sync}
    options = settings.options(sync.get("options", {}))
    keywords |= {name: getattr(options, name) for name in OPTIONS}
    if "first" in sync:
        keywords["first"] = datetime.date.fromisoformat(sync["first"])
    if "events" in sync:
        keywords["events"] = [sync_event(event) for event in sync["events"]]
    return on.sync(sync["kinds"], secret=sync["secret"].encode(), user=sync["user"], state=state, **keywords)


def sync_event(event: Json) -> vitalwire.SyncEvent | None:
    """Creates an event of days or of a webhook."""
    ((form, given),) = event.items()
    if form == "days":
        return vitalwire.SyncEvent(given["kinds"], *(datetime.date.fromisoformat(given[bound]) for bound in ("first", "last")))
    (parsed,) = webhook.parse_events(json.dumps([{"event_type": "record_change", **given}]).encode())
    return vitalwire.SyncEvent.from_webhook(parsed)


def state_of(source: str, before: bytes | None, last: bytes | None) -> bytes | None:
    """Returns the state from which a sync starts. `before` and `last` are those of the last part."""
    if source in ("last", "none"):
        return last if source == "last" else None
    if before is None or last is None:
        raise LookupError("no earlier sync has a state")
    if source == "damaged":
        return last[:-1] + bytes([last[-1] ^ 1])
    if source == "newer_version":
        return last[:VERSION] + bytes([last[VERSION] + 1]) + last[VERSION + 1 :]
    return before


def failure(error: vitalwire.VitalwireError, describe_failure: Callable[[vitalwire.VitalwireError], Json]) -> Json:
    """Describes the error of a sync or of a part."""
    described = describe_failure(error)
    return {"state_error": error.reason} if isinstance(error, vitalwire.StateError) else {"error": described}


def describe_part(part: vitalwire.SyncPart, columns: list[str], texts: list[str]) -> Json:
    """Describes a part."""
    texts += [repr(part), repr(part.progress), *(repr(change) for change in part.changes)]
    return {
        "days": [canonical.date(day) for day in part.days],
        "kinds": [canonical.text(kind) for kind in part.kinds],
        "progress": [canonical.integer(days) for days in (part.progress.done_days, part.progress.total_days)],
        "left_out": canonical.integer(part.left_out),
        "changes": [describe_change(change, columns) for change in part.changes],
    }


def describe_change(change: vitalwire.Change, columns: list[str]) -> Json:
    """Describes a change."""
    members = {"type": change.type, "kind": change.kind, "id": change.id, "before": change.before, "after": change.after}
    described: Json = {name: canonical.text(value) for name, value in members.items() if value is not None}
    if change.day is not None:
        described["day"] = canonical.date(change.day)
    if columns:
        described["rows"] = [{name: canonical.plain(row[name]) for name in columns if name in row} for row in change.rows]
    return described
