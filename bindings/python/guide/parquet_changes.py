import os
import pathlib
import secrets
import sys
import typing

import polars as pl

import vitalwire

os.umask(0o077)  # Only you can read the files.
USER = "user-7"  # Your own id of the user.
Kind = typing.Literal["daily", "sleeps", "nutrition"]
ID_COLUMNS: dict[Kind, str] = {
    "daily": "date",
    "sleeps": "sleep_id",
    "nutrition": "record_id",
}
key_file = pathlib.Path("sync.key")
if not key_file.exists():
    with key_file.open("xb") as file:
        file.write(secrets.token_bytes(32))


def files_of(kind: Kind) -> list[pathlib.Path]:
    return sorted(pathlib.Path("changes", kind).glob("*.parquet"))


def read_state(kind: Kind) -> bytes | None:
    """Reads the state in the newest file."""
    for file in reversed(files_of(kind)):
        return bytes.fromhex(pl.read_parquet_metadata(file)["state"])
    return None


def write(kind: Kind, part: vitalwire.SyncPart) -> None:
    """Writes changes and state into one file: both are stored or none."""
    numbers = pl.int_range(pl.len()) + part.generation * 2**32
    changes = pl.DataFrame(
        [(change.type, change.id, change.day) for change in part.changes],
        schema={"change": pl.String, "id": pl.String, "day": pl.Date},
        orient="row",
    ).with_columns(number=numbers)
    rows = part.table(kind).to_polars()
    rows = rows.with_columns(id=pl.col(ID_COLUMNS[kind]).cast(pl.String))
    new_file = pathlib.Path("changes", kind, f"new-{os.getpid()}")
    table = changes.join(rows, on="id", how="left")
    table.write_parquet(new_file, metadata={"state": part.state.hex()})
    try:
        # Never replaces a file, and never leaves half of one.
        os.link(new_file, new_file.with_name(f"{part.generation:010}.parquet"))
    except FileExistsError:
        sys.exit("another sync of this user has stored its state")
    finally:
        new_file.unlink()


def read_current(kind: Kind) -> pl.DataFrame:
    """Returns the current records: those of the last change of each id."""
    files = [pl.read_parquet(file) for file in files_of(kind)]
    changes = pl.concat(files, how="diagonal_relaxed")
    is_present = pl.col("change").is_in(["added", "changed"])
    last = pl.col("number").max().over("id")
    day_removed = pl.col("number").filter(pl.col("change") == "day_removed")
    removed = day_removed.max().over("day").fill_null(0)
    number = pl.col("number")
    return changes.filter(is_present & (number == last) & (number > removed))


failure = None
with vitalwire.Client.from_env() as client:
    for kind in ID_COLUMNS:
        pathlib.Path("changes", kind).mkdir(parents=True, exist_ok=True)
        call = client.sync(
            kind,
            secret=key_file.read_bytes(),
            user=USER,
            state=read_state(kind),
            first="2026-01-01",
        )
        parts = iter(call)
        while True:
            try:
                part = next(parts, None)
            except vitalwire.VitalwireError as error:
                failure = error  # Other parts may succeed.
                continue
            if part is None:
                break
            write(kind, part)
if failure is not None:
    raise failure  # The next run requests the missing days.
for kind in ID_COLUMNS:
    print(f"{kind}: {len(files_of(kind))} files, {len(read_current(kind))} records")
