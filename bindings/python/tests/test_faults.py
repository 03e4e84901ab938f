"""Each fault of the sandbox once; `tests/faults/README.md` of the repository says what must come of it."""

from __future__ import annotations

import pathlib

import pytest

import vitalwire

#: What is switched on, the number of the error's kind (0: none), and the requests it takes.
EXPECTED = [
    line.split("\t")
    for line in (pathlib.Path(__file__).parents[3] / "tests/faults/user_info.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("fault", "error", "requests"), EXPECTED, ids=[fault for fault, _, _ in EXPECTED])
def test_what_a_read_survives_and_what_it_reports(service: vitalwire.Sandbox, fault: str, error: str, requests: str) -> None:
    service.clear_faults()
    service.add_fault(fault)
    # A client of its own: no connection is left of what went before.
    client = service.client()
    try:
        response = client.user.info().response
        assert response is not None
        seen = (0, response.attempts)
    except vitalwire.VitalwireError as raised:
        seen = (raised.code, raised.attempts)
    assert seen == (int(error), int(requests))
