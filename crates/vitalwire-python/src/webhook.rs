//! Native items of the module `vitalwire.webhook`: verification of signatures and parsing of events.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use vitalwire::Error;
use vitalwire::webhook::{self, DEFAULT_BODY_LIMIT, SIGNATURE_HEADER, WebhookKind};

use crate::arguments::{self, Count};
use crate::generated::docs;
use crate::generated::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::view::{self, View};
use crate::{convert, errors, response};

/// Adds the items that `vitalwire.webhook` re-exports.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SIGNATURE_HEADER", SIGNATURE_HEADER)?;
    module.add("DEFAULT_BODY_LIMIT", DEFAULT_BODY_LIMIT)?;
    module.add_class::<Verifier>()?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(parse_events, module)?)?;
    module.add_function(wrap_pyfunction!(parse_lab_report, module)?)?;
    module.add_function(wrap_pyfunction!(parse_nutrition, module)?)?;
    module.add_function(wrap_pyfunction!(skipped_items, module)?)?;
    module.add_function(wrap_pyfunction!(detect_kind, module)?)?;
    module.add_function(wrap_pyfunction!(content_key, module)?)?;
    module.add_function(wrap_pyfunction!(sign, module)?)
}

#[doc = docs!(Verifier)]
#[pyclass(frozen, module = "vitalwire.webhook")]
pub(crate) struct Verifier(webhook::Verifier);

#[pymethods]
impl Verifier {
    #[new]
    #[pyo3(signature = (keys, *, body_limit=None))]
    fn new(keys: &Bound<'_, PyAny>, body_limit: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let body_limit: Option<Count> = body_limit.map(|bytes| arguments::extract(bytes, "body_limit")).transpose()?;
        let mut builder = webhook::Verifier::builder();
        for key in to_list(keys)? {
            builder = builder.key(key_bytes("keys", &key)?.as_bytes());
        }
        let settings = || match body_limit {
            Some(bytes) => builder.body_limit(convert::to_count("body_limit", bytes.0)?).build(),
            None => builder.build(),
        };
        settings().map(Self).map_err(|error| errors::raise(keys.py(), error))
    }

    #[doc = docs!(Verifier.verify)]
    #[pyo3(signature = (body, signature))]
    fn verify(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let signature = signature.map(|value| header_bytes("signature", value)).transpose()?;
        self.check(&body_bytes(body)?, signature.as_slice())
    }

    #[doc = docs!(Verifier.verify_headers)]
    #[pyo3(signature = (body, headers))]
    fn verify_headers(&self, body: &Bound<'_, PyAny>, headers: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check(&body_bytes(body)?, &signature_values(headers)?)
    }

    #[doc = docs!(Verifier.verify_and_parse_events)]
    #[pyo3(signature = (body, signature))]
    fn verify_and_parse_events(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyTuple>> {
        self.verify(body, signature)?;
        parse_events(body)
    }

    #[doc = docs!(Verifier.verify_and_parse_lab_report)]
    #[pyo3(signature = (body, signature))]
    fn verify_and_parse_lab_report(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<Py<LabReportWebhook>> {
        self.verify(body, signature)?;
        parse_lab_report(body)
    }

    #[doc = docs!(Verifier.verify_and_parse_nutrition)]
    #[pyo3(signature = (body, signature))]
    fn verify_and_parse_nutrition(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<Py<NutritionWebhook>> {
        self.verify(body, signature)?;
        parse_nutrition(body)
    }

    fn __repr__(&self) -> &'static str {
        "Verifier(...)"
    }
}

impl Verifier {
    /// Verifies the signatures of a body with the interpreter released, because large bodies take time.
    fn check(&self, body: &Bound<'_, PyBytes>, signatures: &[Vec<u8>]) -> PyResult<()> {
        let (py, bytes) = (body.py(), body.as_bytes());
        py.detach(|| self.0.verify_values(bytes, signatures)).map_err(|error| errors::raise(py, error))
    }
}

#[doc = docs!(verify)]
#[pyfunction]
#[pyo3(signature = (body, signature, keys))]
fn verify(body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>, keys: &Bound<'_, PyAny>) -> PyResult<()> {
    Verifier::new(keys, None)?.verify(body, signature)
}

#[doc = docs!(parse_events)]
#[pyfunction]
fn parse_events(body: &Bound<'_, PyAny>) -> PyResult<Py<PyTuple>> {
    let py = body.py();
    let whole = View::new(parse_detached(body, webhook::parse_events)?, None);
    let events = (0..whole.get().len()).filter_map(|at| whole.narrow(|events| events.get(at)));
    let events = events.map(|event| view::object::<WebhookEvent>(py, event)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, events)?.unbind())
}

#[doc = docs!(parse_lab_report)]
#[pyfunction]
fn parse_lab_report(body: &Bound<'_, PyAny>) -> PyResult<Py<LabReportWebhook>> {
    view::object(body.py(), View::new(parse_detached(body, webhook::parse_lab_report)?, None))
}

#[doc = docs!(parse_nutrition)]
#[pyfunction]
fn parse_nutrition(body: &Bound<'_, PyAny>) -> PyResult<Py<NutritionWebhook>> {
    view::object(body.py(), View::new(parse_detached(body, webhook::parse_nutrition)?, None))
}

#[doc = docs!(skipped_items)]
#[pyfunction]
fn skipped_items<'py>(
    body: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::methods::kind)] kind: &str,
) -> PyResult<Bound<'py, PyTuple>> {
    let kind = match kind {
        "events" => WebhookKind::Events,
        "lab_report" => WebhookKind::LabReport,
        "nutrition" => WebhookKind::Nutrition,
        _ => WebhookKind::Unknown,
    };
    let skipped = parse_detached(body, |body| webhook::skipped_items(body, kind))?;
    response::skipped_tuple(body.py(), skipped.as_slice())
}

#[doc = docs!(detect_kind)]
#[pyfunction]
fn detect_kind(body: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    Ok(match webhook::detect_kind(body_bytes(body)?.as_bytes()) {
        WebhookKind::Events => Some("events"),
        WebhookKind::LabReport => Some("lab_report"),
        WebhookKind::Nutrition => Some("nutrition"),
        _ => None,
    })
}

#[doc = docs!(content_key)]
#[pyfunction]
fn content_key(body: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(webhook::content_key(body_bytes(body)?.as_bytes()).to_string())
}

#[doc = docs!(sign)]
#[pyfunction]
fn sign(body: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(webhook::sign(body_bytes(body)?.as_bytes(), key_bytes("key", key)?.as_bytes()))
}

/// Parses a body with the interpreter released.
fn parse_detached<T: Send>(body: &Bound<'_, PyAny>, parse: impl FnOnce(&[u8]) -> Result<T, Error> + Send) -> PyResult<T> {
    let (py, body) = (body.py(), body_bytes(body)?);
    let bytes = body.as_bytes();
    py.detach(|| parse(bytes)).map_err(|error| errors::raise(py, error))
}

/// Returns the bytes of a body. Rejects `str`, because decoding and encoding may change the signature.
fn body_bytes<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if body.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("argument 'body': must be bytes, not a str: the signature covers the bytes as received"));
    }
    convert::as_bytes("body", body)
}

/// Returns the bytes of a key. A `str` is encoded as UTF-8.
fn key_bytes<'py>(argument: &'static str, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let Ok(text) = key.cast::<PyString>() else { return convert::as_bytes(argument, key) };
    // Replaces Python's error about unpaired surrogates, which contains the text.
    let text = text.to_str().map_err(|_| errors::raise(key.py(), Error::invalid_argument(argument, "must be valid Unicode")))?;
    Ok(PyBytes::new(key.py(), text.as_bytes()))
}

/// Converts one or several keys to a list.
fn to_list<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if keys.is_instance_of::<PyString>() || convert::has_bytes(keys) {
        return Ok(vec![keys.clone()]);
    }
    keys.try_iter().map_err(|_| PyTypeError::new_err("argument 'keys': must be a key or several keys, each bytes or str"))?.collect()
}

/// Converts the name or value of a header. Servers decode invalid bytes to arbitrary characters, which no signature contains.
fn header_bytes(argument: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_string_lossy().into_owned().into_bytes()),
        Err(_) => Ok(convert::as_bytes(argument, value)?.as_bytes().to_vec()),
    }
}

/// Whether a header is the signature header, case-insensitively or in the spelling of WSGI and CGI.
fn is_signature(name: &[u8]) -> bool {
    let written: Option<Vec<u8>> =
        name.strip_prefix(b"HTTP_").map(|rest| rest.iter().map(|byte| if *byte == b'_' { b'-' } else { *byte }).collect());
    written.as_deref().unwrap_or(name).eq_ignore_ascii_case(SIGNATURE_HEADER.as_bytes())
}

fn invalid_headers() -> PyErr {
    PyTypeError::new_err("argument 'headers': must be a mapping, or pairs of name and value")
}

/// Converts a pair of name and value. ASGI allows any iterable of two items.
fn to_pair<'py>(item: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if item.is_instance_of::<PyString>() || convert::has_bytes(item) {
        return Err(invalid_headers());
    }
    let parts: Vec<_> = item.try_iter().map_err(|_| invalid_headers())?.take(3).collect::<PyResult<_>>()?;
    let [name, value] = <[_; 2]>::try_from(parts).map_err(|_| invalid_headers())?;
    Ok((name, value))
}

/// Converts the values of a header from a single value or a list of values.
fn header_values(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    if value.is_instance_of::<PyString>() || convert::has_bytes(value) {
        return Ok(vec![header_bytes("headers", value)?]);
    }
    match value.try_iter() {
        Ok(items) => items.map(|value| header_bytes("headers", &value?)).collect(),
        Err(_) => Err(PyTypeError::new_err("argument 'headers': values must be str, bytes or a list of them")),
    }
}

fn signature_values(headers: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let pairs = if headers.hasattr("items")? { headers.call_method0("items")? } else { headers.clone() };
    let mut found = Vec::new();
    for item in pairs.try_iter().map_err(|_| invalid_headers())? {
        let (name, value) = to_pair(&item?)?;
        if is_signature(&header_bytes("headers", &name)?) {
            found.extend(header_values(&value)?);
        }
    }
    Ok(found)
}
