//! Checks of each published file: version, licences, third-party notices, and no path of this machine.

use std::path::Path;

use crate::archive::unpack;
use crate::folder;
use crate::notices;
use crate::paths::{PrivatePaths, SearchScope};

/// First bytes of compiled code: ELF, static libraries, Mach-O (64 bit, and several architectures), Windows and Java.
const CODE: [&[u8]; 6] = [b"\x7fELF", b"!<arch>\n", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ\x90\0", b"MZ\x78\0"];

/// Returns the problems of a published file.
///
/// # Errors
/// If the file cannot be read, or is a damaged archive.
pub(super) fn problems(file: &Path, name: &str, version: &str, private: &PrivatePaths) -> anyhow::Result<Vec<String>> {
    let unpacked = tempfile::tempdir()?;
    let mut problems = private.search(file, SearchScope::Everything)?;
    if !unpack(file, unpacked.path())? {
        return Ok(problems);
    }
    if !name.contains(version) {
        problems.push(format!("its name must have the version {version}"));
    }
    let content = folder::contents(unpacked.path())?;
    let has = |wanted: &str| content.iter().any(|(path, _)| path.rsplit('/').next() == Some(wanted));
    let compiled = content.iter().any(|(_, bytes)| CODE.iter().any(|start| bytes.starts_with(start)));
    let [apache, mit, third_party] = notices::FILES;
    for (wanted, needed) in [(apache, true), (mit, true), (third_party, compiled)] {
        if needed && !has(wanted) {
            problems.push(format!("{wanted} is missing; add it where the package is built"));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tar;

    /// Returns the problems of an archive with these files.
    fn problems_with(name: &str, files: &[(&str, &[u8])]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).unwrap();
        files.iter().for_each(|(name, bytes)| std::fs::write(tree.join(name), bytes).unwrap());
        let file = folder.path().join(name);
        std::fs::write(&file, tar::archive(&tree).unwrap()).unwrap();
        let private = PrivatePaths::new(Path::new("/somewhere/vitalwire"), Path::new("/somewhere/target")).unwrap();
        problems(&file, name, "1.2.3", &private).unwrap()
    }

    const LICENCES: [(&str, &[u8]); 2] = [("LICENSE-APACHE", b""), ("LICENSE-MIT", b"")];

    #[test]
    fn compiled_code_needs_notices() {
        let library: (&str, &[u8]) = ("liba.so", b"\x7fELF\x02");
        assert_eq!(problems_with("a-1.2.3.tar.gz", &LICENCES), [""; 0]);
        let missing = "THIRD-PARTY-NOTICES.txt is missing; add it where the package is built";
        assert_eq!(problems_with("a-1.2.3.tar.gz", &[&LICENCES[..], &[library]].concat()), [missing]);
        let complete = [&LICENCES[..], &[library, ("THIRD-PARTY-NOTICES.txt", b"")]].concat();
        assert_eq!(problems_with("a-1.2.3.tar.gz", &complete), [""; 0]);
    }

    #[test]
    fn a_version_licences_and_neutral_paths_are_needed() {
        let found = problems_with("a.tar.gz", &[("b.txt", b"/somewhere/vitalwire/src")]);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("b.txt names the workspace"), "{found:?}");
        assert_eq!(found[1], "its name must have the version 1.2.3");
        assert_eq!(found[2], "LICENSE-APACHE is missing; add it where the package is built");
    }
}
