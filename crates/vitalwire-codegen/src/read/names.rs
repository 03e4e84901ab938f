//! Checks of names: which ones can be generated, and which are reserved.

use crate::ir::features::CALL_OPTIONS;
use crate::naming::{is_snake, pascal, snake};
use crate::python::spelling as python;
use crate::rust::spelling as rust;

/// Fields of every model, and local variables of its decoder.
const RESERVED_FIELDS: [&str; 5] = ["basis", "extra", "index_of", "key", "members"];

/// Methods of calls and parameters. `body` is the argument for the body of every request.
pub const RESERVED_PARAMETERS: [&str; 26] = [
    "and_wait",
    "attempt_timeout",
    "bind_connections",
    "body",
    "cancel_token",
    "connect_timeout",
    "current_options",
    "into_parts",
    "lazy_response",
    "map_parameters",
    "max_retries",
    "new",
    "options",
    "partial_table",
    "prepare_upload",
    "range",
    "raw",
    "send",
    "send_blocking",
    "send_guarded",
    "split",
    "table",
    "table_columns",
    "tables",
    "timeout",
    "with_invalid_argument",
];

/// Methods of the client.
const RESERVED_GROUPS: [&str; 7] = ["builder", "clone", "execute", "from_env", "from_inner", "inner", "request"];

/// Files next to those of the resources in some language, such as `Maps.kt` or `client.md`.
pub const RESERVED_FILES: [&str; 20] = [
    "calls",
    "client",
    "cohort",
    "dask",
    "dlt",
    "errors",
    "mock_responses",
    "names",
    "operations",
    "plot",
    "polars",
    "ranges",
    "ray",
    "sandbox",
    "spark",
    "studies",
    "syncs",
    "tables",
    "types",
    "webhooks",
];

/// Methods of a resource.
const RESERVED_METHODS: [&str; 1] = ["new"];

/// Methods of a number map.
const RESERVED_KEYS: [&str; 8] = ["at", "clone", "extra", "get", "get_text", "is_empty", "iter", "len"];

/// Names of core and Rust types, and of one file, in generated code. A schema of the same name would conflict with them.
const RESERVED_TYPES: [&str; 43] = [
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
    "Maps",
    "None",
    "Number",
    "NumberMap",
    "ObjectAccess",
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
const RESERVED_VARIANTS: [&str; 2] = ["Self", "Unrecognized"];

#[derive(Clone, Copy)]
pub(super) enum NameUse {
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
pub(super) fn name_error(name: &str, name_use: NameUse) -> Option<String> {
    if name.is_empty() || !name.is_ascii() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Some(format!("the name `{name}` is not an identifier"));
    }
    let reserved: &[&str] = match name_use {
        NameUse::Member => &RESERVED_FIELDS,
        NameUse::Parameter => &RESERVED_PARAMETERS,
        NameUse::Group => &RESERVED_GROUPS,
        NameUse::Method => &RESERVED_METHODS,
        NameUse::Number => &RESERVED_KEYS,
        NameUse::Operation => &[],
    };
    let keyword = matches!(name_use, NameUse::Parameter) && CALL_OPTIONS.iter().any(|option| option.keyword() == name);
    if matches!(name_use, NameUse::Group) && RESERVED_FILES.contains(&name) {
        return Some(format!("the name `{name}` is reserved for another generated file"));
    }
    if keyword || reserved.contains(&name) {
        return Some(format!("the name `{name}` is reserved by the clients"));
    }
    match name_use {
        // Languages that reserve these words escape them in fields and parameters.
        NameUse::Member | NameUse::Parameter => {
            let rust = rust::name(name);
            syn::parse_str::<syn::Ident>(&rust).is_err().then(|| format!("the name `{name}` is reserved by Rust"))
        }
        // These become parts of method, file and module names, so they must be valid in all languages.
        NameUse::Operation | NameUse::Group | NameUse::Method | NameUse::Number => {
            let changed = rust::name(name) != name || python::name(name) != name;
            (changed || syn::parse_str::<syn::Ident>(name).is_err()).then(|| format!("the name `{name}` is a keyword"))
        }
    }
}

/// Returns why an `operationId`, group or method cannot be used. `None` if it can.
pub(super) fn word_error(name: &str, name_use: NameUse) -> Option<String> {
    if is_snake(name) { name_error(name, name_use) } else { Some(format!("`{name}` must be in lower snake case")) }
}

/// Returns why the name of a component schema or key type cannot be used. `None` if it can.
pub(super) fn type_name_error(name: &str) -> Option<String> {
    let upper =
        name.starts_with(|first: char| first.is_ascii_uppercase()) && name.chars().all(|character| character.is_ascii_alphanumeric());
    if !upper {
        return Some(format!("`{name}` must be in UpperCamelCase"));
    }
    let file = snake(name);
    if RESERVED_TYPES.contains(&name) || name.ends_with("Params") || rust::name(&file) != file {
        return Some(format!("the name `{name}` is reserved by the clients"));
    }
    None
}

/// Returns why the name of an open set's value cannot be used. `None` if it can.
pub(super) fn value_name_error(name: &str) -> Option<String> {
    let variant = pascal(name);
    if variant.is_empty() || !variant.is_ascii() || variant.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("needs a name in code".into());
    }
    RESERVED_VARIANTS.contains(&variant.as_str()).then(|| format!("the name `{variant}` is reserved"))
}

/// Returns the index of an earlier name that is spelled like this one in some language.
pub(super) fn find_duplicate(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|earlier| earlier == name || pascal(earlier) == pascal(name))
}
