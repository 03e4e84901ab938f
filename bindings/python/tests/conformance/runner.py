"""The conformance runner in Python: plays the judge's cases on the installed package and posts what comes of them.

See `tests/conformance/README.md`. What calls and answers there are is generated, in `generated/`.
"""

from __future__ import annotations

import concurrent.futures
import json
import logging
import os
import sys
import tempfile
import threading
import time
import traceback
import typing
import urllib.request

import canonical
import vitalwire
from arguments import Arguments, CallOptions, Unsupported
from generated.calls import CALLS
from generated.outcomes import problem_details

Json = dict[str, typing.Any]

#: How many cases are played at once, and how many of those that have a deadline.
AT_ONCE, TIMED_AT_ONCE = 16, 8
#: How long a case may take, in seconds.
LIMIT = 20
#: Call options with which time counts.
TIMED = {"total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "timeout_ms"}
#: Options of a call that are times: by their names in a plan, in milliseconds, the keywords, in seconds.
TIMES = {"total_ms": "timeout", "attempt_ms": "attempt_timeout", "connect_ms": "connect_timeout"}
#: Options of a call whose keywords have the same names.
PLAIN = {"retries", "allow_resend", "token"}
#: Settings of the client by their names in a plan, where the keyword has another.
KEYWORDS = {"ca": "ca_certificate", "retry_delay_scale": "_retry_delay_scale"}

JUDGE, RUN = os.environ["VITALWIRE_JUDGE"], os.environ["VITALWIRE_RUN"]
#: The machine's own proxy is none of the judge's.
HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def token(source: typing.Any) -> str | None:
    """A client's token."""
    if source == "absent":
        return None
    if isinstance(source, dict) and "text" in source:
        return typing.cast(str, source["text"])
    raise Unsupported("a token provider")


def client(settings: Json) -> vitalwire.Client:
    """The client of a case."""
    given = {KEYWORDS.get(name, name): value for name, value in settings.items()}
    given["token"], given["care_token"] = token(settings["token"]), token(settings["care_token"])
    given.setdefault("proxy", "none")
    if "ca" in settings:
        given["ca_certificate"] = settings["ca"].encode()
    return vitalwire.Client(**given)


def failure(error: vitalwire.VitalwireError, texts: list[str]) -> Json:
    """An error, by its attributes."""
    texts += [str(error), repr(error), "".join(traceback.format_exception(error)), repr(error.problem), str(error.problem)]
    members = {"error": error.kind, "code": error.code, "attempts": error.attempts}
    members |= {"request_id": error.request_id, "status": error.status, "argument": error.argument, "place": error.place}
    if error.problem is not None:
        members["problem"] = problem_details.outcome(error.problem, canonical.Reading())
    if error.retry_after is not None:
        # The seconds are a double: to the microsecond first, so that no millisecond is lost.
        members["retry_after_ms"] = round(error.retry_after * 1e6) // 1000
    return {name: value for name, value in members.items() if value is not None}


def options_of(given: Json) -> CallOptions:
    """The options of a call, as the keywords that it takes."""
    options = CallOptions()
    for name, value in given.items():
        if name in TIMES:
            setattr(options, TIMES[name], value / 1000)
        elif name in PLAIN:
            setattr(options, name, value)
        elif name != "at_once":
            raise Unsupported(f"{name} of a call")
    return options


def send(on: vitalwire.Client, call: Json, texts: list[str]) -> Json:
    """One call of an operation."""
    try:
        answer = CALLS[call["id"]](on, Arguments(call["arguments"], options_of(call["options"])))
    except vitalwire.VitalwireError as error:
        return failure(error, texts)
    texts += answer.texts
    members = {"value": answer.value, "attempts": answer.attempts, "request_id": answer.request_id, "basis": answer.basis}
    return {name: value for name, value in members.items() if name == "value" or value is not None}


def several(on: vitalwire.Client, call: Json, texts: list[str]) -> Json:
    """The same call as often at once as a case asks; one outcome where all are the same."""
    count = call["options"].get("at_once", 1)
    with concurrent.futures.ThreadPoolExecutor(count) as threads:
        outcomes = list(threads.map(lambda _: send(on, call, texts), range(count)))
    if any(outcome != outcomes[0] for outcome in outcomes):
        # Calls that share a budget of retries may have different shares of it.
        outcomes = [{name: value for name, value in outcome.items() if name != "attempts"} for outcome in outcomes]
    same = all(outcome == outcomes[0] for outcome in outcomes)
    return outcomes[0] if same else {"several": outcomes}


def in_row(on: vitalwire.Client, calls: list[Json], texts: list[str]) -> Json:
    """Calls one after the other."""
    outcomes = []
    for call in calls:
        outcomes.append(send(on, call, texts))
        # A connection is free a moment after its answer is there.
        time.sleep(0.05)
    return {"in_row": outcomes}


def play(case: Json) -> Json:
    """What is posted of a case."""
    texts: list[str] = []
    ((kind, call),) = case["call"].items()
    try:
        if kind not in ("operation", "in_row"):
            raise Unsupported(kind)
        on = client(case["client"])
        texts += [repr(on), str(on)]
        outcome = several(on, call, texts) if kind == "operation" else in_row(on, call, texts)
    except vitalwire.VitalwireError as error:
        outcome = failure(error, texts)
    except Unsupported as what:
        outcome = {"unsupported": str(what)}
    except BaseException as error:  # A panic that got through is no Exception.
        texts += ["".join(traceback.format_exception(error))]
        outcome = {"raised": f"{type(error).__name__}: {error}"}
    return {"outcome": outcome, "texts": texts}


def within_limit(case: Json) -> Json:
    """What is posted of a case; of one that does not end in time, that it does not."""
    reported: list[Json] = []
    # A thread of its own, which can be left behind: it is a daemon, so the process ends without it.
    thread = threading.Thread(target=lambda: reported.append(play(case)), daemon=True)
    thread.start()
    thread.join(LIMIT)
    return reported[0] if reported else {"outcome": {"unplayable": f"no outcome within {LIMIT} s"}, "texts": []}


def post(place: str, body: object) -> None:
    """Tells the judge."""
    HTTP.open(urllib.request.Request(f"{JUDGE}/{place}", json.dumps(body).encode()), timeout=60).close()


def run() -> None:
    """Plays and posts every case."""
    with HTTP.open(f"{JUDGE}/plan/{RUN}/json", timeout=60) as plan:
        cases: list[Json] = json.load(plan)

    def turn(case: Json) -> None:
        post(f"outcome/{RUN}/{case['id']}", within_limit(case))

    def timed(case: Json) -> bool:
        ((_, call),) = case["call"].items()
        calls = call if isinstance(call, list) else [call]
        return any(not TIMED.isdisjoint(one | one.get("options", {})) for one in calls)

    for those, at_once in ([case for case in cases if not timed(case)], AT_ONCE), ([case for case in cases if timed(case)], TIMED_AT_ONCE):
        with concurrent.futures.ThreadPoolExecutor(at_once) as threads:
            list(threads.map(turn, those))


def main() -> None:
    """Runs, with what is logged and what the native part prints kept for the judge."""
    with tempfile.TemporaryFile() as log:
        logging.basicConfig(level=1, stream=os.fdopen(os.dup(log.fileno()), "w", buffering=1))
        shown = os.dup(sys.stderr.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
        try:
            run()
        finally:
            os.dup2(shown, sys.stderr.fileno())
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
    post(f"texts/{RUN}", lines)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # A case that hangs may hold threads that the interpreter would wait for.
    os._exit(0)
