//! Exceptions that interrupt a range, such as Ctrl-C. They carry the parts that were read.

use std::time::Duration;

use pyo3::prelude::*;
use tokio::sync::Mutex;
use tokio::time::timeout;
use vitalwire::range::{RangeCollect, RangeError};

use super::ObjectFactory;
use super::merged::{self, CoreMerged};
use super::token::ResumeToken;

/// A range that is being collected. `None` once it has ended.
pub(super) type SharedCollect = Mutex<Option<RangeCollect<ObjectFactory>>>;

/// Maximum time to stop the parts of an interrupted range. Cancelled calls stop at once.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

const NOTE: &str = "a range was interrupted: partial_result has the parts that were read; pass resume_token as resume= to continue";

/// Reads a cancelled range to its end. Returns `None` if it has ended or never began.
pub(super) async fn collect_rest(collect: &SharedCollect) -> Option<Result<CoreMerged, RangeError<CoreMerged>>> {
    let rest = async {
        let range = collect.lock().await.take()?;
        Some(range.collect(drop).await)
    };
    timeout(STOP_TIMEOUT, rest).await.ok().flatten()
}

/// Attaches the parts that were read and a resume token to an exception.
///
/// Best effort: exceptions of some classes do not accept attributes.
pub(super) fn attach_result(exception: &Bound<'_, PyAny>, left: Option<Py<PyAny>>, partial_result: Option<Py<PyAny>>) {
    let _ = exception.setattr("resume_token", left);
    let _ = exception.setattr("partial_result", partial_result);
    // `add_note` exists since Python 3.11.
    let _ = exception.call_method1("add_note", (NOTE,));
}

/// Attaches the parts and the resume token of a range that ended early to an exception.
pub(super) fn attach_failed_result(py: Python<'_>, exception: &Bound<'_, PyAny>, failure: RangeError<CoreMerged>) -> PyResult<()> {
    let left = failure.resume_token().cloned().map(|left| Py::new(py, ResumeToken(left)).map(Py::into_any)).transpose()?;
    let partial_result = failure.into_parts().0.map(|partial_result| merged::merged_object(py, partial_result)).transpose()?;
    attach_result(exception, left, partial_result);
    Ok(())
}
