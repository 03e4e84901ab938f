"""Moves debug information out of wheels for Linux, and for Windows by mingw-w64: `python split_debug.py WHEELS DEBUG`.

Strips each library and program in the wheels of the folder WHEELS. Writes an archive with the debug information of each wheel into the
folder DEBUG. Debuggers find the file of a library or program by its build id.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# Magic bytes of programs and libraries for Linux and Windows.
MAGIC = (b"\x7fELF", b"MZ\x90\0")
# Set it to LLVM's objcopy for code of other processors.
OBJCOPY = os.environ.get("OBJCOPY", "objcopy")
# Fixed timestamps make the archives reproducible.
FIXED_TIME = os.environ | {"SOURCE_DATE_EPOCH": "315532800"}
# Folders to remove from debug information: the Python environment, which contains Zig, and Zig's cache of compiled parts of libc.
ZIG_FOLDERS = [os.fsencode(folder) for folder in (sys.prefix, os.environ.get("ZIG_GLOBAL_CACHE_DIR")) if folder]


def split(wheel: Path, debug: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run_wheel("unpack", "--dest", folder, wheel)
        (tree,) = folder.iterdir()
        name, version, tag = wheel.stem.split("-", 2)
        (licences,) = tree.glob("*.dist-info/licenses")
        members = sorted(licences.iterdir())
        for file in [file for file in sorted(tree.rglob("*")) if file.is_file() and file.read_bytes().startswith(MAGIC)]:
            part = folder / f"{file.name}.debug"
            subprocess.run([OBJCOPY, "--only-keep-debug", file, part], check=True, env=FIXED_TIME)
            subprocess.run([OBJCOPY, "--strip-all", file], check=True, env=FIXED_TIME)
            # No compiler option removes these folders from the libraries that Zig compiles.
            content = part.read_bytes()
            for path in ZIG_FOLDERS:
                content = content.replace(path, b"/" * len(path))
            part.write_bytes(content)
            members.append(part)
        wheel.unlink()
        run_wheel("pack", "--dest-dir", wheel.parent, tree)
        top = f"{name.replace('_', '-')}-python-debug-{version}-{tag}"
        (debug / f"{top}.tar.gz").write_bytes(archive(top, members))


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
    for wheel in sorted(wheels.glob("*.whl")):
        split(wheel, debug)


if __name__ == "__main__":
    main()
