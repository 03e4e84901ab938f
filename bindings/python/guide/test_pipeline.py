import datetime
import pathlib

import pytest

import vitalwire
from vitalwire import cohort


def load(sandbox: vitalwire.Sandbox, folder: pathlib.Path) -> cohort.Summary:
    """Exports the days that are due. This is the pipeline under test."""
    credentials = cohort.UserCredentials.from_application_key(
        sandbox.user_ids,
        application_id=sandbox.application_id,
        key_env="APPLICATION_KEY",
    )
    settings = cohort.Settings(sandbox.base_url)
    due = cohort.plan_export(
        credentials, "daily", "2025-11-01", "2025-11-10", folder, settings
    )
    return cohort.export(due, credentials, folder, settings, resume=True)


def test_days_that_arrive_late_are_added(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = {"person-2": "late:3", "person-3": "absent"}
    day = datetime.date(2025, 11, 12)
    with vitalwire.Sandbox(people=3, delivery=late, today=day) as sandbox:
        monkeypatch.setenv("APPLICATION_KEY", sandbox.application_key)
        first = load(sandbox, tmp_path / "study")
        sandbox.advance(datetime.timedelta(days=3))
        second = load(sandbox, tmp_path / "study")
    assert first.failures == second.failures == 0
    # person-1 has all 10 days at once, person-2 the last of them in the second run.
    assert first.tables["daily"].added < 20
    assert first.tables["daily"].added + second.tables["daily"].added == 20
