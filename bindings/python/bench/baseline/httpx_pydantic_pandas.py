"""Typed SDK whose results become a DataFrame: httpx, pydantic v2 and pandas."""

from __future__ import annotations

import pandas as pd

from . import httpx_pydantic, pydantic_normalize


class Client(httpx_pydantic.Client):
    """A client that also requests hourly statistics."""

    def frame(self, params: dict[str, str]) -> pd.DataFrame:
        """Returns hourly statistics as a DataFrame."""
        response = self.http.get("/v3/queries/statistics/interval", params=params)
        response.raise_for_status()
        return pydantic_normalize.frame(response.content)
