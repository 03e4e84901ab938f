"""Tests waits for analyses on both clients: progress, results, and the attributes of errors that end a wait early."""

from __future__ import annotations

import asyncio
import copy
import datetime
import io
import json
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import typing

import PIL.Image
import pytest
import uvloop
import vitalwire
from serving import PATIENCE, Reply, Request, Service, SilentService

#: Both ways to wait for a call: `play(service, call)` returns the result of `call(client)`.
Call = typing.Callable[[typing.Any], typing.Any]
Play = typing.Callable[["Service | SilentService", Call], typing.Any]
FAST: dict[str, typing.Any] = {"interval": (0.01, 0.02)}


def in_thread(service: Service | SilentService, call: Call) -> typing.Any:
    return call(vitalwire.Client(service.url, care_base_url=service.url, token="t", care_token="c", proxy="none", max_retries=0))


async def call_async_client(service: Service | SilentService, call: Call) -> typing.Any:
    return await call(vitalwire.AsyncClient(service.url, care_base_url=service.url, token="t", care_token="c", proxy="none", max_retries=0))


def in_asyncio(service: Service | SilentService, call: Call) -> typing.Any:
    return asyncio.run(call_async_client(service, call))


def in_uvloop(service: Service | SilentService, call: Call) -> typing.Any:
    return uvloop.run(call_async_client(service, call))


@pytest.fixture(params=[in_thread, in_asyncio, in_uvloop])
def play(request: pytest.FixtureRequest) -> Play:
    return typing.cast(Play, request.param)


def meal(status: str, **members: object) -> bytes:
    times = {"uploaded_at": "2025-03-02T12:00:00Z", "modified_at": "2025-03-02T12:00:20Z"}
    return json.dumps({"record_id": "meal-1", "status": status, **times, **members}).encode()


class AnalysisService:
    """Responds to an upload, then to each poll with the next status. The last status repeats. A number is an HTTP status."""

    def __init__(self, *statuses: str | int, first: str = "pending") -> None:
        self._statuses, self._first, self._reads = statuses, first, 0

    def __call__(self, request: Request) -> Reply:
        if request.method == "POST":
            status: str | int = self._first
        else:
            status = self._statuses[min(self._reads, len(self._statuses) - 1)]
            self._reads += 1
        if isinstance(status, int):
            return Reply(status, b"")
        if "lab_reports" in request.target:
            report = {"record_id": "lab-1", "status": status, "uploaded_at": "2025-03-02T12:00:00Z"}
            return Reply(body=json.dumps({"lab_report": report} if request.method == "POST" else report).encode())
        if "benefits" in request.target:
            return Reply(body=json.dumps({"id": "benefits-1", "status": status}).encode())
        return Reply(body=meal(status, nutritional_fields={"energy_kcal": 84.5}))


def request_lines(service: Service) -> list[str]:
    return [f"{request.method} {request.target}" for request in service.requests]


READ = "GET /v3/nutrition_records/meal-1"


def test_a_wait_uploads_a_picture_and_polls_until_its_analysis_has_ended(play: Play) -> None:
    progress_reports: list[vitalwire.WaitProgress] = []
    with Service(AnalysisService("pending", "processing", "completed")) as service:
        record = play(service, lambda client: client.nutrition_records.upload_and_wait(b"picture", country_code="de", on_progress=progress_reports.append, **FAST))
        assert request_lines(service) == ["POST /v3/nutrition_records", READ, READ, READ]
        assert json.loads(service.requests[0].body) == {"body": "cGljdHVyZQ==", "country_code": "de"}
    assert isinstance(record, vitalwire.NutritionRecord) and record.status == vitalwire.NutritionStatus.COMPLETED
    # A record that is read has the basis `per_serving`, which is unknown in the response to an upload.
    assert record.nutritional_fields is not None and record.nutritional_fields.basis == "per_serving"
    assert record.response is not None and record.response.status == 200
    assert [(progress.polls, progress.status) for progress in progress_reports] == [(0, "pending"), (1, "pending"), (2, "processing"), (3, "completed")]
    assert [progress.record_id for progress in progress_reports] == ["meal-1"] * 4
    assert 0 <= progress_reports[0].elapsed < progress_reports[3].elapsed < 10
    assert repr(progress_reports[2]).startswith("WaitProgress(polls=2, elapsed=") and "processing" not in repr(progress_reports[2])
    with pytest.raises(AttributeError):
        progress_reports[0].polls = 5  # type: ignore[misc]


def test_documents_records_and_benefits_can_be_waited_for(play: Play) -> None:
    with Service(AnalysisService("processing", "completed")) as service:
        report = play(service, lambda client: client.lab_reports.upload_and_wait(io.BytesIO(b"%PDF"), "blood.pdf", **FAST))
        assert isinstance(report, vitalwire.LabReport) and report.status == vitalwire.LabReportStatus.COMPLETED
        assert request_lines(service) == ["POST /v3/lab_reports", "GET /v3/lab_reports/lab-1", "GET /v3/lab_reports/lab-1"]
    with Service(AnalysisService("processing", "completed")) as service:
        assert play(service, lambda client: client.lab_reports.wait_for("lab-1", **FAST)).status == "completed"
        assert request_lines(service) == ["GET /v3/lab_reports/lab-1"] * 2
    with Service(AnalysisService("updated")) as service:
        assert play(service, lambda client: client.nutrition_records.wait_for("meal-1", **FAST)).status == "updated"
        assert request_lines(service) == [READ]
    with Service(AnalysisService("pending", "success")) as service:
        benefits = play(service, lambda client: client.care.benefits_and_wait("clinic", "patient", "policy", **FAST))
        assert isinstance(benefits, vitalwire.PolicyBenefits) and benefits.status == "success"
        assert request_lines(service) == ["GET /public/v1/clinics/clinic/patients/patient/policies/policy/benefits"] * 2


def test_a_failed_analysis_ends_a_wait_and_an_unknown_status_does_not(play: Play) -> None:
    with Service(AnalysisService("dreaming", "failed", first="queued")) as service:
        progress_reports: list[str] = []
        record = play(
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=lambda progress: progress_reports.append(progress.status), **FAST),
        )
        assert record.status == "failed" and progress_reports == ["queued", "dreaming", "failed"]


def expect_failure(kind: type[vitalwire.VitalwireError], play: Play, service: Service | SilentService, call: Call) -> vitalwire.VitalwireError:
    with pytest.raises(kind) as caught:
        play(service, call)
    assert "meal-1" not in str(caught.value) + repr(caught.value)
    return caught.value


def test_a_wait_that_times_out_keeps_the_last_record(play: Play) -> None:
    with Service(AnalysisService("processing")) as service:
        began = time.monotonic()
        error = expect_failure(
            vitalwire.TimeoutError,
            play,
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", wait_timeout=1.5, interval=0.25),
        )
        assert 1.25 < time.monotonic() - began < PATIENCE
        assert isinstance(error, TimeoutError) and error.record_id == "meal-1" and error.operation == "get_nutrition_record"
        assert isinstance(error.last, vitalwire.NutritionRecord) and error.last.status == "processing"
        assert error.last.response is not None and error.__cause__ is None
        # The wait polls every 250 to 275 ms after the upload. There are 5 polls, and fewer on a busy machine.
        assert 2 <= len(service.requests) <= 7
        # A new wait for the last record is possible. A wait by id reports the same id.
        again = expect_failure(
            vitalwire.TimeoutError,
            play,
            service,
            lambda client: client.nutrition_records.wait_for(error.record_id, wait_timeout=1, interval=0.1),
        )
        assert again.record_id is None and isinstance(again.last, vitalwire.NutritionRecord)


def test_a_failed_wait_keeps_the_last_record(play: Play) -> None:
    with Service(AnalysisService("processing", 404)) as service:
        error = expect_failure(vitalwire.NotFoundError, play, service, lambda client: client.nutrition_records.upload_and_wait(b"x", **FAST))
        assert error.status == 404 and error.record_id == "meal-1"
        assert isinstance(error.last, vitalwire.NutritionRecord) and error.last.status == "processing"
        for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            assert type(twin) is vitalwire.NotFoundError and twin.record_id == "meal-1" and twin.status == 404
    with Service(AnalysisService(500)) as service:
        error = expect_failure(vitalwire.ServiceError, play, service, lambda client: client.nutrition_records.upload_and_wait(b"x", **FAST))
        assert error.record_id == "meal-1" and error.last is None
    with Service(lambda _: Reply(422, b"{}")) as service:
        error = expect_failure(vitalwire.InvalidRequestError, play, service, lambda client: client.nutrition_records.upload_and_wait(b"x", **FAST))
        assert error.record_id is None and error.last is None and len(service.requests) == 1


class CallbackError(Exception):
    """An exception of a callback."""


def raise_at(at: int, exception: BaseException) -> typing.Callable[[vitalwire.WaitProgress], None]:
    def on_progress(progress: vitalwire.WaitProgress) -> None:
        if progress.polls == at:
            raise exception

    return on_progress


@pytest.mark.parametrize(("at", "statuses"), [(0, ["processing"]), (2, ["processing"]), (2, ["processing", "completed"])])
def test_an_exception_of_a_progress_callback_ends_the_wait_as_its_cause(play: Play, at: int, statuses: list[str]) -> None:
    mine = CallbackError("canary")
    with Service(AnalysisService(*statuses)) as service:
        error = expect_failure(
            vitalwire.CancelledError,
            play,
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=raise_at(at, mine), interval=0.4),
        )
        assert (error.kind, error.code) == ("cancelled", 1601) and error.__cause__ is mine
        assert "in on_progress" in "".join(traceback.format_exception(error))
        # The error does not wait for a poll in flight.
        assert at + 1 <= len(service.requests) <= at + 2
        if at == 0:
            assert error.record_id == "meal-1" and error.last is None
        else:
            assert isinstance(error.last, vitalwire.NutritionRecord) and error.last.status == statuses[-1]


def test_a_cancelled_wait_keeps_the_last_record(play: Play) -> None:
    for at in (0, 1):
        token = vitalwire.CancelToken()

        def cancel(progress: vitalwire.WaitProgress) -> None:
            if progress.polls == at:
                token.cancel()

        with Service(AnalysisService("processing")) as service:
            error = expect_failure(
                vitalwire.CancelledError,
                play,
                service,
                lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=cancel, cancel=token, interval=0.4),
            )
            assert error.record_id == "meal-1" and (error.last is not None) == (at == 1) and error.__cause__ is None
            # If the token is cancelled before the call, no request is sent.
            count = len(service.requests)
            error = expect_failure(
                vitalwire.CancelledError, play, service, lambda client: client.nutrition_records.upload_and_wait(b"x", cancel=token)
            )
            assert error.record_id is None and len(service.requests) == count


def test_an_exception_of_the_last_progress_callback_ends_the_wait(play: Play) -> None:
    mine = CallbackError()
    with Service(AnalysisService("completed", first="completed")) as service:
        error = expect_failure(
            vitalwire.CancelledError,
            play,
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=raise_at(0, mine)),
        )
        assert error.__cause__ is mine


@pytest.mark.parametrize("exception", [KeyboardInterrupt(), SystemExit(3)])
def test_exceptions_that_end_programs_are_raised_unchanged(play: Play, exception: BaseException) -> None:
    with Service(AnalysisService("processing")) as service, pytest.raises(type(exception)) as caught:
        play(service, lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=raise_at(1, exception), **FAST))
    assert caught.value is exception


@pytest.mark.filterwarnings("error")
def test_an_async_progress_callback_is_a_type_error(play: Play) -> None:
    class AsyncCallable:
        async def __call__(self, _: vitalwire.WaitProgress) -> None: ...

    with Service(AnalysisService("processing")) as service:
        error = expect_failure(
            vitalwire.CancelledError,
            play,
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=AsyncCallable(), **FAST),
        )
        assert isinstance(error.__cause__, TypeError) and "not an async one" in str(error.__cause__)


def test_progress_callbacks_run_on_the_waiting_thread(play: Play) -> None:
    threads: set[int] = set()
    loops: set[object] = set()

    def on_progress(_: vitalwire.WaitProgress) -> None:
        threads.add(threading.get_ident())
        try:
            loops.add(type(asyncio.get_running_loop()).__module__.split(".")[0])
        except RuntimeError:
            loops.add(None)

    with Service(AnalysisService("processing", "completed")) as service:
        play(service, lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=on_progress, **FAST))
    assert threads == {threading.get_ident()}
    assert loops == {{in_thread: None, in_asyncio: "asyncio", in_uvloop: "uvloop"}[play]}  # type: ignore[index]


def test_a_slow_progress_callback_gets_every_report(play: Play) -> None:
    progress_reports: list[int] = []

    def on_progress(progress: vitalwire.WaitProgress) -> None:
        time.sleep(0.1)
        progress_reports.append(progress.polls)

    with Service(AnalysisService("processing", "processing", "completed")) as service:
        play(service, lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=on_progress, **FAST))
    assert progress_reports == [0, 1, 2, 3]


def test_invalid_arguments_of_a_wait_are_rejected(play: Play) -> None:
    async def async_callback(_: vitalwire.WaitProgress) -> None: ...

    bad: list[tuple[type[Exception], dict[str, typing.Any], str]] = [
        (TypeError, {"on_progress": 5}, "on_progress"),
        (TypeError, {"on_progress": async_callback}, "on_progress"),
        (TypeError, {"interval": "canary"}, "interval"),
        (TypeError, {"interval": (1, 2, 3)}, "interval"),
        (vitalwire.InvalidArgumentError, {"interval": 0}, "interval"),
        (vitalwire.InvalidArgumentError, {"interval": (2, 1)}, "interval"),
        (vitalwire.InvalidArgumentError, {"interval": float("nan")}, "interval"),
        (vitalwire.InvalidArgumentError, {"wait_timeout": -1.0}, "wait_timeout"),
        (vitalwire.InvalidArgumentError, {"wait_timeout": float("inf")}, "wait_timeout"),
        (vitalwire.InvalidArgumentError, {"timeout": 0}, "timeout"),
    ]
    with Service() as service:
        for kind, given, name in bad:
            with pytest.raises(kind) as caught:
                play(service, lambda client, given=given: client.nutrition_records.upload_and_wait(b"x", **given))  # type: ignore[misc]
            assert getattr(caught.value, "argument", None) == name or f"argument '{name}'" in str(caught.value)
            assert "canary" not in str(caught.value)
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            play(service, lambda client: client.nutrition_records.wait_for(".."))
        assert refused.value.argument == "nutrition_record_id"
        assert not service.requests


def test_a_very_long_timeout_is_accepted(play: Play) -> None:
    with Service(AnalysisService("processing")) as service:
        error = expect_failure(
            vitalwire.TimeoutError,
            play,
            service,
            lambda client: client.nutrition_records.upload_and_wait(b"x", interval=1e19, wait_timeout=1),
        )
        assert error.record_id == "meal-1" and len(service.requests) == 1
    with Service(AnalysisService("completed")) as service:
        assert play(service, lambda client: client.nutrition_records.wait_for("meal-1", wait_timeout=1e19)).status == "completed"


def test_cancelling_a_wait_closes_its_connection() -> None:
    async def main(silence: SilentService) -> None:
        client = vitalwire.AsyncClient(silence.url, token="t", proxy="none")
        task = asyncio.create_task(client.nutrition_records.wait_for("meal-1"))
        connection = await asyncio.to_thread(silence.accept)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(SilentService.await_end, connection)

    with SilentService() as silence:
        asyncio.run(main(silence))


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_ctrl_c_ends_a_wait() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Service(AnalysisService("processing")) as service:

        def press(progress: vitalwire.WaitProgress) -> None:
            # The callback runs after the upload, so the signal arrives before the first poll.
            timer.start()

        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt) as raised:
            in_thread(service, lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=press, interval=60))
        # With the id of the upload, the caller can wait for its analysis again.
        assert getattr(raised.value, "record_id") == "meal-1"
        # The wait ends long before the first poll.
        assert time.monotonic() - began < PATIENCE and len(service.requests) == 1
        timer.join()


def test_many_waits_run_concurrently() -> None:
    async def main(service: Service) -> None:
        client = vitalwire.AsyncClient(service.url, token="t", proxy="none")
        progress_reports: list[int] = []
        await asyncio.gather(*(wait(client, progress_reports) for _ in range(20)))
        assert sorted(progress_reports) == [0] * 20 + [1] * 20

    async def wait(client: vitalwire.AsyncClient, progress_reports: list[int]) -> None:
        record = await client.nutrition_records.upload_and_wait(b"x", on_progress=lambda progress: progress_reports.append(progress.polls), **FAST)
        assert record.status == "completed"

    with Service(AnalysisService("completed")) as service:
        asyncio.run(main(service))


@pytest.fixture(scope="module")
def sandbox() -> typing.Iterator[vitalwire.Sandbox]:
    """A sandbox whose analyses take twenty seconds of a clock that runs ten times as fast."""
    with vitalwire.Sandbox(seed=7, processing=20, time_scale=10) as sandbox:
        yield sandbox


def test_the_sandbox_analyses_a_picture_and_a_document(sandbox: vitalwire.Sandbox) -> None:
    client = sandbox.client()
    progress_reports: list[str] = []
    eaten = datetime.datetime(2025, 11, 20, 12, tzinfo=datetime.timezone.utc)
    image = PIL.Image.radial_gradient("L").convert("RGB")
    record = client.nutrition_records.upload_and_wait(
        image, consumed_at=eaten, without_metadata=True, on_progress=lambda progress: progress_reports.append(progress.status), interval=(0.02, 0.1)
    )
    assert record.status == "completed" and record.dish_name and record.consumed_at == eaten
    assert progress_reports[0] in ("pending", "processing") and progress_reports[-1] == "completed" and len(progress_reports) > 2

    async def main() -> vitalwire.LabReport:
        client = vitalwire.AsyncClient(sandbox.base_url, token=sandbox.token, proxy="none")
        return await client.lab_reports.upload_and_wait(b"Glucose 5.1 mmol/l", "values.txt", interval=0.05)

    report = asyncio.run(main())
    assert report.status in ("completed", "failed") and report.record_id in [listed.record_id for listed in client.lab_reports.list()]
    with pytest.raises(vitalwire.TimeoutError) as caught:
        client.nutrition_records.upload_and_wait(image, wait_timeout=1, interval=0.02)
    assert caught.value.record_id is not None
    assert client.nutrition_records.wait_for(caught.value.record_id, interval=0.05).status == "completed"


def test_a_progress_callback_may_make_calls() -> None:
    with Service(AnalysisService("processing", "completed")) as service:
        client = vitalwire.Client(service.url, token="t", proxy="none")
        read: list[str] = []

        def look(progress: vitalwire.WaitProgress) -> None:
            read.append(client.nutrition_records.get("meal-1").status or "")

        record = client.nutrition_records.upload_and_wait(b"picture", on_progress=look, **FAST)
    assert record.status == "completed" and read
