import datetime

import vitalwire

day = "2025-11-20"
with vitalwire.Client.from_env() as client:
    for night in client.sleeps.between(day, day, include_stages=True):  # Also naps.
        sleep = night.sleep
        offset = datetime.timedelta(minutes=sleep.user_time_offset_minutes or 0)
        local = datetime.timezone(offset)
        print(sleep.sleep_date, "from", sleep.provider_slug)
        for stage in sleep.stages or ():
            start, duration = stage.start_at, stage.duration
            clock = "--:--" if start is None else f"{start.astimezone(local):%H:%M}"
            minutes = "?" if duration is None else f"{duration / 60_000:.1f}"
            print(f"{clock}  {stage.stage or '?':<6}{minutes:>5} min")
