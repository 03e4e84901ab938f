"""Python code of the package's pages."""

from __future__ import annotations

import pathlib
import re
import types

#: Folder of the package.
PACKAGE = pathlib.Path(__file__).parents[1]


def blocks(page: pathlib.Path, last: str = "") -> list[types.CodeType]:
    """Compiles the Python code of a page with its line numbers, up to the first block that contains `last`. Defaults to all blocks."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text[: match.start(1)].count("\n")
        found.append(compile("\n" * line + match.group(1), str(page), "exec"))
        if last and last in match.group(1):
            break
    return found


def run(page: pathlib.Path, last: str = "", names: dict[str, object] | None = None) -> dict[str, object]:
    """Runs the code of a page, and returns its names."""
    names = {} if names is None else names
    for block in blocks(page, last):
        exec(block, names)
    return names
