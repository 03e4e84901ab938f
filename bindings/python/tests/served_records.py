"""Records that a service has of a user, read without the client. Tests compare copies with them."""

from __future__ import annotations

import json
import typing
import urllib.request

#: Content of a record that tests compare, by kind and id.
Records = dict[tuple[str, str], typing.Any]

#: The compared column of each kind.
COLUMNS = {"daily": "steps", "sleeps": "score", "nutrition": "serving_size"}


def read(base_url: str, token: str) -> Records:
    """Returns the records of 2026."""

    def get(target: str) -> typing.Any:
        request = urllib.request.Request(f"{base_url}/v3/{target}", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def content(kind: str, row: dict[str, typing.Any]) -> typing.Any:
        return row.get(COLUMNS[kind])

    year = "queries/statistics/daily?from_date=2026-01-01&to_date=2026-12-31"
    found: Records = {("daily", day["date"]): content("daily", day["values"]) for day in get(f"{year}&types=steps")["statistics"]}
    nights = get(f"{year}&types=sleep_duration_total&include_record_ids=true")["statistics"]
    for identifier in {identifier for day in nights for identifier in day["record_ids"]}:
        found["sleeps", identifier] = content("sleeps", get(f"queries/sleeps/{identifier}"))
    for meal in get("nutrition_records?from_timestamp=2026-01-01T00:00:00Z&to_timestamp=2026-12-31T00:00:00Z"):
        found["nutrition", meal["record_id"]] = content("nutrition", meal)
    return found
