"""Tests webhooks with the installed package. Python's own HMAC computes the expected signatures."""

from __future__ import annotations

import array
import datetime
import email.message
import hashlib
import hmac
import json
import logging
import threading
import traceback
import typing
from collections.abc import Callable

import pytest

import vitalwire
from vitalwire import webhook

UTC = datetime.timezone.utc
KEY, OLD = "canary-webhook-key-2026", "canary-webhook-key-2025"
#: Two events of two users, with an instant of nine decimals and an unknown type and field.
EVENTS = (
    b'[{"application_user_id":"user-7","timestamp":"2025-04-01T10:00:00.123456789Z","event_type":"record_change",'
    b'"metrics":["steps","heartrate"],"activity_types":["running"],"provider_slug":"polar",'
    b'"earliest_record_start_at":"2025-03-31T22:00:00Z","latest_record_end_at":"2025-04-01T09:59:59Z"},'
    b' {"application_user_id":"user-8","event_type":"moon_phase","phase":3}]'
)
MEAL = (
    b'{"application_user_id":"user-7","record_id":"meal-1","status":"completed","uploaded_at":"2025-03-02T12:00:00Z",'
    b'"modified_at":"2025-03-02T12:00:20Z","dish_name":"Canary soup","serving_size":250,"unit":"ml",'
    b'"nutritional_fields":{"energy_kcal":84.5}}'
)
REPORT = (
    b'{"application_user_id":"user-7","record_id":"lab-1","status":"completed","uploaded_at":"2025-03-02T12:00:00Z",'
    b'"lab_report_name":"Blood count","lab_information":{"lab_name":"Canary laboratories"}}'
)


def signature_of(body: bytes, key: str | bytes = KEY) -> str:
    """Returns the signature header of the service: HMAC-SHA256 of the raw body under the key, in hexadecimal."""
    return hmac.new(key.encode() if isinstance(key, str) else key, body, hashlib.sha256).hexdigest()


def expect_error(kind: type[vitalwire.VitalwireError], call: Callable[[], object]) -> vitalwire.VitalwireError:
    """Returns the error of a call, which quotes neither the key nor the body."""
    with pytest.raises(kind) as caught:
        call()
    shown = f"{caught.value!r} {caught.value.__dict__} " + "".join(traceback.format_exception_only(caught.value))
    assert "canary-webhook-key" not in shown and "Canary" not in shown and "user-7" not in shown
    return caught.value


def test_a_genuine_body_is_verified_and_parsed() -> None:
    verifier = webhook.Verifier(KEY)
    verifier.verify(EVENTS, signature_of(EVENTS))
    first, second = verifier.verify_and_parse_events(EVENTS, signature_of(EVENTS))
    assert first.application_user_id == "user-7" and first.event_type == vitalwire.WebhookEventType.RECORD_CHANGE
    assert first.timestamp == datetime.datetime(2025, 4, 1, 10, 0, 0, 123456, UTC)
    assert first.metrics == ("steps", "heartrate") and first.activity_types == ("running",) and first.provider_slug == "polar"
    assert first.earliest_record_start_at == datetime.datetime(2025, 3, 31, 22, tzinfo=UTC)
    assert first.latest_record_end_at == datetime.datetime(2025, 4, 1, 9, 59, 59, tzinfo=UTC)
    assert second.application_user_id == "user-8" and second.event_type == "moon_phase" and second.extra == {"phase": 3}
    assert first.response is None and second.timestamp is None and second.metrics is None

    meal = verifier.verify_and_parse_nutrition(MEAL, signature_of(MEAL))
    assert (meal.application_user_id, meal.record_id, meal.dish_name, meal.serving_size) == ("user-7", "meal-1", "Canary soup", 250)
    assert meal.nutritional_fields is not None and meal.nutritional_fields["energy_kcal"] == 84.5
    assert meal.nutritional_fields.basis == "unknown" and "Canary" not in repr(meal)

    report = verifier.verify_and_parse_lab_report(REPORT, signature_of(REPORT))
    assert (report.application_user_id, report.record_id) == ("user-7", "lab-1")
    assert report.to_dict() == json.loads(REPORT) and "Canary" not in repr(report)


@pytest.mark.parametrize("given", [KEY, KEY.encode(), bytearray(KEY.encode()), memoryview(KEY.encode()), [KEY], (OLD, KEY), {KEY.encode(), OLD}, iter([OLD, KEY])])
def test_keys_are_one_or_several_strings_or_bytes(given: "str | bytes | list[str]") -> None:
    verifier = webhook.Verifier(given)
    verifier.verify(EVENTS, signature_of(EVENTS))
    assert "canary" not in f"{verifier} {verifier!r} {vars(webhook)}"


def test_a_text_key_is_encoded_as_utf_8_and_a_long_key_is_used_in_full() -> None:
    for key in ("Schlüssel-für-Körper", "k" * 64, "k" * 65, "k" * 200):
        webhook.verify(EVENTS, signature_of(EVENTS, key.encode("utf-8")), key)
    expect_error(vitalwire.SignatureError, lambda: webhook.verify(EVENTS, signature_of(EVENTS, "k" * 200), "k" * 199))
    expect_error(vitalwire.SignatureError, lambda: webhook.verify(EVENTS, signature_of(EVENTS, KEY + "\n"), KEY))


def test_both_keys_are_accepted_during_a_rotation() -> None:
    for key in (KEY, OLD):
        webhook.verify(EVENTS, signature_of(EVENTS, key), [KEY, OLD])
    expect_error(vitalwire.SignatureError, lambda: webhook.verify(EVENTS, signature_of(EVENTS, "another"), [KEY, OLD]))


def test_a_signature_is_accepted_in_any_spelling() -> None:
    right = signature_of(EVENTS)
    for signature in (right.upper(), f"  {right}\t", right.encode(), bytearray(right.encode())):
        webhook.verify(EVENTS, signature, KEY)


@pytest.mark.parametrize(
    "signature",
    [None, "", "0" * 64, signature_of(EVENTS)[:-1], signature_of(EVENTS) + "0", "sha256=" + signature_of(EVENTS), "x" * 64, "\udcff" * 64, "é" * 32, b"\xff"],
)
def test_a_forged_or_missing_signature_is_a_signature_error(signature: str | bytes | None) -> None:
    error = expect_error(vitalwire.SignatureError, lambda: webhook.verify(EVENTS, signature, KEY))
    assert (error.kind, error.code, error.status, error.attempts) == ("signature", 1502, None, 0)
    # A body with an invalid signature is not parsed.
    expect_error(vitalwire.SignatureError, lambda: webhook.Verifier(KEY).verify_and_parse_events(b"no JSON", signature))


@pytest.mark.parametrize("changed", [EVENTS + b"\n", EVENTS.replace(b"user-7", b"user-9"), json.dumps(json.loads(EVENTS)).encode(), b""])
def test_another_body_has_another_signature(changed: bytes) -> None:
    expect_error(vitalwire.SignatureError, lambda: webhook.verify(changed, signature_of(EVENTS), KEY))


@pytest.mark.parametrize("body", [EVENTS, bytearray(EVENTS), memoryview(EVENTS), array.array("B", EVENTS), memoryview(EVENTS * 2)[: len(EVENTS)]])
def test_a_body_may_be_any_buffer(body: bytes) -> None:
    webhook.verify(body, signature_of(EVENTS), KEY)
    assert len(webhook.parse_events(body)) == 2
    assert webhook.detect_kind(body) == "events" and webhook.content_key(body) == webhook.content_key(EVENTS)


def test_a_body_as_text_is_a_type_error_with_the_reason() -> None:
    text, verifier = EVENTS.decode(), webhook.Verifier(KEY)
    calls: list[Callable[[], object]] = [
        lambda: webhook.verify(text, signature_of(EVENTS), KEY),  # type: ignore[arg-type]
        lambda: verifier.verify(text, signature_of(EVENTS)),  # type: ignore[arg-type]
        lambda: verifier.verify_headers(text, {}),  # type: ignore[arg-type]
        lambda: webhook.parse_events(text),  # type: ignore[arg-type]
        lambda: webhook.parse_lab_report(text),  # type: ignore[arg-type]
        lambda: webhook.parse_nutrition(text),  # type: ignore[arg-type]
        lambda: webhook.detect_kind(text),  # type: ignore[arg-type]
        lambda: webhook.content_key(text),  # type: ignore[arg-type]
        lambda: webhook.sign(text, KEY),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError, match="'body': must be bytes, not a str: the signature covers the bytes") as caught:
            call()
        assert "user-7" not in str(caught.value)


def test_errors_about_wrong_types_name_the_argument_but_no_value() -> None:
    calls: list[tuple[str, Callable[[], object]]] = [
        ("body", lambda: webhook.verify(json.loads(EVENTS), signature_of(EVENTS), KEY)),
        ("body", lambda: webhook.verify(None, signature_of(EVENTS), KEY)),  # type: ignore[arg-type]
        ("signature", lambda: webhook.verify(EVENTS, 5, KEY)),  # type: ignore[arg-type]
        ("keys", lambda: webhook.Verifier(5)),  # type: ignore[arg-type]
        ("keys", lambda: webhook.Verifier(None)),  # type: ignore[arg-type]
        ("keys", lambda: webhook.Verifier([KEY, None])),  # type: ignore[list-item]
        ("key", lambda: webhook.sign(EVENTS, None)),  # type: ignore[arg-type]
        ("headers", lambda: webhook.Verifier(KEY).verify_headers(EVENTS, 5)),  # type: ignore[arg-type]
        ("headers", lambda: webhook.Verifier(KEY).verify_headers(EVENTS, [KEY])),  # type: ignore[list-item]
        ("headers", lambda: webhook.Verifier(KEY).verify_headers(EVENTS, {"x-body-signature": 5})),  # type: ignore[arg-type]
        ("body_limit", lambda: webhook.Verifier(KEY, body_limit="5")),  # type: ignore[arg-type]
    ]
    for argument, call in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert f"argument '{argument}'" in str(caught.value), argument
        assert "canary" not in str(caught.value) and "user-7" not in str(caught.value)


def test_weak_keys_are_rejected() -> None:
    for keys in ([], "", [KEY, b""], b"\0\0", bytes(16), "a", [KEY, "fifteen bytes.."], b"fifteen bytes..\n"):
        error = expect_error(vitalwire.ConfigurationError, lambda keys=keys: webhook.Verifier(keys))  # type: ignore[misc]
        assert error.argument == "webhook_key"
    error = expect_error(vitalwire.InvalidArgumentError, lambda: webhook.Verifier("canary-webhook-key\udcff"))
    assert error.argument == "keys" and isinstance(error, ValueError) and error.__cause__ is None and error.__context__ is None


def test_a_body_over_the_limit_is_too_large_whatever_its_signature() -> None:
    verifier = webhook.Verifier(KEY, body_limit=len(EVENTS))
    verifier.verify(EVENTS, signature_of(EVENTS))
    longer = EVENTS + b" "
    expect_error(vitalwire.TooLargeError, lambda: verifier.verify(longer, signature_of(longer)))
    assert webhook.DEFAULT_BODY_LIMIT == 32 * 1024 * 1024
    assert expect_error(vitalwire.InvalidArgumentError, lambda: webhook.Verifier(KEY, body_limit=-1)).argument == "body_limit"


def test_the_signature_is_found_in_headers_of_web_frameworks() -> None:
    verifier, right = webhook.Verifier(KEY), signature_of(EVENTS)
    message = email.message.Message()  # http.server's headers
    message["Content-Type"] = "application/json"
    message["x-body-SIGNATURE"] = right
    verifier.verify_headers(EVENTS, message)
    verifier.verify_headers(EVENTS, {"X-Body-Signature": right, "X-Odd": "\udcff\r\n"})
    verifier.verify_headers(EVENTS, [(b"host", b"\xff"), (b"x-body-signature", right.encode())])  # ASGI
    verifier.verify_headers(EVENTS, (pair for pair in [("X-BODY-SIGNATURE", right)]))
    assert webhook.SIGNATURE_HEADER == "X-Body-Signature"

    of_frameworks: list[typing.Any] = [
        {"X-Body-Signature": [right], "Accept": ["a", "b"], "X-Count": 5},
        {b"x-body-signature": (right.encode(),)},
        {"HTTP_X_BODY_SIGNATURE": right, "wsgi.multithread": True},
        [("accept", "a"), ("accept", "b"), ("x-body-signature", bytearray(right.encode()))],
        [["x-body-signature", iter([right])]],
    ]
    for headers in of_frameworks:
        verifier.verify_headers(EVENTS, headers)
    several: list[typing.Any] = [{"x-body-signature": [right, right]}, [("x-body-signature", [right]), ("X-Body-Signature", right)]]
    for headers in several:
        with pytest.raises(vitalwire.SignatureError, match="more than one"):
            verifier.verify_headers(EVENTS, headers)
    with pytest.raises(vitalwire.SignatureError):
        verifier.verify_headers(EVENTS, {"x-body-signature": []})
    for pairs in ([KEY], ["ab"], [("a",)], [("a", "b", "c")], [5]):
        with pytest.raises(TypeError, match="argument 'headers': must be a mapping, or pairs"):
            verifier.verify_headers(EVENTS, pairs)  # type: ignore[arg-type]
    for odd in ([5], 5, [[right]], None):
        with pytest.raises(TypeError, match="argument 'headers'") as caught:
            verifier.verify_headers(EVENTS, {"x-body-signature": odd})  # type: ignore[arg-type]
        assert right not in str(caught.value)

    for headers in ({}, {"signature": right}, {"X-Body-Signature": signature_of(b"")}, {"X-Body-Signature": "\r\n\udcff"}):
        expect_error(vitalwire.SignatureError, lambda headers=headers: verifier.verify_headers(EVENTS, headers))  # type: ignore[misc]
    message["X-Body-Signature"] = right
    assert "more than one" in str(expect_error(vitalwire.SignatureError, lambda: verifier.verify_headers(EVENTS, message)))


def test_a_failing_mapping_raises_its_own_error() -> None:
    class FailingMapping:
        def items(self) -> list[tuple[str, str]]:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        webhook.Verifier(KEY).verify_headers(EVENTS, FailingMapping())


def test_bodies_of_another_kind_are_decode_errors() -> None:
    assert webhook.parse_events(b"[]") == () and webhook.parse_events(b"null") == ()
    for body in (b"", b"{}", b"7", MEAL, b"\xff", b"[{]"):
        assert expect_error(vitalwire.DecodeError, lambda body=body: webhook.parse_events(body)).code == 1501  # type: ignore[misc]
    for body in (b"", b"[]", b"null", b"{}", EVENTS):
        expect_error(vitalwire.DecodeError, lambda body=body: webhook.parse_nutrition(body))  # type: ignore[misc]
        expect_error(vitalwire.DecodeError, lambda body=body: webhook.parse_lab_report(body))  # type: ignore[misc]
    wrong = MEAL.replace(b'"status":"completed"', b'"status":["Canary state"]')
    assert expect_error(vitalwire.DecodeError, lambda: webhook.parse_nutrition(wrong)).json_path == "status"


def test_the_kind_of_a_body_is_detected() -> None:
    assert [webhook.detect_kind(body) for body in (EVENTS, MEAL, REPORT, b"null")] == ["events", "nutrition", "lab_report", "events"]
    for body in (b'{"record_id":"r","status":"failed"}', b"", b"5", b"\xff", b"[5]"):
        assert webhook.detect_kind(body) is None


def test_content_keys_are_equal_for_equal_contents() -> None:
    # Canonical JSON, written by hand: no spaces, sorted fields, whole numbers without a point.
    canonical = hashlib.sha256(b'[{"a":72,"b":"x/\xc3\xa9"}]').hexdigest()
    for body in (b'[{"a": 72, "b": "x/\xc3\xa9"}]', b'[{"b":"x\\/\\u00e9","a":72.0}]\n', b'[{"a":1,"b":"x/\xc3\xa9","a":7.2e1}]'):
        assert webhook.content_key(body) == canonical
    for body in (b'[{"a":73,"b":"x/\xc3\xa9"}]', b'[{"a":72,"b":"x/\xc3\xa9"},null]', b'[{"a":"72","b":"x/\xc3\xa9"}]'):
        assert webhook.content_key(body) != canonical
    assert webhook.content_key(b"no JSON") == hashlib.sha256(b"no JSON").hexdigest()
    assert webhook.content_key(b"[1,2]") != webhook.content_key(b"[2,1]")


def test_sign_computes_the_signature_of_the_service() -> None:
    assert webhook.sign(EVENTS, KEY) == signature_of(EVENTS)
    assert webhook.sign(bytearray(b""), KEY.encode()) == signature_of(b"")
    # Computed by another program: printf '[]' | openssl dgst -sha256 -hmac a-webhook-key
    assert webhook.sign(b"[]", "a-webhook-key") == "b22728c723346bb7f49e4d578919f441a12922ddf564df7e8bef4350f420f31c"


def test_threads_share_a_verifier_that_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    verifier, body = webhook.Verifier(KEY), b" " * 1_000_000
    right, failures = signature_of(body), list[BaseException]()

    def check() -> None:
        try:
            for _ in range(5):
                verifier.verify(body, right)
                with pytest.raises(vitalwire.SignatureError):
                    verifier.verify(body, "0" * 64)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=check) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and not caplog.records


def test_the_webhook_module_is_imported_with_the_package() -> None:
    assert vitalwire.webhook is webhook and "webhook" in vitalwire.__all__
    assert not hasattr(vitalwire, "verify") and webhook.Verifier.__module__ == "vitalwire.webhook"
    assert all(getattr(webhook, name).__doc__ for name in webhook.__all__)
