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
