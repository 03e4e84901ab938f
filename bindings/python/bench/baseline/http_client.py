"""Minimal client: the standard library's on one open connection. Receives the bytes that msgspec decodes."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit


class Client:
    """A client that keeps one connection open."""

    def __init__(self, base_url: str, token: str) -> None:
        parts = urlsplit(base_url)
        assert parts.hostname is not None
        self._connection = HTTPConnection(parts.hostname, parts.port)
        self._headers = {"authorization": f"Bearer {token}"}

    def body(self, path: str) -> bytes:
        """Returns the body of a response."""
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"status {response.status}")
        return body
