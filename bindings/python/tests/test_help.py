"""Tests the output of `help()`: native classes, methods and functions have the documentation and signatures of the stub."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
from collections.abc import Iterator

import pytest
from stubs import read_stub

import vitalwire
from vitalwire import _native

Function = ast.FunctionDef | ast.AsyncFunctionDef


def declarations(node: ast.Module | ast.ClassDef, above: str = "") -> Iterator[tuple[str, ast.ClassDef | Function]]:
    """Returns the public classes, functions and members of a stub with their paths. Overloads are repeated."""
    for item in node.body:
        if isinstance(item, ast.ClassDef | Function) and (above or not item.name.startswith("_")):
            yield f"{above}{item.name}", item
            if isinstance(item, ast.ClassDef):
                yield from declarations(item, f"{above}{item.name}.")


def decorators(item: ast.ClassDef | Function) -> list[str]:
    return [ast.unparse(mark).lstrip("_") for mark in item.decorator_list]


STUB = list(declarations(read_stub()))
TEXTS = [(path, text) for path, item in STUB if (text := ast.get_docstring(item)) is not None]
# Keeps the last overload of a function, which has the most arguments.
FUNCTIONS = {path: item for path, item in STUB if isinstance(item, Function) and "property" not in decorators(item)}
MADE = [path.removesuffix(".__new__") for path in FUNCTIONS if path.endswith(".__new__")]


def resolve(path: str) -> object:
    found: object = _native
    for name in path.split("."):
        found = inspect.getattr_static(found, name)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


def test_all_public_items_have_documentation() -> None:
    named = {path for path, item in STUB if not item.name.startswith("_")}
    assert {"Client", "Client.close", "Sleeps.get", "SleepRecord.score", "Table.to_pandas", "sign", "NotFoundError"} <= named
    assert named <= {path for path, _ in TEXTS}


@pytest.mark.parametrize(("path", "text"), TEXTS, ids=[path for path, _ in TEXTS])
def test_help_matches_the_stub(path: str, text: str) -> None:
    found = resolve(path).__doc__
    assert found is not None and inspect.cleandoc(found) == text


def arguments(path: str) -> list[str]:
    given = FUNCTIONS[path].args
    plain = [*given.posonlyargs, *given.args, *filter(None, [given.vararg]), *given.kwonlyargs, *filter(None, [given.kwarg])]
    return [argument.arg for argument in plain]


@pytest.mark.parametrize("path", [path for path, item in FUNCTIONS.items() if not item.name.startswith("__")])
def test_signatures_match_the_stub(path: str) -> None:
    found = resolve(path)
    assert callable(found) and list(inspect.signature(found).parameters) == arguments(path)


@pytest.mark.parametrize("path", MADE)
def test_constructors_show_all_public_parameters_and_no_others(path: str) -> None:
    found = resolve(path)
    assert isinstance(found, type) and list(inspect.signature(found).parameters) == arguments(f"{path}.__new__")[1:]


def test_functions_for_tests_are_not_public() -> None:
    for kind in (vitalwire.Client, vitalwire.AsyncClient):
        assert "retry_delay" not in pydoc.plain(pydoc.render_doc(kind))


@pytest.mark.parametrize("path", [path for path in FUNCTIONS if "cancel" in arguments(path)])
def test_the_documentation_of_a_call_describes_its_arguments(path: str) -> None:
    text = resolve(path).__doc__
    assert text is not None
    # The docstring has a paragraph for each argument of the call itself, and one paragraph for the arguments that all calls share.
    documented = set(re.findall(r"^(\w+): ", text, re.MULTILINE)) | set(re.findall(r"`(\w+)`", text.rsplit("\n\n", 1)[-1]))
    assert {"self", *documented} >= set(arguments(path))


def test_help_lines_fit_the_terminal() -> None:
    text = inspect.getdoc(vitalwire.Client("https://127.0.0.1:1").statistics.daily_range)
    assert text is not None and text.startswith("Get statistics per day.\n\n")
    assert 60 < max(map(len, text.splitlines())) <= 71
