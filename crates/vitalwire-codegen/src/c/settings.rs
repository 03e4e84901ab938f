//! Setters of client builders and call options, and accessors of errors.

use serde_json::{Value, json};

use crate::ir::faces::{CALL_OPTIONS, ERROR_FACTS, ErrorFact, Face, Gives, Has, SETTINGS, Setting, Takes};
use crate::ir::{Docs, Ir};

/// A setter function.
pub(crate) struct Setter {
    pub(crate) row: &'static Setting,
    /// Name of the core's setter.
    core: String,
    /// Name of its service, if each service has its own.
    service: String,
}

impl Setter {
    /// Creates a setter for a row with the core's name.
    pub(crate) fn of(row: &'static Setting, core: String) -> Self {
        Self { row, core, service: String::new() }
    }

    fn plain(row: &'static Setting) -> Self {
        Self::of(row, row.name.to_owned())
    }

    /// Returns the documentation, with further sentences before the default.
    pub(crate) fn text(&self, further: &str) -> String {
        self.row.text_with(further).replace("{service}", &self.service)
    }

    /// Returns the verb, which follows the object's name.
    pub(crate) fn verb(&self) -> &'static str {
        if matches!(self.row.takes, Takes::Pem | Takes::Path | Takes::Header | Takes::Query) { "add" } else { "set" }
    }

    /// Returns the end of the function's name.
    pub(crate) fn end(&self) -> String {
        match self.row.takes {
            Takes::Duration => format!("{}_ms", self.core),
            Takes::Style => "comma_lists".to_owned(),
            _ => self.core.clone(),
        }
    }
}

/// Returns the setters of a client builder.
pub(crate) fn setters_of_client(ir: &Ir) -> Vec<Setter> {
    let rows = || SETTINGS.iter().filter(|row| row.has(Face::C) == Has::Generated);
    let of_service = ir.services.iter().enumerate().flat_map(|(at, service)| {
        rows().filter(|row| row.of_service).map(move |row| {
            let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
            Setter { row, core: format!("{prefix}{}", row.name), service: service.name.clone() }
        })
    });
    of_service.chain(rows().filter(|row| !row.of_service).map(Setter::plain)).collect()
}

/// Returns the setters of call options.
pub(crate) fn setters_of_call() -> Vec<Setter> {
    CALL_OPTIONS.iter().filter(|row| row.has(Face::C) == Has::Generated).map(Setter::plain).collect()
}

/// Returns the template's values for the client builder.
pub(super) fn settings(ir: &Ir) -> Value {
    json!({
        "about": "Settings of a client.",
        "module": "client",
        "object": "vitalwire_client_builder",
        "receiver": "builder",
        "setters": setters_of_client(ir).iter().map(setter).collect::<Vec<_>>(),
    })
}

/// Returns the template's values for call options.
pub(super) fn options() -> Value {
    json!({
        "about": "Options of a call.",
        "module": "options",
        "object": "vitalwire_call_options",
        "receiver": "options",
        "setters": setters_of_call().iter().map(setter).collect::<Vec<_>>(),
    })
}

/// Documentation of an enum that is a boolean in C.
pub(crate) const STYLE: &str = "Encodes lists in query strings as one value with commas instead of repeated keys. Defaults to false.";

/// Returns the template's values for a setter.
fn setter(of: &Setter) -> Value {
    let Setter { row, core, .. } = of;
    let given = |argument: &str| format!("arguments.text(\"{core}\", &{argument})");
    let text_of = |argument: &str| (format!("{argument}: vitalwire_str"), given(argument));
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
        Takes::Duration => of.text("In milliseconds."),
        Takes::Provider => of.text("`destructor` may be NULL. It releases `user_data`, also if the provider is NULL."),
        Takes::Style => STYLE.to_owned(),
        Takes::Header | Takes::Query => of.text("Can be called repeatedly to add more."),
        _ => of.text(""),
    };
    let (provider, docs) = (row.takes == Takes::Provider, Docs { text, ..Docs::default() });
    json!({
        "hidden": row.hidden,
        "verb": of.verb(),
        "end": of.end(),
        "core": core,
        "declared": declared,
        "told": told,
        "provider": provider,
        "docs": docs,
    })
}

/// Returns the template's values for the accessors of an error.
pub(super) fn facts() -> Vec<Value> {
    accessors(|fact| match fact.gives {
        Gives::Code => "Code that the function returned; VITALWIRE_OK for NULL.".to_owned(),
        Gives::Kind => KIND.to_owned(),
        Gives::Duration => format!("{} In milliseconds.", fact.about),
        Gives::Problem => format!("{} NULL otherwise.", fact.about),
        _ => fact.about.to_owned(),
    })
}

/// Documentation of the name of an error's code.
pub(crate) const KIND: &str = "Name of the code, the same in every language, for example `rate_limited`.";

/// Returns the template's values for the accessors of an error, with documentation from `text`.
pub(crate) fn accessors(text: impl Fn(&ErrorFact) -> String) -> Vec<Value> {
    ERROR_FACTS.iter().filter(|fact| fact.has(Face::C) == Has::Generated).map(|fact| accessor(fact, text(fact))).collect()
}

fn accessor(fact: &ErrorFact, text: String) -> Value {
    let kind = match fact.gives {
        Gives::Kind => "kind",
        Gives::Code => "code",
        Gives::Text => "text",
        Gives::Status => "status",
        Gives::Duration => "duration",
        Gives::Count => "count",
        Gives::Flag => "flag",
        Gives::Problem => "problem",
        Gives::Bytes => "bytes",
        Gives::Record | Gives::Rust => "none",
    };
    json!({ "name": fact.name, "kind": kind, "docs": Docs { text, ..Docs::default() } })
}
