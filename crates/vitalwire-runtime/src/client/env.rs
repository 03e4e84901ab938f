//! Client settings from environment variables.

use std::io;
use std::time::Duration;

use super::{ArrayStyle, ClientBuilder};
use crate::error::Error;
use crate::operation::Interface;

/// Applies the value of a variable to the builder.
type Apply = fn(ClientBuilder, &str) -> Result<ClientBuilder, InvalidValue>;

/// Reason why a value is invalid.
enum InvalidValue {
    Rule(&'static str),
    File(io::Error),
}

impl From<&'static str> for InvalidValue {
    fn from(rule: &'static str) -> Self {
        Self::Rule(rule)
    }
}

impl InvalidValue {
    fn into_error(self, variable: String) -> Error {
        match self {
            Self::Rule(rule) => Error::invalid_setting(variable, rule),
            Self::File(error) => Error::from_os_error(&error, Error::invalid_setting(variable, "the file cannot be read")),
        }
    }
}

/// Variables of every interface without their prefix, in the order in which they are applied. Variables of services are applied first.
const VARIABLES: [(&str, Apply); 13] = [
    ("PROXY", |builder, value| Ok(if value == "none" { builder.no_proxy() } else { builder.proxy(value) })),
    ("CA_FILE", |builder, value| std::fs::read(value).map(|pem| builder.ca_certificate(pem)).map_err(InvalidValue::File)),
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
        _ => Err("must be 'repeated' or 'comma'".into()),
    }),
    ("LOCAL_CHECKS", |builder, value| Ok(builder.local_checks(parse_bool(value)?))),
    ("STRICT_LISTS", |builder, value| Ok(builder.strict_lists(parse_bool(value)?))),
    ("ALLOW_PLAIN_HTTP", |builder, value| Ok(builder.allow_plain_http(parse_bool(value)?))),
];

impl ClientBuilder {
    /// Creates a builder from environment variables. Unset or empty variables keep the default.
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
        Self::from_variables(interface, |name| std::env::var_os(name).map(|value| value.into_string().map_err(|_| ())))
    }

    /// Returns the names of all variables that [`from_env`](Self::from_env) reads.
    pub fn variables(interface: &'static Interface) -> impl Iterator<Item = String> {
        let services = interface.services.iter();
        let urls = services.clone().map(|service| service.base_url);
        let tokens = services.map(|service| service.token);
        let others = VARIABLES.iter().map(|(name, _)| *name);
        urls.chain(tokens).chain(others).map(|name| variable(interface, name))
    }

    /// Creates a builder like [`from_env`](Self::from_env), but from another source. `lookup` returns the value of a name of
    /// [`variables`](Self::variables): `None` if it is unset, `Err` if it is not UTF-8.
    ///
    /// # Errors
    /// `configuration`. [`Error::argument`] is the name of the variable; the text never contains its value.
    pub fn from_variables(interface: &'static Interface, lookup: impl Fn(&str) -> Option<Result<String, ()>>) -> Result<Self, Error> {
        let value = |name: &str| match lookup(&variable(interface, name)) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(without_byte_order_mark(value)).filter(|value| !value.is_empty())),
            Some(Err(())) => Err(Error::invalid_setting(variable(interface, name), "must be UTF-8")),
        };
        let mut builder = Self::new(interface);
        for service in interface.services {
            if let Some(url) = value(service.base_url)? {
                builder = builder.base_url(service, url);
            }
            if let Some(token) = value(service.token)? {
                builder = builder.token(service, &token);
            }
        }
        for (name, apply) in VARIABLES {
            if let Some(value) = value(name)? {
                builder = apply(builder, &value).map_err(|invalid| invalid.into_error(variable(interface, name)))?;
            }
        }
        Ok(builder)
    }
}

/// Removes a leading byte order mark, which editors add to files.
fn without_byte_order_mark(value: String) -> String {
    value.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(value)
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
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::operation::testing::INTERFACE;

    fn builder_with(pairs: &[(&str, &str)]) -> Result<ClientBuilder, Error> {
        ClientBuilder::from_variables(&INTERFACE, |name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| Ok((*value).to_owned()))
        })
    }

    #[test]
    fn each_variable_sets_its_setting() {
        let ca = std::env::temp_dir().join(format!("vitalwire-runtime-env-{}.pem", std::process::id()));
        std::fs::write(&ca, "pem").expect("a temporary file");
        let builder = builder_with(&[
            ("TESTS_BASE_URL", "http://192.0.2.1/a"),
            ("TESTS_SECOND_BASE_URL", "https://care.example.org"),
            ("TESTS_TOKEN", "t1"),
            ("TESTS_SECOND_TOKEN", "t2"),
            ("TESTS_PROXY", "http://192.0.2.9:3128"),
            ("TESTS_CA_FILE", ca.to_str().expect("text")),
            ("TESTS_CONNECT_TIMEOUT", "1.5"),
            ("TESTS_ATTEMPT_TIMEOUT", "7"),
            ("TESTS_TIMEOUT", "20"),
            ("TESTS_MAX_RETRIES", "5"),
            ("TESTS_MAX_RESPONSE_BYTES", "1000"),
            ("TESTS_USER_AGENT", "app/1"),
            ("TESTS_ARRAY_STYLE", "comma"),
            ("TESTS_LOCAL_CHECKS", "no"),
            ("TESTS_ALLOW_PLAIN_HTTP", "true"),
        ])
        .expect("all are valid");
        std::fs::remove_file(ca).expect("it exists");
        assert_eq!(builder.services[0].base_url.as_deref(), Some("http://192.0.2.1/a"));
        assert_eq!(builder.services[1].base_url.as_deref(), Some("https://care.example.org"));
        assert!(builder.services.iter().all(|service| service.token.is_some()));
        assert_eq!(builder.certificates, [b"pem".to_vec()]);
        let deadlines = builder.deadlines.or_defaults();
        assert_eq!(deadlines.connect, Duration::from_millis(1500));
        assert_eq!((deadlines.attempt, deadlines.long_attempt), (Duration::from_secs(7), Duration::from_secs(7)));
        assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), Duration::from_secs(20)));
        let upload = Duration::from_secs(9);
        let (before, after) = (
            builder_with(&[("TESTS_TIMEOUT", "20")]).expect("valid").upload_timeout(upload),
            ClientBuilder::new(&INTERFACE).upload_timeout(upload),
        );
        for builder in [before, after.timeout(Duration::from_secs(20))] {
            let deadlines = builder.deadlines.or_defaults();
            assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), upload), "in either order");
        }
        assert_eq!(builder.retry.max_retries, 5);
        assert_eq!(builder.max_response_bytes, 1000);
        assert_eq!(builder.user_agent.as_deref(), Some("app/1"));
        assert_eq!(builder.array_style, ArrayStyle::Comma);
        assert!(!builder.local_checks && builder.allow_plain_http);
        assert!(matches!(builder.proxy, crate::transport::proxy::ProxyChoice::Fixed(_)));
    }

    #[test]
    fn the_error_of_an_invalid_value_names_its_variable_only() {
        for (name, value) in [
            ("TESTS_TIMEOUT", "soon"),
            ("TESTS_TIMEOUT", "-1"),
            ("TESTS_TIMEOUT", "0"),
            ("TESTS_TIMEOUT", "inf"),
            ("TESTS_TIMEOUT", "NaN"),
            ("TESTS_MAX_RETRIES", "-1"),
            ("TESTS_ARRAY_STYLE", "CANARY"),
            ("TESTS_ALLOW_PLAIN_HTTP", "CANARY"),
            ("TESTS_CA_FILE", "/nowhere/CANARY.pem"),
        ] {
            let error = builder_with(&[(name, value)]).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert_eq!(error.argument(), Some(name));
            assert!(!error.to_string().contains("CANARY"));
        }
        assert!(builder_with(&[("TESTS_TIMEOUT", ""), ("TESTS_BASE_URL", "")]).expect("empty is unset").services[0].base_url.is_none());
    }
}
