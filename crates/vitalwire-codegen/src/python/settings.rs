//! Settings of a client: what its constructor takes.

use serde_json::{Value, json};

use super::methods::Argument;
use super::options::{STYLE, told};
use super::style::Style;
use crate::ir::Ir;
use crate::ir::faces::{Face, Has, SETTINGS, Setting, Takes};

/// A setting, of one service where each has its own.
struct NamedSetting {
    name: String,
    service: String,
    row: &'static Setting,
}

/// In the order of the rows, those of services first; the first may be given by position.
fn settings(ir: &Ir) -> Vec<NamedSetting> {
    let rows = || SETTINGS.iter().filter(|row| row.has(Face::Python) == Has::Generated);
    let of_service = rows().filter(|row| row.of_service).flat_map(|row| {
        ir.services.iter().enumerate().map(move |(at, service)| NamedSetting {
            name: if at == 0 { row.name.to_owned() } else { format!("{}_{}", service.name, row.name) },
            service: service.name.clone(),
            row,
        })
    });
    let others = rows().filter(|row| !row.of_service).map(|row| NamedSetting { name: row.name.to_owned(), service: String::new(), row });
    of_service.chain(others).collect()
}

/// Its types in the extension and as an annotation; `Provider` stands for what a client calls for a token.
fn types(row: &Setting) -> (&'static str, &'static str) {
    match row.takes {
        Takes::Secret => ("Option<Source>", "str | Provider | None"),
        Takes::Duration => ("Option<Seconds>", "float | _datetime.timedelta | None"),
        Takes::Count | Takes::Size | Takes::Bytes => ("Option<Count>", "int | None"),
        Takes::Factor => ("Option<f64>", "float | None"),
        Takes::Flag if row.is_off() => ("bool", "bool"),
        Takes::Flag => ("Option<bool>", "bool | None"),
        Takes::Style => ("Option<String>", STYLE),
        Takes::Pem => ("Option<Certificates>", "_Buffer | str | _os.PathLike[str] | None"),
        Takes::MockResponses => ("Option<MockSetting>", "MockResponses | None"),
        Takes::Hook => ("Option<Hook>", "_Callable[[Attempt], object] | None"),
        _ => ("Option<String>", "str | None"),
    }
}

/// The arguments of a client's constructor.
pub(super) fn of(ir: &Ir, style: &Style) -> Vec<Argument> {
    let provider = match style.is_async {
        true => "_Callable[[_Reason], str | Token | _Awaitable[str | Token]]",
        false => "_Callable[[_Reason], str | Token]",
    };
    let argument = |setting: NamedSetting| {
        let (rust, python) = types(setting.row);
        let (default, rust_default) = if rust == "bool" { ("False", "false") } else { ("None", "None") };
        Argument {
            name: setting.name.clone(),
            annotation: python.replace("Provider", provider),
            default: Some(default),
            rust: setting.name,
            rust_type: rust.into(),
            rust_default: Some(rust_default),
        }
    };
    settings(ir).into_iter().map(argument).collect()
}

/// What docstrings say of them, a paragraph for each.
pub(super) fn about(ir: &Ir) -> String {
    let paragraphs = settings(ir).into_iter().map(|setting| {
        let further = match setting.row.takes {
            Takes::Secret => {
                "It may also be a callable that is called when a token is needed. It receives the reason (`\"missing\"`, \
                 `\"expiring\"`, `\"rejected\"`) and returns text or a `Token`. That of an `AsyncClient` may be async."
            }
            Takes::Proxy => "`\"none\"` disables proxies.",
            Takes::Pem => "It may also be the path of a file. The file or folder that `REQUESTS_CA_BUNDLE` names is always trusted.",
            Takes::Hook => "It receives an `Attempt` and may make calls itself. Its exceptions go to `sys.unraisablehook`.",
            _ => "",
        };
        format!("{}: {}", setting.name, setting.row.text_with(further).replace("{service}", &setting.service))
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// How settings are given to the core: name here, name there, kind. Attempts are told to the logger too, so not from here.
pub(super) fn given(ir: &Ir) -> Vec<Value> {
    settings(ir)
        .iter()
        .filter(|setting| setting.row.takes != Takes::Hook)
        .map(|setting| one(&setting.name, setting.row, &setting.name))
        .collect()
}

/// The same of options of a call.
pub(super) fn given_to_call() -> Vec<Value> {
    let option = |row: &'static Setting| {
        let mut option = one(row.keyword(), row, row.name);
        // Texts are borrowed here, and passed by value to settings that own a copy.
        if row.takes == Takes::Text {
            option["kind"] = "plain".into();
        }
        option
    };
    told().filter(|row| row.takes != Takes::Cancel).map(option).collect()
}

fn one(name: &str, row: &Setting, core: &str) -> Value {
    let kind = match row.takes {
        Takes::Duration => "duration",
        Takes::Count | Takes::Size | Takes::Bytes => "count",
        Takes::Flag if row.is_off() => "off",
        Takes::Flag | Takes::Factor => "plain",
        Takes::Style => "style",
        Takes::Pem => "certificates",
        Takes::Proxy => "proxy",
        Takes::Header | Takes::Query => "pairs",
        Takes::Secret if row.of_service => "source",
        Takes::MockResponses => "mock_responses",
        _ => "text",
    };
    json!({ "name": name, "core": core, "kind": kind })
}
