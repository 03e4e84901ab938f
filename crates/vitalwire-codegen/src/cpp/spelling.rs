//! Types and arguments in C++, converted to those of C.

use serde::Serialize;

use crate::c::spelling as c;
use crate::ir::{Member, Type};

/// Returns the type of a plain value, or of the plain items of a list; `None` for other values.
pub fn plain(member: &Member) -> Option<&'static str> {
    Some(match member.ty.item() {
        Type::Boolean => "bool",
        Type::Integer if member.docs.unit.as_deref() == Some("ms") => "std::chrono::milliseconds",
        Type::Integer => "std::int64_t",
        Type::Number => "double",
        Type::Timestamp => "vitalwire::timestamp",
        Type::Date => "vitalwire::date",
        _ => return None,
    })
}

/// Keywords of Rust that C++ does not have.
const RUST_KEYWORDS: [&str; 10] = ["box", "fn", "in", "let", "loop", "match", "move", "ref", "type", "use"];

/// Returns the name of an accessor. Unlike that of the C function, it is not also a name in Rust.
pub fn accessor(name: &str) -> String {
    if RUST_KEYWORDS.contains(&name) { name.to_owned() } else { c::argument(name) }
}

/// Declaration of a C++ argument, and the argument of the C function.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// Declaration in the signature.
    pub declaration: String,
    /// Expression in the call of the C function.
    pub expression: String,
    /// Whether the argument is a text.
    pub is_text: bool,
}

/// Converts an argument from its declaration in the generated C wrapper.
pub fn convert_argument(declared: &str) -> Argument {
    let (name, ty) = declared.split_once(": ").unwrap_or((declared, ""));
    let name = c::argument(name);
    let argument = |ty: &str, expression: String| Argument { declaration: format!("{ty} {name}"), expression, is_text: false };
    let to_c = || format!("detail::to_c({name})");
    match ty {
        "bool" => Argument { declaration: format!("bool {name} = true"), expression: name, is_text: false },
        "i64" => argument("std::int64_t", name.clone()),
        "f64" => argument("double", name.clone()),
        "vitalwire_timestamp" => argument("vitalwire::timestamp", to_c()),
        "vitalwire_date" => argument("vitalwire::date", to_c()),
        "vitalwire_str" => Argument { is_text: true, ..argument("std::string_view", to_c()) },
        // A pointer that is followed by a length.
        _ => argument("vitalwire::bytes", format!("{name}.data(), {name}.size()")),
    }
}
