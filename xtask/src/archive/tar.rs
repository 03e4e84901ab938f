//! Gzipped tar archives with reproducible bytes: sorted names, a fixed modification time, no owner. Links are kept.

use std::path::Path;

use anyhow::Context as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, HeaderMode};

use crate::folder::files;

/// Packs a folder. Its name is the top folder of the archive.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn archive(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let top = Path::new(folder.file_name().context("the folder has no name")?);
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    builder.mode(HeaderMode::Deterministic);
    builder.follow_symlinks(false);
    for file in files(folder)? {
        builder.append_path_with_name(&file, top.join(file.strip_prefix(folder)?))?;
    }
    Ok(builder.into_inner()?.finish()?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Checks that Python can read the archive.
    #[test]
    fn another_reader_finds_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        // A name of more than 100 bytes, the maximum of the original tar format.
        let long = "n".repeat(120);
        fs::create_dir_all(tree.join("b")).unwrap();
        fs::write(tree.join("b/two.txt"), "two".repeat(300)).unwrap();
        fs::write(tree.join("a.txt"), "").unwrap();
        fs::write(tree.join(&long), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("b/two.txt", tree.join("c")).unwrap();
        let made = archive(&tree).unwrap();
        fs::File::open(tree.join("a.txt")).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert!(made == archive(&tree).unwrap(), "the archive must not depend on file modification times");
        fs::write(folder.path().join("a.tar.gz"), &made).unwrap();
        let program = "import tarfile\nt = tarfile.open('a.tar.gz')\nassert len({i.mtime for i in t}) == 1\n\
                       for i in t: print(i.name, i.uid, i.uname, oct(i.mode), i.linkname, (t.extractfile(i).read() if i.isfile() else b'').decode())";
        let output = Command::new("python3").current_dir(&folder).args(["-I", "-c", program]).output().unwrap();
        let link = if cfg!(unix) { "tree/c 0  0o755 b/two.txt \n" } else { "" };
        let two = "two".repeat(300);
        let expected = format!("tree/a.txt 0  0o644  \ntree/b/two.txt 0  0o644  {two}\n{link}tree/{long} 0  0o644  \n");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}
