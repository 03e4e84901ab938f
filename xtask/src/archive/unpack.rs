//! Unpacks archives with common tools: `tar`, python3's `zipfile` and `dpkg-deb`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::process::execute;

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArchiveFormat {
    Debian,
    TarGzip,
    Zip,
}

fn format(file: &Path) -> Option<ArchiveFormat> {
    match file.extension().and_then(OsStr::to_str)? {
        "deb" => Some(ArchiveFormat::Debian),
        "crate" | "gz" | "tgz" => Some(ArchiveFormat::TarGzip),
        "aar" | "jar" | "whl" | "zip" => Some(ArchiveFormat::Zip),
        _ => None,
    }
}

/// Unpacks an archive into a new folder. Returns `false` if the file is not an archive. Files get the current modification time, because
/// cargo detects changes by it and archives contain a fixed old one.
///
/// # Errors
/// If the archive is damaged, or the tool is missing.
pub(crate) fn unpack(file: &Path, into: &Path) -> anyhow::Result<bool> {
    let Some(format) = format(file) else { return Ok(false) };
    std::fs::create_dir_all(into)?;
    match format {
        ArchiveFormat::Debian => execute(Command::new("dpkg-deb").arg("--extract").arg(file).arg(into))?,
        ArchiveFormat::TarGzip => execute(Command::new("tar").arg("-xzmf").arg(file).arg("-C").arg(into))?,
        ArchiveFormat::Zip => execute(Command::new("python3").args(["-I", "-m", "zipfile", "-e"]).arg(file).arg(into))?,
    };
    Ok(true)
}
