"""Tests the installed wheel with a sandbox: four operations end to end, errors, and that texts contain no private data."""

from __future__ import annotations

import copy
import datetime
import importlib.metadata
import os
import pathlib
import pickle
import signal
import socket
import struct
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterator

import pytest

import vitalwire

UTC = datetime.timezone.utc
#: Well-formed id of a record that the sandbox does not have.
UNKNOWN = "00000000-0000-4000-8000-0000deadbeef"


def png() -> bytes:
    """Returns a picture of one grey pixel."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\x00\x80")) + chunk(b"IEND", b"")


def milliseconds(span: datetime.timedelta) -> int:
    return span // datetime.timedelta(milliseconds=1)


def test_the_installed_wheel_is_tested() -> None:
    assert "site-packages" in pathlib.Path(vitalwire.__file__).parts
    assert vitalwire.__version__ == importlib.metadata.version("vitalwire")
    assert vitalwire.ProviderSlug.APPLE == "apple"


def test_user_info_is_read(client: vitalwire.Client, service: vitalwire.Sandbox) -> None:
    user = client.user.info()
    assert isinstance(user.application_id, int)
    assert user.created_at is not None and user.created_at.utcoffset() == datetime.timedelta(0)
    assert isinstance(user.integrated_providers, tuple)
    assert user.integrated_providers is user.integrated_providers
    assert all(isinstance(provider.provider_slug, str) for provider in user.integrated_providers)
    assert user.extra == {} and user.null_members == frozenset()
    assert user.response and (user.response.status, user.response.attempts) == (200, 1)
    assert user.application_user_id == service.user_id
    assert user.to_dict()["application_id"] == user.application_id


def test_a_sleep_has_its_stages_and_samples(client: vitalwire.Client, service: vitalwire.Sandbox) -> None:
    night = client.sleeps.get(service.sleep_id, include_stages=True, include_samples=True, timeout=20, max_retries=0)
    assert night.sleep_id == service.sleep_id
    assert night.start_at_timestamp.tzinfo is UTC and night.end_at_timestamp and night.end_at_timestamp.tzinfo is UTC
    assert type(night.sleep_date) is datetime.date
    assert night.duration == milliseconds(night.end_at_timestamp - night.start_at_timestamp)

    assert night.stages and night.stages is night.stages
    for stage in night.stages:
        assert stage.start_at and stage.end_at
        assert stage.duration == milliseconds(stage.end_at - stage.start_at)
        assert night.start_at_timestamp <= stage.start_at <= stage.end_at <= night.end_at_timestamp
    assert {stage.stage for stage in night.stages} >= {vitalwire.SleepStageName.DEEP, vitalwire.SleepStageName.REM}

    assert night.metrics is not None and night.metrics is night.metrics
    assert 20 < night.metrics["heartrate"] < 220 and isinstance(night.metrics["heartrate"], float)
    assert dict(night.metrics) == dict(night.metrics.items()) and len(night.metrics) == len(list(night.metrics))
    assert "no_such_metric" not in night.metrics and night.metrics.get("no_such_metric", 1) == 1
    with pytest.raises(KeyError):
        night.metrics["no_such_metric"]

    assert night.samples and night.samples.offsets and night.samples.values
    offsets = night.samples.offsets
    assert isinstance(offsets, memoryview) and (offsets.format, offsets.readonly) == ("d", True)
    assert night.samples.durations is not None and len(night.samples.durations) == len(offsets)
    for name, series in night.samples.values.items():
        assert len(series) == len(offsets), name
        assert (series.format, series.itemsize, series.readonly) == ("d", 8, True)
        assert night.samples.to_dict()["values"][name] == series.tolist()  # type: ignore[index]
    assert night.samples.values.keys() == set(night.samples.values)


def test_lists_that_were_not_requested_are_none(client: vitalwire.Client, service: vitalwire.Sandbox) -> None:
    night = client.sleeps.get(service.sleep_id, include_stages=False, include_samples=False)
    assert night.stages is None and night.samples is None
    assert "stages" not in night.null_members and "stages" not in night.to_dict()


def test_a_picture_of_a_meal_is_uploaded(client: vitalwire.Client) -> None:
    eaten = datetime.datetime(2025, 11, 20, 13, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    response = client.nutrition_records.upload(
        body=bytearray(png()),
        wait_on_process=True,
        consumed_at=eaten,
        include_ingredients=True,
        include_nutrition_fields=[vitalwire.NutrientName.ENERGY_KCAL],
    )
    assert response.status == vitalwire.NutritionStatus.COMPLETED
    assert response.consumed_at == eaten and response.consumed_at.utcoffset() == datetime.timedelta(0)
    assert response.nutritional_fields is not None and response.nutritional_fields.basis == "unknown"
    assert response.nutritional_fields["energy_kcal"] > 0

    record = client.nutrition_records.get(response.record_id)
    assert record.nutritional_fields is not None and record.nutritional_fields.basis == "per_serving"
    assert record.record_id in [listed.record_id for listed in client.nutrition_records.list()]
    client.nutrition_records.delete(response.record_id)
    with pytest.raises(vitalwire.NotFoundError):
        client.nutrition_records.get(response.record_id)


def test_dates_and_lists_of_names_are_sent(client: vitalwire.Client) -> None:
    first, last = datetime.date(2025, 11, 10), datetime.date(2025, 11, 14)
    days = client.statistics.daily(first, last, [vitalwire.StatisticName.STEPS])
    assert (days.from_date, days.to_date) == (first, last)
    assert all(day.values and set(day.values) <= {"steps"} for day in days.statistics)
    with pytest.raises(vitalwire.InvalidArgumentError):
        client.statistics.daily(datetime.datetime(2025, 11, 10, tzinfo=UTC), last, ["steps"])
    with pytest.raises(TypeError):
        client.statistics.daily(first, last, "steps")
    with pytest.raises(vitalwire.InvalidArgumentError) as naive:
        client.lab_reports.list(from_timestamp=datetime.datetime(2025, 11, 10))
    assert naive.value.argument == "from_timestamp"


def test_an_unknown_sleep_is_not_found(client: vitalwire.Client) -> None:
    with pytest.raises(vitalwire.NotFoundError) as caught:
        client.sleeps.get(UNKNOWN)
    error = caught.value
    assert isinstance(error, vitalwire.VitalwireError)
    assert (error.code, error.kind, error.status, error.attempts) == (1201, "not_found", 404, 1)
    assert error.operation == "get_sleep" and error.request_id and error.retry_after is None
    assert error.problem and error.problem.status == 404 and error.problem.title
    shown = f"{error} {error!r} {error.problem!r} {error.problem}"
    assert "/v3/queries/sleeps/{sleep_id}" in str(error)
    assert error.problem.detail and error.problem.detail not in shown
    assert UNKNOWN not in shown and UNKNOWN not in "".join(traceback.format_exception(error))


def test_errors_are_copied_and_pickled_with_their_problem(client: vitalwire.Client) -> None:
    with pytest.raises(vitalwire.NotFoundError) as caught:
        client.sleeps.get(UNKNOWN)
    error = caught.value
    assert error.problem
    for twin in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(twin) is vitalwire.NotFoundError and str(twin) == str(error)
        assert (twin.code, twin.status, twin.attempts, twin.request_id) == (1201, 404, 1, error.request_id)
        assert twin.operation == "get_sleep" and twin.problem == error.problem
    # Python creates and copies exceptions that are also an `OSError` differently.
    with pytest.raises(vitalwire.InvalidArgumentError) as refused:
        client.user.info(timeout=0)
    late = vitalwire.TimeoutError("late")
    for other in (refused.value, late):
        twin = pickle.loads(pickle.dumps(other))
        assert type(twin) is type(other) and str(twin) == str(other) and twin.argument == other.argument


def test_invalid_arguments_and_settings_are_named_but_not_quoted(client: vitalwire.Client) -> None:
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: client.sleeps.get(".."), "sleep_id"),
        (lambda: client.sleeps.get(""), "sleep_id"),
        (lambda: client.user.info(timeout=0), "timeout"),
        (lambda: client.user.info(attempt_timeout=-1), "attempt_timeout"),
        (lambda: client.user.info(connect_timeout=float("nan")), "connect_timeout"),
        (lambda: client.user.info(max_retries=-1), "max_retries"),
        (lambda: vitalwire.Client(max_response_bytes=-1), "max_response_bytes"),
    ]
    for call, argument in calls:
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            call()
        assert isinstance(caught.value, ValueError) and caught.value.argument == argument
    for settings, argument in [
        ({"base_url": "http://canary.example"}, "base_url"),
        ({"token": "canary canary"}, "token"),
        ({"proxy": "canary://"}, "proxy"),
        ({"ca_certificate": b"canary"}, "ca_certificate"),
        ({"pinned_keys": "canary"}, "pinned_keys"),
    ]:
        with pytest.raises(vitalwire.ConfigurationError) as refused:
            vitalwire.Client(**settings)  # type: ignore[arg-type]
        assert refused.value.argument == argument and "canary" not in f"{refused.value!r}"
    with pytest.raises(vitalwire.ConfigurationError):
        vitalwire.Client("https://127.0.0.1:1").user.info()
    with pytest.raises(TypeError):
        client.sleeps.get(5)  # type: ignore[arg-type]


def texts(value: object, shown: list[str], held: set[str]) -> None:
    """Collects the texts that an object shows, such as its `repr`, and the values that can be read from the object."""
    if isinstance(value, (tuple, memoryview)):
        for item in value:
            texts(item, shown, held)
    elif type(value).__module__ == "vitalwire":
        shown += [repr(value), str(value), format(value)]
        if isinstance(value, (vitalwire.NumberMap, vitalwire.SeriesMap)):
            shown += [repr(value.items()), repr(value.values())]
            texts(tuple(value.values()), shown, held)
        for name in dir(type(value)):
            if not name.startswith("_") and not callable(getattr(type(value), name)) and name != "response":
                texts(getattr(value, name), shown, held)
    elif value is not None:
        held.add(str(value))


def test_no_text_contains_private_data(client: vitalwire.Client, service: vitalwire.Sandbox) -> None:
    shown: list[str] = []
    held: set[str] = set()
    texts(client, shown, held)
    texts(client.user.info(), shown, held)
    texts(client.user.properties(), shown, held)
    texts(client.sleeps.get(service.sleep_id, include_stages=True, include_samples=True), shown, held)
    texts(client.lab_reports.list(), shown, held)
    texts(client.nutrition_records.list(), shown, held)
    # Ignores short texts, which may be shown as counts, and texts without digits and spaces, which may be field names.
    private = {text for text in held if len(text) > 3 and any(character.isdigit() or character == " " for character in text)}
    private |= {service.token, service.care_token, service.sleep_id, service.base_url}
    assert service.sleep_id in held and len(private) > 50 and len(shown) > 100
    everything = "\n".join(shown)
    assert [text for text in private if text in everything] == []


@pytest.fixture
def silent_server() -> Iterator[socket.socket]:
    """A server that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)
        yield server


def silent_client(server: socket.socket) -> vitalwire.Client:
    return vitalwire.Client(f"http://127.0.0.1:{server.getsockname()[1]}", token="t")


def test_an_exceeded_timeout_is_a_timeout_error(silent_server: socket.socket) -> None:
    with pytest.raises(vitalwire.TimeoutError) as caught:
        silent_client(silent_server).user.info(timeout=0.2, max_retries=0)
    assert isinstance(caught.value, TimeoutError) and caught.value.code == 1401


def test_an_attempt_has_its_own_timeout(silent_server: socket.socket) -> None:
    with pytest.raises(vitalwire.TimeoutError) as caught:
        silent_client(silent_server).user.info(timeout=20, attempt_timeout=0.1, max_retries=1)
    assert caught.value.attempts == 2


def test_a_connection_has_its_own_timeout(silent_server: socket.socket) -> None:
    # A connection includes the TLS handshake, to which this server does not respond.
    with pytest.raises(vitalwire.TimeoutError) as caught:
        vitalwire.Client(f"https://127.0.0.1:{silent_server.getsockname()[1]}", token="t").user.info(timeout=20, connect_timeout=0.1, max_retries=0)
    assert caught.value.attempts == 1


def test_a_call_can_have_its_own_token(service: vitalwire.Sandbox) -> None:
    client = vitalwire.Client(service.base_url, token="wrong")
    assert client.user.info(token=service.token).uid
    with pytest.raises(vitalwire.AuthenticationError):
        client.user.info()
    with pytest.raises(vitalwire.VitalwireError) as refused:
        client.user.info(token="canary canary")
    assert refused.value.argument == "token" and "canary" not in f"{refused.value!r}"


def test_ctrl_c_ends_a_call_and_closes_its_connection(silent_server: socket.socket) -> None:
    # Sets the handler, because a process in the background ignores the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ended: list[bool] = []

    def press() -> None:
        connection, _ = silent_server.accept()
        with connection:
            # This timeout is shorter than that of the call.
            connection.settimeout(20)
            connection.recv(4096)
            os.kill(os.getpid(), signal.SIGINT)
            while connection.recv(4096):
                pass
            ended.append(True)

    presser = threading.Thread(target=press)
    presser.start()
    client, began = silent_client(silent_server), time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        client.user.info(timeout=60)
    # A call checks for signals every 50 ms. The benchmark measures the delay.
    assert time.monotonic() - began < 30
    presser.join()
    assert ended


def test_threads_share_a_client(client: vitalwire.Client) -> None:
    users: list[object] = []
    threads = [threading.Thread(target=lambda: users.append(client.user.info().uid)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(users) == 8 and len(set(users)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_uses_the_client_of_its_parent(client: vitalwire.Client) -> None:
    client.user.info()
    child = os.fork()
    if child == 0:
        try:
            client.user.info(timeout=10)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    client.user.info()
