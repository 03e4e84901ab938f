//! Reads the products in the Swift package's manifest.

use std::path::Path;

use anyhow::{Context as _, ensure};

use super::layout::{FOLDER, MANIFEST};

/// Returns the modules that applications import: the package's products.
///
/// # Errors
/// If the manifest cannot be read, or names none.
pub(super) fn products(root: &Path) -> anyhow::Result<Vec<String>> {
    let manifest = std::fs::read_to_string(root.join(FOLDER).join(MANIFEST)).with_context(|| format!("reading {MANIFEST}"))?;
    let names: Vec<String> = declared_names(&manifest, &[".library"]).map(str::to_owned).collect();
    ensure!(!names.is_empty(), "the Swift package has no products");
    Ok(names)
}

/// Returns the names of declarations whose line begins with one of these kinds, such as `.library`.
pub(super) fn declared_names<'a>(manifest: &'a str, kinds: &'a [&str]) -> impl Iterator<Item = &'a str> {
    let mut inside = false;
    manifest.lines().filter_map(move |line| {
        let line = line.trim_start();
        // A longer declaration has its name on a separate line.
        let kind = kinds.iter().find_map(|kind| line.strip_prefix(kind)?.strip_prefix('('));
        let rest = kind.or(inside.then_some(line))?;
        inside = rest.is_empty();
        rest.strip_prefix("name: \"")?.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_declarations_are_found() {
        let manifest = "let package = Package(\n    name: \"A\",\n    .library(name: \"B\", targets: [\"C\"]),\n    .target(\n\
                        \x20       name: \"D\",\n    ),\n    .target(name: \"E\"),\n";
        assert_eq!(declared_names(manifest, &[".library"]).collect::<Vec<_>>(), ["B"]);
        assert_eq!(declared_names(manifest, &[".library", ".target"]).collect::<Vec<_>>(), ["B", "D", "E"]);
    }

    #[test]
    fn each_product_has_a_folder_of_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let products = products(root).unwrap();
        assert!(products.len() > 1 && products.iter().all(|name| root.join(FOLDER).join("Sources").join(name).is_dir()), "{products:?}");
    }
}
