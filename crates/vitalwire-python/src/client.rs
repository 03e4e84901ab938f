//! The two clients: the same settings and resources, waited for in two ways.

use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::client::ClientBuilder;

use crate::caller::{Caller, Style};
use crate::errors;
use crate::settings::Settings;

fn caller(py: Python<'_>, settings: Result<ClientBuilder, Error>, style: Style) -> PyResult<Caller> {
    let core = settings.and_then(ClientBuilder::build).map_err(|error| errors::raise(py, error))?;
    Ok(Caller::new(core, style))
}

/// A client class; its resources are generated.
macro_rules! client {
    ($name:ident, $style:expr, $shown:literal, $(#[doc = $doc:literal])+) => {
        $(#[doc = $doc])+
        ///
        /// What is not given keeps its default; there is no default base URL. `timeout` is in seconds and holds for whole calls,
        /// uploads too. `proxy` is a URL or `"none"`; unless given, `HTTPS_PROXY` and its like count. `ca_certificate` is PEM, trusted
        /// beside the platform's. `array_style` is `"repeated"` or `"comma"`. `max_response_bytes` holds for answers once they are
        /// unpacked, 64 MiB unless given; `gzip=False` asks for answers that are not packed. `local_checks=False` sends arguments too
        /// that the service is known to refuse.
        #[pyclass(frozen, module = "vitalwire")]
        pub(crate) struct $name {
            /// What the resources share.
            pub(crate) caller: Caller,
        }

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (base_url=None, *, care_base_url=None, token=None, care_token=None, timeout=None, max_retries=None,
                proxy=None, ca_certificate=None, allow_plain_http=false, array_style=None, user_agent=None,
                max_response_bytes=None, gzip=None, local_checks=None, _retry_delay_scale=None))]
            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            fn new(
                py: Python<'_>,
                base_url: Option<String>,
                care_base_url: Option<String>,
                token: Option<String>,
                care_token: Option<String>,
                timeout: Option<f64>,
                max_retries: Option<i64>,
                proxy: Option<String>,
                ca_certificate: Option<Bound<'_, PyAny>>,
                allow_plain_http: bool,
                array_style: Option<String>,
                user_agent: Option<String>,
                max_response_bytes: Option<i64>,
                gzip: Option<bool>,
                local_checks: Option<bool>,
                _retry_delay_scale: Option<f64>,
            ) -> PyResult<Self> {
                let settings = Settings {
                    base_url,
                    care_base_url,
                    token,
                    care_token,
                    timeout,
                    max_retries,
                    proxy,
                    ca_certificate,
                    allow_plain_http,
                    array_style,
                    user_agent,
                    max_response_bytes,
                    gzip,
                    local_checks,
                    retry_delay_scale: _retry_delay_scale,
                };
                Ok(Self { caller: caller(py, settings.builder()?, $style)? })
            }

            /// A client from the `VITALWIRE_*` environment variables.
            #[staticmethod]
            fn from_env(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { caller: caller(py, ClientBuilder::from_env(), $style)? })
            }

            fn __repr__(&self) -> &'static str {
                $shown
            }
        }
    };
}

client!(
    Client,
    Style::Sync,
    "Client(...)",
    /// A client of the services; its calls wait for their answer. It can be shared by threads.
);
client!(
    AsyncClient,
    Style::Async,
    "AsyncClient(...)",
    /// A client of the services for `asyncio`: its calls are awaited. It can be used from several event loops.
);
