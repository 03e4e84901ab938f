"""Runs the notebooks of `examples` from the first cell to the last, and checks their texts and some of their results.

`cargo xtask test --deep --only notebooks` runs these tests. If `VITALWIRE_NOTEBOOKS` names a folder, they write
each notebook to it as HTML. `VITALWIRE_BLESS=1` updates the committed texts.
"""

# nbclient and related packages are not annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import nbclient
import nbformat
import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

#: Assertions to run before the last cell of each notebook. The expected numbers are those of person 1 of the sandbox with seed 7.
CHECKS = {
    "a_week_of_sleep": """
assert len(nights) == 7 and [night.sleep_date.day for night in nights] == [9, 10, 11, 12, 13, 14, 15]
# Naps count: the week has one, on the 10th, and the time asleep matches the statistics.
assert [sleep.sleep_date.day for sleep in sleeps if sleep.score is None] == [10]
slept = stages[stages["stage"] != "awake"].groupby("night")["duration"].sum()
assert slept.to_dict() == {day.date: day.values["sleep_duration_total"] for day in week.statistics}
assert len(stages) == sum(len(sleep.stages) for sleep in sleeps)
# The last night's own stages, added up by hand from the records: hours asleep and awake.
for night in nights:
    for name in hours.columns:
        expected = sum(stage.duration for stage in night.stages if stage.stage == name) / 3_600_000
        assert name == "nap" or abs(hours.loc[night.sleep_date, name] - expected) < 1e-9, name
assert pulse.min() == min(last.samples.values["heartrate"])
assert 0 < middles.mean() < 6
# The pictures have what the records have.
assert len(plot.hypnogram(nights)) == 7
""",
    "a_study_with_30_people": """
assert set(daily["user"]) == set(sleeps["user"]) == set(clients) and len(clients) == 30
# A tenth of the days is missing, and a twentieth of the nights of all other days.
assert abs(share["steps"] - 0.1) < 0.02 and abs(share["sleep"] - 0.145) < 0.02, share
# The same regression with a column for each person.
people_columns = pd.get_dummies(pairs["user"], dtype=float)
columns = np.column_stack([pairs["steps"] / 1000, people_columns])
coefficients = np.linalg.lstsq(columns, pairs["latency"].to_numpy(), rcond=None)[0]
assert abs(coefficients[0] - slope) < 1e-9
assert low < -2 < high and high - low < 0.3 and slope < careless - error
assert stored["nights"].sum() == (~sleeps["is_nap"]).sum() and stored["latency_min"].between(5, 60).all()
""",
    "a_study_with_200_people": """
assert summary.users == 200 and summary.failures == 0
# Nine tenths of 200 people's days: 153 days from June to October, and 30 in November.
assert abs(summary.tables["daily"].added / (200 * 153) - 0.9) < 0.01 and abs(added.added / (200 * 30) - 0.9) < 0.02
assert (added.changed, added.removed) == (0, 0) and len(rows) == summary.tables["daily"].added + added.added
assert south.sum() > 20 and north_mean < -1000 and south_mean > 1000
assert abs(north_mean - truth) < 3 * north_half / 1.96 and abs(south_mean + truth) < 3 * south_half / 1.96
""",
    "an_afternoon_of_joins": """
assert diary_days["mood"].tolist() == ["rested", "tired", "rested"] and diary_days["steps"].notna().all()
assert rainy["rain_mm"].tolist() == [0.0, 4.5]
def stage_at(instant):
    return [stage.stage for stage in night.stages if stage.start_at <= instant][-1]
wanted = [stage_at(night.start_at_timestamp + datetime.timedelta(hours=hours)) for hours in (1.5, 4)]
assert heard["stage"].tolist() == wanted and heard_pl["stage"].to_list() == wanted
offsets = [night.start_at_timestamp + datetime.timedelta(milliseconds=offset) for offset in night.samples.offsets]
counted = {}
for instant in offsets:
    counted[stage_at(instant)] = counted.get(stage_at(instant), 0) + 1
assert dict(zip(by_stage["stage"], by_stage["samples"])) == counted
assert by_hour["lowest"].min() == min(night.samples.values["heartrate"]) and by_hour["hour"].dt.minute().to_list() == [0] * by_hour.height
""",
    "statistics_against_meals": """
assert daily.height == 30 and daily["date"][0] == first and daily["date"][-1] == last
assert daily["steps"].to_list() == [day.values["steps"] for day in days.collect().response.statistics]
local = [meal.consumed_at + datetime.timedelta(minutes=meal.user_time_offset_minutes) for meal in meals]
within = [meal for meal, time in zip(meals, local) if first <= time.date() <= last]
assert eaten.height == len(within) and by_day["meals"].sum() == len(within)
assert abs(by_day["energy_kcal"].sum() - sum(meal.nutritional_fields["energy_kcal"] for meal in within)) < 1e-6
assert both.height == 30
assert all(-1 <= value <= 1 for effect in effects for value in pairs[effect])
""",
}


def texts(cell: Any) -> list[dict[str, Any]]:
    """Returns the outputs of a cell as they are committed. Pictures are left out: they are large, and differ between machines."""
    kept: list[dict[str, Any]] = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            # The kernel may split a text anywhere.
            if kept and kept[-1]["output_type"] == "stream":
                kept[-1]["text"] += output["text"]
            else:
                kept.append({"name": output["name"], "output_type": "stream", "text": output["text"]})
        elif "image/png" not in output["data"]:
            data = {"text/plain": output["data"]["text/plain"]}
            kept.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return kept


def with_texts(source: str, cells: list[Any]) -> str:
    """Returns a notebook file with the texts of executed cells."""
    notebook = json.loads(source)
    for cell, executed in zip(notebook["cells"], cells, strict=True):
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = None, texts(executed)
            for output in cell["outputs"]:
                text = output.get("data", output)
                name = "text/plain" if "data" in output else "text"
                text[name] = text[name].splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def test_every_notebook_is_checked() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == set(CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_a_notebook_runs_from_its_first_cell_to_its_last(name: str, tmp_path: pathlib.Path) -> None:
    path = EXAMPLES / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cells = list(notebook.cells)
    # The assertions run before the last cell, which stops the sandbox.
    notebook.cells.insert(-1, nbformat.v4.new_code_cell(CHECKS[name]))
    notebook.cells.append(nbformat.v4.new_code_cell("assert not sandbox.running"))
    # `execute` raises the exceptions of cells.
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []) if output.get("name") == "stderr"]
    assert said == [], "a cell warns"
    source = path.read_text(encoding="utf-8")
    if os.environ.get("VITALWIRE_BLESS") == "1":
        path.write_text(with_texts(source, cells), encoding="utf-8")
    else:
        assert source == with_texts(source, cells), "its texts differ; update them with VITALWIRE_BLESS=1"
    if folder := os.environ.get("VITALWIRE_NOTEBOOKS"):
        import nbconvert

        del notebook.cells[-3], notebook.cells[-1]
        page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
        pathlib.Path(folder, f"{name}.html").write_text(page, encoding="utf-8")
