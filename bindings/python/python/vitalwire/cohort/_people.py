"""Users, settings and request budgets of cohorts. Pickles contain no secret."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from typing import Any

from vitalwire._errors import invalid_value
from vitalwire._native import AsyncClient, Client, _cohort_share, _CohortPeople

#: Environment variable with the default base URL.
BASE_URL = "VITALWIRE_BASE_URL"
#: Client settings that may be secret, do not apply to cohorts, or cannot be pickled.
_REJECTED = ("token", "care_token", "care_base_url", "max_connections", "mock_responses", "on_attempt")


class People:
    """Users of a cohort with their credentials. Create them with `from_file`, `from_env`, `from_key_file` or `from_tokens`.

    A pickle contains no token and no key. It has the path of the file, or the ids and the name or path of the application key. The process
    that restores it must be able to read this file or key.
    """

    __slots__ = ("_native", "_source")
    _native: _CohortPeople
    _source: tuple[str, tuple[Any, ...] | None]

    def __init__(self) -> None:
        raise TypeError("use People.from_file, People.from_env, People.from_key_file or People.from_tokens")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> People:
        """Reads users from a CSV file. Its first line names the columns.

        The columns are `user` and one of: `token`; `application_id` and `signature`; `application_id` and `key_env`, the name of an
        environment variable with the application key; `application_id` and `key_file`, the path of a file with the key.
        """
        path = os.path.abspath(os.fspath(path))
        return cls._create("from_file", (path,), _CohortPeople.from_file(path))

    @classmethod
    def from_env(cls, ids: Iterable[str], *, application_id: int, key_env: str) -> People:
        """Creates users of an application whose key is in an environment variable. The key is read when a token is requested."""
        ids = _check_ids(ids)
        return cls._create("from_env", (ids, application_id, key_env), _CohortPeople.from_env(ids, application_id, key_env))

    @classmethod
    def from_key_file(cls, ids: Iterable[str], *, application_id: int, key_file: str | os.PathLike[str]) -> People:
        """Creates users of an application whose key is in a file. The key is read when a token is requested."""
        ids, path = _check_ids(ids), os.path.abspath(os.fspath(key_file))
        return cls._create("from_key_file", (ids, application_id, path), _CohortPeople.from_key_file(ids, application_id, path))

    @classmethod
    def from_tokens(cls, tokens: Mapping[str, str]) -> People:
        """Creates users from a mapping of user ids to access tokens. They cannot be pickled."""
        return cls._create("from_tokens", None, _CohortPeople.from_tokens(dict(tokens), list(tokens)))

    @classmethod
    def _create(cls, name: str, arguments: tuple[Any, ...] | None, native: _CohortPeople) -> People:
        people = cls.__new__(cls)
        people._native, people._source = native, (name, arguments)
        return people

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the users, in order."""
        return self._native.ids

    def _only(self, ids: Iterable[str]) -> People:
        """Returns people with at least these users. Pickles of tasks then contain only the ids that they need."""
        name, arguments = self._source
        return _restore(name, list(ids), *arguments[1:]) if arguments and name != "from_file" else self

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<vitalwire.cohort.People: {len(self)} users>"

    def __reduce__(self) -> tuple[Any, ...]:
        name, arguments = self._source
        if arguments is None:
            raise TypeError(
                "people with tokens cannot be pickled, because a pickle must not contain a token; use People.from_file, People.from_env "
                "or People.from_key_file"
            )
        return _restore, (name, *arguments)


def _restore(name: str, *arguments: Any) -> People:
    """Restores pickled users."""
    if name == "from_file":
        return People.from_file(*arguments)
    ids, application_id, key = arguments
    if name == "from_env":
        return People.from_env(ids, application_id=application_id, key_env=key)
    return People.from_key_file(ids, application_id=application_id, key_file=key)


def _check_ids(ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise TypeError("argument 'ids': must be a list of str, not a str")
    return list(ids)


@dataclasses.dataclass(frozen=True)
class Budget:
    """Limits on the requests of a cohort. Retries and token exchanges count too.

    A response with status 429 or 503 halves the rate. Later responses raise it again.

    per_second: Maximum number of requests in any second. Defaults to no limit.

    in_flight: Maximum number of requests in flight. Defaults to 16.
    """

    per_second: float | None = None
    in_flight: int = 16

    def __post_init__(self) -> None:
        _cohort_share(self.per_second, self.in_flight, 1)

    def share(self, tasks: int) -> Budget:
        """Returns the share of the budget for one of `tasks` concurrent tasks.

        The shares of up to `max_tasks` tasks never exceed the budget together.
        """
        return Budget(*_cohort_share(self.per_second, self.in_flight, tasks))

    def max_tasks(self, tasks: int) -> int:
        """Returns the number of tasks that can share the budget, at most `tasks`.

        Each task needs at least one request per second and one request in flight.
        """
        rate = self.in_flight if self.per_second is None else int(self.per_second)
        return max(1, min(tasks, rate, self.in_flight))


class Settings:
    """Settings for the requests of a cohort. They can be pickled and contain no secret.

    base_url: Base URL of the service. Defaults to the environment variable `VITALWIRE_BASE_URL` of the process that sends the requests.

    settings: Other settings of `vitalwire.Client`, such as `timeout` or `proxy`. `token` is not allowed; credentials belong to `People`.
    """

    __slots__ = ("_settings", "base_url")

    def __init__(self, base_url: str | None = None, **settings: Any) -> None:
        for name in _REJECTED:
            if name in settings:
                raise TypeError(f"argument '{name}': must not be set for a cohort; pass credentials in People and limits in Budget")
        if "@" in str(settings.get("proxy", "")):
            raise invalid_value("proxy", "must not contain a password; set the proxy in an environment variable")
        self.base_url: str | None = base_url
        self._settings = settings
        # Rejects invalid settings here, and not only in a worker.
        Client(base_url, **settings)

    def client(self) -> Client:
        """Creates a client with these settings. It has no token."""
        return Client(**self._keywords())

    def async_client(self) -> AsyncClient:
        """Creates an asyncio client with these settings. It has no token."""
        return AsyncClient(**self._keywords())

    def _keywords(self) -> dict[str, Any]:
        return {"base_url": self.base_url or os.environ.get(BASE_URL), **self._settings}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return (self.base_url, self._settings) == (other.base_url, other._settings)

    def __hash__(self) -> int:
        return hash(self.base_url)

    def __repr__(self) -> str:
        return "<vitalwire.cohort.Settings>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_settings, (self.base_url, self._settings)


def _restore_settings(base_url: str | None, settings: dict[str, Any]) -> Settings:
    """Restores pickled settings."""
    return Settings(base_url, **settings)
