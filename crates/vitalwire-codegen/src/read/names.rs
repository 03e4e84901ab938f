//! Names that the clients can be given, and names that they need themselves.

use crate::ir::faces::CALL_OPTIONS;
use crate::naming::{is_snake, pascal, snake};
use crate::python::spelling as python;
use crate::rust::spelling as rust;

/// Members of every model, and locals of the code that reads one.
const MODEL: [&str; 5] = ["basis", "extra", "index_of", "key", "members"];

/// Methods of a call and of its parameters; `body` is the body's name in every request.
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

/// Files that stand beside those of the resources in some language: `Maps.kt`, `client.md`.
pub const BESIDE: [&str; 7] = ["calls", "client", "errors", "names", "operations", "plot", "sandbox"];

/// Methods of a resource.
const METHOD: [&str; 1] = ["new"];

/// Methods of a number map.
const NUMBER: [&str; 8] = ["at", "clone", "extra", "get", "get_text", "is_empty", "iter", "len"];

/// Types and a file of the core, and types of Rust, that generated files name; a schema of such a name would be shadowed or would shadow.
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
    "Id",
    "Json",
    "Kind",
    "ListMember",
    "MapAccess",
    "Maps",
    "Members",
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

/// What a name is for.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// A member of an object.
    Member,
    /// A parameter, or a member of a request body.
    Parameter,
    /// `operationId`.
    Operation,
    /// `x-vitalwire-group`.
    Group,
    /// `x-vitalwire-method`.
    Method,
    /// A name of a number map.
    Number,
}

/// What is wrong with a name, in snake case, for a use.
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
        // Members and parameters get an underscore or quotes in the languages where they are keywords.
        Use::Member | Use::Parameter => {
            let rust = rust::name(name);
            syn::parse_str::<syn::Ident>(&rust).is_err().then(|| format!("is called `{name}`, which Rust reserves"))
        }
        // These are parts of names of methods, files and modules, the same in all languages.
        Use::Operation | Use::Group | Use::Method | Use::Number => {
            let changed = rust::name(name) != name || python::name(name) != name;
            (changed || syn::parse_str::<syn::Ident>(name).is_err()).then(|| format!("is called `{name}`, a keyword"))
        }
    }
}

/// What is wrong with an `operationId`, group or method.
pub(super) fn wrong_word(name: &str, of: Use) -> Option<String> {
    if is_snake(name) { wrong(name, of) } else { Some(format!("`{name}` is not lower snake case")) }
}

/// What is wrong with the name of a component schema or key type.
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

/// What is wrong with the name of a value of an open set.
pub(super) fn wrong_value(name: &str) -> Option<String> {
    let variant = pascal(name);
    if variant.is_empty() || !variant.is_ascii() || variant.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("gives no name in code".into());
    }
    VARIANT.contains(&variant.as_str()).then(|| format!("gives the name `{variant}`, which every open set has or Rust reserves"))
}

/// Two names that are one in some language: which of the earlier names a later one is equal to.
pub(super) fn twin(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|earlier| earlier == name || pascal(earlier) == pascal(name))
}
