"""Tests how the installed package parses the redirect at the end of the consent flow."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest

import vitalwire

STATE = "canary-state-k3Vt9"
QUERY = f"user_id=u-1&provider_slug=garmin&state={STATE}"


@pytest.mark.parametrize(
    "given",
    [
        f"https://app.example.org/connected?{QUERY}",
        f"https://app.example.org/connected?{QUERY}#user_id=u-2&error=no",
        f"com.example.app://back?{QUERY}",
        f"/connected?{QUERY}",
        f"?{QUERY}",
        QUERY,
        f"{QUERY}&{QUERY}",
    ],
)
def test_a_redirect_is_a_url_a_path_or_a_query(given: str) -> None:
    back = vitalwire.parse_consent_redirect(given, STATE)
    assert (back.user_id, back.provider_slug, back.state) == ("u-1", vitalwire.ProviderSlug.GARMIN, STATE)
    assert back.completed and back.failure is None and back.extra == ()


def test_own_parameters_are_returned_in_their_order() -> None:
    back = vitalwire.parse_consent_redirect(f"https://app.example.org/r?tab=a+b&{QUERY}&lang=d%C3%A9&tab=", expected_state=STATE)
    assert back.extra == (("tab", "a b"), ("lang", "dé"), ("tab", ""))


@pytest.mark.parametrize(("query", "text"), [("error=access+denied%3C", "access denied<"), ("error=", ""), ("error=one&error=two", "one")])
def test_a_failed_consent_has_a_failure_text(query: str, text: str) -> None:
    back = vitalwire.parse_consent_redirect(f"?state={STATE}&{query}", STATE)
    assert not back.completed and back.failure == text and back.user_id is None and back.provider_slug is None


def test_the_state_is_not_compared_without_an_expected_one() -> None:
    assert vitalwire.parse_consent_redirect("?user_id=u-1&provider_slug=ring_of_tomorrow").provider_slug == "ring_of_tomorrow"
    assert vitalwire.parse_consent_redirect(QUERY).state == STATE and vitalwire.parse_consent_redirect(QUERY, None).state == STATE


def expect_error(call: Callable[[], object], kind: type[vitalwire.VitalwireError]) -> vitalwire.VitalwireError:
    with pytest.raises(kind) as caught:
        call()
    shown = f"{caught.value!r} {caught.value.__dict__} " + "".join(traceback.format_exception_only(caught.value))
    assert "canary" not in shown and "u-1" not in shown and "another" not in shown
    return caught.value


@pytest.mark.parametrize("query", ["user_id=u-1", f"user_id=u-1&state={STATE}x", f"user_id=u-1&state={STATE}&state=another", "error=no&state=", ""])
def test_a_different_state_is_a_signature_error(query: str) -> None:
    error = expect_error(lambda: vitalwire.parse_consent_redirect(f"https://app.example.org/r?{query}", STATE), vitalwire.SignatureError)
    assert (error.kind, error.code) == ("signature", 1502)


@pytest.mark.parametrize("query", ["", "tab=canary", "user_id=u-1&user_id=another", "user_id=canary%FF", "user_id=canary\udcff"])
def test_an_invalid_redirect_is_a_decode_error(query: str) -> None:
    expect_error(lambda: vitalwire.parse_consent_redirect(f"https://app.example.org/r?{query}"), vitalwire.DecodeError)


def test_an_empty_or_invalid_expected_state_is_rejected() -> None:
    for state in ("", "canary\udcff"):
        error = expect_error(lambda state=state: vitalwire.parse_consent_redirect(QUERY, state), vitalwire.InvalidArgumentError)  # type: ignore[misc]
        assert error.argument == "expected_state" and isinstance(error, ValueError) and error.__context__ is None


def test_arguments_of_wrong_types_are_rejected() -> None:
    calls: list[Callable[[], object]] = [
        lambda: vitalwire.parse_consent_redirect(None),  # type: ignore[arg-type]
        lambda: vitalwire.parse_consent_redirect(QUERY.encode()),  # type: ignore[arg-type]
        lambda: vitalwire.parse_consent_redirect(QUERY, 5),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert "canary" not in str(caught.value)


def test_a_redirect_is_frozen_comparable_and_shows_no_value() -> None:
    back, twin = vitalwire.parse_consent_redirect(QUERY), vitalwire.parse_consent_redirect(f"?{QUERY}")
    assert back == twin and hash(back) == hash(twin) and back != vitalwire.parse_consent_redirect(QUERY + "&a=b")
    assert back != QUERY and len({back, twin}) == 1
    with pytest.raises(AttributeError):
        back.user_id = "u-2"  # type: ignore[misc]
    assert repr(vitalwire.parse_consent_redirect(QUERY + "&error=canary&a=b")) == "ConsentRedirect(user_id, provider_slug, state, failure, extra[1])"
