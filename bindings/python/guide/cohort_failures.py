import datetime

import vitalwire
from vitalwire import cohort

with vitalwire.Sandbox(today=datetime.date(2025, 12, 1)) as sandbox:
    sandbox.add_fault(
        "status; status=503; times=9; user=person-2; operation=daily_statistics"
    )
    tokens = {user: sandbox.token_of(user) for user in sandbox.user_ids}
    credentials = cohort.UserCredentials.from_tokens({**tokens, "person-9": "expired"})
    plan = cohort.plan(credentials, "daily", "2025-11-14", "2025-11-20")
    settings = cohort.Settings(sandbox.base_url)
    reader = cohort.read(plan, credentials, settings, columns=["date", "steps"])
    print(sum(map(len, reader)), "rows")
    for failure in reader.failures:
        print(failure.user, failure.kind, failure.status, failure.first, failure.last)

    # Later: read only the users who failed, unless they need a new token.
    sandbox.clear_faults()
    again = [
        failure.user for failure in reader.failures if failure.kind != "authentication"
    ]
    retry = cohort.read(
        plan.only(users=again), credentials, settings, columns=["date", "steps"]
    )
    print(sum(map(len, retry)), "more rows,", len(retry.failures), "failures")
