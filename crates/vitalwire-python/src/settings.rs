//! The settings of a client as Python gives them.

use std::cell::Cell;
use std::collections::HashMap;

use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::client::{ArrayStyle, ClientBuilder};
use zeroize::Zeroizing;

use crate::caller::Style;
use crate::convert;
use crate::generated::options::Settings;
use crate::given::Certificates;
use crate::token::{Callback, Source};

/// How a client is made, again in each process that uses it.
pub(crate) enum Recipe {
    /// From arguments; waits before retries may be so many times as long, for tests that cannot wait.
    Settings(Box<Settings>, Option<f64>),
    /// From the environment as it was: the values of its variables.
    Environment(HashMap<String, Result<Zeroizing<String>, ()>>),
}

impl Recipe {
    /// From arguments, by a thread that may have a scale of its own.
    pub(crate) fn settings(settings: Settings) -> Self {
        Self::Settings(Box::new(settings), RETRY_DELAY_SCALE.get())
    }

    /// The environment as it is.
    pub(crate) fn environment() -> Self {
        let value = |name: String| std::env::var_os(&name).map(|value| (name, value.into_string().map(Zeroizing::new).map_err(drop)));
        Self::Environment(ClientBuilder::variables().filter_map(value).collect())
    }

    /// For the collector of cycles, by the one object that this belongs to.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Self::Settings(settings, _) = self else { return Ok(()) };
        for source in [&settings.token, &settings.care_token] {
            if let Some(Source::Callable(callable)) = source {
                visit.call(&**callable)?;
            }
        }
        Ok(())
    }

    /// The core's builder, for a client whose calls are waited for in this way.
    pub(crate) fn builder(&self, style: Style) -> Result<ClientBuilder, Error> {
        let builder = match self {
            Self::Settings(settings, scale) => {
                given(settings.builder(style)?, scale, |builder, scale| Ok(builder.retry_delay_scale(*scale)))?
            }
            Self::Environment(variables) => {
                ClientBuilder::from_variables(|name| Some(variables.get(name)?.as_ref().map_or(Err(()), |value| Ok(value.to_string()))))?
            }
        };
        Ok(builder.ca_environment(true))
    }
}

impl Settings {
    fn builder(&self, style: Style) -> Result<ClientBuilder, Error> {
        let mut builder = ClientBuilder::new().allow_plain_http(self.allow_plain_http);
        builder = given(builder, &self.base_url, |builder, url| Ok(builder.base_url(url)))?;
        builder = given(builder, &self.care_base_url, |builder, url| Ok(builder.care_base_url(url)))?;
        builder = given(builder, &self.token, |builder, source| {
            Ok(match source {
                Source::Text(text) => builder.token(text),
                Source::Callable(callable) => builder.token_provider(Callback::new(callable.clone(), style)),
            })
        })?;
        builder = given(builder, &self.care_token, |builder, source| {
            Ok(match source {
                Source::Text(text) => builder.care_token(text),
                Source::Callable(callable) => builder.care_token_provider(Callback::new(callable.clone(), style)),
            })
        })?;
        builder = given(builder, &self.timeout, |builder, seconds| {
            let timeout = convert::to_duration("timeout", seconds.0)?;
            Ok(builder.total_timeout(timeout).long_total_timeout(timeout))
        })?;
        builder =
            given(builder, &self.max_retries, |builder, retries| Ok(builder.max_retries(convert::to_count("max_retries", retries.0)?)))?;
        builder = given(builder, &self.proxy, |builder, url| Ok(if url == "none" { builder.no_proxy() } else { builder.proxy(url) }))?;
        builder = given(builder, &self.ca_certificate, |builder, certificates| {
            Ok(match certificates {
                Certificates::Pem(pem) => builder.ca_certificate(pem.clone()),
                Certificates::Path(path) => builder.ca_file(path),
            })
        })?;
        builder = given(builder, &self.array_style, |builder, style| Ok(builder.array_style(to_style(style)?)))?;
        builder = given(builder, &self.max_connections, |builder, connections| {
            Ok(builder.max_connections(convert::to_count("max_connections", connections.0)?))
        })?;
        builder = given(builder, &self.max_response_bytes, |builder, bytes| {
            Ok(builder.max_response_bytes(convert::to_count("max_response_bytes", bytes.0)?))
        })?;
        builder = given(builder, &self.gzip, |builder, accept| Ok(builder.gzip(*accept)))?;
        builder = given(builder, &self.local_checks, |builder, check| Ok(builder.local_checks(*check)))?;
        given(builder, &self.user_agent, |builder, text| Ok(builder.user_agent(text)))
    }
}

thread_local! {
    /// The scale of clients that this thread makes. It is no argument of theirs: users would read it in `help()`.
    static RETRY_DELAY_SCALE: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Makes a client whose waits before retries are `scale` times as long.
pub(crate) fn scaled<T>(scale: f64, make: impl FnOnce() -> T) -> T {
    let before = RETRY_DELAY_SCALE.replace(Some(scale));
    let made = make();
    RETRY_DELAY_SCALE.set(before);
    made
}

/// Applies a setting that was given.
fn given<T>(
    builder: ClientBuilder,
    value: &Option<T>,
    apply: impl FnOnce(ClientBuilder, &T) -> Result<ClientBuilder, Error>,
) -> Result<ClientBuilder, Error> {
    match value {
        Some(value) => apply(builder, value),
        None => Ok(builder),
    }
}

fn to_style(style: &str) -> Result<ArrayStyle, Error> {
    match style {
        "repeated" => Ok(ArrayStyle::Repeated),
        "comma" => Ok(ArrayStyle::Comma),
        _ => Err(Error::invalid_argument("array_style", "must be repeated or comma")),
    }
}
