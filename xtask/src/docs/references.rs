//! Reference pages in the site. The documentation tool of each language writes them: `cargo xtask docs --references`.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use clap::builder::PossibleValuesParser;

use super::openapi;
use super::page::Page;
use crate::language::Reference;
use crate::{folder, languages};

/// Folder of the references in the site.
const FOLDER: &str = "reference";

/// The page that links the references.
const PAGE: &str = "reference.md";

/// Start of the path of a reference on the page. A label precedes the path: `label (`reference/…`)`.
const PATH: &str = " (`reference/";

fn all() -> Vec<Reference> {
    languages::ALL.iter().filter_map(|language| language.reference()).chain([openapi::REFERENCE]).collect()
}

/// Returns the names of all references as values of a command-line option.
pub(super) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(all().iter().map(|reference| reference.name))
}

/// Returns the references with these names, or all references if there are no names.
///
/// # Errors
/// If a tool is missing.
pub(super) fn select(root: &Path, names: &[String]) -> anyhow::Result<Vec<Reference>> {
    let chosen = all().into_iter().filter(|reference| names.is_empty() || names.iter().any(|name| name == reference.name));
    let chosen: Vec<Reference> = chosen.collect();
    let mut missing = Vec::new();
    for reference in &chosen {
        missing.extend((reference.missing)(root)?.map(|what| format!("{}: {what}", reference.name)));
    }
    ensure!(missing.is_empty(), "references cannot be built; `--only` builds some of them:\n{}", missing.join("\n"));
    Ok(chosen)
}

/// Builds references and copies them into the site.
///
/// # Errors
/// If a tool fails, or the page links a file that does not exist.
pub(super) fn add(root: &Path, target: &Path, references: &[Reference], pages: &[Page], site: &Path) -> anyhow::Result<()> {
    for reference in references {
        let started = Instant::now();
        let work = target.join("docs/references").join(reference.name);
        folder::remove(&work)?;
        fs::create_dir_all(&work)?;
        let built = (reference.build)(root, &work).with_context(|| format!("building the reference {}", reference.name))?;
        folder::copy(&built, &site.join(FOLDER).join(reference.name))?;
        crate::print_line(&format!("{}: {} s", reference.name, started.elapsed().as_secs()));
    }
    let text = pages.iter().find(|page| page.path == Path::new(PAGE)).map(Page::text).unwrap_or_default();
    let dead = dead_links(&text, references, site);
    ensure!(dead.is_empty(), "{PAGE}:\n{}", dead.join("\n"));
    Ok(())
}

/// Replaces paths of references on their page with links.
pub(super) fn link(pages: &mut [Page], references: &[Reference]) {
    for page in pages.iter_mut().filter(|page| page.path == Path::new(PAGE)) {
        for line in &mut page.lines {
            line.text = references.iter().fold(line.text.clone(), |text, reference| linked(&text, reference.name));
        }
    }
}

fn linked(line: &str, name: &str) -> String {
    let start = format!("{PATH}{name}/");
    let mut parts = line.split(&start);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((path, rest)) = part.split_once("`)") else { return line.to_owned() };
        let label = text.rfind(['|', ',']).map_or(0, |before| before + 2);
        text.insert(label, '[');
        text += &format!("](reference/{name}/{path}){rest}");
    }
    text
}

/// Returns links to files that do not exist, and references without a link.
fn dead_links(page: &str, references: &[Reference], site: &Path) -> Vec<String> {
    let links = |name: &str| -> Vec<String> {
        let start = format!("](reference/{name}/");
        let paths = page.split(&start).skip(1).filter_map(|rest| rest.split(')').next());
        paths.map(|path| format!("{FOLDER}/{name}/{path}")).collect()
    };
    let exists = |path: &str| site.join(path).is_file() || site.join(path).join("index.html").is_file();
    let mut dead = Vec::new();
    for reference in references {
        let links = links(reference.name);
        if links.is_empty() {
            dead.push(format!("the reference {} is not linked", reference.name));
        }
        dead.extend(links.into_iter().filter(|path| !exists(path)).map(|path| format!("{path} does not exist")));
    }
    dead
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "| Kotlin | one (`reference/kotlin/one/index.html`), two (`reference/kotlin/two/`) |";

    fn reference(name: &'static str) -> Reference {
        Reference { name, missing: |_| Ok(None), build: |_, _| anyhow::bail!("not built here") }
    }

    #[test]
    fn only_built_references_are_linked() {
        assert_eq!(linked(LINE, "kotlin"), "| Kotlin | [one](reference/kotlin/one/index.html), [two](reference/kotlin/two/) |");
        assert_eq!(linked(LINE, "swift"), LINE);
    }

    #[test]
    fn a_link_without_a_file_and_a_reference_without_a_link_are_found() {
        let site = tempfile::tempdir().unwrap();
        let one = site.path().join("reference/kotlin/one");
        fs::create_dir_all(&one).unwrap();
        fs::write(one.join("index.html"), "").unwrap();
        let dead = dead_links(&linked(LINE, "kotlin"), &[reference("kotlin"), reference("swift")], site.path());
        assert_eq!(dead, ["reference/kotlin/two/ does not exist", "the reference swift is not linked"]);
    }

    /// Each reference is on the page, in the form that becomes a link.
    #[test]
    fn the_page_has_a_path_of_each_reference() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let page = fs::read_to_string(root.join("docs/site").join(PAGE)).unwrap();
        let paths = all().iter().map(|reference| page.matches(&format!("{PATH}{}/", reference.name)).count()).sum::<usize>();
        assert!(all().iter().all(|reference| page.contains(&format!("{PATH}{}/", reference.name))));
        assert_eq!(paths, page.matches("`reference/").count());
    }
}
