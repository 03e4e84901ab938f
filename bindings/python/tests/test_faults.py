"""Each fault of the sandbox once; `tests/faults/README.md` of the repository says what must come of it.

`VITALWIRE_FAULTS` names the file with tokens and expectations; `cargo xtask test` writes it. Without it the sandbox that `VITALWIRE_SANDBOX`
names is started, and its faults are switched on here.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import urllib.request
from collections.abc import Iterator

import vitalwire

EXPECTED = pathlib.Path(__file__).parents[3] / "tests/faults/user_info.tsv"


def expectations() -> Iterator[tuple[str, list[str]]]:
    """Base URL and a line: token, number of the error's kind, requests, fault."""
    file = os.environ.get("VITALWIRE_FAULTS")
    if file:
        for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines():
            yield os.environ["VITALWIRE_BASE_URL"], line.split("\t")
        return
    command = [os.environ["VITALWIRE_SANDBOX"], "sandbox", "--ready-json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        ready = json.loads(process.stdout.readline())
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for line in EXPECTED.read_text(encoding="utf-8").splitlines()[1:]:
            fault, error, requests = line.split("\t")
            body = json.dumps({"fault": fault}).encode()
            headers = {"content-type": "application/json"}
            direct.open(urllib.request.Request(ready["control_url"] + "/faults", body, headers)).close()
            yield ready["base_url"], [ready["token"], error, requests, fault]
        process.stdin.close()


def test_what_a_read_survives_and_what_it_reports() -> None:
    count = 0
    for base_url, (token, error, requests, fault) in expectations():
        client = vitalwire.Client(base_url, token=token, proxy="none")
        try:
            response = client.user.info().response
            assert response is not None
            seen = (0, response.attempts)
        except vitalwire.VitalwireError as raised:
            seen = (raised.code, raised.attempts)
        assert seen == (int(error), int(requests)), fault
        count += 1
    assert count > 0
