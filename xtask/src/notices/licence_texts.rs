//! Licence texts that are printed once for all packages.

use std::path::Path;

use anyhow::Context;

use super::phrases::Phrase;

/// Third-party licence texts, one file per licence, named after its id with `.txt`.
const FOLDER: &str = "xtask/src/notices/licences";

/// Start of two parts of Apache's text that are removed separately. Some packages lack the appendix, some have only its last part.
const APPENDIX: &str = "APPENDIX: How to apply";
const BLANK: &str = "Copyright [yyyy]";
const BOILERPLATE: &str = "Licensed under the Apache License";
/// Start of the terms in each of our own licences.
const APACHE_TERMS: &str = "TERMS AND CONDITIONS FOR USE";
const MIT_TERMS: &str = "Permission is hereby granted";

pub(super) struct LicenceTexts {
    /// (id, text), in order.
    texts: Vec<(String, String)>,
    /// Phrases that are removed from packages' files.
    pub(super) phrases: Vec<Phrase>,
}

impl LicenceTexts {
    /// Reads our own licences and the folder of third-party licences.
    ///
    /// # Errors
    /// If a file cannot be read or is not the licence in its name.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()));
        let apache = read(&root.join("LICENSE-APACHE"))?;
        let mit = read(&root.join("LICENSE-MIT"))?;
        let (terms, appendix) = split(&apache, APPENDIX)?;
        let (how, rest) = split(appendix, BLANK)?;
        let (_, boilerplate) = split(rest, BOILERPLATE)?;
        let (_, mit) = split(&mit, MIT_TERMS)?;
        let mut phrases = vec![
            Phrase::new(Some("Apache-2.0"), split(terms, APACHE_TERMS)?.1),
            Phrase::new(None, how),
            Phrase::new(Some("Apache-2.0"), boilerplate),
            Phrase::new(Some("MIT"), mit),
        ];
        let whole = |text: &str| text.trim_start_matches('\n').trim_end().to_owned();
        let mut texts = vec![("Apache-2.0".to_owned(), whole(terms)), ("MIT".to_owned(), whole(mit))];
        let folder = root.join(FOLDER);
        for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {FOLDER}"))? {
            let path = entry?.path();
            let text = read(&path)?;
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            phrases.push(Phrase::new(Some(&id), &text));
            texts.push((id, whole(&text)));
        }
        texts.sort();
        Ok(Self { texts, phrases })
    }

    /// Returns all texts, sorted by id.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(id, text)| (id.as_str(), text.as_str()))
    }

    /// Whether there is a text of a licence.
    pub(super) fn has(&self, id: &str) -> bool {
        self.texts.iter().any(|(own, _)| own == id)
    }
}

fn split<'a>(text: &'a str, at: &str) -> anyhow::Result<(&'a str, &'a str)> {
    let place = text.find(at).with_context(|| format!("one of our licences must contain `{at}`"))?;
    Ok(text.split_at(place))
}
