"""Tests of cohorts as LazyFrames: queries send fewer requests, and return the rows of the same query on a DataFrame with all rows."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Iterator

import cohort_service
import edge_service
import polars
import pytest
from cohort_service import FIRST, LAST, Cohort
from polars import col

import vitalwire
import vitalwire.polars
from vitalwire import cohort

#: Operation of the requests for daily statistics.
DAILY = "daily_statistics"
#: Size of a response with all days of a user, in bytes.
RESPONSE_BYTES = 140_000
JUNE = datetime.date(2025, 6, 1)


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cohort]:
    yield from cohort_service.start(tmp_path_factory.mktemp("polars"), 24)


@pytest.fixture(scope="module")
def days(group: Cohort) -> polars.LazyFrame:
    return vitalwire.polars.scan_daily(group.credentials, "2025-01-01", LAST, group.settings)


@pytest.fixture(scope="module")
def every(days: polars.LazyFrame) -> polars.DataFrame:
    """All rows."""
    return days.collect()


def test_a_scan_returns_the_rows_of_a_reader(group: Cohort, every: polars.DataFrame) -> None:
    assert cohort_service.sorted_rows(every.filter(col("date") >= datetime.date(2025, 10, 1)).to_dicts()) == group.daily()


def test_filters_on_users_and_days_reduce_the_requests(group: Cohort, days: polars.LazyFrame, every: polars.DataFrame) -> None:
    users = group.sandbox.user_ids
    for condition, requests, share in (
        (col("user") == users[3], 1, 1 / 20),
        (col("user").is_in(users[:3]) & (col("date") >= JUNE) & (col("date") < datetime.date(2025, 6, 11)), 3, 1 / 150),
        (col("user").str.ends_with("7") & (col("date").dt.month() == 3), 2, 1 / 80),
        (col("date").is_between(JUNE, JUNE), 24, 1 / 100),
        ((col("user") == users[0]) | (col("date") == JUNE), 24, 1.1),
        (col("date") == col("date").max(), 24, 1.1),
        (col("user") == "nobody", 0, 0),
    ):
        log = group.log()
        assert days.filter(condition).collect().equals(every.filter(condition))
        assert len(log.requests(DAILY)) == requests
        assert log.bytes(DAILY) <= share * 24 * RESPONSE_BYTES


def test_selected_columns_reduce_the_requests_only_if_no_row_is_lost(group: Cohort, days: polars.LazyFrame, every: polars.DataFrame) -> None:
    log = group.log()
    # A day without this statistic has a row too, so all statistics are requested.
    assert days.select("user", "sleep_score").collect().equals(every.select("user", "sleep_score"))
    size = log.bytes(DAILY)
    log, condition = group.log(), col("sleep_score") > 80
    assert days.filter(condition).select("user", "date").collect().equals(every.filter(condition).select("user", "date"))
    assert log.bytes(DAILY) < size / 4
    log, named = group.log(), ["date", "sleep_score"]
    frame = vitalwire.polars.scan_daily(group.credentials, "2025-01-01", LAST, group.settings, columns=named).collect()
    assert frame.equals(every.select("user", *named).drop_nulls("sleep_score")) and log.bytes(DAILY) < size / 4


def test_head_stops_the_requests_early(group: Cohort, every: polars.DataFrame) -> None:
    log = group.log()
    days = vitalwire.polars.scan_daily(group.credentials, "2025-01-01", LAST, group.settings, rate_limits=cohort.RateLimits(in_flight=4))
    assert days.head(10).collect().equals(every.head(10)) and len(log.requests(DAILY)) == 4


def test_streaming_sorting_and_joining_return_correct_rows(days: polars.LazyFrame, every: polars.DataFrame) -> None:
    means = days.group_by("user").agg(col("steps").mean()).sort("user")
    assert means.collect(engine="streaming").shape == (24, 2)
    assert days.sort("steps", descending=True).head(3).collect()["steps"].to_list() == every["steps"].top_k(3).sort(descending=True).to_list()
    assert days.join(days.select("user", "date", other="steps"), on=["user", "date"]).select(polars.len()).collect().item() == every.height


def test_filters_on_days_reduce_the_requests_of_other_tables(group: Cohort) -> None:
    hours = vitalwire.polars.scan_hourly(group.credentials, FIRST, LAST, group.settings)
    noon = datetime.datetime(2025, 10, 30, 12, tzinfo=datetime.timezone.utc)
    log, condition = group.log(), col("from_timestamp") >= noon
    some = hours.filter(condition).collect()
    size = log.bytes("interval_statistics")
    assert some.height > 24 * 20 and some.equals(hours.collect().filter(condition)) and size < log.bytes("interval_statistics") / 5
    nights = vitalwire.polars.scan_sleeps(group.credentials, FIRST, LAST, group.settings)
    log, night = group.log(), col("sleep_date") == datetime.date(2025, 10, 20)
    some = nights.filter(night).collect()
    assert len(log.requests("get_sleep")) <= 8 * 24 and some.height > 15 and some.equals(nights.collect().filter(night))


def test_a_serialized_frame_contains_no_secret(group: Cohort, days: polars.LazyFrame, every: polars.DataFrame) -> None:
    serialized = days.filter(col("user") == group.sandbox.user_ids[1]).serialize()
    assert not any(secret.encode() in serialized for secret in group.secrets)
    assert polars.LazyFrame.deserialize(serialized).collect().equals(every.filter(col("user") == group.sandbox.user_ids[1]))
    credentials = cohort.UserCredentials.from_tokens({"anna": group.secrets[1]})
    with pytest.raises(polars.exceptions.ComputeError, match="cannot be pickled"):
        vitalwire.polars.scan_daily(credentials, FIRST, LAST, group.settings).serialize()


def test_failures_are_a_warning_or_a_list(group: Cohort) -> None:
    user = group.sandbox.user_ids[0]
    credentials = cohort.UserCredentials.from_tokens({"eve": "expired", user: group.secrets[1]})
    with pytest.warns(RuntimeWarning, match="1 reads of users failed"):
        assert len(vitalwire.polars.scan_daily(credentials, FIRST, LAST, group.settings).collect()) == len(group.daily([user]))
    failures = list[cohort.Failure]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vitalwire.polars.scan_daily(credentials, FIRST, LAST, group.settings, failures=failures).collect()
    assert [failure.user for failure in failures] == ["eve"]


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[edge_service.EdgeService]:
    service = edge_service.EdgeService(tmp_path_factory.mktemp("edges"))
    with service:
        yield service


def scan_edges(edges: edge_service.EdgeService, table: cohort.TableName, in_flight: int = 16) -> polars.LazyFrame:
    limits = cohort.RateLimits(in_flight=in_flight)
    return vitalwire.polars.scan(table, edges.credentials, edge_service.FIRST, edge_service.LAST, edges.settings, rate_limits=limits)


def test_filters_on_null_days_return_sleeps_without_a_day(edges: edge_service.EdgeService) -> None:
    day = col("sleep_date")
    # The user `Ben` has no such sleep.
    expected = [("anna", "sleep-7"), ("anna.2", "sleep-7"), ("ben", "sleep-7")]
    for condition in (day.is_null(), day.eq_missing(None), ~day.fill_null(JUNE).is_between(edge_service.FIRST, edge_service.LAST)):
        assert sorted(scan_edges(edges, "sleeps").filter(condition).select("user", "sleep_id").collect().rows()) == expected


def test_head_returns_the_first_rows_of_all_users(edges: edge_service.EdgeService) -> None:
    # October has 6 sleeps of each user, of which Ben lacks 2. The items of November follow.
    rows = scan_edges(edges, "sleeps").collect()
    assert rows["user"].head(20).unique(maintain_order=True).to_list() == list(edge_service.USERS)
    for in_flight in (1, 2, 3):
        assert scan_edges(edges, "sleeps", in_flight).head(30).collect().equals(rows.head(30))


def test_an_invalid_condition_is_an_error_even_if_no_row_is_requested(edges: edge_service.EdgeService) -> None:
    hours = scan_edges(edges, "hourly").filter(col("user") == "nobody", col("steps").str.len_chars() > 3)
    with pytest.raises(polars.exceptions.SchemaError, match="String"):
        hours.collect()
