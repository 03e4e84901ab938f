"""Runs the quickstart of `README.md` from top to bottom, and up to its first call with each fault of the sandbox."""

from __future__ import annotations

import functools
import pathlib
import time
import traceback
import typing

import matplotlib
import pages
import pytest

import vitalwire

matplotlib.use("Agg")

ROOT = pathlib.Path(__file__).parents[3]
README = pages.PACKAGE / "README.md"
#: Result of a read with each fault; see `tests/faults/README.md` in the repository.
FAULTS = [line.split("\t") for line in (ROOT / "tests/faults/outcomes.tsv").read_text(encoding="utf-8").splitlines()[1:]]

#: Pages of the reference that describe a resource.
RESOURCES = [page for page in sorted((pages.PACKAGE / "docs/reference").glob("*.md")) if hasattr(vitalwire.Client, page.stem)]

#: First call of the quickstart.
FIRST = "client.user.info()"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> typing.Iterator[None]:
    """Changes to an empty folder, as that of a new user."""
    monkeypatch.chdir(tmp_path)
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_the_gallery_runs_as_printed_and_has_every_plot() -> None:
    page = pages.PACKAGE / "docs/plots.md"
    pages.run(page)
    text = page.read_text(encoding="utf-8")
    assert [name for name in vitalwire.plot.__all__ if f"plot.{name}(" not in text] == []


@pytest.mark.parametrize(("name", "rows"), [("cohorts", 1833), ("polars", 60)])
def test_the_pages_about_cohorts_run_as_printed(name: str, rows: int, capsys: pytest.CaptureFixture[str]) -> None:
    names = pages.run(pages.PACKAGE / f"docs/{name}.md")
    assert isinstance(names["sandbox"], vitalwire.Sandbox)
    names["sandbox"].close()
    assert str(rows) in capsys.readouterr().out


@pytest.mark.parametrize("page", RESOURCES, ids=[page.stem for page in RESOURCES])
def test_the_example_of_a_resource_runs_as_printed(page: pathlib.Path) -> None:
    responses = vitalwire.MockResponses.samples()
    pages.run(page, "client.", {"client": vitalwire.Client(mock_responses=responses)})
    assert responses.requests


@pytest.mark.parametrize("status", ["completed", "failed"])
def test_the_quickstart_runs_as_printed(status: str, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    if status == "failed":
        # A picture of one colour shows no food.
        Image.new("RGB", (64, 64), "white").save("lunch.jpg")
    names: dict[str, typing.Any] = {}
    pages.run(README, names=names)
    said = capsys.readouterr().out
    assert "364 days" in said
    assert len(names["frame"]) == 364 and names["frame"]["steps"].notna().all()
    assert names["rows"]["stage"] == [stage.stage for stage in names["night"].stages]
    assert names["meal"].status == status and names["report"].status == "completed"
    assert names["back"].state == "4711"
    assert pathlib.Path("night.png").stat().st_size > 1000
    assert "404 1201" in said and "types" in said
    assert not names["sandbox"].running


@pytest.mark.parametrize(("fault", "code"), [(fault, int(code)) for fault, code, *_ in FAULTS], ids=[fault for fault, *_ in FAULTS])
def test_the_quickstart_reports_faults(fault: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Plays each fault on the first call. A fault that is retried is not visible. Other faults raise an error that describes them."""
    started: list[vitalwire.Sandbox] = []

    def with_fault(**settings: typing.Any) -> vitalwire.Sandbox:
        started.append(original(faults=[fault + "; operation=get_user_info"], **settings))
        return started[-1]

    original = vitalwire.Sandbox
    monkeypatch.setattr(vitalwire, "Sandbox", functools.wraps(original)(with_fault))
    begun = time.monotonic()
    try:
        if code == 0:
            pages.run(README, FIRST)
        else:
            with pytest.raises(vitalwire.VitalwireError) as caught:
                pages.run(README, FIRST)
            assert caught.value.code == code
            shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__dict__) + capsys.readouterr().err
            (sandbox,) = started
            assert sandbox.token not in shown and sandbox.application_key not in shown
            assert "uid" not in shown
    finally:
        for sandbox in started:
            sandbox.close()
    assert time.monotonic() - begun < 60
