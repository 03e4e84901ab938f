//! Conversions between Python and the core.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBytes, PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyDict, PyFrozenSet, PyMemoryView, PyString, PyTzInfo,
    PyTzInfoAccess,
};
use serde::Serialize;
use vitalwire::Error;
use vitalwire::client::ArrayStyle;
use vitalwire::value::{Date, Extra, OpenSet, Timestamp};

use crate::{arguments, datetime_module, errors, json};

/// Size of a double in bytes.
const WIDTH: usize = size_of::<f64>();

/// Converts an instant to an aware `datetime` in UTC, truncated to microseconds.
///
/// Passes the ten bytes of the pickle form and a time zone to the constructor. Under the stable ABI, this takes a quarter of the time of
/// passing seven numbers.
pub(crate) fn datetime(py: Python<'_>, instant: Timestamp) -> PyResult<Bound<'_, PyDateTime>> {
    static UTC: PyOnceLock<Py<PyTzInfo>> = PyOnceLock::new();
    let utc = UTC.get_or_try_init(py, || {
        datetime_module::import(py)?;
        PyTzInfo::utc(py).map(|utc| utc.to_owned().unbind())
    })?;
    let state = datetime_state(py, instant)?;
    Ok(py.get_type::<PyDateTime>().call1((state, utc))?.cast_into()?)
}

/// Converts a local time, passed as if it were UTC, to a naive `datetime`.
pub(crate) fn naive_datetime(py: Python<'_>, local: Timestamp) -> PyResult<Bound<'_, PyDateTime>> {
    datetime_module::import(py)?;
    let state = datetime_state(py, local)?;
    Ok(py.get_type::<PyDateTime>().call1((state,))?.cast_into()?)
}

fn datetime_state(py: Python<'_>, instant: Timestamp) -> PyResult<Bound<'_, PyBytes>> {
    // Rejects years outside Python's range: Python validates the month in these bytes, but not the year.
    let instant = instant.local(0).filter(|instant| (1..=9999).contains(&instant.year()));
    let instant = instant.ok_or_else(|| errors::raise(py, Error::internal("an instant must be within the years 1 to 9999")))?;
    let part = |number: i8| number.unsigned_abs();
    let [high, low] = instant.year().to_be_bytes();
    let [_, micro @ ..] = (instant.subsec_nanosecond().unsigned_abs() / 1000).to_be_bytes();
    let time = [part(instant.month()), part(instant.day()), part(instant.hour()), part(instant.minute()), part(instant.second())];
    Ok(PyBytes::new(py, &[high, low, time[0], time[1], time[2], time[3], time[4], micro[0], micro[1], micro[2]]))
}

pub(crate) fn date(py: Python<'_>, date: Date) -> PyResult<Bound<'_, PyDate>> {
    datetime_module::import(py)?;
    let (year, month, day) = date.ymd();
    PyDate::new(py, i32::from(year), month.unsigned_abs(), day.unsigned_abs())
}

/// Remedy for instants without a time zone.
const NAIVE: &str =
    "for UTC, use datetime.replace(tzinfo=datetime.timezone.utc), pandas.Timestamp(..., tz=\"UTC\") or a text that ends in Z";

/// Converts an aware `datetime` of any time zone, or such an instant as ISO 8601 text. Rejects naive ones: Python takes them for local
/// time, the service for UTC.
pub(crate) fn to_timestamp(argument: &'static str, moment: &Bound<'_, PyAny>) -> PyResult<Timestamp> {
    static EPOCH: PyOnceLock<Py<PyDateTime>> = PyOnceLock::new();
    let py = moment.py();
    let invalid = |reason| errors::raise(py, Error::invalid_argument(argument, reason));
    let naive = || errors::with_note(py, invalid("must have a time zone"), NAIVE);
    if let Ok(text) = moment.cast::<PyString>() {
        let text: &str = arguments::extract(text.as_any(), argument)?;
        // The offset follows the time of day; the date has hyphens too.
        let has_offset = text.split_once(['T', 't', ' ']).is_some_and(|(_, time)| time.contains(['Z', 'z', '+', '-']));
        let rule = "must be a date-time in ISO 8601, such as 2025-01-31T08:00:00Z";
        return if has_offset { text.parse().map_err(|_| invalid(rule)) } else { Err(naive()) };
    }
    if is_datetime64(moment)? {
        return Err(naive());
    }
    let Ok(moment) = moment.cast::<PyDateTime>() else {
        let name = moment.get_type().name()?;
        return Err(PyTypeError::new_err(format!("argument '{argument}': must be a datetime, not a {name}")));
    };
    // A `datetime` whose tzinfo has no offset is naive too.
    if moment.get_tzinfo().is_none() || moment.call_method0("utcoffset")?.is_none() {
        return Err(naive());
    }
    let epoch = EPOCH.get_or_try_init(py, || PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&*PyTzInfo::utc(py)?)).map(Bound::unbind))?;
    let since: Bound<'_, PyDelta> = moment.sub(epoch.bind(py))?.cast_into()?;
    let seconds = i64::from(since.get_days()) * 86_400 + i64::from(since.get_seconds());
    // Subclasses such as `pandas.Timestamp` may have nanoseconds.
    let rest = moment.getattr_opt("nanosecond")?.map_or(Ok(0), |rest| rest.extract::<u32>())?;
    let instant = Timestamp::from_unix(seconds, since.get_microseconds().unsigned_abs() * 1000 + rest.min(999));
    instant.ok_or_else(|| errors::raise(py, Error::invalid_argument(argument, "must be within the supported range")))
}

/// Whether the object is a `numpy.datetime64`. numpy is not imported.
fn is_datetime64(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.get_type().name()? == "datetime64")
}

/// Converts a `date`, a naive `datetime` at midnight, as pandas represents dates, a `numpy.datetime64` at midnight, or text such as
/// `2025-01-31`. Rejects other `datetime` objects: their time would be lost silently, and their date depends on the time zone.
pub(crate) fn to_date(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Date> {
    datetime_module::import(object.py())?;
    if let Ok(text) = object.cast::<PyString>() {
        let text: &str = arguments::extract(text.as_any(), argument)?;
        let rule = "must be a date, such as 2025-01-31";
        return text.parse().map_err(|_| errors::raise(object.py(), Error::invalid_argument(argument, rule)));
    }
    if is_datetime64(object)? {
        let moment = object.call_method1("astype", ("datetime64[us]",))?.call_method0("item")?;
        if moment.is_instance_of::<PyDate>() {
            return to_date(argument, &moment);
        }
    }
    let Ok(date) = object.cast::<PyDate>() else {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("argument '{argument}': must be a date, not a {name}")));
    };
    let invalid = |reason| errors::raise(date.py(), Error::invalid_argument(argument, reason));
    if date.is_instance_of::<PyDateTime>() && !is_day(date)? {
        return Err(invalid("must be a date, or a datetime at midnight without a time zone; pass its .date()"));
    }
    let small = |number: u8| i8::try_from(number).ok();
    let made = || Date::new(i16::try_from(date.get_year()).ok()?, small(date.get_month())?, small(date.get_day())?);
    made().ok_or_else(|| invalid("must be within the supported range"))
}

/// Whether a `datetime` is naive and at midnight. Checks nanoseconds of pandas too; `NaT` has none of these attributes.
fn is_day(moment: &Bound<'_, PyDate>) -> PyResult<bool> {
    for part in ["hour", "minute", "second", "microsecond", "nanosecond"] {
        if moment.getattr_opt(part)?.map_or(Ok(false), |part| part.ne(0))? {
            return Ok(false);
        }
    }
    Ok(moment.getattr("tzinfo")?.is_none())
}

/// Returns the bytes of a buffer such as a `bytearray`, `memoryview` or array. Does not copy `bytes`.
pub(crate) fn as_bytes<'py>(argument: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if !has_bytes(object) {
        return Err(PyTypeError::new_err(format!("argument '{argument}': must be bytes or another buffer")));
    }
    Ok(PyMemoryView::from(object)?.call_method0("tobytes")?.cast_into()?)
}

/// Whether an object supports the buffer protocol.
pub(crate) fn has_bytes(object: &Bound<'_, PyAny>) -> bool {
    match PyMemoryView::from(object) {
        Ok(_) => true,
        // Any other error, such as that of a released view, is raised again when the bytes are read.
        Err(error) => !error.is_instance_of::<PyTypeError>(object.py()),
    }
}

/// Converts seconds to a duration.
pub(crate) fn to_duration(argument: &'static str, seconds: f64) -> Result<Duration, Error> {
    let invalid = || Error::invalid_argument(argument, "must be a number of seconds above 0");
    if seconds <= 0.0 {
        return Err(invalid());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| invalid())
}

/// Texts of the known names of an open set, created on first use. Records of a response repeat them.
pub(crate) struct Names(PyOnceLock<Vec<Py<PyString>>>);

impl Names {
    pub(crate) const fn new() -> Self {
        Self(PyOnceLock::new())
    }

    /// Returns a name as a text.
    pub(crate) fn text<'py, T: OpenSet>(&self, py: Python<'py>, value: &T) -> Bound<'py, PyString> {
        let name = value.as_str();
        let known = || T::KNOWN.iter().map(|name| PyString::new(py, name).unbind()).collect();
        // Another spelling of a known name has the same index.
        let index = T::index_of(name).filter(|at| T::KNOWN.get(*at) == Some(&name));
        let text = index.and_then(|at| self.0.get_or_init(py, known).get(at));
        text.map_or_else(|| PyString::new(py, name), |text| text.bind(py).clone())
    }
}

/// Converts a non-negative integer.
pub(crate) fn to_count<N: TryFrom<i64>>(argument: &'static str, count: i64) -> Result<N, Error> {
    N::try_from(count).map_err(|_| Error::invalid_argument(argument, "must be a whole number of at least 0"))
}

/// Converts the encoding of lists in a query.
pub(crate) fn to_style(argument: &'static str, style: &str) -> Result<ArrayStyle, Error> {
    match style {
        "repeated" => Ok(ArrayStyle::Repeated),
        "comma" => Ok(ArrayStyle::Comma),
        _ => Err(Error::invalid_argument(argument, "must be 'repeated' or 'comma'")),
    }
}

/// Copies doubles into a buffer. This is the only copy of a series.
pub(crate) fn buffer<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * WIDTH, |bytes| {
        for (place, number) in bytes.chunks_exact_mut(WIDTH).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

/// Creates a read-only `memoryview` of doubles. Each read gets a new one, because callers may release it.
pub(crate) fn doubles<'py>(buffer: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyAny>> {
    if buffer.as_bytes().is_empty() {
        // Python cannot cast an empty view, so this creates the view from an empty array of doubles.
        let array = buffer.py().import("array")?.call_method1("array", ("d",))?;
        return PyMemoryView::from(&array)?.call_method0("toreadonly");
    }
    PyMemoryView::from(buffer)?.call_method1("cast", ("d",))
}

/// Returns a list of doubles as a view of a cached buffer.
pub(crate) fn series<'py>(py: Python<'py>, slot: &PyOnceLock<Py<PyBytes>>, numbers: Option<&[f64]>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(numbers) = numbers else { return Ok(None) };
    let made = slot.get_or_try_init(py, || buffer(py, numbers).map(Bound::unbind))?;
    doubles(made.bind(py)).map(Some)
}

/// Returns the names that are marked true, as a set.
pub(crate) fn names<'py>(py: Python<'py>, members: &[(&str, bool)]) -> PyResult<Bound<'py, PyFrozenSet>> {
    PyFrozenSet::new(py, members.iter().filter(|(_, null)| *null).map(|(name, _)| name))
}

/// Returns unknown fields as a new `dict`.
pub(crate) fn extra<'py>(py: Python<'py>, members: &Extra) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in members.iter() {
        dict.set_item(name, json::value(py, value)?)?;
    }
    Ok(dict)
}

/// Converts a serializable value to plain Python values.
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let written = serde_json::to_string(value).map_err(|_| errors::raise(py, Error::internal("a record cannot be serialized")))?;
    json::record(py, &written)
}
