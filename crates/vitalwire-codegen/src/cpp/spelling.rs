//! Types and arguments in C++, over those of C.

use serde::Serialize;

use crate::c::spelling as c;
use crate::ir::{Member, Type};

/// The type of a plain value, or of the items of a list of them; `None` for what is no plain value.
pub fn plain(member: &Member) -> Option<&'static str> {
    let ty = if let Type::List(item) = &member.ty { item } else { &member.ty };
    Some(match ty {
        Type::Boolean => "bool",
        Type::Integer if member.docs.unit.as_deref() == Some("ms") => "std::chrono::milliseconds",
        Type::Integer => "std::int64_t",
        Type::Number => "double",
        Type::Timestamp => "vitalwire::timestamp",
        Type::Date => "vitalwire::date",
        _ => return None,
    })
}

/// An argument: how it is declared, and what C's function is given.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// In the signature.
    pub declared: String,
    /// In the call.
    pub given: String,
    /// Whether it is a text.
    pub text: bool,
}

/// An argument of the C wrapper's, as its source declares it.
pub fn argument(declared: &str) -> Argument {
    let (name, ty) = declared.split_once(": ").unwrap_or((declared, ""));
    let name = c::argument(name);
    let made = |ty: &str, given: String| Argument { declared: format!("{ty} {name}"), given, text: false };
    let crossing = || format!("detail::given({name})");
    match ty {
        "bool" => Argument { declared: format!("bool {name} = true"), given: name, text: false },
        "i64" => made("std::int64_t", name.clone()),
        "f64" => made("double", name.clone()),
        "vitalwire_timestamp" => made("vitalwire::timestamp", crossing()),
        "vitalwire_date" => made("vitalwire::date", crossing()),
        "vitalwire_str" => Argument { text: true, ..made("std::string_view", crossing()) },
        // An address, and after it a length.
        _ => made("vitalwire::bytes", format!("{name}.data(), {name}.size()")),
    }
}
