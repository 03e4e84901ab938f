"""Fast async client: aiohttp and orjson. The caller chooses the event loop, asyncio's or uvloop's."""

from __future__ import annotations

from typing import Any

import aiohttp
import orjson


class Client:
    """A client with a connection pool. Create it while an event loop is running."""

    def __init__(self, base_url: str, token: str, connections: int) -> None:
        connector = aiohttp.TCPConnector(limit=connections)
        headers = {"authorization": f"Bearer {token}"}
        self._session = aiohttp.ClientSession(base_url, connector=connector, headers=headers, raise_for_status=True)

    async def user(self) -> Any:
        """Requests the user information."""
        async with self._session.get("/v3/userinfo") as response:
            return orjson.loads(await response.read())

    async def close(self) -> None:
        """Closes all connections."""
        await self._session.close()
