//! Removal of duplicate names.

use std::collections::HashMap;

/// Keeps the last value of each name, at the position of the first. Takes linear time, because a hostile object may have a million names.
pub(crate) fn last_of_each<V>(members: Vec<(String, V)>) -> Vec<(String, V)> {
    if members.len() < 2 {
        return members;
    }
    let mut places = HashMap::with_capacity(members.len());
    let mut last: Vec<(String, V)> = Vec::with_capacity(members.len());
    for (name, value) in members {
        match places.get(&name) {
            Some(place) => {
                let place: usize = *place;
                last[place].1 = value;
            }
            None => {
                places.insert(name.clone(), last.len());
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
    fn the_last_value_counts() {
        let members = [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("b", 5)].map(|(name, value)| (name.to_owned(), value));
        let last: Vec<(String, i32)> = last_of_each(members.into());
        assert_eq!(last, [("a", 3), ("b", 5), ("c", 4)].map(|(name, value)| (name.to_owned(), value)));
    }
}
