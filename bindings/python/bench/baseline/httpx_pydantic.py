"""Client as in a typical typed SDK: httpx and pydantic v2."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import httpx
from pydantic import BaseModel


class Provider(BaseModel):
    """An integration."""

    created_at: datetime | None = None
    is_integration_broken: bool | None = None
    provider_integration_id: int | None = None
    provider_slug: str | None = None


class UserInfo(BaseModel):
    """User information."""

    application_id: int | None = None
    application_user_id: str | None = None
    compat_application_client_id: str | None = None
    compat_application_client_token: str | None = None
    created_at: datetime | None = None
    integrated_providers: list[Provider] | None = None
    uid: UUID | None = None


class Client:
    """A client with a connection pool, which keeps `connections` connections open."""

    def __init__(self, base_url: str, token: str, connections: int = 1) -> None:
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        headers = {"authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=base_url, headers=headers, limits=limits, trust_env=False)

    def user(self) -> UserInfo:
        """Requests the user information."""
        return UserInfo.model_validate_json(self.body("/v3/userinfo"))

    def body(self, path: str, params: dict[str, str] | None = None) -> bytes:
        """Returns the body of a response."""
        response = self.http.get(path, params=params)
        response.raise_for_status()
        return response.content
