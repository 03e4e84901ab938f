//! The target of an action: a JSONPath, and the selectors of its lists one by one.
//!
//! `$['a', 'b']` selects as soon as one of the two exists, so that a misspelt name in a list would go unnoticed. Each selector
//! of a list is therefore tried on its own.

use serde_json::Value;
use serde_json_path::{JsonPath, PathElement};

use super::change::{Place, Step};

/// Longest target, in bytes; and its deepest nesting of brackets and its most `..`: the search takes a power of the latter.
const MAX_LENGTH: usize = 8 * 1024;
const MAX_NESTING: usize = 16;
const MAX_DESCENTS: usize = 2;

/// A target.
pub(super) struct Target<'a> {
    /// As written.
    pub(super) text: &'a str,
    path: JsonPath,
    /// The target once for each selector of its lists.
    pub(super) union: Vec<Single>,
}

/// A target with one selector of a list alone.
pub(super) struct Single {
    /// The selector as written.
    pub(super) text: String,
    path: JsonPath,
}

impl<'a> Target<'a> {
    /// Reads a target; what is wrong with it otherwise.
    pub(super) fn parse(text: &'a str) -> Result<Self, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("is longer than {MAX_LENGTH} bytes"));
        }
        if text.matches("..").count() > MAX_DESCENTS {
            return Err(format!("has more than {MAX_DESCENTS} `..`"));
        }
        let lists = lists(text)?;
        let parse = |text: &str| JsonPath::parse(text).map_err(|error| format!("is no JSONPath: {error}"));
        let path = parse(text)?;
        let mut union = Vec::new();
        for list in &lists {
            for selector in list.iter().map(|range| &text[range.clone()]) {
                let (Some(first), Some(last)) = (list.first(), list.last()) else { continue };
                let alone = format!("{}{selector}{}", &text[..first.start], &text[last.end..]);
                union.push(Single { text: selector.trim().to_owned(), path: parse(&alone)? });
            }
        }
        Ok(Self { text, path, union })
    }

    /// The places in a document, sorted.
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

impl Single {
    /// Whether nothing is selected.
    pub(super) fn select_is_empty(&self, document: &Value) -> bool {
        self.path.query(document).is_empty()
    }
}

/// The byte ranges of the selectors of each bracket that has several; brackets inside of a filter are not looked into.
fn lists(text: &str) -> Result<Vec<Vec<std::ops::Range<usize>>>, String> {
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
            return Err(format!("has brackets nested deeper than {MAX_NESTING}"));
        }
    }
    Ok(lists)
}
