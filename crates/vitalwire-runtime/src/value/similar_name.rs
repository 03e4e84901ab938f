//! Suggestions for misspelled names.

/// Maximum number of edits between a name and its suggestion, as a divisor of the name's length: one edit per three characters.
const CHARACTERS_PER_EDIT: usize = 3;

/// Minimum length of a name that may be a part of its suggestion.
const SHORTEST_PART: usize = 4;

/// Returns the known name that needs the fewest edits, or else the shortest one that contains the name. `None` if the name is known, or if none is similar.
#[must_use]
pub fn similar_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if known.contains(&name) {
        return None;
    }
    let allowed = name.chars().count().div_ceil(CHARACTERS_PER_EDIT);
    let simple = simplify(name);
    let distances = known.iter().map(|known| (edits(&simple, &simplify(known)), *known));
    let closest = distances.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, known)| known);
    closest.or_else(|| {
        let contains = |known: &&&str| simple.len() >= SHORTEST_PART && simplify(known).windows(simple.len()).any(|part| part == simple);
        known.iter().filter(contains).min_by_key(|known| known.len()).copied()
    })
}

/// Returns the letters and digits of a name in lower case, so that `Heart-Rate` is similar to `heartrate`.
fn simplify(name: &str) -> Vec<char> {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the number of inserted, removed and replaced characters between two texts.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, left) in from.iter().enumerate() {
        let mut diagonal = line;
        let mut previous = line + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(to) {
            // The cell still has the value of the row above.
            let value = (diagonal + usize::from(left != right)).min(*cell + 1).min(previous + 1);
            diagonal = std::mem::replace(cell, value);
            previous = value;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::similar_name;

    #[test]
    fn a_misspelled_name_suggests_the_closest_known_name() {
        let known = ["steps", "heartrate", "heartrate_resting", "sleep_score"];
        for (name, expected) in [
            ("step", Some("steps")),
            ("Heart-Rate", Some("heartrate")),
            ("heart_rate_resting", Some("heartrate_resting")),
            ("sleepscor", Some("sleep_score")),
            ("steps", None),
            ("resting", Some("heartrate_resting")),
            ("glucose", None),
            ("", None),
        ] {
            assert_eq!(similar_name(name, &known), expected, "{name}");
        }
    }
}
