//! Manifests as registries want them: what a published crate says of itself, no way from it to a crate that is in no registry, and
//! links that all lead to one repository.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use toml::{Table, Value};

use crate::steps::Count;

/// Files beside the crates' manifests that have links.
const LINKED: [&str; 6] = [
    "bindings/kotlin/pom.xml",
    "bindings/kotlin/testing/pom.xml",
    "bindings/kotlin/serialization/pom.xml",
    "bindings/python/pyproject.toml",
    "bindings/python/sandbox/pyproject.toml",
    "bindings/python/tests/test_packages.py",
];

/// Where every link of ours begins before the repository is known.
const HOST: &str = "https://github.com/";

/// What a published crate takes from the workspace.
const INHERITED: [&str; 6] = ["edition", "homepage", "license", "repository", "rust-version", "version"];

/// Tables of dependencies, and whether those are needed by who uses the crate.
const DEPENDENCIES: [(&str, bool); 3] = [("dependencies", true), ("build-dependencies", true), ("dev-dependencies", false)];

/// A crate of the workspace.
struct Crate {
    /// Its manifest, relative to the workspace.
    path: String,
    manifest: Table,
    /// Documentation is made of libraries only.
    is_library: bool,
}

/// Looks at every manifest and prints what is wrong.
pub(super) fn check(root: &Path) -> anyhow::Result<Count> {
    let workspace = read(root, "Cargo.toml")?;
    let workspace = workspace.get("workspace").and_then(Value::as_table).context("Cargo.toml has no workspace")?;
    let package = workspace.get("package").and_then(Value::as_table).context("the workspace has no package")?;
    let repository = text(package, "repository").context("the workspace has no repository")?;
    let crates = crates(root)?;
    let mut wrong = Vec::new();
    if text(package, "homepage") != Some(repository) {
        wrong.push("Cargo.toml: homepage is not the repository".to_owned());
    }
    let published: BTreeMap<&str, bool> =
        crates.iter().filter_map(|one| Some((text(one.package()?, "name")?, one.is_published()))).collect();
    let none = Table::new();
    let shared = workspace.get("dependencies").and_then(Value::as_table).unwrap_or(&none);
    for one in &crates {
        wrong.extend(one.metadata().into_iter().chain(one.dependencies(&published, shared)).map(|what| format!("{}: {what}", one.path)));
    }
    let files: Vec<&str> = LINKED.into_iter().chain(crates.iter().map(|one| one.path.as_str())).collect();
    for &path in &files {
        let file = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?;
        wrong.extend(elsewhere(&file, repository).into_iter().map(|link| format!("{path}: {link} is not below {repository}")));
        if LINKED.contains(&path) && !file.contains(repository) {
            wrong.push(format!("{path}: no link to {repository}"));
        }
    }
    wrong.iter().for_each(|what| crate::say(what));
    Ok(Count { passed: (crates.len() + files.len()).saturating_sub(wrong.len()), failed: wrong.len(), late: 0 })
}

/// Every crate of the workspace.
fn crates(root: &Path) -> anyhow::Result<Vec<Crate>> {
    let mut folders = vec!["xtask".to_owned()];
    for entry in std::fs::read_dir(root.join("crates")).context("reading crates")? {
        folders.push(format!("crates/{}", entry?.file_name().to_string_lossy()));
    }
    folders.retain(|folder| root.join(folder).join("Cargo.toml").is_file());
    folders.sort();
    let read = |folder: String| {
        let path = format!("{folder}/Cargo.toml");
        Ok(Crate { manifest: read(root, &path)?, path, is_library: root.join(folder).join("src/lib.rs").is_file() })
    };
    folders.into_iter().map(read).collect()
}

fn read(root: &Path, path: &str) -> anyhow::Result<Table> {
    std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?.parse().with_context(|| format!("reading {path}"))
}

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Value::as_str)
}

impl Crate {
    fn package(&self) -> Option<&Table> {
        self.manifest.get("package").and_then(Value::as_table)
    }

    fn is_published(&self) -> bool {
        self.package().and_then(|package| package.get("publish")).and_then(Value::as_bool).unwrap_or(false)
    }

    /// What a published crate should say of itself and does not.
    fn metadata(&self) -> Vec<String> {
        let Some(package) = self.package().filter(|_| self.is_published()) else { return Vec::new() };
        let mut wrong = Vec::new();
        for key in INHERITED {
            if package.get(key).and_then(|value| value.get("workspace")).and_then(Value::as_bool) != Some(true) {
                wrong.push(format!("{key} is not the workspace's"));
            }
        }
        for key in ["description", "documentation"] {
            if text(package, key).is_none_or(str::is_empty) {
                wrong.push(format!("no {key}"));
            }
        }
        for key in ["keywords", "categories"] {
            let count = package.get(key).and_then(Value::as_array).map_or(0, Vec::len);
            if !(1..=5).contains(&count) {
                wrong.push(format!("{count} {key}; the registry takes one to five"));
            }
        }
        let documented = package.get("metadata").and_then(|metadata| metadata.get("docs")).and_then(|docs| docs.get("rs"));
        if self.is_library && documented.and_then(|rs| rs.get("all-features")).and_then(Value::as_bool) != Some(true) {
            wrong.push("its documentation would not have all features: package.metadata.docs.rs".to_owned());
        }
        wrong
    }

    /// Dependencies on crates of ours that are in no registry, where a version says that they are or a user would need them.
    fn dependencies(&self, published: &BTreeMap<&str, bool>, shared: &Table) -> Vec<String> {
        let targets = self.manifest.get("target").and_then(Value::as_table).into_iter().flat_map(|targets| targets.values());
        let tables = std::iter::once(&self.manifest).chain(targets.filter_map(Value::as_table));
        let mut wrong = Vec::new();
        for table in tables {
            for (kind, needed) in DEPENDENCIES {
                for (name, own) in table.get(kind).and_then(Value::as_table).into_iter().flatten() {
                    let inherited = own.get("workspace").is_some();
                    let stated = if inherited { shared.get(name).unwrap_or(own) } else { own };
                    if published.get(name.as_str()) != Some(&false) || stated.get("path").is_none() {
                        continue;
                    }
                    if stated.get("version").is_some() {
                        wrong.push(format!("{name} is in no registry: its dependency has to state no version"));
                    }
                    if needed && self.is_published() {
                        wrong.push(format!("{name} is in no registry, and users of this crate would need it"));
                    }
                }
            }
        }
        wrong
    }
}

/// Links to another repository.
fn elsewhere<'a>(text: &'a str, repository: &str) -> Vec<&'a str> {
    let links = text.match_indices(HOST).map(|(at, _)| &text[at..]);
    let ends = |c: char| c.is_whitespace() || "\"'<>)".contains(c);
    let links = links.map(|link| link.split(ends).next().unwrap_or(link));
    links.filter(|link| link.strip_prefix(repository).is_none_or(|rest| !rest.is_empty() && !rest.starts_with(['/', '#', '.']))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(manifest: &str) -> Crate {
        Crate { path: "crates/one/Cargo.toml".to_owned(), manifest: manifest.parse().expect("TOML"), is_library: true }
    }

    #[test]
    fn links_to_other_repositories_are_found() {
        let text =
            "a https://github.com/us/ours b <https://github.com/us/ours/issues> \"https://github.com/us/ours-too\" https://github.com/x";
        assert_eq!(elsewhere(text, "https://github.com/us/ours"), ["https://github.com/us/ours-too", "https://github.com/x"]);
    }

    #[test]
    fn a_published_crate_has_to_say_what_it_is() {
        let wrong =
            of("[package]\nname = \"one\"\npublish = true\nversion.workspace = true\nkeywords = []\ncategories = [\"a\"]").metadata();
        for what in ["license is not the workspace's", "no description", "no documentation", "0 keywords", "docs.rs"] {
            assert!(wrong.iter().any(|wrong| wrong.contains(what)), "{what}: {wrong:?}");
        }
        assert!(!wrong.iter().any(|wrong| wrong.contains("categories") || wrong.starts_with("version")), "{wrong:?}");
        assert_eq!(of("[package]\nname = \"one\"\npublish.workspace = true").metadata(), Vec::<String>::new());
    }

    #[test]
    fn no_version_leads_out_of_the_registry() {
        let published = BTreeMap::from([("one", true), ("two", true), ("inner", false)]);
        let shared: Table = "inner = { path = \"i\", version = \"1\" }\ntwo = { path = \"t\", version = \"1\" }".parse().expect("TOML");
        let wrong = |manifest: &str| of(&format!("[package]\npublish = true\n{manifest}")).dependencies(&published, &shared).len();
        assert_eq!(wrong("[dependencies]\ntwo.workspace = true\nserde = \"1\""), 0);
        assert_eq!(wrong("[dev-dependencies]\ninner = { path = \"i\" }"), 0);
        assert_eq!(wrong("[dev-dependencies]\ninner = { path = \"i\", version = \"1\" }"), 1);
        assert_eq!(wrong("[dev-dependencies]\ninner.workspace = true"), 1);
        assert_eq!(wrong("[target.'cfg(unix)'.dependencies]\ninner = { path = \"i\" }"), 1);
        assert_eq!(wrong("[dependencies]\ninner.workspace = true"), 2);
    }
}
