//! Settings from the environment.

use std::time::Duration;

use super::{ArrayStyle, ClientBuilder};
use crate::error::Error;

/// How one variable changes the builder; the error is the reason why its value is refused.
type Apply = fn(ClientBuilder, &str) -> Result<ClientBuilder, &'static str>;

/// The variables that [`ClientBuilder::from_env`] reads, in the order in which they are applied.
const VARIABLES: [(&str, Apply); 16] = [
    ("VITALWIRE_BASE_URL", |builder, value| Ok(builder.base_url(value))),
    ("VITALWIRE_CARE_BASE_URL", |builder, value| Ok(builder.care_base_url(value))),
    ("VITALWIRE_TOKEN", |builder, value| Ok(builder.token(value))),
    ("VITALWIRE_CARE_TOKEN", |builder, value| Ok(builder.care_token(value))),
    ("VITALWIRE_PROXY", |builder, value| Ok(if value == "none" { builder.no_proxy() } else { builder.proxy(value) })),
    ("VITALWIRE_CA_FILE", |builder, value| {
        std::fs::read(value).map(|pem| builder.ca_certificate(pem)).map_err(|_| "the file cannot be read")
    }),
    ("VITALWIRE_CONNECT_TIMEOUT", |builder, value| Ok(builder.connect_timeout(seconds(value)?))),
    ("VITALWIRE_ATTEMPT_TIMEOUT", |builder, value| {
        let timeout = seconds(value)?;
        Ok(builder.attempt_timeout(timeout).long_attempt_timeout(timeout))
    }),
    ("VITALWIRE_TIMEOUT", |builder, value| {
        let timeout = seconds(value)?;
        Ok(builder.total_timeout(timeout).long_total_timeout(timeout))
    }),
    ("VITALWIRE_MAX_RETRIES", |builder, value| Ok(builder.max_retries(value.parse().map_err(|_| "not a whole number")?))),
    ("VITALWIRE_MAX_CONNECTIONS", |builder, value| Ok(builder.max_connections(value.parse().map_err(|_| "not a whole number")?))),
    ("VITALWIRE_MAX_RESPONSE_BYTES", |builder, value| Ok(builder.max_response_bytes(value.parse().map_err(|_| "not a whole number")?))),
    ("VITALWIRE_USER_AGENT", |builder, value| Ok(builder.user_agent(value))),
    ("VITALWIRE_ARRAY_STYLE", |builder, value| match value {
        "repeated" => Ok(builder.array_style(ArrayStyle::Repeated)),
        "comma" => Ok(builder.array_style(ArrayStyle::Comma)),
        _ => Err("neither repeated nor comma"),
    }),
    ("VITALWIRE_LOCAL_CHECKS", |builder, value| Ok(builder.local_checks(truth(value)?))),
    ("VITALWIRE_ALLOW_PLAIN_HTTP", |builder, value| Ok(builder.allow_plain_http(truth(value)?))),
];

impl ClientBuilder {
    /// A builder with the settings of the environment; what is unset or empty keeps its default.
    ///
    /// | Variable | Setting |
    /// |---|---|
    /// | `VITALWIRE_BASE_URL` | base URL of the health service |
    /// | `VITALWIRE_CARE_BASE_URL` | base URL of the care service |
    /// | `VITALWIRE_TOKEN` | token of the health service |
    /// | `VITALWIRE_CARE_TOKEN` | token of the care service |
    /// | `VITALWIRE_PROXY` | proxy URL, or `none` |
    /// | `VITALWIRE_CA_FILE` | a PEM file of certificates to trust beside the platform's |
    /// | `VITALWIRE_CONNECT_TIMEOUT` | seconds for making a connection |
    /// | `VITALWIRE_ATTEMPT_TIMEOUT` | seconds for one attempt, of uploads too |
    /// | `VITALWIRE_TIMEOUT` | seconds for a whole call, of uploads too |
    /// | `VITALWIRE_MAX_RETRIES` | tries after the first |
    /// | `VITALWIRE_MAX_CONNECTIONS` | attempts on their way at once |
    /// | `VITALWIRE_MAX_RESPONSE_BYTES` | largest body of an answer, inflated |
    /// | `VITALWIRE_USER_AGENT` | text added to the `User-Agent` header |
    /// | `VITALWIRE_ARRAY_STYLE` | `repeated` or `comma` |
    /// | `VITALWIRE_LOCAL_CHECKS` | `true` or `false` |
    /// | `VITALWIRE_ALLOW_PLAIN_HTTP` | `true` or `false` |
    ///
    /// Seconds may have decimals. Beside these, `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are honoured by every client.
    ///
    /// # Errors
    /// A configuration error that names the variable, never its value.
    pub fn from_env() -> Result<Self, Error> {
        Self::from_variables(|name| std::env::var_os(name).map(|value| value.into_string().map_err(|_| ())))
    }

    /// The names of the variables that [`from_env`](Self::from_env) reads.
    pub fn variables() -> impl ExactSizeIterator<Item = &'static str> {
        VARIABLES.iter().map(|(name, _)| *name)
    }

    /// [`from_env`](Self::from_env) with another source, for programs that have settings of their own beside the environment. `lookup` gives
    /// the value for a name of [`variables`](Self::variables): `None` when it is unset, `Err` when it is no text.
    ///
    /// # Errors
    /// A configuration error whose [`argument`](Error::argument) is the variable; no text quotes its value.
    pub fn from_variables(lookup: impl Fn(&str) -> Option<Result<String, ()>>) -> Result<Self, Error> {
        let mut builder = Self::new();
        for (name, apply) in VARIABLES {
            let Some(value) = lookup(name) else { continue };
            let value = value.map_err(|()| Error::setting(name, "not UTF-8 text"))?;
            if !value.is_empty() {
                builder = apply(builder, &value).map_err(|reason| Error::setting(name, reason))?;
            }
        }
        Ok(builder)
    }
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
        _ => Err("neither true nor false"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn with(pairs: &[(&str, &str)]) -> Result<ClientBuilder, Error> {
        ClientBuilder::from_variables(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| Ok((*value).to_owned())))
    }

    #[test]
    fn reads_each_variable() {
        let ca = std::env::temp_dir().join(format!("vitalwire-env-{}.pem", std::process::id()));
        std::fs::write(&ca, "pem").expect("a temporary file");
        let builder = with(&[
            ("VITALWIRE_BASE_URL", "http://192.0.2.1/a"),
            ("VITALWIRE_CARE_BASE_URL", "https://care.example.org"),
            ("VITALWIRE_TOKEN", "t1"),
            ("VITALWIRE_CARE_TOKEN", "t2"),
            ("VITALWIRE_PROXY", "http://192.0.2.9:3128"),
            ("VITALWIRE_CA_FILE", ca.to_str().expect("text")),
            ("VITALWIRE_CONNECT_TIMEOUT", "1.5"),
            ("VITALWIRE_ATTEMPT_TIMEOUT", "7"),
            ("VITALWIRE_TIMEOUT", "20"),
            ("VITALWIRE_MAX_RETRIES", "5"),
            ("VITALWIRE_MAX_RESPONSE_BYTES", "1000"),
            ("VITALWIRE_USER_AGENT", "app/1"),
            ("VITALWIRE_ARRAY_STYLE", "comma"),
            ("VITALWIRE_LOCAL_CHECKS", "no"),
            ("VITALWIRE_ALLOW_PLAIN_HTTP", "true"),
        ])
        .expect("all are valid");
        std::fs::remove_file(ca).expect("it was there");
        assert_eq!(builder.base_url.as_deref(), Some("http://192.0.2.1/a"));
        assert_eq!(builder.care_base_url.as_deref(), Some("https://care.example.org"));
        assert!(builder.token.is_some() && builder.care_token.is_some());
        assert_eq!(builder.certificates, [b"pem".to_vec()]);
        assert_eq!(builder.deadlines.connect, Duration::from_millis(1500));
        assert_eq!((builder.deadlines.attempt, builder.deadlines.long_attempt), (Duration::from_secs(7), Duration::from_secs(7)));
        assert_eq!((builder.deadlines.total, builder.deadlines.long_total), (Duration::from_secs(20), Duration::from_secs(20)));
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
            ("VITALWIRE_TIMEOUT", "soon"),
            ("VITALWIRE_TIMEOUT", "-1"),
            ("VITALWIRE_TIMEOUT", "0"),
            ("VITALWIRE_TIMEOUT", "inf"),
            ("VITALWIRE_TIMEOUT", "NaN"),
            ("VITALWIRE_MAX_RETRIES", "-1"),
            ("VITALWIRE_ARRAY_STYLE", "CANARY"),
            ("VITALWIRE_ALLOW_PLAIN_HTTP", "CANARY"),
            ("VITALWIRE_CA_FILE", "/nowhere/CANARY.pem"),
        ] {
            let error = with(&[(name, value)]).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert_eq!(error.argument(), Some(name));
            assert!(!error.to_string().contains("CANARY"));
        }
        assert!(with(&[("VITALWIRE_TIMEOUT", ""), ("VITALWIRE_BASE_URL", "")]).expect("empty is unset").base_url.is_none());
    }
}
