# --8<-- [start:start]
import datetime
from collections.abc import Iterator

import pytest

import vitalwire


def active_days(client: vitalwire.Client) -> int:
    """Counts the days of a week with 9,000 steps. This is the function under test."""
    week = client.statistics.daily("2025-11-14", "2025-11-20", ["steps"])
    values = [day.values for day in week.statistics or () if day.values is not None]
    return sum(day["steps"] >= 9000 for day in values if "steps" in day)


# --8<-- [end:start]
# --8<-- [start:sandbox]
@pytest.fixture(scope="session")
def sandbox() -> Iterator[vitalwire.Sandbox]:
    with vitalwire.Sandbox(seed=1, today=datetime.date(2025, 12, 1)) as sandbox:
        yield sandbox


def test_a_week_of_the_sandbox(sandbox: vitalwire.Sandbox) -> None:
    assert active_days(sandbox.client()) == 4


def test_a_short_outage_is_not_visible(sandbox: vitalwire.Sandbox) -> None:
    sandbox.add_fault("status; status=503; times=2; operation=daily_statistics")
    assert active_days(sandbox.client()) == 4


# --8<-- [end:sandbox]
# --8<-- [start:mock]
def test_a_day_without_data_is_not_active() -> None:
    days = [
        {"date": "2025-11-14", "values": {"steps": 9000}},
        {"date": "2025-11-15", "values": {}},
    ]
    body = {"from_date": "2025-11-14", "to_date": "2025-11-20", "statistics": days}
    responses = vitalwire.MockResponses().on("daily_statistics", body)
    assert active_days(vitalwire.Client(mock_responses=responses)) == 1
    (request,) = responses.requests
    assert ("types", "steps") in request.query


def test_a_broken_connection_is_an_error() -> None:
    responses = vitalwire.MockResponses().on("daily_statistics", status=0)
    with pytest.raises(vitalwire.TransportError):
        active_days(vitalwire.Client(mock_responses=responses))
    assert len(responses.requests) == 3  # Two retries, without delay.


# --8<-- [end:mock]
