//! Links between pages. In the sources, a link leads to a file of the repository, so that it also works where people read the sources.

use std::path::{Component, Path, PathBuf};

use super::page::{Line, Page};
use super::{PYTHON, SOURCES, snippet, tasks};

/// Folders of sources, and their folders in the site.
const FOLDERS: [(&str, &str); 2] = [(SOURCES, ""), (PYTHON, "python")];

/// Replaces links to sources with links to their pages. Adds a problem for a link to a file that does not exist or has no page.
pub(super) fn resolve(root: &Path, page: &mut Page, problems: &mut Vec<String>) {
    let mut in_code = false;
    for line in &mut page.lines {
        in_code ^= line.text.trim_start().starts_with(snippet::FENCE);
        if !in_code {
            line.text = resolved(root, line, problems);
        }
    }
}

fn resolved(root: &Path, line: &Line, problems: &mut Vec<String>) -> String {
    let source = Path::new(line.file());
    let mut parts = line.text.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "](";
        let (link, rest) = part.split_at(part.find(')').unwrap_or_default());
        let (path, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
        if path.is_empty() || path.contains(':') {
            text += part;
            continue;
        }
        let target = normal(&source.parent().unwrap_or(Path::new("")).join(path));
        match (page_of(source), page_of(&target).filter(|_| root.join(&target).is_file())) {
            (Some(page), Some(target)) => text += &format!("{}{anchor}{rest}", relative(&page, &target).display()),
            _ => {
                problems.push(format!("{}: {path} is not the source of a page", line.place));
                text += part;
            }
        }
    }
    text
}

/// Returns the page that a source belongs to.
fn page_of(source: &Path) -> Option<PathBuf> {
    let page = FOLDERS.iter().find_map(|(folder, prefix)| Some(Path::new(prefix).join(source.strip_prefix(folder).ok()?)))?;
    Some(if tasks::is_part(&page) { page.parent()?.with_extension("md") } else { page })
}

/// Returns the path from a page to another.
fn relative(page: &Path, target: &Path) -> PathBuf {
    let folder = page.parent().unwrap_or(Path::new(""));
    let common = folder.components().zip(target.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(target.components().skip(common)).collect()
}

/// Resolves `..` in a path.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn resolve_line(source: &str, text: &str) -> (String, Vec<String>) {
        let root = tempfile::tempdir().unwrap();
        for file in ["docs/site/a.md", "docs/site/guide/x/rust.md", "docs/site/guide/y/c.md", "bindings/python/docs/b.md", "README.md"] {
            fs::create_dir_all(root.path().join(file).parent().unwrap()).unwrap();
            fs::write(root.path().join(file), "").unwrap();
        }
        let mut page = Page { path: source.into(), lines: vec![Line { text: text.to_owned(), place: format!("{source}:1") }] };
        let mut problems = Vec::new();
        resolve(root.path(), &mut page, &mut problems);
        (page.lines[0].text.clone(), problems)
    }

    #[test]
    fn a_link_to_a_source_becomes_a_link_to_its_page() {
        for (source, link, expected) in [
            ("docs/site/a.md", "guide/x/rust.md", "guide/x.md"),
            ("docs/site/a.md", "../../bindings/python/docs/b.md#c", "python/b.md#c"),
            ("docs/site/guide/x/rust.md", "../y/c.md", "y.md"),
            ("docs/site/guide/x/rust.md", "../../a.md#b", "../a.md#b"),
            ("bindings/python/docs/b.md", "../../../docs/site/guide/x/rust.md", "../guide/x.md"),
            ("docs/site/a.md", "#b", "#b"),
            ("docs/site/a.md", "https://example.org/a.md", "https://example.org/a.md"),
        ] {
            let (text, problems) = resolve_line(source, &format!("See [a]({link}), [b]({link})."));
            assert_eq!((text, problems), (format!("See [a]({expected}), [b]({expected})."), vec![]), "{source}: {link}");
        }
        assert_eq!(resolve_line("docs/site/a.md", "```").1, [""; 0]);
    }

    #[test]
    fn a_link_to_another_file_is_a_problem() {
        for link in ["../../README.md", "guide/x.md", "none.md"] {
            let (_, problems) = resolve_line("docs/site/a.md", &format!("[a]({link})"));
            assert_eq!(problems, [format!("docs/site/a.md:1: {link} is not the source of a page")]);
        }
    }
}
