//! Settings of a client, as arguments of its constructor.

use serde_json::{Value, json};

use super::methods::Argument;
use super::options::Signature;
use super::style::Style;
use crate::ir::Ir;
use crate::ir::features::{GeneratedSetting, Language, Setting, ValueType, call_options, client_settings_by_row};

/// Returns the settings in the order of the rows. The first is positional.
fn settings(ir: &Ir) -> Vec<GeneratedSetting<'_>> {
    client_settings_by_row(ir, Language::Python)
}

/// Returns the arguments of a client's constructor.
pub(super) fn arguments(ir: &Ir, style: &Style) -> Vec<Argument> {
    let provider = match style.is_async {
        true => "_Callable[[_Reason], str | Token | _Awaitable[str | Token]]",
        false => "_Callable[[_Reason], str | Token]",
    };
    let argument = |setting: GeneratedSetting<'_>| {
        let argument = Argument::option(&setting.name, Signature::new(setting.row, "Option<String>"));
        Argument { annotation: argument.annotation.replace("Provider", provider), ..argument }
    };
    settings(ir).into_iter().map(argument).collect()
}

/// Returns a docstring paragraph for each setting.
pub(super) fn about(ir: &Ir) -> String {
    let paragraphs = settings(ir).into_iter().map(|setting| {
        let further = match setting.row.value_type {
            ValueType::Secret => {
                "It may also be a callable. It receives the reason for which a token is needed (`\"missing\"`, `\"expiring\"`, \
                 `\"rejected\"`) and returns a `str` or a `Token`. An `AsyncClient` also accepts an async function."
            }
            ValueType::Proxy => "`\"none\"` disables proxies.",
            ValueType::Pem if setting.row.secret => {
                "It may also be the path of a file, which is read when the client is created. Make the file readable only by its owner."
            }
            ValueType::Pem => "It may also be the path of a file. Certificates in `REQUESTS_CA_BUNDLE` are always trusted.",
            ValueType::Hook => "It receives an `Attempt` and may make calls. Its exceptions are passed to `sys.unraisablehook`.",
            _ => "",
        };
        format!("{}: {}", setting.name, setting.text_with(further))
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns the setters of a client's settings in the core, except the attempt callback. The extension sets that itself, because it also
/// logs attempts.
pub(super) fn client_setters(ir: &Ir) -> Vec<Value> {
    settings(ir)
        .iter()
        .filter(|setting| setting.row.value_type != ValueType::Hook)
        .map(|setting| setter(&setting.name, setting.row, &setting.name))
        .collect()
}

/// Returns the setters of a call's options in the core.
pub(super) fn call_setters() -> Vec<Value> {
    let option = |row: &'static Setting| {
        let mut option = setter(row.keyword(), row, row.name);
        // Options borrow texts. Settings that own a copy take them by value.
        if row.value_type == ValueType::Text {
            option["kind"] = "plain".into();
        }
        option
    };
    call_options(Language::Python).map(|option| option.row).filter(|row| row.value_type != ValueType::Cancel).map(option).collect()
}

fn setter(name: &str, row: &Setting, core: &str) -> Value {
    let kind = match row.value_type {
        ValueType::Duration => "duration",
        ValueType::Count | ValueType::Size | ValueType::Bytes => "count",
        ValueType::Flag if row.is_off_by_default() => "off",
        ValueType::Flag | ValueType::Factor => "plain",
        ValueType::Style => "style",
        ValueType::Pem if row.secret => "client_certificate",
        ValueType::Pem => "certificates",
        ValueType::Proxy => "proxy",
        ValueType::Header | ValueType::Query => "pairs",
        ValueType::Secret if row.per_service => "source",
        ValueType::MockResponses => "mock_responses",
        _ => "text",
    };
    json!({ "name": name, "core": core, "kind": kind })
}
