//! `sleeps.between`, which no operation is: nights are found by daily statistics, and then read.

use crate::ir::{Ir, Operation, Param, Type};

use super::methods::{Argument, End, Method, Wanted, described, made, of_every_call, rust_name};
use super::options::{CALL_OPTIONS, RANGE_OPTIONS, about};
use super::style::Style;

/// The resource that has it.
pub(super) const GROUP: &str = "sleeps";

/// Its name.
pub(super) const NAME: &str = "between";

/// The bounds, which no operation names so.
const BOUNDS: [(&str, &str); 2] = [("first", "First day."), ("last", "Last day; it belongs to the range.")];

/// The parameters that it takes of the operations it is made of.
const TAKEN: [(&str, &[&str]); 2] =
    [("get_sleep", &["include_stages", "include_samples"]), ("daily_statistics", &["providers", "exclude_manual"])];

const SUMMARY: [&str; 2] = [
    "The sleeps of these days, naps among them, with the days that each counts to.",
    "No operation lists sleeps: daily statistics of `sleep_duration_total` name the records behind each day, and each is read by `get`. \
     An id that no sleep has is left out and counted; a sleep of several days is given once. Nothing is asked before what this gives is \
     iterated, collected or read as a table.",
];

/// What it takes of operations, each with its own.
fn keywords(ir: &Ir) -> Vec<(&Operation, &Param)> {
    let of = |(id, names): &(&str, &'static [&'static str])| {
        let operation = ir.operations.iter().find(|operation| operation.id == *id)?;
        let params = names.iter().filter_map(|name| operation.params.iter().find(|param| param.member.wire == *name));
        Some(params.map(move |param| (operation, param)).collect::<Vec<_>>())
    };
    TAKEN.iter().filter_map(of).flatten().collect()
}

pub(super) fn method(ir: &Ir, style: &Style) -> Method {
    let keywords = keywords(ir);
    // Days are the parts, so their length is no choice.
    let options = || RANGE_OPTIONS.iter().filter(|option| option.name != "split");
    let bound = |(name, _): &(&str, &str)| Argument {
        name: (*name).into(),
        annotation: "_datetime.date".into(),
        default: None,
        rust: (*name).into(),
        rust_type: "Bound<'_, PyAny>".into(),
        rust_default: None,
    };
    let mut docs: Vec<String> = SUMMARY.map(str::to_owned).into();
    docs.extend(BOUNDS.iter().map(|(name, about)| format!("{name}: {about}")));
    docs.extend(keywords.iter().map(|(_, param)| described(param)));
    docs.extend(about(options()));
    docs.push(of_every_call(style));
    let mut wanted: Vec<(String, Wanted)> = BOUNDS.iter().map(|(name, _)| ((*name).into(), Wanted::Day)).collect();
    wanted.extend(keywords.iter().map(|(_, param)| {
        let how = if matches!(param.member.ty, Type::List(_)) { Wanted::List } else { Wanted::Plain };
        (rust_name(param), how)
    }));
    Method {
        name: NAME.into(),
        rust: NAME.into(),
        awaited: false,
        positional: BOUNDS.iter().map(bound).collect(),
        keywords: keywords
            .iter()
            .map(|(operation, param)| made(operation, param, true))
            .chain(CALL_OPTIONS.iter().chain(options()).map(Argument::from))
            .collect(),
        gives: format!("{}Nights", style.prefix),
        docs,
        parameters: None,
        upload: None,
        end: End::Nights { wanted },
    }
}
