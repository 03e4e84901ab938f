//! Entries of a registry's index, as cargo's documentation describes them.

use cargo_metadata::{Dependency, DependencyKind, Package};
use serde_json::{Value, json};

use crate::digest::sha256;

/// Returns the path of a crate's entries.
pub(super) fn path(name: &str) -> String {
    match name.len() {
        1 | 2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}

/// Returns the line of a crate with this content. Members of the workspace are in the same registry, other crates in that of their source.
pub(super) fn entry(package: &Package, members: &[Package], content: &[u8]) -> String {
    let needed = package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
    let entry = json!({
        "name": package.name,
        "vers": package.version,
        "deps": needed.map(|dependency| dependency_entry(dependency, members)).collect::<Vec<_>>(),
        "cksum": sha256(content),
        "features": {},
        "features2": package.features,
        "yanked": false,
        "v": 2,
        "rust_version": package.rust_version,
    });
    format!("{entry}\n")
}

fn dependency_entry(dependency: &Dependency, members: &[Package]) -> Value {
    let is_member = members.iter().any(|member| *member.name == *dependency.name);
    let source = dependency.source.as_ref().map(|source| source.to_string().trim_start_matches("registry+").to_owned());
    let local_name = dependency.rename.as_ref().unwrap_or(&dependency.name);
    json!({
        "name": local_name,
        "package": dependency.rename.as_ref().map(|_| &dependency.name),
        "req": dependency.req,
        "features": dependency.features,
        "optional": dependency.optional,
        "default_features": dependency.uses_default_features,
        "target": dependency.target.as_ref().map(ToString::to_string),
        "kind": if dependency.kind == DependencyKind::Build { "build" } else { "normal" },
        "registry": if is_member { None } else { source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_follow_the_length_of_the_name() {
        assert_eq!(["a", "ab", "abc", "vitalwire"].map(path), ["1/a", "2/ab", "3/a/abc", "vi/ta/vitalwire"]);
    }

    #[test]
    fn an_entry_names_the_registry_of_other_crates_only() {
        let package = |name: &str, dependencies: Value| {
            let manifest = json!({
                "name": name, "version": "1.2.3", "id": name, "features": {"tls": ["dep:b"]}, "targets": [], "manifest_path": "/a/Cargo.toml",
                "dependencies": dependencies,
            });
            serde_json::from_value::<Package>(manifest).unwrap()
        };
        let dependency = |name: &str, kind: Value, source: Option<&str>, rename: Option<&str>| {
            json!({
                "name": name, "req": "^1", "kind": kind, "optional": false, "uses_default_features": true, "features": ["std"],
                "source": source, "rename": rename, "target": null, "registry": null,
            })
        };
        let outside = Some("registry+https://example.org/index");
        let own = package("b", json!([]));
        let dependencies = json!([
            dependency("b", Value::Null, None, None),
            dependency("c", Value::Null, outside, Some("d")),
            dependency("e", json!("dev"), outside, None),
        ]);
        let line = entry(&package("a", dependencies), &[own], b"content");
        let entry: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&entry["vers"], &entry["features2"]), (&json!("1.2.3"), &json!({"tls": ["dep:b"]})));
        let dependencies = entry["deps"].as_array().unwrap();
        assert_eq!(dependencies.len(), 2, "dependencies of tests are left out");
        assert_eq!((&dependencies[0]["name"], &dependencies[0]["registry"]), (&json!("b"), &Value::Null));
        assert_eq!((&dependencies[1]["name"], &dependencies[1]["package"]), (&json!("d"), &json!("c")));
        assert_eq!(dependencies[1]["registry"], json!("https://example.org/index"));
        // The digest of `content`, by sha256sum.
        assert_eq!(entry["cksum"], json!("ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"));
    }
}
