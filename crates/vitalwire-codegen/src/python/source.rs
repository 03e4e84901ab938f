//! Reads the declarations of hand-written Python modules. Relies on the layout of the formatter.

use super::declarations::{Item, Kind};

/// Returns the public classes and functions of a module.
pub(super) fn public_items(module: &str) -> Vec<Item> {
    all_items(module).into_iter().filter(Item::is_public).collect()
}

/// Returns the classes and functions of a module.
pub(super) fn all_items(module: &str) -> Vec<Item> {
    items(&module.lines().collect::<Vec<_>>(), "")
}

/// Returns the lines of the module's docstring, without comments for type checkers.
pub(super) fn module_docs(module: &str) -> Vec<String> {
    let lines: Vec<&str> = module.lines().collect();
    docstring(&lines, "").iter().map(|line| without_comment(line)).collect()
}

/// Returns the classes and functions at an indentation. Deeper lines belong to the item above them.
fn items(lines: &[&str], margin: &str) -> Vec<Item> {
    let declares = |line: &&str| ["class ", "def ", "async def ", "@"].iter().any(|word| line.starts_with(word));
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].strip_prefix(margin).as_ref().is_some_and(declares)).collect();
    let mut items = Vec::new();
    let mut decorators = Vec::new();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(lines.len());
        match lines[*start].trim().strip_prefix('@') {
            Some(decorator) => decorators.push(decorator.to_owned()),
            None => items.push(item(&lines[*start..end], margin, std::mem::take(&mut decorators))),
        }
    }
    items
}

fn item(lines: &[&str], margin: &str, decorators: Vec<String>) -> Item {
    let (head, body) = lines.split_at(lines.iter().position(|line| line.ends_with([':', '.'])).map_or(lines.len(), |last| last + 1));
    let head: Vec<String> = head.iter().map(|line| line.strip_prefix(margin).unwrap_or(line)).map(without_comment).collect();
    let deeper = format!("{margin}    ");
    let first = head.join(" ");
    let is_class = first.starts_with("class ");
    let name = first.trim_start_matches("async ").trim_start_matches("def ").trim_start_matches("class ");
    Item {
        kind: match decorators.iter().any(|decorator| decorator == "property") {
            true => Kind::Property,
            false if is_class => Kind::Class,
            false => Kind::Function,
        },
        name: name.split(['(', ':']).next().unwrap_or_default().to_owned(),
        docs: docstring(body, &deeper),
        annotation: first.rsplit_once("-> ").map_or("", |(_, annotation)| annotation).trim_end_matches(':').to_owned(),
        members: if is_class { self::items(body, &deeper) } else { vec![] },
        head: head.iter().map(|line| line.trim_end_matches("...").trim_end().trim_end_matches(':').to_owned()).collect(),
        decorators,
    }
}

/// Removes the comment for type checkers from a line.
fn without_comment(line: &str) -> String {
    line.split("  #").next().unwrap_or_default().to_owned()
}

/// Returns the lines of the docstring at the start of a body.
fn docstring(body: &[&str], margin: &str) -> Vec<String> {
    let Some(first) = body.first().and_then(|line| line.trim().strip_prefix("\"\"\"")) else { return vec![] };
    if let Some(only) = first.strip_suffix("\"\"\"") {
        return vec![only.to_owned()];
    }
    let rest = body[1..].iter().take_while(|line| line.trim() != "\"\"\"").map(|line| line.strip_prefix(margin).unwrap_or_default());
    [first].into_iter().chain(rest).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = r#"
"""A module."""

_SIZE = 3


class Night:
    """A night.

    Not a day.
    """

    @property
    def at(self) -> datetime.datetime | None:
        """When."""
        return None

    async def get(
        self,
        night_id: str,
    ) -> Night:
        """Reads one."""
        if night_id:
            def inner(): ...


@overload
def draw(night: Night) -> Axes: ...
def _hidden() -> None:
    """No."""
"#;

    #[test]
    fn reads_the_docstring_of_a_module() {
        let module = "\"\"\"A module.\n\n    import dlt  # type: ignore\n\"\"\"\n\nimport dlt\n";
        assert_eq!(module_docs(module), ["A module.", "", "    import dlt"]);
    }

    #[test]
    fn reads_declarations_of_a_module() {
        let found = public_items(MODULE);
        assert_eq!(found.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["Night", "draw"]);
        let night = &found[0];
        assert_eq!((night.kind, night.docs.join("\n").as_str()), (Kind::Class, "A night.\n\nNot a day."));
        let [at, get] = &night.members[..] else { panic!("{:?}", night.members) };
        assert_eq!((at.kind, at.annotation.as_str(), at.docs.concat().as_str()), (Kind::Property, "datetime.datetime | None", "When."));
        assert_eq!((get.kind, get.docs.concat().as_str()), (Kind::Function, "Reads one."));
        assert_eq!(get.head, ["async def get(", "    self,", "    night_id: str,", ") -> Night"]);
        assert_eq!(
            (found[1].head.concat().as_str(), &found[1].decorators[..]),
            ("def draw(night: Night) -> Axes", &["overload".to_owned()][..])
        );
    }
}
