//! The settings of a client as Python gives them.

use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::client::{ArrayStyle, ClientBuilder};

use crate::convert;

/// What the constructors of clients take; what is not given keeps its default.
pub(crate) struct Settings<'py> {
    pub(crate) base_url: Option<String>,
    pub(crate) care_base_url: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) care_token: Option<String>,
    pub(crate) timeout: Option<f64>,
    pub(crate) max_retries: Option<i64>,
    pub(crate) proxy: Option<String>,
    pub(crate) ca_certificate: Option<Bound<'py, PyAny>>,
    pub(crate) allow_plain_http: bool,
    pub(crate) array_style: Option<String>,
    pub(crate) user_agent: Option<String>,
    pub(crate) max_response_bytes: Option<i64>,
    pub(crate) gzip: Option<bool>,
    pub(crate) local_checks: Option<bool>,
    /// For tests that cannot wait: not in the stub.
    pub(crate) retry_delay_scale: Option<f64>,
}

impl Settings<'_> {
    /// The core's builder.
    pub(crate) fn builder(self) -> PyResult<Result<ClientBuilder, Error>> {
        let certificate = self.ca_certificate.as_ref().map(convert::to_bytes).transpose()?;
        Ok(self.apply(certificate))
    }

    fn apply(self, certificate: Option<Vec<u8>>) -> Result<ClientBuilder, Error> {
        let mut builder = ClientBuilder::new().allow_plain_http(self.allow_plain_http);
        builder = given(builder, self.base_url, |builder, url| Ok(builder.base_url(url)))?;
        builder = given(builder, self.care_base_url, |builder, url| Ok(builder.care_base_url(url)))?;
        builder = given(builder, self.token, |builder, token| Ok(builder.token(&token)))?;
        builder = given(builder, self.care_token, |builder, token| Ok(builder.care_token(&token)))?;
        builder = given(builder, self.timeout, |builder, seconds| {
            let timeout = convert::to_duration("timeout", seconds)?;
            Ok(builder.total_timeout(timeout).long_total_timeout(timeout))
        })?;
        builder = given(builder, self.max_retries, |builder, retries| Ok(builder.max_retries(convert::to_count("max_retries", retries)?)))?;
        builder = given(builder, self.proxy, |builder, url| Ok(if url == "none" { builder.no_proxy() } else { builder.proxy(url) }))?;
        builder = given(builder, certificate, |builder, pem| Ok(builder.ca_certificate(pem)))?;
        builder = given(builder, self.array_style, |builder, style| Ok(builder.array_style(to_style(&style)?)))?;
        builder = given(builder, self.max_response_bytes, |builder, bytes| {
            Ok(builder.max_response_bytes(convert::to_count("max_response_bytes", bytes)?))
        })?;
        builder = given(builder, self.gzip, |builder, accept| Ok(builder.gzip(accept)))?;
        builder = given(builder, self.local_checks, |builder, check| Ok(builder.local_checks(check)))?;
        builder = given(builder, self.retry_delay_scale, |builder, scale| Ok(builder.retry_delay_scale(scale)))?;
        given(builder, self.user_agent, |builder, text| Ok(builder.user_agent(text)))
    }
}

/// Applies a setting that was given.
fn given<T>(
    builder: ClientBuilder,
    value: Option<T>,
    apply: impl FnOnce(ClientBuilder, T) -> Result<ClientBuilder, Error>,
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
        _ => Err(Error::invalid_argument("array_style", "neither repeated nor comma")),
    }
}
