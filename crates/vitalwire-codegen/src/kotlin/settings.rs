//! Client settings, call options and error fields in Kotlin.

use serde::Serialize;

use super::spelling::name;
use crate::ir::faces::{CALL_OPTIONS, ERROR_FACTS, ErrorFact, Face, Gives, Has, SETTINGS, Setting, Takes};
use crate::ir::{Docs, Ir};

/// Fields of a builder.
#[derive(Debug, Serialize)]
pub(super) struct Fields {
    fields: Vec<Field>,
}

/// A setting or an option.
#[derive(Debug, Serialize)]
struct Field {
    name: String,
    ty: &'static str,
    default: &'static str,
    docs: Docs,
    duration: bool,
    /// Whether it is internal, for tests of the package.
    hidden: bool,
    /// Name of the function that adds a name and a value; empty if there is none.
    adds: &'static str,
    /// Name and value of the argument of the native record.
    native: String,
    given: String,
}

/// Returns the client settings. Settings of a service appear once per service.
pub(super) fn settings(ir: &Ir) -> Fields {
    let rows = || SETTINGS.iter().filter(|row| row.has(Face::Kotlin) == Has::Generated);
    let of_service = ir.services.iter().enumerate().flat_map(|(at, service)| {
        rows().filter(|row| row.of_service).map(move |row| {
            let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
            Field::new(row, &format!("{prefix}{}", row.name), &row.text().replace("{service}", &service.name))
        })
    });
    let others = rows().filter(|row| !row.of_service).map(|row| Field::new(row, row.name, &row.text()));
    Fields { fields: of_service.chain(others).collect() }
}

/// Returns the call options.
pub(super) fn call_options() -> Fields {
    let rows = CALL_OPTIONS.iter().filter(|row| row.has(Face::Kotlin) == Has::Generated);
    Fields { fields: rows.map(|row| Field::new(row, row.name, &row.text())).collect() }
}

impl Field {
    fn new(row: &Setting, core: &str, text: &str) -> Self {
        let off = row.takes == Takes::Switch || row.takes == Takes::Flag && row.is_off();
        let (ty, default, through) = match row.takes {
            _ if off => ("Boolean", "false", ""),
            Takes::Duration => ("Duration?", "null", "?.crossing()"),
            Takes::Count | Takes::Size => ("Int?", "null", "?.crossing()"),
            Takes::Bytes => ("Long?", "null", "?.crossing()"),
            Takes::Flag => ("Boolean?", "null", ""),
            Takes::Factor => ("Double?", "null", ""),
            Takes::Style => ("ArrayStyle?", "null", "?.native"),
            Takes::Header => ("Map<String, String>", "emptyMap()", ".map { (name, value) -> NameAndValue(name, value) }"),
            Takes::Query => ("List<Pair<String, String>>", "emptyList()", ".map { (name, value) -> NameAndValue(name, value) }"),
            Takes::Path => ("File?", "null", "?.path"),
            _ => ("String?", "null", ""),
        };
        let adds = match row.takes {
            Takes::Header => "header",
            Takes::Query => "query",
            _ => "",
        };
        let spelt = if row.takes == Takes::Header { row.keyword() } else { core };
        let own = name(spelt);
        let native = if row.takes == Takes::Duration { name(&format!("{core}_ms")) } else { own.clone() };
        let duration = row.takes == Takes::Duration;
        Self {
            given: format!("{own}{through}"),
            name: own,
            ty,
            default,
            docs: Docs { text: text.to_owned(), ..Docs::default() },
            duration,
            hidden: row.hidden,
            adds,
            native,
        }
    }
}

/// A field of an error.
#[derive(Debug, Serialize)]
pub(super) struct Fact {
    name: String,
    ty: &'static str,
    duration: bool,
    docs: Docs,
    /// Expression for the value, from `info`.
    made: String,
    /// Value in an error that is created in Kotlin.
    default: &'static str,
}

impl Fact {
    pub(super) fn all() -> Vec<Self> {
        let own = |fact: &&ErrorFact| fact.has(Face::Kotlin) == Has::Generated && !matches!(fact.gives, Gives::Code | Gives::Kind);
        ERROR_FACTS.iter().filter(own).map(Self::new).collect()
    }

    fn new(fact: &ErrorFact) -> Self {
        let native = format!("info.{}", name(fact.name));
        let (ty, made, default) = match fact.gives {
            Gives::Status => ("Int?", format!("{native}?.toInt()"), "null"),
            Gives::Duration => ("Duration?", format!("{native}Ms?.shown()"), "null"),
            Gives::Count => ("Int", format!("{native}.toInt()"), "0"),
            Gives::Flag => ("Boolean", native, "false"),
            Gives::Bytes => ("ByteArray?", native, "null"),
            Gives::Problem => ("ProblemDetails?", format!("{native}?.shown()"), "null"),
            Gives::Record => ("AwaitableRecord?", format!("{native}?.shown()"), "null"),
            Gives::Kind | Gives::Code | Gives::Text | Gives::Rust => ("String?", native, "null"),
        };
        let spelt = if fact.gives == Gives::Record { "last_record" } else { fact.name };
        let docs = Docs { text: fact.about.to_owned(), ..Docs::default() };
        Self { name: name(spelt), ty, duration: fact.gives == Gives::Duration, docs, made, default }
    }
}
