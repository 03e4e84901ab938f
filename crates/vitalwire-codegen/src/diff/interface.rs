//! Compares two versions of the interface, part by part.

use std::cell::RefCell;

use super::changes::{Change, Pair, Part, call, compare_pairs};
use super::rules::Rule;
use super::{descriptions, examples, limits, sets};
use crate::ir::features::Language;
use crate::ir::{Ir, Member, Model, Operation, Param};

/// Returns all changes, in the order of the new version's parts. Removed parts come last among parts of their kind.
#[must_use]
pub fn changes(old: &Ir, new: &Ir) -> Vec<Change> {
    let found = RefCell::default();
    let interface = Part::interface(&found);
    interface.parts(
        Rule::Removed,
        (&old.services, &new.services),
        |service| (&service.name, format!("The service `{}`", service.name), &Language::ALL),
        |part, old, new| {
            if old.version != new.version {
                let text = format!("The specification of `{}` is of version {}, after {}.", new.name, new.version, old.version);
                part.add(Rule::DocumentationChanged, text);
            }
        },
    );
    interface.parts(
        Rule::Removed,
        (&old.operations, &new.operations),
        |operation| (&operation.id, format!("`{}`", call(operation)), &operation.languages),
        compare_operations,
    );
    examples::operations(old, new, &interface);
    // Request models are compared as parameters of their operation.
    let [before, after] = [old, new].map(|ir| ir.received_models().collect::<Vec<_>>());
    interface.parts(
        Rule::Removed,
        (&before, &after),
        |model| (&model.name, format!("`{}`", model.name), &model.languages),
        |part, old, new| compare_models(part, old, new),
    );
    sets::compare(old, new, &interface);
    found.into_inner()
}

fn compare_operations(part: &Part<'_>, old: &Operation, new: &Operation) {
    if call(old) != call(new) {
        part.add(Rule::Removed, format!("`{}` is renamed to {}.", call(old), part.name));
    }
    if (&old.http, &old.path, &old.service) != (&new.http, &new.path, &new.service) {
        part.report(Rule::RequestChanged, &format!("is `{} {}`, no longer `{} {}`", new.http, new.path, old.http, old.path));
    }
    let sent = [
        (old.retry != new.retry, "is retried under other conditions"),
        (old.long != new.long, "has other default timeouts"),
        (old.authenticated && !new.authenticated, "needs no token"),
        (old.success != new.success, "has other success statuses"),
    ];
    for (_, text) in sent.into_iter().filter(|(changed, _)| *changed) {
        part.report(Rule::RequestChanged, text);
    }
    if new.authenticated && !old.authenticated {
        part.report(Rule::TokenRequired, "needs a token");
    }
    limits::request(part, old, new);
    limits::headers(part, old, new);
    if old.response != new.response {
        let [before, after] = [old, new].map(|operation| descriptions::response(&operation.response));
        part.report(Rule::Removed, &format!("returns {after}, no longer {before}"));
    }
    if old.basis != new.basis {
        part.add(Rule::MeaningChanged, format!("The nutritional numbers of {} refer to something else.", part.name));
    }
    compare_optional(part, "Waiting for the analysis", old.wait.as_ref(), new.wait.as_ref());
    compare_optional(part, "The range", old.range.as_ref(), new.range.as_ref());
    if old.required_range().is_none() && new.required_range().is_some() && old.range.is_none() {
        Part { languages: &[Language::Rust], ..part.clone() }.report(Rule::ArgumentRequired, "takes its range as one argument");
    }
    part.text(&old.docs, &new.docs);
    compare_pairs((&old.params, &new.params), |param| &param.member.wire, |pair| compare_params(part, pair));
}

/// Compares an optional part of an operation.
fn compare_optional<T: PartialEq>(operation: &Part<'_>, what: &str, old: Option<&T>, new: Option<&T>) {
    let part = Part { name: format!("{what} of {}", operation.name), ..operation.clone() };
    match (old, new) {
        (None, Some(_)) => part.report(Rule::Added, "is new"),
        (Some(_), None) => part.report(Rule::Removed, "is removed"),
        (old, new) if old != new => part.report(Rule::MeaningChanged, "follows other rules"),
        _ => {}
    }
}

fn compare_params(operation: &Part<'_>, pair: Pair<'_, Param>) {
    match pair {
        Pair::New(Param { member, .. }) if member.required => operation.report(Rule::ArgumentRequired, &format!("needs `{}`", member.name)),
        Pair::New(param) => operation.report(Rule::Added, &format!("takes `{}`", param.member.name)),
        Pair::Old(param) => operation.report(Rule::Removed, &format!("no longer takes `{}`", param.member.name)),
        Pair::Both(old, new) => {
            let required = [(Rule::ArgumentRequired, "is required"), (Rule::ArgumentOptional, "is optional")];
            let part = compare_members(operation, &old.member, &new.member, required);
            if old.place != new.place {
                let text = format!("is sent in the {:?}, no longer in the {:?}", new.place, old.place).to_lowercase();
                part.report(Rule::RequestChanged, &text);
            }
            limits::params(&part, old, new);
        }
    }
}

fn compare_models(part: &Part<'_>, old: &Model, new: &Model) {
    part.docs(&old.docs, &new.docs);
    compare_pairs(
        (&old.members, &new.members),
        |member| &member.wire,
        |pair| match pair {
            Pair::New(member) => part.report(Rule::FieldAdded, &format!("has the field `{}`", member.name)),
            Pair::Old(member) => part.report(Rule::Removed, &format!("no longer has the field `{}`", member.name)),
            Pair::Both(old, new) => {
                let required = [(Rule::FieldRequired, "is always there"), (Rule::FieldOptional, "may be absent")];
                limits::members(&compare_members(part, old, new, required), old, new);
            }
        },
    );
}

/// Compares what parameters and fields have in common. `required` describes that one became required or optional. Returns the part.
fn compare_members<'a>(owner: &Part<'a>, old: &Member, new: &Member, required: [(Rule, &str); 2]) -> Part<'a> {
    let part = owner.part(&new.name);
    if old.name != new.name {
        owner.part(&old.name).report(Rule::Removed, &format!("is renamed to `{}`", new.name));
    }
    if old.ty != new.ty {
        part.report(Rule::Removed, &format!("is {}, no longer {}", descriptions::value(&new.ty), descriptions::value(&old.ty)));
    }
    if old.required != new.required {
        let (rule, text) = required[usize::from(old.required)];
        part.report(rule, text);
    }
    if old.credential != new.credential {
        part.report(Rule::MeaningChanged, if new.credential { "is a secret" } else { "is no longer a secret" });
    }
    part.docs(&old.docs, &new.docs);
    part
}
