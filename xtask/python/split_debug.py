"""Moves debug information out of wheels for Linux, and for Windows by mingw-w64: `python split_debug.py WHEELS DEBUG`.

Strips each library and program in the wheels of the folder WHEELS. Writes an archive with the debug information of each wheel into the
folder DEBUG. A library or program and its debug information have the same build id. Fails if a wheel has no debug information. A wheel is
replaced once its archive is complete.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# Set it to the objcopy of another system for its code.
OBJCOPY = os.environ.get("OBJCOPY", "objcopy")
# Fixed timestamps make the archives reproducible.
FIXED_TIME = os.environ | {"SOURCE_DATE_EPOCH": "315532800"}
# Folders to remove from debug information: the Python environment, which contains Zig, and Zig's cache of compiled parts of libc.
ZIG_FOLDERS = [os.fsencode(folder) for folder in (sys.prefix, os.environ.get("ZIG_GLOBAL_CACHE_DIR")) if folder]


def split(wheel: Path, debug: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory(dir=wheel.parent) as beside:
        folder = Path(temporary)
        run_wheel("unpack", "--dest", folder, wheel)
        (tree,) = folder.iterdir()
        (licences,) = tree.glob("*.dist-info/licenses")
        parts = [move_debug_information(file, folder) for file in sorted(tree.rglob("*")) if file.is_file() and is_code(file)]
        if not parts:
            sys.exit(f"{wheel.name} has no library and no program")
        run_wheel("pack", "--dest-dir", beside, tree)
        # The new name has sorted tags.
        (packed,) = Path(beside).iterdir()
        name, version, tag = packed.stem.split("-", 2)
        top = f"{name.replace('_', '-')}-python-debug-{version}-{tag}"
        part = Path(beside) / "archive"
        part.write_bytes(archive(top, [*sorted(licences.iterdir()), *parts]))
        # The archive first: if the process is killed between the two, the wheel still has its debug information.
        part.replace(debug / f"{top}.tar.gz")
        packed.replace(wheel.with_name(packed.name))
        if wheel.name != packed.name:
            wheel.unlink()


def is_code(file: Path) -> bool:
    with file.open("rb") as content:
        head = content.read(4096)
    offset = int.from_bytes(head[0x3C:0x40], "little")
    return head.startswith(b"\x7fELF") or (head.startswith(b"MZ") and head[offset : offset + 4] == b"PE\0\0")


def move_debug_information(file: Path, folder: Path) -> Path:
    """Strips a file, and returns the path of its debug information in the folder."""
    part = folder / f"{file.name}.debug"
    subprocess.run([OBJCOPY, "--only-keep-debug", file, part], check=True, env=FIXED_TIME)
    subprocess.run([OBJCOPY, "--strip-all", file], check=True, env=FIXED_TIME)
    content = part.read_bytes()
    if b".debug_line" not in content or not (b".note.gnu.build-id" in content or b".buildid" in content):
        sys.exit(f"{file.name} must have debug information and a build id; build it with the settings of a release")
    # No compiler option removes these folders from the libraries that Zig compiles.
    for path in ZIG_FOLDERS:
        content = content.replace(path, b"/" * len(path))
    part.write_bytes(content)
    return part


def run_wheel(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True, env=FIXED_TIME, stdout=subprocess.DEVNULL)


def archive(top: str, members: list[Path]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for member in members:
            entry = tarfile.TarInfo(f"{top}/{member.name}")
            entry.size = member.stat().st_size
            with member.open("rb") as content:
                tar.addfile(entry, content)
    return gzip.compress(packed.getvalue(), mtime=0)


def main() -> None:
    wheels, debug = map(Path, sys.argv[1:])
    debug.mkdir(parents=True, exist_ok=True)
    found = sorted(wheels.glob("*.whl"))
    if not found:
        sys.exit(f"{wheels} has no wheel")
    for wheel in found:
        split(wheel, debug)


if __name__ == "__main__":
    main()
