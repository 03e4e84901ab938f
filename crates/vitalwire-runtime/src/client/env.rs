//! Settings from the environment.

use std::io;
use std::time::Duration;

use super::{ArrayStyle, ClientBuilder};
use crate::error::Error;
use crate::operation::Interface;

/// How a variable changes the builder.
type Apply = fn(ClientBuilder, &str) -> Result<ClientBuilder, Refusal>;

/// The reason why a value is refused.
enum Refusal {
    Rule(&'static str),
    File(io::Error),
}

impl From<&'static str> for Refusal {
    fn from(rule: &'static str) -> Self {
        Self::Rule(rule)
    }
}

impl Refusal {
    fn into_error(self, variable: String) -> Error {
        match self {
            Self::Rule(rule) => Error::setting(variable, rule),
            Self::File(error) => Error::system(&error, Error::setting(variable, "the file cannot be read")),
        }
    }
}

/// What the names of the variables end in that every interface has, in the order in which they are applied; those of services come first.
const VARIABLES: [(&str, Apply); 13] = [
    ("PROXY", |builder, value| Ok(if value == "none" { builder.no_proxy() } else { builder.proxy(value) })),
    ("CA_FILE", |builder, value| std::fs::read(value).map(|pem| builder.ca_certificate(pem)).map_err(Refusal::File)),
    ("CONNECT_TIMEOUT", |builder, value| Ok(builder.connect_timeout(seconds(value)?))),
    ("ATTEMPT_TIMEOUT", |builder, value| Ok(builder.attempt_timeout(seconds(value)?))),
    ("TIMEOUT", |builder, value| Ok(builder.timeout(seconds(value)?))),
    ("MAX_RETRIES", |builder, value| Ok(builder.max_retries(value.parse().map_err(|_| "must be a whole number")?))),
    ("MAX_CONNECTIONS", |builder, value| Ok(builder.max_connections(value.parse().map_err(|_| "must be a whole number")?))),
    ("MAX_RESPONSE_BYTES", |builder, value| Ok(builder.max_response_bytes(value.parse().map_err(|_| "must be a whole number")?))),
    ("USER_AGENT", |builder, value| Ok(builder.user_agent(value))),
    ("ARRAY_STYLE", |builder, value| match value {
        "repeated" => Ok(builder.array_style(ArrayStyle::Repeated)),
        "comma" => Ok(builder.array_style(ArrayStyle::Comma)),
        _ => Err("must be repeated or comma".into()),
    }),
    ("LOCAL_CHECKS", |builder, value| Ok(builder.local_checks(truth(value)?))),
    ("STRICT_LISTS", |builder, value| Ok(builder.strict_lists(truth(value)?))),
    ("ALLOW_PLAIN_HTTP", |builder, value| Ok(builder.allow_plain_http(truth(value)?))),
];

impl ClientBuilder {
    /// A builder with the settings of the environment; what is unset or empty keeps its default.
    ///
    /// Names begin with the interface's own prefix and go on with the setting's, in capitals. Seconds may have decimals. Beside these,
    /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are honoured by every client, in capital or small letters.
    ///
    /// `NO_PROXY` lists hosts that are reached without a proxy, separated by commas or white space: `example.org`, `.example.org` and
    /// `*.example.org` (the domain and all names below it), `example.org:8443` (only this port), IP addresses, CIDR blocks and `*`. Loopback
    /// is always reached without. An entry of another form is ignored, with a warning event that gives its position.
    ///
    /// # Errors
    /// A configuration error that names the variable, never its value.
    pub fn from_env(interface: &'static Interface) -> Result<Self, Error> {
        Self::from_variables(interface, |name| std::env::var_os(name).map(|value| value.into_string().map_err(|_| ())))
    }

    /// The names of the variables that [`from_env`](Self::from_env) reads.
    pub fn variables(interface: &'static Interface) -> impl Iterator<Item = String> {
        let services = interface.services.iter();
        let urls = services.clone().map(|service| service.base_url);
        let tokens = services.map(|service| service.token);
        let others = VARIABLES.iter().map(|(name, _)| *name);
        urls.chain(tokens).chain(others).map(|name| variable(interface, name))
    }

    /// [`from_env`](Self::from_env) with another source, for programs that have settings of their own beside the environment. `lookup` gives
    /// the value for a name of [`variables`](Self::variables): `None` when it is unset, `Err` when it is no text.
    ///
    /// # Errors
    /// A configuration error whose [`argument`](Error::argument) is the variable; no text quotes its value.
    pub fn from_variables(interface: &'static Interface, lookup: impl Fn(&str) -> Option<Result<String, ()>>) -> Result<Self, Error> {
        let value = |name: &str| match lookup(&variable(interface, name)) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(without_byte_order_mark(value)).filter(|value| !value.is_empty())),
            Some(Err(())) => Err(Error::setting(variable(interface, name), "not UTF-8 text")),
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
                builder = apply(builder, &value).map_err(|refusal| refusal.into_error(variable(interface, name)))?;
            }
        }
        Ok(builder)
    }
}

/// Removes the byte order mark that an editor left in the file that set the variable.
fn without_byte_order_mark(value: String) -> String {
    value.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(value)
}

/// The name of the variable of a setting.
fn variable(interface: &Interface, setting: &str) -> String {
    format!("{}{}", interface.variables, setting.to_ascii_uppercase())
}

/// Seconds, with decimals, above zero.
fn seconds(value: &str) -> Result<Duration, &'static str> {
    let refused = "not a number of seconds above 0";
    let seconds: f64 = value.parse().map_err(|_| refused)?;
    if seconds <= 0.0 {
        return Err(refused);
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| refused)
}

fn truth(value: &str) -> Result<bool, &'static str> {
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

    fn with(pairs: &[(&str, &str)]) -> Result<ClientBuilder, Error> {
        ClientBuilder::from_variables(&INTERFACE, |name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| Ok((*value).to_owned()))
        })
    }

    #[test]
    fn reads_each_variable() {
        let ca = std::env::temp_dir().join(format!("vitalwire-runtime-env-{}.pem", std::process::id()));
        std::fs::write(&ca, "pem").expect("a temporary file");
        let builder = with(&[
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
        std::fs::remove_file(ca).expect("it was there");
        assert_eq!(builder.services[0].base_url.as_deref(), Some("http://192.0.2.1/a"));
        assert_eq!(builder.services[1].base_url.as_deref(), Some("https://care.example.org"));
        assert!(builder.services.iter().all(|service| service.token.is_some()));
        assert_eq!(builder.certificates, [b"pem".to_vec()]);
        let deadlines = builder.deadlines.or_defaults();
        assert_eq!(deadlines.connect, Duration::from_millis(1500));
        assert_eq!((deadlines.attempt, deadlines.long_attempt), (Duration::from_secs(7), Duration::from_secs(7)));
        assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), Duration::from_secs(20)));
        let one = Duration::from_secs(9);
        let (before, after) =
            (with(&[("TESTS_TIMEOUT", "20")]).expect("valid").upload_timeout(one), ClientBuilder::new(&INTERFACE).upload_timeout(one));
        for builder in [before, after.timeout(Duration::from_secs(20))] {
            let deadlines = builder.deadlines.or_defaults();
            assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), one), "in either order");
        }
        assert_eq!(builder.retry.max_retries, 5);
        assert_eq!(builder.max_response_bytes, 1000);
        assert_eq!(builder.user_agent.as_deref(), Some("app/1"));
        assert_eq!(builder.array_style, ArrayStyle::Comma);
        assert!(!builder.local_checks && builder.allow_plain_http);
        assert!(matches!(builder.proxy, crate::transport::proxy::ProxyChoice::Fixed(_)));
    }

    #[test]
    fn a_refused_value_names_its_variable_only() {
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
            let error = with(&[(name, value)]).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert_eq!(error.argument(), Some(name));
            assert!(!error.to_string().contains("CANARY"));
        }
        assert!(with(&[("TESTS_TIMEOUT", ""), ("TESTS_BASE_URL", "")]).expect("empty is unset").services[0].base_url.is_none());
    }
}
