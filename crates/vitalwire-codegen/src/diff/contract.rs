//! Compares two versions of the interface, part by part.

use super::found::{Change, Found, Pair, call, faces, paired};
use super::rules::Rule;
use super::{examples, limits, sets, words};
use crate::ir::faces::Face;
use crate::ir::{Ir, Member, Model, Operation, Param};

/// Returns all changes, in the order of the new version's parts. Removed parts come last among parts of their kind.
#[must_use]
pub fn changes(old: &Ir, new: &Ir) -> Vec<Change> {
    let mut found = Found::default();
    services(old, new, &mut found);
    paired(
        &old.operations,
        &new.operations,
        |operation| &operation.id,
        |pair| match pair {
            Pair::New(operation) => found.say(Rule::Added, &operation.faces, format!("`{}` is new.", call(operation))),
            Pair::Old(operation) => found.say(Rule::Gone, &operation.faces, format!("`{}` is gone.", call(operation))),
            Pair::Both(old, new) => operations(old, new, &mut found),
        },
    );
    examples::operations(old, new, &mut found);
    paired(
        &old.models,
        &new.models,
        |model| &model.name,
        |pair| match pair {
            // Request models are compared as parameters of their operation.
            Pair::New(model) | Pair::Old(model) if model.request => {}
            Pair::New(model) => found.say(Rule::Added, &model.faces, format!("`{}` is new.", model.name)),
            Pair::Old(model) => found.say(Rule::Gone, &model.faces, format!("`{}` is gone.", model.name)),
            Pair::Both(old, new) => models(old, new, &mut found),
        },
    );
    paired(
        &old.open_sets,
        &new.open_sets,
        |set| &set.name,
        |pair| match pair {
            Pair::New(set) => found.say(Rule::Added, &set.faces, format!("`{}` is new.", set.name)),
            Pair::Old(set) => found.say(Rule::Gone, &set.faces, format!("`{}` is gone.", set.name)),
            Pair::Both(old, new) => sets::open_sets(old, new, &mut found),
        },
    );
    sets::maps(old, new, &mut found);
    sets::tables(old, new, &mut found);
    sets::details(old, new, &mut found);
    found.0
}

fn services(old: &Ir, new: &Ir, found: &mut Found) {
    paired(
        &old.services,
        &new.services,
        |service| &service.name,
        |pair| match pair {
            Pair::New(service) => found.say(Rule::Added, &Face::ALL, format!("The service `{}` is new.", service.name)),
            Pair::Old(service) => found.say(Rule::Gone, &Face::ALL, format!("The service `{}` is gone.", service.name)),
            Pair::Both(old, new) if old.version != new.version => {
                found.say(
                    Rule::Words,
                    &Face::ALL,
                    format!("The specification of `{}` is of version {}, after {}.", new.name, new.version, old.version),
                );
            }
            Pair::Both(..) => {}
        },
    );
}

fn operations(old: &Operation, new: &Operation, found: &mut Found) {
    let (name, languages) = (call(new), new.faces.as_slice());
    faces(&format!("`{name}`"), &old.faces, &new.faces, found);
    if call(old) != name {
        found.say(Rule::Gone, languages, format!("`{}` is called `{name}`.", call(old)));
    }
    if (&old.http, &old.path, &old.service) != (&new.http, &new.path, &new.service) {
        found.say(Rule::Sent, languages, format!("`{name}` is `{} {}`, no longer `{} {}`.", new.http, new.path, old.http, old.path));
    }
    let sent = [
        (old.retry != new.retry, "is tried again under other conditions"),
        (old.long != new.long, "has other default timeouts"),
        (old.authenticated && !new.authenticated, "needs no token"),
        (old.success != new.success, "has other statuses of success"),
    ];
    for (_, what) in sent.into_iter().filter(|(changed, _)| *changed) {
        found.say(Rule::Sent, languages, format!("`{name}` {what}."));
    }
    if new.authenticated && !old.authenticated {
        found.say(Rule::Secured, languages, format!("`{name}` needs a token."));
    }
    limits::request(old, new, &format!("`{name}`"), found);
    limits::headers(old, new, &format!("`{name}`"), found);
    if said(&old.answer) != said(&new.answer) {
        found.say(
            Rule::Gone,
            languages,
            format!("`{name}` answers {}, no longer {}.", words::answer(&new.answer), words::answer(&old.answer)),
        );
    }
    if old.basis != new.basis {
        found.say(Rule::Meant, languages, format!("The nutritional numbers of `{name}` refer to something else."));
    }
    optional(old.wait.as_ref(), new.wait.as_ref(), &format!("Waiting for the analysis of `{name}`"), languages, found);
    optional(old.range.as_ref(), new.range.as_ref(), &format!("The range of `{name}`"), languages, found);
    if old.required_range().is_none() && new.required_range().is_some() && old.range.is_none() {
        found.say(Rule::Needed, &[Face::Rust], format!("`{name}` takes its range as one argument."));
    }
    found.text(languages, &format!("`{name}`"), &old.docs, &new.docs);
    paired(&old.params, &new.params, |param| &param.member.wire, |pair| params(&name, languages, pair, found));
}

/// Compares an optional part of an operation.
fn optional<T: std::fmt::Debug>(old: Option<&T>, new: Option<&T>, what: &str, languages: &[Face], found: &mut Found) {
    match (old, new) {
        (None, Some(_)) => found.say(Rule::Added, languages, format!("{what} is new.")),
        (Some(_), None) => found.say(Rule::Gone, languages, format!("{what} is gone.")),
        (Some(old), Some(new)) if said(old) != said(new) => found.say(Rule::Meant, languages, format!("{what} follows other rules.")),
        _ => {}
    }
}

/// Formats a value completely, to compare types without equality.
fn said(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn params(call: &str, languages: &[Face], pair: Pair<'_, Param>, found: &mut Found) {
    let (old, new) = match pair {
        Pair::New(param) => {
            let (rule, must) = if param.member.required { (Rule::Needed, "needs") } else { (Rule::Added, "takes") };
            return found.say(rule, languages, format!("`{call}` {must} `{}`.", param.member.name));
        }
        Pair::Old(param) => return found.say(Rule::Gone, languages, format!("`{call}` no longer takes `{}`.", param.member.name)),
        Pair::Both(old, new) => (old, new),
    };
    let what = format!("`{}` of `{call}`", new.member.name);
    if old.member.name != new.member.name {
        found.say(Rule::Gone, languages, format!("`{}` of `{call}` is called `{}`.", old.member.name, new.member.name));
    }
    if old.member.ty != new.member.ty {
        found.say(
            Rule::Gone,
            languages,
            format!("{what} is {}, no longer {}.", words::value(&new.member.ty), words::value(&old.member.ty)),
        );
    }
    match (old.member.required, new.member.required) {
        (false, true) => found.say(Rule::Needed, languages, format!("{what} is required.")),
        (true, false) => found.say(Rule::Spared, languages, format!("{what} is optional.")),
        _ => {}
    }
    if old.place != new.place {
        found.say(
            Rule::Sent,
            languages,
            format!("{what} travels in the {:?}, no longer in the {:?}.", new.place, old.place).to_lowercase(),
        );
    }
    credential(&old.member, &new.member, &what, languages, found);
    limits::params(old, new, &what, languages, found);
    found.docs(languages, &what, &old.member.docs, &new.member.docs);
}

fn models(old: &Model, new: &Model, found: &mut Found) {
    if new.request {
        return;
    }
    faces(&format!("`{}`", new.name), &old.faces, &new.faces, found);
    found.docs(&new.faces, &format!("`{}`", new.name), &old.docs, &new.docs);
    paired(&old.members, &new.members, |member| &member.wire, |pair| members(new, pair, found));
}

fn members(model: &Model, pair: Pair<'_, Member>, found: &mut Found) {
    let (name, languages) = (&model.name, model.faces.as_slice());
    let (old, new) = match pair {
        Pair::New(member) => return found.say(Rule::Read, languages, format!("`{name}` has the field `{}`.", member.name)),
        Pair::Old(member) => return found.say(Rule::Gone, languages, format!("`{name}` no longer has the field `{}`.", member.name)),
        Pair::Both(old, new) => (old, new),
    };
    let what = format!("`{}` of `{name}`", new.name);
    if old.name != new.name {
        found.say(Rule::Gone, languages, format!("`{}` of `{name}` is called `{}`.", old.name, new.name));
    }
    if old.ty != new.ty {
        found.say(Rule::Gone, languages, format!("{what} is {}, no longer {}.", words::value(&new.ty), words::value(&old.ty)));
    }
    match (old.required, new.required) {
        (false, true) => found.say(Rule::Promised, languages, format!("{what} is always there.")),
        (true, false) => found.say(Rule::Doubted, languages, format!("{what} may be absent.")),
        _ => {}
    }
    credential(old, new, &what, languages, found);
    limits::members(old, new, &what, languages, found);
    found.docs(languages, &what, &old.docs, &new.docs);
}

fn credential(old: &Member, new: &Member, what: &str, languages: &[Face], found: &mut Found) {
    if old.credential != new.credential {
        found.say(Rule::Meant, languages, format!("{what} is {}a secret.", if new.credential { "" } else { "no longer " }));
    }
}
