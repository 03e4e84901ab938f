# --8<-- [start:readme]
import vitalwire

with vitalwire.Client.from_env() as client:
    for night in client.sleeps.between("2025-11-14", "2025-11-20", include_stages=True):
        deep = [s.duration for s in night.sleep.stages or () if s.stage == "deep"]
        if deep and None not in deep:  # A missing duration is not 0.
            print(night.days[0], sum(filter(None, deep)) // 60_000, "min of deep sleep")
# --8<-- [end:readme]
