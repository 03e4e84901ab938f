"""Tests tables of several people: how they are joined, their errors and progress, and that plots and coverage keep people apart. Values are
written by hand."""

# matplotlib has few annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import json
import math
import pickle
import sys
import typing

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas
import polars
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer
from matplotlib.dates import num2date
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Table, plot

DAY = datetime.timedelta(days=1)
MONDAY = datetime.date(2025, 3, 3)


@pytest.fixture(autouse=True)
def _close_figures() -> typing.Iterator[None]:
    yield
    plt.close("all")


def daily(values: typing.Sequence[float | None], name: str = "steps") -> Table:
    """Returns a table with a day for each value, from a Monday on."""
    rows = [{"date": str(MONDAY + at * DAY), "values": {} if value is None else {name: value}} for at, value in enumerate(values)]
    return Table.read("daily_statistics", "daily_statistics", json.dumps({"from_date": str(MONDAY), "to_date": str(MONDAY), "statistics": rows}).encode())


def night(of: str, table: str = "sleeps", **members: object) -> Table:
    """Returns a table of a night from 22:00 on a Monday in March to 06:00 on the next day, in UTC."""
    record = {"sleep_id": of, "modified_at": "2025-03-04T07:00:00Z", "sleep_date": "2025-03-04", "user_time_offset_minutes": 0}
    times = {"start_at_timestamp": "2025-03-03T22:00:00Z", "end_at_timestamp": "2025-03-04T06:00:00Z"}
    return Table.read(table, "get_sleep", json.dumps({**record, **times, **members}).encode())


def stages(of: str, *names: str) -> Table:
    """Returns a table with an hour for each stage, from 22:00 on."""
    starts = [datetime.datetime(2025, 3, 3, 22, tzinfo=datetime.timezone.utc) + at * datetime.timedelta(hours=1) for at in range(len(names) + 1)]
    rows = [{"stage": name, "start_at": start.isoformat(), "end_at": end.isoformat()} for name, start, end in zip(names, starts, starts[1:])]
    return night(of, "sleep_stages", stages=rows)


def samples(of: str, **values: list[float]) -> Table:
    """Returns a table of samples every five minutes from 22:00 on."""
    count = len(next(iter(values.values())))
    return night(of, "sleep_samples", samples={"offsets": [at * 300_000 for at in range(count)], "values": values})


#: A table of several people as it is, and as frames with and without the default name of the column.
FORMS: list[tuple[str, typing.Callable[[Table], typing.Any]]] = [
    ("user", lambda table: table),
    ("person", lambda table: table),
    ("user", lambda table: pickle.loads(pickle.dumps(table))),
    ("user", lambda table: table.to_pandas()),
    ("person", lambda table: table.to_pandas()),
    ("user", lambda table: table.to_pandas(dtype_backend="pyarrow")),
    ("user", lambda table: table.to_pandas(durations="timedelta")),
    ("user", lambda table: table.to_pandas().set_index("user")),
    ("user", lambda table: pandas.concat({who: part.drop(columns="user") for who, part in table.to_pandas().groupby("user", sort=False)})),
    ("user", lambda table: table.to_pandas()[[*table.columns[1:], "user"]]),
    ("user", lambda table: table.to_polars()),
    ("person", lambda table: table.to_polars()),
    ("user", lambda table: table.to_polars(durations="timedelta")),
]
each_form = pytest.mark.parametrize(("key", "form"), FORMS, ids=[f"{key}-{at}" for at, (key, _) in enumerate(FORMS)])


def keys(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def line_values(ax: Axes) -> list[list[float]]:
    lines: list[typing.Any] = [line.get_ydata() for line in ax.get_lines()]
    return [[float(value) for value in line] for line in lines]


@each_form
def test_trends_have_a_line_for_each_person(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    table = vitalwire.concat({"anna": daily([1.0, 2.0, 3.0]), "ben": daily([10.0, None, 30.0]), "$c": daily([5.0])}, key)
    ax = plot.trends(form(table), "steps")
    first, second, third = line_values(ax)
    assert first == [1, 2, 3] and third == [5]
    assert (second[0], second[2]) == (10, 30) and math.isnan(second[1]), "a missing day is a gap"
    assert keys(ax) == ["anna", "ben", r"\$c"]
    assert len({line.get_color() for line in ax.get_lines()}) == 3
    assert [num2date(end).date() for end in ax.get_xlim()] == [MONDAY - DAY, MONDAY + 2 * DAY]
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.canvas.draw()


def test_trends_of_several_people_have_means_and_panels() -> None:
    people = {"anna": daily([1.0, 3.0]), "ben": daily([2.0, 4.0])}
    upper, lower = plot.trends(vitalwire.concat(people), ["steps", "heartrate_resting"], rolling=2)
    # Half of two days is enough for a mean.
    assert line_values(upper) == [[1, 3], [1, 2], [2, 4], [2, 3]]
    assert keys(upper) == ["anna", "ben"] and keys(lower) == [] and [text.get_text() for text in lower.texts] == ["no data"]
    many = plot.trends(vitalwire.concat({f"person-{at}": daily([float(at)]) for at in range(40)}), "steps")
    assert len(keys(many)) == 40 and len({str(line.get_color()) for line in many.get_lines()}) == 40


def test_people_without_a_known_column_are_not_mixed() -> None:
    frame = vitalwire.concat({"anna": daily([1.0, 2.0]), "ben": daily([3.0])}).to_pandas().rename(columns={"user": "study_id"})
    assert keys(plot.trends(frame, "steps")) == ["anna", "ben"], "a first column of texts has the people"
    frame = frame[["date", "steps", "study_id"]]
    calls: list[typing.Callable[[], object]] = [lambda: plot.trends(frame, "steps"), lambda: plot.weekdays(frame, "steps"), lambda: vitalwire.coverage(frame)]
    for call in [*calls, lambda: plot.before_after(frame, "steps", MONDAY + DAY), lambda: plot.trends(polars.from_pandas(frame), "steps")]:
        with pytest.raises(vitalwire.InvalidArgumentError, match="must have one row for each day of a person; name the column of people `user`"):
            call()
    assert keys(plot.trends(frame.rename(columns={"study_id": "user"}), "steps")) == ["anna", "ben"]


def test_one_person_is_drawn_as_before() -> None:
    for source in (daily([1.0, 2.0]), daily([1.0, 2.0]).to_pandas(), daily([1.0, 2.0]).to_polars(), vitalwire.concat({"anna": daily([1.0, 2.0])})):
        (ax,) = plot.trends(source)
        assert line_values(ax) == [[1, 2]] and keys(ax) == []
    read = daily([1.0, 2.0]).to_pandas()
    # As pandas reads a file: integers, and dates as times.
    read = read.assign(steps=read["steps"].astype("int64"), date=pandas.to_datetime(read["date"]), weekday="x")
    assert line_values(plot.trends(read, "steps")) == [[1, 2]]


@each_form
def test_weekdays_have_boxes_for_each_person(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    # Two Mondays with values 1 and 3, and 11 and 13.
    table = vitalwire.concat({"anna": daily([1.0, *[None] * 6, 3.0]), "ben": daily([11.0, *[None] * 6, 13.0])}, key)
    ax = plot.weekdays(form(table), "steps")
    drawn: list[typing.Any] = list(ax.collections)
    dots = [[(float(x), float(y)) for x, y in artist.get_offsets()] for artist in drawn if not isinstance(artist, LineCollection)]
    assert [[y for _, y in of] for of in dots] == [[1, 3], [11, 13]] and keys(ax) == ["anna", "ben"]
    # Side by side: all of Anna's are left of the day, all of Ben's right of it, and both are within its slot.
    assert all(-0.5 < x < 0 for x, _ in dots[0]) and all(0 < x < 0.5 for x, _ in dots[1])
    medians: list[typing.Any] = [path.vertices for artist in drawn if isinstance(artist, LineCollection) for path in artist.get_paths()]
    assert [float(line[0][1]) for line in medians] == [2, 12]


@each_form
def test_periods_are_compared_for_each_person(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    table = vitalwire.concat({"anna": daily([1.0, 1.0, 3.0, 3.0]), "ben": daily([9.0, 9.0, 4.0, 4.0]), "carl": daily([7.0])}, key)
    ax = plot.before_after(form(table), "steps", MONDAY + 2 * DAY)
    assert keys(ax) == ["anna: +2 (95% interval +2 to +2)", "ben: -5 (95% interval -5 to -5)", "carl: too few days"]
    assert line_values(ax)[:4] == [[1, 1], [3, 3], [9, 9], [4, 4]] and ax.get_title("left") == ""


@each_form
def test_sleeps_of_each_person_have_their_own_bars(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    nap: dict[str, typing.Any] = {"start_at_timestamp": "2025-03-04T13:00:00Z", "end_at_timestamp": "2025-03-04T14:00:00Z", "metrics": {"sleep_duration_nap": 1}}
    table = vitalwire.concat({"anna": night("a"), "ben": night("b", **nap)}, key)
    for style, start in (("raster", -2.0), ("actogram", 22.0)):
        ax = plot.sleep_timing(form(table), style=typing.cast(typing.Literal["raster", "actogram"], style))
        found = [(bar.get_y() + bar.get_height() / 2, bar.get_x(), bar.get_height()) for all in ax.containers if isinstance(all, BarContainer) for bar in all.patches]
        assert keys(ax) == ["anna", "ben"]
        # Both share the height 0.8 of a row: Anna's bars are above its middle, Ben's below.
        assert {round(height, 6) for *_, height in found} == {0.4}
        assert (-0.2, start) in [(round(y, 6), x) for y, x, _ in found] and any(round(y % 1, 6) == 0.2 for y, *_ in found)


@each_form
def test_samples_and_glucose_have_a_line_for_each_person(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    table = form(vitalwire.concat({"anna": samples("a", glucose=[90.0, 95.0]), "ben": samples("b", glucose=[110.0, 120.0, 130.0])}, key))
    for ax in (plot.samples(table, "glucose"), plot.glucose(table, target=None)):
        assert line_values(ax) == [[90, 95], [110, 120, 130]] and keys(ax) == ["anna", "ben"]


def test_people_in_several_time_zones_share_an_axis_in_utc() -> None:
    record: dict[str, object] = {"samples": {"offsets": [0], "values": {"heartrate": [60.0]}}}
    berlin, tokyo = (night("a", "sleep_samples", user_time_offset_minutes=offset, **record) for offset in (60, 540))
    assert plot.samples(vitalwire.concat({"anna": berlin, "ben": berlin}), "heartrate").get_xlabel() == "local time (UTC+01:00)"
    assert plot.samples(vitalwire.concat({"anna": berlin, "ben": tokyo}), "heartrate").get_xlabel() == "time (UTC)"


def test_meals_have_the_colour_of_their_person() -> None:
    meal = {"record_id": "m", "status": "completed", "uploaded_at": "2025-03-03T22:00:00Z", "modified_at": "2025-03-03T22:00:00Z", "consumed_at": "2025-03-03T22:02:00Z"}
    meals = Table.read("nutrition_records", "get_nutrition_record", json.dumps({**meal, "nutritional_fields": {"energy_kcal": 500}}).encode())
    both = vitalwire.concat({"anna": samples("a", glucose=[90.0]), "ben": samples("b", glucose=[110.0])})
    ax = plot.glucose(both, vitalwire.concat({"ben": meals, "carl": meals}), target=None)
    anna, ben, eaten = ax.get_lines()
    assert eaten.get_color() == ben.get_color() != anna.get_color() and [text.get_text() for text in ax.texts] == [" 500 kcal"]


@each_form
def test_hypnograms_have_a_panel_for_each_person(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    table = vitalwire.concat({"anna": stages("a", "awake", "deep"), "ben": stages("b", "light")}, key)
    upper, lower = plot.hypnogram(form(table))
    assert [ax.get_ylabel() for ax in (upper, lower)] == ["anna  Tue 04 Mar", "ben  Mon 03 Mar"], "each night has the date of its end"
    assert [str(bars.get_gid()) for bars in upper.collections] == ["awake", "deep"] and [str(bars.get_gid()) for bars in lower.collections] == ["light"]
    single = plot.hypnogram(form(vitalwire.concat({"anna": stages("a", "deep")}, key)))
    assert isinstance(single, Axes)


@each_form
def test_coverage_keeps_people_apart(key: str, form: typing.Callable[[Table], typing.Any]) -> None:
    table = vitalwire.concat({"anna": daily([1.0, None, 3.0]), "ben": daily([None, 2.0])}, key)
    found = vitalwire.coverage(form(table))
    assert found.people == ("anna", "ben") and found.kinds == ("steps",)
    states = {who: [found.state(who, "steps", day) for day in found.days] for who in found.people}
    assert states == {"anna": ["has_data", "no_data", "has_data"], "ben": ["no_data", "has_data", "not_requested"]}
    assert found.last_days() == {("anna", "steps"): MONDAY + 2 * DAY, ("ben", "steps"): MONDAY + DAY}
    ax = plot.coverage(form(table))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["anna  Steps", "ben  Steps"]
    slept = vitalwire.coverage([form(table), form(vitalwire.concat({"anna": night("a")}, key))])
    assert slept.kinds == ("steps", "sleep") and slept.last_days()["anna", "sleep"] == MONDAY + DAY and slept.last_days()["ben", "sleep"] is None
    with pytest.raises(vitalwire.InvalidArgumentError, match="a table of several people must have no key"):
        vitalwire.coverage({"all": form(table)})


def test_frames_of_one_person_have_coverage() -> None:
    for frame in (daily([1.0, None]).to_pandas(), daily([1.0, None]).to_polars()):
        for sources, person in ((frame, ""), ({"anna": frame}, "anna")):
            assert vitalwire.coverage(sources).counts() == {(person, "steps"): {"has_data": 1, "no_data": 1, "failed": 0, "not_requested": 0}}
    with pytest.raises(TypeError, match="tables with dates or instants"):
        vitalwire.coverage(pandas.DataFrame({"steps": [1]}))
    with pytest.raises(TypeError, match="tables with dates or instants"):
        vitalwire.coverage(polars.DataFrame({"steps": [1]}))


def respond(request: Request) -> Reply:
    """Responds with steps; rejects the token of Ben, and has a night on 4 March only."""
    if b"token-ben" in request.headers.get("authorization", "").encode():
        return Reply(401, b'{"status": 401}')
    if "/sleeps/" in request.target:
        record = {"sleep_id": "s", "modified_at": "2025-03-04T08:00:00Z", "start_at_timestamp": "2025-03-03T22:00:00Z", "sleep_date": "2025-03-04"}
        return Reply(body=json.dumps(record).encode())
    days = [{"date": "2025-03-04", "record_ids": ["s"], "values": {"steps": 5}}]
    return Reply(body=json.dumps({"from_date": "2025-03-03", "to_date": "2025-03-05", "statistics": days}).encode())


def client(service: Service, name: str) -> vitalwire.Client:
    return vitalwire.Client(service.url, token=f"token-{name}", allow_plain_http=True, proxy="none", max_retries=0)


def notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))


def test_an_error_names_the_person_and_keeps_the_tables_before_it() -> None:
    with Service(respond) as service:
        ranges = {name: client(service, name).statistics.daily_range(MONDAY, MONDAY + 2 * DAY, ["steps"]) for name in ("anna", "ben", "carl")}
        with pytest.raises(vitalwire.AuthenticationError) as raised:
            vitalwire.concat(ranges)
        assert raised.value.tables is not None and list(raised.value.tables) == ["anna"]
        assert "token" not in "".join(notes(raised.value))
        if sys.version_info >= (3, 11):
            assert 'the table of "ben"' in notes(raised.value)
        before = len(service.requests)
        left = {name: found for name, found in ranges.items() if name != "ben"}
        joined = vitalwire.concat({**left, **raised.value.tables})
        assert joined["user"] == ["anna", "carl"] and joined["steps"] == [5, 5]
        assert len(service.requests) == before + 1, "only Carl's days are requested"
    assert pickle.loads(pickle.dumps(raised.value)).tables is None
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be a table of the same kind") as raised_kind:
        vitalwire.concat({"anna": daily([1.0]), "ben": night("b")})
    if sys.version_info >= (3, 11):
        assert notes(raised_kind.value) == ['the table of "ben"']


def test_days_without_a_sleep_are_rows_on_request() -> None:
    with Service(respond) as service:
        searches = {name: client(service, name).sleeps.between(MONDAY, MONDAY + 2 * DAY) for name in ("anna", "carl")}
        table = vitalwire.concat(searches, missing="row")
        with pytest.raises(vitalwire.InvalidArgumentError, match="pass the search instead of its result"):
            vitalwire.concat({"anna": searches["anna"].collect()}, missing="row")
    assert table["sleep_date"] == [MONDAY, MONDAY + DAY, MONDAY + 2 * DAY] * 2
    assert table["sleep_id"] == [None, "s", None] * 2 and table["user"] == ["anna"] * 3 + ["carl"] * 3
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be None or 'row'"):
        vitalwire.concat(searches, missing="rows")  # type: ignore[arg-type]


def test_each_person_has_their_own_time_zone() -> None:
    people = {"anna": night("a"), "ben": night("b")}
    table = vitalwire.concat(people, tz={"anna": "Europe/Berlin", "ben": "America/New_York"})
    assert [moment.hour for moment in table["start_at_timestamp_local"]] == [23, 17]
    assert [moment.hour for moment in vitalwire.concat(people, tz="Asia/Tokyo")["start_at_timestamp_local"]] == [7, 7]
    with pytest.raises(vitalwire.InvalidArgumentError, match="must have a time zone for each key"):
        vitalwire.concat(people, tz={"anna": "Europe/Berlin"})
    if sys.version_info >= (3, 11):
        with pytest.raises(vitalwire.InvalidArgumentError, match="argument zone") as raised:
            vitalwire.concat(people, tz={"anna": "Europe/Berlin", "ben": "Nowhere"})
        assert 'the table of "ben"' in notes(raised.value)


def test_progress_says_whose_table_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("vitalwire._progress.SECONDS_BETWEEN_LINES", 0.0)
    vitalwire.concat({"anna": daily([1.0, 2.0]), "ben": daily([3.0])}, progress=True)
    assert capsys.readouterr().err.splitlines() == [
        "concat: anna: 0 of 2 users, 0 items",
        "concat: ben: 1 of 2 users, 2 items",
        "concat: 2 of 2 users, 3 items",
    ]
    vitalwire.concat({"anna": daily([1.0])})
    assert capsys.readouterr().err == ""


def test_late_absent_and_new_people_have_coverage() -> None:
    delivery = {"person-2": "late:3", "person-3": "absent", "person-4": "new:5"}
    today = datetime.date(2025, 11, 20)
    with vitalwire.Sandbox(seed=7, today=today, delivery=delivery) as sandbox:
        clients = {user: sandbox.client(token=sandbox.token_of(user)) for user in sandbox.user_ids}
        days = {user: each.statistics.daily("2025-11-01", today, ["steps"]) for user, each in clients.items()}
        nights = {user: each.sleeps.between("2025-11-10", today).collect() for user, each in clients.items()}
        sandbox.advance(2 * DAY)
        later = clients["person-2"].statistics.daily("2025-11-01", "2025-11-22", ["steps"])
    covered = vitalwire.coverage({user: [days[user], nights[user]] for user in days}, last=today)
    last = covered.last_days()
    assert [last[user, "steps"] for user in days] == [today, today - 3 * DAY, None, today]
    assert [last[user, "sleep"] for user in days] == [today, today - 3 * DAY, None, today]
    assert covered.counts()["person-4", "steps"]["has_data"] == 5 and covered.counts()["person-1", "steps"]["has_data"] == 20
    assert later.statistics[-1].date == today - DAY, "late data arrives as the clock advances"
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be USER=late:DAYS, .*, argument delivery"):
        vitalwire.Sandbox(delivery={"person-2": "soon"}).start()
