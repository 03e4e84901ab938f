//! Compares limits, defaults and headers.

use serde_json::Value;

use super::changes::ChangeList;
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Member, Operation, Param};

/// Compares the limits and the default of a parameter.
pub(super) fn params(old: &Param, new: &Param, subject: &str, languages: &[Language], changes: &mut ChangeList) {
    for (name, before, after) in changed_limits(&old.member, &new.member) {
        changes.add(limit_rule(name, before, after), languages, sentence(name, before, after, subject));
    }
    compare_accepted(&old.accepts, &new.accepts, subject, languages, changes);
    compare_accepted(&old.names, &new.names, subject, languages, changes);
    let rule = if old.member.required && new.member.required { Rule::DocumentationChanged } else { Rule::DefaultChanged };
    compare_defaults(&old.member, &new.member, rule, subject, languages, changes);
}

/// Compares the limits and the default of a received field. Clients do not check its limits; its default is the meaning of an absent field.
pub(super) fn members(old: &Member, new: &Member, subject: &str, languages: &[Language], changes: &mut ChangeList) {
    for (name, before, after) in changed_limits(old, new) {
        changes.add(Rule::DocumentationChanged, languages, sentence(name, before, after, subject));
    }
    compare_defaults(old, new, Rule::MeaningChanged, subject, languages, changes);
}

/// Compares the size limit of a request.
pub(super) fn request(old: &Operation, new: &Operation, subject: &str, changes: &mut ChangeList) {
    let [before, after] = [old, new].map(|operation| operation.max_request_bytes.map(Value::from));
    if before != after {
        let (name, before, after) = ("max-request-bytes", before.as_ref(), after.as_ref());
        changes.add(limit_rule(name, before, after), &new.languages, sentence(name, before, after, subject));
    }
}

/// Compares response headers. Only the Rust API exposes them.
pub(super) fn headers(old: &Operation, new: &Operation, subject: &str, changes: &mut ChangeList) {
    for header in new.headers.iter().filter(|header| !old.headers.contains(header)) {
        changes.add(Rule::Added, &[Language::Rust], format!("Responses of {subject} have the header `{header}`."));
    }
    for header in old.headers.iter().filter(|header| !new.headers.contains(header)) {
        changes.add(Rule::MeaningChanged, &[Language::Rust], format!("Responses of {subject} no longer have the header `{header}`."));
    }
}

fn compare_defaults(old: &Member, new: &Member, rule: Rule, subject: &str, languages: &[Language], changes: &mut ChangeList) {
    let text = match (&old.default, &new.default) {
        (before, after) if before == after => return,
        (Some(before), Some(after)) => format!("The default of {subject} is {after}, formerly {before}."),
        (None, Some(after)) => format!("The default of {subject} is {after}, formerly not stated."),
        (before, None) => format!("The default of {subject} is no longer stated, formerly {}.", before.as_ref().unwrap_or(&Value::Null)),
    };
    changes.add(rule, languages, text);
}

/// Compares lists of accepted media types or names. An empty list accepts everything.
fn compare_accepted(old: &[String], new: &[String], subject: &str, languages: &[Language], changes: &mut ChangeList) {
    match (old.is_empty(), new.is_empty()) {
        (false, true) => changes.add(Rule::LimitRelaxed, languages, format!("{subject} accepts more than `{}`.", old.join("`, `"))),
        (true, false) => changes.add(Rule::LimitTightened, languages, format!("{subject} accepts `{}` only.", new.join("`, `"))),
        _ => {
            for name in new.iter().filter(|name| !old.contains(name)) {
                changes.add(Rule::LimitRelaxed, languages, format!("{subject} accepts `{name}`."));
            }
            for name in old.iter().filter(|name| !new.contains(name)) {
                changes.add(Rule::LimitTightened, languages, format!("{subject} no longer accepts `{name}`."));
            }
        }
    }
}

type Limit<'a> = (&'a str, Option<&'a Value>, Option<&'a Value>);

/// Returns the limits that differ: keyword, old value, new value.
fn changed_limits<'a>(old: &'a Member, new: &'a Member) -> Vec<Limit<'a>> {
    let gone = old.limits.keys().filter(|name| !new.limits.contains_key(*name));
    let limits = new.limits.keys().chain(gone).map(|name| (name.as_str(), old.limits.get(name), new.limits.get(name)));
    limits.filter(|(_, before, after)| !is_same_limit(*before, *after)).collect()
}

/// Whether two limits are equal. `1` equals `1.0`.
fn is_same_limit(before: Option<&Value>, after: Option<&Value>) -> bool {
    let number = |limit: Option<&Value>| limit.and_then(Value::as_f64);
    before == after || (number(before).is_some() && number(before) == number(after))
}

/// Returns whether a limit became tighter or looser. A changed pattern cannot be compared and counts as tighter.
fn limit_rule(name: &str, before: Option<&Value>, after: Option<&Value>) -> Rule {
    let looser = match (before, after) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(before), Some(after)) => {
            let (Some(before), Some(after)) = (before.as_f64(), after.as_f64()) else { return Rule::LimitTightened };
            match name.rsplit('.').next().unwrap_or(name) {
                "multipleOf" => (before / after).fract() == 0.0,
                name if name.starts_with("min") => after < before,
                _ => after > before,
            }
        }
    };
    if looser { Rule::LimitRelaxed } else { Rule::LimitTightened }
}

fn sentence(name: &str, before: Option<&Value>, after: Option<&Value>, subject: &str) -> String {
    match (before, after) {
        (Some(before), Some(after)) => format!("The limit {name} of {subject} is {after}, formerly {before}."),
        (None, Some(after)) => format!("{subject} has the limit {name}: {after}."),
        (before, None) => format!("{subject} no longer has the limit {name}: {}.", before.unwrap_or(&Value::Null)),
    }
}
