//! Zip archives that are the same bytes whenever and wherever they are made: their checksum stands in a manifest.

use std::io::Write as _;

use anyhow::Context as _;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// Version 2.0 of the format: folders and deflated files. In the entry of the index, its upper byte says Unix, whose modes follow.
const VERSION: u16 = 20;
const MADE_ON_UNIX: u16 = (3 << 8) | VERSION;

/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// The first time that the format has: 1980-01-01, midnight.
const TIME: u16 = 0;
const DATE: u16 = (1 << 5) | 1;

/// A regular file, for its owner to write and for everyone to read.
const MODE: u32 = 0o100_644 << 16;

/// A jar's manifest, for which some readers look in the first place alone.
pub(crate) const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// How the files of an archive are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Each,
    None,
}

/// An archive of files: (name with `/`, content), in the order of their names, a manifest before all others.
///
/// # Errors
/// Where a file, or all of them, are larger than the format's 4 GiB.
pub(crate) fn archive(files: &[(String, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    packed(files, Packing::Each)
}

/// The same for an archive in another one, which packs it as a whole: of many small files that are alike, that leaves half.
///
/// # Errors
/// Where a file, or all of them, are larger than the format's 4 GiB.
pub(crate) fn inner(files: &[(String, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    packed(files, Packing::None)
}

fn packed(files: &[(String, Vec<u8>)], packing: Packing) -> anyhow::Result<Vec<u8>> {
    let mut order: Vec<&(String, Vec<u8>)> = files.iter().collect();
    order.sort_by(|(a, _), (b, _)| (a != MANIFEST, a).cmp(&(b != MANIFEST, b)));
    let (mut out, mut index) = (Vec::new(), Vec::new());
    for (name, content) in &order {
        let offset = u32::try_from(out.len()).context("the archive is too large")?;
        let entry = entry(name, content, packing)?;
        out.extend(0x0403_4b50_u32.to_le_bytes());
        out.extend(&entry.head);
        out.extend(name.as_bytes());
        out.extend(&entry.packed);
        index.extend(0x0201_4b50_u32.to_le_bytes());
        index.extend(MADE_ON_UNIX.to_le_bytes());
        index.extend(&entry.head);
        // No comment, the first disk, no attributes of its own.
        index.extend([0; 6]);
        index.extend(MODE.to_le_bytes());
        index.extend(offset.to_le_bytes());
        index.extend(name.as_bytes());
    }
    let (at, length) = (u32::try_from(out.len())?, u32::try_from(index.len())?);
    let count = u16::try_from(order.len())?.to_le_bytes();
    out.append(&mut index);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0; 2]);
    Ok(out)
}

struct Entry {
    /// What the file's own header and the index both say.
    head: Vec<u8>,
    packed: Vec<u8>,
}

fn entry(name: &str, content: &[u8], packing: Packing) -> anyhow::Result<Entry> {
    let mut sum = Crc::new();
    sum.update(content);
    let (method, packed) = match packing {
        Packing::None => (STORED, content.to_vec()),
        Packing::Each => {
            let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
            deflate.write_all(content)?;
            (DEFLATED, deflate.finish()?)
        }
    };
    let mut head = Vec::new();
    for number in [VERSION, FLAGS, method, TIME, DATE] {
        head.extend(number.to_le_bytes());
    }
    head.extend(sum.sum().to_le_bytes());
    for length in [packed.len(), content.len()] {
        head.extend(u32::try_from(length).with_context(|| format!("{name} is too large"))?.to_le_bytes());
    }
    head.extend(u16::try_from(name.len())?.to_le_bytes());
    head.extend([0; 2]);
    Ok(Entry { head, packed })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Python's own reader, which checks sums, says what is in it.
    #[test]
    fn another_reader_finds_the_same_files() {
        let files = [("b/two.txt".to_owned(), b"two".repeat(100)), ("a.txt".to_owned(), Vec::new())];
        for (made, method) in [(archive(&files).unwrap(), DEFLATED), (inner(&files).unwrap(), STORED)] {
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
    fn the_order_of_files_changes_nothing() {
        let (a, b) = (("a".to_owned(), vec![1]), ("b".to_owned(), vec![2]));
        assert_eq!(archive(&[a.clone(), b.clone()]).unwrap(), archive(&[b, a]).unwrap());
    }

    #[test]
    fn a_manifest_comes_first() {
        let made = archive(&[("META-INF/LICENSE".to_owned(), vec![1]), (MANIFEST.to_owned(), vec![2])]).unwrap();
        // After the header's 30 bytes.
        assert_eq!(&made[30..30 + MANIFEST.len()], MANIFEST.as_bytes());
    }
}
