//! Archives, unpacked by tools that are there anyway: `tar`, and python3's `zipfile`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
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

/// Every file below a folder, in the order of their names. Links are not followed.
///
/// # Errors
/// Where a folder cannot be read.
pub(crate) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let into = if entry.file_type()?.is_dir() { &mut folders } else { &mut found };
            into.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
