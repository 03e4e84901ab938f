"""Reads the stub of the native module, which has a file for each topic."""

from __future__ import annotations

import ast
from pathlib import Path

import vitalwire


def read_stub() -> ast.Module:
    """Returns the declarations of all files."""
    files = sorted((Path(vitalwire.__file__).parent / "_stubs").glob("*.pyi"))
    assert {"client.pyi", "sleeps.pyi", "errors.pyi"} <= {file.name for file in files}
    return ast.Module([node for file in files for node in ast.parse(file.read_text(encoding="utf-8")).body], type_ignores=[])
