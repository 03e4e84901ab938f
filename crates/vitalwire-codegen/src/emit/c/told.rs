//! Setters of a client's builder and of a call's options, and accessors of an error.

use serde_json::{Value, json};

use crate::ir::faces::{CALL_OPTIONS, ERROR_FACTS, ErrorFact, Face, Gives, Has, SETTINGS, Takes, Told};
use crate::ir::{Docs, Ir};

/// What the template of the builder's needs.
pub(super) fn settings(ir: &Ir) -> Value {
    let rows = || SETTINGS.iter().filter(|row| row.has(Face::C) == Has::Generated);
    let of_service = ir.services.iter().enumerate().flat_map(|(at, service)| {
        rows().filter(|row| row.of_service).map(move |row| {
            let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
            setter(row, &format!("{prefix}{}", row.name), &row.text().replace("{service}", &service.name))
        })
    });
    let others = rows().filter(|row| !row.of_service).map(|row| setter(row, row.name, &row.text()));
    json!({
        "about": "Settings of a client.",
        "module": "client",
        "object": "vitalwire_client_builder",
        "receiver": "builder",
        "setters": of_service.chain(others).collect::<Vec<_>>(),
    })
}

/// What the template of the options' needs.
pub(super) fn options() -> Value {
    let rows = CALL_OPTIONS.iter().filter(|row| row.has(Face::C) == Has::Generated);
    json!({
        "about": "Options of a call.",
        "module": "options",
        "object": "vitalwire_call_options",
        "receiver": "options",
        "setters": rows.map(|row| setter(row, row.name, &row.text())).collect::<Vec<_>>(),
    })
}

/// A function: what its name ends in, what it takes, and how it tells the core.
fn setter(row: &Told, core: &str, text: &str) -> Value {
    let given = |argument: &str| format!("given.text(\"{core}\", &{argument})");
    let text_of = |argument: &str| (format!("{argument}: vitalwire_str"), given(argument));
    let (verb, end) = match row.takes {
        Takes::Pem | Takes::Path | Takes::Header | Takes::Query => ("add", core.to_owned()),
        Takes::Duration => ("set", format!("{core}_ms")),
        Takes::Style => ("set", "comma_lists".to_owned()),
        _ => ("set", core.to_owned()),
    };
    let (declared, told) = match row.takes {
        Takes::Duration => ("milliseconds: u64".to_owned(), "Duration::from_millis(milliseconds)".to_owned()),
        Takes::Count => ("count: u32".to_owned(), "count".to_owned()),
        Takes::Size => ("count: u32".to_owned(), "usize::try_from(count).unwrap_or(usize::MAX)".to_owned()),
        Takes::Bytes => ("bytes: u64".to_owned(), "bytes".to_owned()),
        Takes::Flag => ("yes: bool".to_owned(), "yes".to_owned()),
        Takes::Factor => ("factor: f64".to_owned(), "factor".to_owned()),
        Takes::Style => ("comma: bool".to_owned(), "if comma { ArrayStyle::Comma } else { ArrayStyle::Repeated }".to_owned()),
        Takes::Header | Takes::Query => {
            ("name: vitalwire_str, value: vitalwire_str".to_owned(), format!("{}, {}", given("name"), given("value")))
        }
        Takes::Provider => {
            ("provider: vitalwire_token_provider, user_data: *mut c_void, destructor: vitalwire_destructor".to_owned(), String::new())
        }
        Takes::Proxy => text_of("url"),
        Takes::Secret => text_of("token"),
        Takes::Pem => text_of("pem"),
        Takes::Path => text_of("path"),
        _ => text_of("text"),
    };
    let (declared, told) = if row.takes == Takes::Switch { (String::new(), String::new()) } else { (declared, told) };
    let text = match row.takes {
        Takes::Duration => format!("{text} In milliseconds."),
        Takes::Provider => format!("{text} `destructor` may be NULL; it ends `user_data` also where NULL is given as provider."),
        Takes::Style => "Whether lists travel in the query as one value with commas instead of a repeated key.".to_owned(),
        Takes::Header => format!("{text} Each call of this adds one."),
        Takes::Query => format!("{text} Each call of this adds one."),
        _ => text.to_owned(),
    };
    let (provider, docs) = (row.takes == Takes::Provider, Docs { text, ..Docs::default() });
    json!({ "verb": verb, "end": end, "core": core, "declared": declared, "told": told, "provider": provider, "docs": docs })
}

/// Of an error.
pub(super) fn facts() -> Vec<Value> {
    ERROR_FACTS.iter().filter(|fact| fact.has(Face::C) == Has::Generated).map(accessor).collect()
}

fn accessor(fact: &ErrorFact) -> Value {
    let kind = match fact.gives {
        Gives::Kind => "kind",
        Gives::Code => "code",
        Gives::Text => "text",
        Gives::Status => "status",
        Gives::Duration => "duration",
        Gives::Count => "count",
        Gives::Flag => "flag",
        Gives::Problem => "problem",
        Gives::Record | Gives::Rust => "none",
    };
    let text = match fact.gives {
        Gives::Code => "The code that the function returned; VITALWIRE_OK for NULL.".to_owned(),
        Gives::Kind => "The code's name, the same in every language, for example `rate_limited`.".to_owned(),
        Gives::Duration => format!("{} In milliseconds.", fact.about),
        Gives::Problem => format!("{} NULL otherwise.", fact.about),
        _ => fact.about.to_owned(),
    };
    json!({ "name": fact.name, "kind": kind, "docs": Docs { text, ..Docs::default() } })
}
