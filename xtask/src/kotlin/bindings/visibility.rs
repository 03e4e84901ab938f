//! Visibility of Kotlin declarations.

/// Keywords of Kotlin declarations, and their modifiers.
const DECLARATIONS: [&str; 7] = ["class", "interface", "object", "fun", "val", "var", "typealias"];
const MODIFIERS: [&str; 11] = ["public", "data", "open", "abstract", "sealed", "enum", "value", "annotation", "inline", "suspend", "const"];

/// Texts that may precede a top-level function on the same line: the end of a comment, or exceptions. uniffi indents these lines.
const BEFORE_FUNCTIONS: [&str; 2] = ["*/ ", "@Throws(ApiException::class) "];

/// Returns the start of a public declaration on a line.
fn public_start(line: &str) -> Option<usize> {
    let indented = line.trim_start();
    if let Some(function) = BEFORE_FUNCTIONS.iter().find_map(|before| indented.strip_prefix(before)) {
        return function.starts_with("fun ").then(|| line.len() - function.len());
    }
    // uniffi indents members by one space less.
    if line.strip_prefix("     ").is_some_and(|rest| rest.starts_with("suspend fun ")) {
        return Some(5);
    }
    let first = line.split([' ', '<', '(']).find(|word| !MODIFIERS.contains(word));
    (!line.starts_with(' ') && first.is_some_and(|word| DECLARATIONS.contains(&word))).then_some(0)
}

/// Makes every declaration of a Kotlin file internal. uniffi has no option for that.
pub(super) fn make_internal(text: &str) -> String {
    let line = |line: &str| match public_start(line).map(|at| line.split_at(at)) {
        Some((before, declaration)) => format!("{before}internal {}\n", declaration.strip_prefix("public ").unwrap_or(declaration)),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
