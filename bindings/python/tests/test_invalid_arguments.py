"""Tests invalid arguments: invalid Unicode, wrong types and invalid time zones. No error quotes a value."""

from __future__ import annotations

import ast
import asyncio
import base64
import collections.abc
import contextlib
import datetime
import inspect
import json
import pathlib
import re
import sys
import traceback
import typing
import warnings
import zoneinfo

import pytest
from serving import Reply, Request, Service
from stubs import read_stub

import vitalwire
from vitalwire import _native, plot, webhook

UTC = datetime.timezone.utc
DAY = datetime.date(2025, 11, 20)
NOW = datetime.datetime(2025, 11, 20, tzinfo=UTC)
#: Stands for a token, which must not be anywhere in an exception.
CANARY = "canary-71c4"
#: An unpaired surrogate, which no encoding supports. Python's own exception for it quotes the whole text.
HALF = f"{CANARY}\ud800"

Call = typing.Callable[[], object]

#: Response with a meal.
MEAL = (
    '{"record_id":"r","status":"completed","uploaded_at":"2025-11-20T00:00:00Z","modified_at":"2025-11-20T00:00:00Z",'
    '"consumed_at":"2025-11-20T00:00:00Z"}'
)
#: Response to an upload of a report.
REPORT = b'{"lab_report":{"record_id":"r","status":"completed"}}'


def untyped(value: object) -> typing.Any:
    """Hides the type of a value from type checkers."""
    return value


def all_texts(raised: BaseException) -> str:
    """Returns all texts of an exception and its causes."""
    texts, seen, left = [], set(), [raised]
    while left:
        error = left.pop()
        if id(error) in seen:
            continue
        seen.add(id(error))
        left += [behind for behind in (error.__cause__, error.__context__) if behind is not None]
        members = {name: getattr(error, name, None) for name in dir(error) if not callable(getattr(error, name, None))}
        members.pop("__traceback__")
        texts += [str(error), repr(error), repr(members), *traceback.format_exception_only(type(error), error)]
    return "\n".join(texts)


def result_of(call: Call) -> object:
    """Returns the result of a call, awaited if necessary."""
    given = call()
    if inspect.isawaitable(given):

        async def wait() -> object:
            return await given

        return asyncio.run(wait())
    return given


def expect_no_quote(call: Call) -> BaseException:
    """Returns the exception of a call. Checks that no text of the exception contains the value."""
    with pytest.raises(Exception) as raised:
        result_of(call)
    assert CANARY not in all_texts(raised.value)
    return raised.value


def result_or_error_text(call: Call) -> str:
    """Returns the result of a call as text, or the text of its exception. Passes on `KeyError`, which may quote the caller's own key."""
    try:
        return repr(result_of(call))
    except vitalwire.VitalwireError as error:
        return all_texts(error)


def expect_rejected(call: Call, argument: str) -> None:
    """Checks that a call rejects an argument with an error that names the argument but does not quote its value."""
    error = expect_no_quote(call)
    assert isinstance(error, vitalwire.InvalidArgumentError) and isinstance(error, ValueError), all_texts(error)
    assert error.argument == argument and f"argument {argument}" in str(error)


def expect_wrong_type(call: Call, argument: str) -> None:
    """Checks that a call rejects the type of an argument. The text itself must name the argument, because Python 3.10 has no notes."""
    with pytest.raises(TypeError) as raised:
        result_of(call)
    assert f"argument '{argument}'" in str(raised.value)


def sample_responses() -> dict[str, object]:
    """Returns a response of each class with tables, and the number maps."""

    def restored(name: str, text: str) -> typing.Any:
        return _native._restore(name, text)

    night = restored(
        "SleepRecord",
        '{"sleep_id":"s","sleep_date":"2025-11-20","start_at_timestamp":"2025-11-20T00:00:00Z","modified_at":"2025-11-20T08:00:00Z",'
        '"source":{"provider":"p"},"stages":[],"metrics":{"heartrate":50},"samples":{"values":{"heartrate":[50]},"offsets":[0]}}',
    )
    found = {
        "LabReportResponse": restored("LabReportResponse", REPORT.decode()),
        "LabReport": restored("LabReport", '{"record_id":"r","status":"completed"}'),
        "NutritionUploadResponse": restored("NutritionUploadResponse", MEAL),
        "NutritionRecord": restored("NutritionRecord", MEAL),
        "SleepRecord": night,
        "IntervalStatistics": restored("IntervalStatistics", '{"statistics":[]}'),
        "DailyStatistics": restored("DailyStatistics", '{"from_date":"2025-11-20","to_date":"2025-11-20","statistics":[]}'),
        "NumberMap": night.metrics,
        "SeriesMap": night.samples.values,
        "Table": night.table(),
    }
    return {**found, "Records": _native._restore_records("LabReport", (found["LabReport"],))}


def minimal_record(name: str) -> object:
    """Returns a record with only the required fields. Each text is also a valid instant."""
    fields: dict[str, str] = {}
    while True:
        try:
            return _native._restore(name, json.dumps(fields))
        except vitalwire.DecodeError as error:
            missing = re.search(r"missing, at (\w+)$", str(error))
            if missing is None or missing[1] in fields:
                raise
            fields[missing[1]] = "2025-11-20T00:00:00Z"


#: Valid values for the other arguments, by the beginning of the argument's type.
GOOD: list[tuple[str, object]] = [
    ("_", "hour"),
    ("_datetime.date", DAY),
    ("_datetime.datetime", NOW),
    ("int", 1),
    ("float", 1.0),
    ("bool", True),
    ("_Iterable[", ["steps"]),
    ("_Date", DAY),
    ("_Instant", NOW),
    ("str", "hour"),
    ("_Buffer", b"{}"),
    ("tuple", ()),
    ("dict", {}),
    ("bytes", b""),
    ("_Upload", b"x"),
    ("_RecordKind", "daily"),
]
#: Beginnings of types that accept text.
TEXTS = ("str", "_Zone", "_TimeUnit", "_Durations", "_Date", "_Instant", "_Literal", "_Iterable[str", "_Iterable[_", "_Buffer | str", "_Upload", "_SupportsHeaders", "_datetime.timedelta | str", "ResumeToken")
#: Arguments for which invalid Unicode is no error: lookups find nothing, and texts of browsers or headers are not chosen by the caller.
LENIENT = {("Table", "at"), ("NumberMap", "name"), ("SeriesMap", "name"), ("parse_consent_redirect", "url_or_query"), ("Verifier", "signature"), ("verify", "signature")}
#: Arguments of functions that restore pickles, which reject such text as an invalid record.
PICKLED = {("_restore", "class_name"), ("_restore", "json"), ("_restore", "basis"), ("_restore_table", "name"), ("_restore_table", "time_unit")}


class TextCallable(typing.NamedTuple):
    """A callable of the stub with text arguments."""

    owner: str
    name: str
    good: dict[str, object]
    texts: dict[str, str]
    positional: list[str]


def _find(name: str) -> object:
    """Returns a class or function of the native module. `None` if it is in another one."""
    return getattr(_native, name, None)


def text_callables() -> collections.abc.Iterator[TextCallable]:
    """Returns all public callables of the stub with text arguments, and the functions that restore pickles."""
    tree = read_stub()
    functions = [("", node) for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for group in tree.body:
        if isinstance(group, ast.ClassDef) and not group.name.startswith("_") and "Protocol" not in ast.unparse(group):
            functions += [(group.name, node) for node in group.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for owner, node in functions:
        arguments = [*node.args.posonlyargs, *node.args.args]
        typed = [(one.arg, ast.unparse(one.annotation)) for one in [*arguments, *node.args.kwonlyargs] if one.annotation]
        texts = {name: kind for name, kind in typed if (kind.startswith(TEXTS) or kind.endswith((" | str", " | str | None"))) and not kind.startswith("_Literal[True")}
        required = [one.arg for one in arguments if one.annotation][: len([one for one in arguments if one.annotation]) - len(node.args.defaults)]
        required += [one.arg for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults) if default is None]
        good = {name: value for name, kind in typed if name in required for start, value in GOOD if kind.startswith(start)}
        if "secret" in good:
            good["secret"] = bytes(16)
        # Arguments of cohorts are tested in `test_cohort_changes`.
        if texts and not node.name.startswith(("__eq__", "_cohort")) and getattr(_find(owner or node.name), "__module__", "") != "vitalwire.cohort":
            yield TextCallable(owner, node.name, good, texts, [one.arg for one in node.args.posonlyargs])


def call_with(taking: TextCallable, owners: dict[str, object], argument: str, value: object) -> Call:
    """Returns a function that makes the call with this value for an argument."""
    given = {**taking.good, argument: value}
    if taking.owner and taking.owner not in owners:
        owners[taking.owner] = minimal_record(taking.owner)
    owner = owners[taking.owner] if taking.owner else (_native if hasattr(_native, taking.name) else webhook)
    if taking.name == "__new__":
        first = [given.pop(name) for name in taking.positional if name in given]
        return lambda: owner(*first, **given)  # type: ignore[operator]
    if taking.name == "__getitem__":
        return lambda: owner[value]  # type: ignore[index]
    positional = [given.pop(name) for name in taking.positional if name in given]
    return lambda: getattr(owner, taking.name)(*positional, **given)


@pytest.mark.skipif(sys.platform == "win32", reason="there every text is a path")
def test_invalid_unicode_is_rejected_and_not_quoted() -> None:
    lookups, refusals = 0, set()
    with Service(lambda _: Reply()) as service:
        settings: dict[str, typing.Any] = {"token": "t", "care_token": "t", "care_base_url": service.url, "allow_plain_http": True}
        owners: dict[str, object] = {"MockResponses": vitalwire.MockResponses(), **sample_responses(), "Verifier": webhook.Verifier("a-webhook-key-of-yours"), "ResumeToken": vitalwire.ResumeToken}
        owners["MergedRange"] = vitalwire.Client(mock_responses=vitalwire.MockResponses.samples()).statistics.daily_range(DAY, DAY, ["steps"]).collect()
        owners |= {"Token": vitalwire.Token, "Client": vitalwire.Client, "AsyncClient": vitalwire.AsyncClient, "JsonText": vitalwire.JsonText, "SyncEvent": vitalwire.SyncEvent}
        clients: dict[str, object] = {}
        for style, client in (("", vitalwire.Client(service.url, **settings)), ("Async", vitalwire.AsyncClient(service.url, **settings))):
            clients[f"{style}Client"] = client
            groups = {name: getattr(client, name) for name in dir(client) if not name.startswith("_")}
            owners |= {type(group).__name__: group for group in groups.values()}
            owners[f"{style}RangeCall"] = client.statistics.daily_range(DAY, DAY, ["steps"])
            owners[f"{style}NightSearch"] = client.sleeps.between(DAY, DAY)
        for taking in text_callables():
            for argument, kind in taking.texts.items():
                there = {**owners, "Verifier": webhook.Verifier} if taking.name == "__new__" else owners | clients
                several = kind.startswith("_Iterable") and [HALF]
                call = call_with(taking, there, argument, several or HALF)
                place = (taking.owner or taking.name, argument)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)
                    if place in LENIENT:
                        lookups += 1
                        with contextlib.suppress(KeyError):
                            assert CANARY not in result_or_error_text(call)
                    elif place in PICKLED:
                        assert isinstance(expect_no_quote(call), vitalwire.DecodeError)
                    elif argument == "headers":
                        expect_no_quote(call)
                    else:
                        expect_rejected(call, argument)
                        refusals.add((taking.owner, taking.name, argument))
        assert service.requests == []
    assert lookups >= 10
    # Checks some arguments of each kind, so that the test fails if the stub was not parsed completely.
    for one in (
        ("Client", "__new__", "token"),
        ("AsyncClient", "__new__", "ca_certificate"),
        ("Verifier", "__new__", "keys"),
        ("Token", "__new__", "text"),
        ("ResumeToken", "parse", "text"),
        ("Table", "read", "operation"),
        ("Table", "to_dict", "tz"),
        ("RangeCall", "to_pandas", "dtype_backend"),
        ("AsyncRangeCall", "table", "name"),
        ("Records", "to_pandas", "table"),
        ("SleepRecord", "table", "name"),
        ("Statistics", "daily_range", "part_length"),
        ("AsyncStatistics", "daily_range", "resume"),
        ("AsyncLabReports", "upload", "filename"),
        ("NutritionRecords", "upload", "body"),
        ("Sleeps", "get", "token"),
        ("Client", "sync", "user"),
        ("AsyncClient", "sync", "expect_account"),
        ("SyncEvent", "__new__", "first"),
        ("", "parse_consent_redirect", "expected_state"),
        ("", "sign", "key"),
    ):
        assert one in refusals, one
    assert len(refusals) > 200


def test_an_unpaired_surrogate_is_never_a_key() -> None:
    for name in ("NumberMap", "SeriesMap"):
        there = untyped(sample_responses()[name])
        assert HALF not in there and there.get(HALF) is None and there.get(HALF, 3) == 3
        with pytest.raises(KeyError) as raised:
            there[HALF]
        assert raised.value.args == (HALF,) and raised.value.__context__ is None
        expect_wrong_type(lambda: there[5], "name")
        expect_wrong_type(lambda: there.get(5), "name")
        assert 5 not in there


@pytest.mark.parametrize("cls", [vitalwire.Client, vitalwire.AsyncClient])
def test_a_token_with_invalid_unicode_is_not_quoted(cls: typing.Any) -> None:
    with Service() as service:
        error = expect_no_quote(lambda: cls(service.url, token=lambda _: HALF, allow_plain_http=True).sleeps.get("s"))
        assert isinstance(error, vitalwire.AuthenticationError) and isinstance(error.__cause__, vitalwire.InvalidArgumentError)
        assert error.__cause__.argument == "token" and service.requests == []


@pytest.mark.skipif(sys.platform == "win32", reason="there every text can be a variable")
@pytest.mark.parametrize("name", ["VITALWIRE_TOKEN", "VITALWIRE_BASE_URL", "VITALWIRE_PROXY", "VITALWIRE_TIMEOUT", "HTTPS_PROXY"])
def test_an_environment_variable_with_invalid_unicode_is_not_quoted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITALWIRE_BASE_URL", "https://127.0.0.1:1")
    # Python represents the byte 0xff in an environment variable as the surrogate U+DCFF.
    monkeypatch.setenv(name, f"{CANARY}\udcff")
    error = expect_no_quote(vitalwire.Client.from_env)
    assert isinstance(error, vitalwire.VitalwireError) and name in str(error)


def test_a_url_or_path_with_invalid_unicode_is_not_sent(tmp_path: pathlib.Path) -> None:
    with Service(lambda _: Reply(200, REPORT)) as service:
        client = vitalwire.Client(service.url, token="t", allow_plain_http=True)
        for body in (f"http://example.org/{HALF}", f"HTTPS://{HALF}", HALF, pathlib.PurePath(HALF)):
            expect_rejected(lambda body=body: client.nutrition_records.upload(body), "body")  # type: ignore[misc]
        expect_rejected(lambda: client.lab_reports.upload(b"x", filename=HALF), "filename")
        assert service.requests == []


def test_file_names_may_be_invalid_unicode(tmp_path: pathlib.Path) -> None:
    # Python represents the byte 0xff in a file name as the surrogate U+DCFF.
    path = tmp_path / "report-\udcff.txt"
    try:
        path.write_bytes(b"Haematology\n")
    except OSError:
        pytest.skip("the file system wants Unicode")
    with Service(lambda _: Reply(200, REPORT)) as service:
        client = vitalwire.Client(service.url, token="t", allow_plain_http=True)
        assert client.lab_reports.upload(str(path), filename="a.txt").lab_report.record_id == "r"
        assert base64.b64encode(b"Haematology\n") in service.requests[0].body
    # The client reads the file, but it contains no certificate.
    error = expect_no_quote(lambda: vitalwire.Client("https://127.0.0.1:1", token="t", ca_certificate=str(path)))
    assert isinstance(error, vitalwire.VitalwireError) and error.argument == "ca_certificate"


@pytest.mark.parametrize("text", [HALF, f"{CANARY}\0"])
def test_the_sandbox_rejects_texts_that_cannot_be_arguments_of_a_program(text: str) -> None:
    for name in ("processing", "db", "webhook_url", "bind"):
        expect_rejected(lambda name=name: untyped(vitalwire).Sandbox(**{name: text}).start(), name)  # type: ignore[misc]
    for name in ("faults", "allow_hosts"):
        expect_rejected(lambda name=name: untyped(vitalwire).Sandbox(**{name: [text]}).start(), name)  # type: ignore[misc]
    assert isinstance(expect_no_quote(lambda: vitalwire.Sandbox(program=text).start()), vitalwire.ConfigurationError)


def test_the_sandbox_sends_unicode(service: vitalwire.Sandbox) -> None:
    expect_rejected(lambda: service.token_of(HALF), "user_id")
    expect_rejected(lambda: service.add_fault(HALF), "fault")
    for name in ("token", "care_token", "base_url", "proxy"):
        expect_rejected(lambda name=name: untyped(service).client(**{name: HALF}), name)  # type: ignore[misc]


def test_plots_reject_invalid_text(service: vitalwire.Sandbox) -> None:
    client = service.client()
    night = client.sleeps.get(service.sleep_id, include_samples=True, include_stages=True)
    days = client.statistics.daily(DAY, DAY, ["steps"])
    expect_rejected(lambda: plot.samples(night, HALF), "name")
    expect_rejected(lambda: plot.samples(night, "heartrate", tz=HALF), "tz")
    expect_rejected(lambda: plot.hypnogram(night, tz=HALF), "tz")
    expect_rejected(lambda: plot.hypnogram(night, tz=CANARY), "tz")
    expect_rejected(lambda: plot.trends(days, HALF), "names")
    expect_rejected(lambda: plot.trends(days, ["steps", HALF]), "names")


def test_arguments_of_wrong_types_are_named(service: vitalwire.Sandbox) -> None:
    # Hides types, because type checkers would reject the calls below.
    table, night, days = (typing.cast(typing.Any, sample_responses()[name]) for name in ("Table", "SleepRecord", "DailyStatistics"))
    package, hooks, pictures, sandbox, client = map(untyped, (vitalwire, webhook, plot, service, service.client()))
    verifier = hooks.Verifier("a-webhook-key-of-yours")
    range_call = client.statistics.daily_range(DAY, DAY, ["steps"])
    wrong: list[tuple[typing.Any, str]] = [
        (lambda: package.Client(5), "base_url"),
        (lambda: package.AsyncClient(token=5), "token"),
        (lambda: package.Client(timeout="1"), "timeout"),
        (lambda: package.Client(ca_certificate=5), "ca_certificate"),
        (lambda: package.Token(5), "text"),
        (lambda: package.Token("t", expires_at=5), "expires_at"),
        (lambda: package.ResumeToken.parse(5), "text"),
        (lambda: package.parse_consent_redirect(5), "url_or_query"),
        (lambda: package.parse_consent_redirect("?", 5), "expected_state"),
        (lambda: hooks.Verifier(5), "keys"),
        (lambda: hooks.Verifier([5]), "keys"),
        (lambda: hooks.Verifier("a-webhook-key-of-yours", body_limit="1"), "body_limit"),
        (lambda: verifier.verify("text", "s"), "body"),
        (lambda: verifier.verify(b"", 5), "signature"),
        (lambda: verifier.verify_headers(b"", 5), "headers"),
        (lambda: hooks.verify(b"", "s", 5), "keys"),
        (lambda: hooks.sign(b"", 5), "key"),
        (lambda: hooks.parse_events(5), "body"),
        (lambda: package.Table.read(5, "get_sleep", b""), "name"),
        (lambda: package.Table.read("sleep_stages", 5, b""), "operation"),
        (lambda: package.Table.read("sleep_stages", "get_sleep", "{}"), "body"),
        (lambda: table.local_time(5), "zone"),
        (lambda: table.to_pandas(dtype_backend=5), "dtype_backend"),
        (lambda: table.to_pandas(lists="yes"), "lists"),
        (lambda: table.to_dict(tz=5), "tz"),
        (lambda: days.table(5), "name"),
        (lambda: days.to_arrow(5), "table"),
        (lambda: days.to_pandas(lists=3), "lists"),
        (lambda: range_call.table(5), "name"),
        (lambda: range_call.collect_table(5), "table"),
        (lambda: range_call.to_dict(5), "table"),
        (lambda: range_call.to_polars(tz=5), "tz"),
        (lambda: range_call.to_pandas(lists="yes"), "lists"),
        (lambda: range_call.to_pandas(dtype_backend=5), "dtype_backend"),
        (lambda: client.statistics.daily_range(DAY, DAY, ["steps"], part_length=5), "part_length"),
        (lambda: client.statistics.daily_range(DAY, DAY, ["steps"], resume=5), "resume"),
        (lambda: client.statistics.daily_range(DAY, DAY, ["steps"], progress=5), "progress"),
        (lambda: client.statistics.daily_range(DAY, DAY, ["steps"], on_error=5), "on_error"),
        (lambda: client.nutrition_records.upload(5), "body"),
        (lambda: client.lab_reports.wait_for("r", interval="1"), "interval"),
        (lambda: client.lab_reports.wait_for("r", on_progress=5), "on_progress"),
        (lambda: package.Sandbox(seed="7"), "seed"),
        (lambda: package.Sandbox(faults="status"), "faults"),
        (lambda: package.Sandbox(start_timeout="1"), "start_timeout"),
        (lambda: sandbox.token_of(5), "user_id"),
        (lambda: sandbox.add_fault(5), "fault"),
        (lambda: sandbox.advance(5), "by"),
        (lambda: pictures.hypnogram(5), "night"),
        (lambda: pictures.hypnogram(night, tz=5), "tz"),
        (lambda: pictures.hypnogram(night, ax=5), "ax"),
        (lambda: pictures.hypnogram(night, colors=5), "colors"),
        (lambda: pictures.samples(night, 5), "name"),
        (lambda: pictures.samples(night, "heartrate", gap=5), "gap"),
        (lambda: pictures.trends(5), "statistics"),
        (lambda: pictures.trends(days, 5), "names"),
        (lambda: pictures.trends(days, "steps", rolling="7"), "rolling"),
    ]
    for call, argument in wrong:
        expect_wrong_type(call, argument)


class NoOffset(datetime.tzinfo):
    """A time zone without an offset."""

    def utcoffset(self, moment: datetime.datetime | None) -> None:
        """Returns no offset."""

    dst = tzname = utcoffset


def test_a_datetime_needs_an_offset() -> None:
    client = vitalwire.Client("https://127.0.0.1:1", token="t")
    for moment in (NOW.replace(tzinfo=None), NOW.replace(tzinfo=NoOffset())):
        expect_rejected(lambda moment=moment: client.nutrition_records.list(from_timestamp=moment), "from_timestamp")  # type: ignore[misc]
        expect_rejected(lambda moment=moment: vitalwire.Token("t", expires_at=moment), "expires_at")  # type: ignore[misc]


#: Rejected arguments of each method that reads a whole range.
METHODS: list[tuple[str, dict[str, object], str]] = [
    ("to_arrow", {"tz": "Europe/Atlantis"}, "tz"),
    ("to_polars", {"tz": "Europe/Atlantis"}, "tz"),
    ("to_pandas", {"tz": "Europe/Atlantis"}, "tz"),
    ("to_dict", {"tz": "Europe/Atlantis"}, "tz"),
    ("to_pandas", {"dtype_backend": "numpy"}, "dtype_backend"),
    ("to_dict", {"table": "sleep_stages"}, "table"),
    ("collect_table", {"table": "sleep_stages"}, "table"),
    ("table", {"name": "sleep_stages"}, "name"),
]


def one_day(request: Request) -> Reply:
    return Reply(200, b'{"from_date":"2025-11-20","to_date":"2025-11-20","statistics":[{"date":"2025-11-20","values":{"steps":5}}]}')


@pytest.mark.parametrize("cls", [vitalwire.Client, vitalwire.AsyncClient])
def test_an_unsupported_conversion_of_a_range_sends_no_request(cls: typing.Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with Service(one_day) as service:
        range_call = cls(service.url, token="t", allow_plain_http=True).statistics.daily_range(DAY, DAY, ["steps"])
        for method, settings, argument in METHODS:
            expect_rejected(lambda method=method, settings=settings: getattr(range_call, method)(**settings), argument)  # type: ignore[misc]
        for package in ("pandas", "polars", "pyarrow"):
            with monkeypatch.context() as patch:
                patch.setitem(sys.modules, package, None)
                method = "to_arrow" if package == "pyarrow" else f"to_{package}"
                with pytest.raises(ImportError, match=f"{method} needs {package}"):
                    result_of(getattr(range_call, method))
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "pyarrow", None)
            with pytest.raises(ImportError, match="needs pyarrow"):
                result_of(lambda: range_call.to_pandas(dtype_backend="pyarrow"))
        assert service.requests == []
        # A call with valid arguments sends one request.
        assert result_of(lambda: range_call.to_dict(tz="+02:00"))["steps"] == [5.0]  # type: ignore[index]
        assert len(service.requests) == 1
        for method in ("to_arrow", "to_polars", "to_pandas"):
            assert len(result_of(getattr(range_call, method))) == 1  # type: ignore[arg-type]


def hour() -> vitalwire.Table:
    body = b'{"statistics":[{"from_timestamp":"2025-07-01T22:30:00Z","values":{"steps":1}}]}'
    return vitalwire.Table.read("interval_statistics", "interval_statistics", body)


def test_every_kind_of_time_zone_is_accepted() -> None:
    def local_times(zone: typing.Any) -> list[object]:
        first = hour().local_time(zone).to_dict()["from_timestamp_local"]
        assert first == hour().to_dict(tz=zone)["from_timestamp_local"]
        return first

    at = datetime.datetime(2025, 7, 1, 22, 30)
    hours = datetime.timedelta(hours=1)
    assert local_times("UTC") == local_times(UTC) == local_times(datetime.timezone(0 * hours)) == local_times("+00:00") == [at]
    # In summer, the UTC offset of Berlin is two hours.
    assert local_times("Europe/Berlin") == local_times(zoneinfo.ZoneInfo("Europe/Berlin")) == local_times("+02:00") == [at + 2 * hours]
    assert local_times(datetime.timezone(2 * hours)) == local_times(datetime.timezone(2 * hours, "somewhere")) == [at + 2 * hours]
    assert local_times(datetime.timezone(-3.5 * hours)) == local_times("-03:30") == [at - 3.5 * hours]
    assert local_times(datetime.timezone(datetime.timedelta(seconds=-15))) == [at - datetime.timedelta(seconds=15)]


def test_invalid_time_zones_are_rejected() -> None:
    tenth = datetime.timezone(datetime.timedelta(milliseconds=100))
    with open(zoneinfo.TZPATH[0] + "/UTC", "rb") if zoneinfo.TZPATH and pathlib.Path(zoneinfo.TZPATH[0], "UTC").is_file() else (
        contextlib.nullcontext()
    ) as file:
        unnamed = None if file is None else zoneinfo.ZoneInfo.from_file(file)
    for zone in ("Europe/Atlantis", "", "+24:00", "2:00", tenth, *([] if unnamed is None else [unnamed])):
        expect_rejected(lambda zone=zone: hour().local_time(zone), "zone")  # type: ignore[misc]
        for method in (hour().to_dict, hour().to_pandas, hour().to_polars, hour().to_arrow):
            expect_rejected(lambda method=method, zone=zone: method(tz=zone), "tz")  # type: ignore[misc]
    for zone in (5, b"UTC", NoOffset(), datetime.timezone):
        expect_wrong_type(lambda zone=zone: hour().local_time(zone), "zone")  # type: ignore[misc]
        expect_wrong_type(lambda zone=zone: hour().to_dict(tz=zone), "tz")  # type: ignore[misc]


def test_a_missing_base_url_names_the_setting_and_the_variable() -> None:
    client = vitalwire.Client("https://127.0.0.1:1", token="t", care_token="c")
    calls: list[tuple[Call, str]] = [
        (lambda: vitalwire.Client(token="t").user.info(), "base_url"),
        (lambda: vitalwire.AsyncClient(token="t").user.info(), "base_url"),
        (lambda: client.care.benefits("c", "p", "q"), "care_base_url"),
    ]
    for call, setting in calls:
        error = expect_no_quote(call)
        assert isinstance(error, vitalwire.ConfigurationError) and error.argument == setting
        assert f"set {setting}, or VITALWIRE_{setting.upper()} and create the client from the environment" in str(error)
