"""Tests of the guide's program for PostgreSQL with a real server: its tables equal what the service returns.

`cargo xtask test --deep` runs them. `VITALWIRE_POSTGRESQL` is the folder of the server's programs.
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import typing
from collections.abc import Iterator

import guides
import psycopg
import pytest
import served_records
from changing_service import Night
from served_records import COLUMNS, Records
from serving import PATIENCE, Reply, Request
from synced_service import SyncedService

import vitalwire

PROGRAM = guides.GUIDE / "postgresql" / "postgresql_copy.py"
SIGNALLED = pathlib.Path(__file__).with_name("signalled.py")
SECRET = "00" * 32
#: Users of the copy, of whom the second one's days arrive three days later.
USERS = ("person-1", "person-2")


class Server(typing.NamedTuple):
    """A PostgreSQL server on a Unix socket.

    programs: Folder of its programs.

    folder: Folder of its files and of the socket.
    """

    programs: pathlib.Path
    folder: pathlib.Path

    def url(self, database: str) -> str:
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def execute(self, name: str, *arguments: str) -> None:
        """Runs one of the programs. The server refuses to run as root."""
        user: dict[str, typing.Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        command = [str(self.programs / name), *arguments]
        # The server would keep a pipe open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(command, cwd=self.folder, stdout=output, stderr=output, timeout=PATIENCE, check=False, **user)
            output.seek(0)
            assert done.returncode == 0, output.read().decode()

    def create(self, database: str, template: str = "template1") -> Copy:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {database} TEMPLATE {template}")
        return Copy(self, database)


class Copy(typing.NamedTuple):
    """A database with the guide's tables."""

    server: Server
    database: str

    def rows(self, query: str) -> list[typing.Any]:
        with psycopg.connect(self.server.url(self.database)) as connection:
            rows: list[typing.Any] = connection.execute(query).fetchall()
        return rows

    def records(self, user: str) -> Records:
        """Returns the content of the user's records."""
        rows = self.rows(f"SELECT kind, id, rows FROM records WHERE user_id = '{user}'")
        return {(kind, identifier): values[0].get(COLUMNS[kind]) for kind, identifier, values in rows}

    def start(self, variables: dict[str, str], *command: str) -> subprocess.Popen[str]:
        """Starts the program, or a command with its environment."""
        environment = {**variables, "DATABASE_URL": self.server.url(self.database), "SYNC_SECRET": SECRET}
        arguments = command or guides.command(PROGRAM)
        return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, variables: dict[str, str], *command: str) -> str:
        """Runs the program, or a command with its environment. It must succeed. Returns what it prints."""
        return end(self.start(variables, *command))


def end(process: subprocess.Popen[str], code: int = 0) -> str:
    """Waits until a program ends. Returns what it prints."""
    printed, errors = process.communicate(timeout=guides.TIMEOUT)
    assert process.returncode == code, errors
    return printed


def interrupt(name: str, functions: str, number: int) -> list[str]:
    """Returns a command that runs the program, which sends itself a signal before a line of the functions."""
    return guides.command(SIGNALLED, str(PROGRAM), name, functions, str(number))


def check(copy: Copy, sandbox: vitalwire.Sandbox) -> None:
    """Checks that the copy equals the service."""
    for user in USERS:
        assert copy.records(user) == served_records.read(sandbox.base_url, sandbox.token_of(user))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    # The path of a Unix socket has at most 107 bytes.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    server = Server(pathlib.Path(os.environ["VITALWIRE_POSTGRESQL"]), folder)
    try:
        server.execute("initdb", "-D", "data", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        server.execute("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")
        try:
            tables = server.create("empty")
            schema = PROGRAM.with_suffix(".sql")
            done = subprocess.run([server.programs / "psql", "-q", server.url("empty"), "-f", schema], timeout=PATIENCE, check=False)
            assert done.returncode == 0 and tables.rows("SELECT * FROM records") == []
            yield server
        finally:
            server.execute("pg_ctl", "-D", "data", "-w", "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def sandbox() -> Iterator[vitalwire.Sandbox]:
    with vitalwire.Sandbox(people=2, delivery={"person-2": "late:3"}, today=datetime.date(2026, 1, 20)) as sandbox:
        yield sandbox


def create(server: Server, *users: str) -> Copy:
    """Creates an empty copy of these users."""
    copy = server.create("copy", "empty")
    with psycopg.connect(server.url("copy")) as connection:
        for user in users:
            connection.execute("INSERT INTO synced_users (user_id) VALUES (%s)", (user,))
    return copy


def eat(sandbox: vitalwire.Sandbox, *days: str) -> list[str]:
    """Uploads a meal on each day for the first user. Returns their ids."""
    client, ids = sandbox.client(), []
    for day in days:
        noon = datetime.datetime.fromisoformat(f"{day}T12:00:00+00:00")
        ids.append(str(client.nutrition_records.upload_and_wait(guides.GUIDE / "lunch.png", consumed_at=noon).record_id))
    return ids


def change(sandbox: vitalwire.Sandbox, corrected: str, removed: str) -> None:
    """Corrects a meal, removes another, adds a third, and advances the clock, so that a late day arrives and today ends."""
    client = sandbox.client()
    client.nutrition_records.update(corrected, 2.5)
    client.nutrition_records.delete(removed)
    eat(sandbox, "2026-01-20")
    sandbox.advance(datetime.timedelta(days=1))


def test_a_copy_equals_the_service_after_each_run(server: Server, sandbox: vitalwire.Sandbox) -> None:
    copy, variables = create(server, *USERS), guides.environment(sandbox)
    old, corrected, removed = eat(sandbox, "2026-01-02", "2026-01-17", "2026-01-18")
    printed = copy.run(variables)
    check(copy, sandbox)
    # The days up to that of the clock, and those up to three days before it. A sleep ends on each of them.
    counts = "SELECT count(*), max(day)::text FROM records WHERE kind = 'daily' GROUP BY user_id ORDER BY user_id"
    assert copy.rows(counts) == [(20, "2026-01-20"), (17, "2026-01-17")]
    totals = [len(copy.records(user)) for user in USERS]
    assert printed == f"person-1: {totals[0]} changes\nperson-2: {totals[1]} changes\n"
    assert copy.run(variables) == "person-1: 0 changes\nperson-2: 0 changes\n"

    change(sandbox, corrected, removed)
    copy.run(variables)
    check(copy, sandbox)
    assert copy.rows(counts) == [(21, "2026-01-21"), (18, "2026-01-18")]
    records = copy.records("person-1")
    assert records["nutrition", corrected] == 2.5 and ("nutrition", removed) not in records

    # Each column equals that of a first sync.
    fresh = server.create("fresh", "empty")
    with psycopg.connect(server.url("fresh")) as connection:
        connection.execute("INSERT INTO synced_users (user_id) VALUES ('person-1'), ('person-2')")
    fresh.run(variables)
    everything = "SELECT user_id, kind, id, rows FROM records ORDER BY user_id, kind, id"
    assert copy.rows(everything) == fresh.rows(everything)

    with psycopg.connect(server.url("copy")) as connection:
        connection.execute("DELETE FROM synced_users WHERE user_id = 'person-1'")
    assert copy.records("person-1") == {} and copy.run(variables) == "person-2: 0 changes\n"


def test_a_run_can_be_killed_before_each_step(server: Server, sandbox: vitalwire.Sandbox) -> None:
    before, variables = create(server, *USERS), guides.environment(sandbox)
    _, corrected, removed = eat(sandbox, "2026-01-02", "2026-01-17", "2026-01-18")
    before.run(variables)
    change(sandbox, corrected, removed)
    expected = {user: served_records.read(sandbox.base_url, sandbox.token_of(user)) for user in USERS}
    states: dict[tuple[str, bytes], Records] = {}
    number, code = 0, -9
    while code == -9:
        number += 1
        copy = server.create("killed", "copy")
        process = copy.start(variables, *interrupt("SIGKILL", "sync", number))
        errors = process.communicate(timeout=guides.TIMEOUT)[1]
        code = process.returncode
        assert code in (-9, 0), errors
        for user, state in copy.rows("SELECT user_id, state FROM synced_users"):
            # Changes and state are stored together: a state always has the same records.
            records = copy.records(user)
            assert states.setdefault((user, state), records) == records
        copy.run(variables)
        assert {user: copy.records(user) for user in USERS} == expected, number
    # Both users have a part for each kind, and a run was killed between any two of them.
    assert [sum(user == other for other, _ in states) for user in USERS] == [4, 4] and number > 60


def test_two_runs_at_once_apply_each_change_once(server: Server, sandbox: vitalwire.Sandbox) -> None:
    copy, variables = create(server, *USERS), guides.environment(sandbox)
    for _ in range(5):
        runs = [copy.start(variables) for _ in range(2)]
        printed = [end(run) for run in runs]
        assert all(len(text.splitlines()) == 2 for text in printed)
        check(copy, sandbox)
        sandbox.advance(datetime.timedelta(days=1))


def wait_until_stopped(process: subprocess.Popen[str]) -> None:
    """Waits until a process has stopped itself."""
    stopped = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert stopped is not None and stopped.si_code == os.CLD_STOPPED


def test_a_run_waits_for_the_transaction_of_another_and_stores_nothing(server: Server, sandbox: vitalwire.Sandbox) -> None:
    copy, variables = create(server, *USERS), guides.environment(sandbox)
    copy.run(variables)
    sandbox.advance(datetime.timedelta(days=1))
    first = copy.start(variables, *interrupt("SIGSTOP", "apply", 1))
    wait_until_stopped(first)
    second = copy.start(variables)
    until = time.monotonic() + PATIENCE
    while copy.rows("SELECT count(*) FROM pg_stat_activity WHERE datname = 'copy' AND wait_event_type = 'Lock'") != [(1,)]:
        assert time.monotonic() < until and second.poll() is None
        time.sleep(0.02)
    first.send_signal(signal.SIGCONT)
    # Both continue with the second user.
    assert not end(first).startswith("person-1: skipped")
    assert end(second).startswith("person-1: skipped, because another run has stored its state\n")
    check(copy, sandbox)


def test_the_next_run_reads_what_has_failed(server: Server, sandbox: vitalwire.Sandbox) -> None:
    copy, variables = create(server, *USERS), guides.environment(sandbox)
    eat(sandbox, "2026-01-17")
    sandbox.add_fault("status; status=400; operation=exchange_token")
    # Of the second user, the first part fails.
    sandbox.add_fault("status; status=400; operation=daily_statistics")
    end(copy.start(variables), 1)
    kinds = copy.rows("SELECT DISTINCT user_id, kind FROM records ORDER BY kind")
    assert kinds == [("person-2", "nutrition"), ("person-2", "sleeps")]
    copy.run(variables)
    check(copy, sandbox)


class ExchangingService(SyncedService):
    """A service that returns the tokens of its users."""

    def _respond(self, request: Request) -> Reply:
        if request.method != "POST":
            return super()._respond(request)
        return Reply(body=json.dumps({"access_token": f"token-{json.loads(request.body)['application_user_id']}"}).encode())


def test_days_before_the_look_back_are_removed_and_their_records_follow(server: Server, tmp_path: pathlib.Path) -> None:
    copy = create(server, "anna", "ben")
    program = tmp_path / "program.py"
    text = PROGRAM.read_text(encoding="utf-8")
    program.write_text(text.replace('first="2026-01-01",', 'first="2026-01-01", look_back=90,'), encoding="utf-8")
    with ExchangingService() as service:
        variables = {**os.environ, "VITALWIRE_BASE_URL": service.url, "APPLICATION_ID": "1", "APPLICATION_KEY": "a key of 16 letters"}
        service.today = "2026-03-20"
        service.steps["anna"] = {"2026-01-10": 1, "2026-03-16": 2, "2026-03-17": 3}
        service.steps["ben"] = {"2026-01-10": 4}
        nights = service.nights["anna"]
        nights.update(one=Night("2026-01-10"), two=Night("2026-01-10"), three=Night("2026-01-11"), four=Night("2026-03-15"))
        service.nights["ben"]["five"] = Night("2026-01-10")
        copy.run(variables)
        # A night of an older day is removed, another corrected and another moved.
        del nights["one"], service.steps["anna"]["2026-03-16"]
        nights.update(two=Night("2026-01-10", 30), four=Night("2026-03-18"))
        copy.run(variables, *guides.command(program))
        for user in ("anna", "ben"):
            assert copy.records(user) == served_records.read(service.url, f"token-{user}")
        assert copy.records("anna")["sleeps", "two"] == 30 and ("sleeps", "one") not in copy.records("anna")


def test_the_program_prints_what_its_page_shows(server: Server) -> None:
    with vitalwire.Sandbox(today=datetime.date(2026, 2, 1)) as service:
        guides.compare(PROGRAM, create(server, *USERS).run(guides.environment(service)))
