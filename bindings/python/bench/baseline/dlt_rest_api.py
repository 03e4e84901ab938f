"""Pipeline with the `rest_api` source of dlt: one source for each user, because each has an access token of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dlt
from dlt.sources.rest_api import rest_api_source
from cohort_work import Work


def _add_user(user: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda row: {**row, "user": user}


def load(work: Work, pipeline: dlt.Pipeline) -> None:
    """Loads the table of the work into the destination of a pipeline."""
    sources = []
    for user, token in work.users:
        params: dict[str, list[str]] = {}
        for name, value in work.parameters:
            params.setdefault(name, []).append(value)
        endpoint = {
            "path": work.path,
            "params": {name: values if name == "types" else values[0] for name, values in params.items()},
            "data_selector": "statistics",
            "paginator": "single_page",
        }
        source = rest_api_source(
            {
                "client": {"base_url": work.base_url, "auth": {"type": "bearer", "token": token}},
                "resources": [
                    {
                        "name": work.table,
                        "endpoint": endpoint,
                        "primary_key": ["user", work.key],
                        "write_disposition": "merge",
                        "processing_steps": [{"map": _add_user(user)}],
                    }
                ],
            }
        )
        sources.append(source)
    pipeline.run(sources)
