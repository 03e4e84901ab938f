"""Tests of cohorts in dlt, Dask, Ray and Spark: correct rows, limited rates, and no secrets in plans, logs and event files.

`cargo xtask test --deep` runs them in an environment with these packages.
"""

from __future__ import annotations

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
from collections.abc import Callable, Iterator

import changing_service
import cohort_service
import duckdb
import guides
import pages
import pytest
from cohort_service import FIRST, LAST, Cohort

import vitalwire
from vitalwire import cohort
from vitalwire.cohort import RateLimits

#: Maximum number of requests per second of all tasks together.
RATE = 30
#: Rate at which an export takes long enough to kill a worker during it.
SLOW_RATE = 12


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cohort]:
    yield from cohort_service.start(tmp_path_factory.mktemp("people"), 50)


def run_later(seconds: float, action: Callable[[], object]) -> threading.Thread:
    """Calls a function on a new thread after a delay."""

    def run() -> None:
        time.sleep(seconds)
        action()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_dlt_merges_rows_and_requests_only_new_days(group: Cohort, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME__DLTHUB_TELEMETRY", "false")
    import dlt

    import vitalwire.dlt

    group.users_file.with_name("tokens.csv").write_text(f"user,token\n{group.sandbox.user_ids[0]},{group.secrets[1]}\neve,expired\n")
    tokens = cohort.UserCredentials.from_file(group.users_file.with_name("tokens.csv"))
    database = tmp_path / "cohort.duckdb"

    def run(credentials: cohort.UserCredentials, last: str) -> int:
        """Runs the pipeline. Returns the size of the responses with daily statistics, in bytes."""
        log = group.log()
        destination = dlt.destinations.duckdb(str(database))
        pipeline = dlt.pipeline("study", destination=destination, dataset_name="study", pipelines_dir=str(tmp_path / "pipelines"))
        source = vitalwire.dlt.source(credentials, ["daily", "sleep_stages", "nutrition"], FIRST, last, group.settings, lookback_days=3)
        pipeline.run(source).raise_on_failed_jobs()
        return log.bytes("daily_statistics")

    def query(text: str) -> list[typing.Any]:
        with duckdb.connect(str(database), read_only=True) as connection:
            return connection.sql(text).fetchall()

    users = group.sandbox.user_ids[:12]
    credentials = cohort.UserCredentials.from_application_key(users, application_id=group.sandbox.application_id, key_file=group.key_file)
    first, second, third = run(credentials, "2025-10-20"), run(credentials, LAST), run(credentials, LAST)
    assert 0 < third < second < first
    rows = [dict(zip(cohort_service.COLUMNS, row)) for row in query(f'select {", ".join(map(quote_column, cohort_service.COLUMNS))} from study.daily')]
    assert cohort_service.sorted_rows(rows) == group.daily(users)
    names: tuple[cohort.TableName, ...] = ("sleep_stages", "nutrition")
    for table in names:
        plan = cohort.plan(credentials, table, FIRST, LAST)
        assert query(f"select count(*) from study.{table}")[0][0] == sum(map(len, cohort.read(plan, group.credentials, group.settings)))
    run(tokens, LAST)
    assert set(query('select "user", kind from study.failures')) == {("eve", "authentication")}
    assert cohort_service.leaks(tmp_path, group.secrets) == []


def test_dlt_returns_late_changed_and_removed_rows(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME__DLTHUB_TELEMETRY", "false")
    import dlt

    import vitalwire.dlt

    database = tmp_path / "cohort.duckdb"
    tables: tuple[cohort.TableName, ...] = ("daily", "sleeps", "sleep_stages")

    def run(service: changing_service.ChangingService, first: str, last: str | None = None) -> None:
        destination = dlt.destinations.duckdb(str(database))
        pipeline = dlt.pipeline("study", destination=destination, dataset_name="study", pipelines_dir=str(tmp_path / "pipelines"))
        pipeline.run(vitalwire.dlt.source(users(), tables, first, last, service.settings)).raise_on_failed_jobs()

    def users() -> cohort.UserCredentials:
        return cohort.UserCredentials.from_file(changing_service.users_file(tmp_path))

    def loaded(table: str) -> list[str]:
        with duckdb.connect(str(database), read_only=True) as connection:
            connection.sql("set TimeZone = 'UTC'")
            names = changing_service.COLUMNS[table]
            rows = connection.sql(f"select {', '.join(map(quote_column, names))} from study.{table}").fetchall()
            return changing_service.compared(table, (dict(zip(names, row)) for row in rows))

    with changing_service.first_data() as service:
        run(service, "2025-02-01")
        assert loaded("sleeps") == ["anna changing 3", "anna losing 6", "anna moving 5", "anna vanishing 4"]
        changing_service.change(service)
        # The first day moves back.
        run(service, "2025-01-01")
        for table in tables:
            assert loaded(table) == changing_service.expected(service, table), table
        service.requested()
        run(service, "2025-01-01")
        # Sleeps have one more day than statistics.
        assert set(service.requested()) == {(user, first, "2025-02-11") for user in ("anna", "ben") for first in ("2025-02-04", "2025-02-05")}
        # A first day after the last one leaves a gap, which a later run fills.
        service.today = "2025-03-12"
        service.steps["anna"].update({"2025-02-20": 1, "2025-03-05": 2})
        run(service, "2025-03-01")
        assert "anna 2025-03-05 2" in loaded("daily") and "anna 2025-02-20 1" not in loaded("daily")
        run(service, "2025-01-01")
        for table in tables:
            assert loaded(table) == changing_service.expected(service, table), table
        with duckdb.connect(str(database), read_only=True) as connection:
            kinds = dict(connection.sql("select column_name, data_type from information_schema.columns where table_name = 'sleeps'").fetchall())
        assert kinds["start_at_timestamp_local"] == "TIMESTAMP" and kinds["start_at_timestamp"] == "TIMESTAMP WITH TIME ZONE"
    with changing_service.first_data() as other, pytest.raises(Exception, match="must come from the service at the client's base URL"):
        run(other, "2025-01-01")


def quote_column(name: str) -> str:
    """Quotes the name of a column for SQL."""
    return f'"{name}"'


def test_dask_survives_a_killed_worker(group: Cohort) -> None:
    from distributed import Client, LocalCluster
    from distributed.protocol.pickle import dumps

    import vitalwire.dask

    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster, Client(cluster) as client:
        for rate in (RATE, SLOW_RATE):
            log = group.log()
            frame = vitalwire.dask.read("daily", group.credentials, FIRST, LAST, group.settings, rate_limits=RateLimits(per_second=rate), tasks=4)
            graph = dumps(frame.__dask_graph__())
            assert not any(secret.encode() in graph for secret in group.secrets)
            future = client.compute(frame)
            if rate < RATE:
                time.sleep(3)
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
            rows = cohort_service.sorted_rows(future.result().to_dict("records"))
            check_rate(log, rate)
            assert rows == group.daily()
        assert frame.npartitions == 4 and list(frame.dtypes.index[:2]) == ["user", "date"]


def check_rate(log: cohort_service.Log, rate: int) -> None:
    """Checks that there was a request for each user, and that the busiest second was within the rate."""
    assert len(log.requests("daily_statistics")) >= 50 and rate / 4 < log.busiest_second() <= rate


@contextlib.contextmanager
def ray_cluster() -> Iterator[pathlib.Path]:
    """Starts Ray, and returns the folder of its files."""
    import ray

    # Ray's folder contains Unix sockets, whose paths have at most 107 bytes.
    folder = pathlib.Path("/tmp") / f"ray-{os.getpid()}"
    ray.init(num_cpus=4, include_dashboard=False, _temp_dir=str(folder))
    try:
        yield folder
    finally:
        ray.shutdown()


def test_ray_returns_all_rows_within_the_budget(group: Cohort, tmp_path: pathlib.Path) -> None:
    import vitalwire.ray

    with ray_cluster() as folder:
        log = group.log()
        days = vitalwire.ray.read("daily", group.credentials, FIRST, LAST, group.settings, rate_limits=RateLimits(per_second=RATE), tasks=4)
        assert days.schema().names[:2] == ["user", "date"] and not log.requests()
        rows = cohort_service.sorted_rows(days.to_pandas().to_dict("records"))
        check_rate(log, RATE)
        assert rows == group.daily()
    assert cohort_service.leaks(folder, group.secrets) == []
    tasks = vitalwire.ray._Source("daily", []).get_read_tasks(1)
    assert tasks == []


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[typing.Any]:
    """A session on a cluster of two workers, with an event log."""
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    from pyspark.sql import SparkSession

    import vitalwire.spark

    events = tmp_path_factory.mktemp("events")
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.eventLog.enabled", "true")
    builder = builder.config("spark.eventLog.dir", events.as_uri()).config("spark.eventLog.compress", "false").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.session.timeZone", "UTC").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    vitalwire.spark.register(session)
    session.events = events
    yield session
    session.stop()


def load(spark: typing.Any, group: Cohort, table: str = "daily", **options: object) -> typing.Any:
    reader = spark.read.format("vitalwire").option("users_file", str(group.users_file)).option("base_url", group.sandbox.base_url)
    return reader.options(table=table, first=FIRST, last=LAST, proxy="none", **options).load()


def test_spark_stays_within_the_budget_if_a_worker_is_killed(spark: typing.Any, group: Cohort) -> None:
    for rate in (RATE, SLOW_RATE):
        log = group.log()
        frame = load(spark, group, per_second=rate, tasks=4)
        killer = run_later(5, lambda: kill_executor(spark)) if rate < RATE else None
        rows = frame.collect()
        if killer is not None:
            killer.join()
        check_rate(log, rate)
        assert cohort_service.sorted_rows(rows) == group.daily()


def kill_executor(spark: typing.Any) -> None:
    """Kills an executor of the session."""
    pattern = f"CoarseGrainedExecutorBackend.*--app-id {spark.sparkContext.applicationId}"
    found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True, check=True)
    os.kill(int(found.stdout.split()[0]), signal.SIGKILL)


def test_spark_pushes_filters_down_to_the_service(spark: typing.Any, group: Cohort) -> None:
    from pyspark.sql import functions

    log, users = group.log(), list(group.sandbox.user_ids[:3])
    day = datetime.date(2025, 10, 20)
    rows = load(spark, group).filter(functions.col("user").isin(users) & (functions.col("date") >= day)).collect()
    assert len(log.requests("daily_statistics")) == 3 and cohort_service.sorted_rows(rows) == group.daily(users, first="2025-10-20")
    log = group.log()
    assert load(spark, group).filter(functions.col("user") == "nobody").count() == 0 and not log.requests()
    noon = datetime.datetime(2025, 10, 30, 12, tzinfo=datetime.timezone.utc)
    hours = cohort.plan(group.credentials, "hourly", "2025-10-30", LAST)
    expected = sum(row["from_timestamp"] >= noon for table in cohort.read(hours, group.credentials, group.settings) for row in table)
    assert load(spark, group, "hourly").filter(functions.col("from_timestamp") >= noon).count() == expected > 0
    named = load(spark, group, columns="date,sleep_score")
    assert named.columns == ["user", "date", "sleep_score"] and named.filter("sleep_score is null").count() == 0


def test_spark_reads_other_tables(spark: typing.Any, group: Cohort) -> None:
    tables: tuple[cohort.TableName, ...] = ("sleeps", "sleep_stages", "nutrition")
    for table in tables:
        plan = cohort.plan(group.credentials, table, FIRST, LAST)
        assert load(spark, group, table).count() == sum(map(len, cohort.read(plan, group.credentials, group.settings)))


def test_spark_streams_late_and_changed_rows_again(spark: typing.Any, tmp_path: pathlib.Path) -> None:
    def options(service: changing_service.ChangingService, first: str, table: str) -> dict[str, str]:
        file = str(changing_service.users_file(tmp_path))
        return {"table": table, "users_file": file, "first": first, "base_url": service.url, "proxy": "none", "tasks": "2"}

    def stream(service: changing_service.ChangingService, first: str, table: str) -> list[str]:
        """Runs a query to its end, and returns its new rows."""
        found: list[typing.Any] = []
        rows = spark.readStream.format("vitalwire").options(**options(service, first, table)).load()
        query = rows.writeStream.foreachBatch(lambda batch, _: found.extend(batch.collect()))
        query.option("checkpointLocation", str(tmp_path / table)).trigger(availableNow=True).start().awaitTermination()
        return changing_service.compared(table, found)

    with changing_service.first_data() as service:
        assert stream(service, "2025-02-01", "daily") == [row for row in changing_service.expected(service, "daily") if " 2025-02-" in row]
        assert stream(service, "2025-02-01", "daily") == []
        changing_service.change(service)
        # The first day moves back. 3 to 9 February are requested again.
        again = changing_service.expected(service, "daily")
        assert stream(service, "2025-01-01", "daily") == again
        for table in ("sleeps", "sleep_stages"):
            assert stream(service, "2025-01-01", table) == changing_service.expected(service, table)
            batch = spark.read.format("vitalwire").options(**options(service, "2025-01-01", table)).load()
            assert changing_service.compared(table, batch.collect()) == changing_service.expected(service, table)
        batch = spark.read.format("vitalwire").options(**options(service, "2025-01-01", "daily")).load()
        assert batch.filter("user in ('anna', null)").count() == sum(row.startswith("anna") for row in again)
        assert batch.filter("date in (null)").count() == 0 == batch.filter("user = 'nobody'").count()


def test_dask_and_ray_return_changed_rows(tmp_path: pathlib.Path) -> None:
    import dask.dataframe

    import vitalwire.dask
    import vitalwire.ray

    with changing_service.first_data() as service, ray_cluster():
        changing_service.change(service)
        users = cohort.UserCredentials.from_file(changing_service.users_file(tmp_path))
        tables: tuple[cohort.TableName, ...] = ("daily", "sleeps", "sleep_stages")
        for table in tables:
            frame = vitalwire.dask.read(table, users, "2025-01-01", "2025-02-11", service.settings).compute(scheduler="synchronous")
            assert changing_service.compared(table, frame.to_dict("records")) == changing_service.expected(service, table)
            rows = vitalwire.ray.read(table, users, "2025-01-01", "2025-02-11", service.settings).take_all()
            assert changing_service.compared(table, rows) == changing_service.expected(service, table)
        frame = vitalwire.dask.read("daily", users, "2025-01-01", "2025-02-11", service.settings)
        frame.to_parquet(str(tmp_path / "days"))
        lists = dask.dataframe.read_parquet(str(tmp_path / "days"), dtype_backend="pyarrow").compute()["record_ids"]
        assert sum(len(ids) for ids in lists if ids is not None) == len(service.nights["anna"])


@pytest.mark.parametrize("engine", ["dlt", "spark"])
def test_a_program_that_is_killed_three_times_loads_each_row_once(engine: str, group: Cohort, tmp_path: pathlib.Path) -> None:
    users = group.users_file.with_name("few.csv")
    users.write_text("".join(group.users_file.read_text(encoding="utf-8").splitlines(keepends=True)[:11]), encoding="utf-8")
    program = pathlib.Path(__file__).with_name("interrupted.py")
    path = os.pathsep.join([str(program.parent.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "RUNTIME__DLTHUB_TELEMETRY": "false"}

    def start() -> subprocess.Popen[bytes]:
        arguments = [sys.executable, str(program), engine, str(users), group.sandbox.base_url, str(tmp_path)]
        with (tmp_path / "output.txt").open("ab") as output:
            return subprocess.Popen(arguments, env=environment, stdout=output, stderr=output, start_new_session=True)

    for requests in (30, 100, 200):
        log, running, end = group.log(), start(), time.monotonic() + 120
        while len(log.requests("get_sleep")) < requests:
            assert running.poll() is None and time.monotonic() < end, (tmp_path / "output.txt").read_text()[-3000:]
            time.sleep(0.05)
        # Spark's JVM is a process of its own in the same group.
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert start().wait(timeout=180) == 0, (tmp_path / "output.txt").read_text()[-3000:]
    credentials = cohort.UserCredentials.from_file(users)
    expected = cohort.read(cohort.plan(credentials, "sleeps", FIRST, LAST), credentials, group.settings)
    keys = sorted((row["user"], row["sleep_id"]) for table in expected for row in table)
    if engine == "spark":
        loaded = list(map(tuple, json.loads((tmp_path / "keys.json").read_text())))
    else:
        with duckdb.connect(str(tmp_path / "cohort.duckdb"), read_only=True) as connection:
            loaded = connection.sql('select "user", sleep_id from study.sleeps').fetchall()
    assert sorted(loaded) == keys and len(set(keys)) == len(keys) > 250


def test_events_and_errors_of_spark_contain_no_secret(spark: typing.Any, group: Cohort, tmp_path: pathlib.Path) -> None:
    users = tmp_path / "users.csv"
    users.write_text(f"user,token\n{group.sandbox.user_ids[0]},{group.secrets[1]}\neve,expired-token\n", encoding="utf-8")
    reader = spark.read.format("vitalwire").options(table="daily", users_file=str(users), first=FIRST, last=LAST, proxy="none")
    reader = reader.option("base_url", group.sandbox.base_url)
    with pytest.raises(Exception, match="authentication") as raised:
        reader.load().count()
    failures = tmp_path / "failures"
    assert reader.option("failures", str(failures)).load().count() == len(group.daily(group.sandbox.user_ids[:1]))
    listed = spark.read.json(str(failures)).collect()
    assert [(row["user"], row["kind"]) for row in listed] == [("eve", "authentication")]
    with pytest.raises(Exception, match="must not contain token, which is not an option"):
        reader.option("token", group.secrets[1]).load()
    secrets = [*group.secrets, "expired-token"]
    assert not any(secret in str(raised.value) for secret in secrets)
    assert cohort_service.leaks(spark.events, secrets) == []
    assert pickle.dumps(vitalwire_source(users)).find(group.secrets[1].encode()) < 0


def test_batches_of_a_stream_keep_their_failures(tmp_path: pathlib.Path) -> None:
    from vitalwire.spark import _StreamReader, _VitalwireSource

    options = {"table": "daily", "users_file": str(changing_service.users_file(tmp_path)), "first": "2025-02-01", "failures": str(tmp_path)}
    reader = _StreamReader(_VitalwireSource(options)._scan, ["user", "date"])
    offsets = [{"requested": days} for days in ("", "2025-02-01/2025-02-05", "2025-02-01/2025-02-06")]
    folders = [{task.value.failures for task in reader.partitions(start, end)} for start, end in zip(offsets, offsets[1:])]
    assert folders == [{str(tmp_path / "2025-02-01_2025-02-05")}, {str(tmp_path / "2025-02-01_2025-02-06")}]


def vitalwire_source(users: pathlib.Path) -> typing.Any:
    """Returns a data source in the form that Spark pickles."""
    from vitalwire.spark import _VitalwireSource

    return _VitalwireSource({"table": "daily", "users_file": str(users), "first": FIRST})


@pytest.mark.parametrize("name", ["dlt", "dask", "ray", "spark"])
def test_the_examples_of_a_page_run_as_printed(name: str, tmp_path: pathlib.Path) -> None:
    """Runs each page in its own process, because Spark and Ray allow only one session per process."""
    code = f"import pages, pathlib; pages.run(pathlib.Path({str(pages.PACKAGE / 'docs' / f'{name}.md')!r}))['sandbox'].close()"
    # Dask's worker processes import the main module, so the page must not run on import.
    program = tmp_path / "page.py"
    program.write_text(f"import sys; sys.path.append({str(pathlib.Path(pages.__file__).parent)!r})\nif __name__ == '__main__':\n    {code}\n")
    # dlt stores its pipelines in this folder. It would continue the pipeline of an earlier run.
    environment = {**os.environ, "DLT_DATA_DIR": str(tmp_path / "dlt"), "RUNTIME__DLTHUB_TELEMETRY": "false"}
    ran = subprocess.run([sys.executable, program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and ran.stdout, ran.stderr[-3000:]


@pytest.mark.parametrize("program", sorted(guides.GUIDE.glob("engines/*.py")), ids=lambda program: program.stem)
def test_a_program_of_the_guides_prints_what_its_page_shows(program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with vitalwire.Sandbox(today=datetime.date(2026, 2, 1)) as service:
        # dlt stores its pipelines in this folder. It would continue the pipeline of an earlier run.
        dlt = {"DLT_DATA_DIR": str(tmp_path / "dlt"), "RUNTIME__DLTHUB_TELEMETRY": "false"}
        spark = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        variables = guides.environment(service, **dlt, **spark)
        guides.compare(program, guides.run(program, tmp_path, variables))
