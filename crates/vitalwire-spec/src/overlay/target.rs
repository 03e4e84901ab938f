//! Targets of actions: JSONPath expressions, whose lists of selectors are also tested one by one.
//!
//! `$['a', 'b']` matches if either key exists, so a misspelt name in a list would go unnoticed. Therefore each selector of a list has to
//! match alone.

use serde_json::Value;
use serde_json_path::{JsonPath, PathElement};

use super::change::{Place, Step};

/// Limits of a target: length in bytes, nesting of brackets, and number of `..`. Each `..` multiplies the search time by the size of
/// the document.
const MAX_LENGTH: usize = 8 * 1024;
const MAX_NESTING: usize = 16;
const MAX_DESCENTS: usize = 2;

pub(super) struct Target<'a> {
    /// Text in the overlay.
    pub(super) text: &'a str,
    path: JsonPath,
    /// Selectors in lists. Each has a copy of the target in which the list contains only this selector.
    pub(super) selectors: Vec<(&'a str, JsonPath)>,
}

impl<'a> Target<'a> {
    /// Parses a target. The error describes the mistake.
    pub(super) fn parse(text: &'a str) -> Result<Self, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("must not be longer than {MAX_LENGTH} bytes"));
        }
        if text.matches("..").count() > MAX_DESCENTS {
            return Err(format!("must not have more than {MAX_DESCENTS} `..`"));
        }
        let lists = selector_lists(text)?;
        let parse = |text: &str| JsonPath::parse(text).map_err(|error| format!("must be a JSONPath: {error}"));
        let path = parse(text)?;
        let mut selectors = Vec::new();
        for list in &lists {
            for selector in list.iter().map(|range| &text[range.clone()]) {
                let (Some(first), Some(last)) = (list.first(), list.last()) else { continue };
                let alone = format!("{}{selector}{}", &text[..first.start], &text[last.end..]);
                selectors.push((selector.trim(), parse(&alone)?));
            }
        }
        Ok(Self { text, path, selectors })
    }

    /// Returns the selected places in a document, sorted.
    pub(super) fn select(&self, document: &Value) -> Vec<Place> {
        let step = |element: &PathElement<'_>| match element {
            PathElement::Name(name) => Step::Name((*name).to_owned()),
            PathElement::Index(index) => Step::Index(*index),
        };
        let mut places: Vec<Place> =
            self.path.query_located(document).locations().map(|location| location.iter().map(step).collect()).collect();
        places.sort();
        places
    }
}

/// Returns the byte ranges of the selectors, for each bracket with several. Brackets inside filters are ignored.
fn selector_lists(text: &str) -> Result<Vec<Vec<std::ops::Range<usize>>>, String> {
    let (mut lists, mut list, mut start) = (Vec::new(), Vec::new(), 0);
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (index, character) in text.char_indices() {
        if let Some(open) = quote {
            if escaped || character == '\\' {
                escaped = !escaped;
            } else if character == open {
                quote = None;
            }
            continue;
        }
        match character {
            '\'' | '"' => quote = Some(character),
            '[' | '(' => {
                depth += 1;
                if depth == 1 {
                    start = index + 1;
                }
            }
            ',' if depth == 1 => {
                list.push(start..index);
                start = index + 1;
            }
            ']' | ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && !list.is_empty() {
                    list.push(start..index);
                    lists.push(std::mem::take(&mut list));
                }
            }
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(format!("must not nest brackets deeper than {MAX_NESTING}"));
        }
    }
    Ok(lists)
}
