"""Moves debug information out of wheels for Linux: `python split_debug.py WHEELS DEBUG`.

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

ELF = b"\x7fELF"
# Set it to LLVM's objcopy for code of other processors.
OBJCOPY = os.environ.get("OBJCOPY", "objcopy")
# The environment of this Python has Zig.
ZIG = os.fsencode(sys.prefix)


def split(wheel: Path, debug: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run_wheel("unpack", "--dest", folder, wheel)
        (tree,) = folder.iterdir()
        name, version, tag = wheel.stem.split("-", 2)
        (licences,) = tree.glob("*.dist-info/licenses")
        members = sorted(licences.iterdir())
        for file in [file for file in sorted(tree.rglob("*")) if file.is_file() and file.read_bytes().startswith(ELF)]:
            part = folder / f"{file.name}.debug"
            subprocess.run([OBJCOPY, "--only-keep-debug", file, part], check=True)
            subprocess.run([OBJCOPY, "--strip-all", file], check=True)
            # Zig's own library names its folder, whatever the options.
            part.write_bytes(part.read_bytes().replace(ZIG, b"/" * len(ZIG)))
            members.append(part)
        wheel.unlink()
        run_wheel("pack", "--dest-dir", wheel.parent, tree)
        top = f"{name.replace('_', '-')}-python-debug-{version}-{tag}"
        (debug / f"{top}.tar.gz").write_bytes(archive(top, members))


def run_wheel(*arguments: str | Path) -> None:
    # A fixed time, so that the same files give the same bytes.
    environment = os.environ | {"SOURCE_DATE_EPOCH": "315532800"}
    subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)


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
