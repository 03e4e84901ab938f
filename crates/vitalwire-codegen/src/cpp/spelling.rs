//! Types and arguments in C++, converted to those of C.

use serde::Serialize;

use crate::c::spelling as c;
use crate::ir::{Member, Type};

/// Returns the type of a plain value, or of the plain items of a list; `None` for other values.
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

/// Declaration of a C++ argument, and the argument of the C function.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// Declaration in the signature.
    pub declared: String,
    /// Expression in the call of the C function.
    pub given: String,
    /// Whether the argument is a text.
    pub text: bool,
}

/// Converts an argument from its declaration in the generated C wrapper.
pub fn argument(declared: &str) -> Argument {
    let (name, ty) = declared.split_once(": ").unwrap_or((declared, ""));
    let name = c::argument(name);
    let made = |ty: &str, given: String| Argument { declared: format!("{ty} {name}"), given, text: false };
    let converted = || format!("detail::to_c({name})");
    match ty {
        "bool" => Argument { declared: format!("bool {name} = true"), given: name, text: false },
        "i64" => made("std::int64_t", name.clone()),
        "f64" => made("double", name.clone()),
        "vitalwire_timestamp" => made("vitalwire::timestamp", converted()),
        "vitalwire_date" => made("vitalwire::date", converted()),
        "vitalwire_str" => Argument { text: true, ..made("std::string_view", converted()) },
        // A pointer that is followed by a length.
        _ => made("vitalwire::bytes", format!("{name}.data(), {name}.size()")),
    }
}
