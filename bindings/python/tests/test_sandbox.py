"""Tests the program, the attributes, the end and the errors of `vitalwire.Sandbox`."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import copy
import datetime
import gc
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import sys
import time
import typing
import urllib.parse

import pytest

import vitalwire
from vitalwire import _arguments, _program

TODAY = datetime.date(2025, 11, 20)
#: Program that `Sandbox` runs by default.
PROGRAM, _ = _program.find(None)
#: A picture of one grey pixel.
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")


def is_responding(base_url: str) -> bool:
    """Returns whether the service responds."""
    url = urllib.parse.urlsplit(base_url)
    assert url.hostname and url.port
    try:
        socket.create_connection((url.hostname, url.port), timeout=5).close()
    except ConnectionError:
        return False
    return True


def has_stopped(base_url: str) -> bool:
    """Returns whether the service stops responding within 30 seconds."""
    until = time.monotonic() + 30
    while is_responding(base_url):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def write_program(folder: pathlib.Path, text: str) -> pathlib.Path:
    """Writes a shell script to use as program."""
    path = folder / "vitalwire"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


#: Shell line that answers `--version` like a program of the matching version.
RIGHT = f'if [ "$1" = --version ]; then echo "vitalwire {vitalwire.__version__}"; exit; fi\n'


def test_the_sandbox_provides_all_that_a_client_needs() -> None:
    with vitalwire.Sandbox(seed=7, today=TODAY) as sandbox:
        assert sandbox.base_url.startswith("http://127.0.0.1:") and sandbox.care_base_url == sandbox.base_url + "/care"
        assert sandbox.control_url == sandbox.base_url + "/_sandbox"
        assert (sandbox.user_id, len(sandbox.user_ids), sandbox.today) == ("person-1", 4, TODAY)
        assert sandbox.user_ids[0] == sandbox.user_id and sandbox.running and sandbox.pid != os.getpid()
        night = sandbox.client(timeout=20).sleeps.get(sandbox.sleep_id)
        assert night.sleep_date == sandbox.sleep_date
        assert isinstance(sandbox.application_id, int)
        assert sandbox.application_key and sandbox.webhook_key and sandbox.care_token != sandbox.token
        base_url = sandbox.base_url
    assert not sandbox.running and has_stopped(base_url)


def test_the_seed_determines_the_day_and_the_tokens() -> None:
    with vitalwire.Sandbox(seed=1, today=TODAY) as one, vitalwire.Sandbox(seed=1, today=TODAY) as same, vitalwire.Sandbox(seed=2) as other:
        assert one.base_url != same.base_url
        assert (one.token, one.sleep_id) == (same.token, same.sleep_id)
        assert one.token != other.token and other.today >= datetime.date(2026, 1, 1)


def test_a_study_has_people_gaps_and_effects() -> None:
    with vitalwire.Sandbox(today=TODAY, people=30, missing=0.3, effects="all") as sandbox:
        assert len(sandbox.user_ids) == 30
        client = sandbox.client(token=sandbox.token_of("person-30"))
        first, last = TODAY - datetime.timedelta(days=100), TODAY - datetime.timedelta(days=1)
        days = client.statistics.daily(first, last, ["steps", "heartrate_resting"])
        # 100 days, of which 30 are missing by expectation. A missing day has no row and is never zero.
        assert 55 <= len(days.statistics) <= 85
        assert all(day.values and day.values["steps"] for day in days.statistics)
        assert sandbox.client().sleeps.get(sandbox.sleep_id).sleep_date == sandbox.sleep_date


def resting_heart_rates(**settings: typing.Any) -> list[float]:
    """Returns the resting heart rates of a year."""
    with vitalwire.Sandbox(today=TODAY, **settings) as sandbox:
        days = sandbox.client().statistics.daily(datetime.date(2025, 1, 1), datetime.date(2025, 10, 31), ["heartrate_resting"])
        return [day.values["heartrate_resting"] for day in days.statistics if day.values]


def test_effects_are_given_as_text_names_or_sizes() -> None:
    plain = resting_heart_rates()
    ill = resting_heart_rates(effects="illness=10")
    assert max(ill) > max(plain) + 5 and sorted(ill)[150] == sorted(plain)[150]
    assert resting_heart_rates(effects=["illness=10"]) == resting_heart_rates(effects={"illness": 10}) == ill
    assert resting_heart_rates(effects=["illness"]) == resting_heart_rates(effects={"illness": 8.0}) != ill
    assert resting_heart_rates(effects=["all", "illness=off", "device_change=off"], missing=0.0) == plain
    assert resting_heart_rates(effects=[]) == resting_heart_rates(effects={}) == plain


def test_the_names_of_effects_are_those_of_the_program() -> None:
    with pytest.raises(vitalwire.InvalidArgumentError) as refused:
        vitalwire.Sandbox(effects="gravity").start()
    assert str(refused.value).endswith(f"expected all or one of: {', '.join(typing.get_args(_arguments.EffectName))}, argument effects")


def test_other_users_have_tokens() -> None:
    with vitalwire.Sandbox() as sandbox:
        for user_id in (sandbox.user_ids[2], "somebody-new"):
            client = sandbox.client(token=sandbox.token_of(user_id))
            assert client.user.info().application_user_id == user_id


def test_clients_of_the_sandbox_accept_client_settings() -> None:
    """Type checkers accept the same arguments: only rejected calls need `type: ignore`."""
    with vitalwire.Sandbox(seed=7, today=TODAY) as sandbox:
        assert sandbox.client(sandbox.base_url + "/", user_agent="clinic/1").user.info().uid
        with pytest.raises(vitalwire.NotFoundError):
            sandbox.client(sandbox.base_url + "/nowhere").user.info()
        with pytest.raises(TypeError):
            sandbox.client(time_out=20)  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            sandbox.async_client(timeout="20")  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            sandbox.client(sandbox.base_url, sandbox.care_base_url)  # type: ignore[call-arg]


def test_a_client_reads_the_environment_of_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    with vitalwire.Sandbox() as sandbox:
        for name, value in sandbox.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert vitalwire.Client.from_env().user.info().application_user_id == sandbox.user_id
        # The client's environment variables are not settings of the program.
        with vitalwire.Sandbox() as second:
            assert second.base_url != sandbox.base_url


def test_faults_are_set_at_the_start_or_later() -> None:
    with vitalwire.Sandbox(faults=["status; status=404; operation=get_user_info", "status; status=403"]) as sandbox:
        client = sandbox.client(max_retries=0)
        with pytest.raises(vitalwire.NotFoundError):
            client.user.info()
        with pytest.raises(vitalwire.PermissionError):
            client.user.info()
        client.user.info()
        sandbox.add_fault("status; status=401; times=always")
        with pytest.raises(vitalwire.AuthenticationError):
            client.user.info()
        sandbox.clear_faults()
        client.user.info()
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            sandbox.add_fault("canary")
        assert refused.value.argument == "fault" and "expected one of: delay" in str(refused.value) and "canary" not in str(refused.value)


def test_a_reset_restores_all_but_the_clock() -> None:
    with vitalwire.Sandbox(today=TODAY) as sandbox:
        client = sandbox.client(max_retries=0)

        def ids() -> set[str]:
            return {str(meal.record_id) for meal in client.nutrition_records.list()}

        before = ids()
        upload = client.nutrition_records.upload(body=PNG, wait_on_process=False)
        assert ids() == before | {str(upload.record_id)}
        sandbox.add_fault("status; status=401; times=always")
        sandbox.advance(datetime.timedelta(minutes=1))
        sandbox.reset()
        assert ids() == before


def test_the_clock_is_advanced_manually() -> None:
    with vitalwire.Sandbox(today=TODAY, processing=60) as sandbox:
        meals = sandbox.client().nutrition_records
        meal = meals.upload(body=PNG, wait_on_process=False)
        assert meal.status != vitalwire.NutritionStatus.COMPLETED
        assert meals.get(meal.record_id).status != vitalwire.NutritionStatus.COMPLETED
        sandbox.advance(datetime.timedelta(minutes=2))
        assert meals.get(meal.record_id).status == vitalwire.NutritionStatus.COMPLETED
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            sandbox.advance(datetime.timedelta(seconds=-1))
        assert refused.value.argument == "by"


def test_a_state_file_keeps_changes(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "world.sqlite"
    settings: dict[str, typing.Any] = {"seed": 3, "today": TODAY, "db": file}
    with vitalwire.Sandbox(**settings) as sandbox:
        meals = sandbox.client().nutrition_records
        meal = meals.list()[0].record_id
        meals.delete(meal)
    assert file.stat().st_size > 0
    with vitalwire.Sandbox(**settings) as sandbox, pytest.raises(vitalwire.NotFoundError):
        sandbox.client().nutrition_records.get(meal)


def test_notebooks_start_and_close_the_sandbox() -> None:
    sandbox = vitalwire.Sandbox()
    assert repr(sandbox) == "<vitalwire.Sandbox, not started>" and not sandbox.running
    with pytest.raises(vitalwire.ConfigurationError, match="start"):
        sandbox.token
    assert sandbox.start() is sandbox and sandbox.start() is sandbox
    base_url, pid = sandbox.base_url, sandbox.pid
    assert sandbox.pid == pid and is_responding(base_url)
    sandbox.close()
    sandbox.close()
    assert repr(sandbox) == "<vitalwire.Sandbox, closed>" and has_stopped(base_url)
    uses: list[typing.Callable[[], object]] = [sandbox.start, sandbox.client, lambda: sandbox.token, lambda: sandbox.environment, sandbox.clear_faults]
    for use in uses:
        with pytest.raises(vitalwire.ClosedError):
            use()


def test_an_unreferenced_sandbox_is_stopped() -> None:
    sandbox = vitalwire.Sandbox().start()
    base_url = sandbox.base_url
    del sandbox
    gc.collect()
    assert has_stopped(base_url)


def test_an_exception_in_a_with_block_stops_the_sandbox() -> None:
    with pytest.raises(ZeroDivisionError), vitalwire.Sandbox() as sandbox:
        base_url = sandbox.base_url
        raise ZeroDivisionError
    assert has_stopped(base_url)


def test_tasks_use_the_sandbox() -> None:
    async def use() -> str:
        async with vitalwire.Sandbox() as sandbox:
            client = sandbox.async_client(timeout=20)
            assert (await client.user.info()).application_user_id == sandbox.user_id
            return sandbox.base_url

    assert has_stopped(asyncio.run(use()))


def test_a_cancelled_start_leaves_no_process(tmp_path: pathlib.Path) -> None:
    mark = tmp_path / "pid"
    slow = write_program(tmp_path, f'{RIGHT}echo $$ > "{mark}"; sleep 1; exec "{PROGRAM}" "$@"')

    async def start() -> None:
        async with vitalwire.Sandbox(program=slow):
            raise AssertionError("it was cancelled")

    async def cancel() -> None:
        task = asyncio.create_task(start())
        while not mark.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    until = time.monotonic() + 30
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < until:
            os.kill(int(mark.read_text()), 0)
            time.sleep(0.02)


#: Starts a sandbox and prints its URL, then runs the code appended to it.
CHILD = "import os, signal, sys, time, vitalwire; sandbox = vitalwire.Sandbox().start(); print(sandbox.base_url, sandbox.pid, flush=True); "


@pytest.mark.parametrize("end", ["pass", "sys.exit(3)", "os._exit(1)", "os.kill(os.getpid(), signal.SIGKILL)", "time.sleep(60)"])
def test_the_sandbox_ends_with_its_parent_process(end: str) -> None:
    with subprocess.Popen([sys.executable, "-I", "-c", CHILD + end], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        base_url, _ = child.stdout.readline().split()
        if end.startswith("time"):
            child.kill()
    assert has_stopped(base_url)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_does_not_stop_the_sandbox() -> None:
    with vitalwire.Sandbox() as sandbox:
        child = os.fork()
        if child == 0:
            sandbox.close()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sandbox.client().user.info().uid
        base_url = sandbox.base_url
    assert has_stopped(base_url)


def test_ctrl_c_in_the_terminal_does_not_stop_the_sandbox() -> None:
    with vitalwire.Sandbox() as sandbox:
        assert os.getpgid(sandbox.pid) != os.getpgrp()


def test_ctrl_c_aborts_the_start(tmp_path: pathlib.Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    mark = tmp_path / "pid"
    never = write_program(tmp_path, f'{RIGHT}echo $$ > "{mark}"; kill -INT {os.getpid()}; exec cat')
    with pytest.raises(KeyboardInterrupt):
        vitalwire.Sandbox(program=never).start()
    # If the signal arrives before the program has started, the closed input ends the program.
    until = time.monotonic() + 30
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(int(mark.read_text()), os.WNOHANG) == (0, 0):
            assert time.monotonic() < until
            time.sleep(0.02)


def test_the_repr_of_the_sandbox_contains_no_token() -> None:
    with vitalwire.Sandbox() as sandbox:
        shown = f"{sandbox!r} {sandbox}"
        for secret in (sandbox.token, sandbox.care_token, sandbox.webhook_key, sandbox.application_key):
            assert secret not in shown
        assert sandbox.base_url in shown
        with pytest.raises(TypeError):
            pickle.dumps(sandbox)
        with pytest.raises(TypeError):
            copy.copy(sandbox)


def test_the_program_is_searched_in_order(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VITALWIRE_PROGRAM", raising=False)
    monkeypatch.setitem(sys.modules, "vitalwire_sandbox", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(vitalwire.ConfigurationError, match=r"not installed: pip install 'vitalwire\[sandbox\]'") as missing:
        vitalwire.Sandbox().start()
    assert missing.value.argument == "program"
    os.symlink(PROGRAM, tmp_path / "vitalwire")
    monkeypatch.chdir(tmp_path)
    for relative in (".", "", os.pathsep, f"..{os.sep}{tmp_path.name}"):
        monkeypatch.setenv("PATH", relative)
        with pytest.raises(vitalwire.ConfigurationError, match="is not installed"):
            vitalwire.Sandbox().start()
    monkeypatch.setenv("PATH", os.pathsep.join((".", str(tmp_path))))
    with vitalwire.Sandbox() as sandbox:
        assert sandbox.running
    monkeypatch.setenv("VITALWIRE_PROGRAM", str(tmp_path / "canary"))
    with pytest.raises(vitalwire.ConfigurationError, match="VITALWIRE_PROGRAM must name an executable program") as wrong:
        vitalwire.Sandbox().start()
    assert "canary" not in str(wrong.value)
    with vitalwire.Sandbox(program=tmp_path / "vitalwire") as sandbox:
        assert sandbox.running


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo vitalwire 9.9.9", f"has version 9.9.9; it must have the version of this package, {vitalwire.__version__}"),
        ("echo canary 1.0", "is not `vitalwire`"),
        ("exec sleep 0", "is not `vitalwire`"),
        (RIGHT + "echo 'vitalwire: the address is taken' >&2; exit 1", "ended with status 1 before it was ready: vitalwire: the address is taken"),
        (RIGHT + "exit 3", "ended with status 3 before it was ready: it printed nothing"),
        (RIGHT + "echo 'secret canary-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.' >&2; exit 1", r"it was ready: secret \[..\]"),
        (RIGHT + "echo '{\"token\": \"canary\"'", "cannot be parsed"),
        (RIGHT + "echo '[]'", "cannot be parsed"),
    ],
)
def test_an_unsuitable_program_is_reported(tmp_path: pathlib.Path, script: str, said: str) -> None:
    with pytest.raises(vitalwire.ConfigurationError, match=said) as caught:
        vitalwire.Sandbox(program=write_program(tmp_path, script)).start()
    assert "canary" not in str(caught.value) and caught.value.__cause__ is None
    assert caught.value.argument == "program"


def test_a_program_that_never_becomes_ready_is_stopped(tmp_path: pathlib.Path) -> None:
    never = write_program(tmp_path, RIGHT + "exec sleep 60")
    started = time.monotonic()
    with pytest.raises(vitalwire.TimeoutError) as caught:
        vitalwire.Sandbox(program=never, start_timeout=0.2).start()
    assert caught.value.argument == "start_timeout" and isinstance(caught.value, TimeoutError)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"seed": -1}, "must be a whole number from 0 to 18446744073709551615, argument seed"),
        ({"today": datetime.date(1990, 1, 1)}, "must be a date from 2020-02-01 to 2199-12-31, argument today"),
        ({"people": 0}, "must be a whole number from 1 to 10000, argument people"),
        ({"missing": 1}, "must be a number from 0 to 0.9, argument missing"),
        ({"effects": ["canary"]}, "unknown effect; expected all or one of: .*, argument effects"),
        ({"effects": {"illness": 1990}}, "illness must be a number from 0 to 15, or off, argument effects"),
        ({"processing": "canary"}, "must be a number of seconds or `typical`, argument processing"),
        ({"faults": ["delay", "canary"]}, "unknown fault; expected one of: .*, argument faults"),
        ({"start_timeout": 0}, "must be a number of seconds above 0, argument start_timeout"),
        ({"start_timeout": float("nan")}, "must be a number of seconds above 0, argument start_timeout"),
    ],
)
def test_invalid_settings_are_named_but_not_quoted(settings: dict[str, typing.Any], said: str) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match=said) as caught:
        vitalwire.Sandbox(**settings).start()
    assert caught.value.argument == next(iter(settings)) and isinstance(caught.value, ValueError)
    assert "canary" not in f"{caught.value!r}" and "1990" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"seed": "7"},
        {"seed": True},
        {"people": 2.5},
        {"missing": "0.1"},
        {"effects": 5},
        {"effects": [5]},
        {"effects": {"illness": "8"}},
        {"today": "2025-11-20"},
        {"today": datetime.datetime(2025, 11, 20)},
        {"time_scale": "1"},
        {"processing": None, "db": 5},
        {"faults": "status"},
        {"faults": [5]},
        {"webhook_url": 5},
        {"program": b"vitalwire"},
        {"start_timeout": "1"},
    ],
)
def test_settings_of_wrong_types_are_rejected(settings: dict[str, typing.Any]) -> None:
    with pytest.raises(TypeError):
        vitalwire.Sandbox(**settings)


def test_importing_the_package_imports_only_what_it_needs() -> None:
    client = "vitalwire.Client('https://vitalwire.test', timeout=1)"
    code = f"import os, sys; before = set(sys.modules); import vitalwire; {client}; print(sorted(set(sys.modules) - before))"
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({str(pathlib.Path(vitalwire.__file__).parents[1])!r}); {code}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "['vitalwire', 'vitalwire._native', 'vitalwire.webhook']\n"
    assert "Sandbox" in dir(vitalwire) and "Sandbox" in vitalwire.__all__
    with pytest.raises(AttributeError):
        vitalwire.Sandboks  # type: ignore[attr-defined]


def test_constants_are_imported_on_first_use() -> None:
    from vitalwire import constants

    assert vitalwire.StatisticName is constants.StatisticName and vitalwire.StatisticName.STEPS == "steps"
    assert {*constants.__all__} <= {*dir(constants)} & {*dir(vitalwire)}
    with pytest.raises(AttributeError):
        constants.Sandbox  # type: ignore[attr-defined]
