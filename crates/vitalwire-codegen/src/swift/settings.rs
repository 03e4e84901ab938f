//! Swift client settings, call options and error fields.

use serde::Serialize;

use super::spelling;
use crate::ir::faces::{CALL_OPTIONS, ERROR_FACTS, ErrorFact, Face, Gives, Has, SETTINGS, Setting, Takes};
use crate::ir::{Docs, Ir};
use crate::naming::camel;
use crate::uniffi::settings::{CALL, CLIENT};

/// The option types `ClientOptions` and `CallOptions`.
#[derive(Debug, Serialize)]
pub(super) struct Options {
    records: Vec<Record>,
}

#[derive(Debug, Serialize)]
struct Record {
    name: &'static str,
    about: &'static str,
    fields: Vec<Field>,
}

#[derive(Debug, Serialize)]
struct Field {
    name: String,
    ty: &'static str,
    default: &'static str,
    docs: Docs,
    /// Whether the option is only for tests of this package. It is not public and not in the initializer.
    hidden: bool,
    /// Label of the native argument.
    native: String,
    /// Expression that converts the option to the native value.
    given: String,
}

impl Options {
    pub(super) fn new(ir: &Ir) -> Self {
        let rows = || SETTINGS.iter().filter(|row| row.has(Face::Swift) == Has::Generated);
        let of_service = ir.services.iter().enumerate().flat_map(|(at, service)| {
            rows().filter(|row| row.of_service).map(move |row| {
                let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
                Field::new(row, &format!("{prefix}{}", row.name), row.text().replace("{service}", &service.name))
            })
        });
        let client = of_service.chain(rows().filter(|row| !row.of_service).map(|row| Field::new(row, row.name, row.text())));
        let call = CALL_OPTIONS.iter().filter(|row| row.has(Face::Swift) == Has::Generated);
        let call = call.map(|row| Field::new(row, row.name, row.text()));
        let client = Record { name: "ClientOptions", about: CLIENT, fields: client.collect() };
        let call = Record { name: "CallOptions", about: CALL, fields: call.collect() };
        Self { records: vec![client, call] }
    }
}

impl Field {
    fn new(row: &Setting, core: &str, text: String) -> Self {
        let off = row.takes == Takes::Switch || row.takes == Takes::Flag && row.is_off();
        let url = core.ends_with("url") || row.takes == Takes::Proxy;
        let (ty, default, through) = match row.takes {
            _ if off => ("Bool", "false", ""),
            _ if url => ("URL?", "nil", "?.absoluteString"),
            Takes::Duration => ("Duration?", "nil", "?.unsignedMilliseconds"),
            Takes::Count | Takes::Size => ("Int?", "nil", ".map { UInt32(clamping: $0) }"),
            Takes::Bytes => ("Int?", "nil", ".map { UInt64(clamping: $0) }"),
            Takes::Flag => ("Bool?", "nil", ""),
            Takes::Factor => ("Double?", "nil", ""),
            Takes::Style => ("ArrayStyle?", "nil", "?.native"),
            Takes::Header => ("[String: String]", "[:]", ".map { .init(name: $0.key, value: $0.value) }"),
            Takes::Query => ("[URLQueryItem]", "[]", ".map { .init(name: $0.name, value: $0.value ?? \"\") }"),
            Takes::Path => ("URL?", "nil", "?.path"),
            _ => ("String?", "nil", ""),
        };
        let spelt = if row.takes == Takes::Header { row.keyword() } else { core };
        let name = spelling::name(spelt);
        let native = if row.takes == Takes::Duration { camel(&format!("{core}_ms")) } else { camel(spelt) };
        Self { given: format!("{name}{through}"), hidden: row.hidden, name, ty, default, docs: Docs { text, ..Docs::default() }, native }
    }
}

/// A field of `VitalwireError`.
#[derive(Debug, Serialize)]
pub(super) struct ErrorField {
    name: String,
    ty: &'static str,
    docs: Docs,
    /// Expression that reads the field from the native `info`.
    made: String,
    /// Value of the field in an error that is detected in Swift.
    default: &'static str,
}

impl ErrorField {
    pub(super) fn all() -> Vec<Self> {
        ERROR_FACTS.iter().filter(|fact| fact.has(Face::Swift) == Has::Generated && fact.name != "code").map(Self::new).collect()
    }

    fn new(fact: &ErrorFact) -> Self {
        let native = format!("info.{}", camel(fact.name));
        let (ty, made, default) = match fact.gives {
            Gives::Kind => ("ErrorKind", "ErrorKind(rawValue: Int(info.code))".to_owned(), "kind"),
            Gives::Status => ("Int?", format!("{native}.map {{ Int($0) }}"), "nil"),
            Gives::Duration => ("Duration?", format!("{native}Ms.map {{ .milliseconds(Int64(clamping: $0)) }}"), "nil"),
            Gives::Count => ("Int", format!("Int({native})"), "0"),
            Gives::Flag => ("Bool", native, "false"),
            Gives::Bytes => ("Data?", native, "nil"),
            Gives::Problem => ("ProblemDetails?", format!("{native}.map {{ ProblemDetails($0) }}"), "nil"),
            Gives::Record => ("LastRecord?", format!("{native}.flatMap {{ LastRecord($0) }}"), "nil"),
            Gives::Code | Gives::Text | Gives::Rust => ("String?", native, "nil"),
        };
        let name = if fact.gives == Gives::Record { "lastRecord".to_owned() } else { spelling::name(fact.name) };
        Self { name, ty, docs: Docs { text: without_wire_example(fact.about), ..Docs::default() }, made, default }
    }
}

/// Removes the example from a text if it is spelled as on the wire.
fn without_wire_example(about: &str) -> String {
    match about.split_once(", for example `") {
        Some((text, example)) if example.contains('_') => format!("{text}."),
        _ => about.to_owned(),
    }
}
