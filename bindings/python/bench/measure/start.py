"""Measures import and first call as whole processes, compared with the bare interpreter, and the size of the installation."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from email.parser import Parser
from pathlib import Path

from report import Line, milliseconds
from rounds import Budget, compare
from setting import TOKEN, Setting

OURS = "import vitalwire; vitalwire.Client({url!r}, token={token!r}).user.info().uid"
BASELINE = (
    "import sys; sys.path.insert(0, {folder!r}); "
    "from baseline.httpx_pydantic import Client; Client({url!r}, {token!r}).user().uid"
)
#: Maximum size of the wheel in bytes. The Parquet writer of cohorts takes a quarter of it.
LARGEST = 8_500_000


def run(setting: Setting) -> Iterator[Line]:
    """Measures milliseconds above the bare interpreter, the number of required packages, and the size of the wheel in megabytes."""
    words = {"url": setting.base_url, "token": TOKEN, "folder": str(Path(__file__).parent.parent)}
    alternatives = {
        "bare": process(setting.clean, "pass"),
        "import": process(setting.clean, "import vitalwire"),
        "ours": process(setting.clean, OURS.format(**words)),
        "baseline": process(Path(sys.executable), BASELINE.format(**words)),
    }
    # `slice=0` runs each process once per round.
    found = compare(Budget(rounds=setting.budget.rounds * 2, slice=0), time.perf_counter, alternatives)

    def above(name: str) -> float:
        return found.difference(name, "bare")

    yield Line("import + first call above the bare interpreter, ms: httpx + pydantic", milliseconds(above("ours")),
               milliseconds(above("baseline")), above("ours") * 1e3).at_most(5)
    yield Line("import alone above the bare interpreter, ms", milliseconds(above("import")), "", above("import") * 1e3)
    required = requirements(setting.wheel)
    yield Line("required packages", str(len(required)), "", len(required)).at_most(0)
    size = setting.wheel.stat().st_size
    yield Line("wheel, MB", f"{size:,} bytes", "", size / 1e6).at_most(LARGEST / 1e6)


def process(interpreter: Path, code: str) -> Callable[[], object]:
    """Returns a function that runs code in a new interpreter process, with the platform's root certificates.

    Each client reads a bundle that a variable names, which takes longer than the rest of its creation.
    """
    environment = {name: value for name, value in os.environ.items() if not name.endswith(("_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"))}
    return lambda: subprocess.run([interpreter, "-c", code], check=True, env=environment)


def requirements(wheel: Path) -> list[str]:
    """Returns the requirements of the wheel, without those of extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    return [needed for needed in metadata.get_all("Requires-Dist", []) if "extra ==" not in needed]
