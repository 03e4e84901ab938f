# --8<-- [start:readme]
import vitalwire

with vitalwire.Client.from_env() as client:
    for night in client.sleeps.between("2025-11-14", "2025-11-20", include_stages=True):
        stages = night.sleep.stages or ()
        deep = sum(stage.duration or 0 for stage in stages if stage.stage == "deep")
        print(night.days[0], deep // 60_000, "min of deep sleep")
# --8<-- [end:readme]
