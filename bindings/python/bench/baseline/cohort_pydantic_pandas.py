"""Export as a simple script: httpx, pydantic v2 models, pandas, Parquet."""

from __future__ import annotations

import datetime

import httpx
import pandas as pd
from pydantic import BaseModel, create_model
from cohort_work import DAILY, Work, measure

Values: type[BaseModel] = create_model("Values", **{name: (float | None, None) for name in DAILY})


class Bucket(BaseModel):
    """Statistics of a day or an hour."""

    date: datetime.date | None = None
    from_timestamp: datetime.datetime | None = None
    to_timestamp: datetime.datetime | None = None
    values: Values  # type: ignore[valid-type,unused-ignore]


class Response(BaseModel):
    """A response with statistics."""

    statistics: list[Bucket]


def export(work: Work) -> None:
    """Requests one user after the other, and writes one file."""
    frames = []
    with httpx.Client(base_url=work.base_url, trust_env=False) as http:
        for user, token in work.users:
            response = http.get(work.path, params=work.parameters, headers={"authorization": f"Bearer {token}"})
            response.raise_for_status()
            buckets = Response.model_validate_json(response.content).statistics
            rows = [{work.key: getattr(bucket, work.key), **bucket.values.model_dump()} for bucket in buckets]
            frames.append(pd.DataFrame(rows).assign(user=user))
    pd.concat(frames).to_parquet(work.out, compression="zstd")


if __name__ == "__main__":
    measure(export)
