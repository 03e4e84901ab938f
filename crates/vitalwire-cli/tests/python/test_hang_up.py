"""A terminal that is closed while the program reads a range. The system sends SIGHUP, and the output has no reader.

`VITALWIRE` is the path of the program.
"""

import contextlib
import json
import os
import pathlib
import pty
import signal
import subprocess
import time
from collections.abc import Iterator

RANGE = ["stats", "daily", "--types", "steps", "--from", "2025-06-01", "--to", "2025-11-20", "--split-days", "10", "--format", "json"]
LATE = "delay; delay_ms=100; operation=daily_statistics; times=1000"


@contextlib.contextmanager
def service() -> Iterator[dict[str, str]]:
    """Starts a sandbox with delayed statistics and yields the environment of a program that calls it."""
    command = [os.environ["VITALWIRE"], "sandbox", "--ready-json", "--today", "2025-11-21", "--fault", LATE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sandbox:
        assert sandbox.stdout is not None
        ready = json.loads(sandbox.stdout.readline())
        yield os.environ | {"VITALWIRE_BASE_URL": ready["base_url"], "VITALWIRE_TOKEN": ready["token"], "NO_PROXY": "127.0.0.1", "TERM": "xterm"}
        assert sandbox.stdin is not None
        sandbox.stdin.close()


def test_a_closed_terminal_loses_nothing(tmp_path: pathlib.Path) -> None:
    path, part = tmp_path / "range.json", tmp_path / "range.json.part"
    with service() as environment:
        command = [os.environ["VITALWIRE"], *RANGE, "--output", os.fspath(path)]
        child, terminal = pty.fork()
        if child == 0:
            # The test process may ignore SIGHUP.
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.execve(command[0], command, environment)
        end = time.monotonic() + 60
        while not part.exists() or part.read_text().count("\n") < 4:
            assert time.monotonic() < end
            time.sleep(0.01)
        os.close(terminal)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 129
        assert [entry.name for entry in tmp_path.iterdir()] == [part.name]
        subprocess.run([*command, "--resume"], env=environment, check=True)
        subprocess.run([*command[:-1], os.fspath(tmp_path / "whole")], env=environment, check=True)
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()
    assert not part.exists()
