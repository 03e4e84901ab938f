import vitalwire.ray
from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
limits = cohort.RateLimits(per_second=20)
days = vitalwire.ray.read(
    "daily", credentials, "2025-11-01", "2025-11-20", rate_limits=limits, tasks=2
)
print(days.to_pandas().groupby("user")["steps"].mean().round())
