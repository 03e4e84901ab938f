"""Tests uploads of base64 text, data URLs and content in place of a path: they are rejected before any request and not quoted."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import pathlib
import sys
import traceback
import typing

import pytest
import vitalwire
from serving import Reply, Request, Service

MEAL = b'{"record_id":"meal-1","status":"pending","uploaded_at":"2025-03-02T12:00:00Z"}'
REPORT = b'{"lab_report":{"record_id":"lab-1","status":"pending","uploaded_at":"2025-03-02T12:00:00Z"}}'

#: Part of the base64 text of a repeated `CANARY-PHOTO`.
CANARY = "Q0FOQVJZ"
PHOTO = base64.b64encode(b"\xff\xd8\xff\xe0" + b"CANARY-PHOTO" * 16_000).decode()
REPORT_TEXT = base64.b64encode(b"%PDF-1.7\n" + b"CANARY-PHOTO" * 20).decode()
IS_BASE64 = "is base64 text; decode it and pass the bytes"
IS_DATA_URL = "is a data URL; decode the base64 text after its comma and pass the bytes"
IS_NO_PATH = "is not a path; pass the content of a file as bytes"

Call = typing.Callable[[typing.Any], typing.Any]
Play = typing.Callable[[Call], typing.Any]


@pytest.fixture
def service() -> typing.Iterator[Service]:
    def respond(request: Request) -> Reply:
        return Reply(body=REPORT if request.target.startswith("/v3/lab_reports") else MEAL)

    with Service(respond) as service:
        yield service


@pytest.fixture(params=["sync", "async"])
def play(request: pytest.FixtureRequest, service: Service) -> Play:
    """Makes a call with a sync or an async client."""
    if request.param == "sync":
        return lambda call: call(vitalwire.Client(service.url, token="t", proxy="none"))

    async def main(call: Call) -> typing.Any:
        return await call(vitalwire.AsyncClient(service.url, token="t", proxy="none"))

    return lambda call: asyncio.run(main(call))


def all_texts(error: BaseException | None) -> str:
    """Returns every text of an exception: attributes, arguments, notes, causes and traceback."""
    texts: list[str] = []
    while error is not None:
        texts += traceback.format_exception(error)
        texts += [str(error), repr(error), repr(error.args), repr(vars(error)), repr(getattr(error, "filename", None))]
        error = error.__cause__ or error.__context__
    return "".join(texts)


def as_bytes(text: str) -> list[tuple[str, typing.Any]]:
    data = text.encode()
    return [
        ("bytes", data),
        ("bytearray", bytearray(data)),
        ("memoryview", memoryview(data)),
        ("file", io.BytesIO(data)),
    ]


def as_paths(text: str) -> list[tuple[str, typing.Any]]:
    class Fspath:
        def __fspath__(self) -> str:
            return text

    return [("text", text), ("path", pathlib.Path(text)), ("another path", Fspath())]


MISTAKES = [
    ("photo", PHOTO, IS_BASE64),
    ("part of a photo", PHOTO[:120], IS_BASE64),
    ("lines", "\n".join(PHOTO[at : at + 76] for at in range(0, len(PHOTO), 76)), IS_BASE64),
    ("document", REPORT_TEXT, IS_BASE64),
    ("alphabet of URLs", PHOTO.replace("+", "-").replace("/", "_"), IS_BASE64),
    ("data URL", "data:image/jpeg;base64," + PHOTO, IS_DATA_URL),
    ("upper case data URL", "DATA:application/pdf;BASE64," + REPORT_TEXT, IS_DATA_URL),
]


@pytest.mark.parametrize(("text", "reason"), [case[1:] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_encoded_text_is_rejected_as_path_and_as_file(play: Play, service: Service, text: str, reason: str) -> None:
    for _, source in as_bytes(text) + as_paths(text):
        again = source.getvalue() if isinstance(source, io.BytesIO) else None
        calls: list[typing.Callable[..., typing.Any]] = [
            lambda client, body: client.nutrition_records.upload(body),
            lambda client, body: client.nutrition_records.upload(body, without_metadata=True),
            lambda client, body: client.nutrition_records.upload_and_wait(body),
            lambda client, body: client.lab_reports.upload(body, "report.pdf"),
            lambda client, body: client.lab_reports.upload_and_wait(body, "report.pdf"),
        ]
        for call in calls:
            body = source if again is None else io.BytesIO(again)
            with pytest.raises(vitalwire.InvalidArgumentError) as caught:
                play(lambda client: call(client, body))  # noqa: B023
            assert caught.value.argument == "body" and reason in str(caught.value)
            assert CANARY not in all_texts(caught.value)
    for call in (
        lambda client: client.nutrition_records.upload(body_url=text),
        lambda client: client.nutrition_records.upload("https://" + "x" * 300 + " " + PHOTO),
    ):
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            play(call)
        assert CANARY not in all_texts(caught.value)
    assert not service.requests


@pytest.mark.parametrize("text", ["CANARY HDL 1.4 mmol/L\n" * 50_000, "canary\0.jpg", "c" * 300, "canary\ud800" * 9], ids=["long", "nul", "wide", "surrogate"])
def test_file_content_is_rejected_as_a_path(play: Play, service: Service, text: str) -> None:
    for source in (text, *([pathlib.Path(text)] if sys.platform != "win32" else [])):
        for call in (
            lambda client, body=source: client.nutrition_records.upload(body),
            lambda client, body=source: client.lab_reports.upload(body),
        ):
            with pytest.raises(vitalwire.InvalidArgumentError) as caught:
                play(call)
            assert caught.value.argument == "body" and "canary" not in all_texts(caught.value).lower().replace("canary_", "")
            assert IS_NO_PATH in str(caught.value) or "Unicode" in str(caught.value)
    assert not service.requests


def test_a_long_path_is_shortened_in_the_error(play: Play, tmp_path: pathlib.Path) -> None:
    path = tmp_path / ("d" * 90) / ("e" * 90) / "lunch.jpg"
    with pytest.raises(FileNotFoundError) as caught:
        play(lambda client: client.nutrition_records.upload(path))
    name = caught.value.filename
    assert len(name) == 100 and "…" in name and name.startswith(str(tmp_path)[:20]) and name.endswith("e/lunch.jpg")
    assert str(path) not in all_texts(caught.value)
    if sys.platform != "win32":
        # The name is short enough in characters, but too long in bytes.
        with pytest.raises(OSError) as long:
            play(lambda client: client.nutrition_records.upload(tmp_path / ("ü" * 200)))
        assert long.value.strerror == os.strerror(36 if sys.platform == "linux" else 63)


def test_empty_files_are_rejected(play: Play, service: Service, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    for source in (b"", bytearray(), memoryview(b""), io.BytesIO(), path, str(path)):
        for call in (
            lambda client, body=source: client.nutrition_records.upload(body),
            lambda client, body=source: client.lab_reports.upload(body, "a.pdf"),
        ):
            with pytest.raises(vitalwire.InvalidArgumentError, match="the file is empty"):
                play(call)
    assert not service.requests


def test_client_side_validation_can_be_turned_off(play: Play, service: Service) -> None:
    for body in (PHOTO.encode(), b"data:image/jpeg;base64,AAAA"):
        play(lambda client: client.lab_reports.upload(body, "a.pdf", client_side_validation=False))  # noqa: B023
    assert len(service.requests) == 2


def test_a_file_whose_name_looks_like_encoded_text_is_read(play: Play, service: Service, tmp_path: pathlib.Path) -> None:
    path = tmp_path / REPORT_TEXT[:200].replace("/", "_")
    path.write_bytes(b"%PDF-1.7\n")
    play(lambda client: client.lab_reports.upload(path))
    assert len(service.requests) == 1
