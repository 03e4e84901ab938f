//! The method `sleeps.between`, which searches for nights. It belongs to no operation: it reads daily statistics, then records.

use crate::ir::nights::{BOUNDS, DETAILS, SUMMARY};
use crate::ir::{Ir, Type};

use super::methods::{Argument, Method, MethodBody, NightArgument, argument, call_options_docs, parameter_docs, rust_name};
use super::options::{CALL_OPTIONS, RANGE_OPTIONS, about};
use super::style::Style;

pub(super) use crate::ir::nights::{GROUP, METHOD as NAME};

/// Docstring sentence on when requests are sent.
const SENT_LATER: &str = "Requests are sent when you iterate the search, collect it or read it as a table.";

pub(super) fn method(ir: &Ir, style: &Style) -> Method {
    let keywords = ir.night_params();
    // A part is always one day.
    let options = || RANGE_OPTIONS.iter().filter(|option| option.name != "part_length");
    let bound = |(name, _): &(&str, &str)| Argument {
        name: (*name).into(),
        annotation: "_Date".into(),
        default: None,
        rust: (*name).into(),
        rust_type: "Bound<'_, PyAny>".into(),
        rust_default: None,
    };
    let mut docs = vec![SUMMARY.to_owned(), format!("{DETAILS} {SENT_LATER}")];
    docs.extend(BOUNDS.iter().map(|(name, about)| format!("{name}: {about}")));
    docs.extend(keywords.iter().map(|(_, param)| parameter_docs(param)));
    docs.extend(about(options()));
    docs.push(call_options_docs(style));
    let mut arguments: Vec<(String, NightArgument)> = BOUNDS.iter().map(|(name, _)| ((*name).into(), NightArgument::Day)).collect();
    arguments.extend(keywords.iter().map(|(_, param)| {
        let kind = if matches!(param.member.ty, Type::List(_)) { NightArgument::List } else { NightArgument::Plain };
        (rust_name(param), kind)
    }));
    Method {
        name: NAME.into(),
        rust: NAME.into(),
        awaited: false,
        positional: BOUNDS.iter().map(bound).collect(),
        keywords: keywords
            .iter()
            .map(|(operation, param)| argument(operation, param, true))
            .chain(CALL_OPTIONS.iter().chain(options()).map(Argument::from))
            .collect(),
        returns: format!("{}NightSearch", style.prefix),
        docs,
        parameters: None,
        named: Vec::new(),
        bounds: Vec::new(),
        upload: None,
        body: MethodBody::Nights { arguments },
    }
}
