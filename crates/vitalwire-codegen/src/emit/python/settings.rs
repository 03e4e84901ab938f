//! Settings of a client: what its constructor takes.

use super::methods::Argument;
use super::style::Style;

/// A setting; what is not given keeps its default.
struct Setting {
    name: &'static str,
    /// Its type in the extension.
    rust: &'static str,
    /// Its annotation.
    python: &'static str,
}

const fn setting(name: &'static str, rust: &'static str, python: &'static str) -> Setting {
    Setting { name, rust, python }
}

/// The first may be given by position; `Provider` stands for what a client calls for a token.
const SETTINGS: [Setting; 15] = [
    setting("base_url", "Option<String>", "str | None"),
    setting("care_base_url", "Option<String>", "str | None"),
    setting("token", "Option<Source>", "str | Provider | None"),
    setting("care_token", "Option<Source>", "str | Provider | None"),
    setting("timeout", "Option<Seconds>", "float | _datetime.timedelta | None"),
    setting("max_retries", "Option<Count>", "int | None"),
    setting("proxy", "Option<String>", "str | None"),
    setting("ca_certificate", "Option<Certificates>", "_Buffer | str | _os.PathLike[str] | None"),
    setting("allow_plain_http", "bool", "bool"),
    setting("array_style", "Option<String>", "_Literal[\"repeated\", \"comma\"] | None"),
    setting("user_agent", "Option<String>", "str | None"),
    setting("max_connections", "Option<Count>", "int | None"),
    setting("max_response_bytes", "Option<Count>", "int | None"),
    setting("gzip", "Option<bool>", "bool | None"),
    setting("local_checks", "Option<bool>", "bool | None"),
];

/// The arguments of a client's constructor.
pub(super) fn of(style: &Style) -> Vec<Argument> {
    let provider = match style.is_async {
        true => "_Callable[[_Reason], str | Token | _Awaitable[str | Token]]",
        false => "_Callable[[_Reason], str | Token]",
    };
    let argument = |setting: &Setting| {
        let (default, rust_default) = if setting.rust == "bool" { ("False", "false") } else { ("None", "None") };
        Argument {
            name: setting.name.into(),
            annotation: setting.python.replace("Provider", provider),
            default: Some(default),
            rust: setting.name.into(),
            rust_type: setting.rust.into(),
            rust_default: Some(rust_default),
        }
    };
    SETTINGS.iter().map(argument).collect()
}
