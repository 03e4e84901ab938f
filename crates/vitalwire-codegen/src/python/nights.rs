//! `sleeps.between`, which no operation is: nights are found by daily statistics, and then read.

use crate::ir::nights::{ABOUT, BOUNDS, SUMMARY};
use crate::ir::{Ir, Type};

use super::methods::{Argument, End, Method, Wanted, described, made, of_every_call, rust_name};
use super::options::{CALL_OPTIONS, RANGE_OPTIONS, about};
use super::style::Style;

pub(super) use crate::ir::nights::{GROUP, METHOD as NAME};

/// When anything is requested.
const LATER: &str = "Nothing is asked before what this gives is iterated, collected or read as a table.";

pub(super) fn method(ir: &Ir, style: &Style) -> Method {
    let keywords = ir.night_params();
    // Days are the parts, so their length is no choice.
    let options = || RANGE_OPTIONS.iter().filter(|option| option.name != "part_length");
    let bound = |(name, _): &(&str, &str)| Argument {
        name: (*name).into(),
        annotation: "_datetime.date".into(),
        default: None,
        rust: (*name).into(),
        rust_type: "Bound<'_, PyAny>".into(),
        rust_default: None,
    };
    let mut docs = vec![SUMMARY.to_owned(), format!("{ABOUT} {LATER}")];
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
        gives: format!("{}NightSearch", style.prefix),
        docs,
        parameters: None,
        upload: None,
        end: End::Nights { wanted },
    }
}
