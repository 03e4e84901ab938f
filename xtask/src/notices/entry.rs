//! Reads the licence and the notices of one package.

use cargo_metadata::Package;

use super::additions::Additions;
use super::expression::{Licences, alternatives, choose};
use super::files::{self, LicenceFile};
use super::graph::label;
use super::identify::identify_licences;
use super::licence_texts::LicenceTexts;
use super::phrases::{RemainingText, remove_phrases};

/// Remedy for a manifest that does not state the licence.
const REMEDY: &str = "state it in xtask/src/notices/additions.toml, as [[licence]] with the reason";

/// A package, the licence whose text is printed, and its own notices.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) package: &'a Package,
    /// The licence expression.
    pub(super) licence: String,
    /// The chosen alternative, if there are several.
    pub(super) choice: Option<Licences>,
    /// The package's own texts, one per file.
    pub(super) notices: Vec<Notice>,
    /// Licences whose texts must be printed at the end.
    pub(super) needs: Licences,
}

/// The package's own text in one of its files.
#[derive(Debug)]
pub(super) struct Notice {
    /// The file, relative to the package. Empty if the package has no file.
    pub(super) file: String,
    pub(super) remaining: RemainingText,
}

impl Notice {
    fn new(file: &LicenceFile, licence_texts: &LicenceTexts) -> Self {
        Self { file: file.path.clone(), remaining: remove_phrases(&file.text, &licence_texts.phrases) }
    }
}

impl<'a> Entry<'a> {
    /// Reads the package's files.
    ///
    /// # Errors
    /// If its licence or a text of it is missing. Names the package, the problem and the remedy.
    pub(super) fn read(package: &'a Package, additions: &Additions, licence_texts: &LicenceTexts) -> Result<Self, String> {
        let gone = |error: anyhow::Error| problem(package, &format!("{error:#}"), "run `cargo fetch --locked` with a network connection");
        let files = files::licence_files(package).map_err(gone)?;
        Self::from_files(package, &files, additions, licence_texts)
    }

    pub(super) fn from_files(
        package: &'a Package,
        files: &[LicenceFile],
        additions: &Additions,
        licence_texts: &LicenceTexts,
    ) -> Result<Self, String> {
        let Some(licence) = additions.licence(&package.name).or(package.license.as_deref()) else {
            // A package with `license-file` instead of an expression: print the text.
            if package.license_file.is_some() && !files.is_empty() {
                let notices = files.iter().map(|file| Notice::new(file, licence_texts)).collect();
                return Ok(Self::new(package, "see its notice".to_owned(), None, notices));
            }
            return Err(problem(package, "its manifest states no licence", &format!("ask its authors, then {REMEDY}")));
        };
        let alternatives = alternatives(licence).map_err(|reason| {
            let what = format!("`{licence}` is not an SPDX licence expression: {reason}");
            problem(package, &what, &format!("find out what it means, then {REMEDY}"))
        })?;
        let identified: Vec<Licences> = files.iter().map(|file| identify_licences(&file.text)).collect();
        let has: Licences = identified.iter().flatten().cloned().collect();
        let chosen = choose(&alternatives, &has);
        let all: Licences = alternatives.iter().flatten().cloned().collect();
        // Drop texts of licences that were not chosen. Keep unknown texts and those of bundled third-party code.
        let stays = |(file, found): &(&LicenceFile, &Licences)| {
            file.is_third_party() || found.is_empty() || !found.is_disjoint(&chosen) || !found.is_subset(&all)
        };
        let kept: Vec<(&LicenceFile, &Licences)> = files.iter().zip(&identified).filter(stays).collect();
        let mut notices: Vec<Notice> = kept.iter().map(|(file, _)| Notice::new(file, licence_texts)).collect();
        let unknown = kept.iter().any(|(file, found)| found.is_empty() && !file.path.to_lowercase().starts_with("notice"));
        let absent: Licences = chosen.iter().filter(|id| !unknown && !kept.iter().any(|(_, found)| found.contains(*id))).cloned().collect();
        if let Some(id) = absent.iter().find(|id| !licence_texts.has(id)) {
            let remedy = format!("put the standard text into xtask/src/notices/licences/{id}.txt");
            return Err(problem(package, &format!("it has no text of {id}, and our folder of licences has none"), &remedy));
        }
        if !absent.is_empty() {
            notices.push(Notice { file: String::new(), remaining: RemainingText { removed: absent, text: authors(package) } });
        }
        let choice = (alternatives.len() > 1).then_some(chosen);
        Ok(Self::new(package, licence.replace('/', " OR "), choice, notices))
    }

    fn new(package: &'a Package, licence: String, choice: Option<Licences>, mut notices: Vec<Notice>) -> Self {
        let needs = notices.iter().flat_map(|notice| notice.remaining.removed.iter().cloned()).collect();
        notices.retain(|notice| !notice.remaining.text.is_empty());
        Self { package, licence, choice, notices, needs }
    }
}

fn problem(package: &Package, what: &str, remedy: &str) -> String {
    format!("{}: {what}\n  remedy: {remedy}", label(package))
}

/// Returns the authors of a package without licence files, without e-mail addresses.
fn authors(package: &Package) -> String {
    let names: Vec<&str> = package.authors.iter().filter_map(|author| author.split('<').next()).map(str::trim).collect();
    let repository = package.repository.as_deref().unwrap_or("not named");
    match names.as_slice() {
        [] => format!("The package has no licence file and names no authors. Repository: {repository}"),
        names => format!("The package has no licence file. Authors: {}. Repository: {repository}", names.join(", ")),
    }
}
