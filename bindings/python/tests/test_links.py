"""Tests that each link in the package's documents leads to an existing file and heading."""

from __future__ import annotations

import pathlib
import re
import typing

import pytest

PACKAGE = pathlib.Path(__file__).parents[1]
#: Documents that package indexes show without the other files.
SHOWN_ALONE = ["README.md", "sandbox/README.md"]
TEXTS = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.md"))


def links(text: str) -> typing.Iterator[str]:
    """Returns the link targets of a text, without those in code."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for match in re.finditer(r"`[^`\n]*`|\]\(([^)\s]+)\)", prose):
        if match[1] is not None:
            yield match[1]


def heading_anchors(text: str) -> set[str]:
    """Returns the headings of a text as URL fragments."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_code_is_not_taken_for_a_link() -> None:
    assert list(links("[`Sleeps`](#sleeps) `a](b)` `tuple[`[`X`](y.md#x)`, ...]`\n```text\n[a](c)\n```\n")) == ["#sleeps", "y.md#x"]
    assert heading_anchors("# `client.sleeps`\n\n### to_pandas\n## A first night\n") == {"clientsleeps", "to_pandas", "a-first-night"}


@pytest.mark.parametrize("name", TEXTS)
def test_links_have_targets(name: str) -> None:
    here = PACKAGE / name
    for link in links(here.read_text(encoding="utf-8")):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (here.parent / path).resolve() if path else here
        assert target.exists(), link
        if anchor:
            assert anchor in heading_anchors(target.read_text(encoding="utf-8")), link


def test_the_reference_links_the_classes_of_its_members() -> None:
    page = (PACKAGE / "docs/reference/sleeps.md").read_text(encoding="utf-8")
    assert "| `stages` | `tuple[`[`SleepStage`](#sleepstage)`, ...] \\| None` |" in page
    assert "| `response` | [`ResponseMetadata`](client.md#responsemetadata)` \\| None` |" in page


def test_the_reference_does_not_link_classes_of_other_packages() -> None:
    page = (PACKAGE / "docs/reference/tables.md").read_text(encoding="utf-8")
    returned = re.findall(r"\) -> (\S+)\n```\n\n(?:Returns (.*)\.\n)?", page)
    assert ("Table", "[`Table`](#table)") in returned
    assert {links for answer, links in returned if answer == "pyarrow.Table"} == {""}


@pytest.mark.parametrize("name", SHOWN_ALONE)
def test_the_readme_on_the_package_index_has_no_relative_links(name: str) -> None:
    assert [link for link in links((PACKAGE / name).read_text(encoding="utf-8")) if not link.startswith("https://")] == []
