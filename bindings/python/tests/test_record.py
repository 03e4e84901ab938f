"""Tests that a session recorded by `vitalwire record` can be replayed, and that the recording contains no personal data."""

from __future__ import annotations

import asyncio
import base64
import datetime
import json
import os
import pathlib
import signal
import subprocess
import typing
import urllib.request
from collections.abc import Callable

import pytest

import vitalwire

#: Id of a record that does not exist.
NOBODY = "00000000-0000-0000-0000-00000000beef"
#: Arguments of a call to the care service. The sandbox has no patient with this id.
POLICY = ("clinic-77", "patient-88", "policy-1")


class Recorder:
    """Runs `vitalwire record` in front of a sandbox."""

    def __init__(self, service: vitalwire.Sandbox, folder: pathlib.Path) -> None:
        command = [os.environ["VITALWIRE_PROGRAM"], "record", "--to", os.fspath(folder)]
        command += ["--base-url", service.base_url, "--care-base-url", service.care_base_url]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().strip().removeprefix("export VITALWIRE_BASE_URL=")
        assert self.base_url.startswith("http://")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        self.said = self._process.communicate(timeout=60)[1]
        assert self._process.returncode == 130, self.said


def read_everything(client: vitalwire.Client, sleep: str, nobody: str, policy: tuple[str, ...]) -> list[object]:
    """Reads all kinds of records. Leaves out ids, because a recording replaces them."""
    info = client.user.info()
    night = client.sleeps.get(sleep, include_stages=True)
    days = client.statistics.daily(datetime.date(2025, 11, 1), datetime.date(2025, 11, 20), ["steps", "heartrate"], include_record_ids=True)
    reports = client.lab_reports.list()
    report = client.lab_reports.get(reports[0].record_id)
    with pytest.raises(vitalwire.NotFoundError) as absent:
        client.lab_reports.get(nobody)
    return [
        (info.created_at, len(info.integrated_providers or [])),
        (night.duration, night.start_at_timestamp, [(stage.stage, stage.duration) for stage in night.stages or []]),
        [(day.date, dict(day.values or {})) for day in days.statistics],
        (len(reports), report.uploaded_at, len(report.sections or [])),
        [meal.dish_name for meal in client.nutrition_records.list()],
        (absent.value.status, absent.value.path_template),
        client.care.benefits(*policy).status,
    ]


def test_a_recording_replays_the_same_responses_without_personal_data(service: vitalwire.Sandbox, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "session"
    with Recorder(service, folder) as recorder:
        url = recorder.base_url
        through = vitalwire.Client(base_url=url, care_base_url=url, proxy="none", token=service.token, care_token=service.care_token)
        seen = read_everything(through, service.sleep_id, NOBODY, POLICY)
        info = through.user.info()
        records = [report.record_id for report in through.lab_reports.list()]
        records += [meal.record_id for meal in through.nutrition_records.list()]
    assert "11 exchanges were recorded" in recorder.said, recorder.said

    files = sorted(folder.iterdir())
    everything = "".join(path.read_text() for path in files)
    secrets = {service.token, service.care_token, service.user_id, service.sleep_id, service.application_key, *POLICY, NOBODY[-12:]}
    secrets |= {text for text in (info.uid, info.compat_application_client_id, *records) if text is not None}
    assert len(secrets) > 10 and all(len(secret) > 3 for secret in secrets)
    assert not {secret for secret in secrets if secret in everything}

    def ids(name: str, at: int = 0) -> list[str]:
        path = [path for path in files if name in path.name][at]
        return str(json.loads(path.read_text())["request"]["path"]).split("/")

    clinic, patient, policy = ids("get_policy_benefits")[4:9:2]
    responses = vitalwire.MockResponses.from_folder(folder)
    given = (ids("get_sleep")[4], ids("get_lab_report", 1)[3], (clinic, patient, policy))
    assert read_everything(vitalwire.Client(mock_responses=responses), *given) == seen
    # The error of a call that was not recorded is not `NotFoundError`.
    with pytest.raises(vitalwire.VitalwireError) as unknown:
        vitalwire.Client(mock_responses=responses).lab_reports.get(NOBODY)
    assert not isinstance(unknown.value, vitalwire.NotFoundError)

    async def read_dish_names() -> list[str | None]:
        async with vitalwire.AsyncClient(mock_responses=vitalwire.MockResponses.from_folder(folder)) as client:
            return [meal.dish_name for meal in await client.nutrition_records.list()]

    assert asyncio.run(read_dish_names()) == seen[4]


#: A PNG of one pixel.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")
#: Number of reads in an hour, one every five minutes, and number of all requests that `run_for_an_hour` sends.
READINGS = 12
HOUR = 3 + 6 * READINGS + 1


def run_for_an_hour(client: vitalwire.Client, sleep: str, later: Callable[[], None], *, secrets: set[str] | None = None) -> list[object]:
    """Simulates an application that uploads a meal and a report, then reads every five minutes. Adds the ids to `secrets`."""
    kept: set[str] = set() if secrets is None else secrets
    consent = client.integrations.init_url("polar").path
    meal = client.nutrition_records.upload(PICTURE).record_id
    report = client.lab_reports.upload(b"%PDF-1.7 synthetic", "report.pdf").lab_report.record_id
    assert consent is not None
    kept |= {consent, meal, report}
    seen: list[object] = []
    for reading in range(READINGS):
        if reading == 9:
            client.nutrition_records.delete(meal)
        try:
            state: object = client.nutrition_records.get(meal).status
        except vitalwire.NotFoundError as gone:
            state = gone.kind
        meals = client.nutrition_records.list()
        since = datetime.datetime(2025, 11, 21, 11, reading * 5, tzinfo=datetime.timezone.utc)
        hours = client.statistics.interval(since, None, ["steps"])
        kept |= {one.record_id for one in meals}
        night, info = client.sleeps.get(sleep), client.user.info()
        seen.append((state, client.lab_reports.get(report).status, len(meals), len(hours.statistics), night.duration, info.created_at))
        later()
    return seen


def test_a_recorded_hour_replays_the_same_responses_without_personal_data(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "hour"
    with vitalwire.Sandbox(seed=7, today=datetime.date(2025, 11, 21), processing=900) as service:

        def five_minutes() -> None:
            move = urllib.request.Request(f"{service.control_url}/clock", b'{"advance": 300}', {"content-type": "application/json"})
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(move, timeout=60).close()

        secrets = {service.token, service.care_token, service.user_id, service.sleep_id, service.application_key}
        with Recorder(service, folder) as recorder:
            through = vitalwire.Client(base_url=recorder.base_url, proxy="none", token=service.token)
            seen = run_for_an_hour(through, service.sleep_id, five_minutes, secrets=secrets)
    assert f"{HOUR} exchanges were recorded" in recorder.said, recorder.said
    states = [state for state, *_ in (typing.cast("tuple[object, ...]", reading) for reading in seen)]
    assert states[-1] == "not_found" and len(set(states)) >= 3, states

    files = sorted(folder.iterdir())
    everything = "".join(path.read_text() for path in files)
    assert len(files) == HOUR and len(secrets) > 10 and all(len(secret) > 5 for secret in secrets)
    assert not [secret for secret in secrets if secret in everything]

    (sleep, *_) = [json.loads(path.read_text())["request"]["path"].split("/")[-1] for path in files if "get_sleep" in path.name]
    assert run_for_an_hour(vitalwire.Client(mock_responses=vitalwire.MockResponses.from_folder(folder)), sleep, lambda: None) == seen
