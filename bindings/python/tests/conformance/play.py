"""Plays the calls of a case, with a client of either style or without a server, and describes their outcomes."""

from __future__ import annotations

import base64
import datetime
import functools
import threading
import traceback
import typing
from collections.abc import Coroutine

import arguments
import canonical
import settings
import syncs
import vitalwire
from generated.calls import CALLS, SPLITS, WAITS
from generated.outcomes import lab_report_webhook, nutrition_webhook, problem_details, webhook_event
from generated.waited import WAITED
from style import Cancelled, Style
from vitalwire import webhook as webhooks

Json = dict[str, typing.Any]
#: Functions that make calls, by operation id.
Table = typing.Mapping[str, typing.Callable[[vitalwire.Client, arguments.Arguments], canonical.StartedCall]]

#: Pause between consecutive calls in seconds, because a connection becomes free a moment after its response.
BETWEEN = 0.2

#: Seconds without a further attempt after which all attempts count as reported. Another thread reports attempts of awaited calls.
QUIET = 0.3

#: Suffix of the function names for each kind of webhook, and the function that writes their result.
WEBHOOKS: dict[str, tuple[str, canonical.Form]] = {
    "events": ("events", canonical.many(webhook_event.outcome)),
    "lab_report": ("lab_report", lab_report_webhook.outcome),
    "nutrition": ("nutrition", nutrition_webhook.outcome),
}


def describe_failure(error: vitalwire.VitalwireError, texts: list[str]) -> Json:
    """Describes an error by its attributes."""
    texts += [str(error), repr(error), "".join(traceback.format_exception(error)), repr(error.problem), str(error.problem)]
    members = {"error": error.kind, "code": error.code, "attempts": error.attempts}
    members |= {"request_id": error.request_id, "status": error.status, "argument": error.argument, "json_path": error.json_path}
    members |= {"may_have_taken_effect": error.may_have_taken_effect or None, "record_id": error.record_id}
    members |= {"is_transient": error.is_transient, "path_template": error.path_template}
    if error.problem is not None:
        members["problem"] = problem_details.outcome(error.problem, canonical.Reading())
    if error.retry_after is not None:
        # `retry_after` is a double: it is rounded to microseconds first, so that no millisecond is lost.
        members["retry_after_ms"] = round(error.retry_after * 1e6) // 1000
    if error.body is not None:
        members["body"] = error.body.hex()
    if error.last is not None:
        members["last"] = WAITED[type(error.last)](error.last, canonical.Reading())
    return without_missing(members)


def without_missing(members: Json) -> Json:
    """Removes missing values from an outcome."""
    return {name: value for name, value in members.items() if name == "value" or value is not None}


def success(response: canonical.Outcome, texts: list[str]) -> Json:
    """Describes the outcome of a successful call."""
    texts += response.texts
    members = {"value": response.value, "attempts": response.attempts, "request_id": response.request_id, "basis": response.basis}
    members |= {"failed_parts": response.failed_parts, "skipped_items": response.skipped_items}
    return without_missing(members | {"body": None if response.body is None else response.body.hex()})


def describe_attempt(attempt: vitalwire.Attempt) -> Json:
    """Describes an attempt, as reported to the client's callback."""
    members: Json = {"operation": attempt.operation, "http_method": attempt.http_method, "path_template": attempt.path_template}
    members |= {"attempt": attempt.attempt, "status": attempt.status, "error": attempt.error, "request_id": attempt.request_id}
    if attempt.next_delay is not None:
        # Outcomes have whole milliseconds, rounded down, as for `retry_after_ms`.
        members["next_delay_ms"] = round(attempt.next_delay * 1e6) // 1000
    return without_missing(members)


class Play:
    """Plays one case."""

    def __init__(self, style: Style, case: Json) -> None:
        self._style = style
        self._case = case
        self.texts: list[str] = []
        #: Attempts reported to the callback; `None` if the case has no callback.
        self.reported_attempts: list[Json] | None = [] if case["client"].get("on_attempt") else None

    async def outcome(self) -> Json:
        """Returns the outcome to post."""
        outcome = await self._outcome()
        count = -1
        while self.reported_attempts is not None and len(self.reported_attempts) != count:
            count = len(self.reported_attempts)
            await self._style.pause(QUIET)
        return outcome

    def _record_attempt(self, attempt: vitalwire.Attempt) -> None:
        self.texts.append(repr(attempt))
        if self.reported_attempts is not None:
            self.reported_attempts.append(describe_attempt(attempt))

    async def _outcome(self) -> Json:
        ((kind, call),) = self._case["call"].items()
        try:
            on = self._style.client(self._case["client"] | ({} if self.reported_attempts is None else {"on_attempt": self._record_attempt}))
            self.texts += [repr(on), str(on)]
            options = (call.get("options") or {}) if isinstance(call, dict) else {}
            after = options.get("close_after_ms")
            if after is None:
                return await self._play_kind(kind, call, on)
            close = functools.partial(self._style.close, on, options.get("close_ends", False))
            if after == 0:
                await close()
                return await self._play_kind(kind, call, on)
            return await self._style.run_alongside(after / 1000, close, self._play_kind(kind, call, on))
        except vitalwire.VitalwireError as error:
            return describe_failure(error, self.texts)
        except Cancelled:
            return {"error": vitalwire.CancelledError.kind, "code": vitalwire.CancelledError.code}
        except arguments.Unsupported as feature:
            return {"unsupported": str(feature)}
        except BaseException as error:  # `except Exception` would miss panics.
            self.texts += ["".join(traceback.format_exception(error))]
            return {"raised": f"{type(error).__name__}: {error}"}

    async def _play_kind(self, kind: str, call: typing.Any, on: vitalwire.Client) -> Json:
        if kind == "operation":
            return await self._operation(on, call)
        if kind == "in_row":
            return await self._in_sequence(on, call)
        if kind == "wait":
            return await self._wait(on, call)
        if kind == "split":
            return await self._send(on, call, vitalwire.CancelToken(), SPLITS, settings.range_options(call))
        if kind == "nights":
            return await self._nights(on, call)
        if kind == "sync":
            return await self._syncs(on, call)
        if kind == "webhook":
            return success(webhook(call), self.texts)
        if kind == "redirect":
            return success(redirect(call), self.texts)
        raise arguments.Unsupported(kind)

    async def _operation(self, on: vitalwire.Client, call: Json) -> Json:
        """Makes a call, several times concurrently or cancelled if the case demands this. Reports equal outcomes once."""
        given = call["options"]
        cancel = vitalwire.CancelToken()
        send = functools.partial(self._send, on, call, cancel)
        work = self._concurrently(send, given.get("at_once", 1))
        after = given.get("cancel_after_ms")
        return await (work if after is None else self._style.cancel_after(after / 1000, cancel, work))

    async def _wait(self, on: vitalwire.Client, call: Json) -> Json:
        """Waits for an analysis. Both styles cancel with a token, because only then the error has the last record."""
        cancel = vitalwire.CancelToken()
        send = self._send(on, call, cancel, WAITS, settings.wait_options(call))
        after = (call.get("options") or {}).get("cancel_after_ms")
        if after is None:
            return await send
        timer = threading.Timer(after / 1000, cancel.cancel)
        timer.start()
        try:
            return await send
        finally:
            timer.cancel()

    async def _nights(self, on: vitalwire.Client, call: Json) -> Json:
        """Collects the sleeps of some days as a table."""
        first, last = (datetime.date.fromisoformat(call[bound]) for bound in ("first", "last"))
        search = on.sleeps.between(first, last, on_error="collect" if call["collect_errors"] else "stop")
        found = search.collect_table(missing="row" if call["missing_rows"] else None)
        started = canonical.merged(found, canonical.rows(call["columns"]))
        return success(started.read(await self._style.result(started.response)), self.texts)

    async def _syncs(self, on: vitalwire.Client, calls: list[Json]) -> Json:
        """Makes syncs in sequence."""
        given = self._case["client"]

        def client(path: str) -> vitalwire.Client:
            return self._style.client(given | {"base_url": given["base_url"] + path}) if path else on

        return await syncs.play(client, calls, lambda error: describe_failure(error, self.texts), self.texts)

    async def _concurrently(self, send: typing.Callable[[], Coroutine[typing.Any, typing.Any, Json]], count: int) -> Json:
        outcomes = [await send()] if count == 1 else await self._style.run_concurrently([send] * count)
        if any(outcome != outcomes[0] for outcome in outcomes):
            # Concurrent calls share a retry budget, so their numbers of attempts may differ.
            outcomes = [{name: value for name, value in outcome.items() if name != "attempts"} for outcome in outcomes]
        same = all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0] if same else {"several": outcomes}

    async def _in_sequence(self, on: vitalwire.Client, calls: list[Json]) -> Json:
        """Makes calls in sequence."""
        outcomes = []
        for call in calls:
            outcomes.append(await self._send(on, call, vitalwire.CancelToken()))
            await self._style.pause(BETWEEN)
        return {"in_row": outcomes}

    async def _send(
        self, on: vitalwire.Client, call: Json, cancel: vitalwire.CancelToken, table: Table = CALLS, keywords: Json | None = None
    ) -> Json:
        """Makes one call of an operation, one wait or one range call."""
        options = settings.options(call.get("options") or {})
        options.cancel = cancel if self._style.takes_cancel or table is WAITS else None
        try:
            started = table[call["id"]](on, arguments.Arguments(call.get("arguments") or {}, options, keywords))
            return success(started.read(await self._style.result(started.response)), self.texts)
        except vitalwire.VitalwireError as error:
            return describe_failure(error, self.texts)


def webhook(call: Json) -> canonical.Outcome:
    """Parses a webhook. If the case has a signature, verifies it first."""
    name, convert = WEBHOOKS[call["kind"]]
    body = base64.b64decode(call["body"]["base64"], validate=True)
    if call.get("signature") is None:
        content = getattr(webhooks, f"parse_{name}")(body)
    else:
        verifier = webhooks.Verifier(call["keys"])
        content = getattr(verifier, f"verify_and_parse_{name}")(body, call["signature"])
    reading = canonical.Reading()
    outcome = reading.outcome(convert(content, reading), None)
    return outcome._replace(skipped_items=reading.skipped(webhooks.skipped_items(body, call["kind"])))


def redirect(call: Json) -> canonical.Outcome:
    """Parses a consent redirect. Returns parameters by name, and repeated parameters as a list."""
    back = vitalwire.parse_consent_redirect(call["url"], call.get("expected_state"))
    members: Json = {}
    named = [("user_id", back.user_id), ("provider_slug", back.provider_slug), ("state", back.state), ("error", back.failure)]
    for name, value in [*named, *back.extra]:
        if value is None:
            continue
        canonical.expect(value, str)
        if name not in members:
            members[name] = value
        elif isinstance(members[name], list):
            members[name].append(value)
        else:
            members[name] = [members[name], value]
    reading = canonical.Reading()
    reading.texts += [repr(back), str(back)]
    return reading.outcome(members, None)
