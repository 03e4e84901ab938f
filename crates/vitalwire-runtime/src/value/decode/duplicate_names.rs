//! Removal of duplicate names.

use std::collections::HashMap;

/// Keeps the last value of each name, at the position of the first. Takes linear time, because a malicious object may have a million names.
pub(crate) fn keep_last_values<V>(fields: Vec<(String, V)>) -> Vec<(String, V)> {
    if fields.len() < 2 {
        return fields;
    }
    let mut positions = HashMap::with_capacity(fields.len());
    let mut last: Vec<(String, V)> = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        match positions.get(&name) {
            Some(position) => {
                let position: usize = *position;
                last[position].1 = value;
            }
            None => {
                positions.insert(name.clone(), last.len());
                last.push((name, value));
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_name_is_kept() {
        let fields = [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("b", 5)].map(|(name, value)| (name.to_owned(), value));
        let last: Vec<(String, i32)> = keep_last_values(fields.into());
        assert_eq!(last, [("a", 3), ("b", 5), ("c", 4)].map(|(name, value)| (name.to_owned(), value)));
    }
}
