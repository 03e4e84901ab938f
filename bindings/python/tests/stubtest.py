"""Runs mypy's stubtest on the package, with the same arguments.

The native module has all of its items, but its stub has a file for each topic. stubtest compares an item with the module of its stub. This
program therefore adds a module for each file, with the items of the native module that the file declares.
"""

from __future__ import annotations

import ast
import pathlib
import sys
import types

from mypy import stubtest

import vitalwire
from vitalwire import _native


def names(file: pathlib.Path) -> list[str]:
    """Returns the classes, functions and values that a file of the stub declares."""
    found = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return found


def add_modules() -> None:
    """Adds the modules."""
    folder = pathlib.Path(vitalwire.__file__).parent / "_stubs"
    for file in folder.glob("*.pyi"):
        module = types.ModuleType(f"vitalwire._stubs.{file.stem}".removesuffix(".__init__"))
        vars(module).update({name: getattr(_native, name) for name in names(file) if hasattr(_native, name)})
        sys.modules[module.__name__] = module


if __name__ == "__main__":
    add_modules()
    sys.exit(stubtest.main())
