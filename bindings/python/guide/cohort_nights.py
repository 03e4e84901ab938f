import datetime
import os

import duckdb

import vitalwire
from vitalwire import cohort

with vitalwire.Sandbox(people=20, today=datetime.date(2025, 12, 1)) as sandbox:
    # A real program has a file of users, and the base URL in VITALWIRE_BASE_URL.
    os.environ["APPLICATION_KEY"] = sandbox.application_key
    credentials = cohort.UserCredentials.from_application_key(
        sandbox.user_ids,
        application_id=sandbox.application_id,
        key_env="APPLICATION_KEY",
    )
    plan = cohort.plan(credentials, "sleep_stages", "2025-11-14", "2025-11-20")
    stages = cohort.read(plan, credentials, cohort.Settings(sandbox.base_url))
    query = """
        SELECT sleep_date, count(DISTINCT "user") AS users,
               round(sum(duration) / 60000 / users) AS deep_minutes
        FROM stages WHERE stage = 'deep' GROUP BY sleep_date ORDER BY sleep_date"""
    print(duckdb.sql(query))
    print(len(stages.failures), "failures")
