"""Requests to the control routes of a sandbox."""

from __future__ import annotations

import http.client
import json
import urllib.parse

from vitalwire._errors import argument_error, invalid_value
from vitalwire._native import ConfigurationError


def send(control_url: str, method: str, route: str, body: dict[str, object] | None, argument: str) -> None:
    """Sends a control request. If the sandbox rejects it, raises an error about `argument`."""
    url = urllib.parse.urlsplit(control_url)
    connection = http.client.HTTPConnection(url.netloc, timeout=10)
    try:
        payload = None if body is None else json.dumps(body)
        connection.request(method, url.path + route, payload, {"content-type": "application/json"})
        response = connection.getresponse()
        content = response.read()
    except OSError:
        raise argument_error(ConfigurationError, "program", "the sandbox does not respond; start a new one") from None
    finally:
        connection.close()
    if response.status >= 300:
        problem = json.loads(content)
        reasons = [item["message"] for item in problem.get("errors") or ()] or [problem.get("detail", "rejected by the sandbox")]
        raise invalid_value(argument, "; ".join(reasons))
