//! Tar archives, gzipped, that are the same bytes whenever and wherever they are made of the same files. Links stay links.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::archive::files;

/// The format's unit: a header is one, and content is filled up to whole ones.
const BLOCK: usize = 512;

/// What a header has room for.
const MAX_NAME: usize = 100;

/// 1980-01-01, midnight: tools complain of 1970.
const TIME: u64 = 315_532_800;

/// An archive of a folder, which is at its top by its own name.
///
/// # Errors
/// Where a file cannot be read, or a name is longer than the format's 100 bytes.
pub(crate) fn archive(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let top = folder.file_name().and_then(|name| name.to_str()).context("a folder without a name")?;
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    for file in files(folder)? {
        let inner = file.strip_prefix(folder)?.to_str().context("a file's name is no text")?.replace('\\', "/");
        let name = format!("{top}/{inner}");
        let (content, link) = if fs::symlink_metadata(&file)?.is_symlink() {
            (Vec::new(), Some(fs::read_link(&file)?.to_str().context("a link is no text")?.to_owned()))
        } else {
            (fs::read(&file)?, None)
        };
        out.write_all(&header(&name, content.len(), link.as_deref())?)?;
        out.write_all(&content)?;
        out.write_all(&vec![0; content.len().next_multiple_of(BLOCK) - content.len()])?;
    }
    // Two empty blocks end it.
    out.write_all(&[0; 2 * BLOCK])?;
    Ok(out.finish()?)
}

/// A file's header, or a link's: readable by everyone, writable by its owner, who has no name.
fn header(name: &str, length: usize, link: Option<&str>) -> anyhow::Result<[u8; BLOCK]> {
    ensure!(name.len() <= MAX_NAME && link.is_none_or(|link| link.len() <= MAX_NAME), "{name} is longer than {MAX_NAME} bytes");
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, if link.is_some() { "0000777" } else { "0000644" });
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{length:011o}"));
    put(136, &format!("{TIME:011o}"));
    // The sum is taken as if it were blanks.
    put(148, "        ");
    put(156, if link.is_some() { "2" } else { "0" });
    put(157, link.unwrap_or_default());
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Python's own reader says what is in it.
    #[test]
    fn another_reader_finds_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        fs::create_dir_all(tree.join("b")).unwrap();
        fs::write(tree.join("b/two.txt"), "two".repeat(300)).unwrap();
        fs::write(tree.join("a.txt"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("b/two.txt", tree.join("c")).unwrap();
        let made = archive(&tree).unwrap();
        assert_eq!(made, archive(&tree).unwrap());
        fs::write(folder.path().join("a.tar.gz"), &made).unwrap();
        let program = "import tarfile\nt = tarfile.open('a.tar.gz')\n\
                       for i in t: print(i.name, i.mtime, oct(i.mode), i.linkname, (t.extractfile(i).read() if i.isfile() else b'').decode())";
        let output = Command::new("python3").current_dir(&folder).args(["-I", "-c", program]).output().unwrap();
        let link = if cfg!(unix) { "tree/c 315532800 0o777 b/two.txt \n" } else { "" };
        let two = "two".repeat(300);
        let expected = format!("tree/a.txt 315532800 0o644  \ntree/b/two.txt 315532800 0o644  {two}\n{link}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }

    #[test]
    fn a_name_without_room_is_refused() {
        assert!(header(&"n".repeat(101), 0, None).is_err());
    }
}
