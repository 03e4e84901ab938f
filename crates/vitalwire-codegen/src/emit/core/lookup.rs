//! Finding a name among those of a set or an object.

use std::collections::BTreeMap;

use crate::lang::rust::literal;

/// The body of a function from a text to the place of a name. By length first: there are up to a hundred names, and few share a length.
pub(super) fn by_length<'a>(argument: &str, names: impl Iterator<Item = (usize, &'a str)>) -> String {
    let mut lengths: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
    for (index, name) in names {
        lengths.entry(name.len()).or_default().push((index, name));
    }
    let mut text = format!("Some(match {argument}.len() {{\n");
    for (length, names) in lengths {
        text.push_str(&format!("{length} => match {argument} {{\n"));
        for (index, name) in names {
            text.push_str(&format!("{} => {index},\n", literal(name)));
        }
        text.push_str("_ => return None,\n},\n");
    }
    text.push_str("_ => return None,\n})\n");
    text
}
