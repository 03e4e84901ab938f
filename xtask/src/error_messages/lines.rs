//! Error messages in sources that are not Rust: string literals in lines that raise or throw.

use std::collections::BTreeSet;

/// Expressions of Python, Kotlin, Swift and C++ that create errors.
const RAISING: [&str; 9] = ["raise ", "throw ", "throw(", "Error(", "Exception(", "require(", "precondition(", "fatalError(", "error: "];

/// Returns the messages of a file.
pub(super) fn messages(source: &str) -> BTreeSet<String> {
    let raising = source.lines().filter(|line| RAISING.iter().any(|raise| line.contains(raise)));
    let texts = raising.flat_map(|line| line.split('"').skip(1).step_by(2));
    texts.filter(|text| super::is_message(text)).map(str::to_owned).collect()
}
