//! What the service sends to a server of the user's: `vitalwire.webhook`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use vitalwire::Error;
use vitalwire::webhook::{self, DEFAULT_BODY_LIMIT, Guess, SIGNATURE_HEADER};

use crate::generated::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::view::{Record, View};
use crate::{convert, errors};

/// Adds what `vitalwire.webhook` re-exports.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SIGNATURE_HEADER", SIGNATURE_HEADER)?;
    module.add("DEFAULT_BODY_LIMIT", DEFAULT_BODY_LIMIT)?;
    module.add_class::<Verifier>()?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(parse_events, module)?)?;
    module.add_function(wrap_pyfunction!(parse_lab_report, module)?)?;
    module.add_function(wrap_pyfunction!(parse_nutrition, module)?)?;
    module.add_function(wrap_pyfunction!(guess, module)?)?;
    module.add_function(wrap_pyfunction!(content_key, module)?)?;
    module.add_function(wrap_pyfunction!(sign, module)?)
}

/// Checks the signatures of webhooks under one or several keys. No text shows a key.
///
/// `keys` is a key, or several while one takes the other's place: a signature under any of them is taken. A key is bytes, or a
/// str that stands for its UTF-8. `body_limit` is the largest body that is checked, in bytes; 32 MiB unless given.
#[pyclass(frozen, module = "vitalwire.webhook")]
pub(crate) struct Verifier(webhook::Verifier);

#[pymethods]
impl Verifier {
    #[new]
    #[pyo3(signature = (keys, *, body_limit=None))]
    fn new(keys: &Bound<'_, PyAny>, body_limit: Option<i64>) -> PyResult<Self> {
        let mut builder = webhook::Verifier::builder();
        for key in several(keys)? {
            builder = builder.key(secret("keys", &key)?.as_bytes());
        }
        let settings = || match body_limit {
            Some(bytes) => builder.body_limit(convert::to_count("body_limit", bytes)?).build(),
            None => builder.build(),
        };
        settings().map(Self).map_err(|error| errors::raise(keys.py(), error))
    }

    /// Checks a body, as it came, against the value of its signature header; `None` stands for a header that is not there.
    #[pyo3(signature = (body, signature))]
    fn verify(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let signature = signature.map(|value| header("signature", value)).transpose()?;
        self.check(&raw(body)?, signature.as_slice())
    }

    /// Checks a body with the signature out of the request's headers: a mapping, or pairs of name and value, which may be bytes.
    #[pyo3(signature = (body, headers))]
    fn verify_headers(&self, body: &Bound<'_, PyAny>, headers: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check(&raw(body)?, &signatures(headers)?)
    }

    /// Checks a body, then reads its events.
    #[pyo3(signature = (body, signature))]
    fn verify_and_parse_events(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyTuple>> {
        self.verify(body, signature)?;
        parse_events(body)
    }

    /// Checks a body, then reads its lab report.
    #[pyo3(signature = (body, signature))]
    fn verify_and_parse_lab_report(&self, body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>) -> PyResult<Py<LabReportWebhook>> {
        self.verify(body, signature)?;
        parse_lab_report(body)
    }

    /// Checks a body, then reads its nutrition record.
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
    /// With the interpreter released: a large body takes a while.
    fn check(&self, body: &Bound<'_, PyBytes>, signatures: &[Vec<u8>]) -> PyResult<()> {
        let (py, bytes) = (body.py(), body.as_bytes());
        py.detach(|| self.0.verify_values(bytes, signatures)).map_err(|error| errors::raise(py, error))
    }
}

/// Checks a body, as it came, against the value of its signature header, under a key or several.
#[pyfunction]
#[pyo3(signature = (body, signature, keys))]
fn verify(body: &Bound<'_, PyAny>, signature: Option<&Bound<'_, PyAny>>, keys: &Bound<'_, PyAny>) -> PyResult<()> {
    Verifier::new(keys, None)?.verify(body, signature)
}

/// Reads a body of the main webhook: a list of events, which may be about several users.
#[pyfunction]
fn parse_events(body: &Bound<'_, PyAny>) -> PyResult<Py<PyTuple>> {
    let py = body.py();
    let whole = View::of(parsed(body, webhook::parse_events)?, None);
    let events = (0..whole.get().len()).filter_map(|at| whole.narrow(|events| events.get(at)));
    let events = events.map(|event| Py::new(py, WebhookEvent::over(event))).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, events)?.unbind())
}

/// Reads a body of the lab report webhook.
#[pyfunction]
fn parse_lab_report(body: &Bound<'_, PyAny>) -> PyResult<Py<LabReportWebhook>> {
    Py::new(body.py(), LabReportWebhook::over(View::of(parsed(body, webhook::parse_lab_report)?, None)))
}

/// Reads a body of the nutrition webhook.
#[pyfunction]
fn parse_nutrition(body: &Bound<'_, PyAny>) -> PyResult<Py<NutritionWebhook>> {
    Py::new(body.py(), NutritionWebhook::over(View::of(parsed(body, webhook::parse_nutrition)?, None)))
}

/// What a body looks like: `"events"`, `"lab_report"`, `"nutrition"`, or `None` where it cannot be told.
#[pyfunction]
fn guess(body: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    Ok(match webhook::guess(raw(body)?.as_bytes()) {
        Guess::Events => Some("events"),
        Guess::LabReport => Some("lab_report"),
        Guess::Nutrition => Some("nutrition"),
        _ => None,
    })
}

/// The key under which a receiver remembers a body: 64 hex digits, equal for equal contents.
#[pyfunction]
fn content_key(body: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(webhook::content_key(raw(body)?.as_bytes()).to_string())
}

/// Signs a body as the service does, for tests of a receiver.
#[pyfunction]
fn sign(body: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(webhook::sign(raw(body)?.as_bytes(), secret("key", key)?.as_bytes()))
}

/// Reads a body with the interpreter released.
fn parsed<T: Send>(body: &Bound<'_, PyAny>, parse: impl FnOnce(&[u8]) -> Result<T, Error> + Send) -> PyResult<T> {
    let (py, body) = (body.py(), raw(body)?);
    let bytes = body.as_bytes();
    py.detach(|| parse(bytes)).map_err(|error| errors::raise(py, error))
}

/// The bytes of a body. A text is refused: what was decoded and encoded again may have another signature.
fn raw<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if body.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "argument 'body': the raw bytes are needed, not a str: the signature is over the bytes as they came",
        ));
    }
    convert::as_bytes("body", body)
}

/// A key's bytes; of a text, its UTF-8.
fn secret<'py>(argument: &'static str, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let Ok(text) = key.cast::<PyString>() else { return convert::as_bytes(argument, key) };
    // What Python says of half a character holds the text.
    let text = text.to_str().map_err(|_| errors::raise(key.py(), Error::invalid_argument(argument, "a key is not Unicode")))?;
    Ok(PyBytes::new(key.py(), text.as_bytes()))
}

/// One key as a list of one.
fn several<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if keys.is_instance_of::<PyString>() || convert::has_bytes(keys) {
        return Ok(vec![keys.clone()]);
    }
    keys.try_iter().map_err(|_| PyTypeError::new_err("argument 'keys': a key or several are needed, each bytes or a str"))?.collect()
}

/// A header's name or value. Servers put in odd characters what is no text: those are in no signature.
fn header(argument: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_string_lossy().into_owned().into_bytes()),
        Err(_) => Ok(convert::as_bytes(argument, value)?.as_bytes().to_vec()),
    }
}

/// The values of the signature header.
fn signatures(headers: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let wrong = || PyTypeError::new_err("argument 'headers': a mapping, or pairs of name and value, are needed");
    let pairs = if headers.hasattr("items")? { headers.call_method0("items")? } else { headers.clone() };
    let mut found = Vec::new();
    for pair in pairs.try_iter().map_err(|_| wrong())? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract().map_err(|_| wrong())?;
        if header("headers", &name)?.eq_ignore_ascii_case(SIGNATURE_HEADER.as_bytes()) {
            found.push(header("headers", &value)?);
        }
    }
    Ok(found)
}
