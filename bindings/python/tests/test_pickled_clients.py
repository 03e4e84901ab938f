"""Tests clients in other processes: pickles of their settings, and engines that run functions in processes."""

from __future__ import annotations

import asyncio
import copy
import datetime
import multiprocessing
import os
import pathlib
import pickle
import sys
import threading
import time
import typing

import pytest
import trustme
from processes import VARIABLE, count_steps, provide

import vitalwire
from vitalwire import AsyncClient, Client, EnvironmentToken, FileToken

@pytest.fixture
def shared(service: vitalwire.Sandbox, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client whose token is in an environment variable."""
    monkeypatch.setenv(VARIABLE, service.token)
    return Client(service.base_url, token=EnvironmentToken(VARIABLE), allow_plain_http=True, proxy="none", timeout=30, max_retries=1)


def test_a_client_is_pickled_by_its_settings(service: vitalwire.Sandbox, shared: Client, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "token"
    path.write_text(f"\ufeff {service.token}\n", encoding="utf-8")
    tokens: list[typing.Any] = [EnvironmentToken(VARIABLE), FileToken(path), provide]
    for token in tokens:
        settings: dict[str, typing.Any] = {"token": token, "allow_plain_http": True, "proxy": "none", "timeout": datetime.timedelta(seconds=20), "user_agent": "study", "accept_gzip": False}
        pickled = pickle.dumps(Client(service.base_url, **settings))
        assert service.token.encode() not in pickled
        assert count_steps(pickle.loads(pickled)) == count_steps(shared) == count_steps(copy.copy(shared)) > 0
        one = pickle.loads(pickle.dumps(AsyncClient(service.base_url, **settings)))
        assert isinstance(one, AsyncClient) and asyncio.run(one.user.info()).created_at is not None


def test_all_kinds_of_settings_survive() -> None:
    settings: dict[str, typing.Any] = {
        "token": provide,
        "care_base_url": "https://care.example",
        "care_token": EnvironmentToken("CARE"),
        "connect_timeout": 1.5,
        "max_retries": 0,
        "max_response_bytes": 10**12,
        "retry_after_cap": datetime.timedelta(minutes=1),
        "proxy": "http://127.0.0.1:9",
        "pinned_keys": None,
        "array_style": "comma",
        "client_side_validation": False,
        "strict_lists": True,
        "allow_plain_http": True,
    }
    kept = Client("http://127.0.0.1:1", **settings).__reduce__()[1][1]
    assert isinstance(kept, dict)
    expected = {name: value for name, value in settings.items() if value is not None} | {"base_url": "http://127.0.0.1:1", "retry_after_cap": 60.0}
    care = kept.pop("care_token")
    assert isinstance(care, EnvironmentToken) and care.name == expected.pop("care_token").name
    assert {name: value for name, value in kept.items() if value is not False or name in expected} == expected


def test_a_client_from_the_environment_is_pickled(service: vitalwire.Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITALWIRE_BASE_URL", service.base_url)
    monkeypatch.setenv("VITALWIRE_TOKEN", service.token)
    monkeypatch.setenv("VITALWIRE_ALLOW_PLAIN_HTTP", "true")
    assert count_steps(pickle.loads(pickle.dumps(Client.from_env()))) > 0


def test_a_token_is_never_pickled() -> None:
    for made in (Client("https://x.example", token="secret-1"), Client("https://x.example", token=provide, care_base_url="https://y.example", care_token="secret-1")):
        with pytest.raises(TypeError, match=r"cannot pickle a client whose token is a text; pass token=EnvironmentToken\(name\)") as raised:
            pickle.dumps(made)
        assert "secret" not in str(raised.value)
    with pytest.raises(TypeError, match="mock responses"):
        pickle.dumps(Client("https://x.example", mock_responses=vitalwire.MockResponses.samples()))
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(Client("https://x.example", token=lambda reason: "secret"))


def test_a_private_key_is_never_pickled(tmp_path: pathlib.Path) -> None:
    issued = trustme.CA().issue_cert("client.vitalwire.test")
    pem, path = issued.private_key_and_cert_chain_pem.bytes(), tmp_path / "client.pem"
    path.write_bytes(pem)
    kept = pickle.dumps(Client("https://x.example", token=provide, client_certificate=path))
    assert b"client.pem" in kept and b"PRIVATE KEY" not in kept and isinstance(pickle.loads(kept), Client)
    for given in (pem, pem.decode()):
        client = Client("https://x.example", token=provide, client_certificate=given)
        assert "PRIVATE KEY" not in repr(client)
        with pytest.raises(TypeError, match="client_certificate is PEM; pass the path of a file") as raised:
            pickle.dumps(client)
        assert "PRIVATE KEY" not in str(raised.value)


def test_tokens_that_are_missing_name_their_source(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    client = Client("https://127.0.0.1:1", token=EnvironmentToken(VARIABLE), max_retries=0)
    with pytest.raises(vitalwire.AuthenticationError) as raised:
        client.user.info()
    assert isinstance(raised.value.__cause__, LookupError) and VARIABLE in str(raised.value.__cause__)
    with pytest.raises(vitalwire.AuthenticationError) as raised:
        Client("https://127.0.0.1:1", token=FileToken(tmp_path / "none"), max_retries=0).user.info()
    assert isinstance(raised.value.__cause__, FileNotFoundError)
    assert repr(EnvironmentToken("A")) == "EnvironmentToken('A')" and repr(FileToken("secret")) == "FileToken(...)"
    for wrong in (5, None):
        with pytest.raises(TypeError):
            EnvironmentToken(wrong)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform == "win32", reason="variables are UTF-16, so no byte is invalid")
def test_a_token_variable_that_is_not_utf8_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # Python represents the byte 0xff in an environment variable as the surrogate U+DCFF.
    monkeypatch.setenv(VARIABLE, "canary\udcff")
    with pytest.raises(vitalwire.AuthenticationError) as raised:
        Client("https://127.0.0.1:1", token=EnvironmentToken(VARIABLE), max_retries=0).user.info()
    assert str(raised.value.__cause__) == f"the environment variable {VARIABLE} must be UTF-8"


def test_a_token_file_is_read_up_to_its_limit(tmp_path: pathlib.Path) -> None:
    large, endless = tmp_path / "large", pathlib.Path("/dev/zero")
    large.write_bytes(b"t" * (64 * 1024 + 1))
    for path in filter(pathlib.Path.exists, (large, endless)):
        with pytest.raises(vitalwire.AuthenticationError) as raised:
            Client("https://127.0.0.1:1", token=FileToken(path), max_retries=0).user.info()
        assert str(raised.value.__cause__) == "the token file must not be larger than 64 KiB"


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes among its files")
def test_a_named_pipe_is_read_within_a_limit(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitalwire._tokens._PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe")
    token = FileToken(tmp_path / "pipe")
    # The first wait is for a writer, the second one for a writer that writes only half a token.
    for text, writer in (("", None), ("tok", os.open(tmp_path / "pipe", os.O_RDWR))):
        if writer is not None:
            os.write(writer, text.encode())
        started = time.monotonic()
        with pytest.raises(vitalwire.AuthenticationError) as raised:
            Client("https://127.0.0.1:1", token=token, max_retries=0).user.info()
        assert str(raised.value.__cause__) == "the token file must be readable within 0.2 seconds" and time.monotonic() - started < 5
    assert writer is not None
    os.close(writer)

    def write() -> None:
        with open(tmp_path / "pipe", "w") as file:
            file.write("tok")
            file.flush()
            time.sleep(0.01)
            file.write("en\n")

    thread = threading.Thread(target=write, daemon=True)
    monkeypatch.setattr("vitalwire._tokens._PATIENCE", 30.0)
    thread.start()
    assert token("start") == "token"
    thread.join(30)


def test_a_token_file_that_is_not_utf8_is_not_quoted(tmp_path: pathlib.Path) -> None:
    (tmp_path / "token").write_bytes(b"canary\xff")
    with pytest.raises(ValueError, match="^the token file must be UTF-8$") as raised:
        FileToken(tmp_path / "token")("start")
    assert raised.value.__context__ is None and not isinstance(raised.value, UnicodeError)


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_processes_use_a_client(shared: Client, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    with multiprocessing.get_context(method).Pool(2) as pool:
        # `map` would wait forever for workers that cannot start.
        assert len(set(pool.map_async(count_steps, [shared] * 3).get(timeout=60))) == 1


def test_joblib_uses_a_client(shared: Client) -> None:
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(count_steps)(shared) for _ in range(3))
    assert found == [count_steps(shared)] * 3


def test_dask_uses_a_client(shared: Client) -> None:
    dask = pytest.importorskip("dask")
    tasks = [dask.delayed(count_steps)(shared) for _ in range(3)]
    assert list(dask.compute(*tasks, scheduler="processes", num_workers=2)) == [count_steps(shared)] * 3


def test_ray_uses_a_client(shared: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise Ray writes a token of its own into the home folder.
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray = pytest.importorskip("ray")
    variables = {VARIABLE: os.environ[VARIABLE], "PYTHONPATH": str(pathlib.Path(__file__).parent)}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": variables})
    try:
        assert ray.get([ray.remote(count_steps).remote(shared) for _ in range(3)]) == [count_steps(shared)] * 3
    finally:
        ray.shutdown()


def test_records_are_read_from_json() -> None:
    body = b'{"sleep_id":"s","modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","score":81,"moon":1}'
    for json in (body, bytearray(body), memoryview(body), body.decode()):
        night = vitalwire.SleepRecord.from_json(json)
        assert (type(night), night.sleep_id, night.score, night.extra, night.response) == (vitalwire.SleepRecord, "s", 81, {"moon": 1}, None)
    assert night == pickle.loads(pickle.dumps(night)) and night.to_pandas("sleeps")["score"].tolist() == [81]
    days = vitalwire.DailyStatistics.from_json('{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":5}}]}')
    assert days.to_dict()["statistics"] and days.table()["steps"] == [5.0]
    with pytest.raises(vitalwire.DecodeError, match="at start_at_timestamp"):
        vitalwire.SleepRecord.from_json(b'{"modified_at":"2025-01-01T00:00:00Z"}')
    with pytest.raises(TypeError, match="argument 'json'"):
        vitalwire.SleepRecord.from_json({"sleep_id": "s"})  # type: ignore[arg-type]
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument json"):
        vitalwire.SleepRecord.from_json("\ud800")
