"""A service whose clock and data tests change: days and nights of the users `anna` and `ben`."""

from __future__ import annotations

import datetime
import json
import pathlib
import typing
import urllib.parse

from serving import Reply, Request, Service
from vitalwire import cohort

class Night(typing.NamedTuple):
    """A night of a user.

    day: Day under which the statistics list it, which is also its `sleep_date`.
    """

    day: str
    score: int = 80
    stages: int = 2


class ChangingService:
    """A service on a local port. Its clock shows noon in UTC.

    today: Day of its clock.

    steps: Steps by user and day.

    nights: Nights by user and id.
    """

    def __init__(self) -> None:
        self.today = "2025-03-01"
        self.steps: dict[str, dict[str, int]] = {"anna": {}, "ben": {}}
        self.nights: dict[str, dict[str, Night]] = {"anna": {}, "ben": {}}
        self._service = Service(self._respond)
        self.credentials = cohort.UserCredentials.from_tokens({"anna": "token-anna", "ben": "token-ben"})
        self.settings = cohort.Settings(self._service.url, allow_plain_http=True, proxy="none", max_retries=0)

    @property
    def url(self) -> str:
        """Base URL."""
        return self._service.url

    def __enter__(self) -> ChangingService:
        self._service.__enter__()
        return self

    def __exit__(self, *exception: typing.Any) -> None:
        self._service.__exit__(*exception)

    def requested(self) -> list[tuple[str, str, str]]:
        """Returns the user, the first and the last day of each request for statistics so far, and forgets them."""
        found = []
        for request in self._service.requests:
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.target).query))
            if "from_date" in query:
                found.append((_user(request), query["from_date"], query["to_date"]))
        self._service.requests.clear()
        return sorted(found)

    def _respond(self, request: Request) -> Reply:
        url, user = urllib.parse.urlsplit(request.target), _user(request)
        query = dict(urllib.parse.parse_qsl(url.query))
        date = datetime.date.fromisoformat(self.today).strftime("%a, %d %b %Y 12:00:00 GMT")
        # The base class sends the time of the machine, too; the last header counts.
        headers = (("Date", date),)
        if user not in self.steps:
            return Reply(401, b"{}", headers)
        if url.path.endswith("/userinfo"):
            return Reply(body=json.dumps({"application_user_id": user, "integrated_providers": []}).encode(), headers=headers)
        if "from_date" in query:
            return Reply(body=json.dumps(self._statistics(user, query["from_date"], query["to_date"])).encode(), headers=headers)
        night = self.nights[user].get(url.path.rsplit("/", 1)[-1])
        if night is None:
            return Reply(404, b"{}", headers)
        return Reply(body=json.dumps(_sleep(url.path.rsplit("/", 1)[-1], night)).encode(), headers=headers)

    def _statistics(self, user: str, first: str, last: str) -> dict[str, typing.Any]:
        days: dict[str, dict[str, typing.Any]] = {}
        for day, steps in self.steps[user].items():
            days.setdefault(day, {"date": day, "record_ids": [], "values": {}})["values"]["steps"] = steps
        for identifier, night in self.nights[user].items():
            row = days.setdefault(night.day, {"date": night.day, "record_ids": [], "values": {}})
            row["record_ids"].append(identifier)
            row["values"]["sleep_duration_total"] = 1
        return {"from_date": first, "to_date": last, "statistics": [days[day] for day in sorted(days) if first <= day <= last]}


def _user(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer token-")


def _sleep(identifier: str, night: Night) -> dict[str, typing.Any]:
    stages = [
        {"stage": "deep", "start_at": f"{night.day}T0{at}:00:00Z", "end_at": f"{night.day}T0{at}:30:00Z", "duration": 1_800_000}
        for at in range(night.stages)
    ]
    times = {"modified_at": f"{night.day}T12:00:00Z", "start_at_timestamp": f"{night.day}T00:00:00Z", "sleep_date": night.day}
    return {"sleep_id": identifier, "score": night.score, "stages": stages, **times}


#: Columns that tests compare, by table.
COLUMNS = {"daily": ("user", "date", "steps"), "sleeps": ("user", "sleep_id", "score"), "sleep_stages": ("user", "sleep_id", "start_at")}


def expected(service: ChangingService, table: str) -> list[str]:
    """Returns the rows of all days of a table, as `compared` does."""
    rows: set[str] = set()
    for user, nights in service.nights.items():
        if table == "daily":
            days = {night.day: None for night in nights.values()} | service.steps[user]
            rows.update(f"{user} {day} {steps}" for day, steps in days.items())
        for identifier, night in nights.items():
            if table == "sleeps":
                rows.add(f"{user} {identifier} {night.score}")
            elif table == "sleep_stages":
                rows.update(f"{user} {identifier} {night.day} 0{at}:00" for at in range(night.stages))
    return sorted(rows)


def compared(table: str, rows: typing.Iterable[typing.Any]) -> list[str]:
    """Returns the compared values of rows as text, in order. Duplicate rows stay."""
    return sorted(" ".join(map(_text, (row[name] for name in COLUMNS[table]))) for row in rows)


def _text(value: object) -> str:
    if isinstance(value, datetime.datetime):
        # Some engines return times without a time zone, in UTC.
        return f"{value if value.tzinfo is None else value.astimezone(datetime.timezone.utc):%Y-%m-%d %H:%M}".removesuffix(" 00:00:00")
    if value is None or value != value or type(value).__name__ == "NAType":
        return "None"
    return str(int(value)) if isinstance(value, float) else str(value)


def users_file(folder: pathlib.Path) -> pathlib.Path:
    """Writes a file of the users."""
    file = folder / "users.csv"
    file.write_text("user,token\nanna,token-anna\nben,token-ben\n", encoding="utf-8")
    return file


def first_data() -> ChangingService:
    """Returns a service whose clock shows 10 February, so that 9 February is its last complete day."""
    service = ChangingService()
    service.today = "2025-02-10"
    service.steps = {"anna": {"2025-01-03": 100, "2025-02-05": 200, "2025-02-07": 300}, "ben": {"2025-02-06": 50, "2025-02-08": 60}}
    service.nights["anna"] = {
        "old": Night("2025-01-20", 2, 3),
        "changing": Night("2025-02-04", 3, 2),
        "vanishing": Night("2025-02-05", 4, 1),
        "moving": Night("2025-02-06", 5, 2),
        "losing": Night("2025-02-07", 6, 4),
    }
    return service


def change(service: ChangingService) -> None:
    """Moves the clock by two days. Adds a late day, withdraws a day, and changes, removes and moves nights and stages."""
    service.today = "2025-02-12"
    service.steps["anna"].update({"2025-02-03": 150, "2025-02-05": 210, "2025-02-11": 400})
    del service.steps["ben"]["2025-02-06"]
    nights = service.nights["anna"]
    nights.update(changing=Night("2025-02-04", 30, 3), moving=Night("2025-02-10", 5, 2), losing=Night("2025-02-07", 6, 0))
    nights["new"] = Night("2025-02-11", 7, 1)
    del nights["vanishing"]
