"""Export as an expert would write it: httpx with 16 requests in flight, orjson, polars, Parquet."""

from __future__ import annotations

import asyncio

import httpx
import orjson
import polars as pl
from cohort_work import DAILY, HOURLY, Work, measure


async def _frames(work: Work) -> list[pl.DataFrame]:
    names = DAILY if work.table == "daily" else HOURLY
    schema = {work.key: pl.String, **dict.fromkeys(names, pl.Float64)}
    limit = asyncio.Semaphore(16)
    async with httpx.AsyncClient(base_url=work.base_url, trust_env=False) as http:

        async def frame(user: str, token: str) -> pl.DataFrame:
            async with limit:
                response = await http.get(work.path, params=work.parameters, headers={"authorization": f"Bearer {token}"})
            response.raise_for_status()
            buckets = orjson.loads(response.content)["statistics"]
            rows = [{work.key: bucket[work.key], **bucket["values"]} for bucket in buckets]
            return pl.from_dicts(rows, schema=schema).with_columns(user=pl.lit(user))

        return await asyncio.gather(*(frame(user, token) for user, token in work.users))


def export(work: Work) -> None:
    """Requests 16 users at a time, and writes one file."""
    rows = pl.concat(asyncio.run(_frames(work)))
    kind = pl.Date if work.table == "daily" else pl.Datetime("us", "UTC")
    rows.with_columns(pl.col(work.key).str.strptime(kind)).write_parquet(work.out, compression="zstd")


if __name__ == "__main__":
    measure(export)
