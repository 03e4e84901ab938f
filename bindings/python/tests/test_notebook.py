"""Tests the HTML tables of records in notebooks, which are escaped, bounded and without external resources."""

from __future__ import annotations

import html.parser

import pytest

import vitalwire
from vitalwire import _native

NIGHT = """{"sleep_id": "night-1", "modified_at": "2025-01-02T08:00:00.123456789Z", "start_at_timestamp": "2025-01-01T22:30:00",
  "duration": 28800000, "sleep_date": "2025-01-02", "record_ids": null, "score": 80, "metrics": {"heartrate": 52.5, "sleep_latency": 90000},
  "samples": {"offsets": [0, 1000], "values": {"heartrate": [50.5, 51]}}, "source": {"device_model": "Band"}, "stages": [{}, {}, {}],
  "not_known": 5}"""


class Cells(html.parser.HTMLParser):
    """Parses the rows of a table. Rejects HTML that does more than show text."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.caption = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"table", "caption", "b", "tbody", "tr", "th", "td"}, tag
        assert all(name in {"style", "dir", "colspan"} for name, _ in attrs), attrs
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"th", "td"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "caption" in self.open:
            self.caption += data
        else:
            assert self.open[-1] in {"th", "td"}
            self.rows[-1][-1] += data


def render(name: str, text: str, basis: str | None = None) -> Cells:
    record = _native._restore(name, text, basis)
    cells = Cells()
    cells.feed(record._repr_html_())  # type: ignore[attr-defined]
    cells.close()
    assert cells.open == []
    return cells


def test_a_night_is_displayed_with_units() -> None:
    cells = render("SleepRecord", NIGHT)
    assert cells.caption == "SleepRecord"
    assert cells.rows == [
        ["sleep_id", "night-1", ""],
        ["modified_at", "2025-01-02 08:00:00.123456789 UTC", ""],
        ["start_at_timestamp", "2025-01-01 22:30:00 UTC", ""],
        ["duration", "28800000 (8 h 00 min)", "ms"],
        ["sleep_date", "2025-01-02", ""],
        ["record_ids", "null", ""],
        ["score", "80", "count"],
        ["metrics: heartrate", "52.5", "bpm"],
        ["metrics: sleep_latency", "90000 (1 min)", "ms"],
        ["samples", "SleepSamples(offsets[2], values{1})", ""],
        ["source", "SleepSource(device_model)", ""],
        ["stages", "3 items", ""],
        ["extra", "1 member", ""],
    ]


def test_maps_are_displayed_with_units() -> None:
    assert render("NutritionalFields", '{"salt_g": 1.25, "odd": "x"}', "per_100").rows == [
        ["salt_g", "1.25", "g"],
        ["basis", "per_100", ""],
        ["extra", "1 member", ""],
    ]
    assert render("SleepSampleValues", '{"heartrate": [1, 2, 3]}').rows == [["heartrate", "3 values", "bpm"]]
    cells = render("SleepSamples", '{"durations": [1, 2], "values": {"heartrate": [1]}}')
    assert cells.rows[0][:2] == ["durations", "2 items"] and cells.rows[1] == ["values: heartrate", "1 value", "bpm"]


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "</td></table><img src=x onerror=y>", "&lt;b&gt; & \\\" '", "a\\u202eb"])
def test_texts_are_escaped(text: str) -> None:
    seen = text.replace('\\"', '"').replace("\\u202e", "\ufffd")
    assert render("SleepSource", f'{{"device_model": "{text}"}}').rows == [["device_model", seen, ""]]
    assert render("Metrics", f'{{"{text}": 1}}').rows == [[seen, "1", ""]]


def test_long_values_are_truncated() -> None:
    many = ",".join(f'"metric_{at:03}": {at}' for at in range(1000))
    cells = render("Metrics", f"{{{many}}}")
    assert len(cells.rows) == 41 and cells.rows[39] == ["metric_039", "39", ""] and cells.rows[40] == ["… 960 more"]
    assert render("SleepSource", f'{{"device_model": "{"é" * 121}"}}').rows == [["device_model", "é" * 120 + "…", ""]]
    assert render("SleepSource", f'{{"device_model": "{"é" * 120}"}}').rows == [["device_model", "é" * 120, ""]]
    assert render("Metrics", '{"a": 1e300, "b": 0.1, "c": 123456789012}').rows == [["a", "1e300", ""], ["b", "0.1", ""], ["c", "123456789012", ""]]


def test_mappings_offer_their_names_for_completion() -> None:
    night = _native._restore("SleepRecord", NIGHT)
    assert isinstance(night, vitalwire.SleepRecord) and night.metrics is not None and night.samples is not None
    offered = night.metrics._ipython_key_completions_()
    assert type(offered) is list and offered == ["heartrate", "sleep_latency"] == list(night.metrics)
    assert night.samples.values is not None and night.samples.values._ipython_key_completions_() == ["heartrate"]
    empty = _native._restore("Metrics", "{}")
    assert isinstance(empty, vitalwire.NumberMap) and empty._ipython_key_completions_() == []


def test_secrets_are_not_shown() -> None:
    for name, text in [
        ("TokenResponse", '{"access_token": "canary", "token_type": "bearer", "expires_in": 1, "refresh_token": "canary"}'),
        ("UserInfo", '{"compat_application_client_token": "canary"}'),
    ]:
        record = _native._restore(name, text)
        page: str = record._repr_html_()  # type: ignore[attr-defined]
        assert "canary" not in page and "(not shown)" in page
