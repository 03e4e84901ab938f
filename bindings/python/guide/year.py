import os
import pathlib
import sys

import vitalwire

folder = pathlib.Path("year-2025")
resume_file = folder / "resume-token"


def show(progress: vitalwire.RangeProgress) -> None:
    print(f"{progress.done} of {progress.total} parts, {progress.items} days")


os.umask(0o077)  # Only you can read the files.
folder.mkdir(exist_ok=True)
stored = resume_file.read_text() if resume_file.exists() else None
with vitalwire.Client.from_env() as client:
    user_id = client.user.info().application_user_id
    if user_id is None:
        sys.exit("the service returned no user id")
    year = client.statistics.daily_range(
        "2025-01-01",
        "2025-12-31",
        ["steps", "sleep_duration_total"],
        part_length="90d",
        resume=stored,
        resume_key=user_id,  # Rejects the resume token of another user.
        progress=show,
    )
    parts = iter(year)
    for part in parts:
        part.response.to_parquet(folder / f"part-{part.index}.parquet")
        if parts.resume_token is not None:  # There are more parts.
            new_file = folder / "resume-token.new"
            new_file.write_text(str(parts.resume_token))
            new_file.replace(resume_file)  # Never leaves half a token.
resume_file.unlink(missing_ok=True)
