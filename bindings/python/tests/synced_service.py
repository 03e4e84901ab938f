"""A service for syncs: days, nights and meals of the users `anna` and `ben`, which tests change, and a clock that tests set."""

from __future__ import annotations

import json
import typing
import urllib.parse

from changing_service import ChangingService
from serving import PATIENCE, Reply, Request

import vitalwire


class SyncedService(ChangingService):
    """A service whose clock alone counts, as that of a sandbox. It shows noon of 20 November 2025.

    meals: Servings of meals of all users by id, with the day on which they were consumed and uploaded.

    failing: Text in targets of requests that fail, with the status; 0 is no response.
    """

    def __init__(self) -> None:
        super().__init__()
        self.today = "2025-11-20"
        self.meals: dict[str, tuple[str, int]] = {}
        self.failing: tuple[str, int] | None = None

    def __enter__(self) -> SyncedService:
        super().__enter__()
        return self

    def count(self) -> int:
        """Returns the number of requests so far."""
        return len(self._service.requests)

    def settings_of(self, user: str = "anna") -> dict[str, typing.Any]:
        """Returns the settings of a client of a user."""
        return {"base_url": self.url, "token": f"token-{user}", "allow_plain_http": True, "proxy": "none", "max_retries": 0}

    def client(self, user: str = "anna", **settings: typing.Any) -> vitalwire.Client:
        """Returns a client of a user."""
        return vitalwire.Client(**{**self.settings_of(user), **settings})

    def _respond(self, request: Request) -> Reply:
        reply = super()._respond(request)
        url = urllib.parse.urlsplit(request.target)
        if self.failing is not None and self.failing[0] in request.target:
            status = self.failing[1]
            reply = reply._replace(status=status or 200, body=b"{}", delay=0.0 if status else 10 * PATIENCE)
        elif "nutrition_records" in url.path:
            query = dict(urllib.parse.parse_qsl(url.query))
            meals = [_meal(id, day, size) for id, (day, size) in sorted(self.meals.items())]
            within = [meal for meal in meals if query["from_timestamp"] <= meal["consumed_at"] < query["to_timestamp"]]
            reply = reply._replace(status=200, body=json.dumps(within).encode())
        return reply._replace(headers=(*reply.headers, ("vitalwire-sandbox", "seed=1")))


def _meal(identifier: str, day: str, size: int) -> dict[str, typing.Any]:
    noon = f"{day}T12:00:00Z"
    times = dict.fromkeys(("consumed_at", "uploaded_at", "modified_at"), noon)
    return {"record_id": identifier, "status": "completed", "serving_size": size, **times}
