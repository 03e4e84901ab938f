"""Tests of syncs: changes since the last look, states, errors, events and cancellation, against a scripted service and the sandbox.

Expected values are worked out from the documentation of syncs and from the data of the service.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import typing
import urllib.request

import pytest
from changing_service import Night
from serving import PATIENCE, Service
from synced_service import SyncedService
from test_interrupted_ranges import cancel_after_read

import vitalwire
from vitalwire import webhook

SECRET = b"0123456789abcdef"
#: Stands for personal data, which must not be in any text of the package.
CANARY = "rosa-quintero"
GUIDE = pathlib.Path(__file__).parents[1] / "guide"


def date(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def sync(client: vitalwire.Client, kinds: typing.Any = "daily", state: bytes | None = None, **options: typing.Any) -> vitalwire.SyncCall:
    """Returns a sync of the test user."""
    return client.sync(kinds, **{"secret": SECRET, "user": "user-7", "state": state, **options})


def texts(*parts: vitalwire.SyncPart) -> list[str]:
    """Returns the type, id and day of each change."""
    return [f"{change.type} {change.id} {change.day}" for part in parts for change in part.changes]


def with_days(count: int) -> SyncedService:
    """Returns a service with steps on each of the last days: 1000 today, 1001 on the day before, and so on."""
    service = SyncedService()
    days = [date("2025-11-20") - datetime.timedelta(days=back) for back in range(count)]
    service.steps["anna"] = {day.isoformat(): 1000 + back for back, day in enumerate(days)}
    return service


def synced(service: SyncedService, kinds: typing.Any = "daily", first: str = "2025-11-11") -> bytes:
    """Returns the state after a first sync."""
    return [part.state for part in sync(service.client(), kinds, first=first)][-1]


def test_a_first_sync_returns_all_records_the_newest_days_first() -> None:
    with SyncedService() as service:
        service.steps["anna"] = {"2025-11-18": 100, "2025-11-20": 200}
        service.nights["anna"] = {"night-1": Night("2025-09-15")}
        (part,) = sync(service.client(), first="2025-11-11")
        assert texts(part) == ["added 2025-11-18 2025-11-18", "added 2025-11-20 2025-11-20"]
        # The last day is tomorrow, because it has begun in the first time zones: 11 days.
        assert part.days == (date("2025-11-11"), date("2025-11-21")) and part.kinds == ("daily",)
        assert (part.progress.done_days, part.progress.total_days, part.has_more, part.left_out) == (11, 11, False, 0)
        added = part.changes[0]
        assert added.kind == "daily" and added.before is None and added.after is not None and len(added.after) == 12
        assert [(row["date"], row["steps"]) for row in added.rows] == [("2025-11-18", 100)]

        parts = list(sync(service.client(), ["sleeps", "daily"], first="2025-09-10"))
        # Up to 372 days of statistics and 31 days of sleeps are one part; 73 days of two kinds.
        assert [(part.kinds, part.days[0].isoformat()) for part in parts] == [
            (("daily",), "2025-09-10"), (("sleeps",), "2025-10-22"), (("sleeps",), "2025-09-21"), (("sleeps",), "2025-09-10"),
        ]
        assert [part.progress.done_days for part in parts] == [73, 104, 135, 146]
        assert {part.progress.total_days for part in parts} == {146} and [part.has_more for part in parts] == [True, True, True, False]
        generations = [part.generation for part in parts]
        assert generations == sorted(set(generations))
        # The state of any part continues: what is left is requested first, then the look-back.
        rest = list(sync(service.client(), ["sleeps", "daily"], parts[1].state))
        assert [(part.kinds[0], part.days[0].isoformat()) for part in rest] == [
            ("sleeps", "2025-09-21"), ("sleeps", "2025-09-10"), ("daily", "2025-11-13"), ("sleeps", "2025-11-13"),
        ]
        assert texts(*rest) == ["added night-1 2025-09-15"]


def test_a_sync_without_news_reports_nothing_and_sends_two_requests() -> None:
    with with_days(5) as service:
        state, before = synced(service), service.count()
        client = service.client()
        (part,) = sync(client, state=state)
        # The user's information and the statistics.
        assert part.changes == () and service.count() - before == 2
        # A look-back of 7 days, the day before it, which was not over, today and tomorrow.
        assert part.days == (date("2025-11-13"), date("2025-11-21"))
        # The client knows the clock of the service from the responses before.
        list(sync(client, state=part.state, check_account=False))
        assert service.count() - before == 3
        (part,) = sync(service.client(), state=part.state, look_back=2)
        assert part.days[0] == date("2025-11-18")
        # An earlier first day adds the days before that of the last sync, after the newest ones.
        parts = sync(service.client(), state=part.state, first="2025-11-01")
        assert [part.days for part in parts] == [
            (date("2025-11-13"), date("2025-11-21")), (date("2025-11-01"), date("2025-11-10")),
        ]


def test_late_changed_and_removed_records_have_their_content_keys() -> None:
    with with_days(5) as service:
        state = synced(service)
        service.today = "2025-11-21"
        service.steps["anna"].update({"2025-11-21": 1, "2025-11-18": 2, "2025-11-15": 3})
        del service.steps["anna"]["2025-11-17"]
        (part,) = sync(service.client(), state=state)
        removed, late, changed, added = part.changes
        assert texts(part) == [
            "removed 2025-11-17 2025-11-17", "added 2025-11-15 2025-11-15", "changed 2025-11-18 2025-11-18", "added 2025-11-21 2025-11-21",
        ]
        assert removed.before and removed.after is None and removed.rows == []
        assert changed.before and changed.after and changed.before != changed.after and changed.rows[0]["steps"] == 2
        assert late.before is None and late.rows[0]["steps"] == 3 and added.rows[0]["date"] == "2025-11-21"
        (after,) = sync(service.client(), state=part.state)
        assert after.changes == ()
        # The changes were applied, but the state after them was lost, and the service took one back: its opposite is reported.
        service.steps["anna"]["2025-11-18"] = 1002
        (again,) = sync(service.client(), state=part.state_before)
        assert "changed 2025-11-18 2025-11-18" in texts(again) and len(texts(again)) == 4


def test_an_older_day_with_several_records_is_removed_and_its_records_follow() -> None:
    with SyncedService() as service:
        service.nights["anna"] = {"night-1": Night("2025-10-20"), "night-2": Night("2025-10-20"), "night-3": Night("2025-10-21")}
        state = synced(service, "sleeps", "2025-10-01")
        del service.nights["anna"]["night-1"]
        (part,) = sync(service.client(), "sleeps", state)
        assert part.changes == ()
        event = vitalwire.SyncEvent("sleeps", "2025-10-20", "2025-10-21")
        parts = list(sync(service.client(), "sleeps", part.state, events=[event]))
        assert texts(*parts) == ["day_removed None 2025-10-20", "added night-2 2025-10-20"]
        removed = next(change for part in parts for change in part.changes)
        assert (removed.kind, removed.before, removed.after, removed.rows) == ("sleeps", None, None, [])


def test_stages_of_a_sleep_are_one_record_with_several_rows() -> None:
    with SyncedService() as service:
        service.nights["anna"] = {"night-1": Night("2025-11-18", 80, 3)}
        (part,) = sync(service.client(), ["sleeps", "sleep_stages"], first="2025-11-11")
        assert part.kinds == ("sleeps", "sleep_stages")
        records = [(change.kind, change.id, len(change.rows)) for change in part.changes]
        assert records == [("sleeps", "night-1", 1), ("sleep_stages", "night-1", 3)]
        assert [row["start_at"] for row in part.changes[1].rows] == [f"2025-11-18T0{hour}:00:00Z" for hour in range(3)]


def raised_by(create: typing.Callable[[], object]) -> vitalwire.StateError:
    with pytest.raises(vitalwire.StateError) as caught:
        create()
    return caught.value


def test_states_of_others_and_damaged_ones_are_errors_with_a_remedy() -> None:
    with with_days(3) as service, with_days(3) as other:
        state, on, before = synced(service), service.client(), service.count()
        cases = [
            ("damaged", lambda: sync(on, state=b"")),
            ("damaged", lambda: sync(on, state=state[:-1])),
            ("damaged", lambda: sync(on, state=state[:40] + bytes([state[40] ^ 1]) + state[41:])),
            # The version is the seventh byte.
            ("unsupported_version", lambda: sync(on, state=state[:6] + b"\x02" + state[7:])),
            ("other_key", lambda: sync(on, state=state, secret=SECRET[::-1])),
            ("other_service", lambda: sync(other.client(), state=state)),
            ("other_user", lambda: sync(on, state=state, user="user-8")),
        ]
        for reason, create in cases:
            error = raised_by(create)
            assert error.reason == reason and "start again without" in str(error), reason
            assert isinstance(error, vitalwire.InvalidArgumentError) and isinstance(error, ValueError)
            assert (error.kind, error.code, error.argument, error.attempts) == ("invalid_argument", 1002, "state", 0)
            copy = pickle.loads(pickle.dumps(error))
            assert (type(copy), str(copy), copy.reason, copy.argument) == (vitalwire.StateError, str(error), reason, "state")
        assert service.count() == before
        # A token of another user: nothing but the user's information is read.
        error = raised_by(lambda: list(sync(service.client("ben"), state=state)))
        assert error.reason == "other_user" and service.count() == before + 1
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            list(sync(service.client("ben"), expect_account="anna"))
        assert caught.value.argument == "token" and service.count() == before + 2
        # Copies of a service whose base URL changes.
        named = [part.state for part in sync(on, first="2025-11-11", service_name="health")][-1]
        assert texts(*sync(other.client(), state=named, service_name="health")) == []


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("kinds", {"kinds": []}),
        ("kinds", {"kinds": ["daily", "weekly"]}),
        ("secret", {"secret": b"0123456789abcde"}),
        ("user", {"user": ""}),
        ("look_back", {"look_back": 0}),
        ("look_back", {"look_back": 3661}),
        ("look_back", {"look_back": -1}),
        ("first", {"first": "2025-13-01"}),
        ("timeout", {"timeout": 0}),
    ],
)
def test_invalid_arguments_are_named(argument: str, options: dict[str, typing.Any]) -> None:
    client = vitalwire.Client("http://127.0.0.1:1", token="t", allow_plain_http=True)
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        client.sync(**{"kinds": "daily", "secret": SECRET, "user": "user-7", **options})
    assert caught.value.argument == argument and type(caught.value) is vitalwire.InvalidArgumentError


@pytest.mark.parametrize(
    ("argument", "value"),
    [("secret", "0123456789abcdef"), ("state", "text"), ("events", 7), ("events", ["2025-01-01"]), ("look_back", "7"), ("user", 7),
     ("check_account", "no"), ("first", 7)],
)
def test_arguments_of_the_wrong_type_are_named(argument: str, value: object) -> None:
    client = vitalwire.Client("http://127.0.0.1:1", token="t", allow_plain_http=True)
    arguments: dict[str, typing.Any] = {"kinds": "daily", "secret": SECRET, "user": "user-7", argument: value}
    with pytest.raises(TypeError, match=f"argument '{argument}': ") as caught:
        client.sync(**arguments)
    assert "0123456789" not in str(caught.value)


def test_a_client_without_a_base_url_cannot_sync() -> None:
    with pytest.raises(vitalwire.ConfigurationError, match="base URL"):
        sync(vitalwire.Client(token="t"))


def test_bytes_can_come_from_any_buffer() -> None:
    with with_days(3) as service:
        state = synced(service)
        (part,) = sync(service.client(), state=typing.cast(bytes, memoryview(state)), secret=bytearray(SECRET))
        assert part.changes == ()


def test_events_come_from_webhooks() -> None:
    body = json.dumps([
        {"application_user_id": "anna", "event_type": "record_change",
         "earliest_record_start_at": "2025-11-10T23:30:00Z", "latest_record_end_at": "2025-11-11T07:00:00Z"},
        {"application_user_id": "anna", "event_type": "provider_integration_created"},
    ]).encode()
    changed, connected = webhook.parse_events(body)
    event = vitalwire.SyncEvent.from_webhook(changed)
    assert event is not None and event.user == "anna" and event.kinds == ("daily", "hourly", "sleeps", "sleep_stages")
    # Local days can differ from those in UTC.
    assert event.days == (date("2025-11-09"), date("2025-11-12"))
    assert event == vitalwire.SyncEvent(event.kinds, "2025-11-09", "2025-11-12", user="anna")
    assert event != vitalwire.SyncEvent(event.kinds, "2025-11-09", "2025-11-12") and len({event, pickle.loads(pickle.dumps(event))}) == 1
    assert vitalwire.SyncEvent.from_webhook(connected) is None
    times = {"consumed_at": "2025-11-10T12:00:00Z", "uploaded_at": "2025-11-12T12:00:00Z"}
    meal = webhook.parse_nutrition(json.dumps({"record_id": "1", "status": "completed", **times}).encode())
    of_meal = vitalwire.SyncEvent.from_webhook(meal)
    assert of_meal == vitalwire.SyncEvent("nutrition", "2025-11-09", "2025-11-13")
    report = webhook.parse_lab_report(b'{"record_id":"1","status":"completed","uploaded_at":"2025-11-12T12:00:00Z"}')
    assert vitalwire.SyncEvent.from_webhook(report) == vitalwire.SyncEvent(["labs"], date("2025-11-11"), date("2025-11-13"))
    with pytest.raises(TypeError, match="argument 'webhook': "):
        vitalwire.SyncEvent.from_webhook(typing.cast(typing.Any, body))
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        vitalwire.SyncEvent("labs", "2025-11-12", "2025-11-11")
    assert caught.value.argument == "last"
    with with_days(3) as service:
        state = synced(service)
        assert texts(*sync(service.client(), state=state, events=[event])) == []
        stranger = vitalwire.SyncEvent("daily", "2025-11-09", "2025-11-12", user="ben")
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            sync(service.client(), state=state, events=[stranger])
        assert caught.value.argument == "events"


def test_a_receiver_stores_events_without_a_request_and_a_change_is_reported_once() -> None:
    with with_days(40) as service:
        state = synced(service, first="2025-10-01")
        service.steps["anna"]["2025-10-20"] = 7
        event, before = vitalwire.SyncEvent(["daily"], "2025-10-19", "2025-10-21"), service.count()
        for _ in range(2):
            state = sync(service.client(), state=state, events=[event]).record_events()
        assert service.count() == before
        parts = list(sync(service.client(), state=state))
        assert texts(*parts) == ["changed 2025-10-20 2025-10-20"]
        assert texts(*sync(service.client(), state=parts[-1].state, events=[event])) == []


def test_a_plan_has_days_and_requests_and_sends_none() -> None:
    with SyncedService() as service:
        today = datetime.datetime.now(datetime.timezone.utc).date()
        first, tomorrow = today - datetime.timedelta(days=9), today + datetime.timedelta(days=1)
        plan = sync(service.client(), ["sleep_stages", "daily", "sleeps"], first=first).plan()
        assert [(days.kinds, days.requests) for days in plan.days] == [(("daily",), 1), (("sleeps", "sleep_stages"), 12)]
        assert {days.days for days in plan.days} == {((first, tomorrow),)}
        # The user's information, one response of statistics; the ids of sleeps, and one sleep for each of 11 days.
        assert plan.requests == 14 and service.count() == 0
        assert sync(service.client(), "daily", first=first, check_account=False).plan().requests == 1
        assert plan == sync(service.client(), ["daily", "sleeps", "sleep_stages"], first=first).plan()
        assert plan.days[0] != plan.days[1] and repr(plan) == "SyncPlan(requests=14)"
        assert repr(plan.days[0]) == "PlannedDays(kinds=('daily',), requests=1)"


def test_a_part_has_tables_for_data_frames() -> None:
    with with_days(3) as service:
        service.nights["anna"] = {"night-1": Night("2025-11-19", 81, 2)}
        parts = list(sync(service.client(), ["daily", "sleeps", "sleep_stages"], first="2025-11-11"))
        daily, sleeps = parts
        assert daily.table("daily").to_pandas()["steps"].tolist() == [1002, 1001, 1000]
        assert sleeps.table("sleeps").to_polars()["score"].to_list() == [81]
        assert sleeps.table("sleep_stages").to_arrow().num_rows == 2
        assert daily.table("daily") is daily.table("daily")
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            daily.table("sleeps")
        assert caught.value.argument == "kind"
        # Rows of records that have not changed are in the table, too.
        (again,) = sync(service.client(), "daily", parts[-1].state)
        assert again.changes == () and len(again.table("daily")) == 3


def test_a_failed_part_is_left_out_and_its_error_is_raised_last() -> None:
    with with_days(3) as service:
        state = synced(service, ["daily", "nutrition"])
        service.steps["anna"]["2025-11-20"] = 7
        service.failing = ("/daily", 500)
        parts = iter(sync(service.client(), ["daily", "nutrition"], state))
        # The failed part of the statistics would come first. It is left out.
        first = next(parts)
        assert first.kinds == ("nutrition",)
        with pytest.raises(vitalwire.VitalwireError) as caught:
            next(parts)
        assert caught.value.status == 500
        assert list(parts) == []
        service.failing = None
        assert texts(*sync(service.client(), ["daily", "nutrition"], first.state)) == ["changed 2025-11-20 2025-11-20"]
        # A rejected token ends the sync.
        service.failing = ("/v3", 401)
        parts = iter(sync(service.client(), ["daily", "nutrition"]))
        with pytest.raises(vitalwire.AuthenticationError):
            next(parts)
        assert list(parts) == []


def test_breaking_off_keeps_the_last_state() -> None:
    with with_days(3) as service:
        service.meals["meal-1"] = ("2025-11-18", 100)
        for close in (vitalwire.SyncParts.close, vitalwire.SyncParts.__exit__):
            parts = iter(sync(service.client(), ["daily", "nutrition"], first="2025-11-11"))
            part = next(parts)
            close(parts)
            assert list(parts) == []
            rest = list(sync(service.client(), ["daily", "nutrition"], part.state))
            assert texts(*rest) == ["added meal-1 2025-11-18"]
        with iter(sync(service.client(), first="2025-11-11")) as parts:
            assert texts(*parts) == [f"added 2025-11-{day} 2025-11-{day}" for day in (18, 19, 20)]


def test_another_thread_can_close_the_parts_and_a_token_cancels() -> None:
    with with_days(3) as service:
        service.failing = ("nutrition_records", 0)
        cancel = vitalwire.CancelToken()
        for token in (None, cancel):
            parts = iter(sync(service.client(), ["daily", "nutrition"], first="2025-11-11", cancel=token))
            assert len(next(parts).changes) == 3
            threading.Timer(0.3, parts.close if token is None else token.cancel).start()
            began = time.monotonic()
            with pytest.raises(vitalwire.CancelledError):
                next(parts)
            assert time.monotonic() - began < PATIENCE
            # The error comes once, so that a loop that continues after errors ends.
            assert list(parts) == []
        with pytest.raises(vitalwire.CancelledError):
            list(sync(service.client(), first="2025-11-11", cancel=cancel))


INTERRUPTED = """
import signal, sys
import vitalwire

signal.signal(signal.SIGINT, signal.default_int_handler)
client = vitalwire.Client(sys.argv[1], token="token-anna", allow_plain_http=True, proxy="none", max_retries=0)
parts = iter(client.sync(["daily", "nutrition"], secret=b"0123456789abcdef", user="user-7", first="2025-11-11"))
part = next(parts)
try:
    next(parts)
except KeyboardInterrupt as error:
    try:
        next(parts)
    except vitalwire.CancelledError:
        print(part.state.hex())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
def test_ctrl_c_keeps_the_last_state() -> None:
    with with_days(3) as service:
        service.failing = ("nutrition_records", 0)
        command = [sys.executable, "-c", INTERRUPTED, service.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            # The user's information, the statistics and the meals.
            end = time.monotonic() + PATIENCE
            while service.count() < 3:
                assert time.monotonic() < end
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            out, error = child.communicate(timeout=PATIENCE)
        assert child.returncode == 0 and not error, error
        service.failing = None
        service.steps["anna"]["2025-11-20"] = 7
        assert texts(*sync(service.client(), ["daily", "nutrition"], bytes.fromhex(out))) == ["changed 2025-11-20 2025-11-20"]


FORKED = """
import os, sys
import vitalwire

client = vitalwire.Client(sys.argv[1], token="token-anna", allow_plain_http=True, proxy="none", max_retries=0)
call = client.sync(["daily", "nutrition"], secret=b"0123456789abcdef", user="user-7", first="2025-11-11")
parts = iter(call)
next(parts)
child = os.fork()
if child == 0:
    try:
        next(parts)
    except vitalwire.ConfigurationError:
        # The sync itself starts anew.
        os._exit(7 if len(list(call)) == 2 else 1)
    os._exit(2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(list(parts)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_parts_cannot_be_read_in_another_process() -> None:
    with with_days(3) as service:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", FORKED, service.url], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert (done.stdout, done.stderr) == ("7 1\n", "")


def test_asyncio_reads_the_same_parts_and_cancels() -> None:
    async def main(service: SyncedService) -> None:
        client = vitalwire.AsyncClient(**service.settings_of())
        call = client.sync(["daily", "nutrition"], secret=SECRET, user="user-7", first="2025-11-11")
        assert texts(*[part async for part in call]) == [f"added 2025-11-{day} 2025-11-{day}" for day in (18, 19, 20)]
        assert call.plan().requests > 0 and isinstance(call.record_events(), bytes)
        with pytest.raises(TypeError, match="async for"):
            list(call)  # type: ignore[call-overload]
        service.failing = ("nutrition_records", 0)
        parts = aiter(call)
        part = await anext(parts)
        before = service.count()
        reading = asyncio.ensure_future(anext(parts))
        while service.count() == before:
            await asyncio.sleep(0.01)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        # The cancelled read ends soon after its task. Until then, a second read raises `ConfigurationError`.
        with pytest.raises(vitalwire.CancelledError):
            while True:
                with contextlib.suppress(vitalwire.ConfigurationError):
                    await anext(parts)
                await asyncio.sleep(0.01)
        assert [part async for part in parts] == []
        service.failing = None
        service.meals["meal-1"] = ("2025-11-18", 100)
        rest = client.sync(["daily", "nutrition"], secret=SECRET, user="user-7", state=part.state)
        assert texts(*[part async for part in rest]) == ["added meal-1 2025-11-18"]
        with aiter(call) as parts:
            await anext(parts)
        assert [part async for part in parts] == []
        await parts.aclose()
        with pytest.raises(vitalwire.StateError):
            client.sync("daily", secret=SECRET, user="user-8", state=part.state)
        await client.aclose()
        with pytest.raises(vitalwire.ClosedError):
            await anext(aiter(call))

    with with_days(3) as service:
        asyncio.run(main(service))


@pytest.mark.parametrize("is_task_woken", [False, True])
def test_a_part_that_a_cancelled_task_did_not_receive_stays_due(is_task_woken: bool) -> None:
    async def main(service: SyncedService) -> None:
        client = vitalwire.AsyncClient(**service.settings_of())
        call = client.sync(["daily", "nutrition"], secret=SECRET, user="user-7", first="2025-11-11")
        parts = aiter(call)
        part = await anext(parts)
        assert part.kinds == ("daily",)
        await cancel_after_read(anext(parts), is_task_woken)
        with pytest.raises(vitalwire.CancelledError):
            await anext(parts)
        assert [part async for part in parts] == []
        rest = client.sync(["daily", "nutrition"], secret=SECRET, user="user-7", state=part.state)
        assert texts(*[part async for part in rest]) == ["added meal-1 2025-11-18"]

    with with_days(3) as service:
        service.meals["meal-1"] = ("2025-11-18", 100)
        asyncio.run(main(service))


def test_no_text_shows_an_id_a_day_a_value_or_a_secret() -> None:
    with SyncedService() as service:
        service.nights["anna"] = {CANARY: Night("2025-11-18", 81)}
        secret, user = f"{CANARY}-secret".encode(), f"{CANARY}-user"
        call = service.client().sync("sleeps", secret=secret, user=user, first="2025-11-11")
        parts = iter(call)
        part = next(parts)
        event = vitalwire.SyncEvent("sleeps", "2025-11-18", "2025-11-18", user=CANARY)
        error = raised_by(lambda: service.client().sync("sleeps", secret=secret, user="other", state=part.state))
        shown = [repr(shown) for shown in (call, parts, part, part.changes, part.progress, event, call.plan(), error, part.table("sleeps"))]
        assert repr(part) == "SyncPart(changes=1, done_days=11, total_days=11)"
        assert repr(part.changes[0]) == "Change(kind='sleeps', type='added')" and repr(event) == "SyncEvent(kinds=('sleeps',))"
        for text in shown:
            assert CANARY not in text and "2025" not in text and "81" not in text, text
        # The state has ids, but neither secret nor user nor values.
        assert secret not in part.state and user.encode() not in part.state
        for live in (call, parts, part, part.changes[0]):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(live)


@pytest.fixture
def late() -> typing.Iterator[vitalwire.Sandbox]:
    """A sandbox whose second person's days arrive three days later."""
    with vitalwire.Sandbox(seed=7, people=3, delivery={"person-2": "late:3"}, today=datetime.date(2025, 11, 20)) as sandbox:
        yield sandbox


def stored_steps(sandbox: vitalwire.Sandbox, token: str) -> dict[str, float | None]:
    """Returns the steps by day that the sandbox sends, read without the client."""
    url = f"{sandbox.base_url}/v3/queries/statistics/daily?from_date=2025-11-01&to_date=2025-12-31&types=steps"
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})) as response:
        return {day["date"]: day["values"].get("steps") for day in json.load(response)["statistics"]}


def apply(copy: dict[str, float | None], *parts: vitalwire.SyncPart) -> None:
    """Applies changes of daily statistics to a copy of the steps."""
    for part in parts:
        for change in part.changes:
            assert change.id is not None and change.kind == "daily"
            if change.type in ("added", "changed"):
                copy[change.id] = change.rows[0].get("steps")
            else:
                assert change.type == "removed"
                del copy[change.id]


def requests_of(sandbox: vitalwire.Sandbox, clear: bool = False) -> int:
    """Returns the number of requests that the sandbox has logged, or clears its log."""
    request = urllib.request.Request(f"{sandbox.control_url}/requests", method="DELETE" if clear else "GET")
    with urllib.request.urlopen(request) as response:
        return 0 if clear else len(json.load(response)["requests"])


def test_a_copy_of_the_sandbox_stays_equal_while_days_arrive_late(late: vitalwire.Sandbox) -> None:
    user = late.user_ids[1]
    token = late.token_of(user)
    client, copy = late.client(token=token), dict[str, "float | None"]()
    parts = list(sync(client, first="2025-11-01", expect_account=user))
    apply(copy, *parts)
    expected = stored_steps(late, token)
    # The day of the sandbox's clock is 20 November; the last three days have not arrived.
    assert copy == expected and max(copy) == "2025-11-17" and min(copy) == "2025-11-01"
    requests_of(late, clear=True)
    parts = list(sync(client, state=parts[-1].state))
    assert texts(*parts) == [] and requests_of(late) == 2
    for _ in range(3):
        late.advance(datetime.timedelta(days=2))
        parts = list(sync(client, state=parts[-1].state))
        assert {change.type for part in parts for change in part.changes} == {"added"}
        apply(copy, *parts)
        assert copy == stored_steps(late, token)
    assert max(copy) == "2025-11-23"


def test_the_webhook_of_a_meal_is_an_event() -> None:
    with Service() as receiver, vitalwire.Sandbox(seed=7, today=datetime.date(2025, 11, 20), webhook_url=receiver.url) as sandbox:
        client = sandbox.client()
        first = list(sync(client, "nutrition", first="2025-08-01"))
        consumed_at = datetime.datetime(2025, 9, 10, 12, tzinfo=datetime.timezone.utc)
        meal = client.nutrition_records.upload_and_wait(GUIDE / "lunch.png", consumed_at=consumed_at)
        end = time.monotonic() + PATIENCE
        while not receiver.requests:
            assert time.monotonic() < end
            time.sleep(0.02)
        event = vitalwire.SyncEvent.from_webhook(webhook.parse_nutrition(receiver.requests[0].body))
        assert event is not None and event.user == sandbox.user_id and event.kinds == ("nutrition",)
        assert event.days[0] == date("2025-09-09")
        parts = list(sync(client, "nutrition", first[-1].state, events=[event]))
        (change,) = [change for part in parts for change in part.changes]
        assert (change.type, change.id, change.rows[0]["record_id"]) == ("added", meal.record_id, meal.record_id)
        again = list(sync(client, "nutrition", parts[-1].state, events=[event]))
        assert texts(*again) == []
