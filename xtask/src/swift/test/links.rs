//! Links in the package's documentation. Checks that each linked symbol and article exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::symbol_graph::{Graph, path};

/// Symbols that exist only on Apple's systems.
pub(in crate::swift) const APPLE_ONLY: [&str; 1] = ["Attempt/log(to:)"];
/// Start of a link to an article.
const ARTICLE: &str = "<doc:";

/// Returns the invalid links of the articles in a folder, which belong to a module.
///
/// # Errors
/// If an article cannot be read, or there is no link.
pub(super) fn broken_in_articles(folder: &Path, module: &str, graphs: &[Graph]) -> anyhow::Result<BTreeSet<String>> {
    let known = symbol_paths(graphs, |graph| graph.module == module);
    let (mut broken, mut count) = (BTreeSet::new(), 0);
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let file = entry?.path();
        let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        for link in symbols(text.lines()) {
            count += 1;
            if link != module && !known.contains(&link) {
                broken.insert(format!("{name} links {link}, which does not exist"));
            }
        }
        let links = text.split(ARTICLE).skip(1).filter_map(|rest| rest.split('>').next());
        let missing = links.filter(|link| !folder.join(format!("{link}.md")).exists());
        broken.extend(missing.map(|link| format!("{name} links the article {link}, which does not exist")));
    }
    ensure!(count > 0, "at least one article must link a symbol");
    Ok(broken)
}

/// Returns the invalid links in the documentation of symbols. Links are resolved in the symbol, then in its parents.
pub(super) fn broken_in_symbols(graphs: &[Graph]) -> BTreeSet<String> {
    let known = symbol_paths(graphs, |_| true);
    let mut broken = BTreeSet::new();
    for symbol in graphs.iter().flat_map(|graph| graph.value["symbols"].as_array().into_iter().flatten()) {
        let path = path(symbol);
        let lines = symbol["docComment"]["lines"].as_array().into_iter().flatten();
        for link in symbols(lines.filter_map(|line| line["text"].as_str())) {
            let mut places = (0..=path.len()).map(|end| [&path[..end], &[link.as_str()]].concat().join("/"));
            if !places.any(|place| known.contains(&place)) && !APPLE_ONLY.contains(&link.as_str()) {
                broken.insert(format!("{} links {link}, which does not exist", path.join(".")));
            }
        }
    }
    broken
}

fn symbol_paths(graphs: &[Graph], of: impl Fn(&Graph) -> bool) -> BTreeSet<String> {
    let graphs = graphs.iter().filter(|graph| of(graph));
    graphs.flat_map(|graph| graph.value["symbols"].as_array().into_iter().flatten()).map(|symbol| path(symbol).join("/")).collect()
}

/// Returns the texts between double back-ticks, outside code blocks.
fn symbols<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut inside, mut found) = (false, Vec::new());
    for line in lines {
        if ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence)) {
            inside = !inside;
        } else if !inside {
            found.extend(line.split("``").skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{Graph, broken_in_articles, broken_in_symbols, symbols};

    fn graphs(docs: &str) -> [Graph; 1] {
        let kind = json!({ "pathComponents": ["VitalwireError", "kind"], "docComment": { "lines": [{ "text": docs }] } });
        let error = json!({ "pathComponents": ["VitalwireError"] });
        [Graph { module: "Vitalwire".to_owned(), extended_module: None, value: json!({ "symbols": [error, kind] }) }]
    }

    #[test]
    fn texts_between_double_backticks_are_symbols() {
        let text = "# ``Vitalwire``\n`a` ``b/c(_:)``, ``d``\n```swift\n``e``\n```\n``f``";
        assert_eq!(symbols(text.lines()), ["Vitalwire", "b/c(_:)", "d", "f"]);
    }

    #[test]
    fn a_broken_link_in_an_article_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let article = |text: &str| {
            fs::write(folder.path().join("Errors.md"), text).unwrap();
            broken_in_articles(folder.path(), "Vitalwire", &graphs("")).unwrap().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(article("``Vitalwire`` ``VitalwireError/kind`` <doc:Errors>"), Vec::<String>::new());
        assert_eq!(article("``VitalwireError/sort``"), ["Errors.md links VitalwireError/sort, which does not exist"]);
        assert_eq!(article("``Vitalwire`` <doc:Error>"), ["Errors.md links the article Error, which does not exist"]);
    }

    #[test]
    fn a_broken_link_in_a_symbol_is_found() {
        for good in ["``kind``", "``VitalwireError``", "``VitalwireError/kind``"] {
            assert!(broken_in_symbols(&graphs(good)).is_empty(), "{good}");
        }
        let broken: Vec<_> = broken_in_symbols(&graphs("As ``sort``.")).into_iter().collect();
        assert_eq!(broken, ["VitalwireError.kind links sort, which does not exist"]);
    }
}
