"""Plays each fault of the sandbox once. `tests/faults/README.md` in the repository has the expected results."""

from __future__ import annotations

import pathlib

import pytest
from test_smoke import png

import vitalwire

#: Expected results of each fault: error code (0 for success) and number of requests of a read, then of an upload, then the effect of a
#: failed upload.
EXPECTED = [
    line.split("\t")
    for line in (pathlib.Path(__file__).parents[3] / "tests/faults/outcomes.tsv").read_text(encoding="utf-8").splitlines()[1:]
]

CALLS = [
    (call, fault, *outcome)
    for fault, *cells in EXPECTED
    for call, outcome in (("read", [*cells[:2], "-"]), ("upload", cells[2:]))
]


@pytest.mark.parametrize(("call", "fault", "error", "requests", "effect"), CALLS, ids=[f"{call}: {fault}" for call, fault, *_ in CALLS])
def test_faults_are_retried_or_reported_as_expected(
    service: vitalwire.Sandbox, call: str, fault: str, error: str, requests: str, effect: str
) -> None:
    service.clear_faults()
    service.add_fault(fault)
    # A new client, because an earlier one may have open connections.
    client = service.client()
    try:
        response = client.user.info().response if call == "read" else client.nutrition_records.upload(body=png()).response
        assert response is not None
        seen = (0, response.attempts, "-")
    except vitalwire.VitalwireError as raised:
        seen = (raised.code, raised.attempts, "-" if call == "read" else str(raised.may_have_taken_effect).lower())
    assert seen == (int(error), int(requests), effect)
