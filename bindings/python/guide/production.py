import collections
import os

import vitalwire

counts: collections.Counter[tuple[str, str]] = collections.Counter()


def count(attempt: vitalwire.Attempt) -> None:
    """Counts attempts by operation and outcome, for your metrics."""
    counts[attempt.operation, str(attempt.status or attempt.error)] += 1


client = vitalwire.Client(
    os.environ["VITALWIRE_BASE_URL"],
    token=vitalwire.EnvironmentToken("VITALWIRE_TOKEN"),
    timeout=20,
    attempt_timeout=8,
    max_retries=3,
    proxy=os.environ.get("MY_PROXY"),
    ca_certificate=os.environ.get("MY_CA_FILE"),
    user_agent="my-app/2.1",
    on_attempt=count,
)
with client:
    client.user.info()
    client.statistics.daily("2025-11-14", "2025-11-20", ["steps"])
for (operation, outcome), number in counts.items():
    print(operation, outcome, number)
