//! Checks of each published file: version, licences, third-party notices, and no path of this machine.

use std::path::Path;

use super::wheel_tag;
use crate::archive::unpack;
use crate::folder;
use crate::notices;
use crate::paths::{PrivatePaths, SearchScope};

/// First bytes of native code: ELF, static libraries, Mach-O and Windows.
const NATIVE: [&[u8]; 5] = [b"\x7fELF", b"!<arch>\n", b"\xcf\xfa\xed\xfe", b"MZ\x90\0", b"MZ\x78\0"];

/// First bytes of Java classes, and of Mach-O for several architectures.
const CLASS: &[u8] = b"\xca\xfe\xba\xbe";

/// Ends of the names of files in a Maven repository that are signed.
const MAVEN: [&str; 4] = [".pom", ".jar", ".aar", "-cyclonedx.json"];

/// Returns the problems of a published file.
///
/// # Errors
/// If the file cannot be read, or is a damaged archive.
pub(super) fn problems(file: &Path, name: &str, version: &str, private: &PrivatePaths) -> anyhow::Result<Vec<String>> {
    let unpacked = tempfile::tempdir()?;
    let remedy = |line: String| format!("{line}; remap the path with `--remap-path-prefix`, or remove it where the package is built");
    let mut problems: Vec<String> = private.search(file, SearchScope::Everything)?.into_iter().map(remedy).collect();
    if name.ends_with(".whl") && name.contains("-linux_") {
        problems.push("its tag must state a version of glibc, as `manylinux_2_17` does; build it with `--compatibility`".to_owned());
    }
    if MAVEN.iter().any(|end| name.ends_with(end)) && !Path::new(&format!("{}.asc", file.display())).is_file() {
        problems.push("it has no signature; sign it with gpg".to_owned());
    }
    if !unpack(file, unpacked.path())? {
        return Ok(problems);
    }
    if !name.contains(version) {
        problems.push(format!("its name must have the version {version}"));
    }
    let content = folder::contents(unpacked.path())?;
    let has = |wanted: &str| content.iter().any(|(path, bytes)| path.rsplit('/').next() == Some(wanted) && !bytes.is_empty());
    let native: Vec<(&str, &[u8])> = content
        .iter()
        .filter(|(_, bytes)| NATIVE.iter().any(|start| bytes.starts_with(start)))
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    if name.ends_with(".whl") {
        problems.extend(wheel_tag::problems(name, &native));
    }
    let compiled = !native.is_empty() || content.iter().any(|(_, bytes)| bytes.starts_with(CLASS));
    // Debug information is no code. The package with the code has the bill.
    let needs_bill = !native.iter().all(|(path, _)| path.ends_with(".debug"));
    let bill = content.iter().any(|(path, bytes)| path.ends_with("cyclonedx.json") && !bytes.is_empty());
    if needs_bill && !bill && !file.with_file_name(format!("{}-cyclonedx.json", file.file_stem().unwrap_or_default().display())).is_file() {
        problems.push("it has no bill of materials; add it where the package is built".to_owned());
    }
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
    use object::{Architecture, BinaryFormat};

    use super::super::wheel_tag::tests::code;
    use super::*;
    use crate::archive::{tar, zip};

    /// Returns the problems of an archive with these files.
    fn problems_with(name: &str, files: &[(&str, &[u8])]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).unwrap();
        files.iter().for_each(|(name, bytes)| std::fs::write(tree.join(name), bytes).unwrap());
        let file = folder.path().join(name);
        let packed = || zip::archive(&folder::contents(&tree).unwrap()).unwrap();
        std::fs::write(&file, if name.ends_with(".gz") { tar::archive(&tree).unwrap() } else { packed() }).unwrap();
        let private = PrivatePaths::new(Path::new("/somewhere/vitalwire"), Path::new("/somewhere/target")).unwrap();
        problems(&file, name, "1.2.3", &private).unwrap()
    }

    const LICENCES: [(&str, &[u8]); 2] = [("LICENSE-APACHE", b"a"), ("LICENSE-MIT", b"m")];

    #[test]
    fn compiled_code_needs_notices_and_a_bill() {
        let library: (&str, &[u8]) = ("liba.so", b"\x7fELF\x02");
        assert_eq!(problems_with("a-1.2.3.tar.gz", &LICENCES), [""; 0]);
        let missing = [
            "it has no bill of materials; add it where the package is built",
            "THIRD-PARTY-NOTICES.txt is missing; add it where the package is built",
        ];
        assert_eq!(problems_with("a-1.2.3.tar.gz", &[&LICENCES[..], &[library]].concat()), missing);
        let complete = [&LICENCES[..], &[library, ("THIRD-PARTY-NOTICES.txt", b"n"), ("vitalwire.cyclonedx.json", b"{}")]].concat();
        assert_eq!(problems_with("a-1.2.3.tar.gz", &complete), [""; 0]);
        let empty = [&complete[..2], &[library, ("THIRD-PARTY-NOTICES.txt", b""), ("vitalwire.cyclonedx.json", b"{}")]].concat();
        assert_eq!(problems_with("a-1.2.3.tar.gz", &empty), missing[1..]);
        let debug: (&str, &[u8]) = ("liba.so.debug", b"\x7fELF\x02");
        assert_eq!(problems_with("a-1.2.3.tar.gz", &[&LICENCES[..], &[debug, ("THIRD-PARTY-NOTICES.txt", b"n")]].concat()), [""; 0]);
        assert_eq!(problems_with("a-1.2.3.tar.gz", &[&LICENCES[..], &[debug, library]].concat()), missing);
    }

    #[test]
    fn a_wheel_needs_a_tag_and_a_maven_file_a_signature() {
        let library = code(BinaryFormat::Elf, Architecture::X86_64);
        let beside: [(&str, &[u8]); 3] = [("liba.so", &library), ("THIRD-PARTY-NOTICES.txt", b"n"), ("vitalwire.cyclonedx.json", b"{}")];
        let content = [&LICENCES[..], &beside].concat();
        let found = problems_with("a-1.2.3-cp310-abi3-linux_x86_64.whl", &content);
        assert_eq!(found, ["its tag must state a version of glibc, as `manylinux_2_17` does; build it with `--compatibility`"]);
        assert_eq!(problems_with("a-1.2.3-cp310-abi3-manylinux_2_17_x86_64.whl", &content), [""; 0]);
        assert_eq!(problems_with("a-1.2.3-cp310-abi3-manylinux_2_17_aarch64.whl", &content).len(), 1);
        assert_eq!(problems_with("a-1.2.3-py3-none-any.whl", &LICENCES), ["it must contain native code; build it with maturin"]);
        for name in ["a-1.2.3.jar", "a-1.2.3-cyclonedx.json"] {
            assert_eq!(problems_with(name, &LICENCES), ["it has no signature; sign it with gpg"], "{name}");
        }
    }

    #[test]
    fn a_version_licences_and_neutral_paths_are_needed() {
        let found = problems_with("a.tar.gz", &[("b.txt", b"/somewhere/vitalwire/src")]);
        assert_eq!(found.len(), 4, "{found:?}");
        let path = "a.tar.gz: tree/b.txt names the workspace: /somewhere/vitalwire/src";
        assert_eq!(found[0], format!("{path}; remap the path with `--remap-path-prefix`, or remove it where the package is built"));
        assert_eq!(found[1], "its name must have the version 1.2.3");
        assert_eq!(found[2], "LICENSE-APACHE is missing; add it where the package is built");
    }
}
