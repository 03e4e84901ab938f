"""Tests the sources of uploads on both clients: the service receives exactly the bytes that were passed."""

from __future__ import annotations

import array
import asyncio
import base64
import errno
import io
import json
import mmap
import os
import pathlib
import sys
import tempfile
import traceback
import typing

import PIL.ExifTags
import PIL.Image
import pytest
import vitalwire
from serving import Reply, Request, Service

MEAL = b'{"record_id":"meal-1","status":"pending","uploaded_at":"2025-03-02T12:00:00Z"}'
REPORT = b'{"lab_report":{"record_id":"lab-1","status":"pending","uploaded_at":"2025-03-02T12:00:00Z"}}'
#: A file with every byte value.
FILE = bytes(range(256)) * 5
PLACE = "canary-camera"

#: Function that makes a call with either client.
Call = typing.Callable[[typing.Any], typing.Any]
Play = typing.Callable[[Call], typing.Any]


def respond(request: Request) -> Reply:
    return Reply(body=REPORT if request.target.startswith("/v3/lab_reports") else MEAL)


@pytest.fixture
def service() -> typing.Iterator[Service]:
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


def received(service: Service) -> dict[str, typing.Any]:
    """Returns the body of the only request."""
    (request,) = service.requests
    return typing.cast("dict[str, typing.Any]", json.loads(request.body))


def bytes_received(service: Service) -> bytes:
    return base64.b64decode(received(service)["body"], validate=True)


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "Mittagessen ü.jpg"
    path.write_bytes(FILE)
    return path


def photo(**saving: typing.Any) -> bytes:
    """Returns a JPEG like the photo of a phone, with place, camera and orientation."""
    exif = PIL.Image.Exif()
    exif[PIL.ExifTags.Base.Make] = PLACE
    exif[PIL.ExifTags.Base.Orientation] = 6
    exif.get_ifd(PIL.ExifTags.IFD.GPSInfo)[PIL.ExifTags.GPS.GPSLatitude] = (52.0, 31.0, 12.0)
    buffer = io.BytesIO()
    picture().save(buffer, **{"format": "JPEG", "exif": exif, **saving})
    return buffer.getvalue()


def picture(mode: str = "RGB") -> PIL.Image.Image:
    """Returns a picture whose pixels differ from each other."""
    return PIL.Image.radial_gradient("L").resize((64, 48)).convert(mode)


def open_image(data: bytes) -> PIL.Image.Image:
    return PIL.Image.open(io.BytesIO(data))


def latitude(data: bytes) -> object:
    return open_image(data).getexif().get_ifd(PIL.ExifTags.IFD.GPSInfo).get(PIL.ExifTags.GPS.GPSLatitude)


MakeSource = typing.Callable[[pathlib.Path], typing.Any]


def open_file(path: pathlib.Path) -> typing.BinaryIO:
    return path.open("rb")


def open_from_middle(path: pathlib.Path) -> io.BytesIO:
    file = io.BytesIO(b"before" + FILE)
    file.seek(6)
    return file


def open_mapped(path: pathlib.Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class Fspath:
    """A path class of another library."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return str(self._path)


class SlowFile(io.RawIOBase):
    """A file that returns a few bytes per read."""

    def __init__(self) -> None:
        self._rest = FILE

    def read(self, size: int = -1, /) -> bytes:
        start, self._rest = self._rest[: min(size, 7)], self._rest[min(size, 7) :]
        return start


SOURCES: list[tuple[str, MakeSource]] = [
    ("text", str),
    ("path", lambda path: path),
    ("another path", Fspath),
    ("bytes", lambda _: FILE),
    ("bytearray", lambda _: bytearray(FILE)),
    ("memoryview", lambda _: memoryview(FILE)),
    ("part of a view", lambda _: memoryview(b"0" + FILE + b"0")[1:-1]),
    ("every second byte", lambda _: memoryview(bytes(byte for byte in FILE for _ in range(2)))[::2]),
    ("array of bytes", lambda _: array.array("B", FILE)),
    ("map", open_mapped),
    ("file", open_file),
    ("unbuffered file", lambda path: open(path, "rb", buffering=0)),
    ("BytesIO", lambda _: io.BytesIO(FILE)),
    ("file from its middle", open_from_middle),
    ("trickling file", lambda _: SlowFile()),
]


@pytest.mark.parametrize("given", [given for _, given in SOURCES], ids=[name for name, _ in SOURCES])
def test_a_picture_is_sent_unchanged(play: Play, service: Service, path: pathlib.Path, given: MakeSource) -> None:
    uploaded = play(lambda client: client.nutrition_records.upload(given(path), country_code="de"))
    assert isinstance(uploaded, vitalwire.NutritionUploadResponse) and uploaded.record_id == "meal-1"
    assert received(service) == {"body": base64.b64encode(FILE).decode(), "country_code": "de"}


@pytest.mark.parametrize("given", [given for _, given in SOURCES], ids=[name for name, _ in SOURCES])
def test_a_document_is_sent_unchanged(play: Play, service: Service, path: pathlib.Path, given: MakeSource) -> None:
    uploaded = play(lambda client: client.lab_reports.upload(given(path), "blood.pdf", wait_on_process=False))
    assert isinstance(uploaded, vitalwire.LabReportResponse)
    sent = {"body": base64.b64encode(FILE).decode(), "filename": "blood.pdf", "wait_on_process": False}
    assert received(service) == sent


def named_image(path: pathlib.Path) -> PIL.Image.Image:
    picture().save(path, format="PNG")
    return PIL.Image.open(path)


@pytest.mark.parametrize("given", [str, Fspath, lambda path: path, open_file, lambda path: open(path, "rb", buffering=0), named_image])
def test_a_document_has_the_name_of_its_file(
    play: Play, service: Service, path: pathlib.Path, given: MakeSource
) -> None:
    play(lambda client: client.lab_reports.upload(given(path)))
    assert received(service)["filename"] == "Mittagessen ü.jpg"


@pytest.mark.parametrize("given", [lambda: FILE, lambda: io.BytesIO(FILE), tempfile.TemporaryFile, lambda: picture()])
def test_a_document_without_a_name_needs_one(play: Play, service: Service, given: MakeSource) -> None:
    def source() -> typing.Any:
        source = given()  # type: ignore[call-arg]
        if hasattr(source, "seekable") and not isinstance(source, io.BytesIO):
            source.write(FILE)
            source.seek(0)
        return source

    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        play(lambda client: client.lab_reports.upload(source()))
    assert caught.value.argument == "filename" and not service.requests


def test_a_picture_is_sent_by_url(play: Play, service: Service) -> None:
    for address in ("https://example.org/a.jpg?b=c", "HTTP://127.0.0.1:1/a"):
        play(lambda client: client.nutrition_records.upload(address))  # noqa: B023
        assert json.loads(service.requests[-1].body) == {"body_url": address}
    play(lambda client: client.nutrition_records.upload(body_url="https://example.org/b.png"))
    assert json.loads(service.requests[-1].body) == {"body_url": "https://example.org/b.png"}


def expect_error(kind: type[BaseException], play: Play, call: Call) -> BaseException:
    with pytest.raises(kind) as caught:
        play(call)
    shown = "".join(traceback.format_exception_only(caught.value)) + repr(caught.value) + repr(vars(caught.value))
    assert "canary" not in shown
    return caught.value


def test_invalid_picture_urls_are_rejected(play: Play, service: Service) -> None:
    address = "https://example.org/canary.jpg"
    calls: list[Call] = [
        lambda client: client.nutrition_records.upload("https://canary example"),
        lambda client: client.nutrition_records.upload(address, body_url=address),
        lambda client: client.nutrition_records.upload(address, without_metadata=True),
        lambda client: client.lab_reports.upload(address, "a.pdf"),
    ]
    for call in calls:
        error = expect_error(vitalwire.InvalidArgumentError, play, call)
        assert isinstance(error, vitalwire.InvalidArgumentError) and error.argument == "body"
    assert not service.requests


def test_unreadable_files_raise_pythons_own_errors(
    play: Play, service: Service, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "canary").write_bytes(FILE)
    cases: list[tuple[type[OSError], int, pathlib.Path]] = [
        (FileNotFoundError, errno.ENOENT, tmp_path / "canary-missing"),
    ]
    if sys.platform == "win32":
        # Windows reports a folder as a file without permission.
        cases += [(PermissionError, errno.EACCES, tmp_path)]
    else:
        cases += [
            (IsADirectoryError, errno.EISDIR, tmp_path),
            (NotADirectoryError, errno.ENOTDIR, tmp_path / "canary" / "file"),
        ]
    for kind, number, path in cases:
        for call in (
            lambda client, path=path: client.nutrition_records.upload(path),
            lambda client, path=path: client.nutrition_records.upload_and_wait(str(path)),
            lambda client, path=path: client.lab_reports.upload(path, "a.pdf"),
        ):
            with pytest.raises(kind) as caught:
                play(call)
            error = caught.value
            # As in Python's own exceptions, the error contains the path of the caller.
            assert (error.errno, error.strerror, error.filename) == (number, os.strerror(number), str(path))
            assert str(error) == str(OSError(number, os.strerror(number), str(path)))
            assert not isinstance(error, vitalwire.VitalwireError)
    assert not service.requests


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="this user may read every file")
def test_a_file_without_read_permission_raises_a_permission_error(play: Play, path: pathlib.Path) -> None:
    path.chmod(0)
    with pytest.raises(PermissionError) as caught:
        play(lambda client: client.nutrition_records.upload(path))
    assert caught.value.filename == str(path)


def test_empty_and_endless_files_are_rejected(play: Play, service: Service, tmp_path: pathlib.Path) -> None:
    empty, long = tmp_path / "empty", tmp_path / "canary-long"
    empty.touch()
    with long.open("wb") as file:
        file.truncate((64 << 20) + 1)
    read = io.BytesIO(FILE)
    read.seek(0, io.SEEK_END)

    class EndlessFile(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            return b"0" * size

    sources: list[typing.Any] = [empty, long, read, EndlessFile()]
    for source in sources:
        error = expect_error(vitalwire.InvalidArgumentError, play, lambda client: client.nutrition_records.upload(source))  # noqa: B023
        assert isinstance(error, vitalwire.InvalidArgumentError) and error.argument == "body"
    # A path with a null character raises `ValueError`.
    expect_error(ValueError, play, lambda client: client.nutrition_records.upload("canary\0"))
    assert not service.requests


def test_arguments_of_wrong_types_are_rejected(play: Play, service: Service, path: pathlib.Path) -> None:
    class NoneReturningFile(io.RawIOBase):
        def read(self, size: int = -1, /) -> typing.Any:
            return None

    sources: list[tuple[str, object]] = [
        ("text file", path.open(encoding="latin-1")),
        ("text file", io.StringIO("canary")),
        ("returns bytes", NoneReturningFile()),
        ("not an array", array.array("d", [1.0, 2.0])),
        ("not an array", memoryview(bytes(12)).cast("B", (2, 6))),
        ("a path, bytes, a binary file or a Pillow image", 5),
        ("a path, bytes, a binary file or a Pillow image", ["canary"]),
        ("a path, bytes, a binary file or a Pillow image", {"body": FILE}),
    ]
    for text, source in sources:
        for call in (
            lambda client, source=source: client.nutrition_records.upload(source),
            lambda client, source=source: client.lab_reports.upload(source, "a.pdf"),
        ):
            error = expect_error(TypeError, play, call)
            assert str(error).startswith("argument 'body': ") and text in str(error)
    expect_error(TypeError, play, lambda client: client.lab_reports.upload(None, "a.pdf"))
    assert not service.requests


def test_the_exception_of_a_file_object_is_raised_unchanged(play: Play, service: Service) -> None:
    class FailingFile(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine") as caught:
        play(lambda client: client.nutrition_records.upload(FailingFile()))
    assert "in read" in "".join(traceback.format_exception(caught.value))
    closed = io.BytesIO(FILE)
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        play(lambda client: client.nutrition_records.upload(closed))
    assert not service.requests


def test_metadata_is_removed_on_request(play: Play, service: Service, tmp_path: pathlib.Path) -> None:
    whole = photo()
    assert latitude(whole) == (52.0, 31.0, 12.0) and PLACE.encode() in whole
    path = tmp_path / "lunch.jpg"
    path.write_bytes(whole)
    play(lambda client: client.nutrition_records.upload(path))
    assert bytes_received(service) == whole
    for source in (path, whole, io.BytesIO(whole)):
        service.requests.clear()
        play(lambda client: client.nutrition_records.upload(source, without_metadata=True))  # noqa: B023
        stripped = bytes_received(service)
        assert latitude(stripped) is None and PLACE.encode() not in stripped
        # Pixels and orientation have not changed.
        assert open_image(stripped).tobytes() == open_image(whole).tobytes()
        assert dict(open_image(stripped).getexif()) == {PIL.ExifTags.Base.Orientation: 6}
        if isinstance(source, io.BytesIO):
            assert source.closed is False
    for source in (FILE, b""):
        error = expect_error(vitalwire.InvalidArgumentError, play, lambda client: client.nutrition_records.upload(source, without_metadata=True))  # noqa: B023
        assert isinstance(error, vitalwire.InvalidArgumentError) and error.argument == "body"


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_an_image_keeps_its_format(play: Play, service: Service, form: str) -> None:
    lossless = {"lossless": True} if form == "WEBP" else {}
    image = open_image(photo(format=form, **lossless))
    play(lambda client: client.nutrition_records.upload(image))
    sent = bytes_received(service)
    assert open_image(sent).format == form and open_image(sent).size == image.size
    # Of the metadata, only the orientation is kept.
    assert latitude(sent) is None and PLACE.encode() not in sent
    assert dict(open_image(sent).getexif()) == {PIL.ExifTags.Base.Orientation: 6}
    if form == "JPEG":
        assert open_image(sent).quantization == image.quantization  # type: ignore[attr-defined]
    if form == "PNG":
        assert open_image(sent).tobytes() == image.tobytes()


@pytest.mark.parametrize(
    ("mode", "form"),
    [("RGB", "JPEG"), ("L", "JPEG"), ("CMYK", "JPEG"), ("YCbCr", "JPEG"), ("RGBA", "PNG"), ("LA", "PNG"), ("P", "PNG"), ("1", "PNG")],
)
def test_an_image_without_a_format_gets_a_suitable_one(
    play: Play, service: Service, mode: str, form: str
) -> None:
    image = picture().convert("RGBA").convert("LA") if mode == "LA" else picture(mode)
    play(lambda client: client.lab_reports.upload(image, "scan"))
    sent = open_image(bytes_received(service))
    assert (sent.format, sent.size) == (form, image.size)
    if form == "PNG":
        assert sent.convert("RGBA").tobytes() == image.convert("RGBA").tobytes()
    else:
        difference = [abs(a - b) for a, b in zip(sent.convert("L").tobytes(), image.convert("L").tobytes(), strict=True)]
        assert max(difference) < 16


def test_unsupported_image_formats_are_converted(play: Play, service: Service) -> None:
    for form, image in [("GIF", picture("P")), ("TIFF", picture("RGBA")), ("BMP", picture())]:
        buffer = io.BytesIO()
        image.save(buffer, format=form)
        play(lambda client: client.nutrition_records.upload(open_image(buffer.getvalue())))  # noqa: B023
        body = json.loads(service.requests[-1].body)["body"]
        assert open_image(base64.b64decode(body)).format == ("JPEG" if form == "BMP" else "PNG")
    # A JPEG with transparency is saved in another format.
    image = open_image(photo())
    image.putalpha(128)
    play(lambda client: client.nutrition_records.upload(image))
    assert open_image(base64.b64decode(json.loads(service.requests[-1].body)["body"])).mode == "RGBA"


def test_an_image_that_cannot_be_encoded_raises_pillows_error(play: Play, service: Service) -> None:
    with pytest.raises(OSError, match="cannot write mode F"):
        play(lambda client: client.nutrition_records.upload(picture("F")))
    assert not service.requests


def test_changes_to_a_buffer_during_a_call_are_not_sent(service: Service) -> None:
    async def main() -> None:
        body = bytearray(FILE)
        call = vitalwire.AsyncClient(service.url, token="t", proxy="none").nutrition_records.upload(body)
        body[:] = b"0" * len(FILE)
        await call

    asyncio.run(main())
    assert bytes_received(service) == FILE


def test_a_large_file_is_sent_once_and_completely(service: Service, tmp_path: pathlib.Path) -> None:
    data = os.urandom(6_000_001)
    path = tmp_path / "large.pdf"
    path.write_bytes(data)
    client = vitalwire.Client(service.url, token="t", proxy="none")
    for source in (path, path.open("rb"), data):
        service.requests.clear()
        client.lab_reports.upload(source, "large.pdf")
        assert bytes_received(service) == data
