//! The Python API of the native module, in the order of its stub.

use std::collections::BTreeMap;

use serde_json::json;

use super::declarations::{Definition, Item, read_declarations};
use super::methods::{self, Argument, Method};
use super::options::{CALL_OPTIONS, about};
use super::style::{STYLES, Style};
use super::{error_fields, settings, spelling, tables};
use crate::ir::{Docs, ErrorKind, Ir, Member, Model};
use crate::naming::pascal;

/// Items of the native module, by the module that exports them.
pub(super) struct Api {
    /// `vitalwire`.
    pub(super) package: Vec<Item>,
    /// `vitalwire.webhook`.
    pub(super) webhook: Vec<Item>,
    /// `vitalwire.cohort`, also the private ones.
    pub(super) cohort: Vec<Item>,
}

impl Api {
    /// Collects the API.
    ///
    /// # Errors
    /// If a declaration cannot be read.
    pub(super) fn collect(ir: &Ir) -> anyhow::Result<Self> {
        let mut package = read_declarations("module.yaml", ())?;
        package.extend(read_declarations("errors.yaml.j2", json!({ "error_fields": error_fields::declarations(ir) }))?);
        for file in ["calls.yaml", "map.yaml.j2", "tables.yaml.j2", "mock.yaml", "ranges.yaml.j2", "sync.yaml"] {
            package.extend(read_declarations(file, ())?);
        }
        for style in &STYLES {
            package.extend(read_declarations("range.yaml.j2", style)?);
            package.extend(read_declarations("sync_call.yaml.j2", style)?);
        }
        for style in &STYLES {
            package.extend(client(ir, style)?);
        }
        for style in &STYLES {
            package.extend(ir.groups().into_iter().map(|group| resource(ir, group, style)));
        }
        for model in ir.received_models() {
            package.push(record(ir, model)?);
        }
        package.extend(ir.error_kinds.iter().map(error));
        Ok(Self { package, webhook: read_declarations("webhook.yaml", ())?, cohort: cohort()? })
    }

    /// Returns the items of the modules without `vitalwire.cohort`, in the order of the stub.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.package.iter().chain(&self.webhook)
    }

    /// Returns docstrings by qualified name: `sign`, `Table`, `Table.columns`.
    pub(super) fn help(&self) -> BTreeMap<String, &[String]> {
        help(self.items())
    }
}

/// Returns docstrings of items and their members by qualified name.
pub(super) fn help<'a>(items: impl IntoIterator<Item = &'a Item>) -> BTreeMap<String, &'a [String]> {
    let mut help = BTreeMap::new();
    for item in items {
        let members = item.members.iter().filter(|member| member.has_help());
        help.extend(members.map(|member| (format!("{}.{}", item.name, member.name), &member.docs[..])));
        help.extend(item.has_help().then(|| (item.name.clone(), &item.docs[..])));
    }
    help
}

/// Returns the exported names: public ones and dunder names such as `__version__`.
pub(super) fn exported_names(items: &[Item]) -> Vec<String> {
    let mut names: Vec<String> =
        items.iter().filter(|item| item.is_public() || item.name.starts_with("__")).map(|item| item.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the items of `vitalwire.cohort`.
///
/// # Errors
/// If a declaration cannot be read.
pub(super) fn cohort() -> anyhow::Result<Vec<Item>> {
    let files = ["cohort_plan.yaml", "cohort_summary.yaml", "cohort_functions.yaml"].map(|file| read_declarations(file, ()));
    Ok(files.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

fn client(ir: &Ir, style: &Style) -> anyhow::Result<Vec<Item>> {
    let options = about(CALL_OPTIONS.iter()).collect::<Vec<_>>().join("\n\n");
    let mut settings: Vec<String> = settings::arguments(ir, style).iter().map(Argument::declaration).collect();
    // Only the first setting is positional.
    settings.insert(1, "*".into());
    let mut values = json!(style);
    values["options"] = json!(options);
    values["settings"] = json!(settings);
    values["settings_docs"] = json!(settings::about(ir));
    let mut items = read_declarations("client.yaml.j2", values)?;
    let resources = ir.groups().into_iter().map(|group| Item::property(group, &style.class(group), &format!("Calls of `{group}`.")));
    items.iter_mut().for_each(|client| client.members.extend(resources.clone()));
    Ok(items)
}

fn resource(ir: &Ir, group: &str, style: &Style) -> Item {
    let docs = format!("Calls of `{group}`: `{}.{group}`.", style.client);
    Item::final_class(&style.class(group), &docs, methods::methods(ir, group, style).iter().map(method).collect())
}

fn method(method: &Method) -> Item {
    let mut parameters = vec!["self".to_owned()];
    parameters.extend(method.positional.iter().map(Argument::declaration));
    parameters.push("*".into());
    parameters.extend(method.keywords.iter().map(Argument::declaration));
    let definition = Definition { awaited: method.awaited, name: &method.name, parameters, returns: &method.returns, margin: 4 };
    Item::function(&definition, vec![], &method.docs.join("\n\n"))
}

fn record(ir: &Ir, model: &Model) -> anyhow::Result<Item> {
    let property = |member: &Member| {
        Item::property(&spelling::python_name(&member.name), &spelling::read_member(member), &text(&member.docs, &member.wire))
    };
    let names: Vec<String> = tables::names(ir, &model.name).into_iter().map(spelling::literal).collect();
    let values = json!({
        "keeps_nulls": model.members.iter().any(Member::keeps_null),
        "table": if names.is_empty() { String::new() } else { format!("_Literal[{}]", names.join(", ")) },
    });
    let mut members: Vec<Item> = model.members.iter().map(property).collect();
    members.extend(read_declarations("record.yaml.j2", values)?.into_iter().flat_map(|record| record.members));
    Ok(Item::final_class(&model.name, &text(&model.docs, &model.name), members))
}

/// Returns the name of a kind's exception class.
pub(super) fn error_class(kind: &ErrorKind) -> String {
    format!("{}Error", pascal(&kind.name))
}

/// Returns the built-in exception from which a kind's class also inherits, so that generic handlers catch it.
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
