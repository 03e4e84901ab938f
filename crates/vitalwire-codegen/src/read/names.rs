//! Checks of names: which ones can be generated, and which are reserved.

use crate::ir::faces::CALL_OPTIONS;
use crate::naming::{is_snake, pascal, snake};
use crate::python::spelling as python;
use crate::rust::spelling as rust;

/// Fields of every model, and local variables of its decoder.
const MODEL: [&str; 5] = ["basis", "extra", "index_of", "key", "members"];

/// Methods of calls and parameters. `body` is the argument for the body of every request.
pub const PARAMETER: [&str; 23] = [
    "and_wait",
    "attempt_timeout",
    "begun",
    "body",
    "cancel_token",
    "connect_timeout",
    "current_options",
    "deferred",
    "guarded",
    "into_parts",
    "max_retries",
    "new",
    "options",
    "range",
    "raw",
    "refused",
    "send",
    "send_blocking",
    "split",
    "table",
    "tables",
    "timeout",
    "with",
];

/// Methods of the client.
const GROUP: [&str; 7] = ["builder", "clone", "execute", "from_env", "from_inner", "inner", "request"];

/// Files next to those of the resources in some language, such as `Maps.kt` or `client.md`.
pub const BESIDE: [&str; 7] = ["calls", "client", "errors", "names", "operations", "plot", "sandbox"];

/// Methods of a resource.
const METHOD: [&str; 1] = ["new"];

/// Methods of a number map.
const NUMBER: [&str; 8] = ["at", "clone", "extra", "get", "get_text", "is_empty", "iter", "len"];

/// Names of core and Rust types, and of one file, in generated code. A schema of the same name would conflict with them.
const TYPE: [&str; 43] = [
    "Base64",
    "Basis",
    "Box",
    "Call",
    "CallContext",
    "Client",
    "Copy",
    "Date",
    "Debug",
    "Decode",
    "Default",
    "Err",
    "Error",
    "ErrorKind",
    "Extra",
    "FieldReader",
    "Id",
    "Json",
    "Kind",
    "ListMember",
    "MapAccess",
    "Maps",
    "None",
    "Number",
    "NumberMap",
    "Ok",
    "OpenSet",
    "Operation",
    "OperationMeta",
    "Option",
    "Result",
    "SerializeMap",
    "Serialize",
    "Serializer",
    "SeriesMap",
    "Service",
    "SetBasis",
    "Some",
    "String",
    "Timestamp",
    "Value",
    "Vec",
    "WithBasis",
];

/// Variants of every open set.
const VARIANT: [&str; 2] = ["Self", "Unrecognized"];

/// Use of a name.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// Field of an object.
    Member,
    /// Parameter, or field of a request body.
    Parameter,
    /// `operationId`.
    Operation,
    /// `x-vitalwire-group`.
    Group,
    /// `x-vitalwire-method`.
    Method,
    /// Key of a number map.
    Number,
}

/// Returns why a snake-case name cannot be used. `None` if it can.
pub(super) fn wrong(name: &str, of: Use) -> Option<String> {
    if name.is_empty() || !name.is_ascii() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Some(format!("gives the name `{name}`, which is no identifier"));
    }
    let reserved: &[&str] = match of {
        Use::Member => &MODEL,
        Use::Parameter => &PARAMETER,
        Use::Group => &GROUP,
        Use::Method => &METHOD,
        Use::Number => &NUMBER,
        Use::Operation => &[],
    };
    let keyword = matches!(of, Use::Parameter) && CALL_OPTIONS.iter().any(|option| option.keyword() == name);
    if matches!(of, Use::Group) && BESIDE.contains(&name) {
        return Some(format!("is called `{name}`, as a generated file beside those of the resources is"));
    }
    if keyword || reserved.contains(&name) {
        return Some(format!("is called `{name}`, a name the clients use themselves"));
    }
    match of {
        // Languages that reserve these words escape them in fields and parameters.
        Use::Member | Use::Parameter => {
            let rust = rust::name(name);
            syn::parse_str::<syn::Ident>(&rust).is_err().then(|| format!("is called `{name}`, which Rust reserves"))
        }
        // These become parts of method, file and module names, so they must be valid in all languages.
        Use::Operation | Use::Group | Use::Method | Use::Number => {
            let changed = rust::name(name) != name || python::name(name) != name;
            (changed || syn::parse_str::<syn::Ident>(name).is_err()).then(|| format!("is called `{name}`, a keyword"))
        }
    }
}

/// Returns why an `operationId`, group or method cannot be used. `None` if it can.
pub(super) fn wrong_word(name: &str, of: Use) -> Option<String> {
    if is_snake(name) { wrong(name, of) } else { Some(format!("`{name}` is not lower snake case")) }
}

/// Returns why the name of a component schema or key type cannot be used. `None` if it can.
pub(super) fn wrong_type(name: &str) -> Option<String> {
    let upper =
        name.starts_with(|first: char| first.is_ascii_uppercase()) && name.chars().all(|character| character.is_ascii_alphanumeric());
    if !upper {
        return Some(format!("`{name}` is not UpperCamelCase"));
    }
    let file = snake(name);
    if TYPE.contains(&name) || name.ends_with("Params") || rust::name(&file) != file {
        return Some(format!("is called `{name}`, a name the clients use themselves"));
    }
    None
}

/// Returns why the name of an open set's value cannot be used. `None` if it can.
pub(super) fn wrong_value(name: &str) -> Option<String> {
    let variant = pascal(name);
    if variant.is_empty() || !variant.is_ascii() || variant.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("gives no name in code".into());
    }
    VARIANT.contains(&variant.as_str()).then(|| format!("gives the name `{variant}`, which every open set has or Rust reserves"))
}

/// Returns the index of an earlier name that is spelled like this one in some language.
pub(super) fn twin(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|earlier| earlier == name || pascal(earlier) == pascal(name))
}
