"""A service with fixed data that is rich in edges: ends of days and months, nulls, and records that the service selects by other days."""

from __future__ import annotations

import datetime
import json
import pathlib
import random
import typing
import urllib.parse

from serving import Reply, Request, Service
from vitalwire import cohort

#: First and last day that tests request. The service also has records of a few days around them.
FIRST, LAST = datetime.date(2025, 10, 20), datetime.date(2025, 12, 10)
#: Users, some of whose ids are a prefix of another or differ in case.
USERS = ("anna", "ben", "Ben", "anna.2")

Record = dict[str, typing.Any]
_UTC = datetime.timezone.utc
_DAYS = [FIRST + datetime.timedelta(days=at) for at in range(-4, 56)]
#: Times of day of hourly buckets. Time zones differ from UTC by multiples of 15 minutes.
_TIMES = ("00:00", "00:30", "11:45", "12:00", "22:15", "23:00", "23:30")


class EdgeService(Service):
    """A service on a local port, whose clock shows noon on the second day after `LAST`.

    users_file: File of the users.

    listings: Ids of the sleeps by user and by the day that lists them.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(self._respond)
        self.users_file = folder / "users.csv"
        self.users_file.write_text("".join(["user,token\n", *(f"{user},token-{user}\n" for user in USERS)]), encoding="utf-8")
        self.credentials = cohort.UserCredentials.from_file(self.users_file)
        self.settings = cohort.Settings(self.url, allow_plain_http=True, proxy="none", max_retries=0)
        choice = random.Random(1)
        self.daily = {user: _daily(choice) for user in USERS}
        self.hourly = {user: _hourly(choice) for user in USERS}
        self.listings: dict[str, dict[str, list[str]]] = {}
        self.sleeps: dict[str, dict[str, Record]] = {}
        for user in USERS:
            self.listings[user], self.sleeps[user] = _sleeps(user, choice)
        self.labs = {user: _labs() for user in USERS}
        self.meals = {user: _meals() for user in USERS}

    def _respond(self, request: Request) -> Reply:
        # Tests send millions of requests.
        self.requests.clear()
        url = urllib.parse.urlsplit(request.target)
        status, body = self._read(request, url.path, urllib.parse.parse_qs(url.query))
        clock = datetime.datetime.combine(LAST + datetime.timedelta(days=2), datetime.time(12))
        return Reply(status, json.dumps(body).encode(), (("Date", f"{clock:%a, %d %b %Y %H:%M:%S} GMT"),))

    def _read(self, request: Request, path: str, query: dict[str, list[str]]) -> tuple[int, object]:
        user = request.headers.get("authorization", "").removeprefix("Bearer token-")
        if user not in USERS:
            return 401, {}
        if path.endswith("/userinfo"):
            return 200, {"application_user_id": user, "integrated_providers": []}
        if path.endswith("/daily"):
            return 200, self._daily_statistics(user, query)
        if "/sleeps/" in path:
            night = self.sleeps[user].get(path.rsplit("/", 1)[-1])
            if night is None:
                return 404, {}
            return 200, night if query.get("include_stages") == ["true"] else {**night, "stages": None}
        first, end = query["from_timestamp"][0], query["to_timestamp"][0]
        if path.endswith("/interval"):
            buckets = _selected(self.hourly[user], query["types"])
            return 200, {"statistics": _between(buckets, "from_timestamp", first, end)}
        records = self.labs[user] if path.endswith("/lab_reports") else self.meals[user]
        return 200, _between(records, "uploaded_at", first, end)

    def _daily_statistics(self, user: str, query: dict[str, list[str]]) -> Record:
        first, last = query["from_date"][0], query["to_date"][0]
        buckets = _selected(self.daily[user], query["types"])
        if query.get("include_record_ids") == ["true"]:
            known = {bucket["date"]: bucket for bucket in buckets}
            for day, ids in self.listings[user].items():
                bucket = known.setdefault(day, {"date": day, "values": {}})
                bucket.update(record_ids=ids, values={**bucket["values"], "sleep_duration_total": 1})
            buckets = [known[day] for day in sorted(known)]
        return {"from_date": first, "to_date": last, "statistics": [bucket for bucket in buckets if first <= bucket["date"] <= last]}


def _instant(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=_UTC)


def _between(records: list[Record], name: str, first: str, end: str) -> list[Record]:
    return [record for record in records if _instant(first) <= _instant(record[name]) < _instant(end)]


def _selected(buckets: list[Record], types: list[str]) -> list[Record]:
    """Returns the buckets that have a requested value, which may be null, with only the requested values."""
    selected = ({**bucket, "values": {name: bucket["values"][name] for name in types if name in bucket["values"]}} for bucket in buckets)
    return [bucket for bucket in selected if bucket["values"]]


def _values(choice: random.Random, names: typing.Iterable[str]) -> Record:
    """Returns values of statistics, some of which are absent or null."""
    return {name: choice.choice([None, 0, 1, 50, 50.5, 100, 8000]) for name in names if choice.random() < 0.6}


def _daily(choice: random.Random) -> list[Record]:
    buckets = [{"date": str(day), "values": _values(choice, ("steps", "sleep_score", "heartrate"))} for day in _DAYS]
    return [bucket for bucket in buckets if choice.random() < 0.9]


def _hourly(choice: random.Random) -> list[Record]:
    buckets = []
    for day in _DAYS:
        for time in (time for time in _TIMES if choice.random() < 0.3):
            start = datetime.datetime.fromisoformat(f"{day}T{time}")
            bounds = {"from_timestamp": f"{start.isoformat()}Z", "to_timestamp": f"{(start + datetime.timedelta(hours=1)).isoformat()}Z"}
            buckets.append({**bounds, "values": _values(choice, ("steps", "heartrate", "distance_total"))})
    return buckets


#: Sleeps: days after `FIRST` that list it, distance of its `sleep_date` to the first of them, hour of its start, and number of stages.
_SLEEPS: list[tuple[tuple[int, ...], int | None, int, int]] = [
    ((-1, 0), 1, 23, 1),
    ((0,), 0, 0, 2),
    ((0,), 0, 14, 0),
    ((1,), -1, 23, 3),
    ((5, 6), 1, 23, 1),
    ((11, 12), 0, 23, 2),
    ((12,), -1, 1, 1),
    ((20,), None, 2, 2),
    ((22,), 1, 23, 1),
    ((30,), 1, 22, 0),
    ((35,), -1, 1, 1),
    ((41,), 1, 23, 1),
    ((51, 52), 0, 23, 1),
    ((52,), -1, 0, 2),
]


#: Days at the edges of the data: of sleeps and the days that list them, of months, and of the requested days.
EDGES = [FIRST + datetime.timedelta(days=at) for at in (-1, 0, 0, 1, 5, 6, 11, 11, 12, 23, 31, 34, 42, 51, 52)]


def random_day(choice: random.Random) -> datetime.date:
    """Returns a day in the requested days, or up to 3 days before or after. Most days are at edges."""
    return choice.choice([*[choice.choice(EDGES)] * 3, FIRST + datetime.timedelta(days=choice.randint(-3, (LAST - FIRST).days + 3))])


def _sleeps(user: str, choice: random.Random) -> tuple[dict[str, list[str]], dict[str, Record]]:
    listings, records = dict[str, list[str]](), dict[str, Record]()
    for number, (days, distance, hour, stages) in enumerate(_SLEEPS):
        if user == "Ben" and number % 3 == 1:
            continue
        for listed in days:
            listings.setdefault(str(FIRST + datetime.timedelta(days=listed)), []).append(f"sleep-{number}")
        day = FIRST + datetime.timedelta(days=days[0])
        start = datetime.datetime.combine(day, datetime.time(hour))
        parts = [start + datetime.timedelta(minutes=30 * at) for at in range(stages)]
        record: Record = {
            "sleep_id": f"sleep-{number}",
            "modified_at": f"{day}T12:00:00Z",
            "start_at_timestamp": f"{start.isoformat()}Z",
            "score": choice.choice([None, 0, 80]),
            "metrics": {"sleep_duration_nap": 1_800_000} if hour == 14 else {"heartrate": 50.5},
            "stages": [_stage(part) for part in parts] or (None if hour == 14 else []),
        }
        if distance is not None:
            record["sleep_date"] = str(day + datetime.timedelta(days=distance))
        records[record["sleep_id"]] = record
    return listings, records


def _stage(start: datetime.datetime) -> Record:
    times = {"start_at": f"{start.isoformat()}Z", "end_at": f"{(start + datetime.timedelta(minutes=30)).isoformat()}Z"}
    return {"stage": "deep", **times, "duration": 1_800_000}


def _labs() -> list[Record]:
    """Returns lab reports whose `collection_date` is earlier than the upload by which the service selects them."""
    reports: list[Record] = []
    for number, (uploaded, earlier) in enumerate([(-1, 0), (0, 3), (11, 0), (12, 30), (25, None), (51, 1), (52, 1)]):
        day = FIRST + datetime.timedelta(days=uploaded)
        results = [{"original_test_name": name, "value": value} for name, value in [("glucose", 5.5), ("ferritin", None)]]
        report: Record = {"record_id": f"report-{number}", "status": "completed", "uploaded_at": f"{day}T23:59:59Z"}
        report["sections"] = [{"results": results}]
        reports.append(report if earlier is None else {**report, "collection_date": str(day - datetime.timedelta(days=earlier))})
    return reports


def _meals() -> list[Record]:
    """Returns meals, some of which were uploaded on another day than they were eaten."""
    meals: list[Record] = []
    for number, (uploaded, earlier) in enumerate([(-1, 0), (0, 1), (5, 0), (11, 0), (12, 1), (25, None), (51, 0), (52, 1)]):
        day = FIRST + datetime.timedelta(days=uploaded)
        meal = {"record_id": f"meal-{number}", "status": "completed", "uploaded_at": f"{day}T00:00:00Z", "modified_at": f"{day}T01:00:00Z"}
        meals.append(meal if earlier is None else {**meal, "consumed_at": f"{day - datetime.timedelta(days=earlier)}T23:30:00"})
    return meals
