//! Client settings from environment variables.

use std::ffi::OsString;
use std::time::Duration;

use super::{ArrayStyle, ClientBuilder};
use crate::error::Error;
use crate::operation::Interface;
use crate::transport::proxy::NOT_UTF8;

/// Applies the value of a variable to the builder.
type Apply = fn(ClientBuilder, &str) -> Result<ClientBuilder, &'static str>;

/// Variables of every interface without their prefix, in the order in which they are applied. Variables of services are applied first.
const VARIABLES: [(&str, Apply); 14] = [
    ("PROXY", |builder, value| Ok(if value == "none" { builder.no_proxy() } else { builder.proxy(value) })),
    ("ONLY_CUSTOM_CERTIFICATES", |builder, value| Ok(builder.only_custom_certificates(parse_bool(value)?))),
    ("PINNED_KEYS", |builder, value| Ok(builder.pinned_keys(value))),
    ("CONNECT_TIMEOUT", |builder, value| Ok(builder.connect_timeout(parse_seconds(value)?))),
    ("ATTEMPT_TIMEOUT", |builder, value| Ok(builder.attempt_timeout(parse_seconds(value)?))),
    ("TIMEOUT", |builder, value| Ok(builder.timeout(parse_seconds(value)?))),
    ("MAX_RETRIES", |builder, value| Ok(builder.max_retries(value.parse().map_err(|_| "must be a whole number")?))),
    ("MAX_CONNECTIONS", |builder, value| Ok(builder.max_connections(value.parse().map_err(|_| "must be a whole number")?))),
    ("MAX_RESPONSE_BYTES", |builder, value| Ok(builder.max_response_bytes(value.parse().map_err(|_| "must be a whole number")?))),
    ("USER_AGENT", |builder, value| Ok(builder.user_agent(value))),
    ("ARRAY_STYLE", |builder, value| match value {
        "repeated" => Ok(builder.array_style(ArrayStyle::Repeated)),
        "comma" => Ok(builder.array_style(ArrayStyle::Comma)),
        _ => Err("must be 'repeated' or 'comma'"),
    }),
    ("CLIENT_SIDE_VALIDATION", |builder, value| Ok(builder.client_side_validation(parse_bool(value)?))),
    ("STRICT_LISTS", |builder, value| Ok(builder.strict_lists(parse_bool(value)?))),
    ("ALLOW_PLAIN_HTTP", |builder, value| Ok(builder.allow_plain_http(parse_bool(value)?))),
];

/// Applies the content of a file to the builder.
type ApplyFile = fn(ClientBuilder, Vec<u8>) -> ClientBuilder;

/// Variables of every interface whose value is a path, without their prefix. A path need not be UTF-8.
const FILES: [(&str, ApplyFile); 2] =
    [("CA_FILE", ClientBuilder::ca_certificate), ("CLIENT_CERTIFICATE_FILE", ClientBuilder::client_certificate)];

impl ClientBuilder {
    /// Creates a builder from environment variables. Unset or empty variables keep the default.
    ///
    /// A token in the environment is sent only to the origin of the base URL in the environment: another base URL needs its own token.
    ///
    /// A variable's name is the prefix of the interface followed by the name of the setting, in capitals. Timeouts are in seconds and may
    /// have decimals. Every client also reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower case.
    ///
    /// `NO_PROXY` lists hosts that are reached without a proxy, separated by commas or white space: `example.org`, `.example.org` and
    /// `*.example.org` (the domain and its subdomains), `example.org:8443` (this port only), IP addresses, CIDR blocks and `*`. Loopback
    /// addresses never use a proxy. An entry in another form is ignored, with a warning event that contains its position.
    ///
    /// # Errors
    /// `configuration`. [`Error::argument`] is the name of the variable; the text never contains its value.
    pub fn from_env(interface: &'static Interface) -> Result<Self, Error> {
        Self::from_variables(interface, |name| std::env::var_os(name))
    }

    /// Returns the names of all variables that [`from_env`](Self::from_env) reads.
    pub fn variables(interface: &'static Interface) -> impl Iterator<Item = String> {
        let services = interface.services.iter();
        let urls = services.clone().map(|service| service.base_url);
        let tokens = services.map(|service| service.token);
        let others = VARIABLES.iter().map(|(name, _)| *name).chain(FILES.iter().map(|(name, _)| *name));
        urls.chain(tokens).chain(others).map(|name| variable(interface, name))
    }

    /// Creates a builder like [`from_env`](Self::from_env), but from another source. `lookup` returns the value of a name of
    /// [`variables`](Self::variables), or `None` if it is unset.
    ///
    /// # Errors
    /// `configuration`. [`Error::argument`] is the name of the variable; the text never contains its value.
    pub fn from_variables(interface: &'static Interface, lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        let value = |name: &str| lookup(&variable(interface, name)).map(without_byte_order_mark).filter(|value| !value.is_empty());
        let text = |name: &str| {
            let text = value(name).map(OsString::into_string).transpose();
            text.map_err(|_| Error::invalid_setting(variable(interface, name), NOT_UTF8))
        };
        let mut builder = Self::new(interface);
        for service in interface.services {
            let url = text(service.base_url)?;
            if let Some(token) = text(service.token)? {
                builder = builder.token(service, &token).with_token_url(service, url.clone());
            }
            if let Some(url) = url {
                builder = builder.base_url(service, url);
            }
        }
        for (name, apply) in VARIABLES {
            if let Some(value) = text(name)? {
                builder = apply(builder, &value).map_err(|rule| Error::invalid_setting(variable(interface, name), rule))?;
            }
        }
        for (name, apply) in FILES {
            if let Some(path) = value(name) {
                let unreadable = || Error::invalid_setting(variable(interface, name), "the file cannot be read");
                builder = apply(builder, std::fs::read(path).map_err(|error| Error::from_os_error(&error, unreadable()))?);
            }
        }
        Ok(builder)
    }
}

/// Removes a leading byte order mark, which editors add to files.
fn without_byte_order_mark(value: OsString) -> OsString {
    value.to_str().and_then(|text| text.strip_prefix('\u{feff}')).map(OsString::from).unwrap_or(value)
}

/// Returns the name of a setting's variable.
fn variable(interface: &Interface, setting: &str) -> String {
    format!("{}{}", interface.variables, setting.to_ascii_uppercase())
}

/// Parses a positive number of seconds.
fn parse_seconds(value: &str) -> Result<Duration, &'static str> {
    let reason = "must be a number of seconds above 0";
    let seconds: f64 = value.parse().map_err(|_| reason)?;
    if seconds <= 0.0 {
        return Err(reason);
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| reason)
}

fn parse_bool(value: &str) -> Result<bool, &'static str> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("must be true or false"),
    }
}

#[cfg(test)]
mod tests;
