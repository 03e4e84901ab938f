//! Compares the defaults with every text that states them.

use std::path::{Path, PathBuf};

use vitalwire_cohort::defaults;

/// Folders and files with texts about cohorts, relative to the workspace.
const TEXTS: [&str; 9] = [
    "crates/vitalwire-cohort/README.md",
    "crates/vitalwire-cohort/src",
    "crates/vitalwire-cli/src/cli/cohort_options.rs",
    "crates/vitalwire-python/src/cohort",
    "bindings/python/python/vitalwire",
    "bindings/python/docs",
    "docs/site/cohorts.md",
    "docs/design.md",
    "CHANGELOG.md",
];

/// Phrases with a number in the place of `{}`, and the minimum number of texts that state it.
fn phrases() -> Vec<(&'static str, u64, usize)> {
    let lookback = u64::from(defaults::LOOKBACK_DAYS);
    let in_flight = defaults::REQUESTS_IN_FLIGHT as u64;
    let seconds = defaults::TIME_PER_WRITE.as_secs();
    let (users, block) = (defaults::USERS_PER_ITEM as u64, defaults::USERS_PER_BLOCK as u64);
    vec![
        ("last {} days again", lookback, 1),
        ("last {} requested days", lookback, 1),
        ("lookback_days: int = {}", lookback, 2),
        ("providers deliver late [default: {}]", lookback, 1),
        ("{} requests in flight", in_flight, 3),
        ("requests in flight [default: {}]", in_flight, 1),
        ("while it waits. Defaults to {}", in_flight, 1),
        ("every {} seconds or", seconds, 3),
        ("seconds or {} requests", defaults::REQUESTS_PER_WRITE, 3),
        ("rows of up to {} users", block, 2),
        ("block of up to {} users", block, 1),
        ("users in a work item. Defaults to {}", users, 1),
        ("TASKS = {}", defaults::TASKS as u64, 1),
        ("or requests in flight. Defaults to {}.", defaults::TASKS as u64, 2),
    ]
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let texts = ["rs", "md", "py", "pyi"];
    let is_text = |path: &PathBuf| path.extension().is_some_and(|extension| texts.iter().any(|text| extension == *text));
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { Some(path).filter(is_text).into_iter().collect() }).collect()
}

/// Returns the numbers in the place of `{}`. Line breaks and comment marks count as spaces.
fn numbers(text: &str, phrase: &str) -> Vec<u64> {
    let (before, after) = phrase.split_once("{}").unwrap();
    let words = text.split_whitespace().filter(|word| !matches!(*word, "///" | "//!" | "//" | "#" | "*")).collect::<Vec<_>>().join(" ");
    let number = |(at, _): (usize, &str)| {
        let rest = &words[at + before.len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        rest[digits..].starts_with(after).then(|| rest[..digits].parse().ok())?
    };
    match before.is_empty() {
        // The number is in front of the phrase.
        true => words.match_indices(after).filter_map(|(at, _)| words[..at].rsplit(' ').next()?.parse().ok()).collect(),
        false => words.match_indices(before).filter_map(number).collect(),
    }
}

#[test]
fn every_text_states_the_defaults() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let texts: Vec<(PathBuf, String)> = TEXTS
        .iter()
        .flat_map(|path| files(&root.join(path)))
        .filter(|path| !path.ends_with("tests.rs"))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    for (phrase, expected, minimum) in phrases() {
        let mut count = 0;
        for (path, text) in &texts {
            for number in numbers(text, phrase) {
                assert_eq!(number, expected, "`{phrase}` in {}", path.display());
                count += 1;
            }
        }
        assert!(count >= minimum, "`{phrase}` is in {count} texts");
    }
}

#[test]
fn numbers_are_found_across_lines() {
    assert_eq!(numbers("the last 8\n/// days again, the last 7 days again", "last {} days again"), [8, 7]);
    assert_eq!(numbers("up to 12 requests in flight", "{} requests in flight"), [12]);
}
