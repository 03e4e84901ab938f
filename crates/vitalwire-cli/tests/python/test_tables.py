"""Tables of the program, read by polars, DuckDB, pandas and pyarrow.

Every value is compared with the JSON response to the same call. `VITALWIRE` is the path of the program.
"""

import datetime as dt
import functools
import io
import json
import os
import subprocess

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

UTC = dt.timezone.utc
SANDBOX_OPTIONS = ["--sandbox", "--seed", "7", "--today", "2025-11-21"]

TABLES = {
    "daily": ["stats", "daily", "--record-ids"],
    "interval": ["stats", "interval"],
    "stages": ["sleep"],
    "samples": ["sleep", "--table", "samples"],
    "records": ["nutrition", "list"],
    "ingredients": ["nutrition", "list", "--table", "ingredients"],
    "labs": ["labs", "list"],
}


def program(arguments, form):
    return [os.environ["VITALWIRE"], *SANDBOX_OPTIONS, *arguments, "--format", form]


def instant(text):
    return text and dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def local(text, minutes):
    return text and (instant(text) + dt.timedelta(minutes=minutes)).replace(tzinfo=None)


@functools.cache
def expected(name):
    """Returns some columns of a table from the JSON response. Missing values are None."""
    arguments = [word for word in TABLES[name] if word not in ("--table", "samples", "ingredients")]
    response = json.loads(subprocess.run(program(arguments, "json"), check=True, capture_output=True).stdout)
    if name == "daily":
        rows = response["statistics"]
        numbers = {key: [row["values"].get(key) for row in rows] for key in ("steps", "heartrate_resting", "distance_cycling")}
        return {"date": [dt.date.fromisoformat(row["date"]) for row in rows], "record_ids": [row.get("record_ids") for row in rows], **numbers}
    if name == "interval":
        rows = response["statistics"]
        numbers = {key: [row["values"].get(key) for row in rows] for key in ("steps", "sleep_skin_temperature_deviation")}
        return {"from_timestamp": [instant(row["from_timestamp"]) for row in rows], **numbers}
    if name == "stages":
        rows, minutes = response["stages"], response["user_time_offset_minutes"]
        return {
            "sleep_id": [response["sleep_id"]] * len(rows),
            "stage": [row["stage"] for row in rows],
            "end_at": [instant(row["end_at"]) for row in rows],
            "start_at_local": [local(row["start_at"], minutes) for row in rows],
            "duration": [row["duration"] for row in rows],
        }
    if name == "samples":
        offsets, start = response["samples"]["offsets"], instant(response["start_at_timestamp"])
        values = response["samples"]["values"]
        return {"at": [start + dt.timedelta(milliseconds=offset) for offset in offsets], "offset": offsets, **values}
    if name == "records":
        nutrients = lambda row, key: (row.get("nutritional_fields") or {}).get(key)
        return {
            "record_id": [row["record_id"] for row in response],
            "basis": ["per_serving"] * len(response),
            "dish_name": [row.get("dish_name") for row in response],
            "consumed_at_local": [local(row.get("consumed_at"), row.get("user_time_offset_minutes")) for row in response],
            "energy_kcal": [nutrients(row, "energy_kcal") for row in response],
        }
    if name == "ingredients":
        rows = [(record, row) for record in response for row in record["ingredients"]]
        return {"record_id": [record["record_id"] for record, _ in rows], "name": [row["name"] for _, row in rows]}
    rows = [(report, row) for report in response for section in report["sections"] for row in section["results"]]
    keys = ("value", "value_text", "normal_min", "within_normal_range", "tested_positive", "loinc_code")
    return {"record_id": [report["record_id"] for report, _ in rows], **{key: [row.get(key) for _, row in rows] for key in keys}}


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    """Writes each table to a file by shell redirection."""
    folder = tmp_path_factory.mktemp("tables")
    for name, arguments in TABLES.items():
        with open(folder / f"{name}.parquet", "wb") as file:
            subprocess.run(program(arguments, "parquet"), check=True, stdout=file)
    return lambda name: str(folder / f"{name}.parquet")


def check(name, column):
    """Compares columns. `column` returns one as a Python list."""
    expected_values = expected(name)
    assert all(len(values) > 1 for values in expected_values.values()), "a table without rows proves nothing"
    for key, values in expected_values.items():
        assert column(key) == values, key


@pytest.mark.parametrize("name", TABLES)
def test_polars_reads_parquet(name, parquet):
    frame = polars.read_parquet(parquet(name))
    check(name, lambda key: frame[key].to_list())


@pytest.mark.parametrize("name", TABLES)
def test_duckdb_reads_parquet(name, parquet):
    def column(key):
        values = [row[0] for row in duckdb.execute(f'SELECT "{key}" FROM read_parquet(?)', [parquet(name)]).fetchall()]
        return [value.astimezone(UTC) if isinstance(value, dt.datetime) and value.tzinfo else value for value in values]

    check(name, column)


@pytest.mark.parametrize("name", TABLES)
def test_pyarrow_reads_parquet(name, parquet):
    table = pyarrow.parquet.read_table(parquet(name))
    check(name, lambda key: python(table, key))


@pytest.mark.parametrize("name", TABLES)
def test_streams_are_read_from_a_pipe(name):
    for reader in (
        lambda pipe: polars.read_ipc_stream(pipe).to_arrow(),
        lambda pipe: pyarrow.ipc.open_stream(pipe).read_all(),
    ):
        with subprocess.Popen(program(TABLES[name], "arrow"), stdout=subprocess.PIPE) as process:
            table = reader(process.stdout)
        assert process.returncode == 0
        check(name, lambda key: python(table, key))


def python(table, key):
    """Returns a column of an Arrow table. Instants are cast, because nanoseconds would become pandas objects."""
    column = table[key]
    if pyarrow.types.is_timestamp(column.type):
        column = column.cast(pyarrow.timestamp("us", column.type.tz))
    return column.to_pylist()


def test_columns_have_types_units_and_nullability(parquet):
    stages = pyarrow.parquet.read_schema(parquet("stages"))
    assert stages.field("start_at").type == pyarrow.timestamp("us", "UTC")
    assert stages.field("start_at_local").type == pyarrow.timestamp("us")
    assert stages.field("duration").type == pyarrow.int64()
    daily = pyarrow.parquet.read_schema(parquet("daily"))
    assert daily.field("date").type == pyarrow.date32()
    assert daily.field("record_ids").type.value_type == pyarrow.string()
    assert daily.field("heartrate").metadata[b"unit"] == b"bpm"
    assert daily.field("heartrate").nullable
    assert not pyarrow.parquet.read_schema(parquet("records")).field("basis").nullable
    assert pandas.read_parquet(parquet("daily"))["steps"].dtype == "float64"
    assert str(pandas.read_parquet(parquet("stages"))["start_at"].dtype) == "datetime64[us, UTC]"


@pytest.mark.parametrize("expression", ["date_trunc('hour', start_at)", "end_at - start_at", "time_bucket(interval 1 hour, start_at)"])
def test_duckdb_has_functions_for_instants(parquet, expression):
    assert duckdb.execute(f"SELECT count({expression}) FROM read_parquet(?)", [parquet("stages")]).fetchone()[0] > 0


def test_missing_is_null_and_not_zero(parquet):
    expected_values = expected("interval")["sleep_skin_temperature_deviation"]
    gaps = sum(value is None for value in expected_values)
    assert 0 < gaps < len(expected_values)
    query = "SELECT count(*) FILTER (sleep_skin_temperature_deviation IS NULL) FROM read_parquet(?)"
    assert duckdb.execute(query, [parquet("interval")]).fetchone() == (gaps,)
    assert polars.read_parquet(parquet("interval"))["sleep_skin_temperature_deviation"].null_count() == gaps


def test_csv_is_read_by_polars_pandas_and_duckdb(tmp_path):
    text = subprocess.run(program(TABLES["daily"], "csv"), check=True, capture_output=True).stdout
    expected_values = expected("daily")
    frame = polars.read_csv(text, try_parse_dates=True)
    assert frame["date"].to_list() == expected_values["date"]
    assert frame["steps"].to_list() == expected_values["steps"]
    assert pandas.read_csv(io.BytesIO(text))["steps"].tolist() == expected_values["steps"]
    path = tmp_path / "d.csv"
    path.write_bytes(text)
    rows = duckdb.execute("SELECT date, steps FROM read_csv(?)", [str(path)]).fetchall()
    assert rows == list(zip(expected_values["date"], expected_values["steps"]))
    nights = subprocess.run(program(TABLES["stages"], "csv"), check=True, capture_output=True).stdout
    frame = polars.read_csv(nights, try_parse_dates=True)
    assert frame["end_at"].dt.convert_time_zone("UTC").to_list() == expected("stages")["end_at"]
    assert frame["start_at_local"].to_list() == expected("stages")["start_at_local"]
