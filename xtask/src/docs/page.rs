//! Pages of the site.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::folder;

/// A page as Markdown, with the sources of its lines.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Path in the site, such as `guide/first-night.md`.
    pub(super) path: PathBuf,
    pub(super) lines: Vec<Line>,
}

/// A line of a page, with its file and line number.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    /// File and line, for messages.
    pub(super) place: String,
}

impl Line {
    /// Returns the file of the line.
    pub(super) fn file(&self) -> &str {
        self.place.rsplit_once(':').map_or(&self.place, |(file, _)| file)
    }
}

impl Page {
    /// Creates the page of a source with this text.
    pub(super) fn new(path: PathBuf, source: &str, text: &str) -> Self {
        let place = |number: usize| format!("{source}:{}", number + 1);
        let lines = text.lines().enumerate().map(|(number, text)| Line { text: text.to_owned(), place: place(number) });
        Self { path, lines: lines.collect() }
    }

    /// Reads all Markdown files below a folder, in the order of their paths. `prefix` is their folder in the site.
    pub(super) fn read_all(root: &Path, folder: &str, prefix: &str) -> anyhow::Result<Vec<Self>> {
        let files = folder::contents(&root.join(folder))?.into_iter().filter(|(name, _)| name.ends_with(".md"));
        files
            .map(|(name, text)| Ok(Self::new(Path::new(prefix).join(&name), &format!("{folder}/{name}"), &String::from_utf8(text)?)))
            .collect()
    }

    /// Writes the page below a folder.
    pub(super) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let file = folder.join(&self.path);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(&file, self.text()).with_context(|| format!("writing {}", file.display()))
    }

    /// Returns the Markdown text.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
    }
}
