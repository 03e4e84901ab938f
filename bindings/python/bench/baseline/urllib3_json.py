"""Lean client: urllib3 and the module `json`."""

from __future__ import annotations

import json
from typing import Any

import urllib3


class Client:
    """A client with a connection pool."""

    def __init__(self, base_url: str, token: str, connections: int = 1) -> None:
        self._base_url = base_url
        self._pool = urllib3.PoolManager(maxsize=connections, headers={"authorization": f"Bearer {token}"})

    def user(self) -> Any:
        """Requests the user information."""
        response = self._pool.request("GET", f"{self._base_url}/v3/userinfo")
        if response.status != 200:
            raise RuntimeError(f"status {response.status}")
        return json.loads(response.data)
