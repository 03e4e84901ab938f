//! Wraps documentation into lines.

use crate::ir::Docs;

/// Maximum width of a documentation line, without its marker.
const WIDTH: usize = 116;

/// Returns documentation as wrapped lines, with empty lines between paragraphs. Uses the name if there is no description, so that it is
/// never empty.
pub(crate) fn doc_lines(docs: &Docs, name: &str) -> Vec<String> {
    let mut text = if docs.text.is_empty() { format!("`{name}`.") } else { docs.text.clone() };
    if let Some(unit) = &docs.unit {
        text = format!("{}\n\nUnit: {unit}.", text.trim_end());
    }
    if docs.deprecated {
        text.push_str("\n\nDeprecated by the service.");
    }
    let mut lines = Vec::new();
    for (index, paragraph) in text.split("\n\n").enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
