//! Text of an artifact's notices.

use std::collections::BTreeMap;

use super::additions::Additions;
use super::artifacts::Artifact;
use super::entry::Entry;
use super::expression::Licences;
use super::graph::label;
use super::licence_texts::LicenceTexts;
use super::phrases::words;

/// Maximum length of our own lines. Third-party lines stay unchanged.
const WIDTH: usize = 100;

/// Replaces a space between words that must stay on one line, until the line is written.
const NO_BREAK: &str = "\u{a0}";

/// Licences that require the location of the source. Their other condition, publishing changes, does not apply: packages are unmodified.
const SOURCE_REQUIRED: [&str; 1] = ["MPL-2.0"];

/// Returns the text of an artifact's notices file.
pub(super) fn notices(artifact: &Artifact, entries: &[&Entry<'_>], additions: &Additions, licence_texts: &LicenceTexts) -> String {
    let mut page = Page::default();
    page.heading(&format!("Third-party software in {}", artifact.title), '=');
    page.paragraph("Written by `cargo xtask notices`; do not edit.");
    page.paragraph(
        "Vitalwire is licensed under either of MIT (LICENSE-MIT) or Apache-2.0 (LICENSE-APACHE; its text is in part 4 too), as you choose. \
         Its builds contain the software below, each under its own licence. If a package offers a choice of licences, the list states \
         whose text this file reproduces. The package itself remains available under all of them.",
    );
    page.paragraph(&format!(
        "The list covers all builds, and a single build may contain less. Builds are for: {}.",
        artifact.targets().join(", ")
    ));
    page.heading("1. Packages", '-');
    page.lines(entries.iter().map(|entry| package_line(entry)));
    let wrote = |entry: &&&Entry<'_>| artifact.generators.contains(&entry.package.name.as_str());
    for entry in entries.iter().filter(wrote) {
        page.paragraph(&format!("{} is not linked, but the generated source files contain text of its templates.", label(entry.package)));
    }
    for id in SOURCE_REQUIRED {
        write_source_locations(&mut page, id, entries);
    }
    page.heading("2. Other software", '-');
    let mut needed: Licences = entries.iter().flat_map(|entry| entry.needs.iter().cloned()).collect();
    for addition in additions.for_artifact(artifact, entries) {
        needed.extend(addition.licences.iter().cloned());
        page.heading(&addition.title, '.');
        page.verbatim(addition.text.trim_end());
    }
    page.heading("3. Notices of the packages", '-');
    page.paragraph("Packages that are not named here have no notice except the text of their licence in part 4.");
    for (notice, packages) in group_notices(entries) {
        let of = if notice.0.is_empty() { String::new() } else { format!(" ({})", join(notice.0)) };
        // Keep a name and its version on one line.
        let packages: Vec<String> = packages.iter().map(|package| package.replace(' ', NO_BREAK)).collect();
        page.paragraph(&format!("{}{of}:", packages.join(", ")));
        page.indented(notice.1);
    }
    page.heading("4. Licence texts", '-');
    for (id, text) in licence_texts.texts().filter(|(id, _)| needed.contains(*id)) {
        page.heading(id, '.');
        page.verbatim(text);
    }
    page.0.trim_end().to_owned() + "\n"
}

fn package_line(entry: &Entry<'_>) -> String {
    let choice = entry.choice.as_ref().map_or_else(String::new, |chosen| format!(", here {}", join(chosen)));
    format!("  {}: {}{choice}", label(entry.package), entry.licence)
}

fn join(licences: &Licences) -> String {
    licences.iter().map(String::as_str).collect::<Vec<_>>().join(" AND ")
}

/// Writes the location of the source of packages with a licence.
fn write_source_locations(page: &mut Page, id: &str, entries: &[&Entry<'_>]) {
    let under = |entry: &&&Entry<'_>| entry.needs.contains(id);
    let of =
        |entry: &Entry<'_>| format!("  {}: {}", label(entry.package), entry.package.repository.as_deref().unwrap_or("the registry alone"));
    let list: Vec<String> = entries.iter().filter(under).map(|entry| of(entry)).collect();
    if !list.is_empty() {
        page.paragraph(&format!(
            "The source form of packages under {id} is in the Rust package registry, free of charge, under the name and version given here, \
             and in these repositories. They are used without changes."
        ));
        page.lines(list);
    }
}

/// Groups equal notices, each with its packages, in the order of the first.
fn group_notices<'a>(entries: &[&'a Entry<'_>]) -> Vec<((&'a Licences, &'a str), Vec<String>)> {
    let mut groups: Vec<((&Licences, &str), Vec<String>)> = Vec::new();
    let mut places: BTreeMap<(&Licences, Vec<String>), usize> = BTreeMap::new();
    for entry in entries {
        for notice in &entry.notices {
            let said = words(&notice.remaining.text).into_iter().map(|word| word.text).collect();
            let place = *places.entry((&notice.remaining.removed, said)).or_insert_with(|| {
                groups.push(((&notice.remaining.removed, &notice.remaining.text), Vec::new()));
                groups.len() - 1
            });
            // Name the file if a package has several.
            let named = match entry.notices.len() {
                1 => label(entry.package),
                _ => format!("{} {}", label(entry.package), notice.file),
            };
            if !groups[place].1.contains(&named) {
                groups[place].1.push(named);
            }
        }
    }
    groups
}

/// The text written so far.
#[derive(Default)]
struct Page(String);

impl Page {
    fn heading(&mut self, text: &str, under: char) {
        let line: String = std::iter::repeat_n(under, text.chars().count()).collect();
        self.0.push_str(&format!("{text}\n{line}\n\n"));
    }

    fn paragraph(&mut self, text: &str) {
        let mut length = 0;
        for word in text.split(' ') {
            let letters = word.chars().count();
            match length {
                0 => length = letters,
                _ if length + 1 + letters > WIDTH => {
                    self.0.push('\n');
                    length = letters;
                }
                _ => {
                    self.0.push(' ');
                    length += 1 + letters;
                }
            }
            self.0.push_str(&word.replace(NO_BREAK, " "));
        }
        self.0.push_str("\n\n");
    }

    fn lines(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            self.0.push_str(&line);
            self.0.push('\n');
        }
        self.0.push('\n');
    }

    fn verbatim(&mut self, text: &str) {
        self.lines(text.lines().map(|line| line.trim_end().to_owned()));
    }

    fn indented(&mut self, text: &str) {
        self.lines(text.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }));
    }
}
