//! The client: its settings, and how its resources make calls.

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::{ArrayStyle, ClientBuilder, Operation, ResponseMeta};
use vitalwire::{Client as Core, Error};

use crate::options::Options;
use crate::{convert, errors, runtime};

/// A client of the services; its calls wait for their answer. It can be shared by threads.
///
/// What is not given keeps its default; there is no default base URL. `timeout` is in seconds and holds for whole calls,
/// uploads too. `proxy` is a URL or `"none"`; unless given, `HTTPS_PROXY` and its like count. `ca_certificate` is PEM, trusted
/// beside the platform's. `array_style` is `"repeated"` or `"comma"`. `max_response_bytes` holds for answers once they are
/// unpacked, 64 MiB unless given; `gzip=False` asks for answers that are not packed. `local_checks=False` sends arguments too that
/// the service is known to refuse.
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Client {
    /// What the resources share.
    pub(crate) caller: Caller,
}

/// The core's client, and the process that it was made in.
#[derive(Clone)]
pub(crate) struct Caller {
    core: Core,
    process: u32,
}

impl Caller {
    fn build(py: Python<'_>, settings: Result<ClientBuilder, Error>) -> PyResult<Self> {
        let core = settings.and_then(ClientBuilder::build).map_err(|error| errors::raise(py, error))?;
        Ok(Self { core, process: std::process::id() })
    }

    /// Makes a call and waits for it, with the interpreter released.
    pub(crate) fn call<O: Operation>(
        &self,
        py: Python<'_>,
        parameters: O,
        options: &Options<'_>,
    ) -> PyResult<(O::Output, Arc<ResponseMeta>)> {
        let options = self.here().and_then(|()| options.to_core()).map_err(|error| errors::raise(py, error))?;
        let answer = runtime::wait(py, self.core.execute(parameters, &options))?;
        let (value, meta) = answer.into_parts();
        Ok((value, Arc::new(meta)))
    }

    /// Refuses a client that a forked child has of its parent: the two would read each other's answers.
    fn here(&self) -> Result<(), Error> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(Error::configuration("this client was made before a fork: make one in each process"))
    }
}

#[pymethods]
impl Client {
    #[new]
    #[pyo3(signature = (base_url=None, *, care_base_url=None, token=None, care_token=None, timeout=None, max_retries=None, proxy=None,
        ca_certificate=None, allow_plain_http=false, array_style=None, user_agent=None,
        max_response_bytes=None, gzip=None, local_checks=None, _retry_delay_scale=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        base_url: Option<&str>,
        care_base_url: Option<&str>,
        token: Option<&str>,
        care_token: Option<&str>,
        timeout: Option<f64>,
        max_retries: Option<i64>,
        proxy: Option<&str>,
        ca_certificate: Option<&Bound<'_, PyAny>>,
        allow_plain_http: bool,
        array_style: Option<&str>,
        user_agent: Option<&str>,
        max_response_bytes: Option<i64>,
        gzip: Option<bool>,
        local_checks: Option<bool>,
        // For tests that cannot wait: not in the stub.
        _retry_delay_scale: Option<f64>,
    ) -> PyResult<Self> {
        let certificate = ca_certificate.map(convert::to_bytes).transpose()?;
        let settings = || {
            let mut builder = ClientBuilder::new().allow_plain_http(allow_plain_http);
            builder = given(builder, base_url, |builder, url| Ok(builder.base_url(url)))?;
            builder = given(builder, care_base_url, |builder, url| Ok(builder.care_base_url(url)))?;
            builder = given(builder, token, |builder, token| Ok(builder.token(token)))?;
            builder = given(builder, care_token, |builder, token| Ok(builder.care_token(token)))?;
            builder = given(builder, timeout, |builder, seconds| {
                let timeout = convert::to_duration("timeout", seconds)?;
                Ok(builder.total_timeout(timeout).long_total_timeout(timeout))
            })?;
            builder = given(builder, max_retries, |builder, retries| Ok(builder.max_retries(convert::to_count("max_retries", retries)?)))?;
            builder = given(builder, proxy, |builder, url| Ok(if url == "none" { builder.no_proxy() } else { builder.proxy(url) }))?;
            builder = given(builder, certificate, |builder, pem| Ok(builder.ca_certificate(pem)))?;
            builder = given(builder, array_style, |builder, style| Ok(builder.array_style(to_style(style)?)))?;
            builder = given(builder, max_response_bytes, |builder, bytes| {
                Ok(builder.max_response_bytes(convert::to_count("max_response_bytes", bytes)?))
            })?;
            builder = given(builder, gzip, |builder, accept| Ok(builder.gzip(accept)))?;
            builder = given(builder, local_checks, |builder, check| Ok(builder.local_checks(check)))?;
            builder = given(builder, _retry_delay_scale, |builder, scale| Ok(builder.retry_delay_scale(scale)))?;
            given(builder, user_agent, |builder, text| Ok(builder.user_agent(text)))
        };
        Ok(Self { caller: Caller::build(py, settings())? })
    }

    /// A client from the `VITALWIRE_*` environment variables.
    #[staticmethod]
    fn from_env(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { caller: Caller::build(py, ClientBuilder::from_env())? })
    }

    fn __repr__(&self) -> &'static str {
        "Client(...)"
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
