//! Compares the packages of two builds of the same commit, byte by byte.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::rehearsal::is_package;
use crate::archive::unpack;
use crate::folder;

/// The packages of two builds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) identical: Vec<String>,
    /// Packages that differ, each with the files inside that differ.
    pub(super) different: Vec<(String, Vec<String>)>,
}

/// Compares all packages below two folders.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn compare(first: &Path, second: &Path) -> anyhow::Result<Comparison> {
    let packages = |folder: &Path| -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
        Ok(folder::contents(folder)?.into_iter().filter(|(name, _)| is_package(name)).collect())
    };
    let (of_first, of_second) = (packages(first)?, packages(second)?);
    let mut comparison = Comparison::default();
    for name in of_first.keys().chain(of_second.keys()).cloned().collect::<BTreeSet<String>>() {
        if of_first.get(&name) == of_second.get(&name) {
            comparison.identical.push(name);
        } else {
            let inner = differing_files(&first.join(&name), &second.join(&name))?;
            comparison.different.push((name, inner));
        }
    }
    Ok(comparison)
}

/// Returns the files that differ inside two archives.
fn differing_files(first: &Path, second: &Path) -> anyhow::Result<Vec<String>> {
    let contents = |archive: &Path| -> anyhow::Result<BTreeSet<(String, Vec<u8>)>> {
        let unpacked = tempfile::tempdir()?;
        if !archive.is_file() || !unpack(archive, unpacked.path())? {
            return Ok(BTreeSet::new());
        }
        Ok(folder::contents(unpacked.path())?.into_iter().collect())
    };
    let (first, second) = (contents(first)?, contents(second)?);
    let names: BTreeSet<String> = first.symmetric_difference(&second).map(|(name, _)| name.clone()).collect();
    Ok(names.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tar;

    #[test]
    fn a_difference_names_the_files_inside() {
        let folder = tempfile::tempdir().unwrap();
        for (build, content) in [("1", "a"), ("2", "b")] {
            let tree = folder.path().join("tree");
            std::fs::create_dir_all(&tree).unwrap();
            std::fs::write(tree.join("program"), content).unwrap();
            std::fs::write(tree.join("README"), "").unwrap();
            let out = folder.path().join(build);
            std::fs::create_dir_all(&out).unwrap();
            std::fs::write(out.join("a.tar.gz"), tar::archive(&tree).unwrap()).unwrap();
            std::fs::write(tree.join("program"), "same").unwrap();
            std::fs::write(out.join("b.crate"), tar::archive(&tree).unwrap()).unwrap();
            std::fs::write(out.join("b.crate.asc"), content).unwrap();
        }
        let expected =
            Comparison { identical: vec!["b.crate".to_owned()], different: vec![("a.tar.gz".to_owned(), vec!["tree/program".to_owned()])] };
        assert_eq!(compare(&folder.path().join("1"), &folder.path().join("2")).unwrap(), expected);
        std::fs::remove_file(folder.path().join("2/b.crate")).unwrap();
        assert_eq!(compare(&folder.path().join("1"), &folder.path().join("2")).unwrap().different.len(), 2);
    }
}
