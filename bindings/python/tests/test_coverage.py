"""Tests coverage: which days have data, and why the others have none."""

from __future__ import annotations

import datetime
import json
import typing
import urllib.parse

import matplotlib
import matplotlib.pyplot
import polars
import pytest
from matplotlib.colors import to_rgb
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Coverage, Table, plot

matplotlib.use("agg")

UTC = datetime.timezone.utc
FIRST, LAST = datetime.date(2025, 3, 1), datetime.date(2025, 3, 6)
#: Steps by day. The other days are absent, except for the fourth, whose statistics are empty.
STEPS: dict[str, dict[str, object]] = {"2025-03-01": {"steps": 5}, "2025-03-02": {"steps": 0}, "2025-03-04": {}}


def day(number: int) -> datetime.date:
    return datetime.date(2025, 3, number)


def respond(request: Request) -> Reply:
    """Responds to statistics; fails for the part that begins on 5 March, and for the sleep `bad`."""
    path, _, query = request.target.partition("?")
    asked = {name: values[0] for name, values in urllib.parse.parse_qs(query).items()}
    if "/sleeps/" in path:
        if path.endswith("bad"):
            return Reply(500, b"{}")
        return Reply(body=json.dumps({"sleep_id": "s", "modified_at": "2025-03-01T08:00:00Z", "start_at_timestamp": "2025-03-01T00:00:00Z", "sleep_date": "2025-03-01"}).encode())
    if "sleep_duration_total" in query:
        listed = {"2025-03-01": ["s"], "2025-03-03": ["bad"]}
        days: list[dict[str, object]] = [{"date": date, "record_ids": ids} for date, ids in listed.items() if date <= asked["to_date"]]
        return Reply(body=json.dumps({"from_date": str(FIRST), "to_date": str(LAST), "statistics": days}).encode())
    first, last = asked["from_date"], asked["to_date"]
    if first == "2025-03-05":
        return Reply(500, b"{}")
    days = [{"date": date, "values": values} for date, values in STEPS.items() if first <= date <= last]
    return Reply(body=json.dumps({"from_date": first, "to_date": last, "statistics": days}).encode())


def client(service: Service) -> vitalwire.Client:
    return vitalwire.Client(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


@pytest.fixture(scope="module")
def covered() -> Coverage:
    """Anna's steps and nights, with failed days, and Ben's steps of two days."""
    with Service(respond) as service, client(service) as own:
        steps = own.statistics.daily_range(FIRST, LAST, ["steps", "heartrate"], part_length="2d", on_error="collect").collect()
        nights = own.sleeps.between(FIRST, day(4), on_error="collect").collect()
        ben = own.statistics.daily(day(3), day(4), ["steps"])
    return vitalwire.coverage({"anna": [steps, nights], "ben": ben}, last=day(7))


def test_each_day_has_its_state(covered: Coverage) -> None:
    assert (covered.people, covered.kinds, len(covered.days)) == (("anna", "ben"), ("steps", "heartrate", "sleep"), 7)
    states = {key: [covered.state(*key, date) for date in covered.days] for key in covered.counts()}
    assert states["anna", "steps"] == ["has_data", "has_data", "no_data", "no_data", "failed", "failed", "not_requested"], "a zero is a value"
    assert states["anna", "heartrate"] == ["no_data"] * 4 + ["failed"] * 2 + ["not_requested"]
    assert states["anna", "sleep"] == ["has_data", "no_data", "failed", "no_data"] + ["not_requested"] * 3
    assert states["ben", "steps"] == ["not_requested"] * 2 + ["no_data"] * 2 + ["not_requested"] * 3
    assert states["ben", "sleep"] == ["not_requested"] * 7


def test_days_are_counted_and_found(covered: Coverage) -> None:
    assert covered.counts()["anna", "steps"] == {"has_data": 2, "no_data": 2, "failed": 2, "not_requested": 1}
    assert covered.last_days()["anna", "steps"] == day(2) and covered.last_days()["ben", "steps"] is None
    assert covered.find("failed", person="anna", kind="sleep") == [day(3)] and covered.find("failed") == [day(3), day(5), day(6)]
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be one of has_data, no_data"):
        covered.find("missing")  # type: ignore[arg-type]


def test_coverage_is_a_frame(covered: Coverage) -> None:
    frame = covered.to_pandas()
    assert list(frame.columns) == ["person", "kind", "date", "state"] and len(frame) == 2 * 3 * 7
    assert (frame["state"] == "failed").sum() == covered.to_polars().filter(polars.col("state") == "failed").height == 5
    assert covered.to_polars().schema["date"] == polars.Date
    assert repr(covered) == "Coverage(2 people x 3 kinds x 7 days)" and "<td>2025-03-02</td>" in covered._repr_html_()


def test_tables_and_lists_of_nights_have_coverage() -> None:
    with Service(respond) as service, client(service) as own:
        search = own.sleeps.between(FIRST, day(2))
        for source in (search, search.collect(), search.collect_table(), search.collect_table(missing="row"), search.table(missing="row")):
            found = vitalwire.coverage(source)
            assert [found.state("", "sleep", date) for date in found.days] == ["has_data", "no_data"]
        (night,) = search
        for nights in (list(search), night, [night.sleep]):
            assert vitalwire.coverage(nights).counts() == {("", "sleep"): {"has_data": 1, "no_data": 0, "failed": 0, "not_requested": 0}}
    hours = b'{"statistics":[{"from_timestamp":"2025-03-01T23:00:00Z","values":{"steps":1}},{"from_timestamp":"2025-03-03T00:00:00Z","values":{}}]}'
    found = vitalwire.coverage({"anna": Table.read("interval_statistics", "interval_statistics", hours)})
    assert [found.state("anna", "steps", date) for date in found.days] == ["has_data", "no_data", "no_data"]


def test_parts_of_hours_cover_their_utc_days() -> None:
    def hours(_: Request) -> Reply:
        return Reply(body=b'{"statistics":[{"from_timestamp":"2025-03-01T23:00:00Z","values":{"steps":1}}]}')

    with Service(hours) as service, client(service) as own:
        merged = own.statistics.interval_range("2025-03-01T00:00:00+00:00", "2025-03-03T00:00:00Z", ["steps"], part_length="1d").collect()
    found = vitalwire.coverage(merged)
    assert [str(date) for date in found.days] == ["2025-03-01", "2025-03-02"], "the end of a part is exclusive"
    assert found.counts()["", "steps"]["has_data"] == 1


def test_a_day_of_two_parts_is_failed_if_one_failed_and_the_other_has_no_value() -> None:
    def first_hours(request: Request) -> Reply:
        if "2025-03-01T00" not in request.target:
            return Reply(500, b"{}")
        return Reply(body=b'{"statistics":[{"from_timestamp":"2025-03-01T23:00:00Z","values":{"steps":1}}]}')

    with Service(first_hours) as service, client(service) as own:
        bounds, length = ("2025-03-01T00:00:00Z", "2025-03-03T00:00:00Z"), datetime.timedelta(hours=36)
        merged = own.statistics.interval_range(*bounds, ["steps"], part_length=length, on_error="collect").collect()
    assert (len(merged.parts), len(merged.failures)) == (1, 1)
    found = vitalwire.coverage(merged)
    assert [found.state("", "steps", date) for date in found.days] == ["has_data", "failed"]


def test_sources_without_days_are_rejected() -> None:
    nothing = Table.read("daily_statistics", "daily_statistics", b'{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}')
    with pytest.raises(vitalwire.InvalidArgumentError, match="must state at least one day"):
        vitalwire.coverage({"anna": nothing})
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument first"):
        vitalwire.coverage({"anna": nothing}, first="2025-03-02", last="2025-03-01")
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be a date, such as 2025-01-31, argument last"):
        vitalwire.coverage({"anna": nothing}, last="yesterday")
    with pytest.raises(TypeError, match="argument 'sources'"):
        vitalwire.coverage({"anna": 5})
    # Bounds suffice: nothing was requested.
    assert vitalwire.coverage({"anna": nothing}, first="2025-03-01", last="2025-03-02").counts() == {}


def test_the_picture_has_a_row_for_each_person_and_kind(covered: Coverage) -> None:
    ax = plot.coverage(covered)
    image: typing.Any = ax.get_images()[0]
    assert image.get_array().tolist()[0] == [0, 0, 1, 1, 2, 2, 3] and len(image.get_array()) == 6
    assert [label.get_text() for label in ax.get_yticklabels()][:3] == ["anna  Steps", "anna  Heart rate", "anna  Sleep"]
    legend = ax.get_legend()
    assert legend is not None and [text.get_text() for text in legend.get_texts()] == ["data", "no data", "failed", "not requested"]
    assert len({to_rgb(patch.get_facecolor()) for patch in legend.get_patches()}) == 4
    (given,) = matplotlib.pyplot.figure().subplots(1, 1, squeeze=False)[0]
    assert covered.plot(ax=given) is given
    matplotlib.pyplot.close("all")
