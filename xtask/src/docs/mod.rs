//! `cargo xtask docs`: builds the documentation site from `docs/site`.

mod agents;
pub(crate) mod install;
mod links;
mod openapi;
mod page;
mod readme;
mod references;
mod rules;
mod snippet;
mod tasks;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Args;

use crate::language::Reference;
use crate::{build, folder, pypi};
use page::Page;

/// Sources of the pages.
const SOURCES: &str = "docs/site";

/// Script of the pages. Its path below the site's folder is in `docs/zensical.toml`.
const SCRIPT: &str = "assets/iframe-worker.js";

/// Configuration of the site generator.
const CONFIGURATION: &str = "docs/zensical.toml";

/// Style sheet of the site, in the folder of the sources.
const STYLES: &str = "site.css";

/// Pages about Python. Tests run their code as printed, and codegen writes the reference among them.
const PYTHON: &str = "bindings/python/docs";

/// Build the documentation site in `target/docs/site`. Fails on a dead link, a missing snippet or a missing tab.
#[derive(Debug, Args)]
pub(crate) struct Docs {
    /// Also build the reference pages of all languages, in `reference/` of the site
    #[arg(long)]
    references: bool,
    /// Build only these references
    #[arg(long, value_delimiter = ',', requires = "references", value_parser = references::names())]
    only: Vec<String>,
    /// Only write code of tested programs and the install lines of `docs/install.toml` into all pages and READMEs
    #[arg(long, conflicts_with = "references")]
    write: bool,
}

impl Docs {
    /// Runs the command in the workspace at `root`.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        if self.write {
            return install::write(root);
        }
        let references = if self.references { references::select(root, &self.only)? } else { Vec::new() };
        let site = build_site(root, &build::target(root)?, &references)?;
        crate::print_line(&format!("open {}", site.join("index.html").display()));
        Ok(())
    }
}

/// Builds the site with these references, and returns its folder.
///
/// # Errors
/// If a page has a problem. The error lists all problems, with file and line.
pub(crate) fn build_site(root: &Path, target: &Path, references: &[Reference]) -> anyhow::Result<PathBuf> {
    let folder = target.join("docs");
    let mut pages = pages(root)?;
    references::link(&mut pages, references);
    let staged = folder.join("pages");
    folder::remove(&staged)?;
    for page in &pages {
        page.write(&staged)?;
    }
    fs::create_dir_all(staged.join("assets"))?;
    for file in [SCRIPT, STYLES] {
        fs::copy(root.join(SOURCES).join(file), staged.join(file)).with_context(|| format!("copying {file}"))?;
    }
    fs::copy(root.join(CONFIGURATION), folder.join("zensical.toml")).with_context(|| format!("copying {CONFIGURATION}"))?;
    let zensical = pypi::environment(root, target, "docs")?.join("bin/zensical");
    let output = Command::new(zensical).args(["build", "--strict", "--clean"]).current_dir(&folder).output()?;
    let printed = without_colours(&[output.stdout, output.stderr].concat());
    ensure!(output.status.success(), "the site cannot be built:\n{printed}");
    let site = folder.join("site");
    agents::write(&pages, &site)?;
    references::add(root, target, references, &pages, &site)?;
    Ok(site)
}

/// Returns all pages, with their snippets.
fn pages(root: &Path) -> anyhow::Result<Vec<Page>> {
    let (mut pages, mut problems) = (Vec::new(), readme::problems(root)?);
    problems.extend(install::problems(root)?);
    let mut sources = Vec::new();
    for mut page in Page::read_all(root, SOURCES, "")? {
        links::resolve(root, &mut page, &mut problems);
        sources.push(snippet::check(root, page, &mut problems));
    }
    pages.extend(tasks::join(sources, &mut problems));
    // Tests run the code of these pages as printed.
    for mut page in Page::read_all(root, PYTHON, "python")? {
        links::resolve(root, &mut page, &mut problems);
        page.lines.retain(|line| !install::is_mark(&line.text));
        pages.push(page);
    }
    let navigation = fs::read_to_string(root.join(CONFIGURATION)).with_context(|| format!("reading {CONFIGURATION}"))?;
    problems.extend(rules::problems(&pages, &navigation));
    ensure!(problems.is_empty(), "the site cannot be built:\n{}", problems.join("\n"));
    Ok(pages)
}

/// Removes escape sequences of a terminal.
fn without_colours(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_removed() {
        assert_eq!(without_colours(b"a \x1b[38;5;246mred\x1b[0m m"), "a red m");
    }
}
