import datetime

import vitalwire

with vitalwire.Client.from_env() as client:
    (night,) = client.sleeps.between("2025-11-20", "2025-11-20", include_stages=True)
    sleep = night.sleep
    offset = datetime.timedelta(minutes=sleep.user_time_offset_minutes or 0)
    local = datetime.timezone(offset)
    print(sleep.sleep_date, "from", sleep.provider_slug)
    for stage in sleep.stages or ():
        if stage.start_at is not None and stage.duration is not None:
            start, minutes = stage.start_at.astimezone(local), stage.duration / 60_000
            print(f"{start:%H:%M}  {stage.stage:<6}{minutes:5.1f} min")
