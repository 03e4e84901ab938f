//! Checks the rules for every page of the site.

use std::path::{Path, PathBuf};

use super::links::normal;
use super::page::Page;

/// Returns the problems of all pages. `navigation` is the configuration that lists pages.
pub(super) fn problems(pages: &[Page], navigation: &str) -> Vec<String> {
    let links: Vec<PathBuf> = pages.iter().flat_map(links).collect();
    let mut problems = Vec::new();
    for page in pages {
        let listed = navigation.contains(&format!("\"{}\"", page.path.display()));
        if !listed && !links.contains(&page.path) {
            problems.push(format!("{}: nothing links this page", page.path.display()));
        }
    }
    problems
}

/// Returns the paths that the links of a page lead to.
fn links(page: &Page) -> Vec<PathBuf> {
    let folder = page.path.parent().unwrap_or(Path::new(""));
    let text = page.text();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| target.ends_with(".md")).map(|target| normal(&folder.join(target))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> Page {
        Page::new(path.into(), path, text)
    }

    #[test]
    fn a_page_that_nothing_links_is_a_problem() {
        let pages = [page("index.md", "[a](guide/a.md#x)"), page("guide/a.md", "[b](../b.md)"), page("b.md", ""), page("c.md", "")];
        assert_eq!(problems(&pages, "nav = [\"index.md\"]"), ["c.md: nothing links this page"]);
    }
}
