"""Programs of the guides on the documentation site, which tests run in processes of their own."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator

import pages

import vitalwire

#: Folder of the programs, with their output and their files.
GUIDE = pages.PACKAGE / "guide"
#: Files that programs read.
FILES = ("blood-count.pdf", "lunch.png", "users.csv")
#: Seconds until a program is stopped.
TIMEOUT = 300


def environment(service: vitalwire.Sandbox, **variables: str) -> dict[str, str]:
    """Returns the environment of a program: the variables that a sandbox prints, and its keys."""
    keys = {"APPLICATION_ID": str(service.application_id), "APPLICATION_KEY": service.application_key}
    return {**os.environ, **service.environment, **keys, "VITALWIRE_WEBHOOK_KEY": service.webhook_key, **variables}


def command(program: pathlib.Path, *arguments: str) -> list[str]:
    """Returns the command of a program. Its folder is importable, unlike the source tree and the user's own packages."""
    return [sys.executable, "-BEs", str(program), *arguments]


def copy_files(folder: pathlib.Path) -> None:
    for name in FILES:
        shutil.copy(GUIDE / name, folder)


def start(program: pathlib.Path, folder: pathlib.Path, variables: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a folder with its files, and returns its outcome."""
    copy_files(folder)
    return subprocess.run(
        command(program, *arguments), cwd=folder, env=variables, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def run(program: pathlib.Path, folder: pathlib.Path, variables: dict[str, str], *arguments: str) -> str:
    """Like `start`, for a program that succeeds. Returns its output."""
    process = start(program, folder, variables, *arguments)
    assert process.returncode == 0, process.stderr
    return process.stdout


def compare(program: pathlib.Path, printed: str) -> None:
    """Compares the output of a program with the file that its page shows. `VITALWIRE_BLESS=1` writes the file."""
    file = program.with_suffix(".out")
    if os.environ.get("VITALWIRE_BLESS") == "1":
        file.write_text(printed, encoding="utf-8")
    shown = file.read_text(encoding="utf-8")
    assert [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in shown.splitlines()]


@contextlib.contextmanager
def serve(
    name: str, variables: dict[str, str], errors: pathlib.Path | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Runs a server of the guides until the end of the block. Returns its base URL and its process, whose log is in `errors`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with open(errors or os.devnull, "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command(GUIDE / name), env={**variables, "PORT": port}, stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        assert process.stdout is not None and process.stdout.readline() == f"listening on port {port}\n"
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.communicate()
