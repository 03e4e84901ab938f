//! What a stub or a module of ours declares: classes, functions, members, and their docstrings. It reads the form that the emitters and the
//! hand-written parts keep to, not all of Python.

/// A class, function, property or annotated member.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Item {
    /// Its name.
    pub(super) name: String,
    /// Its lines up to the docstring, decorators left out, at the margin; `async def`s too.
    pub(super) head: Vec<String>,
    /// The docstring's lines, at the margin.
    pub(super) docs: Vec<String>,
    /// Its decorators, without `@`.
    pub(super) decorators: Vec<String>,
    /// What a class has.
    pub(super) members: Vec<Item>,
}

impl Item {
    pub(super) fn is_class(&self) -> bool {
        self.head.first().is_some_and(|line| line.starts_with("class "))
    }

    pub(super) fn is_function(&self) -> bool {
        !self.is_property() && self.head.first().is_some_and(|line| line.starts_with("def ") || line.starts_with("async def "))
    }

    pub(super) fn is_property(&self) -> bool {
        self.decorators.iter().any(|decorator| decorator == "property")
    }

    /// Whether a user is meant to see it.
    pub(super) fn is_public(&self) -> bool {
        !self.name.starts_with('_') || self.name == "__new__" || self.name == "__init__"
    }

    /// The annotation of a property's or member's value.
    pub(super) fn value(&self) -> String {
        let head = self.head.join(" ");
        let annotation = if self.is_property() { head.split_once("-> ") } else { head.split_once(": ") };
        let value = annotation.map_or("", |(_, rest)| rest).trim_end_matches("...").trim_end_matches([' ', ':']);
        value.strip_prefix("_ClassVar[").and_then(|inner| inner.strip_suffix(']')).unwrap_or(value).to_owned()
    }
}

/// What a stub gives to those who import it: what is public, and `__version__` and its like.
pub(super) fn exported(stub: &str) -> impl Iterator<Item = String> {
    let named = |item: &Item| item.is_public() || (item.name.starts_with("__") && item.name != "__all__");
    items(stub).into_iter().filter(named).map(|item| item.name)
}

/// The items that a text declares at its margin.
pub(super) fn items(text: &str) -> Vec<Item> {
    let lines: Vec<&str> = text.lines().collect();
    block(&lines)
}

/// The items of lines at one margin.
fn block(lines: &[&str]) -> Vec<Item> {
    let margin = lines.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| indent(line));
    let mut items: Vec<Item> = Vec::new();
    let mut decorators = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].get(margin..).unwrap_or_default();
        if let Some(decorator) = line.strip_prefix('@') {
            decorators.push(decorator.trim_start_matches('_').to_owned());
            at += 1;
        } else if line.starts_with("\"\"\"") {
            // Of the member above, where there is one; otherwise of what these lines are in, which has read it.
            let end = docs_end(lines, at);
            if let Some(member) = items.last_mut().filter(|item| item.docs.is_empty()) {
                member.docs = docs(&lines[at..end]);
            }
            at = end;
        } else if declares(line) {
            let head_end = at + lines[at..].iter().position(|line| ends_head(line)).unwrap_or(0) + 1;
            let end = head_end + lines[head_end..].iter().take_while(|line| line.trim().is_empty() || indent(line) > margin).count();
            items.push(item(&lines[at..head_end], &lines[head_end..end], margin, std::mem::take(&mut decorators)));
            at = end;
        } else {
            at += 1;
        }
    }
    items
}

fn declares(line: &str) -> bool {
    let word = line.split([' ', ':', '(']).next().unwrap_or_default();
    let named = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    named && (matches!(word, "class" | "def" | "async") || line.starts_with(&format!("{word}: ")))
}

/// Whether a declaration's first part ends with a line.
fn ends_head(line: &str) -> bool {
    let line = line.trim_end();
    let starts = line.trim_start();
    let member = !starts.starts_with(['d', 'a', 'c', ')']) || !(starts.contains('(') || starts.starts_with(')'));
    line.ends_with(':') || line.ends_with("...") || (starts.contains(": ") && !line.ends_with(['(', ',', '[']) && member)
}

fn item(head: &[&str], body: &[&str], margin: usize, decorators: Vec<String>) -> Item {
    let head: Vec<String> = head.iter().map(|line| line.get(margin..).unwrap_or_default().trim_end().to_owned()).collect();
    let first = head[0].trim_start_matches("async ").trim_start_matches("def ").trim_start_matches("class ");
    let name = first.split(['(', ':', ' ']).next().unwrap_or_default().to_owned();
    let start = body.iter().position(|line| !line.trim().is_empty()).unwrap_or(body.len());
    let has_docs = body.get(start).is_some_and(|line| line.trim_start().starts_with("\"\"\""));
    let end = if has_docs { docs_end(body, start) } else { start };
    let members = if head[0].starts_with("class ") { block(&body[end..]) } else { Vec::new() };
    Item { name, head, docs: docs(&body[start..end]), decorators, members }
}

fn docs_end(lines: &[&str], start: usize) -> usize {
    let text = lines[start].trim();
    if text.len() >= 6 && text.ends_with("\"\"\"") {
        return start + 1;
    }
    lines[start + 1..].iter().position(|line| line.trim_end().ends_with("\"\"\"")).map_or(lines.len(), |found| start + 2 + found)
}

/// A docstring's lines at the margin, without its quotes.
fn docs(lines: &[&str]) -> Vec<String> {
    let Some(margin) = lines.first().map(|line| indent(line)) else { return Vec::new() };
    let text: Vec<&str> = lines.iter().map(|line| line.get(margin..).unwrap_or_default().trim_end()).collect();
    let text = text.join("\n");
    let inner = text.trim_start_matches("\"\"\"").trim_end().trim_end_matches("\"\"\"").trim_end();
    inner.lines().map(|line| line.replace("\\\"", "\"").replace("\\\\", "\\")).collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUB: &str = r#"
"""A module."""

import datetime as _datetime

__version__: str

@_final
class Night:
    """A night.

    Not a day.
    """

    kind: _ClassVar[str]
    """Its kind."""

    @property
    def at(self) -> _datetime.datetime | None:
        """When.

        Unit: ms.
        """

    async def get(
        self,
        night_id: str,
        *,
        only: _Literal["a", "b"] | None = None,
    ) -> Night:
        """Reads one."""

    def __len__(self) -> int: ...

def sign(body: str) -> str:
    """Signs."""
"#;

    #[test]
    fn a_stub_is_read() {
        let found = items(STUB);
        let names: Vec<&str> = found.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["__version__", "Night", "sign"]);
        let night = &found[1];
        assert!(night.is_class());
        assert_eq!(night.docs, ["A night.", "", "Not a day."]);
        let names: Vec<&str> = night.members.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["kind", "at", "get", "__len__"]);
        assert_eq!(night.members[0].docs, ["Its kind."]);
        assert_eq!(night.members[0].value(), "str");
        assert_eq!(night.members[1].value(), "_datetime.datetime | None");
        assert_eq!(night.members[1].docs, ["When.", "", "Unit: ms."]);
        assert_eq!(night.members[2].head.len(), 6);
        assert!(night.members[2].is_function());
        assert!(!night.members[3].is_public());
        assert_eq!(found[2].docs, ["Signs."]);
        let hidden = "_Reason = _Literal[\"missing\"]\n\n__all__: list[str]\n\n_Kind: _TypeAlias = str\n\ndef _restore() -> object:\n    \"\"\"No.\"\"\"\n\n";
        assert_eq!(exported(&format!("{hidden}{STUB}")).collect::<Vec<_>>(), ["__version__", "Night", "sign"]);
    }
}
