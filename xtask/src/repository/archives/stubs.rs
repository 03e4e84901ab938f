//! Empty packages for members of the workspace that an archive lacks. With them, cargo chooses the same features of third-party crates as
//! in the workspace and can reuse its build.

use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;
use toml::{Table, Value as Toml};

use crate::cargo;

const LIBRARY: &str = "//! A stub.\n";
const PROGRAM: &str = "//! A stub.\n\nfn main() {}\n";

/// Writes a member's manifest and empty sources below a folder.
fn write(member: &Package, root: &Path, into: &Path) -> anyhow::Result<()> {
    let folder = cargo::folder(member, root)?;
    std::fs::create_dir_all(into.join(folder))?;
    std::fs::copy(&member.manifest_path, into.join(folder).join("Cargo.toml"))?;
    for target in &member.targets {
        let source = into.join(target.src_path.as_std_path().strip_prefix(root)?);
        std::fs::create_dir_all(source.parent().unwrap_or(into))?;
        let is_library = target.kind.iter().any(|kind| kind.to_string().ends_with("lib"));
        std::fs::write(source, if is_library { LIBRARY } else { PROGRAM })?;
    }
    Ok(())
}

/// Adds the missing members at `root` to the workspace in a folder that has its manifest.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn add(members: &[Package], root: &Path, folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("Cargo.toml");
    let mut manifest: Table = std::fs::read_to_string(&path)?.parse()?;
    let listed = manifest.get_mut("workspace").and_then(|table| table.get_mut("members")).and_then(Toml::as_array_mut);
    let listed = listed.with_context(|| format!("{} has no members", path.display()))?;
    for member in members {
        let own = cargo::folder(member, root)?;
        if !folder.join(own).join("Cargo.toml").exists() {
            write(member, root, folder)?;
            listed.push(Toml::from(own.to_string_lossy().into_owned()));
        }
    }
    Ok(std::fs::write(path, manifest.to_string())?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stub_is_written_for_each_missing_member() {
        let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, folder) = (root.path(), folder.path());
        let member = |name: &str| {
            let own = root.join("crates").join(name);
            std::fs::create_dir_all(own.join("src")).unwrap();
            std::fs::write(own.join("Cargo.toml"), format!("[package]\nname = \"{name}\"\n")).unwrap();
            let target = |kind: &str, file: &str| json!({"name": name, "kind": [kind], "src_path": own.join(file)});
            let manifest = json!({
                "name": name, "version": "1.0.0", "id": name, "dependencies": [], "features": {},
                "manifest_path": own.join("Cargo.toml"), "targets": [target("cdylib", "src/lib.rs"), target("bin", "src/main.rs")],
            });
            serde_json::from_value::<Package>(manifest).unwrap()
        };
        let members = [member("a"), member("b")];
        std::fs::create_dir_all(folder.join("crates/a")).unwrap();
        std::fs::write(folder.join("crates/a/Cargo.toml"), "of the archive").unwrap();
        std::fs::write(folder.join("Cargo.toml"), "[workspace]\nmembers = [\"crates/a\"]\n").unwrap();
        add(&members, root, folder).unwrap();
        let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
        assert_eq!(read("crates/a/Cargo.toml"), "of the archive");
        assert!(!folder.join("crates/a/src").exists());
        assert_eq!(read("crates/b/Cargo.toml"), "[package]\nname = \"b\"\n");
        assert_eq!((read("crates/b/src/lib.rs"), read("crates/b/src/main.rs")), (LIBRARY.to_owned(), PROGRAM.to_owned()));
        let manifest: Table = read("Cargo.toml").parse().unwrap();
        assert_eq!(manifest["workspace"]["members"], Toml::from(vec!["crates/a", "crates/b"]));
    }
}
