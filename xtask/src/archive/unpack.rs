//! Archives, unpacked by tools that are there anyway: `tar`, and python3's `zipfile`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::process::must;

/// How a file is packed, by its name; none for what is no archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    TarGzip,
    Zip,
}

fn packing(file: &Path) -> Option<Packing> {
    match file.extension().and_then(OsStr::to_str)? {
        "crate" | "gz" | "tgz" => Some(Packing::TarGzip),
        "aar" | "jar" | "whl" | "zip" => Some(Packing::Zip),
        _ => None,
    }
}

/// Unpacks a file into a folder, which is made; whether it is an archive. All files get the time of now: cargo judges by it whether
/// something was built from them, and archives hold a time of long ago.
///
/// # Errors
/// Where the archive is damaged, or the tool is missing.
pub(crate) fn unpack(file: &Path, into: &Path) -> anyhow::Result<bool> {
    let Some(packing) = packing(file) else { return Ok(false) };
    std::fs::create_dir_all(into)?;
    match packing {
        Packing::TarGzip => must(Command::new("tar").arg("-xzmf").arg(file).arg("-C").arg(into))?,
        Packing::Zip => must(Command::new("python3").args(["-I", "-m", "zipfile", "-e"]).arg(file).arg(into))?,
    };
    Ok(true)
}
