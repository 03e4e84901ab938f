"""Tests the tasks of a study, each in at most five lines of code. The lines between `# task` and `# end` are counted."""

from __future__ import annotations

import ast
import pathlib

import duckdb
import matplotlib
import matplotlib.pyplot
import pytest

import vitalwire
from vitalwire import plot

matplotlib.use("agg")

#: Number of lines that a task may have.
LINES = 5


@pytest.fixture(scope="module")
def people(service: vitalwire.Sandbox) -> dict[str, vitalwire.Client]:
    """Clients of three people in different time zones."""
    return {name: service.client(token=service.token_of(user)) for name, user in zip(("anna", "ben", "cleo"), service.user_ids)}


def test_last_months_nights_of_three_people_are_one_frame(people: dict[str, vitalwire.Client]) -> None:
    # task
    searches = {name: client.sleeps.between("2025-10-20", "2025-11-19") for name, client in people.items()}
    nights = vitalwire.concat(searches).to_pandas(durations="timedelta")
    hours = nights[~nights["is_nap"]].groupby("user")["sleep_duration"].mean().dt.total_seconds() / 3600
    # end
    assert len(nights) >= 93 and sorted(hours.index) == ["anna", "ben", "cleo"] and hours.between(4, 10).all()
    assert nights.groupby("user")["user_time_offset_minutes"].nunique().max() == 2, "a night lies after a change of clocks"


def test_sleep_is_drawn_against_steps_with_units(people: dict[str, vitalwire.Client]) -> None:
    # task
    days = people["anna"].statistics.daily_range("2025-08-01", "2025-11-19", ["steps", "sleep_duration_total"]).to_pandas()
    axes = (days.assign(hours=days["sleep_duration_total"] / 3_600_000)).plot.scatter("steps", "hours")
    axes.set(xlabel=f"steps ({days.attrs['units']['steps']})", ylabel="sleep (h)")
    slope = days["steps"].corr(days["sleep_duration_total"])
    # end
    assert len(days) == 111 and -1 <= slope <= 1 and axes.get_xlabel() == "steps (count)" and days.attrs["units"]["sleep_duration_total"] == "ms"
    assert [ax.get_ylabel() for ax in plot.trends(people["anna"].statistics.daily("2025-11-01", "2025-11-19", ["sleep_duration_total"]))] == ["Sleep duration total (h)"]


def test_missing_days_are_counted(people: dict[str, vitalwire.Client]) -> None:
    # task
    results = {name: client.sleeps.between("2025-11-10", "2025-11-25").collect() for name, client in people.items()}
    covered = vitalwire.coverage(results)
    missing = {person: counts["no_data"] for (person, _), counts in covered.counts().items()}
    covered.plot().figure.canvas.draw()
    # end
    assert missing == {"anna": 5, "ben": 5, "cleo": 5} and set(map(str, covered.last_days().values())) == {"2025-11-20"}


def test_nights_are_exported_to_parquet_and_read_in_duckdb(people: dict[str, vitalwire.Client], tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nights.parquet"
    # task
    vitalwire.concat({name: client.sleeps.between("2025-11-10", "2025-11-19") for name, client in people.items()}).to_parquet(path)
    means = duckdb.sql(f"select user, avg(sleep_efficiency) from '{path}' where not is_nap group by user order by user").fetchall()  # type: ignore[union-attr]
    # end
    assert [user for user, _ in means] == ["anna", "ben", "cleo"] and all(50 < mean <= 100 for _, mean in means)


def test_no_task_takes_more_than_five_lines() -> None:
    tasks: list[list[str]] = []
    for line in pathlib.Path(__file__).read_text(encoding="utf-8").splitlines():
        if line.strip() == "# task":
            tasks.append([])
        elif tasks and line.strip() == "# end":
            ast.parse("\n".join(part[4:] for part in tasks[-1]))
            assert 1 <= len(tasks[-1]) <= LINES
        elif tasks and line.startswith("    ") and not line.strip().startswith("assert"):
            tasks[-1].append(line)
    assert len(tasks) == 4
    matplotlib.pyplot.close("all")
