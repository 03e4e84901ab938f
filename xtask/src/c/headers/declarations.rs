//! Parser for the declarations that cbindgen writes.

use std::fmt::Write as _;

use anyhow::{Context as _, ensure};

use super::source::Alias;

/// Maximum line width.
const WIDTH: usize = 120;

/// Return type of every function that may fail.
const ERROR_CODE: &str = "vitalwire_code";

/// Start and end of cbindgen's `extern "C"` block. They are removed, because each header has its own block.
const LINKAGE: [&str; 2] = ["#ifdef __cplusplus\nextern \"C\" {\n#endif", "#ifdef __cplusplus\n}  // extern \"C\"\n#endif"];

/// A declaration with a name and documentation.
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Lines of its documentation.
    docs: Vec<String>,
    /// cbindgen's code.
    code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An incomplete type.
    Incomplete,
    /// Any other type.
    Type,
    Function,
}

impl Declaration {
    /// Creates `typedef struct x x;` for a type of the core.
    pub(super) fn incomplete(alias: &Alias) -> Self {
        let code = format!("typedef struct {0} {0};", alias.name);
        Self { name: alias.name.clone(), kind: Kind::Incomplete, docs: alias.docs.clone(), code }
    }

    /// Parses all declarations of a text. Each starts with its documentation, which is required.
    ///
    /// # Errors
    /// If cbindgen's text has an unexpected form.
    pub(super) fn parse(text: &str) -> anyhow::Result<Vec<Self>> {
        let mut text = text.to_owned();
        for part in LINKAGE {
            let (before, after) = text.split_once(part).context("cbindgen writes linkage differently; update LINKAGE")?;
            let after = after.split_once('\n').map_or("", |(_, after)| after);
            text = format!("{before}{after}");
        }
        let mut parts = format!("\n{text}").split("\n/**\n").map(str::to_owned).collect::<Vec<_>>().into_iter();
        let before = parts.next().unwrap_or_default();
        ensure!(before.trim().is_empty(), "cbindgen's output must begin with a doc comment, not {before:?}");
        parts.map(|part| Self::parse_one(&part)).collect()
    }

    fn parse_one(part: &str) -> anyhow::Result<Self> {
        let (docs, code) = part.split_once(" */\n").context("a comment is not closed")?;
        let docs = docs.lines().map(|line| line.trim_start().trim_start_matches('*').trim().to_owned()).collect();
        let code = code.trim().to_owned();
        let (kind, name) = kind_and_name(&code).with_context(|| format!("no name in {code:?}"))?;
        Ok(Self { name, kind, docs, code })
    }

    pub(super) fn mentioned_types(&self) -> impl Iterator<Item = &str> {
        words(&self.code).filter(|word| word.starts_with("vitalwire_") && *word != self.name)
    }

    /// Returns the text of the declaration in a header.
    pub(super) fn text(&self) -> String {
        match self.kind {
            Kind::Function => format!("{}{}\n", self.comment(), self.prototype()),
            Kind::Incomplete | Kind::Type => format!("{}{}\n", self.comment(), shorten_comments(&self.code)),
        }
    }

    /// Returns the comment, on one line if it fits.
    fn comment(&self) -> String {
        let one = self.docs.iter().filter(|line| !line.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ");
        if one.len() + 7 <= WIDTH {
            return format!("/** {one} */\n");
        }
        comment("/**", self.docs.iter().map(String::as_str))
    }

    fn prototype(&self) -> String {
        let flat = self.code.split_whitespace().collect::<Vec<_>>().join(" ");
        let (gives, rest) = flat.split_once(&self.name).unwrap_or((&flat, ""));
        let must_use = if gives.trim() == ERROR_CODE { "VITALWIRE_MUST_USE " } else { "" };
        let opening = format!("VITALWIRE_API {must_use}{gives}{}(", self.name);
        let arguments = rest.trim_start_matches('(').trim_end_matches(");");
        if opening.len() + arguments.len() + 2 <= WIDTH {
            return format!("{opening}{arguments});");
        }
        let mut text = opening;
        let mut column = WIDTH;
        for argument in arguments.split(", ") {
            // Leave room for a comma or the end.
            if column + 1 + argument.len() + 2 > WIDTH {
                text.push_str("\n    ");
                column = 4;
            } else {
                text.push(' ');
                column += 1;
            }
            let _ = write!(text, "{argument},");
            column += argument.len() + 1;
        }
        text.truncate(text.len() - 1);
        text + ");"
    }
}

/// Returns a comment with these lines.
pub(super) fn comment<'a>(start: &str, lines: impl Iterator<Item = &'a str>) -> String {
    let lines = lines.map(|line| format!(" * {line}").trim_end().to_owned() + "\n");
    format!("{start}\n{} */\n", lines.collect::<String>())
}

/// Shortens comments of fields that have one line.
fn shorten_comments(code: &str) -> String {
    code.replace("  /**\n   * ", "  /** ").replace("\n   */\n", " */\n")
}

fn kind_and_name(code: &str) -> Option<(Kind, String)> {
    let own = |word: &str| words(word).find(|word| word.starts_with("vitalwire_")).map(str::to_owned);
    if let Some(rest) = code.strip_prefix("enum ") {
        return Some((Kind::Type, own(rest)?));
    }
    let Some(rest) = code.strip_prefix("typedef ") else {
        return Some((Kind::Function, own(code.split_once('(')?.0.rsplit([' ', '*']).next()?)?));
    };
    if rest.starts_with("struct {") {
        return Some((Kind::Type, own(rest.rsplit_once('}')?.1)?));
    }
    if let Some(rest) = rest.strip_prefix("struct ") {
        return Some((Kind::Incomplete, own(rest)?));
    }
    Some((Kind::Type, own(rest.split_once("(*")?.1)?))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}
