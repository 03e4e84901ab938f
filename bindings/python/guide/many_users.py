import datetime
import os

import vitalwire
from vitalwire import cohort

with vitalwire.Sandbox(people=20, today=datetime.date(2025, 12, 1)) as sandbox:
    # A real program has the ids in a database and the key in a secret store.
    os.environ["APPLICATION_KEY"] = sandbox.application_key
    credentials = cohort.UserCredentials.from_application_key(
        sandbox.user_ids,
        application_id=sandbox.application_id,
        key_env="APPLICATION_KEY",
    )
    plan = cohort.plan(credentials, "daily", "2025-11-14", "2025-11-20")
    print(plan.requests, "requests for", len(plan.users), "users")
    limits = cohort.RateLimits(per_second=50, in_flight=8)
    settings = cohort.Settings(sandbox.base_url)
    reader = cohort.read(
        plan, credentials, settings, columns=["date", "steps"], rate_limits=limits
    )
    print(sum(map(len, reader)), "rows,", len(reader.failures), "failures")
