"""Tests stored texts from somebody else: resume tokens, plans and states. Each is an argument error, at once and without a quote."""

from __future__ import annotations

import sys
import time
import typing

import pytest

import vitalwire
from vitalwire import cohort

HASH = "00112233445566778899aabbccddeeff"
TOKENS = [
    f"vwr2/daily_statistics/2d/2025-01-01/2025-01-10/0-4/{HASH}",
    f"vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-5/{HASH}",
    f"vwr1/daily_statistics/2d/2025-01-01/2025-01-10/-1/{HASH}",
    f"vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-99999999999999999999/{HASH}",
    f"vwr1/daily_statistics/4294967296d/2025-01-01/2025-01-10/0-4/{HASH}",
    f"vwr1/daily\a/2d/2025-01-01/2025-01-10/0-4/{HASH}",
]
ITEM = '{"users":["canary"],"table":"daily","first":"2025-01-02","last":"2025-01-01","statistics":[]}'
DOCUMENTS = [
    '{"version":99999999999999999999}',
    '{"version":-1,"items":[]}',
    '{"version":2.5,"items":[]}',
    '{"version":1,"items":[]}',
    '{"version":2,"items":{}}',
    f'{{"version":2,"items":[{ITEM}]}}',
    '{"version":2,"items":[],"checked_at":1e400}',
    '{"version":2,"items":[],"canary":1}',
    "null",
    "[]",
    "9" * 100_000,
]
ANY = ["", "[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"version":' * 100_000, "canary" * (10 << 20), "\0", "\x1b[31m"]
PARSERS: dict[str, tuple[typing.Callable[[str], object], list[str]]] = {
    "token": (vitalwire.ResumeToken.parse, TOKENS),
    "plan": (cohort.Plan.from_json, DOCUMENTS),
    "states": (cohort.SyncStates.from_json, DOCUMENTS),
}


@pytest.mark.parametrize("name", PARSERS)
def test_hostile_texts_are_argument_errors(name: str) -> None:
    parse, texts = PARSERS[name]
    for text in ANY + texts:
        started = time.monotonic()
        with pytest.raises(ValueError, match="^invalid_argument: ") as raised:
            parse(text)
        assert isinstance(raised.value, vitalwire.InvalidArgumentError) and raised.value.argument in ("text", "states")
        assert "canary" not in str(raised.value) and time.monotonic() - started < 10


@pytest.mark.skipif(sys.platform == "win32", reason="has no module resource")
@pytest.mark.parametrize("name", PARSERS)
def test_hostile_texts_take_no_memory(name: str) -> None:
    import resource

    parse, _ = PARSERS[name]
    text = "[" * (10 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        with pytest.raises(ValueError):
            parse(text)
    # Kilobytes on Linux, bytes on macOS: less than twice the text, not twenty times.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < (20 << 20 if sys.platform == "darwin" else 20 << 10)
