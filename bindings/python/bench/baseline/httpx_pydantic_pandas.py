"""A typed SDK with a DataFrame at its end: httpx, pydantic v2, pandas."""

from __future__ import annotations

import pandas as pd

from . import httpx_pydantic, pydantic_normalize


class Client(httpx_pydantic.Client):
    """Reads hours too."""

    def frame(self, params: dict[str, str]) -> pd.DataFrame:
        """Hours as columns."""
        response = self.http.get("/v3/queries/statistics/interval", params=params)
        response.raise_for_status()
        return pydantic_normalize.frame(response.content)
