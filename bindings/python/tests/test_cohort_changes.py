"""Tests of cohorts whose days and nights arrive late, change, move and disappear, and of plans that select parts."""

from __future__ import annotations

import asyncio
import datetime
import json
import pathlib
import pickle
import typing

import numpy
import pandas
import polars
import pyarrow
import pytest
from changing_service import ChangingService, Night, change, compared, expected, first_data

import vitalwire
import vitalwire.polars
from vitalwire import cohort
from vitalwire.cohort import Plan, RateLimits, UserCredentials, WorkItem

TABLES: tuple[cohort.TableName, ...] = ("daily", "sleeps", "sleep_stages")
FIRST, LAST = "2025-01-01", "2025-03-31"


def export(service: ChangingService, out: pathlib.Path, first: str = FIRST, last: str = LAST, **options: typing.Any) -> cohort.Summary:
    plan = cohort.plan_export(service.credentials, TABLES, first, last, out, service.settings, **options)
    return cohort.export(plan, service.credentials, out, service.settings, resume=True)


def exported(out: pathlib.Path, table: cohort.TableName) -> list[str]:
    assert cohort.verify(out) == []
    return compared(table, cohort.open_dataset(out, table).to_table().to_pylist())


def read(service: ChangingService, plan: Plan, table: str) -> list[str]:
    reader = cohort.read(plan.only(tables=[typing.cast(cohort.TableName, table)]), service.credentials, service.settings)
    return compared(table, (row for rows in reader for row in rows))


def test_later_exports_have_the_rows_of_readers_and_scans(tmp_path: pathlib.Path) -> None:
    with first_data() as service:
        for step in (lambda _: None, change):
            step(service)
            summary = export(service, tmp_path / "study")
            plan = cohort.plan(service.credentials, TABLES, FIRST, service.today)
            for table in TABLES:
                assert exported(tmp_path / "study", table) == expected(service, table) == read(service, plan, table)
                frame = vitalwire.polars.scan(table, service.credentials, FIRST, service.today, service.settings).collect()
                assert compared(table, frame.to_dicts()) == expected(service, table)
        # Added: 10 and 11 February of anna, and the late 3 February. Changed: 5 February. Removed: that of ben; 6 February of anna moved.
        assert summary.tables["daily"] == cohort.Changes(3, 1, 2)
        assert summary.tables["sleeps"] == cohort.Changes(1, summary.tables["sleeps"].changed, 1)
        assert summary.last_day == datetime.date(2025, 2, 11) and summary.failures == 0 and summary.reasons == ()
        service.requested()
        assert export(service, tmp_path / "study").tables["daily"] == cohort.Changes(0, 0, 0)
        # The last seven requested days of two users. Sleeps and their stages share requests, and have one more day.
        assert set(service.requested()) == {(user, first, "2025-02-11") for user in ("anna", "ben") for first in ("2025-02-04", "2025-02-05")}


def test_a_plan_of_january_and_june_exports_only_these(tmp_path: pathlib.Path) -> None:
    with ChangingService() as service:
        service.today = "2025-12-01"
        days = [f"2025-{month:02}-15" for month in range(1, 8)]
        service.steps = {"anna": dict.fromkeys(days, 7), "ben": dict.fromkeys(days, 8)}
        parts = [cohort.plan(service.credentials, "daily", f"2025-{month}-01", f"2025-{month}-28") for month in ("01", "06")]
        plan = Plan(item for part in parts for item in part)
        rows = ["anna 2025-01-15 7", "anna 2025-06-15 7", "ben 2025-01-15 8", "ben 2025-06-15 8"]
        assert cohort.export(plan, service.credentials, tmp_path / "a", service.settings).tables["daily"].added == 4
        assert exported(tmp_path / "a", "daily") == rows == read(service, plan, "daily")
        some = plan.only(users=["ben"], first="2025-02-01", statistics=["steps"])
        assert some.items[0].statistics == ("steps",) and some.only(statistics=["heartrate"]) == some
        assert cohort.export(some, service.credentials, tmp_path / "b", service.settings).users == 1
        assert exported(tmp_path / "b", "daily") == ["ben 2025-06-15 8"]
        with pytest.raises(vitalwire.InvalidArgumentError, match="another service|belongs to"), ChangingService() as other:
            export(other, tmp_path / "a")


def test_an_empty_plan_does_nothing(tmp_path: pathlib.Path) -> None:
    plan = Plan([])
    assert plan.requests == 0 and plan.divide(4) == [] and plan.users == () and Plan.from_json(plan.to_json()) == plan
    with ChangingService() as service:
        assert list(cohort.read(plan, service.credentials, service.settings)) == []
        summary = cohort.export(plan, service.credentials, tmp_path / "a", service.settings)
        assert summary.users == 0 and summary.tables == {} and summary.last_day is None
        table = cohort.open_dataset(tmp_path / "a", "sleeps").to_table()
        assert len(table) == 0 and table.schema.names[0] == "user" and table.schema.names[-1] == "month"
        with pytest.raises(vitalwire.InvalidArgumentError, match="must contain a dataset"):
            cohort.open_dataset(tmp_path / "none", "sleeps")


def test_a_plan_is_checked() -> None:
    plan = cohort.plan(["a"], "daily", pandas.Timestamp("2025-01-01"), typing.cast(typing.Any, numpy.datetime64("2025-01-31")))
    assert plan == cohort.plan(["a"], "daily", datetime.date(2025, 1, 1), "2025-01-31")
    text = json.loads(plan.to_json())
    for changed in ({**text, "version": 1}, {"items": text["items"]}):
        with pytest.raises(vitalwire.InvalidArgumentError, match="from this version of vitalwire; create the plan again"):
            Plan.from_json(json.dumps(changed))
    for item, rule in (
        (("daily", [], FIRST, LAST), "at least one user"),
        (("daily", ["a", "a"], FIRST, LAST), "no duplicate users"),
        (("daily", ["a"], LAST, FIRST), "must not be before"),
        (("daily", ["a"], FIRST, LAST, ["colour"]), "must be statistics of the table"),
    ):
        with pytest.raises(vitalwire.InvalidArgumentError, match=rule):
            WorkItem(*typing.cast(typing.Any, item))
    with ChangingService() as service:
        with pytest.raises(vitalwire.InvalidArgumentError, match="must contain every user of the plan"):
            cohort.export(plan, service.credentials, "unused", service.settings)
        reader = cohort.read(plan, service.credentials, service.settings)
        assert len(next(reader)) == 0 and [failure.user for failure in reader.failures] == ["a"]


def test_errors_about_invalid_unicode_quote_no_credential(tmp_path: pathlib.Path) -> None:
    secret = "secret-\ud800"
    calls: list[typing.Callable[[], object]] = [
        lambda: UserCredentials.from_tokens({"anna": secret}),
        lambda: UserCredentials.from_tokens({secret: "token"}),
        lambda: UserCredentials.from_application_key(["a"], application_id=1, key_env=secret),
        lambda: UserCredentials.from_application_key([secret], application_id=1, key_env="KEY"),
        lambda: cohort.plan([secret], "daily", FIRST, LAST),
        lambda: cohort.remove_user(tmp_path, secret),
    ]
    for call in calls:
        with pytest.raises(vitalwire.InvalidArgumentError, match="must be valid Unicode") as raised:
            call()
        assert "secret" not in str(raised.value)


def test_classes_can_be_pickled() -> None:
    failure = cohort.Failure("anna", "daily", datetime.date(2025, 1, 1), datetime.date(2025, 1, 2), "timeout", None, "text")
    reason = cohort.FailureReason("timeout", 503, "text", 2)
    summary = cohort.Summary({"daily": cohort.Changes(1, 2, 3)}, 4, 5, [reason], 6, 7, datetime.date(2025, 1, 1))
    limits = RateLimits(per_second=0.5, in_flight=9)
    item = WorkItem("daily", ["a"], FIRST, LAST, ["steps"])
    progress = cohort.ExportProgress(1, 2, 3, 4)
    for value in (failure, reason, summary, limits, item, Plan([item]), progress, summary.tables["daily"]):
        copy = pickle.loads(pickle.dumps(value))
        assert copy == value and copy != "other" and repr(copy) == repr(value)
        assert isinstance(value, cohort.Summary) or hash(copy) == hash(value)
    assert pickle.loads(pickle.dumps(cohort.SyncStates())).to_json() == cohort.SyncStates().to_json() and not cohort.SyncStates()
    credentials = UserCredentials.from_tokens({"anna": "secret"})
    for function in (pickle.dumps, lambda value: value.__dask_tokenize__()):
        with pytest.raises(TypeError, match="must not contain a token"):
            function(credentials)
    with pytest.raises(TypeError, match="exactly one"):
        UserCredentials.from_application_key(["a"], application_id=1)
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be set \\(NO_SUCH_KEY\\)"):
        UserCredentials.from_application_key(["a"], application_id=1, key_env="NO_SUCH_KEY").check()


def test_items_that_share_requests_are_returned_one_by_one() -> None:
    with first_data() as service:
        plan = cohort.plan(service.credentials, ["sleeps", "sleep_stages"], "2025-02-01", "2025-02-09")
        reports = list[cohort.ExportProgress]()
        reader = cohort.read(plan, service.credentials, service.settings, progress=reports.append)
        assert len(next(reader)) == 4 and len(service.requested()) == 2 and reader.remaining.tables == ("sleep_stages",)
        assert len(next(reader)) == 9 and service.requested() == [] and len(reader.remaining) == 0 and list(reader) == []
        assert reports == [cohort.ExportProgress(1, 2, 4, 0), cohort.ExportProgress(2, 2, 13, 0)]

        async def collect() -> list[int]:
            async with cohort.aread(plan, service.credentials, service.settings) as areader:
                return [len(table) async for table in areader]

        assert asyncio.run(collect()) == [4, 9] and len(service.requested()) == 2


def test_future_days_are_not_stored_as_empty(tmp_path: pathlib.Path) -> None:
    with ChangingService() as service:
        service.today = "2025-02-10"
        service.steps["anna"] = {f"2025-02-{day:02}": day for day in range(1, 29)}
        plan = cohort.plan(service.credentials, "daily", "2025-02-01", "2025-02-28")
        assert cohort.export(plan, service.credentials, tmp_path / "a", service.settings).last_day == datetime.date(2025, 2, 9)
        service.today = "2025-03-10"
        due = cohort.plan_export(service.credentials, "daily", "2025-02-01", "2025-02-28", tmp_path / "a", service.settings, lookback_days=0)
        assert {(item.first.day, item.last.day) for item in due} == {(10, 28)}
        cohort.export(due, service.credentials, tmp_path / "a", service.settings, resume=True)
        assert exported(tmp_path / "a", "daily") == [f"anna 2025-02-{day:02} {day}" for day in range(1, 29)]


def test_a_user_can_be_removed_and_files_repaired(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "study"
    with first_data() as service:
        export(service, out)
        (file,) = (out / "table=sleeps" / "month=2025-01").iterdir()
        file.unlink()
        (damaged,) = (out / "table=daily" / "month=2025-02").iterdir()
        damaged.write_bytes(damaged.read_bytes()[:-1])
        assert len(cohort.verify(out)) == 2 and len(cohort.repair(out)) == 2
        export(service, out)
        for table in TABLES:
            assert exported(out, table) == expected(service, table)
        proof = cohort.remove_user(out, "ben")
        # ben's days: 6 and 8 February.
        assert proof.rows == {"daily": 2} and proof.files == 1 and len(proof.sha256) == 64 and proof.removed_at is not None
        assert pickle.loads(pickle.dumps(proof)).rows == proof.rows
        assert not any(row.startswith("ben") for row in exported(out, "daily"))
        plan = cohort.plan(service.credentials, "daily", FIRST, "2025-02-09")
        summary = cohort.export(plan, service.credentials, out, service.settings, resume=True)
        assert summary.removed_users == 1 and not any(row.startswith("ben") for row in exported(out, "daily"))
        with pytest.raises(vitalwire.InvalidArgumentError, match="no user with this id"):
            cohort.remove_user(out, "eve")


def test_a_table_without_files_is_empty(tmp_path: pathlib.Path) -> None:
    with first_data() as service:
        users = cohort.UserCredentials.from_tokens({"anna": "token-anna"})
        plan = cohort.plan(users, "daily", "2025-02-01", "2025-02-09")
        cohort.export(plan, users, tmp_path / "study", service.settings)
        cohort.remove_user(tmp_path / "study", "anna")
        dataset = cohort.open_dataset(tmp_path / "study", "daily")
        assert dataset.count_rows() == 0 and dataset.schema.names[:2] == ["user", "date"]


def test_verify_states_that_the_last_run_is_incomplete(tmp_path: pathlib.Path) -> None:
    with first_data() as service:
        plan = cohort.plan(service.credentials, "daily", "2025-02-01", "2025-02-09")
        cohort.export(plan, service.credentials, tmp_path / "study", service.settings)
    manifest = tmp_path / "study" / "_manifest" / "dataset.json"
    text = json.loads(manifest.read_text())
    text["run"]["finished"] = False
    manifest.write_text(json.dumps(text))
    assert cohort.verify(tmp_path / "study") == ["the last run is incomplete; export again with resume=True"]


def test_an_export_in_which_everyone_fails_raises(tmp_path: pathlib.Path) -> None:
    with first_data() as service:
        credentials = UserCredentials.from_tokens({"eve": "expired", "mallory": "expired-too"})
        plan = cohort.plan(credentials, "daily", FIRST, "2025-01-31")
        with pytest.raises(vitalwire.AuthenticationError, match="the data of no user could be read") as raised:
            cohort.export(plan, credentials, tmp_path / "a", service.settings)
        assert raised.value.status == 401
        credentials = UserCredentials.from_tokens({"eve": "expired", "anna": "token-anna"})
        plan = cohort.plan(credentials, "daily", FIRST, "2025-01-31")
        summary = cohort.export(plan, credentials, tmp_path / "b", service.settings)
        assert [(reason.kind, reason.status, reason.count) for reason in summary.reasons] == [("authentication", 401, 1)]
        assert [(failure.user, failure.table) for failure in cohort.failures(tmp_path / "b")] == [("eve", "daily")]


def test_head_applies_before_a_later_filter() -> None:
    with ChangingService() as service:
        service.steps["anna"] = {f"2025-02-{day:02}": day for day in range(1, 29)}
        service.steps["ben"] = {"2025-02-01": 1}
        days = vitalwire.polars.scan_daily(service.credentials, "2025-02-01", "2025-02-28", service.settings)
        every = days.collect()
        for condition in (polars.col("user") == "ben", polars.col("date") == datetime.date(2025, 2, 20), polars.col("steps") > 4):
            assert days.head(10).filter(condition).collect().equals(every.head(10).filter(condition))
            assert days.filter(condition).head(2).collect().equals(every.filter(condition).head(2))


def test_a_filter_finds_a_night_that_another_day_lists() -> None:
    with ChangingService() as service:
        service.nights["anna"] = {"one": Night("2025-02-05", 1, 1), "two": Night("2025-02-20", 2, 1)}
        nights = vitalwire.polars.scan_sleeps(service.credentials, "2025-02-01", "2025-02-28", service.settings)
        service.requested()
        found = nights.filter(polars.col("sleep_date") == datetime.date(2025, 2, 5)).collect()
        assert found["sleep_id"].to_list() == ["one"]
        assert service.requested() == [(user, "2025-02-03", "2025-02-07") for user in ("anna", "ben")]
        assert pyarrow.table(nights.collect()).num_rows == 2
