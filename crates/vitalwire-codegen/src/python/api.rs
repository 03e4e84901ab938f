//! All that the native module gives to Python, in the order of its stub.

use std::collections::BTreeMap;

use serde_json::json;

use super::declared::{Definition, Item, by_hand};
use super::methods::{self, Argument, Method};
use super::options::{CALL_OPTIONS, about};
use super::spelling;
use super::style::{STYLES, Style};
use super::{facts, settings, tables};
use crate::ir::{Docs, ErrorKind, Ir, Member, Model};
use crate::naming::pascal;

/// What is given under which name.
pub(super) struct Api {
    /// `vitalwire`.
    pub(super) package: Vec<Item>,
    /// `vitalwire.webhook`.
    pub(super) webhook: Vec<Item>,
}

impl Api {
    /// Of the whole API.
    ///
    /// # Errors
    /// Where what is declared by hand cannot be read.
    pub(super) fn of(ir: &Ir) -> anyhow::Result<Self> {
        let mut package = by_hand("module.yaml.j2", ())?;
        package.extend(by_hand("calls.yaml.j2", json!({ "facts": facts::declared(ir) }))?);
        for file in ["map.yaml.j2", "tables.yaml.j2", "mock.yaml.j2", "ranges.yaml.j2"] {
            package.extend(by_hand(file, ())?);
        }
        for style in &STYLES {
            package.extend(by_hand("range.yaml.j2", style)?);
        }
        for style in &STYLES {
            package.extend(client(ir, style)?);
        }
        for style in &STYLES {
            package.extend(ir.groups().into_iter().map(|group| resource(ir, group, style)));
        }
        for model in received(ir) {
            package.push(record(ir, model)?);
        }
        package.extend(ir.error_kinds.iter().map(error));
        Ok(Self { package, webhook: by_hand("webhook.yaml.j2", ())? })
    }

    /// Both, in the stub's order.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.package.iter().chain(&self.webhook)
    }

    /// Docstrings by what they are of: `sign`, `Table`, `Table.columns`.
    pub(super) fn help(&self) -> BTreeMap<String, &[String]> {
        let mut help = BTreeMap::new();
        for item in self.items() {
            let members = item.members.iter().filter(|member| member.has_help());
            help.extend(members.map(|member| (format!("{}.{}", item.name, member.name), &member.docs[..])));
            help.extend(item.has_help().then(|| (item.name.clone(), &item.docs[..])));
        }
        help
    }
}

/// What users import: it is public, or `__version__` and its like.
pub(super) fn exported(items: &[Item]) -> Vec<String> {
    let mut names: Vec<String> =
        items.iter().filter(|item| item.is_public() || item.name.starts_with("__")).map(|item| item.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// The models that are received.
pub(super) fn received(ir: &Ir) -> impl Iterator<Item = &Model> {
    ir.models.iter().filter(|model| !model.request)
}

fn client(ir: &Ir, style: &Style) -> anyhow::Result<Vec<Item>> {
    let options = about(CALL_OPTIONS.iter()).collect::<Vec<_>>().join("\n\n");
    let mut settings: Vec<String> = settings::of(ir, style).iter().map(Argument::written).collect();
    // Only the first may be given by position.
    settings.insert(1, "*".into());
    let mut facts = json!(style);
    facts["options"] = json!(options);
    facts["settings"] = json!(settings);
    facts["told"] = json!(settings::about(ir));
    let mut items = by_hand("client.yaml.j2", facts)?;
    let resources = ir.groups().into_iter().map(|group| Item::property(group, &style.class(group), &format!("Calls of `{group}`.")));
    items.iter_mut().for_each(|client| client.members.extend(resources.clone()));
    Ok(items)
}

fn resource(ir: &Ir, group: &str, style: &Style) -> Item {
    let docs = format!("Calls of `{group}`: `{}.{group}`.", style.client);
    Item::final_class(&style.class(group), &docs, methods::of(ir, group, style).iter().map(method).collect())
}

fn method(method: &Method) -> Item {
    let mut takes = vec!["self".to_owned()];
    takes.extend(method.positional.iter().map(Argument::written));
    takes.push("*".into());
    takes.extend(method.keywords.iter().map(Argument::written));
    let definition = Definition { awaited: method.awaited, name: &method.name, takes, gives: &method.gives, margin: 4 };
    Item::function(&definition, vec![], &method.docs.join("\n\n"))
}

fn record(ir: &Ir, model: &Model) -> anyhow::Result<Item> {
    let property = |member: &Member| {
        Item::property(&spelling::python_name(&member.name), &spelling::read_member(member), &text(&member.docs, &member.wire))
    };
    let names: Vec<String> = tables::names(ir, &model.name).into_iter().map(spelling::literal).collect();
    let facts = json!({
        "keeps_nulls": model.members.iter().any(Member::keeps_null),
        "table": if names.is_empty() { String::new() } else { format!("_Literal[{}]", names.join(", ")) },
    });
    let mut members: Vec<Item> = model.members.iter().map(property).collect();
    members.extend(by_hand("record.yaml.j2", facts)?.into_iter().flat_map(|record| record.members));
    Ok(Item::final_class(&model.name, &text(&model.docs, &model.name), members))
}

/// The exception class of a kind.
pub(super) fn error_class(kind: &ErrorKind) -> String {
    format!("{}Error", pascal(&kind.name))
}

/// The exception of Python's own that says the same: code that knows only that one works too.
pub(super) fn builtin(kind: &ErrorKind) -> Option<&'static str> {
    match kind.name.as_str() {
        "invalid_argument" => Some("ValueError"),
        "timeout" => Some("TimeoutError"),
        _ => None,
    }
}

fn error(kind: &ErrorKind) -> Item {
    let further = builtin(kind).map(|name| format!(", _builtins.{name}")).unwrap_or_default();
    Item::class(&error_class(kind), &format!("VitalwireError{further}"), &text(&kind.docs, &kind.name), vec![])
}

fn text(docs: &Docs, name: &str) -> String {
    spelling::paragraphs(docs, name)
}
