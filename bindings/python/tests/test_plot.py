"""Tests the lines, bars, ticks and units that `vitalwire.plot` draws for records written by hand. Does not compare pixels."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import http.server
import itertools
import json
import math
import subprocess
import sys
import threading
from collections.abc import Iterator

import matplotlib
import pytest

matplotlib.use("Agg")

import matplotlib.colors
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.dates import date2num
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import vitalwire
from vitalwire import plot
from vitalwire.plot import _colors

UTC = datetime.timezone.utc
CANARY = "canary-7f3a"
#: A list that the service returns as null.
NULL = object()


class Service:
    """Responds to every request with the body that a test defines."""

    def __init__(self, client: vitalwire.Client, responses: dict[str, object]) -> None:
        self._client = client
        self._answers = responses

    def night(self, stages: object = None, samples: object = None, **members: object) -> vitalwire.SleepRecord:
        """Returns a night. Defaults to 22:00 to 06:00 UTC."""
        body: dict[str, object] = {"sleep_id": CANARY, "modified_at": "2025-03-02T07:00:00Z"}
        body |= {"start_at_timestamp": "2025-03-01T22:00:00Z", "end_at_timestamp": "2025-03-02T06:00:00Z"}
        body |= {"stages": None if stages is NULL else stages} if stages is not None else {}
        body |= {"samples": samples} if samples is not None else {}
        self._answers["body"] = body | members
        return self._client.sleeps.get("x")

    def days(self, first: str, last: str, numbers: dict[str, dict[str, float]]) -> vitalwire.DailyStatistics:
        statistics = [{"date": date, "values": values} for date, values in numbers.items()]
        self._answers["body"] = {"from_date": first, "to_date": last, "statistics": statistics}
        any_day = datetime.date(2025, 1, 1)
        return self._client.statistics.daily(any_day, any_day, ["steps"])


    def range(self) -> vitalwire.RangeCall[vitalwire.DailyStatistics, datetime.date]:
        """Returns a range with this response, in one part."""
        return self._client.statistics.daily_range(datetime.date(2025, 1, 1), datetime.date(2025, 1, 4), ["steps"])


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    responses: dict[str, object] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(responses["body"]).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = vitalwire.Client(f"http://127.0.0.1:{server.server_port}", token="token", proxy="none")
        yield Service(client, responses)
        server.shutdown()


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    before = dict(matplotlib.rcParams)
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == before, "the caller's style was changed"


def stage(name: str | None, start: str, end: str) -> dict[str, str]:
    """Returns a stage. Times from 18:00 on are in the first evening."""
    day = {True: "2025-03-01", False: "2025-03-02"}
    span = {f"{key}_at": f"{day[time >= '18']}T{time}:00Z" for key, time in (("start", start), ("end", end))}
    return span if name is None else span | {"stage": name}


def at(hour: int, minute: int = 0) -> datetime.datetime:
    return datetime.datetime(2025, 3, 1 if hour >= 18 else 2, hour, minute, tzinfo=UTC)


def instant(text: str) -> float:
    """Returns an instant of March 2025, such as `01T22:00`, in UTC."""
    return float(date2num(datetime.datetime.fromisoformat(f"2025-03-{text}:00+00:00")))


def lanes(ax: Axes) -> list[str]:
    """Returns the lanes from the top."""
    return [label.get_text() for label in ax.get_yticklabels()][::-1]


def clock(ax: Axes) -> list[str]:
    ax.get_figure(root=True).canvas.draw()  # type: ignore[union-attr]
    return [label.get_text() for label in ax.get_xticklabels()]


def steps(ax: Axes) -> list[tuple[datetime.datetime, float]]:
    (line,) = [line for line in ax.get_lines() if line.get_gid() == "steps"]
    return list(zip(line.get_xdata(orig=True), line.get_ydata(orig=True)))  # type: ignore[arg-type]


def bars(ax: Axes) -> dict[str, list[tuple[float, float, float]]]:
    """Returns the bars by stage: begin and end in hours after 22:00, and the middle of the lane."""
    found = {}
    zero = date2num(at(22))
    for collection in ax.collections:
        assert isinstance(collection, PolyCollection)
        boxes = [path.get_extents() for path in collection.get_paths()]
        found[str(collection.get_gid())] = [
            (round(24 * (box.x0 - zero), 6), round(24 * (box.x1 - zero), 6), round((box.y0 + box.y1) / 2, 6)) for box in boxes
        ]
    return found


def is_close(left: list[float], right: list[float]) -> bool:
    return len(left) == len(right) and all(a == pytest.approx(b, nan_ok=True) for a, b in zip(left, right))


def ydata(line: Line2D) -> list[float]:
    return [float(value) for value in line.get_ydata(orig=True)]  # type: ignore[union-attr, arg-type]


def test_a_hypnogram_steps_between_the_standard_lanes(service: Service) -> None:
    stages = [stage("awake", "22:00", "22:30"), stage("light", "22:30", "23:30"), stage("deep", "23:30", "01:00"), stage("rem", "01:00", "06:00")]
    ax = plot.hypnogram(service.night(stages, user_time_offset_minutes=60))
    assert lanes(ax) == ["Awake", "REM", "Light", "Deep"]
    # Lanes from below: deep 0, light 1, REM 2, awake 3.
    assert steps(ax) == [(at(22), 3), (at(22, 30), 3), (at(22, 30), 1), (at(23, 30), 1), (at(23, 30), 0), (at(1), 0), (at(1), 2), (at(6), 2)]
    assert bars(ax) == {"awake": [(0, 0.5, 3)], "rem": [(3, 8, 2)], "light": [(0.5, 1.5, 1)], "deep": [(1.5, 3, 0)]}
    assert ax.get_xlim() == (date2num(at(22)), date2num(at(6)))
    assert ax.get_xlabel() == "local time (UTC+01:00)"
    assert clock(ax) == ["23:00", "00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00", "07:00"]
    assert ax.get_title() == ""


def test_unknown_stages_have_a_lane_but_no_step(service: Service) -> None:
    stages = [
        stage("light", "22:00", "23:00"),
        stage("unknown", "23:00", "23:30"),
        stage("deep", "23:30", "00:00"),
        stage("half$asleep$", "00:00", "01:00"),
        stage(None, "01:00", "01:30"),
        stage("out_of_bed", "01:30", "02:00"),
    ]
    ax = plot.hypnogram(service.night(stages))
    assert lanes(ax) == ["Out of bed", "Awake", "REM", "Light", "Deep", r"Half\$asleep\$", "Unknown"]
    drawn = bars(ax)
    assert drawn["unknown"] == [(1, 1.5, 0), (3, 3.5, 0)] and drawn["half$asleep$"] == [(2, 3, 1)]
    levels = [level for _, level in steps(ax)]
    assert is_close(levels, [3, 3, math.nan, 2, 2, math.nan, 6, 6])
    hatched = {collection.get_gid(): collection.get_hatch() for collection in ax.collections}
    assert hatched["unknown"] and hatched["half$asleep$"] and not hatched["light"]
    assert ax.get_xlabel() == "time (UTC)"
    # Drawing would fail if matplotlib interpreted the text as a formula.
    ax.get_figure(root=True).canvas.draw()  # type: ignore[union-attr]


def test_a_time_without_stages_is_a_gap(service: Service) -> None:
    ax = plot.hypnogram(service.night([stage("deep", "23:00", "00:00"), stage("light", "00:00", "01:00"), stage("light", "02:00", "03:00")]))
    assert is_close([level for _, level in steps(ax)], [0, 0, 1, 1, math.nan, 1, 1])
    # The axis also shows the times without stages at the beginning and the end of the night.
    assert ax.get_xlim() == (date2num(at(22)), date2num(at(6)))


def test_stages_may_be_unordered_and_lack_a_bound(service: Service) -> None:
    hour = 3_600_000
    stages = [
        {"stage": "rem", "start_at": "2025-03-02T01:00:00Z", "duration": hour},
        {"stage": "light", "end_at": "2025-03-02T01:00:00Z", "duration": 2 * hour},
        {"stage": "deep", "start_at": "2025-03-02T01:00:00Z"},
        {"stage": "deep", "start_at": "2025-03-02T03:00:00Z", "end_at": "2025-03-02T02:00:00Z"},
        {"stage": "deep"},
    ]
    ax = plot.hypnogram(service.night(stages))
    assert steps(ax) == [(at(23), 1), (at(1), 1), (at(1), 2), (at(2), 2)]
    assert list(bars(ax)) == ["rem", "light"]


def test_nights_without_sleep_depth_have_a_sleeping_lane(service: Service) -> None:
    asleep = plot.hypnogram(service.night([stage("awake", "22:00", "23:00"), stage("sleeping", "23:00", "06:00")]))
    assert lanes(asleep) == ["Awake", "Sleeping"]
    one = plot.hypnogram(service.night([stage("light", "22:00", "06:00")]))
    assert lanes(one) == ["Awake", "REM", "Light", "Deep"] and steps(one) == [(at(22), 1), (at(6), 1)]


def test_the_repeated_hour_at_the_end_of_summer_time_is_drawn_twice(service: Service) -> None:
    """On 2025-10-26 at 03:00, clocks in Berlin go back to 02:00, which is 01:00 UTC."""
    stages = [
        {"stage": "light", "start_at": "2025-10-25T22:00:00Z", "end_at": "2025-10-26T00:30:00Z"},
        {"stage": "deep", "start_at": "2025-10-26T00:30:00Z", "end_at": "2025-10-26T03:00:00Z"},
    ]
    night = service.night(stages, start_at_timestamp="2025-10-25T22:00:00Z", end_at_timestamp="2025-10-26T03:00:00Z", user_time_offset_minutes=120)
    ax = plot.hypnogram(night, tz="Europe/Berlin")
    assert ax.get_xlabel() == "local time (Europe/Berlin)"
    assert clock(ax) == ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"]
    assert [24 * (box.x1 - box.x0) for bar in ax.collections for path in bar.get_paths() for box in [path.get_extents()]] == pytest.approx([2.5, 2.5])
    assert clock(plot.hypnogram(night)) == ["00:00", "01:00", "02:00", "03:00", "04:00", "05:00"]
    west = datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))
    assert plot.hypnogram(night, tz=west).get_xlabel() == "local time (UTC-03:30)"


def test_several_nights_share_one_time_axis(service: Service) -> None:
    # The nights in local time: 23:00 to 07:00, 22:30 to 06:15 and 00:10 to 05:00. Nobody sleeps from 07:00 to 22:30.
    berlin = service.night([stage("light", "22:00", "06:00")], user_time_offset_minutes=60)
    lima = {"start_at_timestamp": "2025-03-03T03:30:00Z", "end_at_timestamp": "2025-03-03T11:15:00Z", "user_time_offset_minutes": -300}
    west = service.night([{"stage": "deep", "start_at": "2025-03-03T03:30:00Z", "end_at": "2025-03-03T11:15:00Z"}], sleep_date="2025-03-03", **lima)
    empty = service.night([], start_at_timestamp="2025-03-04T00:10:00Z", end_at_timestamp="2025-03-04T05:00:00Z")
    panels = plot.hypnogram(iter([berlin, west, empty]))
    assert len(plt.get_fignums()) == 1 and len(panels) == 3
    # 22:00 to 07:00 in the local time of each night.
    ends = [("01T21:00", "02T06:00"), ("03T03:00", "03T12:00"), ("03T22:00", "04T07:00")]
    assert [ax.get_xlim() for ax in panels] == [(instant(first), instant(last)) for first, last in ends]
    assert not any(label.get_visible() for ax in panels[:2] for label in ax.get_xticklabels())
    hours = ["22:00", "23:00", "00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00", "07:00"]
    assert clock(panels[2]) == hours and [ax.get_xlabel() for ax in panels] == ["", "", "local time of each night"]
    assert [ax.get_ylabel() for ax in panels] == ["Sun 02 Mar", "Mon 03 Mar", "Tue 04 Mar"]
    # All nights have the same lanes, even if they lack a stage, and share one legend.
    assert steps(panels[0]) == [(at(22), 1), (at(6), 1)] and [level for _, level in steps(panels[1])] == [0, 0]
    assert {ax.get_ylim() for ax in panels} == {panels[0].get_ylim()} and list(bars(panels[0])) == ["light"]
    assert [text.get_text() for text in panels[2].texts] == ["no data"]
    (legend,) = panels[0].get_figure(root=True).legends  # type: ignore[union-attr]
    assert [text.get_text() for text in legend.get_texts()] == ["Light", "Deep"]
    same_clock = plot.hypnogram([berlin, west], tz=UTC)
    assert same_clock[1].get_xlabel() == "time (UTC)"
    (alone,) = plot.hypnogram([berlin])
    assert alone.get_xlabel() == "local time (UTC+01:00)" and alone.get_xlim() == (date2num(at(22)), date2num(at(6)))


def test_a_night_with_a_clock_change_keeps_its_durations(service: Service) -> None:
    """On 2025-03-30 at 02:00, clocks in Berlin go forward to 03:00, which is 01:00 UTC."""
    nights = []
    for day in (28, 29):
        span = f"2025-03-{day}T22:00:00Z", f"2025-03-{day + 1}T05:00:00Z"
        stages = [{"stage": "light", "start_at": span[0], "end_at": span[1]}]
        nights.append(service.night(stages, start_at_timestamp=span[0], end_at_timestamp=span[1], user_time_offset_minutes=60))
    panels = plot.hypnogram(nights, tz="Europe/Berlin")
    for ax, day in zip(panels, (28, 29)):
        assert ax.get_xlim() == (instant(f"{day}T22:00"), instant(f"{day + 1}T05:00"))
    assert panels[1].get_xlabel() == "local time (Europe/Berlin)"
    assert clock(panels[1]) == ["23:00", "00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00"]


@pytest.mark.parametrize(
    ("nights", "shown"),
    [
        # With a nap, nobody sleeps from 06:30 to 14:00 and from 14:40 to 22:15. The second period is longer.
        ([("01T22:15", "02T06:30"), ("02T14:00", "02T14:40")], [("01T22:00", "02T15:00"), ("01T22:00", "02T15:00")]),
        # Night workers sleep around noon, so the axis starts in the morning.
        ([("02T08:20", "02T15:00"), ("03T09:00", "03T16:30")], [("02T08:00", "02T17:00"), ("03T08:00", "03T17:00")]),
        # The nights begin on both sides of midnight.
        ([("01T23:50", "02T07:10"), ("03T00:20", "03T06:00")], [("01T23:00", "02T08:00"), ("02T23:00", "03T08:00")]),
        # At any time of day, somebody sleeps, so the axis starts at noon.
        ([("02T00:00", "02T12:30"), ("02T12:00", "03T00:30")], [("01T12:00", "02T13:00"), ("02T12:00", "03T13:00")]),
        # A night that is longer than a day, and an empty night.
        ([("02T20:00", "03T23:00")], [("02T12:00", "03T23:00")]),
        ([("02T20:00", "02T20:00")], [("02T20:00", "02T21:00")]),
    ],
)
def test_the_shared_time_axis_starts_in_the_longest_gap_of_sleep(
    service: Service, nights: list[tuple[str, str]], shown: list[tuple[str, str]]
) -> None:
    records = [service.night([], start_at_timestamp=f"2025-03-{start}:00Z", end_at_timestamp=f"2025-03-{end}:00Z") for start, end in nights]
    found = [ax.get_xlim() for ax in plot.hypnogram(records)]
    assert found == [(instant(first), instant(last)) for first, last in shown]


def test_labels_of_thirty_nights_do_not_overlap(service: Service) -> None:
    night = service.night([stage("light", "22:00", "06:00"), stage("unknown", "06:00", "07:00")])
    for count in (1, 2, 7, 11, 30):
        panels = plot.hypnogram([night] * count)
        figure = panels[0].get_figure(root=True)
        assert figure is not None
        figure.canvas.draw()
        below = [label for label in panels[-1].get_xticklabels() if label.get_text()]
        boxes = [artist.get_window_extent() for artist in [*(ax.yaxis.label for ax in panels), *below, panels[-1].xaxis.label, *figure.legends]]
        assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2)), count
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 for box in boxes)


def test_an_empty_list_of_stages_is_an_empty_picture(service: Service) -> None:
    for night in (service.night([]), service.night(NULL)):
        ax = plot.hypnogram(night)
        assert [text.get_text() for text in ax.texts] == ["no data"] and not ax.collections and not ax.get_lines()
        assert ax.get_xlabel() == "time (UTC)"
    endless = plot.hypnogram(service.night([], end_at_timestamp=None))
    assert endless.get_xlim() == (date2num(at(22)), date2num(at(23)))


def test_plots_are_drawn_into_the_passed_axes(service: Service) -> None:
    night = service.night([stage("light", "22:00", "06:00")], {"offsets": [0, 1], "values": {"heartrate": [60, 61]}})
    days = service.days("2025-01-01", "2025-01-01", {"2025-01-01": {"steps": 1}})
    figure = Figure()
    left, right, below = figure.subplots(3, 1)
    assert plot.hypnogram(night, ax=left) is left and plot.samples(night, "heartrate", ax=right) is right
    assert plot.trends(days, "steps", ax=below) is below and plot.trends(days, ["steps"], ax=below) == (below,)
    assert plt.get_fignums() == []
    assert plot.hypnogram(night).figure is not plot.samples(night, "heartrate").figure
    assert len(plt.get_fignums()) == 2
    assert list(plot.hypnogram(night, figsize=(4, 2)).get_figure(root=True).get_size_inches()) == [4, 2]  # type: ignore[union-attr]
    for style in ("default", "dark_background"):
        with plt.style.context(style):
            ax = plot.hypnogram(night)
            (line,) = ax.get_lines()
            # The line has the label color of the style, so that it is never black on black.
            assert line.get_color() == matplotlib.rcParams["axes.labelcolor"]


def test_stage_colors_are_distinguishable_on_white_and_black(service: Service) -> None:
    def luminance(color: str) -> float:
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in matplotlib.colors.to_rgb(color)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    # The Web Content Accessibility Guidelines require a contrast of 3 to 1 for graphics.
    for name, color in [*_colors.STAGES.items(), ("unknown", _colors.UNKNOWN)]:
        assert 1.05 / (luminance(color) + 0.05) >= 3 and (luminance(color) + 0.05) / 0.05 >= 3, name
    usual = sorted(luminance(_colors.STAGES[name]) for name in ("awake", "rem", "light", "deep"))
    assert usual[0] < 0.8 * usual[1]
    mine = plot.hypnogram(service.night([stage("light", "22:00", "06:00")]), colors={"light": "red"})
    assert matplotlib.colors.same_color(mine.collections[0].get_facecolor()[0], "red")  # type: ignore[arg-type]


def test_samples_are_drawn_as_a_line_with_gaps(service: Service) -> None:
    minute = 60_000.0
    # There is a sample every five minutes, except at minutes 15 to 25 and 35.
    offsets = [0, 5 * minute, 10 * minute, 30 * minute, 40 * minute, 45 * minute]
    values = [60.0, 61.5, 62.0, 70.0, 58.0, 57.0]
    night = service.night(None, {"offsets": offsets, "durations": [5 * minute] * 6, "values": {"heartrate": values}}, user_time_offset_minutes=-300)
    ax = plot.samples(night, "heartrate", color="red")
    (line,) = ax.get_lines()
    assert is_close(ydata(line), [60, 61.5, 62, math.nan, 70, math.nan, 58, 57]) and line.get_color() == "red"
    times = [time for time, value in zip(line.get_xdata(orig=True), ydata(line)) if not math.isnan(value)]  # type: ignore[arg-type]
    assert times == [at(22) + datetime.timedelta(milliseconds=offset) for offset in offsets]
    # The sample at minute 30 has gaps on both sides, so it is drawn as a dot.
    assert line.get_markevery() == [4]
    assert ax.get_ylabel() == "Heart rate (bpm)" and ax.get_xlabel() == "local time (UTC-05:00)"
    whole = plot.samples(night, "heartrate", gap=datetime.timedelta(hours=1), lw=3).get_lines()[0]
    assert is_close(ydata(whole), values) and whole.get_linewidth() == 3


def test_samples_without_durations_have_gaps_at_pauses(service: Service) -> None:
    samples = {"offsets": [180_000, 0, 60_000, 120_000, 600_000, 660_000], "values": {"glucose": [4, 1, 2, 3, 5, 6]}}
    ax = plot.samples(service.night(None, samples), "glucose")
    assert is_close(ydata(ax.get_lines()[0]), [1, 2, 3, 4, math.nan, 5, 6]) and ax.get_ylabel() == "Glucose (mg/dL)"


def test_units_match_the_specification(service: Service) -> None:
    texts = {"spo2": "SpO2 (%)", "skin_temperature": "Skin temperature (°C)", "hrv_rmssd": "HRV RMSSD (ms)", "steps": "Steps", "weight": "Weight"}
    samples = {"offsets": [0, 1], "values": {name: [1.0, 2.0] for name in texts} | {"brand_new_$x$": [1, 2], "elevation": [100, 200]}}
    night = service.night(None, samples)
    assert {name: plot.samples(night, name).get_ylabel() for name in texts} == texts
    assert plot.samples(night, "brand_new_$x$").get_ylabel() == r"Brand new \$x\$"
    assert plot.samples(night, "elevation").get_ylabel() == "Elevation (m)"


def test_a_known_metric_without_samples_is_an_empty_picture(service: Service) -> None:
    empty: list[dict[str, list[float]]] = [{}, {"spo2": []}]
    for values in empty:
        ax = plot.samples(service.night(None, {"offsets": [], "values": values}), "spo2")
        assert [text.get_text() for text in ax.texts] == ["no data"] and ax.get_ylabel() == "SpO2 (%)" and not ax.get_lines()


def test_trends_leave_gaps_for_missing_days(service: Service) -> None:
    days = {"2025-03-28": {"steps": 1000.0}, "2025-03-29": {"steps": 2000.0}, "2025-03-31": {"steps": 4000.0}, "2025-04-01": {"heartrate": 60.0}}
    ax = plot.trends(service.days("2025-03-28", "2025-04-02", days), "steps")
    (line,) = ax.get_lines()
    dates = [datetime.date(2025, 3, 28) + datetime.timedelta(days=at) for at in range(6)]
    assert list(line.get_xdata(orig=True)) == dates  # type: ignore[arg-type]
    assert is_close(ydata(line), [1000, 2000, math.nan, 4000, math.nan, math.nan])
    assert ax.get_ylabel() == "Steps"
    first = float(date2num(datetime.date(2025, 3, 28)))
    assert ax.get_xlim() == (first - 0.5, first + 5.5)


def test_trends_draw_one_several_or_all_statistics(service: Service) -> None:
    hour = 3_600_000
    numbers = {"sleep_duration_total": 7.5 * hour, "distance_total": 12_500.0, "heartrate_resting": 52.0, "hrv_rmssd": 40.0, "steps": 9.0, "newer": 1.0}
    days = service.days("2025-01-01", "2025-01-01", {"2025-01-01": numbers})
    axes = plot.trends(days, ["sleep_duration_total", "distance_total", "stress_score"])
    assert [ax.get_title(loc="left") for ax in axes] == ["Sleep duration total", "Distance total", "Stress score"]
    assert [ax.get_ylabel() for ax in axes] == ["h", "km", ""]
    assert [ydata(line) for ax in axes for line in ax.get_lines()] == [[7.5], [12.5]]
    assert [text.get_text() for text in axes[2].texts] == ["no data"]
    every = plot.trends(days)
    titles = ["Distance total", "Heart rate resting", "HRV RMSSD", "Sleep duration total", "Steps", "Newer"]
    assert [ax.get_title(loc="left") for ax in every] == titles
    assert [ax.get_ylabel() for ax in every] == ["km", "bpm", "ms", "h", "", ""]


def test_a_rolling_mean_needs_half_of_its_days(service: Service) -> None:
    days = {f"2025-01-{day:02}": {"steps": float(day)} for day in (1, 2, 3, 4, 9, 10)}
    ax = plot.trends(service.days("2025-01-01", "2025-01-10", days), "steps", rolling=4)
    single, mean = ax.get_lines()
    # Each mean is that of the known values of the last four days. With fewer than two known values, it is NaN.
    nan = math.nan
    assert is_close(ydata(mean), [nan, 1.5, 2, 2.5, 3, 3.5, nan, nan, nan, 9.5])
    assert ax.get_title(loc="right") == "mean of 4 days" and mean.get_color() == single.get_color()


def test_a_year_of_days_is_drawn(service: Service) -> None:
    first = datetime.date(2024, 1, 1)
    days = {(first + datetime.timedelta(days=at)).isoformat(): {"steps": 1.0} for at in range(366) if at not in (99, 101)}
    (ax,) = plot.trends(service.days("2024-01-01", "2024-12-31", days), ["steps"])
    (line,) = ax.get_lines()
    assert len(ydata(line)) == 366 and line.get_markevery() == [100]
    assert 3 <= len([text for text in clock(ax) if text]) <= 12


def test_trends_accept_ranges_and_tables(service: Service) -> None:
    body = {"2025-01-01": {"steps": 1.0}, "2025-01-03": {"steps": 3.0, "heartrate": 61.5}}
    response = service.days("2025-01-01", "2025-01-04", body)
    text = json.dumps(response.to_dict()).encode()
    table = vitalwire.Table.read("daily_statistics", "daily_statistics", text)
    steps, heartrate = plot.trends(table, ["steps", "heartrate"])
    # A table has no bounds, so the plot covers the first to the last day in the table.
    assert is_close(ydata(steps.get_lines()[0]), [1, math.nan, 3]) and is_close(ydata(heartrate.get_lines()[0]), [math.nan, math.nan, 61.5])
    assert heartrate.get_ylabel() == "bpm"
    span = service.range()
    for ranged in (span, span.collect(), span.collect_table()):
        values = ydata(plot.trends(ranged, "steps").get_lines()[0])
        assert is_close(values[:3], [1, math.nan, 3])
    assert len(ydata(plot.trends(span.collect(), "steps").get_lines()[0])) == 4
    empty = vitalwire.Table.read("daily_statistics", "daily_statistics", b'{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}')
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        plot.trends(empty, "steps")
    assert caught.value.argument == "statistics"
    stages = vitalwire.Table.read("sleep_stages", "get_sleep", b'{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}')
    with pytest.raises(TypeError, match="^argument 'statistics': "):
        plot.trends(stages, "steps")


def test_trends_without_days_are_an_empty_plot(service: Service) -> None:
    nothing = service.days("2025-01-01", "2025-01-03", {})
    ax = plot.trends(nothing, "steps")
    assert [text.get_text() for text in ax.texts] == ["no data"]
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        plot.trends(nothing)
    assert caught.value.argument == "names"


def test_invalid_arguments_are_named_but_not_quoted(service: Service) -> None:
    night = service.night()
    whole = service.night([], {"offsets": [0], "values": {"heartrate": [1.0]}})
    loose = service.night([], {"values": {"heartrate": [1.0]}})
    days = service.days("2025-01-01", "2025-01-01", {"2025-01-01": {"steps": 1.0}})
    figure, ax = plt.subplots()
    refused = [
        (lambda: plot.hypnogram(night), "night"),
        (lambda: plot.hypnogram([whole, night]), "night"),
        (lambda: plot.hypnogram([]), "night"),
        (lambda: plot.hypnogram([whole], ax=ax), "ax"),  # type: ignore[call-overload]
        (lambda: plot.samples(night, "heartrate"), "night"),
        (lambda: plot.samples(loose, "heartrate"), "night"),
        (lambda: plot.samples(whole, CANARY), "name"),
        (lambda: plot.hypnogram(whole, tz=CANARY), "tz"),
        (lambda: plot.hypnogram(whole, tz="../" + CANARY), "tz"),
        (lambda: plot.trends(days, CANARY), "names"),
        (lambda: plot.trends(days, []), "names"),
        (lambda: plot.trends(days, ["steps", "steps"], ax=ax), "ax"),
        (lambda: plot.trends(days, rolling=1), "rolling"),
    ]
    for call, argument in refused:
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            call()
        assert caught.value.argument == argument and isinstance(caught.value, ValueError)
        assert argument in str(caught.value) and CANARY not in str(caught.value)
        assert caught.value.__cause__ is None and caught.value.__context__ is None
    wrong = [
        (lambda: plot.hypnogram(CANARY), "night"),  # type: ignore[arg-type]
        (lambda: plot.hypnogram([whole, CANARY]), "night"),  # type: ignore[list-item]
        (lambda: plot.hypnogram(3), "night"),  # type: ignore[call-overload]
        (lambda: plot.hypnogram(whole, tz=2), "tz"),  # type: ignore[call-overload]
        (lambda: plot.hypnogram(whole, ax=figure), "ax"),  # type: ignore[call-overload]
        (lambda: plot.samples(days, "heartrate"), "night"),
        (lambda: plot.samples(whole, 3), "name"),  # type: ignore[arg-type]
        (lambda: plot.samples(whole, "heartrate", gap=3), "gap"),  # type: ignore[arg-type]
        (lambda: plot.trends(night, "steps"), "statistics"),  # type: ignore[call-overload]
        (lambda: plot.trends(days, [3]), "names"),  # type: ignore[list-item]
        (lambda: plot.trends(days, rolling=True), "rolling"),
        (lambda: plot.trends(days, "steps", ax=figure), "ax"),  # type: ignore[call-overload]
    ]
    for call, argument in wrong:
        with pytest.raises(TypeError, match=f"^argument '{argument}': ") as mistaken:
            call()
        assert CANARY not in str(mistaken.value)


def test_plots_contain_no_personal_data(service: Service) -> None:
    night = service.night([stage("light", "22:00", "06:00")], {"offsets": [0], "values": {"heartrate": [60]}})
    for ax, text in itertools.product([plot.hypnogram(night), *plot.hypnogram([night]), plot.samples(night, "heartrate")], [CANARY, "2025"]):
        figure = ax.get_figure(root=True)
        assert figure and not any(text in str(artist.get_text()) for artist in figure.findobj(matplotlib.text.Text))


def test_matplotlib_is_imported_on_first_use() -> None:
    text = """
import sys
from vitalwire import plot
assert "matplotlib" not in sys.modules and "numpy" not in sys.modules
sys.modules["matplotlib"] = None
import vitalwire
try:
    plot._axes.new(1, (1, 1))
except ImportError as error:
    assert "vitalwire[plot]" in str(error), error
else:
    raise SystemExit("drawn without matplotlib")
"""
    text = text.replace("plot._axes", "__import__('vitalwire.plot._axes').plot._axes")
    subprocess.run([sys.executable, "-c", text], check=True)
