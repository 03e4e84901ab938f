"""Runs every program of the guides against a sandbox, and compares its output with the one that its page shows."""

from __future__ import annotations

import base64
import concurrent.futures
import datetime
import http.client
import json
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import time
import typing
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator

import guides
import pytest
import serving
from guides import GUIDE

import vitalwire
from vitalwire import webhook

PROGRAMS = sorted(GUIDE.glob("*.py"))
#: Programs in this folder need engines. `engines/engines.py` runs them.
ENGINES = GUIDE / "engines"
#: Arguments of programs that would read until today.
ARGUMENTS = {"nightly": ["2025-11-20"]}


@pytest.fixture(scope="module")
def started() -> Iterator[vitalwire.Sandbox]:
    """A sandbox with default settings, after the end of the year that the guides read."""
    with vitalwire.Sandbox(today=datetime.date(2026, 2, 1)) as sandbox:
        yield sandbox


@pytest.fixture
def service(started: vitalwire.Sandbox) -> vitalwire.Sandbox:
    started.reset()
    return started


def print_same(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    printed = guides.run(program, folder, guides.environment(service), *ARGUMENTS.get(program.stem, []))
    guides.compare(program, printed)


def pass_tests(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    """Runs the tests of a program outside the repository, without its settings of pytest."""
    copy = folder / program.name
    copy.write_bytes(program.read_bytes())
    pytest_command = [sys.executable, "-BEs", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", str(copy)]
    done = subprocess.run(pytest_command, cwd=folder, capture_output=True, text=True, timeout=guides.TIMEOUT, check=False)
    expected = program.read_text(encoding="utf-8").count("\ndef test_")
    assert done.returncode == 0 and f"{expected} passed" in done.stdout, done.stdout


def send(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, str, bytes]:
    """Sends a request without following redirects. Returns the status, the redirect's target and the body."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(typing.cast(str, parts.hostname), parts.port, timeout=30)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection.request("GET" if body is None else "POST", target, body, headers or {})
    response = connection.getresponse()
    cookie = response.headers.get("Set-Cookie", "").split(";")[0]
    received = response.status, response.headers.get("Location", ""), response.read() or cookie.encode()
    connection.close()
    return received


def send_length(url: str, length: str | None) -> int:
    """Sends a POST request with this Content-Length and no body. Returns the status."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as connection:
        header = "" if length is None else f"Content-Length: {length}\r\n"
        connection.sendall(f"POST / HTTP/1.1\r\nHost: {parts.netloc}\r\n{header}\r\n".encode())
        return int(connection.makefile("rb").readline().split()[1])


def serve_tokens(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    with guides.serve(program.name, guides.environment(service)) as (url, _):
        signed_in = {"Authorization": "Bearer a-session-of-person-1"}
        with urllib.request.urlopen(urllib.request.Request(f"{url}/token", b"", signed_in)) as response:
            assert response.headers["Cache-Control"] == "no-store"
            received = json.load(response)
        assert received.keys() == {"access_token", "expires_in"} and received["expires_in"] == 3600
        assert service.client(token=received["access_token"]).user.info() == service.client().user.info()
        for session in ("Bearer person-1", "Bearer ", "", "a-session-of-person-1", "bearer a-session-of-person-1"):
            assert send(f"{url}/token", b"", {"Authorization": session})[0] == 401
        assert send(f"{url}/token/", b"", signed_in)[0] == send(f"{url}/", b"", signed_in)[0] == 404
        assert send(f"{url}/token", None, signed_in)[0] == 501
        service.add_fault("status; status=401; operation=exchange_token")
        assert send(f"{url}/token", b"", signed_in)[0] == 502


def receive_webhooks(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    """Delivers a webhook of the sandbox and two signed ones, one of them twice."""
    with guides.serve(program.name, guides.environment(service)) as (url, process):
        with vitalwire.Sandbox(webhook_url=f"{url}/", today=datetime.date(2025, 11, 20)) as sender:
            assert sender.webhook_key == service.webhook_key
            sender.client().nutrition_records.upload_and_wait(GUIDE / "lunch.png")
            stdout = typing.cast(typing.IO[str], process.stdout)
            lines = [stdout.readline()]
        event = {"application_user_id": "person-1", "event_type": "record_change", "provider_slug": "oura", "metrics": ["steps"]}
        report = {"application_user_id": "person-1", "record_id": "1", "status": "completed", "sections": []}
        # The URL does not determine the kind: everybody can choose it.
        for content in ([event], [event], report):
            body = json.dumps(content).encode()
            headers = {webhook.SIGNATURE_HEADER: webhook.sign(body, service.webhook_key)}
            assert send(f"{url}/meals", body, headers)[0] == 200
            assert send(f"{url}/meals", body + b" ", headers)[0] == 401
        lines += [stdout.readline(), stdout.readline()]
        guides.compare(program, "".join(lines))

        # A lab report and a meal can have these fields.
        unclear = json.dumps({"record_id": "1", "status": "completed"}).encode()
        assert send(url, unclear, {webhook.SIGNATURE_HEADER: webhook.sign(unclear, service.webhook_key)})[0] == 400
        for length, status in (("-1", 411), ("1e3", 411), ("²", 411), (None, 411), (str(32 * 1024 * 1024 + 1), 413), ("9" * 5000, 411)):
            assert send_length(url, length) == status

        # The receiver waits while it prints this name, because it does not fit into the pipe.
        event["event_type"] = "n" * 2**20
        body = json.dumps([event]).encode()
        headers = {webhook.SIGNATURE_HEADER: webhook.sign(body, service.webhook_key)}
        with concurrent.futures.ThreadPoolExecutor() as threads:
            copies = [threads.submit(send, url, body, headers) for _ in range(2)]
            first = next(concurrent.futures.as_completed(copies)).result()[0]
            stdout.readline()
            assert [first, *sorted(copy.result()[0] for copy in copies)] == [503, 200, 503]
        assert send(url, body, headers)[0] == 200


def connect_a_provider(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    """Follows the redirects as a browser does, and presses the button on the sandbox's page."""
    errors = folder / "errors"
    with guides.serve(program.name, guides.environment(service), errors) as (url, _):
        status, page, cookie = send(f"{url}/connect")
        assert status == 303 and page.startswith(service.base_url)
        form = re.search(rb'name="form_token" value="([^"]+)"', send(page)[2])
        assert form is not None
        answer = urllib.parse.urlencode({"form_token": form[1].decode(), "answer": "allow"}).encode()
        status, back, _ = send(page, answer, {"Content-Type": "application/x-www-form-urlencoded"})
        assert status == 303 and back.startswith(f"{url}/back?")
        assert send(back, None, {"Cookie": "state=of-another-sign-in"})[0] == send(back)[0] == 400
        # A cookie whose name only ends or begins with this one is another cookie.
        assert send(back, None, {"Cookie": f"my{cookie.decode()}"})[0] == 400
        assert send(back, None, {"Cookie": cookie.decode().replace("=", "s=", 1)})[0] == 400
        assert send(back.replace("provider_slug", "slug"), None, {"Cookie": cookie.decode()})[0] == 400
        with urllib.request.urlopen(urllib.request.Request(back, headers={"Cookie": cookie.decode()})) as response:
            assert re.fullmatch("state=;.*; Max-Age=0", response.headers["Set-Cookie"])
            text = response.read()
        guides.compare(program, text.decode())
        service.add_fault("nulls; what=members; operation=init_integration")
        service.add_fault("status; status=422; operation=init_integration")
        assert send(f"{url}/connect")[0] == send(f"{url}/connect")[0] == 502
        printed = errors.read_text()
        assert printed == "", "the log must have no query"
    assert "withings" in [provider.provider_slug for provider in service.client().user.info().integrated_providers or ()]


#: Tests of programs that do more than print.
CHECKS: dict[str, Callable[[pathlib.Path, vitalwire.Sandbox, pathlib.Path], None]] = {
    "consent_server": connect_a_provider,
    "test_pipeline": pass_tests,
    "test_week": pass_tests,
    "token_server": serve_tokens,
    "webhook_server": receive_webhooks,
}


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_a_program_does_what_its_page_shows(program: pathlib.Path, service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    CHECKS.get(program.stem, print_same)(program, service, tmp_path)


def test_every_file_is_a_program_its_output_or_its_input() -> None:
    names = {file.name for file in GUIDE.iterdir() if file.is_file()}
    outputs = {program.with_suffix(".out").name for program in PROGRAMS if program.stem not in ("test_pipeline", "test_week", "token_server")}
    assert names == {program.name for program in PROGRAMS} | outputs | set(guides.FILES) | {"install.sh", "parquet_current.sql"}
    engines = sorted(ENGINES.iterdir())
    assert [file.stem for file in engines if file.suffix == ".py"] == [file.stem for file in engines if file.suffix == ".out"]


def test_a_year_continues_after_it_was_killed(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    service.add_fault("delay; delay_ms=1000; times=always; operation=daily_statistics")
    program, variables = GUIDE / "year.py", guides.environment(service)
    process = subprocess.Popen(guides.command(program), cwd=tmp_path, env=variables, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not (tmp_path / "year-2025/resume-token").exists() and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.wait()
    service.clear_faults()
    printed = guides.run(program, tmp_path, variables)
    parts = int(re.findall(r"of (\d) parts", printed)[-1])
    assert 0 < parts < 5
    import polars

    days = polars.read_parquet(tmp_path / "year-2025/*.parquet")
    assert days["date"].to_list() == [datetime.date(2025, 1, 1) + datetime.timedelta(days=day) for day in range(365)]
    assert not (tmp_path / "year-2025/resume-token").exists()


def test_a_year_stops_at_a_failed_part_and_rejects_another_user(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    """Four parts are in flight, so the fifth request is that of the fifth part."""
    service.add_fault("delay; delay_ms=1; times=4; operation=daily_statistics")
    service.add_fault("status; status=500; operation=daily_statistics")
    program, variables = GUIDE / "year.py", guides.environment(service)
    first = guides.start(program, tmp_path, variables)
    assert first.returncode == 1 and first.stdout.endswith("4 of 5 parts, 360 days\n")
    written = texts(tmp_path)
    assert set(written) == {"resume-token", *(f"part-{part}.parquet" for part in range(4))}
    other = guides.start(program, tmp_path, {**variables, "VITALWIRE_TOKEN": service.token_of("person-2")})
    assert other.returncode == 1 and "InvalidArgumentError" in other.stderr
    assert texts(tmp_path) == written
    assert guides.run(program, tmp_path, variables) == "1 of 1 parts, 5 days\n"
    assert texts(tmp_path).keys() == {f"part-{part}.parquet" for part in range(5)}


def texts(folder: pathlib.Path) -> dict[str, bytes]:
    """Returns the files of the year, which only their owner can read."""
    files = list((folder / "year-2025").iterdir())
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize(("name", "file"), [("year_frame", "2025.csv"), ("nightly", "days.sqlite")])
def test_nobody_else_can_read_a_file(name: str, file: str, service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    guides.run(GUIDE / f"{name}.py", tmp_path, guides.environment(service), *ARGUMENTS.get(name, []))
    assert (tmp_path / file).stat().st_mode & 0o777 == 0o600


def copied(folder: pathlib.Path) -> tuple[list[tuple[str, float | None]], bytes]:
    """Returns the days with their steps, and the state of the copy."""
    store = sqlite3.connect(folder / "copy.sqlite")
    rows = store.execute("SELECT id, rows FROM records WHERE kind = 'daily' ORDER BY id").fetchall()
    state: bytes = store.execute("SELECT state FROM states").fetchone()[0]
    store.close()
    return [(day, json.loads(rows)[0].get("steps")) for day, rows in rows], state


def test_a_copy_equals_the_service_after_each_run(tmp_path: pathlib.Path) -> None:
    program = GUIDE / "sqlite_copy.py"
    with vitalwire.Sandbox(people=2, delivery={"person-2": "late:3"}, today=datetime.date(2026, 1, 20)) as sandbox:
        token = sandbox.token_of("person-2")
        variables = {**guides.environment(sandbox), "VITALWIRE_TOKEN": token}
        client = sandbox.client(token=token)
        printed, counts = [], []
        for run in range(4):
            printed.append(guides.run(program, tmp_path, variables))
            days = client.statistics.daily("2026-01-01", "2026-12-31", ["steps"]).statistics or ()
            expected = [(str(day.date), None if day.values is None else day.values.get("steps")) for day in days]
            assert copied(tmp_path)[0] == expected
            counts.append(len(expected))
            if run != 1:
                sandbox.advance(datetime.timedelta(days=2))
        # The days up to three days before the clock. The second run comes two days after the first, the third at the same time.
        assert counts == [17, 19, 19, 21]
        assert [line.endswith(" 0 changes") for line in printed[2].splitlines()] == [True, True]
        assert all((tmp_path / name).stat().st_mode & 0o777 == 0o600 for name in ("copy.sqlite", "sync.key"))
        # Another sync stores a state during the run: nothing of this run is stored.
        store = sqlite3.connect(tmp_path / "copy.sqlite")
        state = copied(tmp_path)[1]
        copy = tmp_path / "copy.py"
        text = program.read_text(encoding="utf-8")
        taken = "        store.execute('UPDATE states SET state = 1')\n        with store:"
        copy.write_text(text.replace("        with store:", taken, 1), encoding="utf-8")
        failed = guides.start(copy, tmp_path, variables)
        assert failed.returncode == 1 and "another sync of this user has stored its state" in failed.stderr
        store.execute("UPDATE states SET state = ?", (state,))
        store.commit()
        store.close()
        # A lost secret: the state cannot be used, and the copy stays as it is.
        (tmp_path / "sync.key").write_bytes(bytes(32))
        failed = guides.start(program, tmp_path, variables)
        assert failed.returncode == 1 and "vitalwire.StateError" in failed.stderr and "use the right state" in failed.stderr


def test_a_day_with_a_nap_has_two_lists_of_stages(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    copy = tmp_path / "stages.py"
    copy.write_text((GUIDE / "stages.py").read_text(encoding="utf-8").replace('"2025-11-20"', '"2025-11-14"'), encoding="utf-8")
    printed = guides.run(copy, tmp_path, guides.environment(service))
    assert printed.count("2025-11-14 from ") == 2 and "  nap    30.0 min\n" in printed


def test_a_missing_number_is_not_shown_as_0(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    for operation in ("get_sleep", "get_nutrition_record", "upload_nutrition_record"):
        service.add_fault(f"nulls; what=members; times=always; operation={operation}")
    variables = guides.environment(service)
    assert guides.run(GUIDE / "first_night.py", tmp_path, variables) == ""
    stages = guides.run(GUIDE / "stages.py", tmp_path, variables).splitlines()
    assert len(stages) > 10 and set(stages[1:]) == {"--:--  ?         ? min"}
    assert guides.run(GUIDE / "meal.py", tmp_path, variables).endswith("\na meal unknown energy per_serving\n")


def test_a_failed_wait_continues_with_the_record(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    service.add_fault("status; status=400; operation=get_lab_report")
    printed = guides.run(GUIDE / "lab_report.py", tmp_path, guides.environment(service))
    first, rest = printed.split("\n", 1)
    assert first == "the wait failed; waiting again for the same record"
    assert rest == (GUIDE / "lab_report.out").read_text(encoding="utf-8")


def test_a_token_that_is_no_jwt_has_no_expiry(tmp_path: pathlib.Path) -> None:
    def respond(request: serving.Request) -> serving.Reply:
        return serving.Reply(body=b"{}" if request.method == "GET" else b'{"access_token": "opaque"}')

    with serving.Service(respond) as service:
        variables = {**os.environ, "VITALWIRE_BASE_URL": service.url, "APPLICATION_ID": "1", "APPLICATION_KEY": "a key of 16 letters"}
        printed = guides.run(GUIDE / "renewing_token.py", tmp_path, variables)
    assert printed.splitlines() == [
        "getting a token: the current one is missing",
        "call 1 has 0 providers",
        "call 2 has 0 providers",
    ]


def test_a_week_that_is_read_again_replaces_its_days(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    variables = guides.environment(service)
    assert guides.run(GUIDE / "nightly.py", tmp_path, variables, "2025-11-19") == "7 days stored\n"
    service.add_fault("nulls; what=lists; operation=daily_statistics")
    # This response has no days, so only the first day of the earlier week is left.
    assert guides.run(GUIDE / "nightly.py", tmp_path, variables, "2025-11-20") == "1 days stored\n"
    assert guides.run(GUIDE / "nightly.py", tmp_path, variables, "2025-11-20") == "8 days stored\n"


def test_a_token_is_renewed_before_it_expires(tmp_path: pathlib.Path) -> None:
    def respond(request: serving.Request) -> serving.Reply:
        if request.method == "GET":
            # The first token expires during the first call.
            return serving.Reply(body=b"{}", delay=2)
        claims = {"sub": "person-1", "exp": int(time.time()) + 2}
        payload = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
        return serving.Reply(body=json.dumps({"access_token": f"e30.{payload}.c2ln"}).encode())

    with serving.Service(respond) as service:
        variables = {**os.environ, "VITALWIRE_BASE_URL": service.url, "APPLICATION_ID": "1", "APPLICATION_KEY": "a key of 16 letters"}
        printed = guides.run(GUIDE / "renewing_token.py", tmp_path, variables)
    assert re.findall(r"current one is (\w+)", printed) == ["missing", "expiring"]
