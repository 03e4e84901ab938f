//! Answers as tables, which other programs take by the Arrow C data interface.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use vitalwire::Error;
use vitalwire::blocking::{block_on, block_on_several};
use vitalwire::client::Operation;
use vitalwire::range::RangeCollect;
use vitalwire::table::{Table, TableId};

use crate::call::{Begun, Call, taken};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::Given;
use crate::guard::{handle, present};
use crate::kind::owned;
use crate::outcome::{attempt, attempt_with};
use crate::range::collected::vitalwire_range_observer;
use crate::range::part::vitalwire_range_progress;
use crate::range::vitalwire_range_call;
use crate::started::{vitalwire_call, vitalwire_completion};
use crate::starting::{Out, Then, finish, start};
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;
use crate::view;

/// What calls are that read a range into a table.
const RANGE_TABLE: &str = "range_table";

/// Rows of one kind, as columns: what a program that knows Arrow takes without a copy.
///
/// Numbers are doubles and 64-bit integers, instants microseconds in UTC, local times microseconds without a zone, dates days. A value that
/// is missing is null, never 0. The unit of a column is in its metadata under "unit". Columns for names that no row has are left out, but
/// for those that the call requested.
pub struct vitalwire_table {
    table: Arc<Table>,
    /// Of a range with parts that failed.
    resume: Option<String>,
}

/// Declared in arrow.h: `struct ArrowArrayStream`.
pub type vitalwire_arrow_stream = FFI_ArrowArrayStream;
/// Declared in arrow.h: `struct ArrowArray`.
pub type vitalwire_arrow_array = FFI_ArrowArray;
/// Declared in arrow.h: `struct ArrowSchema`.
pub type vitalwire_arrow_schema = FFI_ArrowSchema;

/// The table's name, one of VITALWIRE_TABLE_*.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_name(of: Option<&vitalwire_table>) -> vitalwire_str {
    view::text(of, |of| Some(of.table.spec().name()))
}

/// How many rows it has.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_rows_count(of: Option<&vitalwire_table>) -> usize {
    view::count(of, |of| of.table.len())
}

/// Values of one column that were left out of a table for one reason.
#[repr(C)]
pub struct vitalwire_skipped_values {
    /// The column; the field of the response, if a whole object or list was of another type; or the list, if an item could not be decoded:
    /// its field, `response` if the response itself is the list. An undeclared name may be personal.
    pub column: vitalwire_str,
    /// The broken rule, such as `expected an integer`, or `missing` for an item without a required field. It contains no value.
    pub reason: vitalwire_str,
    /// Number of values.
    pub count: u64,
}

/// Number of values that were left out of a table: of an unexpected type, times that no column can represent, or list items that could not
/// be decoded. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_skipped_count(of: Option<&vitalwire_table>) -> u64 {
    view::plain(of, 0, |of| of.table.skipped())
}

/// Reads how many values of one column were left out for one reason, counted from 0. Returns false beyond the end. The texts live as long
/// as the table.
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

/// Of a range that collects failures: the text of a resume token for the parts that are missing; no text where nothing is missing. It lives
/// as long as the table.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_resume_token(of: Option<&vitalwire_table>) -> vitalwire_str {
    view::text(of, |of| of.resume.as_deref())
}

/// Exports a table as a stream of one batch. It shares the table's memory, which stays until the stream is released, also after the table
/// was freed. `out` is the caller's; what was in it is not released.
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

/// Exports a table as one array of structs and its schema, both to be released. Memory is shared as by vitalwire_table_stream.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_array(
    of: Option<&vitalwire_table>,
    array: Option<&mut MaybeUninit<vitalwire_arrow_array>>,
    schema: Option<&mut MaybeUninit<vitalwire_arrow_schema>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, array, schema) = (handle(of, "of")?, present(array, "array")?, present(schema, "schema")?);
        let (exported, described) = exported(of.table.shared_record_batch()?)?;
        array.write(exported);
        schema.write(described);
        Ok(())
    })
}

/// Frees a table; NULL is allowed. What was exported of it stays.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_table_free(of: Option<Box<vitalwire_table>>) {
    view::free(of);
}

/// Reads every part of a range into one table, as vitalwire_range_call_collect reads them into one answer. `table` is one of VITALWIRE_TABLE_*;
/// no text is the answer's first one. If the range ends early, the error has what is left: vitalwire_error_resume_token.
///
/// `observer`, `user_data` and `destructor` are those of vitalwire_range_call_collect.
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
        let id = chosen(range.range.operation(), &table)?;
        let reading = range.range.table(range.client.engine(), id.spec(), |table| table);
        let table = block_on_several(merged(reading, |progress| {
            if let Some(observer) = &observer {
                observer.call(&progress);
            }
        }))??;
        out.write(owned(table));
        Ok(())
    })
}

/// Starts vitalwire_range_call_table, and returns at once. A table that the answer does not have is refused here.
///
/// `observer`, `observed` and `observed_destructor` are those of vitalwire_range_call_collect_start. `completion` may be NULL.
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
    let then = Then::new(completion, user_data, destructor);
    attempt(error, || {
        let (range, out) = (handle(range, "range")?, present(out, "out")?);
        let id = chosen(range.range.operation(), &table)?;
        let (parts, token) = range.range.with_token();
        let reading = parts.table(range.client.engine(), id.spec(), |table| table);
        start(RANGE_TABLE, &range.endings, token, then, out, |going| {
            let going = Arc::clone(going);
            merged(reading, move |progress| {
                if let Some(observer) = &observer {
                    going.observe(&mut || observer.call(&progress));
                }
            })
        })
    })
}

/// The table of a range that vitalwire_range_call_table_start started, once that has ended. Where the range ended early, the error has what
/// is left: vitalwire_error_resume_token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_table_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_table>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish(RANGE_TABLE, call, out, error)
}

/// Reads a range to its end.
async fn merged(
    range: RangeCollect<Arc<Table>>,
    mut observe: impl FnMut(vitalwire_range_progress),
) -> Result<vitalwire_table, vitalwire_error> {
    let merged = range.collect(|progress| observe(progress.into())).await?;
    Ok(vitalwire_table { table: merged.response(), resume: merged.resume_token().map(ToString::to_string) })
}

impl<O: Operation + Clone> Call<'_, O> {
    /// Makes the call and reads its answer as a table.
    pub(crate) fn table(mut self, table: &vitalwire_str, out: Option<&mut MaybeUninit<Box<vitalwire_table>>>) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            let id = chosen(O::META.id, table)?;
            let Begun { call, metadata } = self.begin()?;
            let table = taken(block_on(call.table(id))??, metadata.as_ref());
            out.write(owned(table.into()));
            Ok(())
        })
    }

    /// Starts such a call.
    pub(crate) fn start_table(mut self, name: &'static str, table: &vitalwire_str, then: Then, out: Out<'_>) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            let (endings, token) = self.own()?;
            let id = chosen(O::META.id, table)?;
            let Begun { call, metadata } = self.begin_with(Some(token.clone()))?;
            let call = call.begun();
            let work = async move { Ok(vitalwire_table::from(taken(call.table(id).await?, metadata.as_ref()))) };
            start(name, &endings, token, then, out, |_| work)
        })
    }
}

impl From<Table> for vitalwire_table {
    fn from(table: Table) -> Self {
        Self { table: Arc::new(table), resume: None }
    }
}

/// The table of this name in an operation's answer, the first one without a name.
fn chosen(operation: &str, name: &vitalwire_str) -> Result<TableId, Error> {
    let mut given = Given::default();
    let name = given.optional_text("table", name);
    given.check()?;
    let found = match name {
        None => TableId::of_operation(operation).next(),
        Some(name) => name.parse().ok().filter(|id| TableId::of_operation(operation).any(|holds| holds == *id)),
    };
    found.ok_or_else(|| Error::invalid_argument("table", "is no table of this answer"))
}

fn exported(batch: RecordBatch) -> Result<(FFI_ArrowArray, FFI_ArrowSchema), Error> {
    // Arrow's text may hold a value, so it is no cause.
    to_ffi(&StructArray::from(batch).to_data()).map_err(|_| Error::internal("a table cannot be handed over"))
}
