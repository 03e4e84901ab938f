//! Lab documents: reads text and, with the feature `documents`, PDF files with text into sections and results.
//!
//! Patient data is left out. Other files are not read and require human review.

mod header;
mod line;
mod loinc;
mod number;
#[cfg(feature = "documents")]
mod pdf;
mod row;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::number::DecimalStyle;
use self::row::{LabResult, Row};
use super::mime;

/// Maximum number of results in a document.
const MAX_RESULTS: usize = 1_000;
/// Maximum length of a section heading, in characters.
const MAX_HEADING_LENGTH: usize = 80;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DocumentOutcome {
    Read(Contents),
    /// A picture, a scan or an unknown format that requires human review. Contains the MIME type.
    NeedsReview(&'static str),
    /// Failed with this text for `parsing_error`.
    Failed(&'static str),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// MIME type that it was read as.
    pub(crate) mime: String,
    pub(crate) collected: Option<Date>,
    pub(crate) reported: Option<Date>,
    pub(crate) laboratory: Option<String>,
    pub(crate) sections: Vec<Section>,
}

impl Contents {
    pub(crate) fn add_to(&self, report: &mut Value, filename: &str) {
        report["notes"] = json!(format!("Read from {filename} ({}) by a synthetic service's own parser.", self.mime));
        for (name, date) in [("collection_date", self.collected), ("result_date", self.reported)] {
            if let Some(date) = date {
                report[name] = json!(date.to_string());
            }
        }
        if let Some(name) = &self.laboratory {
            report["lab_information"] = json!({ "name": name });
        }
        report["sections"] = json!(self.sections);
    }
}

/// A section, as the interface defines it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Section {
    #[serde(skip_serializing_if = "Option::is_none")]
    loinc_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loinc_common_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_section_name: Option<String>,
    standard_section_name: String,
    results: Vec<LabResult>,
}

/// Reads a document. May take seconds, so do not call it on a thread that serves requests.
pub(crate) fn read(bytes: &[u8]) -> DocumentOutcome {
    let kind = mime::detect(bytes);
    let (kind, lines) = match kind {
        #[cfg(feature = "documents")]
        Some("application/pdf") => match pdf::extract_lines(bytes) {
            Ok(lines) if lines.is_empty() => return DocumentOutcome::NeedsReview("application/pdf"),
            Ok(lines) => ("application/pdf", lines.join("\n")),
            Err(reason) => return DocumentOutcome::Failed(reason),
        },
        #[cfg(not(feature = "documents"))]
        Some("application/pdf") => {
            return DocumentOutcome::Failed("This build of the sandbox has no reader of PDF files (feature `documents`)");
        }
        Some(kind) => return DocumentOutcome::NeedsReview(kind),
        None => match decode_text(bytes) {
            Some(text) => ("text/plain", text),
            None => return DocumentOutcome::NeedsReview("application/octet-stream"),
        },
    };
    let contents = from_lines(kind, &lines);
    if contents.sections.is_empty() {
        DocumentOutcome::Failed("No laboratory results were found in the document")
    } else {
        DocumentOutcome::Read(contents)
    }
}

/// Decodes a text. Returns `None` if the file is binary. Text that is not UTF-8 is decoded as Latin-1, in which every byte is a character.
fn decode_text(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned);
    let is_binary = text.chars().any(|char| char.is_control() && !matches!(char, '\n' | '\r' | '\t' | '\u{c}'));
    (!is_binary && !text.trim().is_empty()).then_some(text)
}

fn from_lines(kind: &str, text: &str) -> Contents {
    let style = DecimalStyle::detect(text);
    let mut contents = Contents { mime: kind.to_owned(), ..Contents::default() };
    let mut sections = SectionBuilder::default();
    for line in text.lines() {
        if contents.read_header_line(line) {
            continue;
        }
        // Only known headings count, because a line in capitals may be a person's name.
        if loinc::find_heading(line).is_some() {
            sections.heading = Some(line.trim().trim_end_matches(':').chars().take(MAX_HEADING_LENGTH).collect());
        } else if let Some(row) = line::read(line, style) {
            sections.add(row, style);
        }
    }
    Contents { sections: sections.sections, ..contents }
}

/// Sections found so far, in document order.
#[derive(Default)]
struct SectionBuilder {
    sections: Vec<Section>,
    heading: Option<String>,
    results: usize,
}

impl SectionBuilder {
    /// Adds a result to the section of the current heading, or without one to the section of its test's group.
    fn add(&mut self, row: Row, style: DecimalStyle) {
        let known = row.known_analyte();
        let Some(result) = row.into_result(style).filter(|_| self.results < MAX_RESULTS) else { return };
        self.results += 1;
        let group = match &self.heading {
            Some(heading) => loinc::find_heading(heading),
            None => known.map(|known| known.group),
        };
        let group = group.and_then(loinc::group_at);
        let standard = group.map_or("Other", |group| group.standard);
        let found = self
            .sections
            .iter_mut()
            .find(|section| section.standard_section_name == standard && section.original_section_name == self.heading);
        if let Some(section) = found {
            section.results.push(result);
            return;
        }
        let panel = group.and_then(|group| group.panel);
        self.sections.push(Section {
            loinc_code: panel.map(|(code, _)| code.to_owned()),
            loinc_common_name: panel.map(|(_, name)| name.to_owned()),
            original_section_name: self.heading.clone(),
            standard_section_name: standard.to_owned(),
            results: vec![result],
        });
    }
}

#[cfg(test)]
mod tests;
