"""Tests of the guide's files of changes in Parquet: the tables made from them equal what the service returns."""

from __future__ import annotations

import datetime
import os
import pathlib

import duckdb
import guides
import polars
import pytest
import served_records
from changing_service import Night
from served_records import COLUMNS, Records
from synced_service import SyncedService

import vitalwire

PROGRAM = guides.GUIDE / "parquet_changes.py"
QUERY = guides.GUIDE / "parquet_current.sql"
#: Line of the program that gives a file its name.
LINK = "    try:\n        # Never"


def write_program(folder: pathlib.Path, *replacements: tuple[str, str]) -> pathlib.Path:
    """Writes a program that also writes its current tables, with other replaced lines."""
    text = PROGRAM.read_text(encoding="utf-8")
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    program = folder / "program.py"
    program.write_text(f'{text}    read_current(kind).write_parquet(f"{{kind}}.current")\n', encoding="utf-8")
    return program


def current(folder: pathlib.Path) -> Records:
    """Returns the current records by the program, which are those by the query in DuckDB."""
    found: Records = {}
    for kind, column in COLUMNS.items():
        rows = polars.read_parquet(folder / f"{kind}.current").select("id", column).sort("id").rows()
        query = QUERY.read_text(encoding="utf-8").replace("changes/daily", str(folder / "changes" / kind))
        assert query.count(str(folder)) == 1
        with duckdb.connect() as connection:
            assert rows == connection.execute(f"SELECT id, {column} FROM ({query.rstrip().rstrip(';')}) ORDER BY id").fetchall()
        assert len(rows) == len(dict(rows))
        found.update({(kind, identifier): value for identifier, value in rows})
    return found


@pytest.fixture
def changing() -> SyncedService:
    """A service with nights of three days, and two meals."""
    service = SyncedService()
    service.today = "2026-03-20"
    service.steps["anna"] = {"2026-01-10": 1, "2026-03-16": 2, "2026-03-17": 3}
    nights = {"one": Night("2026-01-10"), "two": Night("2026-01-10"), "three": Night("2026-01-11"), "four": Night("2026-03-15")}
    service.nights["anna"].update(nights)
    service.meals.update({"lunch": ("2026-03-18", 100), "dinner": ("2026-03-18", 200)})
    return service


def environment(service: SyncedService) -> dict[str, str]:
    return {**os.environ, "VITALWIRE_BASE_URL": service.url, "VITALWIRE_TOKEN": "token-anna"}


def test_files_of_changes_equal_the_service_after_each_run(tmp_path: pathlib.Path) -> None:
    program = write_program(tmp_path)
    with vitalwire.Sandbox(people=2, delivery={"person-2": "late:3"}, today=datetime.date(2026, 1, 20)) as sandbox:
        token = sandbox.token_of("person-2")
        client, variables = sandbox.client(token=token), {**guides.environment(sandbox), "VITALWIRE_TOKEN": token}
        noon = datetime.datetime(2026, 1, 18, 12, tzinfo=datetime.timezone.utc)
        meals = [client.nutrition_records.upload_and_wait(guides.GUIDE / "lunch.png", consumed_at=noon) for _ in range(2)]
        guides.run(program, tmp_path, variables)
        first = current(tmp_path)
        assert first == served_records.read(sandbox.base_url, token)
        # The days up to three days before the clock.
        assert sum(kind == "daily" for kind, _ in first) == 17 and all(("nutrition", str(meal.record_id)) in first for meal in meals)
        client.nutrition_records.update(str(meals[0].record_id), 2.5)
        client.nutrition_records.delete(str(meals[1].record_id))
        sandbox.advance(datetime.timedelta(days=2))
        guides.run(program, tmp_path, variables)
        second = current(tmp_path)
        assert second == served_records.read(sandbox.base_url, token)
        assert second["nutrition", str(meals[0].record_id)] == 2.5 and ("daily", "2026-01-19") in second
    files = [file for file in tmp_path.rglob("*.parquet") if file.is_file()]
    assert len(files) == 6 and all(file.stat().st_mode & 0o777 == 0o600 for file in (*files, tmp_path / "sync.key"))


def test_removed_days_and_moved_records(changing: SyncedService, tmp_path: pathlib.Path) -> None:
    program = write_program(tmp_path, ('first="2026-01-01",', 'first="2026-01-01", look_back=90,'))
    with changing as service:
        guides.run(PROGRAM, tmp_path, environment(service))
        nights = service.nights["anna"]
        del nights["one"], service.steps["anna"]["2026-03-16"], service.meals["lunch"]
        nights.update(two=Night("2026-01-10", 30), four=Night("2026-03-18"))
        guides.run(program, tmp_path, environment(service))
        assert current(tmp_path) == served_records.read(service.url, "token-anna")
    changes = polars.read_parquet(sorted((tmp_path / "changes/sleeps").glob("*.parquet"))[1:])
    assert "day_removed" in changes["change"] and ("sleeps", "one") not in current(tmp_path)


def test_a_killed_run_leaves_no_incomplete_file(changing: SyncedService, tmp_path: pathlib.Path) -> None:
    program = write_program(tmp_path, (LINK, f"    if kind == 'sleeps':\n        os.kill(os.getpid(), 9)\n{LINK}"))
    with changing as service:
        assert guides.start(program, tmp_path, environment(service)).returncode == -9
        assert len(list(tmp_path.rglob("*.parquet"))) == 1 and len(list(tmp_path.rglob("new-*"))) == 1
        guides.run(write_program(tmp_path), tmp_path, environment(service))
        assert current(tmp_path) == served_records.read(service.url, "token-anna")


def test_of_two_runs_only_one_writes_a_file(changing: SyncedService, tmp_path: pathlib.Path) -> None:
    """Another run from the same state writes its file first."""
    other = f'    new_file.with_name(f"{{part.generation:010}}.parquet").write_bytes(b"")\n{LINK}'
    program = write_program(tmp_path, (LINK, other))
    with changing as service:
        failed = guides.start(program, tmp_path, environment(service))
        assert failed.returncode == 1 and failed.stderr == "another sync of this user has stored its state\n"
        (file,) = tmp_path.rglob("*.parquet")
        assert file.read_bytes() == b"" and list(tmp_path.rglob("new-*")) == []
        # A damaged newest file can be deleted.
        file.unlink()
        guides.run(write_program(tmp_path), tmp_path, environment(service))
        assert current(tmp_path) == served_records.read(service.url, "token-anna")
