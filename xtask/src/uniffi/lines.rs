//! Helpers for lines of uniffi's texts.

/// Returns the end of the declaration that starts on a line: after its last brace. `None` without braces.
pub(crate) fn end(lines: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, line) in lines.iter().enumerate().skip(at) {
        let opened = line.matches('{').count();
        let was_open = depth > 0 || opened > 0;
        depth = (depth + opened).checked_sub(line.matches('}').count())?;
        if was_open && depth == 0 {
            return Some(index + 1);
        }
        if !was_open && line.is_empty() {
            return None;
        }
    }
    None
}

pub(crate) fn join_lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Removes comments and superfluous empty lines below the first line of code. The package's own declarations are documented.
pub(crate) fn remove_comments(text: &str) -> String {
    let (mut left, mut in_block, mut in_code): (Vec<String>, bool, bool) = (Vec::new(), false, false);
    for line in text.lines() {
        let indented = line.trim_start();
        let is_block = in_block || indented.starts_with("/*");
        // A declaration can follow the end of a block.
        let (is_comment, code) = match indented.split_once("*/") {
            Some((_, after)) if is_block => (after.trim().is_empty(), format!("    {}", after.trim_start())),
            _ => (is_block || indented.starts_with("//"), line.to_owned()),
        };
        in_block = is_block && !indented.contains("*/");
        in_code |= !is_comment && !indented.is_empty();
        let last = left.last().map_or("", String::as_str);
        let is_superfluous = indented.is_empty() && (last.is_empty() || last.ends_with('{'));
        if in_code && (is_comment || is_superfluous) {
            continue;
        }
        if indented.starts_with('}') {
            left.pop_if(|line| in_code && line.is_empty());
        }
        left.push(code);
    }
    left.iter().map(|line| format!("{line}\n")).collect()
}
