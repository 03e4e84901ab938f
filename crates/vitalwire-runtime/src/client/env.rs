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
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::operation::testing::INTERFACE;

    fn builder_with(pairs: &[(&str, &str)]) -> Result<ClientBuilder, Error> {
        ClientBuilder::from_variables(&INTERFACE, |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
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
            ("TESTS_CLIENT_SIDE_VALIDATION", "no"),
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
        assert!(!builder.client_side_validation && builder.allow_plain_http);
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
            ("TESTS_ONLY_CUSTOM_CERTIFICATES", "CANARY"),
            ("TESTS_CA_FILE", "/nowhere/CANARY.pem"),
            ("TESTS_CLIENT_CERTIFICATE_FILE", "/nowhere/CANARY.pem"),
        ] {
            let error = builder_with(&[(name, value)]).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert_eq!(error.argument(), Some(name));
            assert!(!error.to_string().contains("CANARY"));
        }
        assert!(builder_with(&[("TESTS_TIMEOUT", ""), ("TESTS_BASE_URL", "")]).expect("empty is unset").services[0].base_url.is_none());
    }

    #[test]
    fn a_token_of_the_environment_is_only_for_the_origin_beside_it() {
        const HOME: &str = "https://a.example/gate";
        let service = &INTERFACE.services[1];
        let from = |url: &str| builder_with(&[("TESTS_SECOND_BASE_URL", url), ("TESTS_SECOND_TOKEN", "CANARY")]).expect("valid");
        for other in ["https://b.example", "https://a.example:444/gate", "http://127.0.0.1:1", "https://a.example.b.example/gate"] {
            let error = from(HOME).base_url(service, other).build().expect_err(other);
            assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("second_base_url")));
            assert_eq!(error.reason(), Some(service.other_origin));
            assert!(from(HOME).base_url(service, other).token(service, "own").build().is_ok());
            assert!(from("").base_url(service, other).build().is_ok(), "the token has no other home");
        }
        for same in ["https://a.example", "https://A.example:443/other/path", HOME] {
            assert!(from(HOME).base_url(service, same).build().is_ok(), "{same}");
        }
        assert!(builder_with(&[("TESTS_SECOND_BASE_URL", HOME)]).expect("valid").base_url(service, "https://b.example").build().is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_not_utf8_is_a_path_or_an_error() {
        use std::os::unix::ffi::OsStringExt;
        let folder = std::env::temp_dir().join(format!("vitalwire-runtime-env-{}-not-utf8", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(OsString::from_vec(b"caf\xff.pem".to_vec()));
        std::fs::write(&path, "pem").expect("a file");
        let names: Vec<String> = ClientBuilder::variables(&INTERFACE).collect();
        assert!(names.iter().any(|name| name == "TESTS_CA_FILE") && names.len() > 15, "{names:?}");
        for name in names {
            let built = ClientBuilder::from_variables(&INTERFACE, |asked| (asked == name).then(|| path.clone().into_os_string()));
            if name == "TESTS_CA_FILE" {
                assert_eq!(built.expect("a path").certificates, [b"pem".to_vec()]);
            } else if name == "TESTS_CLIENT_CERTIFICATE_FILE" {
                assert!(built.expect("a path").client_certificate.is_some());
            } else {
                let error = built.expect_err(&name);
                assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(name.as_str())));
                assert!(!error.to_string().contains("caf"), "{error}");
            }
        }
        std::fs::remove_dir_all(folder).expect("it exists");
    }
}
