"""Tests plots of many days: bars, boxes, bands and lines for values written by hand. Does not compare pixels."""

# matplotlib has few annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import json
import math
import pathlib
import typing

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas
import polars
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer

import vitalwire
from vitalwire import Table, plot
from vitalwire.plot._comparison import _t_quantile, _welch

UTC = datetime.timezone.utc
FIRST = datetime.date(2025, 3, 3)


@pytest.fixture(autouse=True)
def _close_figures() -> typing.Iterator[None]:
    before = dict(matplotlib.rcParams)
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == before, "the caller's style was changed"


def sleep(start: str, end: str, date: str, offset: int | None, nap: bool = False) -> Table:
    metrics = {"sleep_duration_nap": 1} if nap else {}
    record = {"modified_at": start, "start_at_timestamp": start, "end_at_timestamp": end, "sleep_date": date, "user_time_offset_minutes": offset, "metrics": metrics}
    return Table.read("sleeps", "get_sleep", json.dumps(record).encode())


def nights() -> Table:
    """Three sleeps: from 23:00 to 06:00 local time, a nap, and after two empty days a night across the end of standard time in Berlin."""
    rows = [
        sleep("2025-03-26T22:00:00Z", "2025-03-27T05:00:00Z", "2025-03-27", 60),
        sleep("2025-03-27T13:00:00Z", "2025-03-27T14:00:00Z", "2025-03-27", 60, nap=True),
        sleep("2025-03-29T22:00:00Z", "2025-03-30T05:00:00Z", "2025-03-30", 120),
    ]
    joined: Table = Table._concat([(None, row) for row in rows], "")  # type: ignore[attr-defined]
    return joined


def daily(values: typing.Sequence[float | None], name: str = "steps") -> Table:
    rows = [{"date": str(FIRST + datetime.timedelta(days=at)), "values": {} if value is None else {name: value}} for at, value in enumerate(values)]
    return Table.read("daily_statistics", "daily_statistics", json.dumps({"from_date": str(FIRST), "to_date": str(FIRST), "statistics": rows}).encode())


def bars(ax: Axes) -> list[tuple[float, float, float]]:
    """Returns row, start and end of each bar."""
    found = [bar for container in ax.containers if isinstance(container, BarContainer) for bar in container.patches]
    return [(round(bar.get_y() + bar.get_height() / 2), bar.get_x(), bar.get_x() + bar.get_width()) for bar in found]


def points(artist: typing.Any) -> list[tuple[float, float]]:
    """Returns the dots of a scatter plot."""
    return [(float(x), float(y)) for x, y in artist.get_offsets()]


def line_values(line: typing.Any) -> list[float]:
    return [float(value) for value in line.get_ydata()]


def test_a_raster_has_a_row_for_each_day() -> None:
    ax = plot.sleep_timing(nights())
    # The offset of the record applies to the whole night; empty rows stay between the days.
    assert bars(ax) == [(0, -1.0, 6.0), (3, 0.0, 7.0), (0, 14.0, 15.0)]
    assert ax.get_ylim() == (3.5, -0.5) and ax.get_xlim() == (-6.0, 18.0) and ax.get_xlabel() == "local time"
    legend = ax.get_legend()
    assert legend is not None and [text.get_text() for text in legend.get_texts()] == ["sleep", "nap"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Thu 27 Mar", "Fri 28 Mar", "Sat 29 Mar", "Sun 30 Mar"]


def test_a_time_zone_applies_across_the_change_of_clocks() -> None:
    ax = plot.sleep_timing(nights(), tz="Europe/Berlin")
    assert bars(ax)[1] == (3, -1.0, 7.0) and ax.get_xlabel() == "local time (Europe/Berlin)"


def test_an_actogram_shows_each_sleep_on_all_rows_of_its_days() -> None:
    ax = plot.sleep_timing(nights()[:1], style="actogram")
    assert bars(ax) == [(0, 23.0, 30.0), (1, 0.0, 6.0)] and ax.get_xlim() == (0.0, 48.0)
    both = bars(plot.sleep_timing(nights(), style="actogram"))
    assert (3, 24.0, 31.0) in both and (4, 0.0, 7.0) in both and (1, 14.0, 15.0) in both and (0, 38.0, 39.0) in both


@pytest.mark.parametrize("convert", [Table.to_pandas, Table.to_polars, lambda table: table, lambda table: table.to_pandas(durations="timedelta")])
def test_frames_and_tables_draw_the_same(convert: typing.Callable[[Table], typing.Any]) -> None:
    assert bars(plot.sleep_timing(convert(nights()))) == bars(plot.sleep_timing(nights()))
    values = [float(at % 5) for at in range(30)]

    def dots(ax: Axes) -> list[list[float]]:
        return [[round(y, 6) for _, y in points(artist)] for artist in ax.collections]

    assert dots(plot.weekdays(convert(daily(values)), "steps")) == dots(plot.weekdays(daily(values), "steps"))
    assert plot.before_after(convert(daily(values)), "steps", "2025-03-20").get_title("left") == plot.before_after(daily(values), "steps", "2025-03-20").get_title("left")


def test_weekdays_have_their_days_and_medians() -> None:
    # Two weeks, with a missing Wednesday, from a Monday on.
    values: list[float | None] = [float(at) for at in range(35)]
    values[2] = None
    ax = plot.weekdays(daily(values), "steps")
    assert [len(points(artist)) for artist in ax.collections] == [5, 5, 4, 5, 5, 5, 5]
    assert [round(x) for x, _ in points(ax.collections[0])] == [0] * 5
    assert ax.get_ylabel() == "Steps" and [label.get_text() for label in ax.get_xticklabels()][::6] == ["Mon", "Sun"]
    few = plot.weekdays(daily([3_600_000.0 * 7], "sleep_duration_total"), "sleep_duration_total")
    assert few.get_ylabel() == "Sleep duration total (h)" and points(few.collections[0])[0][1] == 7.0


def test_periods_are_compared_with_confidence_intervals() -> None:
    values = [10.0, 12.0, 14.0, None, 20.0, 22.0, 24.0]
    ax = plot.before_after(daily(values), "steps", "2025-03-07")
    # Means 12 and 22; each standard error is 2 / sqrt(3); 4.303 is the quantile of t for two degrees of freedom.
    reach = 4.302653 * 2 / math.sqrt(3)
    band: typing.Any = ax.collections[1].get_paths()[0].vertices
    assert (round(float(band[:, 1].min()), 3), round(float(band[:, 1].max()), 3)) == (round(12 - reach, 3), round(12 + reach, 3))
    # Four degrees of freedom by Welch: 2.776.
    difference, half = _welch((12, 2 / math.sqrt(3), 3), (22, 2 / math.sqrt(3), 3), 0.95)
    assert (difference, round(half, 3)) == (10, round(2.776445 * math.sqrt(8 / 3), 3))
    assert ax.get_title("left") == f"difference +10 (95% interval {10 - half:+.3g} to {10 + half:+.3g})"
    same = plot.before_after(daily([5.0, 5.0, 5.0, 5.0]), "steps", datetime.date(2025, 3, 5))
    assert same.get_title("left") == "difference +0 (95% interval +0 to +0)"


@pytest.mark.parametrize(("confidence", "freedom", "expected"), [(0.95, 1, 12.7062), (0.95, 10, 2.22814), (0.99, 5, 4.03214), (0.95, 1e6, 1.95997), (0.5, 2.5, 0.7844)])
def test_quantiles_match_the_tables_of_students_t(confidence: float, freedom: float, expected: float) -> None:
    assert math.isclose(_t_quantile(confidence, freedom), expected, rel_tol=2e-3)


def samples(values: typing.Sequence[float | None]) -> Table:
    offsets = [at * 300_000 for at in range(len(values))]
    record = {"modified_at": "2025-03-01T08:00:00Z", "start_at_timestamp": "2025-03-01T00:00:00Z", "samples": {"offsets": offsets, "values": {"glucose": values}}}
    return Table.read("sleep_samples", "get_sleep", json.dumps(record).encode())


def test_glucose_has_gaps_meals_and_a_target() -> None:
    meal = {"record_id": "m", "status": "completed", "uploaded_at": "2025-03-01T00:12:00Z", "modified_at": "2025-03-01T00:12:00Z", "consumed_at": "2025-03-01T00:10:00Z"}
    meals = Table.read("nutrition_records", "get_nutrition_record", json.dumps({**meal, "nutritional_fields": {"energy_kcal": 512.4}}).encode())
    ax = plot.glucose(samples([90, 95, *[None] * 8, 100, 110]), meals, target=(70, 140))
    lines = [line_values(line) for line in ax.get_lines()]
    assert lines[:2] == [[90.0, 95.0], [100.0, 110.0]], "a gap is not drawn"
    eaten: typing.Any = ax.get_lines()[2].get_xdata()
    assert eaten[0] == datetime.datetime(2025, 3, 1, 0, 10, tzinfo=UTC)
    assert [text.get_text() for text in ax.texts] == [" 512 kcal"] and ax.get_ylabel() == "Glucose (mg/dL)"
    for frame in (meals.to_pandas(), meals.to_polars()):
        assert [text.get_text() for text in plot.glucose(samples([90]).to_pandas(), frame).texts] == [" 512 kcal"]


def test_axes_of_the_caller_are_used() -> None:
    figure, grid = plt.subplots(1, 4)
    own = list(grid)
    drawn = [
        plot.sleep_timing(nights(), ax=own[0]),
        plot.weekdays(daily([1.0]), "steps", ax=own[1]),
        plot.before_after(daily([1.0, 2.0, 3.0, 4.0]), "steps", "2025-03-05", ax=own[2]),
        plot.glucose(samples([90]), ax=own[3]),
    ]
    assert drawn == own
    figure.canvas.draw()


def test_wrong_arguments_are_named() -> None:
    empty = daily([None])
    cases: list[tuple[typing.Callable[[], object], str]] = [
        (lambda: plot.sleep_timing(nights()[:0]), "nights"),
        (lambda: plot.sleep_timing(nights(), style="spiral"), "style"),  # type: ignore[arg-type]
        (lambda: plot.sleep_timing(daily([1.0])), "nights"),
        (lambda: plot.weekdays(empty, "steps"), "statistics"),
        (lambda: plot.weekdays(daily([1.0]), "heartrate"), "statistics"),
        (lambda: plot.before_after(daily([1.0, 2.0, 3.0]), "steps", "2025-03-05"), "day"),
        (lambda: plot.before_after(daily([1.0] * 9), "steps", "soon"), "day"),
        (lambda: plot.before_after(daily([1.0] * 9), "steps", "2025-03-05", confidence=95), "confidence"),
        (lambda: plot.glucose(samples([None])), "samples"),
    ]
    for call, argument in cases:
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            call()
        assert raised.value.argument == argument
    for wrong in (5, "days", {"steps": [1]}):
        with pytest.raises(TypeError, match="argument 'statistics': must be"):
            plot.weekdays(wrong, "steps")
    with pytest.raises(TypeError, match="argument 'ax'"):
        plot.weekdays(daily([1.0]), "steps", ax=typing.cast(Axes, 5))


def test_responses_and_ranges_are_drawn(service: vitalwire.Sandbox) -> None:
    own = service.client()
    search = own.sleeps.between("2025-11-10", "2025-11-16")
    drawn = [bars(plot.sleep_timing(source)) for source in (search, search.collect(), search.collect_table(), list(search), [night.sleep for night in search])]
    assert drawn[1:] == drawn[:-1] and len(drawn[0]) >= 7
    ranged = own.statistics.daily_range("2025-10-01", "2025-11-16", ["steps"])
    days = own.statistics.daily("2025-10-01", "2025-11-16", ["steps"])
    titles = {plot.before_after(source, "steps", "2025-11-01").get_title("left") for source in (ranged, ranged.collect(), days, days.to_pandas(), days.to_polars())}
    assert len(titles) == 1 and isinstance(days.to_pandas(), pandas.DataFrame) and isinstance(days.to_polars(), polars.DataFrame)


def labels(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def test_people_without_data_stay_in_legends_and_keep_the_colours_of_the_others() -> None:
    def joined(table: Table, other: Table) -> Table:
        return vitalwire.concat({"anna": other, "ben": table})

    absent = nights().to_pandas()
    absent[["start_at_timestamp", "end_at_timestamp", "duration"]] = None
    sleeps = pandas.concat([absent.assign(user="anna"), nights().to_pandas().assign(user="ben")])
    drawn = [
        plot.sleep_timing(sleeps),
        plot.weekdays(joined(daily([1.0, 2.0]), daily([None])), "steps"),
        plot.trends(joined(daily([1.0, 2.0]), daily([None])), "steps"),
        plot.glucose(joined(samples([90, 95]), samples([None]))),
        plot.samples(joined(samples([90, 95]), samples([None])), "glucose"),
    ]
    assert [labels(ax) for ax in drawn] == [["anna: no data", "ben"]] * 5
    # The second colour of people, #d55e00.
    assert drawn[0].patches[0].get_facecolor() == matplotlib.colors.to_rgba("#d55e00")
    assert [drawn[3].get_lines()[0].get_color(), drawn[4].get_lines()[0].get_color()] == ["#d55e00"] * 2
    compared = plot.before_after(joined(daily([1000.0, 3000.0, 5000.0, 7000.0]), daily([None])), "steps", "2025-03-05")
    # Means 2000 and 6000; the standard errors are 1000 each, so half the interval is 4.302653 * sqrt(2) * 1000.
    assert labels(compared) == ["anna: no data", "ben: +4,000 (95% interval -2,085 to +10,085)"]


@pytest.mark.parametrize("read", [pandas.read_csv, polars.read_csv, lambda path: pandas.read_csv(path, parse_dates=["start_at_timestamp", "end_at_timestamp"])])
def test_frames_of_csv_files_draw_the_same(read: typing.Callable[[typing.Any], typing.Any], tmp_path: pathlib.Path) -> None:
    def from_csv(table: Table) -> typing.Any:
        table.to_csv(tmp_path / "table.csv")
        return read(tmp_path / "table.csv") if table.name == "sleeps" else pandas.read_csv(tmp_path / "table.csv")

    assert bars(plot.sleep_timing(from_csv(nights()))) == bars(plot.sleep_timing(nights()))
    for draw in (plot.glucose, lambda table: plot.samples(table, "glucose")):
        times: list[list[typing.Any]] = [[line.get_xdata() for line in draw(source).get_lines()] for source in (samples([90, 95]), from_csv(samples([90, 95])))]
        assert [line.tolist() for line in times[0]] == [line.tolist() for line in times[1]]


def test_times_of_frames_are_checked() -> None:
    frame = nights().to_pandas()
    utc = frame.assign(start_at_timestamp=frame["start_at_timestamp"].dt.tz_localize(None))
    assert bars(plot.sleep_timing(utc)) == bars(plot.sleep_timing(nights())), "times without an offset are in UTC"
    for wrong in ("soon", 1_700_000_000):
        with pytest.raises(vitalwire.InvalidArgumentError, match="must have times in the column start_at_timestamp, such as") as raised:
            plot.sleep_timing(frame.assign(start_at_timestamp=wrong))
        assert raised.value.argument == "nights"
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be a date, such as 2025-01-31"):
        plot.weekdays(daily([1.0]).to_pandas().assign(date="soon"), "steps")


@pytest.mark.parametrize("name", ["sleep_stages", "sleeps", "daily_statistics"])
def test_the_name_of_a_table_is_no_key_of_people(name: str) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match="must not be the name of a table") as raised:
        vitalwire.concat({"anna": nights()}, name)
    assert raised.value.argument == "key"
