//! A page: headings, signatures, tables of members.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use crate::emit::python::constants::constant;
use crate::emit::python::declared::Item;
use crate::ir::OpenSet;

/// Where the classes are that texts name.
pub(super) struct Links<'a>(&'a BTreeMap<String, String>);

/// The same, seen from a page.
pub(super) struct From<'a>(&'a BTreeMap<String, String>, String);

impl<'a> Links<'a> {
    pub(super) fn new(places: &'a BTreeMap<String, String>) -> Self {
        Self(places)
    }

    pub(super) fn from(&self, page: &str) -> From<'a> {
        From(self.0, page.to_owned())
    }
}

impl From<'_> {
    /// A link to a class; its name where it has no page.
    fn to(&self, name: &str) -> String {
        match self.0.get(name).filter(|_| name.starts_with(|c: char| c.is_ascii_uppercase())) {
            Some(page) if *page == self.1 => format!("[`{name}`](#{})", name.to_lowercase()),
            Some(page) => format!("[`{name}`]({page}.md#{})", name.to_lowercase()),
            None => format!("`{name}`"),
        }
    }

    /// A text with its names in backticks as links.
    fn linked(&self, text: &str) -> String {
        let parts: Vec<&str> = text.split('`').collect();
        if parts.len().is_multiple_of(2) {
            return text.to_owned();
        }
        parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 { self.to(part) } else { (*part).to_owned() }).collect()
    }

    /// An annotation, its classes as links, for a cell of a table.
    fn annotation(&self, text: &str) -> String {
        let mut out = String::new();
        let mut code = String::new();
        for piece in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let name = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
            let link = self.to(name);
            // After a dot it is another package's.
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

    /// The classes that a signature answers.
    fn answers(&self, head: &[String]) -> Option<String> {
        let (_, answer) = head.last()?.split_once("-> ")?;
        let mut names: Vec<&str> = answer
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            // A name with a dot is another package's: `pyarrow.Table` is not `Table`.
            .filter(|name| self.0.contains_key(*name))
            .collect();
        names.dedup();
        let links: Vec<String> = names.iter().map(|name| self.to(name)).filter(|link| link.starts_with('[')).collect();
        (!links.is_empty()).then(|| format!("Answers {}.\n\n", links.join(", ")))
    }
}

/// Code within a cell of a table; nothing where there is none.
fn span(code: &str) -> String {
    if code.is_empty() { String::new() } else { format!("`{}`", code.replace('|', "\\|")) }
}

/// Items one after the other; a class with its members below it.
pub(super) fn body<T: Borrow<Item>>(items: &[T], links: &From<'_>) -> String {
    let mut text = String::new();
    let names: Vec<&str> = items.iter().map(|item| item.borrow().name.as_str()).collect();
    for (at, item) in items.iter().map(Borrow::borrow).enumerate() {
        if let Some(twin) = item.name.strip_prefix("Async").filter(|twin| names.contains(twin) && item.is_class()) {
            text.push_str(&format!(
                "## {}\n\n{}\n\nThe names of {}; its calls are awaited.\n\n",
                item.name,
                prose(item, links),
                links.to(twin)
            ));
        } else if item.is_class() {
            class(&mut text, item, links);
        } else if item.is_function() {
            // An overloaded function is one: its last declaration has the docstring.
            let first = at == 0 || items[at - 1].borrow().name != item.name;
            function(&mut text, item, links, if first { Some("##") } else { None });
        }
    }
    text
}

fn class(text: &mut String, item: &Item, links: &From<'_>) {
    text.push_str(&format!("## {}\n\n", item.name));
    if let Some(made) = item.members.iter().find(|member| matches!(member.name.as_str(), "__new__" | "__init__")) {
        let head = made.head.join("\n").replacen("def __new__", &item.name, 1).replacen("def __init__", &item.name, 1);
        text.push_str(&format!("```python\n{}\n```\n\n", signature(&head)));
    }
    text.push_str(&format!("{}\n\n", prose(item, links)));
    let members: Vec<&Item> = item.members.iter().filter(|member| member.is_public() && !member.name.starts_with("__")).collect();
    let facts: Vec<&&Item> = members.iter().filter(|member| !member.is_function()).collect();
    if !facts.is_empty() {
        text.push_str("| member | type | unit | |\n|---|---|---|---|\n");
        for fact in facts {
            let (about, unit) = in_a_line(fact);
            text.push_str(&format!(
                "| `{}` | {} | {unit} | {} |\n",
                fact.name,
                links.annotation(&plain(&fact.value())),
                links.linked(&about)
            ));
        }
        text.push('\n');
    }
    let mut before = "";
    for member in members.iter().filter(|member| member.is_function()) {
        function(text, member, links, (member.name != before).then_some("###"));
        before = &member.name;
    }
}

fn function(text: &mut String, item: &Item, links: &From<'_>, heading: Option<&str>) {
    if let Some(level) = heading {
        text.push_str(&format!("{level} {}\n\n", item.name));
    }
    text.push_str(&format!("```python\n{}\n```\n\n", signature(&item.head.join("\n"))));
    text.push_str(&links.answers(&item.head).unwrap_or_default());
    let about = prose(item, links);
    if !about.is_empty() {
        text.push_str(&format!("{about}\n\n"));
    }
}

/// A name of the stub's own that says nothing to a reader, and what it stands for.
const ZONE: (&str, &str) = ("_Zone", "str | _zoneinfo.ZoneInfo | _datetime.timezone");

/// A signature as a reader knows it: without what only the stub needs.
fn signature(head: &str) -> String {
    let text = head.trim_end_matches("...").trim_end().trim_end_matches(':');
    let text = text.replace("  # type: ignore[overload-overlap]", "").replace(ZONE.0, ZONE.1);
    let first = ["self", "cls"].iter().fold(text, |text, first| {
        text.replace(&format!("    {first},\n"), "").replace(&format!("({first}, "), "(").replace(&format!("({first})"), "()")
    });
    plain(&first)
}

/// An annotation without the underscores that keep a stub's imports to itself.
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

/// The docstring as paragraphs; what an argument is begins with its name.
fn prose(item: &Item, links: &From<'_>) -> String {
    let mut out = Vec::new();
    let (mut fenced, mut listed, mut begins) = (false, false, true);
    for line in &item.docs {
        fenced ^= line.trim_start().starts_with("```");
        let argument = line.split_once(": ").filter(|(name, _)| begins && !fenced && is_argument(name));
        begins = line.is_empty();
        listed = argument.is_some() || (listed && !line.is_empty());
        out.push(match argument {
            _ if fenced || line.starts_with("    ") => line.clone(),
            Some((name, rest)) => format!("* `{name}`: {}", links.linked(rest)),
            None if listed => format!("  {}", links.linked(line)),
            None => links.linked(line),
        });
    }
    out.join("\n")
}

fn is_argument(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// A docstring in a line, and the unit that it states.
fn in_a_line(item: &Item) -> (String, String) {
    let unit = item.docs.iter().find_map(|line| line.strip_prefix("Unit: ")).map(|unit| unit.trim_end_matches('.').to_owned());
    let text: Vec<&str> =
        item.docs.iter().filter(|line| !line.starts_with("Unit: ")).map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    (text.join(" ").replace('|', "\\|"), unit.unwrap_or_default())
}

/// The open sets: constants, texts and units.
pub(super) fn names(sets: &[&OpenSet]) -> String {
    let mut text = String::new();
    for set in sets {
        text.push_str(&format!("## {}\n\n{}\n\n| constant | text | unit | |\n|---|---|---|---|\n", set.name, set.docs.text.trim()));
        for value in &set.values {
            let unit = value.docs.unit.as_deref().unwrap_or_default();
            let old = if value.docs.deprecated { "Deprecated. " } else { "" };
            let about = value.docs.text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
            text.push_str(&format!("| `{}.{}` | `{}` | {unit} | {old}{about} |\n", set.name, constant(&value.name), value.wire));
        }
        text.push('\n');
    }
    text
}
