//! Checks the contents of an archive: licences, a README, every source, every file that a source includes, and no unnecessary files.

use std::path::{Path, PathBuf};

use super::make::{Archive, Kind};
use crate::folder::files;

/// Maximum size of a source file in bytes.
const MAX_FILE_BYTES: usize = 500_000;
/// Maximum size of an archive in bytes.
const MAX_ARCHIVE_BYTES: u64 = 1_300_000;

/// Files that each archive must have unchanged.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Starts of macros that include a file, whose path is relative to the source.
const INCLUDES: [&str; 3] = ["include!(\"", "include_str!(\"", "include_bytes!(\""];

/// Folders of a package that its users do not compile.
const NOT_NEEDED: [&str; 4] = ["tests", "benches", "target", "__pycache__"];

/// The files of an archive.
pub(super) struct Contents<'a> {
    archive: &'a Archive,
    /// Paths in the archive, and contents.
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
}

impl<'a> Contents<'a> {
    pub(super) fn read(archive: &'a Archive) -> anyhow::Result<Self> {
        let read = |path: PathBuf| Ok((path.strip_prefix(&archive.folder)?.to_path_buf(), std::fs::read(&path)?));
        Ok(Self { archive, files: files(&archive.folder)?.into_iter().map(read).collect::<anyhow::Result<_>>()? })
    }

    /// Returns the size of all files.
    pub(super) fn bytes(&self) -> usize {
        self.files.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    pub(super) fn problems(&self, root: &Path) -> anyhow::Result<Vec<String>> {
        let mut problems = Vec::new();
        for licence in LICENCES {
            match self.file(Path::new(licence)) {
                None => problems.push(format!("{licence} is missing")),
                Some(bytes) if bytes != std::fs::read(root.join(licence))? => {
                    problems.push(format!("{licence} must equal that of the workspace"))
                }
                Some(_) => {}
            }
        }
        let described = match self.archive.kind {
            Kind::Crate => ["README.md", "Cargo.toml", "Cargo.lock"],
            Kind::Sources => ["README.md", "pyproject.toml", "Cargo.lock"],
        };
        problems.extend(described.iter().filter(|name| self.file(Path::new(name)).is_none()).map(|name| format!("{name} is missing")));
        if self.archive.packed > MAX_ARCHIVE_BYTES {
            problems.push(format!("it has {} bytes; at most {MAX_ARCHIVE_BYTES} are allowed", self.archive.packed));
        }
        problems.extend(self.missing_sources()?.iter().map(|path| format!("{} is missing", path.display())));
        problems.extend(self.missing_includes());
        for (path, bytes) in &self.files {
            problems.extend(self.why_unneeded(path, bytes).map(|why| format!("{}: {why}", path.display())));
        }
        Ok(problems)
    }

    /// Returns the paths of sources in the workspace that the archive lacks.
    fn missing_sources(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut missing = Vec::new();
        for (manifest, _) in self.files.iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
            let sources = self.archive.origin.join(manifest).with_file_name("src");
            for source in if sources.is_dir() { files(&sources)? } else { Vec::new() } {
                let inner = source.strip_prefix(&self.archive.origin)?;
                missing.extend(self.file(inner).is_none().then(|| inner.to_path_buf()));
            }
        }
        Ok(missing)
    }

    /// Returns a problem for each file that a source includes and that is not in the archive. Skips files with tests only.
    fn missing_includes(&self) -> Vec<String> {
        let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs");
        let mut missing = Vec::new();
        for (path, bytes) in self.files.iter().filter(|(path, _)| is_source(path)) {
            let text = String::from_utf8_lossy(bytes);
            let paths = INCLUDES.iter().flat_map(|start| text.split(start).skip(1)).filter_map(|rest| rest.split('"').next());
            let absent = paths.filter(|included| !self.archive.folder.join(path).with_file_name(included).is_file());
            missing.extend(absent.map(|included| format!("{}: the included file {included} is missing", path.display())));
        }
        missing
    }

    fn file(&self, path: &Path) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.as_slice())
    }

    /// Returns the folder of the package that a file belongs to.
    fn package(&self, path: &'a Path) -> &'a Path {
        let manifest = |folder: &&Path| self.file(&folder.join("Cargo.toml")).is_some() || folder.as_os_str().is_empty();
        path.ancestors().skip(1).find(manifest).unwrap_or(Path::new(""))
    }

    /// Returns the reason why a file must not be in the archive. `None` if it may be.
    fn why_unneeded(&self, path: &Path, bytes: &[u8]) -> Option<String> {
        let inner = path.strip_prefix(self.package(path)).unwrap_or(path);
        let first = inner.components().next()?.as_os_str().to_string_lossy();
        if inner.components().count() > 1 && NOT_NEEDED.contains(&first.as_ref()) {
            return Some(format!("users do not need `{first}`: add it to `exclude` in the manifest"));
        }
        if bytes.contains(&0) || std::str::from_utf8(bytes).is_err() {
            return Some("must be a text file".to_owned());
        }
        (bytes.len() > MAX_FILE_BYTES).then(|| format!("has {} bytes; at most {MAX_FILE_BYTES} are allowed", bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the problems of an archive with only these files.
    fn problems(kind: Kind, files: &[(&str, &[u8])]) -> Vec<String> {
        problems_of(Path::new("/nowhere"), kind, files)
    }

    /// Returns the problems of an archive that was made from and unpacked into the same folder.
    fn problems_of(folder: &Path, kind: Kind, files: &[(&str, &[u8])]) -> Vec<String> {
        let (folder, origin) = (folder.to_path_buf(), folder.to_path_buf());
        let archive = Archive { name: "a-0.1.0.crate".to_owned(), kind, packed: 1000, folder, origin };
        let files = files.iter().map(|(path, bytes)| (PathBuf::from(path), bytes.to_vec())).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        Contents { archive: &archive, files }.problems(root).unwrap()
    }

    const MIT: &[u8] = include_bytes!("../../../../LICENSE-MIT");
    const APACHE: &[u8] = include_bytes!("../../../../LICENSE-APACHE");

    fn with<'a>(more: &[(&'a str, &'a [u8])]) -> Vec<(&'a str, &'a [u8])> {
        let good: [(&str, &[u8]); 5] =
            [("LICENSE-MIT", MIT), ("LICENSE-APACHE", APACHE), ("README.md", b"# a"), ("Cargo.toml", b""), ("Cargo.lock", b"")];
        [&good[..], more].concat()
    }

    #[test]
    fn a_complete_archive_has_no_problems() {
        assert_eq!(problems(Kind::Crate, &with(&[("src/lib.rs", b"mod page;"), ("src/page/page.css", b"")])), [""; 0]);
    }

    #[test]
    fn licences_and_manifests_are_required() {
        let missing =
            ["LICENSE-APACHE is missing", "LICENSE-MIT must equal that of the workspace", "README.md is missing", "Cargo.lock is missing"];
        assert_eq!(problems(Kind::Crate, &[("LICENSE-MIT", b"MIT"), ("Cargo.toml", b"")]), missing);
        assert_eq!(problems(Kind::Sources, &with(&[])), ["pyproject.toml is missing"]);
    }

    #[test]
    fn every_source_is_required() {
        let origin = tempfile::tempdir().unwrap();
        std::fs::create_dir(origin.path().join("src")).unwrap();
        for name in ["Cargo.toml", "src/lib.rs", "src/page.css"] {
            std::fs::write(origin.path().join(name), "").unwrap();
        }
        assert_eq!(problems_of(origin.path(), Kind::Crate, &with(&[("src/lib.rs", b"")])), ["src/page.css is missing"]);
        let includes = br#"include_str!("page.css") include_bytes!("../Cargo.toml") include!("../../outside.rs")"#;
        let found = problems_of(origin.path(), Kind::Crate, &with(&[("src/lib.rs", includes), ("src/page.css", b"")]));
        assert_eq!(found, ["src/lib.rs: the included file ../../outside.rs is missing"]);
    }

    #[test]
    fn unnecessary_files_are_found() {
        let files = [
            ("crates/a/Cargo.toml", &b""[..]),
            ("crates/a/tests/a.rs", b""),
            ("crates/a/src/tests/a.rs", b""),
            ("src/a.png", b"\x89PNG\0"),
        ];
        assert_eq!(
            problems(Kind::Crate, &with(&files)),
            ["crates/a/tests/a.rs: users do not need `tests`: add it to `exclude` in the manifest", "src/a.png: must be a text file"]
        );
        assert_eq!(
            problems(Kind::Crate, &with(&[("src/a.txt", &[b'a'; 500_001])])),
            ["src/a.txt: has 500001 bytes; at most 500000 are allowed"]
        );
    }
}
