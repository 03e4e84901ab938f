"""Tests settings and call options of both clients: proxies, certificates, durations and invalid arguments."""

from __future__ import annotations

import asyncio
import base64
import datetime
import hashlib
import itertools
import os
import pathlib
import socket
import socketserver
import ssl
import threading
import typing

import pytest
import trustme
import vitalwire
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from serving import Reply, Service, SilentService

#: A host name that only the test's proxy resolves.
HOST = "service.vitalwire.test"
CANARY = "canary-7d1e"
Settings = dict[str, typing.Any]
#: Function that creates a client and returns the number of nutrition records that the client lists.
Listing = typing.Callable[..., int]


def count_records(url: str, **settings: typing.Any) -> int:
    with vitalwire.Client(url, token="t", **settings) as client:
        return len(client.nutrition_records.list())


def count_records_async(url: str, **settings: typing.Any) -> int:
    async def main() -> int:
        async with vitalwire.AsyncClient(url, token="t", **settings) as client:
            return len(await client.nutrition_records.list())

    return asyncio.run(main())


@pytest.fixture(params=[count_records, count_records_async])
def listing(request: pytest.FixtureRequest) -> Listing:
    return typing.cast(Listing, request.param)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clears the environment's proxies and certificates."""
    names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir", "requests_ca_bundle"]
    for name in itertools.chain(names, map(str.upper, names), [name for name in os.environ if name.startswith("VITALWIRE_")]):
        monkeypatch.delenv(name, raising=False)


class Authority(typing.NamedTuple):
    """A private certificate authority: its certificate and a server context."""

    pem: bytes
    file: pathlib.Path
    context: ssl.SSLContext
    #: The server's key in the format of `pinned_keys`.
    pin: str


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    made = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server = made.issue_cert("127.0.0.1", HOST)
    server.configure_cert(context)
    certificate = x509.load_pem_x509_certificate(server.cert_chain_pems[0].bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = "sha256/" + base64.b64encode(hashlib.sha256(key).digest()).decode()
    file = tmp_path_factory.mktemp("authority") / "ca.pem"
    made.cert_pem.write_to_path(str(file))
    return Authority(made.cert_pem.bytes(), file, context, pin)


class Proxy(socketserver.ThreadingTCPServer):
    """A local proxy that connects every tunnel to the same local port, regardless of the requested host."""

    daemon_threads = True

    def __init__(self, to: int) -> None:
        self.requests: list[str] = []
        self.heads: list[str] = []
        self.to = to
        super().__init__(("127.0.0.1", 0), Tunnel)
        self.port: int = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def __exit__(self, *exception: object) -> None:
        self.shutdown()
        self.server_close()


class Tunnel(socketserver.StreamRequestHandler):
    server: Proxy

    def handle(self) -> None:
        method, target, _ = self.rfile.readline().decode().split(" ")
        head = list(iter(lambda: self.rfile.readline().decode().strip(), ""))
        self.server.requests.append(f"{method} {target}")
        self.server.heads.extend(head)
        with socket.create_connection(("127.0.0.1", self.server.to)) as other:
            if method == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                path = "/" + target.split("/", 3)[3]
                other.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *head, "", ""]).encode())
            back = threading.Thread(target=self.pump, args=(other, self.connection), daemon=True)
            back.start()
            self.pump(self.connection, other)
            back.join()

    @staticmethod
    def pump(source: socket.socket, to: socket.socket) -> None:
        try:
            while chunk := source.recv(65536):
                to.sendall(chunk)
            to.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def test_a_private_certificate_authority_is_accepted_in_every_form(listing: Listing, authority: Authority, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "certificates"
    folder.mkdir()
    (folder / "one.pem").write_bytes(authority.pem)
    pem = authority.pem
    with Service(context=authority.context) as service:
        for given in (pem, bytearray(pem), memoryview(pem), pem.decode(), str(authority.file), authority.file, folder):
            assert listing(service.url, ca_certificate=given) == 0
        assert len(service.requests) == 7
        with pytest.raises(vitalwire.VitalwireError) as refused:
            listing(service.url)
        assert isinstance(refused.value, (vitalwire.TransportError, vitalwire.ConfigurationError))
        assert len(service.requests) == 7


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_certificates_from_the_environment_are_trusted(
    listing: Listing, authority: Authority, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(authority.file))
    with Service(context=authority.context) as service:
        assert listing(service.url) == 0


def test_an_unreadable_bundle_from_the_environment_is_named(
    listing: Listing, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    empty = tmp_path / f"{CANARY}.pem"
    empty.write_text(CANARY)
    for path in (empty, tmp_path / "nowhere" / CANARY):
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(path))
        with pytest.raises(vitalwire.ConfigurationError) as caught:
            listing("https://127.0.0.1:1")
        assert caught.value.argument == "REQUESTS_CA_BUNDLE" and "canary" not in f"{caught.value!r}"
        monkeypatch.delenv("REQUESTS_CA_BUNDLE")
        with pytest.raises(vitalwire.ConfigurationError) as caught:
            listing("https://127.0.0.1:1", ca_certificate=path)
        assert caught.value.argument == "ca_certificate" and "canary" not in f"{caught.value!r}"


def test_a_server_must_have_a_pinned_key(listing: Listing, authority: Authority) -> None:
    other = "sha256/" + base64.b64encode(bytes(32)).decode()
    with Service(context=authority.context) as service:
        for pins in (authority.pin, f"{other};{authority.pin}"):
            assert listing(service.url, ca_certificate=authority.pem, pinned_keys=pins) == 0
        with pytest.raises(vitalwire.TransportError) as refused:
            listing(service.url, ca_certificate=authority.pem, pinned_keys=other)
        assert not refused.value.may_have_taken_effect
        assert len(service.requests) == 2


def test_a_server_can_require_a_client_certificate(listing: Listing, tmp_path: pathlib.Path) -> None:
    made, server = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.issue_cert("127.0.0.1").configure_cert(server)
    made.configure_trust(server)
    server.verify_mode = ssl.CERT_REQUIRED
    issued = made.issue_cert("client.vitalwire.test")
    pem = issued.private_key_and_cert_chain_pem.bytes()
    file = tmp_path / f"{CANARY}.pem"
    file.write_bytes(pem)
    with Service(context=server) as service:
        trust = {"ca_certificate": made.cert_pem.bytes(), "only_custom_certificates": True}
        for given in (pem, bytearray(pem), pem.decode(), str(file), file):
            assert listing(service.url, client_certificate=given, **trust) == 0
        with pytest.raises(vitalwire.TransportError, match="the server requires a client certificate that it accepts; set client_certificate"):
            listing(service.url, **trust)
        assert len(service.requests) == 5
    without_key = b"".join(part.bytes() for part in issued.cert_chain_pems)
    for wrong in (without_key, CANARY.encode(), tmp_path / "none" / CANARY):
        with pytest.raises(vitalwire.ConfigurationError) as caught:
            listing("https://127.0.0.1:1", client_certificate=wrong)
        assert caught.value.argument == "client_certificate" and "canary" not in f"{caught.value!r}"
    with pytest.raises(TypeError, match="client_certificate"):
        listing("https://127.0.0.1:1", client_certificate=5)


def test_proxies_from_the_environment_are_used(listing: Listing, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    with Service(context=authority.context) as service, Proxy(service.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        url = f"https://{HOST}"
        assert listing(url, ca_certificate=authority.pem) == 0
        assert proxy.requests == [f"CONNECT {HOST}:443"] and len(service.requests) == 1
        # The token is sent to the service, not to the proxy.
        assert not any("authorization" in line.lower() for line in proxy.heads)
        assert service.tokens() == ["t"]
        # Without the proxy, the request fails, because the host name cannot be resolved.
        monkeypatch.setenv("NO_PROXY", f"elsewhere.test,{HOST}")
        with pytest.raises(vitalwire.TransportError):
            listing(url, ca_certificate=authority.pem, max_retries=0)
        monkeypatch.setenv("NO_PROXY", "elsewhere.test")
        with pytest.raises(vitalwire.TransportError):
            listing(url, ca_certificate=authority.pem, max_retries=0, proxy="none")
        # Requests to loopback do not use the proxy.
        assert listing(service.url, ca_certificate=authority.pem) == 0
        assert len(proxy.requests) == 1 and len(service.requests) == 2


def test_a_configured_proxy_is_used_for_all_requests(listing: Listing, authority: Authority) -> None:
    with Service(context=authority.context) as service, Proxy(service.port) as proxy:
        given = proxy.url.replace("//", "//user:secret@")
        assert listing(f"https://{HOST}", proxy=given, ca_certificate=authority.file) == 0
        assert proxy.requests == [f"CONNECT {HOST}:443"]
        assert "proxy-authorization: basic dxnlcjpzzwnyzxq=" in [line.lower() for line in proxy.heads]
    with Service() as service, Proxy(service.port) as proxy:
        assert listing(service.url, proxy=proxy.url) == 0
        assert len(proxy.requests) == 1 and len(service.requests) == 1


def test_durations_are_numbers_or_timedeltas() -> None:
    short = datetime.timedelta(milliseconds=150)

    async def main(silence: SilentService) -> None:
        client = vitalwire.AsyncClient(silence.url, token="t", proxy="none", timeout=short)
        for call in (client.user.info(), client.user.info(timeout=0.15), client.user.info(timeout=20, attempt_timeout=short, max_retries=0)):
            with pytest.raises(vitalwire.TimeoutError):
                await call

    with SilentService() as silence:
        client = vitalwire.Client(silence.url, token="t", proxy="none", timeout=short)
        choices: list[Settings] = [{}, {"timeout": 0.15}, {"timeout": short}, {"timeout": 20, "attempt_timeout": short, "max_retries": 0}]
        for options in choices:
            with pytest.raises(vitalwire.TimeoutError):
                client.user.info(**options)
        asyncio.run(main(silence))


def test_the_retries_of_a_call_override_those_of_the_client() -> None:
    with Service(lambda _: Reply(503, b"{}")) as service:
        make = vitalwire.Client._with_retry_delay_scale  # type: ignore[attr-defined]
        client: vitalwire.Client = make(0.0, service.url, token="t", proxy="none", max_retries=1)
        choices: list[tuple[Settings, int]] = [({}, 2), ({"max_retries": 0}, 1), ({"max_retries": 3}, 4)]
        for options, attempts in choices:
            with pytest.raises(vitalwire.ServiceError) as caught:
                client.user.info(**options)
            assert caught.value.attempts == attempts
    assert len(service.requests) == 7


#: Values of wrong types, by argument.
WRONG: list[tuple[str, typing.Any]] = [
    ("base_url", 5),
    ("care_base_url", b"u"),
    ("token", 5),
    ("care_token", ["t"]),
    ("timeout", "5"),
    ("timeout", True),
    ("max_retries", 1.5),
    ("max_retries", "1"),
    ("max_retries", False),
    ("proxy", 5),
    ("ca_certificate", 5),
    ("allow_plain_http", "yes"),
    ("array_style", 5),
    ("user_agent", 5),
    ("max_response_bytes", 1.0),
    ("accept_gzip", "yes"),
    ("client_side_validation", 1),
]

#: Invalid values of the right type, by argument.
BAD: list[tuple[str, typing.Any]] = [
    ("timeout", 0),
    ("timeout", -1.5),
    ("timeout", float("nan")),
    ("timeout", float("inf")),
    ("timeout", 10**400),
    ("timeout", datetime.timedelta(0)),
    ("timeout", datetime.timedelta(seconds=-1)),
    ("max_retries", -1),
    ("max_retries", 2**40),
    ("max_retries", 10**40),
    ("max_response_bytes", -1),
    ("array_style", CANARY),
    ("base_url", f"{CANARY}\ud800"),
    ("token", f"{CANARY}\ud800"),
]


@pytest.mark.parametrize("cls", [vitalwire.Client, vitalwire.AsyncClient])
def test_rejected_settings_are_named(cls: typing.Any) -> None:
    for name, wrong in WRONG:
        with pytest.raises(TypeError) as mistaken:
            cls(**{name: wrong})
        assert f"'{name}'" in str(mistaken.value)
    for name, bad in BAD:
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            cls(**{name: bad})
        assert isinstance(caught.value, ValueError) and caught.value.argument == name and "canary" not in f"{caught.value!r}"
    with pytest.raises(TypeError, match="no_such_setting"):
        cls(no_such_setting=1)


@pytest.mark.parametrize("cls", [vitalwire.Client, vitalwire.AsyncClient])
def test_rejected_call_options_are_named(cls: typing.Any) -> None:
    client = cls("https://127.0.0.1:1", token="t")
    wrong: list[tuple[str, typing.Any]] = [
        ("timeout", "5"),
        ("attempt_timeout", True),
        ("connect_timeout", []),
        ("max_retries", 1.5),
        ("allow_resend", "yes"),
        ("token", 5),
    ]
    for name, value in wrong:
        with pytest.raises(TypeError) as mistaken:
            client.user.info(**{name: value})
        assert f"'{name}'" in str(mistaken.value)
    for name, value in (("timeout", 0), ("attempt_timeout", -1), ("connect_timeout", datetime.timedelta(0)), ("max_retries", -1), ("max_retries", 10**40)):
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            client.user.info(**{name: value})
        assert caught.value.argument == name


def test_both_clients_read_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with Service() as service:
        monkeypatch.setenv("VITALWIRE_BASE_URL", service.url)
        monkeypatch.setenv("VITALWIRE_TOKEN", "from-env")
        client, other = vitalwire.Client.from_env(), vitalwire.AsyncClient.from_env()

        async def main() -> int:
            return len(await other.nutrition_records.list())

        assert len(client.nutrition_records.list()) == 0 and asyncio.run(main()) == 0
        assert service.tokens() == ["from-env"] * 2
    monkeypatch.setenv("VITALWIRE_TIMEOUT", CANARY)
    for cls in (vitalwire.Client, vitalwire.AsyncClient):
        with pytest.raises(vitalwire.ConfigurationError) as caught:
            cls.from_env()
        assert caught.value.argument == "VITALWIRE_TIMEOUT" and "canary" not in f"{caught.value!r}"


def test_a_cancelled_token_prevents_any_request() -> None:
    cancel = vitalwire.CancelToken()
    cancel.cancel()
    day = datetime.date(2025, 3, 1)
    noon = datetime.datetime(2025, 3, 1, 12, tzinfo=datetime.timezone.utc)
    with Service(lambda _: Reply(200, b"[]")) as service, vitalwire.Client(service.url, token="t", proxy="none") as client:
        calls: list[typing.Callable[[], object]] = [
            lambda: client.user.info(cancel=cancel),
            lambda: client.statistics.daily(day, day, ["steps"], cancel=cancel),
            lambda: client.statistics.interval(noon, None, ["steps"], cancel=cancel),
            lambda: client.statistics.daily_range(day, day, ["steps"], cancel=cancel).collect(),
            lambda: client.nutrition_records.upload(b"picture", cancel=cancel),
            lambda: client.nutrition_records.upload_and_wait(b"picture", cancel=cancel),
        ]
        for call in calls:
            with pytest.raises(vitalwire.CancelledError):
                call()
        assert service.requests == []


@pytest.mark.parametrize("cls", [vitalwire.Client, vitalwire.AsyncClient])
def test_rejected_arguments_of_a_call_are_named(cls: typing.Any) -> None:
    client = cls("https://127.0.0.1:1", token="t")
    day, now = datetime.date(2025, 11, 20), datetime.datetime(2025, 11, 20, tzinfo=datetime.timezone.utc)
    wrong: list[tuple[typing.Callable[[], object], str]] = [
        (lambda: client.sleeps.get(5), "sleep_id"),
        (lambda: client.sleeps.get("s", include_stages="yes"), "include_stages"),
        (lambda: client.statistics.daily(20251120, day, ["steps"]), "from_date"),
        (lambda: client.statistics.daily(day, day, "steps"), "types"),
        (lambda: client.statistics.daily(day, day, [5]), "types"),
        (lambda: client.nutrition_records.list(from_timestamp=day), "from_timestamp"),
        (lambda: client.nutrition_records.update("r", "1"), "serving_size"),
        (lambda: client.tokens.exchange("1", "u", "s"), "application_id"),
    ]
    for call, name in wrong:
        with pytest.raises(TypeError) as mistaken:
            call()
        assert f"'{name}'" in str(mistaken.value)
    bad: list[tuple[typing.Callable[[], object], str]] = [
        (lambda: client.tokens.exchange(10**40, "u", "s"), "application_id"),
        (lambda: client.sleeps.get(f"{CANARY}\ud800"), "sleep_id"),
        (lambda: client.nutrition_records.update("r", 10**400), "serving_size"),
        (lambda: client.statistics.daily(day, now, ["steps"]), "to_date"),
        (lambda: client.statistics.daily(day, day, [f"{CANARY}\ud800"]), "types"),
    ]
    for call, name in bad:
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            call()
        assert refused.value.argument == name and "canary" not in f"{refused.value!r}"
