"""Runs every program of the guides against a sandbox, and compares its output with the one that its page shows."""

from __future__ import annotations

import base64
import datetime
import http.client
import json
import os
import pathlib
import re
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


def serve_tokens(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    with guides.serve(program.name, guides.environment(service)) as (url, _):
        status, _, body = send(f"{url}/token", b"", {"Authorization": "Bearer session-of-person-1"})
        received = json.loads(body)
        assert status == 200 and received["expires_at"] is None
        assert service.client(token=received["token"]).user.info() == service.client().user.info()
        for session in ("Bearer person-1", "Bearer ", ""):
            assert send(f"{url}/token", b"", {"Authorization": session})[0] == 401


def receive_webhooks(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    """Delivers a webhook of the sandbox and two signed ones, one of them twice."""
    with guides.serve(program.name, guides.environment(service)) as (url, process):
        with vitalwire.Sandbox(webhook_url=f"{url}/", today=datetime.date(2025, 11, 20)) as sender:
            assert sender.webhook_key == service.webhook_key
            sender.client().nutrition_records.upload_and_wait(GUIDE / "lunch.png")
            stdout = typing.cast(typing.IO[str], process.stdout)
            lines = [stdout.readline()]
        event = {"application_user_id": "person-1", "event_type": "record_change", "provider_slug": "oura", "metrics": ["steps"]}
        report = {"application_user_id": "person-1", "record_id": "1", "status": "completed", "uploaded_at": "2025-11-20T12:00:00Z"}
        for path, content in (("events", [event]), ("events", [event]), ("lab-reports", report)):
            body = json.dumps(content).encode()
            headers = {webhook.SIGNATURE_HEADER: webhook.sign(body, service.webhook_key)}
            assert send(f"{url}/{path}", body, headers)[0] == 200
            assert send(f"{url}/{path}", body + b" ", headers)[0] == 401
        lines += [stdout.readline(), stdout.readline()]
        guides.compare(program, "".join(lines))


def connect_a_provider(program: pathlib.Path, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
    """Follows the redirects as a browser does, and presses the button on the sandbox's page."""
    with guides.serve(program.name, guides.environment(service)) as (url, _):
        status, page, cookie = send(f"{url}/connect")
        assert status == 303 and page.startswith(service.base_url)
        form = re.search(rb'name="form_token" value="([^"]+)"', send(page)[2])
        assert form is not None
        answer = urllib.parse.urlencode({"form_token": form[1].decode(), "answer": "allow"}).encode()
        status, back, _ = send(page, answer, {"Content-Type": "application/x-www-form-urlencoded"})
        assert status == 303 and back.startswith(f"{url}/back?")
        assert send(back, None, {"Cookie": "state=of-another-sign-in"})[0] == send(back)[0] == 400
        status, _, text = send(back, None, {"Cookie": cookie.decode()})
        assert status == 200
        guides.compare(program, text.decode())
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
    assert names == {program.name for program in PROGRAMS} | outputs | set(guides.FILES) | {"install.sh"}
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


def test_a_failed_wait_continues_with_the_record(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    service.add_fault("status; status=400; operation=get_lab_report")
    printed = guides.run(GUIDE / "lab_report.py", tmp_path, guides.environment(service))
    first, rest = printed.split("\n", 1)
    assert first == "the wait failed; waiting again for the same record"
    assert rest == (GUIDE / "lab_report.out").read_text(encoding="utf-8")


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
