//! Declarations of the native module's Python API. The stub, `help()`, the reference and the package's exports are generated from them.
//!
//! The YAML files in this folder declare the hand-written part of the extension. Generators declare what they generate.

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::python::filters::TEMPLATES;
use crate::python::spelling::wrap_docs;

/// Maximum width of a signature in one line, in characters.
const WIDTH: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Class,
    Function,
    Property,
    Value,
}

/// A class, function, property or value of the API.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// Lines of its head, without indentation and without the final colon.
    pub(super) head: Vec<String>,
    /// Lines of the docstring.
    pub(super) docs: Vec<String>,
    /// Decorators, without `@`.
    pub(super) decorators: Vec<String>,
    /// The annotation of a property or value.
    pub(super) annotation: String,
    /// Members of a class.
    pub(super) members: Vec<Item>,
}

impl Item {
    /// Creates a class. `bases` may be empty.
    pub(super) fn class(name: &str, bases: &str, docs: &str, members: Vec<Self>) -> Self {
        let bases = if bases.is_empty() { String::new() } else { format!("({bases})") };
        let head = vec![format!("class {name}{bases}")];
        Self { kind: Kind::Class, name: name.into(), head, docs: wrap_docs(docs), decorators: vec![], annotation: String::new(), members }
    }

    /// Creates a class without subclasses.
    pub(super) fn final_class(name: &str, docs: &str, members: Vec<Self>) -> Self {
        Self { decorators: vec!["_final".into()], ..Self::class(name, "", docs, members) }
    }

    pub(super) fn property(name: &str, annotation: &str, docs: &str) -> Self {
        let head = vec![format!("def {name}(self) -> {annotation}")];
        let (kind, decorators) = (Kind::Property, vec!["property".into()]);
        Self { kind, name: name.into(), head, docs: wrap_docs(docs), decorators, annotation: annotation.into(), members: vec![] }
    }

    /// Creates a method or a function. The arguments of a method begin with `self` or `cls`.
    pub(super) fn function(definition: &Definition<'_>, decorators: Vec<String>, docs: &str) -> Self {
        let (name, head) = (definition.name.to_owned(), definition.head());
        let docs = if docs.is_empty() { vec![] } else { wrap_docs(docs) };
        Self { kind: Kind::Function, name, head, docs, decorators, annotation: String::new(), members: vec![] }
    }

    /// Whether the declaration is public.
    pub(super) fn is_public(&self) -> bool {
        !self.name.starts_with('_') || self.name == "__new__" || self.name == "__init__"
    }

    /// Whether the declaration has a docstring at run time. Values have none.
    pub(super) fn has_help(&self) -> bool {
        !self.docs.is_empty() && self.kind != Kind::Value
    }
}

/// The head of a function.
pub(super) struct Definition<'a> {
    /// Whether the function is an `async def`.
    pub(super) awaited: bool,
    pub(super) name: &'a str,
    pub(super) parameters: Vec<String>,
    pub(super) returns: &'a str,
    /// Indentation in spaces.
    pub(super) margin: usize,
}

impl Definition<'_> {
    /// Returns one line if it fits, otherwise a line per argument.
    fn head(&self) -> Vec<String> {
        let Self { name, returns, .. } = self;
        let def = if self.awaited { "async def" } else { "def" };
        let line = format!("{def} {name}({}) -> {returns}", self.parameters.join(", "));
        if self.margin + line.chars().count() < WIDTH {
            return vec![line];
        }
        let mut lines = vec![format!("{def} {name}(")];
        lines.extend(self.parameters.iter().map(|argument| format!("    {argument},")));
        lines.push(format!(") -> {returns}"));
        lines
    }
}

/// An item in a YAML file.
#[derive(Deserialize)]
struct Declaration {
    #[serde(flatten)]
    kind: DeclarationKind,
    #[serde(default)]
    bases: String,
    #[serde(default = "default_true", rename = "final")]
    is_final: bool,
    #[serde(default, rename = "async")]
    awaited: bool,
    #[serde(default)]
    decorators: Vec<String>,
    /// Arguments, without `self` or `cls`.
    #[serde(default, rename = "args")]
    parameters: Vec<String>,
    #[serde(default, rename = "type")]
    annotation: String,
    #[serde(default)]
    docs: String,
    #[serde(default)]
    members: Vec<Self>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum DeclarationKind {
    Class(String),
    Def(String),
    Property(String),
    Value(String),
}

fn default_true() -> bool {
    true
}

impl From<Declaration> for Item {
    fn from(declared: Declaration) -> Self {
        declared.item(false)
    }
}

impl Declaration {
    fn item(self, is_member: bool) -> Item {
        let docs = &self.docs;
        match self.kind {
            DeclarationKind::Class(name) => {
                let members = self.members.into_iter().map(|member| member.item(true)).collect();
                let decorators = if self.is_final { vec!["_final".into()] } else { self.decorators };
                Item { decorators, ..Item::class(&name, &self.bases, docs, members) }
            }
            DeclarationKind::Def(name) => {
                let is = |decorator: &str| self.decorators.iter().any(|other| other == decorator);
                let of_class = is("classmethod") || matches!(name.as_str(), "__new__" | "__class_getitem__");
                let first = (is_member && !is("staticmethod")).then(|| if of_class { "cls" } else { "self" }.to_owned());
                let parameters = first.into_iter().chain(self.parameters).collect();
                let margin = if is_member { 4 } else { 0 };
                let definition = Definition { awaited: self.awaited, name: &name, parameters, returns: &self.annotation, margin };
                Item::function(&definition, self.decorators, docs)
            }
            DeclarationKind::Property(name) => Item::property(&name, &self.annotation, docs),
            DeclarationKind::Value(name) => Item {
                kind: Kind::Value,
                head: vec![format!("{name}: {}", self.annotation)],
                name,
                docs: if docs.is_empty() { vec![] } else { wrap_docs(docs) },
                decorators: vec![],
                annotation: self.annotation,
                members: vec![],
            },
        }
    }
}

/// Reads the items of a YAML file. `values` are passed to its template.
pub(super) fn read_declarations(file: &str, values: impl Serialize) -> anyhow::Result<Vec<Item>> {
    let text = TEMPLATES.render(&format!("python/declarations/{file}"), values)?;
    let declared: Vec<Declaration> = serde_saphyr::from_str(&text).with_context(|| format!("reading {file}:\n{text}"))?;
    Ok(declared.into_iter().map(Item::from).collect())
}
