//! Entries of a page: headings, signatures and tables of members.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::python::declarations::{Item, Kind};

/// Pages of classes, by class name.
pub(super) struct Links<'a>(&'a BTreeMap<String, String>);

/// Links as seen from a page.
pub(super) struct PageLinks<'a>(&'a BTreeMap<String, String>, String);

impl<'a> Links<'a> {
    pub(super) fn new(places: &'a BTreeMap<String, String>) -> Self {
        Self(places)
    }

    pub(super) fn from(&self, page: &str) -> PageLinks<'a> {
        PageLinks(self.0, page.to_owned())
    }
}

impl PageLinks<'_> {
    /// Returns a link to a class, or its name if it has no page.
    fn link(&self, name: &str) -> String {
        match self.0.get(name).filter(|_| name.starts_with(|c: char| c.is_ascii_uppercase())) {
            Some(page) if *page == self.1 => format!("[`{name}`](#{})", name.to_lowercase()),
            Some(page) => format!("[`{name}`]({page}.md#{})", name.to_lowercase()),
            None => format!("`{name}`"),
        }
    }

    /// Turns class names in backticks into links.
    fn link_names(&self, text: &str) -> String {
        let parts: Vec<&str> = text.split('`').collect();
        if parts.len().is_multiple_of(2) {
            return text.to_owned();
        }
        parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 { self.link(part) } else { (*part).to_owned() }).collect()
    }

    /// Returns an annotation with links to its classes, for a table cell.
    fn annotation(&self, text: &str) -> String {
        let mut out = String::new();
        let mut code = String::new();
        for piece in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let name = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
            let link = self.link(name);
            // A name after a dot belongs to another package.
            if link.starts_with('[') && !code.ends_with('.') {
                out.push_str(&span(&code));
                out.push_str(&link);
                code.clear();
            } else {
                code.push_str(name);
            }
            code.push_str(piece.strip_prefix(name).unwrap_or_default());
        }
        out + &span(&code)
    }

    /// Returns links to the classes in a return annotation.
    fn return_links(&self, head: &[String]) -> Vec<String> {
        let Some((_, response)) = head.last().and_then(|line| line.split_once("-> ")) else { return vec![] };
        let mut names: Vec<&str> = response
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            // A name with a dot belongs to another package: `pyarrow.Table` is not `Table`.
            .filter(|name| self.0.contains_key(*name))
            .collect();
        names.dedup();
        names.iter().map(|name| self.link(name)).filter(|link| link.starts_with('[')).collect()
    }
}

/// Returns a code span for a table cell, or nothing for empty code.
fn span(code: &str) -> String {
    if code.is_empty() { String::new() } else { format!("`{}`", code.replace('|', "\\|")) }
}

/// Returns the template values of classes and functions.
pub(super) fn entries(items: &[&Item], links: &PageLinks<'_>) -> Vec<Value> {
    let mut entries = Vec::new();
    for (at, item) in items.iter().enumerate() {
        // A class of `AsyncClient` that mirrors one of `Client`.
        let twin = item.name.strip_prefix("Async").filter(|twin| items.iter().any(|item| item.name == *twin));
        match (item.kind, twin) {
            (Kind::Class, Some(twin)) => {
                entries.push(json!({ "kind": "twin", "name": item.name, "docs": prose(item, links), "twin": links.link(twin) }));
            }
            (Kind::Class, None) => entries.push(class(item, links)),
            (Kind::Function, _) => entries.push(function(item, at.checked_sub(1).map(|before| items[before]), links)),
            (Kind::Property | Kind::Value, _) => {}
        }
    }
    entries
}

fn class(item: &Item, links: &PageLinks<'_>) -> Value {
    let constructor = item.members.iter().find(|member| matches!(member.name.as_str(), "__new__" | "__init__"));
    let constructor = constructor
        .map(|constructor| signature(&constructor.head.join("\n").replacen(&format!("def {}", constructor.name), &item.name, 1)));
    let members = || item.members.iter().filter(|member| member.is_public() && !member.name.starts_with("__"));
    let functions: Vec<&Item> = members().filter(|member| member.kind == Kind::Function).collect();
    let before = [None].into_iter().chain(functions.iter().copied().map(Some));
    let functions = functions.iter().zip(before).map(|(member, before)| function(member, before, links));
    let properties = members().filter(|member| member.kind != Kind::Function).map(|member| property(member, links));
    json!({
        "kind": "class",
        "name": item.name,
        "constructor": constructor,
        "docs": prose(item, links),
        "properties": properties.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
    })
}

/// Returns a property or value of a class: a row of a table.
fn property(item: &Item, links: &PageLinks<'_>) -> Value {
    let (docs, unit) = docs_line_and_unit(item);
    let value = item.annotation.strip_prefix("_ClassVar[").and_then(|inner| inner.strip_suffix(']')).unwrap_or(&item.annotation);
    json!({ "name": item.name, "annotation": links.annotation(&plain(value)), "unit": unit, "docs": links.link_names(&docs) })
}

fn function(item: &Item, before: Option<&Item>, links: &PageLinks<'_>) -> Value {
    json!({
        "kind": "function",
        "name": item.name,
        // Whether this is the first overload. The last overload has the docstring.
        "is_first": before.is_none_or(|before| before.name != item.name),
        "signature": signature(&item.head.join("\n")),
        // Links to the classes that it returns.
        "returned": links.return_links(&item.head),
        "docs": prose(item, links),
    })
}

/// Private aliases of the stubs and their expansions.
const ALIASES: [(&str, &str); 3] = [
    ("_Zone", "str | _zoneinfo.ZoneInfo | _datetime.timezone"),
    ("_Path", "str | _os.PathLike[str]"),
    ("_Progress", "bool | _Callable[[ExportProgress], object] | None"),
];

/// Returns a signature without private aliases, `self` and `cls`.
fn signature(head: &str) -> String {
    let text = ALIASES.iter().fold(head.to_owned(), |text, (alias, expansion)| text.replace(alias, expansion));
    let first = ["self", "cls"].iter().fold(text, |text, first| {
        let text = text.replace(&format!("    {first},\n"), "").replace(&format!("    {first}, "), "    ");
        text.replace(&format!("({first}, "), "(").replace(&format!("({first})"), "()")
    });
    plain(&first)
}

/// Removes the underscores of private imports from an annotation.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let imported = c == '_' && !before.is_alphanumeric() && before != '_' && text[at + 1..].starts_with(char::is_alphabetic);
        if !imported {
            out.push(c);
        }
        before = c;
    }
    out
}

/// Returns a docstring in Markdown. Paragraphs that begin with the name of an argument become list items.
fn prose(item: &Item, links: &PageLinks<'_>) -> String {
    let mut out = Vec::new();
    let (mut fenced, mut listed, mut begins) = (false, false, true);
    for line in &item.docs {
        fenced ^= line.trim_start().starts_with("```");
        let argument = line.split_once(": ").filter(|(name, _)| begins && !fenced && is_argument(name));
        begins = line.is_empty();
        listed = argument.is_some() || (listed && !line.is_empty());
        out.push(match argument {
            _ if fenced || line.starts_with("    ") => line.clone(),
            Some((name, rest)) => format!("* `{name}`: {}", links.link_names(rest)),
            None if listed => format!("  {}", links.link_names(line)),
            None => links.link_names(line),
        });
    }
    out.join("\n")
}

fn is_argument(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn docs_line_and_unit(item: &Item) -> (String, String) {
    let unit = item.docs.iter().find_map(|line| line.strip_prefix("Unit: ")).map(|unit| unit.trim_end_matches('.').to_owned());
    let text: Vec<&str> =
        item.docs.iter().filter(|line| !line.starts_with("Unit: ")).map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    (text.join(" ").replace('|', "\\|"), unit.unwrap_or_default())
}
