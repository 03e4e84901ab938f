//! Range calls. The methods `..._range` of resources return a [`RangeCall`] or an [`AsyncRangeCall`]; `sleeps.between` returns a
//! [`NightSearch`] or an [`AsyncNightSearch`].

mod arguments;
mod inner;
mod interrupted;
mod merged;
mod night;
mod nights;
mod part;
mod progress;
mod range;
mod reader;
mod run;
mod token;

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::BoxFuture;
use vitalwire::operation::Provenance;
use vitalwire::range::RangeOperation;

pub(crate) use arguments::Arguments;
use inner::Inner;
pub(crate) use nights::{SearchArguments, search_nights};
pub(crate) use range::{AsyncNightSearch, AsyncRangeCall, NightSearch, RangeCall};

use crate::caller::Caller;
use crate::errors;
use crate::event_loop::PendingCall;
use crate::options::Options;
use crate::records::{self, ListedRecord};
use crate::runtime::CallMode;
use crate::view::{self, Record, View};

/// Creates a Python object from a value of the core.
type ObjectFactory = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// Creates the Python object of a response.
type Convert<T> = fn(Python<'_>, Arc<T>, Arc<Provenance>) -> PyResult<Py<PyAny>>;

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RangeCall>()?;
    module.add_class::<AsyncRangeCall>()?;
    module.add_class::<NightSearch>()?;
    module.add_class::<AsyncNightSearch>()?;
    module.add_class::<night::NightResult>()?;
    module.add_class::<reader::RangeParts>()?;
    module.add_class::<reader::AsyncRangeParts>()?;
    module.add_class::<part::RangePart>()?;
    module.add_class::<merged::MergedRange>()?;
    module.add_class::<merged::MergedPart>()?;
    module.add_class::<progress::RangeProgress>()?;
    module.add_class::<token::ResumeToken>()
}

/// Creates a range call without sending requests. Rejects arguments that do not allow parts.
pub(crate) fn range<O>(
    py: Python<'_>,
    caller: &Caller,
    parameters: O,
    options: &Options<'_>,
    arguments: &Arguments<'_>,
    convert: Convert<O::Output>,
) -> PyResult<Py<PyAny>>
where
    O: RangeOperation<Output: Clone + Sync>,
{
    let caller = caller.with_cancellation(py, options.cancel.clone().unwrap_or_default()).with_tasks();
    let options = options.to_core().map_err(|error| errors::raise(py, error))?;
    let core = caller.core();
    let ((part_length, settings), reporting) = (arguments.settings(py)?, arguments.reporting()?);
    let call = core.call(parameters).options(options).split(part_length).with_settings(settings);
    let range = call.erased(move |value, provenance| -> ObjectFactory { Box::new(move |py| convert(py, value, Arc::new(provenance))) });
    let mode = caller.mode();
    let inner = Inner::new(caller, &core, range, reporting).map_err(|error| errors::raise(py, arguments::rename_argument(error)))?;
    match mode {
        CallMode::Sync => Ok(Py::new(py, RangeCall(inner))?.into_any()),
        CallMode::Async => Ok(Py::new(py, AsyncRangeCall(inner))?.into_any()),
    }
}

/// Spawns the work of a part as a task, because Python may read slowly while timeouts run. Token callables are awaited in the event loop of
/// the reader.
fn run_in_pending_call(part: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    match PendingCall::current() {
        Some(pending) => Box::pin(async move { pending.run(part).await.unwrap_or_default() }),
        None => part,
    }
}

/// Converts a response that is one record.
pub(crate) fn record<V: Record>(py: Python<'_>, record: Arc<V::Core>, provenance: Arc<Provenance>) -> PyResult<Py<PyAny>>
where
    V::Core: Sized + Send,
{
    Ok(view::object::<V>(py, View::shared(record, Some(provenance)))?.into_any())
}

/// Converts a response that is a list of records.
pub(crate) fn records<V: ListedRecord>(py: Python<'_>, records: Arc<Vec<V::Core>>, provenance: Arc<Provenance>) -> PyResult<Py<PyAny>>
where
    V::Core: Sized + Send,
{
    records::shared_record_list::<V>(py, records, Some(provenance)).map(Into::into)
}
