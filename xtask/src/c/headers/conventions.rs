//! Converts the document about conventions to the first comment of the header.

/// Converts a Markdown document with headings, paragraphs and lists to a C comment.
pub(super) fn comment(document: &str) -> String {
    let mut text = String::from("/*\n");
    let mut after_heading = false;
    for line in document.lines() {
        let heading = line.trim_start_matches('#');
        let shown = match line.strip_prefix("* ") {
            Some(item) => format!("  - {item}"),
            None if heading.len() < line.len() => heading.trim_start().to_owned(),
            // A continuation line of a list item.
            None if line.starts_with(' ') => format!("  {line}"),
            None => line.to_owned(),
        };
        if !(after_heading && shown.is_empty()) {
            text.push_str(format!(" * {}", shown.replace("*/", "* /")).trim_end());
            text.push('\n');
        }
        after_heading = line.starts_with("##");
    }
    text + " */\n"
}
