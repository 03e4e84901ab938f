//! Compares two versions of the interface, part by part.

use super::changes::{Change, ChangeList, Pair, call, compare_languages, compare_pairs};
use super::rules::Rule;
use super::{descriptions, examples, limits, sets};
use crate::ir::features::Language;
use crate::ir::{Ir, Member, Model, Operation, Param};

/// Returns all changes, in the order of the new version's parts. Removed parts come last among parts of their kind.
#[must_use]
pub fn changes(old: &Ir, new: &Ir) -> Vec<Change> {
    let mut changes = ChangeList::default();
    compare_services(old, new, &mut changes);
    compare_pairs(
        &old.operations,
        &new.operations,
        |operation| &operation.id,
        |pair| match pair {
            Pair::New(operation) => changes.add(Rule::Added, &operation.languages, format!("`{}` is new.", call(operation))),
            Pair::Old(operation) => changes.add(Rule::Removed, &operation.languages, format!("`{}` is gone.", call(operation))),
            Pair::Both(old, new) => compare_operations(old, new, &mut changes),
        },
    );
    examples::operations(old, new, &mut changes);
    compare_pairs(
        &old.models,
        &new.models,
        |model| &model.name,
        |pair| match pair {
            // Request models are compared as parameters of their operation.
            Pair::New(model) | Pair::Old(model) if model.request => {}
            Pair::New(model) => changes.add(Rule::Added, &model.languages, format!("`{}` is new.", model.name)),
            Pair::Old(model) => changes.add(Rule::Removed, &model.languages, format!("`{}` is gone.", model.name)),
            Pair::Both(old, new) => compare_models(old, new, &mut changes),
        },
    );
    compare_pairs(
        &old.open_sets,
        &new.open_sets,
        |set| &set.name,
        |pair| match pair {
            Pair::New(set) => changes.add(Rule::Added, &set.languages, format!("`{}` is new.", set.name)),
            Pair::Old(set) => changes.add(Rule::Removed, &set.languages, format!("`{}` is gone.", set.name)),
            Pair::Both(old, new) => sets::open_sets(old, new, &mut changes),
        },
    );
    sets::maps(old, new, &mut changes);
    sets::tables(old, new, &mut changes);
    sets::details(old, new, &mut changes);
    changes.0
}

fn compare_services(old: &Ir, new: &Ir, changes: &mut ChangeList) {
    compare_pairs(
        &old.services,
        &new.services,
        |service| &service.name,
        |pair| match pair {
            Pair::New(service) => changes.add(Rule::Added, &Language::ALL, format!("The service `{}` is new.", service.name)),
            Pair::Old(service) => changes.add(Rule::Removed, &Language::ALL, format!("The service `{}` is gone.", service.name)),
            Pair::Both(old, new) if old.version != new.version => {
                changes.add(
                    Rule::DocumentationChanged,
                    &Language::ALL,
                    format!("The specification of `{}` is of version {}, after {}.", new.name, new.version, old.version),
                );
            }
            Pair::Both(..) => {}
        },
    );
}

fn compare_operations(old: &Operation, new: &Operation, changes: &mut ChangeList) {
    let (name, languages) = (call(new), new.languages.as_slice());
    compare_languages(&format!("`{name}`"), &old.languages, &new.languages, changes);
    if call(old) != name {
        changes.add(Rule::Removed, languages, format!("`{}` is called `{name}`.", call(old)));
    }
    if (&old.http, &old.path, &old.service) != (&new.http, &new.path, &new.service) {
        changes.add(
            Rule::RequestChanged,
            languages,
            format!("`{name}` is `{} {}`, no longer `{} {}`.", new.http, new.path, old.http, old.path),
        );
    }
    let sent = [
        (old.retry != new.retry, "is tried again under other conditions"),
        (old.long != new.long, "has other default timeouts"),
        (old.authenticated && !new.authenticated, "needs no token"),
        (old.success != new.success, "has other statuses of success"),
    ];
    for (_, subject) in sent.into_iter().filter(|(changed, _)| *changed) {
        changes.add(Rule::RequestChanged, languages, format!("`{name}` {subject}."));
    }
    if new.authenticated && !old.authenticated {
        changes.add(Rule::TokenRequired, languages, format!("`{name}` needs a token."));
    }
    limits::request(old, new, &format!("`{name}`"), changes);
    limits::headers(old, new, &format!("`{name}`"), changes);
    if debug_text(&old.response) != debug_text(&new.response) {
        changes.add(
            Rule::Removed,
            languages,
            format!("`{name}` answers {}, no longer {}.", descriptions::response(&new.response), descriptions::response(&old.response)),
        );
    }
    if old.basis != new.basis {
        changes.add(Rule::MeaningChanged, languages, format!("The nutritional numbers of `{name}` refer to something else."));
    }
    compare_optional(old.wait.as_ref(), new.wait.as_ref(), &format!("Waiting for the analysis of `{name}`"), languages, changes);
    compare_optional(old.range.as_ref(), new.range.as_ref(), &format!("The range of `{name}`"), languages, changes);
    if old.required_range().is_none() && new.required_range().is_some() && old.range.is_none() {
        changes.add(Rule::ArgumentRequired, &[Language::Rust], format!("`{name}` takes its range as one argument."));
    }
    changes.text(languages, &format!("`{name}`"), &old.docs, &new.docs);
    compare_pairs(&old.params, &new.params, |param| &param.member.wire, |pair| compare_params(&name, languages, pair, changes));
}

/// Compares an optional part of an operation.
fn compare_optional<T: std::fmt::Debug>(old: Option<&T>, new: Option<&T>, subject: &str, languages: &[Language], changes: &mut ChangeList) {
    match (old, new) {
        (None, Some(_)) => changes.add(Rule::Added, languages, format!("{subject} is new.")),
        (Some(_), None) => changes.add(Rule::Removed, languages, format!("{subject} is gone.")),
        (Some(old), Some(new)) if debug_text(old) != debug_text(new) => {
            changes.add(Rule::MeaningChanged, languages, format!("{subject} follows other rules."))
        }
        _ => {}
    }
}

/// Formats a value completely, to compare types without equality.
fn debug_text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn compare_params(call: &str, languages: &[Language], pair: Pair<'_, Param>, changes: &mut ChangeList) {
    let (old, new) = match pair {
        Pair::New(param) => {
            let (rule, must) = if param.member.required { (Rule::ArgumentRequired, "needs") } else { (Rule::Added, "takes") };
            return changes.add(rule, languages, format!("`{call}` {must} `{}`.", param.member.name));
        }
        Pair::Old(param) => return changes.add(Rule::Removed, languages, format!("`{call}` no longer takes `{}`.", param.member.name)),
        Pair::Both(old, new) => (old, new),
    };
    let subject = format!("`{}` of `{call}`", new.member.name);
    if old.member.name != new.member.name {
        changes.add(Rule::Removed, languages, format!("`{}` of `{call}` is called `{}`.", old.member.name, new.member.name));
    }
    if old.member.ty != new.member.ty {
        changes.add(
            Rule::Removed,
            languages,
            format!("{subject} is {}, no longer {}.", descriptions::value(&new.member.ty), descriptions::value(&old.member.ty)),
        );
    }
    match (old.member.required, new.member.required) {
        (false, true) => changes.add(Rule::ArgumentRequired, languages, format!("{subject} is required.")),
        (true, false) => changes.add(Rule::ArgumentOptional, languages, format!("{subject} is optional.")),
        _ => {}
    }
    if old.place != new.place {
        changes.add(
            Rule::RequestChanged,
            languages,
            format!("{subject} travels in the {:?}, no longer in the {:?}.", new.place, old.place).to_lowercase(),
        );
    }
    compare_credential(&old.member, &new.member, &subject, languages, changes);
    limits::params(old, new, &subject, languages, changes);
    changes.docs(languages, &subject, &old.member.docs, &new.member.docs);
}

fn compare_models(old: &Model, new: &Model, changes: &mut ChangeList) {
    if new.request {
        return;
    }
    compare_languages(&format!("`{}`", new.name), &old.languages, &new.languages, changes);
    changes.docs(&new.languages, &format!("`{}`", new.name), &old.docs, &new.docs);
    compare_pairs(&old.members, &new.members, |member| &member.wire, |pair| compare_members(new, pair, changes));
}

fn compare_members(model: &Model, pair: Pair<'_, Member>, changes: &mut ChangeList) {
    let (name, languages) = (&model.name, model.languages.as_slice());
    let (old, new) = match pair {
        Pair::New(member) => return changes.add(Rule::FieldAdded, languages, format!("`{name}` has the field `{}`.", member.name)),
        Pair::Old(member) => return changes.add(Rule::Removed, languages, format!("`{name}` no longer has the field `{}`.", member.name)),
        Pair::Both(old, new) => (old, new),
    };
    let subject = format!("`{}` of `{name}`", new.name);
    if old.name != new.name {
        changes.add(Rule::Removed, languages, format!("`{}` of `{name}` is called `{}`.", old.name, new.name));
    }
    if old.ty != new.ty {
        changes.add(
            Rule::Removed,
            languages,
            format!("{subject} is {}, no longer {}.", descriptions::value(&new.ty), descriptions::value(&old.ty)),
        );
    }
    match (old.required, new.required) {
        (false, true) => changes.add(Rule::FieldRequired, languages, format!("{subject} is always there.")),
        (true, false) => changes.add(Rule::FieldOptional, languages, format!("{subject} may be absent.")),
        _ => {}
    }
    compare_credential(old, new, &subject, languages, changes);
    limits::members(old, new, &subject, languages, changes);
    changes.docs(languages, &subject, &old.docs, &new.docs);
}

fn compare_credential(old: &Member, new: &Member, subject: &str, languages: &[Language], changes: &mut ChangeList) {
    if old.credential != new.credential {
        changes.add(Rule::MeaningChanged, languages, format!("{subject} is {}a secret.", if new.credential { "" } else { "no longer " }));
    }
}
