"""Tables of the C library, exported by the Arrow C data interface to pyarrow, DuckDB, polars and nanoarrow."""

import ctypes
import datetime
import os

import duckdb
import nanoarrow
import polars
import pyarrow
import pytest
from nanoarrow.c_array_stream import allocate_c_array_stream

LIBRARY = ctypes.CDLL(os.environ["VITALWIRE_C"])


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]

    @classmethod
    def of(cls, text):
        data = text.encode()
        return cls(data, len(data))


class Date(ctypes.Structure):
    _fields_ = [("year", ctypes.c_int16), ("month", ctypes.c_uint8), ("day", ctypes.c_uint8)]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


def function(name, result, *arguments):
    found = getattr(LIBRARY, "vitalwire_" + name)
    found.restype, found.argtypes = result, arguments
    return found


POINTER = ctypes.c_void_p
FROM_ENV = function("client_from_env", ctypes.c_uint16, POINTER, POINTER)
FREE_CLIENT = function("client_free", None, POINTER)
PARAMS = function("statistics_daily_params_new", POINTER, Date, Date)
ADD_TYPES = function("statistics_daily_params_add_types", None, POINTER, Str)
FREE_PARAMS = function("statistics_daily_params_free", None, POINTER)
OPTIONS = function("range_options_new", POINTER)
SET_DAYS = function("range_options_set_part_days", None, POINTER, ctypes.c_uint32)
FREE_OPTIONS = function("range_options_free", None, POINTER)
RANGE = function("client_statistics_daily_range", ctypes.c_uint16, *[POINTER] * 7)
RANGE_TABLE = function("range_call_table", ctypes.c_uint16, POINTER, Str, POINTER, POINTER, POINTER, POINTER, POINTER)
FREE_RANGE = function("range_call_free", None, POINTER)
TABLE = function("client_statistics_daily_table", ctypes.c_uint16, POINTER, POINTER, Str, POINTER, POINTER, POINTER, POINTER)
STREAM = function("table_stream", ctypes.c_uint16, POINTER, POINTER, POINTER)
FREE_TABLE = function("table_free", None, POINTER)
ARRAY = function("table_array", ctypes.c_uint16, POINTER, POINTER, POINTER, POINTER)
ROWS = function("table_rows_count", ctypes.c_size_t, POINTER)
SAMPLES = function("mock_responses_samples", POINTER)
FREE_MOCK_RESPONSES = function("mock_responses_free", None, POINTER)
BUILDER = function("client_builder_new", POINTER)
SET_MOCK_RESPONSES = function("client_builder_set_mock_responses", None, POINTER, POINTER)
BUILD = function("client_builder_build", ctypes.c_uint16, POINTER, POINTER, POINTER)
FREE_BUILDER = function("client_builder_free", None, POINTER)


@pytest.fixture
def client():
    made = POINTER()
    assert FROM_ENV(ctypes.byref(made), None) == 0
    yield made
    FREE_CLIENT(made)


def export(table, address):
    assert STREAM(table, POINTER(address), None) == 0
    FREE_TABLE(table)


@pytest.fixture(params=["call", "range"])
def table(client, request):
    params = PARAMS(Date(2025, 11, 18), Date(2025, 11, 20))
    for name in ("steps", "heartrate_resting"):
        ADD_TYPES(params, Str.of(name))
    table = POINTER()
    if request.param == "call":
        assert TABLE(client, params, Str.of("daily_statistics"), None, None, ctypes.byref(table), None) == 0
    else:
        options, range_ = OPTIONS(), POINTER()
        SET_DAYS(options, 1)
        assert RANGE(client, params, options, None, None, ctypes.byref(range_), None) == 0
        assert RANGE_TABLE(range_, Str.of("daily_statistics"), None, None, None, ctypes.byref(table), None) == 0
        FREE_RANGE(range_)
        FREE_OPTIONS(options)
    FREE_PARAMS(params)
    return table


@pytest.fixture
def reader(table):
    stream = Stream()
    export(table, ctypes.addressof(stream))
    return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))


LAST = datetime.date(2025, 11, 20)


def test_pyarrow(reader):
    table = reader.read_all()
    table.validate(full=True)
    assert table.schema.field("date").type == pyarrow.date32()
    assert table.schema.field("steps").type == pyarrow.float64()
    rows = {row["date"]: row["steps"] for row in table.to_pylist()}
    assert max(rows) == LAST and rows[LAST] == 1267


def test_duckdb(reader):
    assert reader is not None
    (row,) = duckdb.sql("select steps from reader where date = '2025-11-20'").fetchall()
    assert row == (1267.0,)


def test_polars(reader):
    frame = polars.from_arrow(reader.read_all())
    assert frame.filter(polars.col("date") == LAST)["steps"].to_list() == [1267.0]


def test_nanoarrow(table):
    stream = allocate_c_array_stream()
    export(table, stream._addr())
    rows = nanoarrow.ArrayStream(stream).read_all()
    assert {field.name: field.type for field in rows.schema.fields}["date"] == nanoarrow.Type.DATE32
    steps = {row["date"]: row["steps"] for row in rows.to_pylist()}
    assert steps[LAST] == 1267.0


@pytest.fixture
def samples():
    responses, builder, made = SAMPLES(), BUILDER(), POINTER()
    SET_MOCK_RESPONSES(builder, responses)
    assert BUILD(builder, ctypes.byref(made), None) == 0
    FREE_BUILDER(builder)
    FREE_MOCK_RESPONSES(responses)
    yield made
    FREE_CLIENT(made)


def params_of(call, *arguments):
    return function(f"{call}_params_new", POINTER, *[type(argument) for argument in arguments])(*arguments)


#: Tables, the operations that return them, and their required options.
TABLES = {
    "lab_results": ("lab_reports_get", Str.of("x")),
    "nutrition_records": ("nutrition_records_list",),
    "nutrition_ingredients": ("nutrition_records_list",),
    "sleep_stages": ("sleeps_get", Str.of(os.environ["VITALWIRE_SLEEP_ID"])),
    "sleep_samples": ("sleeps_get", Str.of(os.environ["VITALWIRE_SLEEP_ID"])),
    "daily_statistics": ("statistics_daily", Date(2025, 11, 18), Date(2025, 11, 20)),
    "interval_statistics": ("statistics_interval", Str.of("hour")),
}


@pytest.mark.parametrize("name", TABLES)
def test_an_array_is_the_batch_that_the_stream_has(client, samples, name):
    call, *required = TABLES[name]
    params = params_of(call, *required)
    if call.startswith("statistics"):
        function(f"{call}_params_add_types", None, POINTER, Str)(params, Str.of("steps"))
    if call == "sleeps_get":
        # The sample night has no samples.
        samples = client
        for member in ("stages", "samples"):
            function(f"sleeps_get_params_set_include_{member}", None, POINTER, ctypes.c_bool)(params, True)
    table = POINTER()
    make = function(f"client_{call}_table", ctypes.c_uint16, POINTER, POINTER, Str, POINTER, POINTER, POINTER, POINTER)
    assert make(samples, params, Str.of(name), None, None, ctypes.byref(table), None) == 0
    function(f"{call}_params_free", None, POINTER)(params)
    rows = ROWS(table)
    # Room for an ArrowArray of ten words and an ArrowSchema of nine, plus padding.
    array, schema, stream = (ctypes.c_uint64 * 16)(), (ctypes.c_uint64 * 16)(), Stream()
    assert ARRAY(table, ctypes.addressof(array), ctypes.addressof(schema), None) == 0
    export(table, ctypes.addressof(stream))
    batch = pyarrow.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))
    batch.validate(full=True)
    assert batch.num_rows == rows > 0
    (other,) = pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))
    assert batch.equals(other, check_metadata=True)
    assert any(column.null_count < rows for column in batch.columns)
