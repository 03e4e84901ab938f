"""The fast asynchronous client: aiohttp and orjson; uvloop is chosen by who makes the loop."""

from __future__ import annotations

from typing import Any

import aiohttp
import orjson


class Client:
    """Keeps a connection pool; made within a running loop."""

    def __init__(self, base_url: str, token: str, connections: int) -> None:
        connector = aiohttp.TCPConnector(limit=connections)
        headers = {"authorization": f"Bearer {token}"}
        self._session = aiohttp.ClientSession(base_url, connector=connector, headers=headers, raise_for_status=True)

    async def user(self) -> Any:
        """User information."""
        async with self._session.get("/v3/userinfo") as response:
            return orjson.loads(await response.read())

    async def close(self) -> None:
        """Closes the connections."""
        await self._session.close()
