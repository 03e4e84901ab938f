//! Pages of the site.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

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
    /// Reads all Markdown files below a folder, in the order of their paths. `prefix` is their folder in the site.
    pub(super) fn read_all(root: &Path, folder: &Path, prefix: &Path) -> anyhow::Result<Vec<Self>> {
        let mut pages = Vec::new();
        let entries = fs::read_dir(root.join(folder)).with_context(|| format!("reading {}", folder.display()))?;
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let (source, path) = (folder.join(&name), prefix.join(&name));
            if root.join(&source).is_dir() {
                pages.extend(Self::read_all(root, &source, &path)?);
            } else if source.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(root.join(&source)).with_context(|| format!("reading {}", source.display()))?;
                let place = |number: usize| format!("{}:{}", source.display(), number + 1);
                let lines = text.lines().enumerate().map(|(number, text)| Line { text: text.to_owned(), place: place(number) });
                pages.push(Self { path, lines: lines.collect() });
            }
        }
        Ok(pages)
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
