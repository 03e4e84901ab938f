"""Tests undeclared numbers and deep values in `extra`, `to_dict()` and problems. They are exact values, or JSON text."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import typing
from collections.abc import Iterator

import pytest
from serving import Reply, Service

import vitalwire

NIGHT = '{"sleep_id":"n","modified_at":"2025-01-02T08:00:00Z","start_at_timestamp":"2025-01-01T22:30:00Z","sleep_date":"2025-01-02","stages":[{"stage":"rem"%s}]%s}'
#: JSON text and its Python value.
NUMBERS: list[tuple[str, object]] = [
    ("0", 0),
    ("-7", -7),
    ("9223372036854775807", 9223372036854775807),
    ("9223372036854775808", 9223372036854775808),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ("1" + "0" * 4000, 10**4000),
    # The interpreter does not convert an integer with this number of digits.
    ("7" * 5000, vitalwire.JsonText("7" * 5000)),
    ("0.1", 0.1),
    ("-2.5e-3", -0.0025),
    ("1e2", 100.0),
    ("120.00000000000000000000", 120.0),
    ("0.30000000000000004", 0.30000000000000004),
    ("1.7976931348623157e308", sys.float_info.max),
    ("5e-324", 5e-324),
    ("0e999", 0.0),
    # These numbers have no exact double.
    ("1e400", vitalwire.JsonText("1e400")),
    ("-1e400", vitalwire.JsonText("-1e400")),
    ("1e-400", vitalwire.JsonText("1e-400")),
    ("1e99999999999999999999", vitalwire.JsonText("1e99999999999999999999")),
    ("0.1000000000000000055511151231257827", vitalwire.JsonText("0.1000000000000000055511151231257827")),
    ("1.00000000000000001", vitalwire.JsonText("1.00000000000000001")),
    ("1.2345e-320", vitalwire.JsonText("1.2345e-320")),
]
LISTS = "[" * 1000 + "]" * 1000
OBJECTS = '{"a":' * 1000 + "1" + "}" * 1000
HUGE = vitalwire.JsonText("1e400")


@pytest.fixture
def night() -> Iterator[typing.Callable[[str], vitalwire.SleepRecord]]:
    bodies: list[str] = []
    with Service(lambda _: Reply(body=bodies[-1].encode())) as service:
        client = vitalwire.Client(service.url, token="t", allow_plain_http=True, max_retries=0)

        def get(member: str) -> vitalwire.SleepRecord:
            bodies.append(NIGHT % (member, member))
            return client.sleeps.get("n")

        yield get


def is_same(value: object, expected: object) -> bool:
    return type(value) is type(expected) and value == expected


@pytest.mark.parametrize(("text", "expected"), NUMBERS, ids=[text[:24] for text, _ in NUMBERS])
def test_numbers_keep_their_exact_value(night: typing.Callable[[str], vitalwire.SleepRecord], text: str, expected: object) -> None:
    record = night(f',"x":{text},"list":[{text},{{"y":{text}}}]')
    assert record.stages
    for extra in (record.extra, record.stages[0].extra):
        values: typing.Any = extra
        assert is_same(values["x"], expected) and is_same(values["list"][0], expected) and is_same(values["list"][1]["y"], expected)
    whole: typing.Any = record.to_dict()
    for values in (whole, whole["stages"][0]):
        assert is_same(values["x"], expected) and is_same(values["list"][1]["y"], expected)


def test_a_declared_number_that_is_no_double_stays_text(night: typing.Callable[[str], vitalwire.SleepRecord]) -> None:
    record = night(',"duration":1e400,"metrics":{"heartrate":1e400,"steps":5}')
    assert record.duration is None and record.extra["duration"] == HUGE
    assert record.metrics is not None and dict(record.metrics) == {"steps": 5.0} and record.metrics.extra == {"heartrate": HUGE}
    whole: typing.Any = record.to_dict()
    assert (whole["duration"], whole["metrics"]["heartrate"], whole["stages"][0]["duration"]) == (HUGE, HUGE, HUGE)


@pytest.mark.parametrize("deep", [LISTS, OBJECTS], ids=["lists", "objects"])
def test_a_field_with_a_thousand_levels_stays_text(night: typing.Callable[[str], vitalwire.SleepRecord], deep: str) -> None:
    record = night(f',"deep":{deep},"x":1')
    text = vitalwire.JsonText(deep)
    assert record.extra == {"deep": text, "x": 1}
    assert record.stages and record.stages[0].extra == {"deep": text, "x": 1}
    whole: typing.Any = record.to_dict()
    assert (whole["sleep_id"], whole["x"], whole["stages"][0]["stage"], whole["stages"][0]["x"]) == ("n", 1, "rem", 1)
    if deep == LISTS:
        assert whole["deep"] == whole["stages"][0]["deep"] == text
    # The field `extra` can be serialized to JSON again.
    assert json.loads(json.dumps(record.extra, default=lambda value: value.text)) == {"deep": deep, "x": 1}
    assert json.dumps(whole, default=lambda value: value.text)


def test_a_value_with_more_than_64_levels_stays_text(night: typing.Callable[[str], vitalwire.SleepRecord]) -> None:
    for levels in (64, 65):
        deep = "[" * levels + "]" * levels
        expected = json.loads(deep) if levels == 64 else vitalwire.JsonText(deep)
        record = night(f',"deep":{deep}')
        assert record.extra == {"deep": expected}


def test_texts_keep_escapes_and_any_character(night: typing.Callable[[str], vitalwire.SleepRecord]) -> None:
    member = r"""{ "a" : "\u00e4\"\\]" , "\n":[ true , false,null , "" ], "half": "\ud83d", "a": "\ud83d\ude00" , "e":{}, "l": [ ] }"""
    record = night(f',"x":{member}')
    assert record.extra["x"] == {"a": "\U0001f600", "\n": [True, False, None, ""], "half": "\ud83d", "e": {}, "l": []}
    assert record.to_dict()["x"] == record.extra["x"]


@pytest.mark.parametrize("value", [LISTS, OBJECTS, "7" * 5000, "1e400"], ids=["lists", "objects", "digits", "exponent"])
def test_a_problem_is_decoded_whatever_the_values_of_its_errors(value: str) -> None:
    body = f'{{"type":"about:blank","title":"no","status":422,"detail":"d","errors":[{{"location":"query.types","message":"m","value":{value}}},{{"location":"l","value":[1]}}]}}'
    reply = Reply(422, body.encode(), (("content-type", "application/problem+json"),))
    with Service(lambda _: reply) as service, vitalwire.Client(service.url, token="t", allow_plain_http=True, max_retries=0) as client:
        with pytest.raises(vitalwire.VitalwireError) as caught:
            client.sleeps.get("n")
    problem = caught.value.problem
    assert problem is not None and problem.errors and (problem.title, problem.errors[0].location) == ("no", "query.types")
    assert [item.value for item in problem.errors] == [vitalwire.JsonText(value), [1]]
    whole: typing.Any = problem.to_dict()
    assert whole["errors"][1]["value"] == [1] and whole["detail"] == "d"


def test_json_text_differs_from_a_string(night: typing.Callable[[str], vitalwire.SleepRecord]) -> None:
    record = night(',"number":1e400,"string":"1e400","canary":1.000000000000000000061')
    number, string = record.extra["number"], record.extra["string"]
    assert isinstance(number, vitalwire.JsonText) and not isinstance(number, str) and isinstance(string, str)
    assert number.text == string == "1e400" and number != string and len({number, HUGE, string}) == 2
    for shown in (repr(number), str(number), f"{record.extra['canary']}", repr(vitalwire.JsonText("canary-heron"))):
        assert "1e400" not in shown and "061" not in shown and "canary" not in shown and "JsonText(" in shown
    for again in (pickle.loads(pickle.dumps(number)), copy.copy(number), copy.deepcopy(number)):
        assert again == number and type(again) is vitalwire.JsonText and hash(again) == hash(number)
    with pytest.raises(AttributeError):
        number.text = "2"  # type: ignore[misc]
    with pytest.raises(TypeError, match="argument 'text'"):
        vitalwire.JsonText(5)  # type: ignore[arg-type]
