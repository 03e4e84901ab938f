//! Reading of Arrow IPC streams from untrusted bytes.
//!
//! The reader of `arrow-ipc` validates values, but panics if a buffer lies outside of the message body. This module therefore parses the
//! messages and checks their buffers first.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::RecordBatchDecoder;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::{DataType, Schema};

use super::to_arrow::column_kind;

/// Marker before the length of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// Required alignment of buffers, in bytes, so that values need not be copied.
const ALIGNMENT: i64 = 8;

/// Reads a stream with at most one record batch. Returns `None` if the bytes are not the stream of a table.
pub(super) fn read_batch(stream: &[u8]) -> Option<RecordBatch> {
    let mut rest = stream;
    let (metadata, _) = next_message(&mut rest)??;
    let schema = Arc::new(read_schema(root_as_message(&metadata).ok()?)?);
    let Some((metadata, body)) = next_message(&mut rest)? else { return Some(RecordBatch::new_empty(schema)) };
    let message = root_as_message(&metadata).ok()?;
    let batch = message.header_as_record_batch()?;
    let widths: Vec<i64> = schema.fields().iter().flat_map(|field| buffer_widths(field.data_type())).copied().collect();
    let buffers = batch.buffers().filter(|buffers| buffers.len() == widths.len())?;
    let bounded = buffers.iter().zip(widths).try_fold(0, |start, (buffer, width)| {
        let end = buffer.offset().checked_add(buffer.length())?;
        // Require ascending, disjoint buffers. Otherwise a small stream could expand to a large table.
        let fits = start <= buffer.offset() && 0 <= buffer.length() && usize::try_from(end).ok()? <= body.len();
        (fits && buffer.offset() % ALIGNMENT == 0 && buffer.length() % width == 0).then_some(end)
    });
    let counted = batch.nodes()?.iter().all(|node| 0 <= node.length() && (0..=node.length()).contains(&node.null_count()));
    // Without columns, the number of rows cannot be verified.
    let rows = batch.length() >= 0 && !(schema.fields().is_empty() && batch.length() > 0);
    bounded.filter(|_| counted && rows && batch.compression().is_none())?;
    let (body, dictionaries, version) = (Buffer::from(body), HashMap::new(), message.version());
    RecordBatchDecoder::try_new(&body, batch, schema, &dictionaries, &version).ok()?.read_record_batch().ok()
}

/// Returns the value size of each buffer of a column, in bytes: the validity bitmap first, then values, or offsets and text.
fn buffer_widths(kind: &DataType) -> &'static [i64] {
    match kind {
        DataType::Utf8 => &[1, 4, 1],
        DataType::List(_) => &[1, 4, 1, 4, 1],
        DataType::Date32 => &[1, 4],
        DataType::Boolean => &[1, 1],
        _ => &[1, 8],
    }
}

/// Reads the next message: its metadata, in aligned memory, and its body. Returns `Some(None)` at the end of the stream, and `None` if
/// the stream is truncated.
fn next_message<'a>(rest: &mut &'a [u8]) -> Option<Option<(Buffer, &'a [u8])>> {
    if rest.is_empty() {
        return Some(None);
    }
    let mut length = take_bytes(rest, 4)?;
    if length == CONTINUATION {
        length = take_bytes(rest, 4)?;
    }
    let length = u32::from_le_bytes(length.try_into().ok()?);
    if length == 0 {
        return Some(None);
    }
    let metadata = Buffer::from(take_bytes(rest, usize::try_from(length).ok()?)?);
    let body = usize::try_from(root_as_message(&metadata).ok()?.bodyLength()).ok()?;
    Some(Some((metadata, take_bytes(rest, body)?)))
}

fn take_bytes<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (bytes, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(bytes)
}

/// Reads a schema. Returns `None` if tables do not support the type of a column.
fn read_schema(message: Message<'_>) -> Option<Schema> {
    let schema = message.header_as_schema()?;
    let schema = try_fb_to_schema(schema).ok().filter(|_| schema.endianness().equals_to_target_endianness())?;
    let known = |field: &Arc<arrow_schema::Field>| column_kind(field.data_type()).is_some();
    schema.fields().iter().all(known).then_some(schema)
}
