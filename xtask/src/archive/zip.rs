//! Zip archives with reproducible bytes, because a manifest states their checksum.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// A jar's manifest. Some readers expect it to be the first file.
pub(crate) const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// Compresses files, given as (name with `/`, content), sorted by name with a manifest first.
///
/// # Errors
/// If a file is larger than 4 GiB, or two have the same name.
pub(crate) fn archive(files: &[(String, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    write(files, CompressionMethod::Deflated)
}

/// Stores files uncompressed, for an archive within another one. The outer archive compresses them together, which halves many small
/// similar files.
///
/// # Errors
/// If a file is larger than 4 GiB, or two have the same name.
pub(crate) fn archive_uncompressed(files: &[(String, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    write(files, CompressionMethod::Stored)
}

fn write(files: &[(String, Vec<u8>)], method: CompressionMethod) -> anyhow::Result<Vec<u8>> {
    let mut order: Vec<&(String, Vec<u8>)> = files.iter().collect();
    order.sort_by(|(a, _), (b, _)| (a != MANIFEST, a).cmp(&(b != MANIFEST, b)));
    let level = (method == CompressionMethod::Deflated).then_some(9);
    // The default modification time is 1980-01-01, midnight.
    let options = SimpleFileOptions::DEFAULT.compression_method(method).compression_level(level);
    let options = options.last_modified_time(DateTime::DEFAULT).unix_permissions(0o644).system(System::Unix);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in order {
        writer.start_file(name, options)?;
        writer.write_all(content)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Checks that Python can read the archive and that its checksums are valid.
    #[test]
    fn another_reader_finds_the_same_files() {
        let files = [("b/two.txt".to_owned(), b"two".repeat(100)), ("a.txt".to_owned(), Vec::new())];
        for (made, method) in [(archive(&files).unwrap(), 8), (archive_uncompressed(&files).unwrap(), 0)] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.zip"), &made).unwrap();
            let program = "import zipfile\nz = zipfile.ZipFile('a.zip')\nassert z.testzip() is None\n\
                           for i in z.infolist(): print(i.filename, i.compress_type, i.date_time, oct(i.external_attr >> 16), z.read(i).decode())";
            let output = Command::new("python3").current_dir(&folder).args(["-I", "-c", program]).output().unwrap();
            let line = |name: &str, text: &str| format!("{name} {method} (1980, 1, 1, 0, 0, 0) 0o100644 {text}\n");
            assert_eq!(String::from_utf8(output.stdout).unwrap(), line("a.txt", "") + &line("b/two.txt", &"two".repeat(100)));
        }
    }

    #[test]
    fn a_manifest_comes_first() {
        let made = archive(&[("META-INF/LICENSE".to_owned(), vec![1]), (MANIFEST.to_owned(), vec![2])]).unwrap();
        // The name follows the header of 30 bytes.
        assert_eq!(&made[30..30 + MANIFEST.len()], MANIFEST.as_bytes());
    }
}
