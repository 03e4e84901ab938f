//! Tables, exported with the Arrow C data interface.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use vitalwire::Error;
use vitalwire::blocking::{block_on, block_on_several};
use vitalwire::client::Operation;
use vitalwire::range::{AnyMerged, RangeCollect};
use vitalwire::table::{Table, TableId};

use crate::arguments::Arguments;
use crate::call::{Call, PreparedCall, into_value};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, present};
use crate::handles::{self, owned};
use crate::outcome::{attempt, attempt_with};
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::range::collected::vitalwire_range_observer;
use crate::range::part::vitalwire_range_progress;
use crate::range::vitalwire_range_call;
use crate::start::{CallOut, CompletionCallback, finish, start};
use crate::sync::params::read_kind;
use crate::sync::part::vitalwire_sync_part;
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;
use crate::view;

/// Name of calls that read a range as a table.
const RANGE_TABLE: &str = "range_table";

/// A response as a table. Programs that use Arrow can import the table without a copy.
///
/// Numbers are doubles and 64-bit integers, instants are microseconds in UTC, local times are microseconds without a zone, and dates are
/// days. A missing value is null, never 0. A column's metadata has its unit under "unit". Columns that no row contains are left out, unless
/// the call requested them.
#[derive(Clone)]
pub struct vitalwire_table {
    table: Arc<Table>,
    /// Text of a resume token, for a range with failed parts.
    resume: Option<String>,
}

/// Declared in arrow.h: `struct ArrowArrayStream`.
pub type vitalwire_arrow_stream = FFI_ArrowArrayStream;
/// Declared in arrow.h: `struct ArrowArray`.
pub type vitalwire_arrow_array = FFI_ArrowArray;
/// Declared in arrow.h: `struct ArrowSchema`.
pub type vitalwire_arrow_schema = FFI_ArrowSchema;

/// Returns the name of the table, one of VITALWIRE_TABLE_*.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_name(of: Option<&vitalwire_table>) -> vitalwire_str {
    view::text(of, |of| Some(of.table.spec().name()))
}

/// Returns the number of rows; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_rows_count(of: Option<&vitalwire_table>) -> usize {
    view::count(of, |of| of.table.len())
}

/// Number of values of one column that were skipped for one reason.
#[repr(C)]
pub struct vitalwire_skipped_values {
    /// Name of the column. For an object or list of another type, the name of the response field. For a list item that could not be
    /// decoded, the name of the list field, or `response` if the response itself is the list. Undeclared names may be personal.
    pub column: vitalwire_str,
    /// Broken rule, such as `expected an integer`, or `missing` for an item without a required field. It never contains the skipped value.
    pub reason: vitalwire_str,
    /// Number of values.
    pub count: u64,
}

/// Returns the number of skipped values. A value is skipped if it has an unexpected type, is a time outside the range of the column, or is
/// a list item that cannot be decoded. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_skipped_count(of: Option<&vitalwire_table>) -> u64 {
    view::plain(of, 0, |of| of.table.skipped())
}

/// Writes an entry of the skipped values to `value`, by index from 0. Each entry counts the values of one column and reason. Returns false
/// beyond the end. The texts are valid as long as the table.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_skipped_at(
    of: Option<&vitalwire_table>,
    index: usize,
    value: Option<&mut MaybeUninit<vitalwire_skipped_values>>,
) -> bool {
    view::scalar(of, value, |of| {
        of.table.skipped_by_column().nth(index).map(|values| vitalwire_skipped_values {
            column: values.column().into(),
            reason: values.reason().into(),
            count: values.count(),
        })
    })
}

/// Returns the text of a resume token for the missing parts of a range that collects failures. `data` is NULL if no part is missing. The
/// text is valid as long as the table.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_resume_token(of: Option<&vitalwire_table>) -> vitalwire_str {
    view::text(of, |of| of.resume.as_deref())
}

/// Returns the rows of all records of a kind that a part of a sync has read, including unchanged records. `kind` is one of
/// VITALWIRE_RECORD_KIND_*. Free the result with vitalwire_table_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_table(
    of: Option<&vitalwire_sync_part>,
    kind: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_table>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, out) = (handle(of, "of")?, present(out, "out")?);
        let mut arguments = Arguments::default();
        let kind = read_kind(&mut arguments, "kind", &kind);
        arguments.check()?;
        let table = kind.and_then(|kind| of.part.table(kind));
        let table = table.ok_or_else(|| Error::invalid_argument("kind", "must be a kind of the part"))?;
        out.write(owned(table.clone().into()));
        Ok(())
    })
}

/// Exports a table as a stream of one batch. The stream shares the memory of the table and keeps it until the stream is released, even if
/// the table is freed first. `out` belongs to the caller; its previous contents are not released.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_stream(
    of: Option<&vitalwire_table>,
    out: Option<&mut MaybeUninit<vitalwire_arrow_stream>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, out) = (handle(of, "of")?, present(out, "out")?);
        let batch = of.table.shared_record_batch()?;
        let schema = batch.schema();
        out.write(FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))));
        Ok(())
    })
}

/// Exports a table as an array of structs and its schema. The caller releases both. Shares memory like vitalwire_table_stream.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_array(
    of: Option<&vitalwire_table>,
    array: Option<&mut MaybeUninit<vitalwire_arrow_array>>,
    schema: Option<&mut MaybeUninit<vitalwire_arrow_schema>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, array, schema) = (handle(of, "of")?, present(array, "array")?, present(schema, "schema")?);
        let (exported, described) = export(of.table.shared_record_batch()?)?;
        array.write(exported);
        schema.write(described);
        Ok(())
    })
}

/// Frees a table. Exported streams and arrays stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_free(of: Option<Box<vitalwire_table>>) {
    view::free(of);
}

/// Reads every part of a range into one table, like vitalwire_range_call_collect. `table` is one of VITALWIRE_TABLE_*. If its `data` is
/// NULL, the first table of the response is returned. If the range ends early, vitalwire_error_partial_table returns the rows that were
/// read, and vitalwire_error_resume_token a token for the missing parts. Free the result with vitalwire_table_free.
///
/// `observer`, `user_data` and `destructor` work as in vitalwire_range_call_collect.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_table(
    range: Option<&vitalwire_range_call>,
    table: vitalwire_str,
    observer: vitalwire_range_observer,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<Box<vitalwire_table>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let observer = Observer::new(observer, user_data, destructor);
    attempt_with(error, || {
        let (range, out) = (handle(range, "range")?, present(out, "out")?);
        let id = find_table(range.range.operation(), &table)?;
        let reading = range.range.table(range.client.engine(), id.spec(), |table| table);
        let table = block_on_several(collect_table(reading, |progress| {
            if let Some(observer) = &observer {
                observer.call(&progress);
            }
        }))??;
        out.write(owned(table));
        Ok(())
    })
}

/// Starts vitalwire_range_call_table and returns at once. Fails without starting the call if the response has no such table.
///
/// `observer`, `observed` and `observed_destructor` work as in vitalwire_range_call_collect_start. `completion` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_table_start(
    range: Option<&vitalwire_range_call>,
    table: vitalwire_str,
    observer: vitalwire_range_observer,
    observed: *mut c_void,
    observed_destructor: vitalwire_destructor,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let observer = Observer::new(observer, observed, observed_destructor);
    let callback = CompletionCallback::new(completion, user_data, destructor);
    attempt(error, || {
        let (range, out) = (handle(range, "range")?, present(out, "out")?);
        let id = find_table(range.range.operation(), &table)?;
        let (parts, token) = range.range.with_token();
        let reading = parts.table(range.client.engine(), id.spec(), |table| table);
        start(RANGE_TABLE, &range.completions, token, callback, out, |pending| {
            let pending = Arc::clone(pending);
            collect_table(reading, move |progress| {
                if let Some(observer) = &observer {
                    pending.observe(&mut || observer.call(&progress));
                }
            })
        })
    })
}

/// Takes the table of a call that vitalwire_range_call_table_start started, after the call has ended. If the range ended early, the error
/// has the rows that were read and a resume token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_table_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_table>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish(RANGE_TABLE, call, out, error)
}

/// Returns a table of the parts that were read, after a vitalwire_range_call_table that ended early; NULL if no part was read. Free it with
/// vitalwire_table_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_partial_table(error: Option<&vitalwire_error>) -> Option<Box<vitalwire_table>> {
    let error = handles::valid(error)?;
    catch(|| error.partial_result.as_deref()?.downcast_ref().map(|table: &vitalwire_table| owned(table.clone()))).flatten()
}

/// Reads a range to its end.
async fn collect_table(
    range: RangeCollect<Arc<Table>>,
    mut observe: impl FnMut(vitalwire_range_progress),
) -> Result<vitalwire_table, vitalwire_error> {
    let merged = range.collect(|progress| observe(progress.into())).await;
    merged.map(Into::into).map_err(|error| error.map(vitalwire_table::from).into())
}

impl<O: Operation + Clone> Call<'_, O> {
    /// Makes the call and reads its response as a table.
    pub(crate) fn table(self, table: &vitalwire_str, out: Option<&mut MaybeUninit<Box<vitalwire_table>>>) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let PreparedCall { call, metadata } = call.prepare()?;
            let id = find_table(O::META.id, table)?;
            let table = into_value(block_on(call.table(id))??, metadata.as_ref());
            out.write(owned(table.into()));
            Ok(())
        })
    }

    /// Starts a call and reads its response as a table.
    pub(crate) fn start_table(
        self,
        name: &'static str,
        table: &vitalwire_str,
        callback: CompletionCallback,
        out: CallOut<'_>,
    ) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let (completions, token) = call.queue_and_token()?;
            let PreparedCall { call, metadata } = call.prepare_with(Some(token.clone()))?;
            let id = find_table(O::META.id, table)?;
            let call = call.bind_connections();
            let work = async move { Ok(vitalwire_table::from(into_value(call.table(id).await?, metadata.as_ref()))) };
            Ok(start(name, &completions, token, callback, out, |_| work)?)
        })
    }
}

impl From<AnyMerged<Arc<Table>>> for vitalwire_table {
    fn from(merged: AnyMerged<Arc<Table>>) -> Self {
        Self { table: merged.response(), resume: merged.resume_token().map(ToString::to_string) }
    }
}

impl From<Table> for vitalwire_table {
    fn from(table: Table) -> Self {
        Self { table: Arc::new(table), resume: None }
    }
}

/// Returns the table with this name in an operation's response, or the first one if there is no name.
fn find_table(operation: &str, name: &vitalwire_str) -> Result<TableId, Error> {
    let mut arguments = Arguments::default();
    let name = arguments.optional_text("table", name);
    arguments.check()?;
    let found = match name {
        None => TableId::of_operation(operation).next(),
        Some(name) => name.parse().ok().filter(|id| TableId::of_operation(operation).any(|holds| holds == *id)),
    };
    found.ok_or_else(|| Error::invalid_argument("table", "the response has no table with this name"))
}

fn export(batch: RecordBatch) -> Result<(FFI_ArrowArray, FFI_ArrowSchema), Error> {
    // Arrow's message may contain a value, so it is not kept as the cause.
    to_ffi(&StructArray::from(batch).to_data()).map_err(|_| Error::internal("a table cannot be converted to Arrow"))
}
