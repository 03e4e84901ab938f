"""The standard library's client on a kept connection: the least that Python itself can put before a decoder."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit


class Client:
    """Keeps one connection."""

    def __init__(self, base_url: str, token: str) -> None:
        parts = urlsplit(base_url)
        assert parts.hostname is not None
        self._connection = HTTPConnection(parts.hostname, parts.port)
        self._headers = {"authorization": f"Bearer {token}"}

    def body(self, path: str) -> bytes:
        """The bytes of an answer."""
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"status {response.status}")
        return body
