//! Compares limits, defaults and headers.

use serde_json::Value;

use super::changes::Part;
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Member, Operation, Param};

/// Compares the limits and the default of a parameter.
pub(super) fn params(part: &Part<'_>, old: &Param, new: &Param) {
    for (name, before, after) in changed_limits(&old.member, &new.member) {
        report(part, limit_rule(name, before, after), name, before, after);
    }
    compare_accepted(part, &old.accepts, &new.accepts);
    compare_accepted(part, &old.names, &new.names);
    let rule = if old.member.required && new.member.required { Rule::DocumentationChanged } else { Rule::DefaultChanged };
    compare_defaults(part, rule, &old.member, &new.member);
}

/// Compares the limits and the default of a received field. Clients do not check its limits; its default is the meaning of an absent field.
pub(super) fn members(part: &Part<'_>, old: &Member, new: &Member) {
    for (name, before, after) in changed_limits(old, new) {
        report(part, Rule::DocumentationChanged, name, before, after);
    }
    compare_defaults(part, Rule::MeaningChanged, old, new);
}

/// Compares the size limit of a request.
pub(super) fn request(part: &Part<'_>, old: &Operation, new: &Operation) {
    let [before, after] = [old, new].map(|operation| operation.max_request_bytes.map(Value::from));
    if before != after {
        let (name, before, after) = ("max-request-bytes", before.as_ref(), after.as_ref());
        report(part, limit_rule(name, before, after), name, before, after);
    }
}

/// Compares response headers. Only the Rust API exposes them.
pub(super) fn headers(part: &Part<'_>, old: &Operation, new: &Operation) {
    let rust = Part { languages: &[Language::Rust], ..part.clone() };
    for header in missing(&new.headers, &old.headers) {
        rust.add(Rule::Added, format!("Responses of {} have the header `{header}`.", part.name));
    }
    for header in missing(&old.headers, &new.headers) {
        rust.add(Rule::MeaningChanged, format!("Responses of {} no longer have the header `{header}`.", part.name));
    }
}

/// Returns the texts that another list does not have.
pub(super) fn missing<'a>(texts: &'a [String], other: &'a [String]) -> impl Iterator<Item = &'a String> {
    texts.iter().filter(|text| !other.contains(text))
}

fn compare_defaults(part: &Part<'_>, rule: Rule, old: &Member, new: &Member) {
    let text = match (&old.default, &new.default) {
        (before, after) if before == after => return,
        (Some(before), Some(after)) => format!("is {after}, formerly {before}"),
        (None, Some(after)) => format!("is {after}, formerly not stated"),
        (before, None) => format!("is no longer stated, formerly {}", before.as_ref().unwrap_or(&Value::Null)),
    };
    part.add(rule, format!("The default of {} {text}.", part.name));
}

/// Compares lists of accepted media types or names. An empty list accepts everything.
fn compare_accepted(part: &Part<'_>, old: &[String], new: &[String]) {
    match (old.is_empty(), new.is_empty()) {
        (false, true) => part.report(Rule::LimitRelaxed, &format!("accepts more than `{}`", old.join("`, `"))),
        (true, false) => part.report(Rule::LimitTightened, &format!("accepts `{}` only", new.join("`, `"))),
        _ => {
            missing(new, old).for_each(|name| part.report(Rule::LimitRelaxed, &format!("accepts `{name}`")));
            missing(old, new).for_each(|name| part.report(Rule::LimitTightened, &format!("no longer accepts `{name}`")));
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

fn report(part: &Part<'_>, rule: Rule, name: &str, before: Option<&Value>, after: Option<&Value>) {
    let subject = &part.name;
    part.add(
        rule,
        match (before, after) {
            (Some(before), Some(after)) => format!("The limit {name} of {subject} is {after}, formerly {before}."),
            (None, Some(after)) => format!("{subject} has the limit {name}: {after}."),
            (before, None) => format!("{subject} no longer has the limit {name}: {}.", before.unwrap_or(&Value::Null)),
        },
    );
}
