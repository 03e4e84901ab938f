"""Tests that records are frozen, equal by value, hashable, pickled without loss, and shown without values.

A scripted server on a loopback port returns bodies that are written by hand in this file.
"""

from __future__ import annotations

import collections.abc
import copy
import datetime
import http.server
import io
import json
import logging
import math
import pickle
import threading
import traceback
import types
from collections.abc import Iterator

import pytest

import vitalwire
from vitalwire import _native

UTC = datetime.timezone.utc

NIGHT = """{
  "sleep_id": "night-1", "modified_at": "2025-01-02T08:00:00.123456789Z", "start_at_timestamp": "2025-01-01T22:30:00",
  "end_at_timestamp": "2025-01-02T06:30:00Z", "duration": 28800000, "sleep_date": "2025-01-02", "provider_slug": "a_new_one",
  "record_ids": null, "user_time_offset_minutes": 60, "score": "high",
  "metrics": {"heartrate": 52, "glucose": 97.123456, "a_new_metric": 0.1, "steps": "many"},
  "samples": {"durations": [1000, 1000], "offsets": [0, 1000], "values": {"heartrate": [50.5, 51], "spo2": [97, 98]}},
  "source": {"device_model": "Band"},
  "stages": [
    {"stage": "deep", "start_at": "2025-01-01T22:30:00Z", "end_at": "2025-01-01T23:30:00Z", "duration": 3600000, "metrics": {"heartrate": 50}},
    {"stage": "rem"}
  ],
  "beyond": 123456789012345678901234567890, "deep": {"a": [1, null, {"b": "c"}]}, "huge": 1e400, "surrogate": "\\ud83d"
}"""

MEAL = """{
  "record_id": "meal-1", "status": "completed", "uploaded_at": "2025-01-01T12:00:00Z", "modified_at": "2025-01-01T12:00:01Z",
  "dish_name": "soup", "nutritional_fields": {"energy_kcal": 120.5},
  "ingredients": [{"name": "water", "nutritional_fields": {"energy_kcal": 0}}]
}"""

PROBLEM = '{"type":"about:blank","title":"no","status":422,"detail":"canary-detail","errors":[{"location":"body.x","value":"canary-value"}]}'


class ScriptedResponse:
    """The next response of the server, to any request."""

    def __init__(self) -> None:
        self.status = 200
        self.body = "{}"
        self.url = ""

    def client(self) -> vitalwire.Client:
        return vitalwire.Client(self.url, token="canary-token", proxy="none", max_retries=0)

    def night(self, body: str = NIGHT) -> vitalwire.SleepRecord:
        self.status, self.body = 200, body
        return self.client().sleeps.get("night-1")

    def meal(self, body: str = MEAL) -> vitalwire.NutritionRecord:
        self.status, self.body = 200, body
        return self.client().nutrition_records.get("meal-1")

    def error(self) -> vitalwire.VitalwireError:
        self.status, self.body = 422, PROBLEM
        with pytest.raises(vitalwire.InvalidRequestError) as caught:
            self.client().user.info()
        return caught.value


@pytest.fixture(scope="module")
def script() -> Iterator[ScriptedResponse]:
    """A server with scripted responses."""
    script = ScriptedResponse()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = script.body.encode()
            self.send_response(script.status)
            self.send_header("content-type", "application/problem+json" if script.status >= 400 else "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        script.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield script
        server.shutdown()
        thread.join()


def parts(night: vitalwire.SleepRecord) -> list[object]:
    """Returns a record and all its nested objects."""
    assert night.stages and night.samples and night.samples.values is not None and night.source and night.metrics is not None
    below = [night.metrics, night.samples, night.samples.values, night.source, night.stages[0], night.stages[1]]
    assert night.stages[0].metrics is not None
    return [night, *below, night.stages[0].metrics]


def test_records_are_frozen(script: ScriptedResponse) -> None:
    for part in [*parts(script.night()), script.night().response, script.meal(), script.error().problem]:
        for name in ("extra", "duration", "response", "no_such_member", "__class__", "__dict__"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(part, name, 1)
        for name in ("extra", "duration", "no_such_member"):
            with pytest.raises(AttributeError):
                delattr(part, name)
        with pytest.raises(TypeError):
            part["heartrate"] = 1  # type: ignore[index]
        with pytest.raises(TypeError):
            del part["heartrate"]  # type: ignore[attr-defined]
        with pytest.raises(TypeError):
            type(part)()
        with pytest.raises(TypeError):
            type("Own", (type(part),), {})


def test_a_nested_record_is_the_same_object_at_each_read(script: ScriptedResponse) -> None:
    night = script.night()
    assert [id(part) for part in parts(night)] == [id(part) for part in parts(night)]
    assert night.stages is night.stages
    error = script.error()
    assert error.problem is error.problem and error.problem is not None
    assert error.problem.errors is error.problem.errors


def test_a_nested_record_is_the_same_object_in_every_thread(script: ScriptedResponse) -> None:
    for _ in range(20):
        night = script.night()
        start = threading.Barrier(8)
        seen: list[list[int]] = []

        def read(night: vitalwire.SleepRecord = night, start: threading.Barrier = start, seen: list[list[int]] = seen) -> None:
            start.wait()
            seen.append([id(part) for part in parts(night)])

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 8 and len({tuple(ids) for ids in seen}) == 1


def test_records_with_the_same_values_are_equal(script: ScriptedResponse) -> None:
    one, other = script.night(), script.night()
    assert one is not other and one == other and not one != other and hash(one) == hash(other)
    assert len({one, other}) == 1
    for left, right in zip(parts(one), parts(other)):
        assert left == right and hash(left) == hash(right), type(left)
    # The order of fields and white space do not matter.
    turned = json.dumps(dict(reversed(json.loads(NIGHT.replace("1e400", "0")).items())), separators=(",", ":"))
    assert script.night(turned) == script.night(NIGHT.replace("1e400", "0"))
    assert one.response is not None and other.response is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"duration": 28800000', '"duration": 28800001'),
        ("08:00:00.123456789Z", "08:00:00.123456788Z"),
        ('"record_ids": null', '"record_ids": []'),
        ('"record_ids": null, ', ""),
        ('"glucose": 97.123456', '"glucose": 97.123457'),
        ('"a_new_metric": 0.1', '"a_newer_metric": 0.1'),
        ("[50.5, 51]", "[50.5, 52]"),
        ('{"stage": "rem"}', '{"stage": "REM"}'),
        ("123456789012345678901234567890", "123456789012345678901234567891"),
        ("1e400", "1e401"),
        ('"score": "high"', '"score": 80'),
    ],
)
def test_records_that_differ_anywhere_are_not_equal(script: ScriptedResponse, old: str, new: str) -> None:
    assert NIGHT.count(old) == 1
    one, other = script.night(), script.night(NIGHT.replace(old, new))
    assert one != other and not one == other


def test_records_of_other_classes_are_not_equal(script: ScriptedResponse) -> None:
    night = script.night()
    assert night != night.to_dict() and night != None and (night == 1) is False  # noqa: E711
    assert night.source != night.samples
    with pytest.raises(TypeError):
        night < night  # type: ignore[operator]


def test_number_maps_are_mappings(script: ScriptedResponse) -> None:
    metrics = script.night().metrics
    assert metrics is not None
    numbers = {"heartrate": 52, "glucose": 97.123456, "a_new_metric": 0.1}
    assert isinstance(metrics, collections.abc.Mapping) and issubclass(vitalwire.NumberMap, collections.abc.Mapping)
    assert metrics == numbers and numbers == metrics and metrics == types.MappingProxyType(numbers)
    assert metrics != {**numbers, "steps": 1} and metrics != {"heartrate": 52} and metrics != list(numbers.items())
    assert metrics != {**numbers, "heartrate": 53}
    assert metrics.extra == {"steps": "many"} and "steps" not in metrics
    match metrics:
        case {"heartrate": rate}:
            assert rate == 52.0
        case _:
            pytest.fail("no pattern of a mapping")
    # The comparison of two number maps includes fields that are not numbers.
    body = NIGHT.replace('"steps": "many"', '"steps": "few"')
    assert script.night(body).metrics != metrics and script.night(body).metrics == numbers
    zero, minus = (script.night(NIGHT.replace('"heartrate": 52', f'"heartrate": {text}')).metrics for text in ("0.0", "-0.0"))
    assert zero == minus and hash(zero) == hash(minus)


def test_series_maps_are_mappings(script: ScriptedResponse) -> None:
    samples = script.night().samples
    assert samples is not None and samples.values is not None
    series = samples.values
    assert isinstance(series, collections.abc.Mapping) and list(series) == ["heartrate", "spo2"]
    assert {name: list(values) for name, values in series.items()} == {"heartrate": [50.5, 51.0], "spo2": [97.0, 98.0]}
    turned = NIGHT.replace('"heartrate": [50.5, 51], "spo2": [97, 98]', '"spo2": [97, 98], "heartrate": [50.5, 51]')
    other = script.night(turned).samples
    assert other is not None and other.values == series and hash(other.values) == hash(series) and other == samples
    assert series != {"heartrate": [50.5, 51.0], "spo2": [97.0, 98.0]}


def test_names_are_kept_as_received_and_known_ones_are_shared() -> None:
    def gender(name: str) -> str:
        properties = _native._restore("UserProperties", json.dumps({"gender": name}))
        assert isinstance(properties, vitalwire.UserProperties) and properties.gender
        return properties.gender

    names = ["male", "Other", "other", "a_new_one"]
    assert [gender(name) for name in names] == names
    assert gender("male") is gender("male")


def test_a_null_in_a_series_is_a_gap(script: ScriptedResponse) -> None:
    """A null is NaN in its place and missing in tables. Any other value that is not a number moves the whole series to `extra`."""
    gap = NIGHT.replace('"heartrate": [50.5, 51]', '"heartrate": [50.5, null]').replace('"spo2": [97, 98]', '"spo2": [97, "98"]')
    night = script.night(gap)
    samples = night.samples
    assert samples is not None and samples.values is not None
    first, second = samples.values["heartrate"]
    assert first == 50.5 and math.isnan(second) and list(samples.values) == ["heartrate"]
    assert samples.values.extra == {"spo2": [97, "98"]}
    assert samples == script.night(gap).samples and hash(samples) == hash(script.night(gap).samples)
    assert pickle.loads(pickle.dumps(night)) == night
    assert night.table("sleep_samples").to_dict()["heartrate"] == [50.5, None]


def test_nutrients_of_different_bases_are_not_equal(script: ScriptedResponse) -> None:
    read = script.meal()
    script.body = MEAL
    uploaded = pickle.loads(pickle.dumps(read)).nutritional_fields
    assert read.nutritional_fields is not None and read.nutritional_fields == uploaded
    unknown = _native._restore("NutritionalFields", '{"energy_kcal":120.5}')
    assert isinstance(unknown, vitalwire.NumberMap)
    assert unknown.basis == "unknown" and unknown != read.nutritional_fields
    assert unknown == {"energy_kcal": 120.5} and read.nutritional_fields == {"energy_kcal": 120.5}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_loses_nothing(script: ScriptedResponse, protocol: int) -> None:
    night = script.night()
    twin = pickle.loads(pickle.dumps(night, protocol))
    assert isinstance(twin, vitalwire.SleepRecord) and twin.stages and twin is not night and twin == night and hash(twin) == hash(night)
    assert twin.to_dict() == night.to_dict() and twin.extra == night.extra and twin.response is None
    assert twin.modified_at == datetime.datetime(2025, 1, 2, 8, 0, 0, 123456, UTC)
    assert twin.to_dict()["modified_at"] == "2025-01-02T08:00:00.123456789Z"
    assert twin.extra["beyond"] == 123456789012345678901234567890 and twin.extra["score"] == "high"
    assert twin.null_members == {"record_ids"} and night.null_members == {"record_ids"}
    assert "record_ids" in twin.to_dict() and "stage" in twin.stages[1].to_dict() and "metrics" not in twin.stages[1].to_dict()
    for part in parts(night):
        again = pickle.loads(pickle.dumps(part, protocol))
        assert type(again) is type(part) and again == part and again.to_dict() == part.to_dict()  # type: ignore[attr-defined]
    assert list(pickle.loads(pickle.dumps(night.metrics, protocol))) == list(night.metrics or ())


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_the_basis_of_nutrients(script: ScriptedResponse, protocol: int) -> None:
    meal = script.meal()
    assert meal.ingredients and meal.nutritional_fields
    for part in (meal, meal.ingredients[0]):
        again = pickle.loads(pickle.dumps(part, protocol))
        assert again == part and again.nutritional_fields.basis == "per_serving"
    assert pickle.loads(pickle.dumps(meal.nutritional_fields, protocol)).basis == "per_serving"
    assert pickle.loads(pickle.dumps(meal, protocol)).ingredients[0].nutritional_fields.basis == "per_serving"


def test_copying_returns_the_same_record(script: ScriptedResponse) -> None:
    night = script.night()
    for part in parts(night):
        assert copy.copy(part) is part and copy.deepcopy(part) is part
    assert copy.deepcopy([night])[0] is night and copy.deepcopy(night).response is not None


@pytest.mark.parametrize(
    ("name", "text", "basis", "place"),
    [
        ("SleepRecord", "", None, None),
        ("SleepRecord", "{", None, None),
        ("SleepRecord", "[]", None, None),
        ("SleepRecord", "null", None, None),
        ("SleepRecord", "{}", None, "modified_at"),
        ("SleepRecord", '{"modified_at":"canary","start_at_timestamp":"2025-01-01T00:00:00Z"}', None, "modified_at"),
        ("SleepStage", "[" * 100_000, None, None),
        ("SleepStage", '{"a":' * 100_000, None, None),
        ("SleepStage", '{"stage":"\ud800"}', None, None),
        ("\udc00", "{}", None, None),
        ("Metrics", "7", None, None),
        ("Canary", "{}", None, None),
        ("NutritionalFields", "{}", "canary", None),
    ],
)
def test_untrusted_pickled_text_is_rejected(name: str, text: str, basis: str | None, place: str | None) -> None:
    with pytest.raises(vitalwire.DecodeError) as caught:
        _native._restore(name, text, basis)
    assert "canary" not in "".join(traceback.format_exception(caught.value)).lower()
    if place is not None:
        assert caught.value.json_path == place


def test_pickled_values_of_other_types_are_rejected() -> None:
    for arguments in [(), ("SleepStage",), ("SleepStage", b"{}"), (1, "{}"), ("SleepStage", "{}", 1)]:
        with pytest.raises(TypeError):
            _native._restore(*arguments)  # type: ignore[arg-type]


def test_a_short_pickle_cannot_allocate_much_memory() -> None:
    many = '{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","stages":[' + "{}," * 3_000_000 + "{}]}"
    with pytest.raises(vitalwire.DecodeError):
        _native._restore("SleepRecord", many)


def test_errors_keep_the_problem_details_of_the_service(script: ScriptedResponse) -> None:
    error = script.error()
    assert error.problem is not None and error.problem.detail == "canary-detail"
    twins = [copy.copy(error), copy.deepcopy(error), *(pickle.loads(pickle.dumps(error, at)) for at in range(pickle.HIGHEST_PROTOCOL + 1))]
    for twin in twins:
        assert type(twin) is vitalwire.InvalidRequestError and str(twin) == str(error)
        assert twin.problem == error.problem and twin.problem and twin.problem.errors
        assert twin.problem.errors[0].value == "canary-value"
        assert (twin.status, twin.code, twin.attempts, twin.operation) == (422, error.code, 1, "get_user_info")
        assert twin.last is None and twin.resume_token is None


def test_every_error_has_every_attribute() -> None:
    names = "code kind status problem request_id retry_after attempts argument json_path operation record_id last resume_token".split()
    classes: list[type[vitalwire.VitalwireError]] = [vitalwire.VitalwireError, *vitalwire.VitalwireError.__subclasses__()]
    assert len(classes) > 15
    for made in (kind("text") for kind in classes):
        for name in names:
            getattr(made, name)
        assert isinstance(made.kind, str) and isinstance(made.code, int) and made.attempts == 0
        assert made.last is None and made.resume_token is None
    assert len({kind.code for kind in classes[1:]}) == len(classes) - 1


def test_no_repr_contains_a_value(script: ScriptedResponse) -> None:
    body = NIGHT.replace('"deep": {', '"canary-name": "canary-unknown", "deep": {').replace('"Band"', '"canary-device"').replace("night-1", "canary-id")
    body = body.replace('"a_new_metric"', '"canary-metric"').replace('"rem"', '"canary-stage"').replace("a_new_one", "canary-slug")
    night = script.night(body)
    meal = script.meal(MEAL.replace("soup", "canary-dish").replace("water", "canary-water"))
    error = script.error()
    assert night.source and night.source.device_model == "canary-device" and night.metrics and "canary-metric" in night.metrics
    things = [*parts(night), night.response, meal, *(meal.ingredients or ()), error, error.problem, *(error.problem.errors or ())]  # type: ignore[union-attr]
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logger = logging.getLogger("vitalwire-test")
    logger.addHandler(handler)
    for thing in things:
        print(thing, repr(thing), f"{thing}", [thing], {"key": thing}, file=log)
        logger.error("%s %r", thing, thing)
    for attempt in (
        lambda: setattr(night, "duration", "canary-set"),
        lambda: night.metrics + 1,  # type: ignore[operator]
        lambda: night.canary,  # type: ignore[attr-defined]
        lambda: night < night,  # type: ignore[operator]
        lambda: hash((night, [])),
        lambda: script.night('{"modified_at":"canary-time"}'),
        lambda: script.night('{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":["canary-x"]}'),
    ):
        try:
            attempt()
        except Exception as raised:
            lines = "".join(traceback.format_exception_only(raised))
            log.write(lines.replace("'canary'", ""))
            logger.error("failed", exc_info=error)
        else:
            pytest.fail("nothing was raised")
    logger.removeHandler(handler)
    text = "\n".join(line for line in log.getvalue().splitlines() if not line.lstrip().startswith(("File ", "lambda", "script", "self")))
    assert "SleepRecord(" in text and "canary" not in text.replace("canary-set", "")
