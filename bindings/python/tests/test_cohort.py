"""Tests of cohorts: plans, pickles, readers, rate limits, failures and exports."""

from __future__ import annotations

import asyncio
import datetime
import json
import pathlib
import pickle
import typing
from collections.abc import Iterator

import cohort_service
import polars
import pyarrow
import pytest
from cohort_service import FIRST, LAST, Cohort

import vitalwire
from vitalwire import cohort
from vitalwire.cohort import RateLimits, UserCredentials, Plan, Settings
from vitalwire.cohort._tasks import divide

TABLES: tuple[cohort.TableName, ...] = ("daily", "hourly", "sleeps", "sleep_stages", "labs", "nutrition")


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cohort]:
    yield from cohort_service.start(tmp_path_factory.mktemp("cohort"), 12)


def test_a_plan_has_items_schemas_and_json() -> None:
    plan = cohort.plan(["a", "b", "c"], ["daily", "sleeps"], "2025-01-15", datetime.date(2025, 7, 2), users_per_item=2)
    assert len(plan) == 2 * (1 + 7) and plan.users == ("a", "b", "c") and plan.tables == ("daily", "sleeps")
    assert plan.items[0].users == ("a", "b") and plan.items[0].last == datetime.date(2025, 7, 2)
    assert plan.requests == 3 * (1 + 7 + 169) == sum(item.requests for item in plan)
    assert Plan.from_json(plan.to_json()) == plan == pickle.loads(pickle.dumps(plan))
    assert hash(Plan.from_json(plan.to_json())) == hash(plan)
    part = plan.only(users=["c", "unknown"], first="2025-06-01", tables=["daily"])
    assert [(item.users, item.first) for item in part] == [(("c",), datetime.date(2025, 6, 1))]
    for table in TABLES:
        assert plan.schema(table).names[0] == "user"
    assert plan.schema("daily").field("steps").metadata[b"unit"] == b"count"
    assert "a" not in repr(plan.items[0]).split()
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be the JSON of a plan"):
        Plan.from_json("[]")
    with pytest.raises(vitalwire.InvalidArgumentError, match="must not contain a user twice"):
        cohort.plan(["a", "a"], "daily", FIRST, LAST)
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be daily, hourly"):
        cohort.plan(["a"], typing.cast(typing.Any, "meals"), FIRST, LAST)


def test_pickles_of_credentials_and_settings_contain_no_secret(group: Cohort, monkeypatch: pytest.MonkeyPatch) -> None:
    ids, application = group.sandbox.user_ids, group.sandbox.application_id
    monkeypatch.setenv("STUDY_KEY", group.sandbox.application_key)
    for credentials in (
        group.credentials,
        UserCredentials.from_application_key(ids, application_id=application, key_file=group.key_file),
        UserCredentials.from_application_key(ids, application_id=application, key_env="STUDY_KEY"),
    ):
        pickled = pickle.dumps((credentials, group.settings))
        assert not any(secret.encode() in pickled for secret in group.secrets)
        copy, settings = pickle.loads(pickled)
        assert copy.ids == ids and settings == group.settings and repr(copy) == f"<vitalwire.cohort.UserCredentials: {len(ids)} users>"
        (table,) = cohort.read(cohort.plan(copy.ids[:1], "daily", LAST, LAST), copy, settings, on_error="raise")
        assert table.columns[:2] == ("user", "date")
    credentials = UserCredentials.from_tokens({"anna": group.secrets[1]})
    with pytest.raises(TypeError, match=r"UserCredentials\.from_file or UserCredentials\.from_application_key") as raised:
        pickle.dumps(credentials)
    assert group.secrets[1] not in f"{raised.value}{credentials!r}"


def test_errors_of_credentials_and_settings_contain_no_value(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "users.csv"
    for text, line in (("user,token\nanna,secret-1\nanna,secret-2\n", "line 3"), ("user\nanna\n", "line 2"), ("user,token\nanna\n", "line 2")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(vitalwire.InvalidArgumentError, match=line) as raised:
            UserCredentials.from_file(file)
        assert "secret" not in str(raised.value) and "anna" not in str(raised.value)
    file.write_text("\ufeffuser,token\n\nanna,secret-1\n", encoding="utf-8")
    assert UserCredentials.from_file(file).ids == ("anna",)
    with pytest.raises(FileNotFoundError):
        UserCredentials.from_file(tmp_path / "missing")
    with pytest.raises(TypeError, match="UserCredentials"):
        Settings("http://127.0.0.1:1", token="secret")
    with pytest.raises(vitalwire.InvalidArgumentError, match="must not contain a password"):
        Settings("http://127.0.0.1:1", proxy="http://me:secret@proxy.example.org")
    with pytest.raises(TypeError, match="not a str"):
        UserCredentials.from_application_key("anna", application_id=1, key_env="KEY")


def test_all_tables_have_the_planned_schema(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, TABLES, "2025-10-30", LAST, users_per_item=5)
    reader = cohort.read(plan, group.credentials, group.settings)
    rows = dict.fromkeys(TABLES, 0)
    for item, table in zip(plan, reader):
        assert pyarrow.table(table).schema.equals(plan.schema(item.table)) and set(table["user"]) <= set(item.users)
        rows[item.table] += len(table)
    assert not reader.failures and len(reader.remaining) == 0 and rows["daily"] > 12 and rows["hourly"] > 200 and rows["sleep_stages"] > 100

    async def read() -> list[vitalwire.Table]:
        return [table async for table in cohort.aread(plan, group.credentials, group.settings)]

    assert [len(table) for table in asyncio.run(read())] == [len(table) for table in cohort.read(plan, group.credentials, group.settings)]


def test_only_selected_statistics_are_requested(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST)
    every, log = polars.DataFrame(cohort.read(plan, group.credentials, group.settings)), group.log()
    some = polars.DataFrame(cohort.read(plan, group.credentials, group.settings, columns=["date", "sleep_score"]))
    assert log.bytes("daily_statistics") < 12 * 31 * 120
    expected = every.select("user", "date", "sleep_score").filter(polars.col("sleep_score").is_not_null())
    assert some.equals(expected) and expected.height < every.height
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be columns of the table daily; colour is not"):
        next(cohort.read(plan, group.credentials, group.settings, columns=["colour"]))


def test_a_failing_user_is_listed_and_the_others_are_read(group: Cohort) -> None:
    anna, ben = group.sandbox.user_ids[:2]
    credentials = UserCredentials.from_tokens({anna: group.sandbox.token_of(anna), "eve": "expired", ben: group.sandbox.token_of(ben)})
    plan = cohort.plan(credentials, "daily", FIRST, LAST)
    reader = cohort.read(plan, credentials, group.settings)
    assert cohort_service.sorted_rows(row for table in reader for row in table) == group.daily([anna, ben])
    (failure,) = reader.failures
    assert (failure.user, failure.kind, failure.status, failure.first) == ("eve", "authentication", 401, datetime.date(2025, 10, 1))
    assert reader.failures_table().to_pylist()[0]["message"] == failure.message and "expired" not in failure.message
    with pytest.raises(vitalwire.AuthenticationError) as raised:
        list(cohort.read(plan, credentials, group.settings, on_error="raise"))
    assert raised.value.status == 401
    with pytest.raises(vitalwire.InvalidArgumentError, match="on_error"):
        cohort.read(plan, credentials, group.settings, on_error=typing.cast(typing.Any, "ignore"))


def test_an_interrupted_reader_has_the_remaining_plan(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST, users_per_item=4)
    reader = cohort.read(plan, group.credentials, group.settings)
    first = next(reader)
    rest = cohort.read(reader.remaining, group.credentials, group.settings)
    assert len(reader.remaining) == 2
    assert cohort_service.sorted_rows(row for table in (first, *rest) for row in table) == group.daily()


def test_an_item_whose_callback_raises_remains(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST, users_per_item=4)
    expected, log = group.daily(), group.log()
    done: list[int] = []

    def raise_once(progress: cohort.ExportProgress) -> None:
        done.append(progress.done)
        if done == [1, 2]:
            raise KeyError("stop")

    reader = cohort.read(plan, group.credentials, group.settings, progress=raise_once)
    tables = [next(reader)]
    with pytest.raises(KeyError):
        next(reader)
    assert len(reader.remaining) == 2
    tables += reader
    assert cohort_service.sorted_rows(row for table in tables for row in table) == expected
    # The item that the callback did not accept is not requested again.
    assert done == [1, 2, 2, 3] and len(log.requests("daily_statistics")) == 12


def test_a_reader_is_a_table_that_can_be_read_several_times(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST, users_per_item=5)
    expected, log = len(group.daily()), group.log()
    reader = cohort.read(plan, group.credentials, group.settings)
    assert [pyarrow.table(reader).num_rows, polars.DataFrame(reader).height, pyarrow.table(reader).num_rows] == [expected] * 3
    assert len(log.requests("daily_statistics")) == 12
    with cohort.read(plan, group.credentials, group.settings) as partly:
        next(partly)
        for read in (pyarrow.table, polars.DataFrame, lambda rows: rows.batches()):
            with pytest.raises(vitalwire.ConfigurationError, match="has already returned rows; create another one"):
                read(partly)
    # A statistic that this version does not know.
    group.sandbox.add_fault("unknown_members; times=1; operation=daily_statistics")
    table = pyarrow.table(cohort.read(plan, group.credentials, group.settings))
    assert table.num_rows == expected and set(table.column_names) > set(plan.schema("daily").names)
    group.sandbox.add_fault("unknown_members; times=1; operation=daily_statistics")
    batches = cohort.read(plan, group.credentials, group.settings).batches()
    assert batches.read_all().schema == plan.schema("daily")


def test_errors_of_an_arrow_table_are_those_of_the_reader(group: Cohort) -> None:
    credentials = UserCredentials.from_tokens({"eve": "expired", "anna": group.secrets[1]})
    plan = cohort.plan(credentials, "daily", FIRST, LAST)
    reader = cohort.read(plan, credentials, group.settings, on_error="raise")
    with pytest.raises(vitalwire.AuthenticationError):
        pyarrow.table(reader)
    assert reader.remaining == plan


def test_a_reader_has_one_user_at_a_time(group: Cohort) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST, users_per_item=1)

    async def read() -> list[object]:
        async with vitalwire.AsyncClient(group.sandbox.base_url, token="t"):
            reader = cohort.aread(plan, group.credentials, group.settings)
            return await asyncio.gather(*(anext(reader) for _ in range(3)), return_exceptions=True)

    results = asyncio.run(read())
    assert [isinstance(result, vitalwire.ConfigurationError) for result in results] == [False, True, True]
    assert "another thread or task is reading" in str(results[1])


def test_columns_without_a_planned_statistic_are_rejected(group: Cohort) -> None:
    steps = cohort.plan(group.credentials, "daily", FIRST, LAST, statistics=["steps"])
    hours = cohort.plan(group.credentials, "hourly", LAST, LAST)
    for plan, column in ((steps, "heartrate"), (hours, "sleep_score")):
        with pytest.raises(vitalwire.InvalidArgumentError, match="must have a statistic that the plan requests"):
            next(cohort.read(plan, group.credentials, group.settings, columns=[column]))
    assert len(next(cohort.read(steps, group.credentials, group.settings, columns=["date", "steps", "heartrate"]))) > 0


def test_rate_limits_limit_the_requests_in_every_second(group: Cohort) -> None:
    assert RateLimits(per_second=10).share(4) == RateLimits(per_second=1.8, in_flight=4)
    assert RateLimits().share(100).in_flight == 1
    assert [RateLimits(per_second=rate).max_tasks(8) for rate in (0.5, 3.9, 100)] == [1, 3, 8]
    assert RateLimits(in_flight=2).max_tasks(8) == 2
    for invalid in (0, -1, float("nan")):
        with pytest.raises(vitalwire.InvalidArgumentError, match="per_second"):
            RateLimits(per_second=invalid)
    log = group.log()
    plan = cohort.plan(group.credentials, "daily", LAST, LAST)
    assert sum(map(len, cohort.read(plan, group.credentials, group.settings, rate_limits=RateLimits(per_second=15)))) > 8
    # Each of the 12 users needs a token exchange and a read.
    assert len(log.requests()) == 24 and 8 <= log.busiest_second() <= 15


def test_tasks_divide_a_plan_and_its_rate_limits(group: Cohort, tmp_path: pathlib.Path) -> None:
    plan = cohort.plan(group.credentials, "daily", FIRST, LAST)
    tasks = divide("daily", plan, group.credentials, group.settings, None, RateLimits(per_second=9), 4, tmp_path / "failures")
    assert [len(task.plan.users) for task in tasks] == [3, 3, 3, 3] and {task.rate_limits.per_second for task in tasks} == {1.8}
    pickled = pickle.dumps(tasks)
    assert not any(secret.encode() in pickled for secret in group.secrets)
    assert len(divide("daily", plan, group.credentials, group.settings, None, RateLimits(per_second=2.5), 4, None)) == 2
    credentials = UserCredentials.from_tokens({group.sandbox.user_ids[0]: group.secrets[1], "eve": "expired"})
    whole = cohort.plan(credentials, "daily", FIRST, LAST)
    (task,) = divide("daily", whole, credentials, group.settings, None, None, 1, tmp_path / "failures")
    assert sum(batch.num_rows for batch in task.batches()) == len(group.daily([group.sandbox.user_ids[0]]))
    assert '"user":"eve"' in (tmp_path / "failures/failures-00000.jsonl").read_text(encoding="utf-8")
    (task,) = divide("daily", whole, credentials, group.settings, None, None, 1, None)
    with pytest.raises(vitalwire.AuthenticationError):
        list(task.batches())


def test_files_of_failures_are_those_of_the_last_execution(group: Cohort, tmp_path: pathlib.Path) -> None:
    names = ["failures-00000.jsonl", "failures-00001.jsonl", "failures-100000.jsonl", "failures-notes.jsonl"]
    for name in names:
        (tmp_path / name).write_text("{}\n", encoding="utf-8")
    # The first user cannot be read.
    credentials = UserCredentials.from_tokens({"0": "expired", group.sandbox.user_ids[0]: group.secrets[1]})
    plan = cohort.plan(credentials, "daily", FIRST, LAST, users_per_item=1)
    (task,) = divide("daily", plan, credentials, group.settings, None, None, 1, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [names[0], names[3]]
    # The engine stops early.
    batches: typing.Any = task.batches()
    next(batches)
    batches.close()
    assert '"user":"0"' in (tmp_path / names[0]).read_text(encoding="utf-8")
    (task,) = divide("daily", Plan([]), credentials, group.settings, None, None, 1, tmp_path)
    assert list(task.batches()) == [] and [file.name for file in tmp_path.iterdir()] == [names[3]]


def test_a_later_export_extends_the_dataset(group: Cohort, tmp_path: pathlib.Path) -> None:
    out, reports = tmp_path / "study", list[typing.Any]()
    plan = cohort.plan(group.credentials, ["daily", "sleeps"], FIRST, "2025-10-20")
    summary = cohort.export(plan, group.credentials, out, group.settings, progress=reports.append)
    assert summary.users == 12 and summary.failures == 0 and summary.tables["sleeps"].added > 200
    assert reports[-1].done == reports[-1].total == 12 * 2 * 20 and reports[-1].rows > 400
    with pytest.raises(vitalwire.InvalidArgumentError, match="resume"):
        cohort.export(plan, group.credentials, out, group.settings)
    longer = cohort.plan(group.credentials, ["daily", "sleeps"], FIRST, LAST)
    summary = asyncio.run(cohort.aexport(longer, group.credentials, out, group.settings, resume=True, progress=True))
    assert summary.tables["daily"].changed == 0
    rows = cohort.open_dataset(out, "daily").to_table()
    assert cohort_service.sorted_rows(rows.to_pylist()) == group.daily() and set(rows["month"].to_pylist()) == {"2025-10"}

    def fail(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cohort.export(longer, group.credentials, tmp_path / "other", group.settings, progress=fail)
    part = plan.only(users=group.credentials.ids[:1])
    cohort.export(part, group.credentials, tmp_path / "third", group.settings)
    assert set(cohort.open_dataset(tmp_path / "third", "daily").to_table()["user"].to_pylist()) == {group.credentials.ids[0]}


def test_progress_is_shown(group: Cohort, capsys: pytest.CaptureFixture[str]) -> None:
    plan = cohort.plan(group.credentials, "daily", LAST, LAST, users_per_item=6)
    for _ in cohort.read(plan, group.credentials, group.settings, progress=True):
        pass
    assert "cohort: 2 of 2 parts, " in capsys.readouterr().err


def test_pseudonyms_replace_record_ids_and_leave_out_places_and_text(group: Cohort, tmp_path: pathlib.Path) -> None:
    key = tmp_path / "pseudonyms.key"
    key.write_text("a key of 16 bytes")
    plan = cohort.plan(group.credentials, ["nutrition"], FIRST, LAST).only(users=group.sandbox.user_ids[:1])
    rows = {
        keep: pyarrow.concat_tables(map(pyarrow.table, cohort.read(plan, group.credentials, group.settings, pseudonym_key_file=key, keep_places_and_text=keep)))
        for keep in (False, True)
    }
    plain = pyarrow.concat_tables(map(pyarrow.table, cohort.read(plan, group.credentials, group.settings)))
    ids = set(plain["record_id"].to_pylist())
    assert ids and all(not ids & set(table["record_id"].to_pylist()) for table in rows.values())
    assert rows[False]["dish_name"].null_count == plain.num_rows and rows[True]["dish_name"] == plain["dish_name"]
    out = tmp_path / "study"
    cohort.export(plan, group.credentials, out, group.settings, pseudonym_key_file=key)
    assert cohort.open_dataset(out, "nutrition").to_table()["dish_name"].null_count == plain.num_rows
    with pytest.raises(vitalwire.VitalwireError, match="as in the first export"):
        cohort.export(plan, group.credentials, out, group.settings, resume=True, pseudonym_key_file=key, keep_places_and_text=True)


def test_an_export_is_stated_in_the_audit_log(group: Cohort, tmp_path: pathlib.Path) -> None:
    user, log = group.sandbox.user_ids[0], tmp_path / "audit.jsonl"
    plan = cohort.plan(group.credentials, ["daily"], FIRST, LAST).only(users=[user])
    cohort.export(plan, group.credentials, tmp_path / "study", group.settings, audit_log=log, audit_days=30)
    start, end = map(json.loads, log.read_text().splitlines())
    assert (start["event"], start["users"], start["tables"]) == ("start", [user], ["daily"])
    assert (end["event"], end["result"], end["run"]) == ("end", "complete", start["run"])
    log.unlink()
    log.mkdir()
    with pytest.raises(OSError, match="must be a regular file"):
        cohort.export(plan, group.credentials, tmp_path / "other", group.settings, audit_log=log)
    assert not (tmp_path / "other").exists()


def test_datasets_are_opened_by_the_name_of_a_table_without_links(group: Cohort, tmp_path: pathlib.Path) -> None:
    plan = cohort.plan(group.credentials, ["daily"], FIRST, LAST).only(users=group.sandbox.user_ids[:1])
    for name in ("study", "outside"):
        cohort.export(plan, group.credentials, tmp_path / name, group.settings)
    study, outside = tmp_path / "study", tmp_path / "outside" / "table=daily"
    for table in ("daily/../../outside/table=daily", "", "..", "Daily"):
        with pytest.raises(vitalwire.InvalidArgumentError, match="must be daily, hourly"):
            cohort.open_dataset(study, typing.cast(typing.Any, table))
    rows = cohort.open_dataset(study, "daily").count_rows()
    assert rows > 0
    month = next(outside.iterdir())
    (study / "table=daily" / "month=2020-01").symlink_to(month)
    (study / "table=daily" / month.name / "part-00009.parquet").symlink_to(month / "part-00000.parquet")
    assert cohort.open_dataset(study, "daily").count_rows() == rows
    (study / "table=daily").rename(tmp_path / "moved")
    (study / "table=daily").symlink_to(tmp_path / "moved")
    assert cohort.open_dataset(study, "daily").count_rows() == 0
