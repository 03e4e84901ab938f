"""The control routes of a sandbox: faults and its clock."""

from __future__ import annotations

import http.client
import json
import urllib.parse

from vitalwire._native import ConfigurationError
from vitalwire._refuse import bad_value, refused


def send(control_url: str, method: str, route: str, body: dict[str, object] | None, argument: str) -> None:
    """Tells a sandbox something. What it refuses is the fault of `argument`."""
    url = urllib.parse.urlsplit(control_url)
    connection = http.client.HTTPConnection(url.netloc, timeout=10)
    try:
        content = None if body is None else json.dumps(body)
        connection.request(method, url.path + route, content, {"content-type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
    except OSError:
        raise refused(ConfigurationError, "program", "the sandbox does not answer") from None
    finally:
        connection.close()
    if answer.status >= 300:
        problem = json.loads(said)
        reasons = [item["message"] for item in problem.get("errors") or ()] or [problem.get("detail", "refused")]
        raise bad_value(argument, "; ".join(reasons))
