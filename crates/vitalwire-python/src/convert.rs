//! Values that cross between Python and the core.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBytes, PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyDict, PyFrozenSet, PyMemoryView, PyTzInfo, PyTzInfoAccess,
};
use serde::Serialize;
use vitalwire::Error;
use vitalwire::client::ArrayStyle;
use vitalwire::value::{Date, Extra, Timestamp};

use crate::{errors, json};

/// Bytes of a double.
const WIDTH: usize = size_of::<f64>();

/// Imports what pyo3 imports when it is first used, and panics where it cannot: Ctrl-C in that moment would be such a failure.
pub(crate) fn import_datetime(py: Python<'_>) -> PyResult<()> {
    py.import("datetime")?;
    let _ = (py.get_type::<PyDateTime>(), py.get_type::<PyDate>(), py.get_type::<PyDelta>(), py.get_type::<PyTzInfo>());
    Ok(())
}

/// An instant as an aware `datetime` in UTC. Python keeps 6 decimals: the rest is cut.
///
/// Made from ten bytes and a time zone, the form in which Python itself copies and pickles them: under the stable ABI that is a
/// fourth of the time that seven numbers take.
pub(crate) fn datetime(py: Python<'_>, instant: Timestamp) -> PyResult<Bound<'_, PyDateTime>> {
    static UTC: PyOnceLock<Py<PyTzInfo>> = PyOnceLock::new();
    let utc = UTC.get_or_try_init(py, || PyTzInfo::utc(py).map(|utc| utc.to_owned().unbind()))?;
    let state = state(py, instant)?;
    Ok(py.get_type::<PyDateTime>().call1((state, utc))?.cast_into()?)
}

/// What a clock on the wall showed, given as if that clock showed UTC: a `datetime` without a time zone.
pub(crate) fn naive(py: Python<'_>, shown: Timestamp) -> PyResult<Bound<'_, PyDateTime>> {
    let state = state(py, shown)?;
    Ok(py.get_type::<PyDateTime>().call1((state,))?.cast_into()?)
}

fn state(py: Python<'_>, instant: Timestamp) -> PyResult<Bound<'_, PyBytes>> {
    // Python checks the month in these bytes, and not the year.
    let instant = instant.local(0).filter(|instant| (1..=9999).contains(&instant.year()));
    let instant = instant.ok_or_else(|| errors::raise(py, Error::internal("an instant has no date in UTC")))?;
    let part = |number: i8| number.unsigned_abs();
    let [high, low] = instant.year().to_be_bytes();
    let [_, micro @ ..] = (instant.subsec_nanosecond().unsigned_abs() / 1000).to_be_bytes();
    let time = [part(instant.month()), part(instant.day()), part(instant.hour()), part(instant.minute()), part(instant.second())];
    Ok(PyBytes::new(py, &[high, low, time[0], time[1], time[2], time[3], time[4], micro[0], micro[1], micro[2]]))
}

/// A date.
pub(crate) fn date(py: Python<'_>, date: Date) -> PyResult<Bound<'_, PyDate>> {
    let (year, month, day) = date.ymd();
    PyDate::new(py, i32::from(year), month.unsigned_abs(), day.unsigned_abs())
}

/// An aware `datetime` of any time zone. One without is refused: Python takes it for local time, the service for UTC.
pub(crate) fn to_timestamp(argument: &'static str, moment: &Bound<'_, PyDateTime>) -> PyResult<Timestamp> {
    static EPOCH: PyOnceLock<Py<PyDateTime>> = PyOnceLock::new();
    let py = moment.py();
    // A time zone that has no offset is none.
    if moment.get_tzinfo().is_none() || moment.call_method0("utcoffset")?.is_none() {
        return Err(errors::raise(py, Error::invalid_argument(argument, "a datetime needs a time zone")));
    }
    let epoch = EPOCH.get_or_try_init(py, || PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&*PyTzInfo::utc(py)?)).map(Bound::unbind))?;
    let since: Bound<'_, PyDelta> = moment.sub(epoch.bind(py))?.cast_into()?;
    let seconds = i64::from(since.get_days()) * 86_400 + i64::from(since.get_seconds());
    // A subclass may have what Python has not: pandas does.
    let rest = moment.getattr_opt("nanosecond")?.map_or(Ok(0), |rest| rest.extract::<u32>())?;
    let instant = Timestamp::from_unix(seconds, since.get_microseconds().unsigned_abs() * 1000 + rest.min(999));
    instant.ok_or_else(|| errors::raise(py, Error::invalid_argument(argument, "out of range")))
}

/// A `date`. A `datetime` is one where it is the midnight that begins a day, and has no time zone: so pandas has dates. Of others the time
/// of day would be lost silently, and where a time zone is, the day depends on it.
pub(crate) fn to_date(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Date> {
    let Ok(date) = object.cast::<PyDate>() else {
        let name = object.get_type().name()?;
        let how = if name == "datetime64" { ": pandas.Timestamp makes one of it" } else { "" };
        return Err(PyTypeError::new_err(format!("argument '{argument}': a date is needed, not a {name}{how}")));
    };
    let refused = |reason| errors::raise(date.py(), Error::invalid_argument(argument, reason));
    if date.is_instance_of::<PyDateTime>() && !is_day(date)? {
        return Err(refused("a datetime is a date at midnight and without a time zone only, so pass its .date()"));
    }
    let small = |number: u8| i8::try_from(number).ok();
    let made = || Date::new(i16::try_from(date.get_year()).ok()?, small(date.get_month())?, small(date.get_day())?);
    made().ok_or_else(|| refused("out of range"))
}

/// Whether a `datetime` has neither time of day nor time zone; that of pandas has nanoseconds too, and none of all this where it is missing.
fn is_day(moment: &Bound<'_, PyDate>) -> PyResult<bool> {
    for part in ["hour", "minute", "second", "microsecond", "nanosecond"] {
        if moment.getattr_opt(part)?.map_or(Ok(false), |part| part.ne(0))? {
            return Ok(false);
        }
    }
    Ok(moment.getattr("tzinfo")?.is_none())
}

/// The bytes of anything that has some, such as a `bytearray`, a `memoryview` or an array; without a copy where it is `bytes` itself.
pub(crate) fn as_bytes<'py>(argument: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if !has_bytes(object) {
        return Err(PyTypeError::new_err(format!("argument '{argument}': bytes are needed")));
    }
    Ok(PyMemoryView::from(object)?.call_method0("tobytes")?.cast_into()?)
}

/// Whether an object has bytes.
pub(crate) fn has_bytes(object: &Bound<'_, PyAny>) -> bool {
    match PyMemoryView::from(object) {
        Ok(_) => true,
        // A view that was released says so when it is read.
        Err(error) => !error.is_instance_of::<PyTypeError>(object.py()),
    }
}

/// Seconds as a caller gives them.
pub(crate) fn to_duration(argument: &'static str, seconds: f64) -> Result<Duration, Error> {
    let refused = || Error::invalid_argument(argument, "not a number of seconds above 0");
    if seconds <= 0.0 {
        return Err(refused());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| refused())
}

/// A whole number from 0 on.
pub(crate) fn to_count<N: TryFrom<i64>>(argument: &'static str, count: i64) -> Result<N, Error> {
    N::try_from(count).map_err(|_| Error::invalid_argument(argument, "not a whole number from 0 on"))
}

/// How lists travel in a query.
pub(crate) fn to_style(argument: &'static str, style: &str) -> Result<ArrayStyle, Error> {
    match style {
        "repeated" => Ok(ArrayStyle::Repeated),
        "comma" => Ok(ArrayStyle::Comma),
        _ => Err(Error::invalid_argument(argument, "must be repeated or comma")),
    }
}

/// Doubles in one buffer: the one copy that is made of a series.
pub(crate) fn buffer<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * WIDTH, |bytes| {
        for (place, number) in bytes.chunks_exact_mut(WIDTH).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

/// A read-only `memoryview` of doubles over a buffer. A fresh one at each reading: a caller may release it.
pub(crate) fn doubles<'py>(buffer: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyAny>> {
    if buffer.as_bytes().is_empty() {
        // An empty view cannot be cast, but an empty array of doubles has one.
        let array = buffer.py().import("array")?.call_method1("array", ("d",))?;
        return PyMemoryView::from(&array)?.call_method0("toreadonly");
    }
    PyMemoryView::from(buffer)?.call_method1("cast", ("d",))
}

/// A list member of doubles; the buffer is made once.
pub(crate) fn series<'py>(py: Python<'py>, slot: &PyOnceLock<Py<PyBytes>>, numbers: Option<&[f64]>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(numbers) = numbers else { return Ok(None) };
    let made = slot.get_or_try_init(py, || buffer(py, numbers).map(Bound::unbind))?;
    doubles(made.bind(py)).map(Some)
}

/// Names as a set.
pub(crate) fn names<'py>(py: Python<'py>, members: &[(&str, bool)]) -> PyResult<Bound<'py, PyFrozenSet>> {
    PyFrozenSet::new(py, members.iter().filter(|(_, null)| *null).map(|(name, _)| name))
}

/// Unknown members as a new `dict`.
pub(crate) fn extra<'py>(py: Python<'py>, members: &Extra) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in members.iter() {
        dict.set_item(name, json::value(py, value)?)?;
    }
    Ok(dict)
}

/// Anything the core can write as JSON, as plain Python values.
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let written = serde_json::to_string(value).map_err(|_| errors::raise(py, Error::internal("a record cannot be written")))?;
    json::record(py, &written)
}
