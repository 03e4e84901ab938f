//! Checks that manifests meet the requirements of registries: required entries, and links to one repository only. The step `archives`
//! detects published crates that depend on unpublished ones, because cargo does not package them.

use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;

use crate::cargo;
use crate::steps::Count;

/// Files with links, besides the crates' manifests.
const LINKED: [&str; 8] = [
    "bindings/kotlin/pom.xml",
    "bindings/kotlin/server/pom.xml",
    "bindings/kotlin/testing/pom.xml",
    "bindings/kotlin/serialization/pom.xml",
    "bindings/kotlin/consent/pom.xml",
    "bindings/python/pyproject.toml",
    "bindings/python/sandbox/pyproject.toml",
    "bindings/python/tests/test_packages.py",
];

/// Prefix of all our links.
const HOST: &str = "https://github.com/";

/// Checks every manifest and prints the problems.
pub(super) fn check(root: &Path) -> anyhow::Result<Count> {
    let members = cargo::members(root)?;
    let published: Vec<&Package> = members.iter().filter(|member| member.publish.is_none()).collect();
    let first = published.first().context("at least one crate must be published")?;
    let repository = first.repository.as_deref().context("the workspace has no repository")?;
    let mut problems = Vec::new();
    if first.homepage != first.repository {
        problems.push("Cargo.toml: homepage must be the repository".to_owned());
    }
    for package in &published {
        problems.extend(missing(package).into_iter().map(|what| format!("{}: {what}", package.name)));
        let differ = shared(package).into_iter().zip(shared(first)).filter(|(own, first)| own != first);
        problems.extend(differ.map(|((key, _), _)| format!("{}: {key} must be inherited from the workspace", package.name)));
    }
    let manifest = |member: &Package| Ok(cargo::folder(member, root)?.join("Cargo.toml").to_string_lossy().into_owned());
    let manifests = members.iter().map(manifest).collect::<anyhow::Result<Vec<_>>>()?;
    for path in LINKED.into_iter().chain(manifests.iter().map(String::as_str)) {
        let file = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?;
        problems.extend(foreign_links(&file, repository).into_iter().map(|link| format!("{path}: {link} must be below {repository}")));
        if LINKED.contains(&path) && !file.contains(repository) {
            problems.push(format!("{path}: it must link to {repository}"));
        }
    }
    problems.iter().for_each(|what| crate::print_line(what));
    Ok(Count { passed: (published.len() + LINKED.len() + members.len()).saturating_sub(problems.len()), failed: problems.len(), flaky: 0 })
}

/// Returns the entries that all published crates share.
fn shared(package: &Package) -> [(&str, Option<String>); 6] {
    [
        ("edition", Some(package.edition.to_string())),
        ("homepage", package.homepage.clone()),
        ("license", package.license.clone()),
        ("repository", package.repository.clone()),
        ("rust-version", package.rust_version.as_ref().map(ToString::to_string)),
        ("version", Some(package.version.to_string())),
    ]
}

/// Returns the entries that a published crate lacks.
fn missing(package: &Package) -> Vec<String> {
    let mut missing = Vec::new();
    for (key, text) in [("description", &package.description), ("documentation", &package.documentation)] {
        if text.as_deref().is_none_or(str::is_empty) {
            missing.push(format!("no {key}"));
        }
    }
    for (key, list) in [("keywords", &package.keywords), ("categories", &package.categories)] {
        if !(1..=5).contains(&list.len()) {
            missing.push(format!("{} {key}; the registry requires one to five", list.len()));
        }
    }
    let has_library = package.targets.iter().any(|target| target.is_lib());
    if has_library && package.metadata["docs"]["rs"]["all-features"] != true {
        missing.push("its documentation must show all features: set all-features in package.metadata.docs.rs".to_owned());
    }
    missing
}

fn foreign_links<'a>(text: &'a str, repository: &str) -> Vec<&'a str> {
    let links = text.match_indices(HOST).map(|(at, _)| &text[at..]);
    let ends = |c: char| c.is_whitespace() || "\"'<>)".contains(c);
    let links = links.map(|link| link.split(ends).next().unwrap_or(link));
    links.filter(|link| link.strip_prefix(repository).is_none_or(|rest| !rest.is_empty() && !rest.starts_with(['/', '#', '.']))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_other_repositories_are_found() {
        let text =
            "a https://github.com/us/ours b <https://github.com/us/ours/issues> \"https://github.com/us/ours-too\" https://github.com/x";
        assert_eq!(foreign_links(text, "https://github.com/us/ours"), ["https://github.com/us/ours-too", "https://github.com/x"]);
    }

    #[test]
    fn a_published_crate_needs_descriptive_entries() {
        let manifest = serde_json::json!({
            "name": "one", "version": "1.0.0", "id": "one", "dependencies": [], "features": {}, "manifest_path": "/one/Cargo.toml",
            "targets": [{"name": "one", "kind": ["lib"], "src_path": "/one/src/lib.rs"}], "keywords": [], "categories": ["a"],
        });
        let missing = missing(&serde_json::from_value(manifest).unwrap()).join("\n");
        let expected = "no description\nno documentation\n0 keywords; the registry requires one to five\n\
                        its documentation must show all features: set all-features in package.metadata.docs.rs";
        assert_eq!(missing, expected);
    }
}
