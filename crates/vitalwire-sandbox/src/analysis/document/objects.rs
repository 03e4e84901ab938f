//! Limits the object streams of a PDF file before the library parses them.
//!
//! The index of such a stream may name an offset many times, or offsets inside other objects. A small stream could then expand to
//! countless objects. Therefore each offset is charged as often as it is named, and no object may extend into the next.

use std::cell::Cell;

use lopdf::{Object, ObjectId, Stream};

/// Maximum unpacked size of a stream or of a page's contents, in bytes.
///
/// An operand of two bytes becomes an object of 120, so 1 MiB becomes 60 MiB, and more while the list grows. The text of a printed page
/// needs about 50 KiB.
pub(super) const MAX_UNPACKED: usize = 1_048_576;
/// Maximum bytes parsed from all object streams of a file. Two bytes may become an object of 120, so 4 MiB become 240 MiB.
const BUDGET: usize = 4 * 1_048_576;

thread_local! {
    /// Remaining budget of the file that this thread reads. Thread-local because the library's filter takes no context.
    static REMAINING_BUDGET: Cell<Option<usize>> = const { Cell::new(None) };
}

pub(super) fn reset_budget() {
    REMAINING_BUDGET.set(Some(BUDGET));
}

/// Whether an object stream was left out since [`reset_budget`].
pub(super) fn is_budget_exceeded() -> bool {
    REMAINING_BUDGET.get().is_none()
}

/// Filter for the library: leaves out object streams that exceed the budget.
pub(super) fn filter(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Object::Stream(stream) = object
        && stream.dict.has_type(b"ObjStm")
    {
        let left = REMAINING_BUDGET.get().zip(cost(stream)).and_then(|(left, cost)| left.checked_sub(cost));
        REMAINING_BUDGET.set(left);
        left?;
    }
    // For objects outside of object streams, the library only checks for `None` and keeps its own object.
    Some((id, object.clone()))
}

/// Returns the number of bytes that are parsed. `None` if objects overlap.
fn cost(stream: &Stream) -> Option<usize> {
    // A stream that cannot be unpacked is not parsed. The library reports the error.
    let Ok(content) = stream.get_plain_content_with_limit(MAX_UNPACKED) else { return Some(0) };
    let first = stream.dict.get(b"First").and_then(Object::as_i64).ok().and_then(|first| usize::try_from(first).ok());
    let Some((index, objects)) = first.and_then(|first| content.split_at_checked(first)) else { return Some(0) };
    let index = String::from_utf8_lossy(index);
    let lines = index.split(['\r', '\n']).map(|line| line.split('%').next().unwrap_or_default());
    let numbers: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let (pairs, _) = numbers.as_chunks::<2>();
    let mut offsets: Vec<usize> =
        pairs.iter().filter_map(|[_, offset]| offset.parse().ok()).filter(|offset| *offset < objects.len()).collect();
    offsets.sort_unstable();
    let mut cost = 0_usize;
    let mut end = objects.len();
    for same in offsets.chunk_by(|one, other| one == other).rev() {
        let Some(offset) = same.first().copied() else { continue };
        if end < objects.len() && !is_balanced(&objects[offset..end]) {
            return None;
        }
        cost = cost.checked_add((end - offset).checked_mul(same.len())?).filter(|cost| *cost <= BUDGET)?;
        end = offset;
    }
    Some(cost)
}

/// Whether all arrays, dictionaries and strings that begin in these bytes also end in them.
fn is_balanced(bytes: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'[' => depth += 1,
            b'<' if bytes.get(at) == Some(&b'<') => (depth, at) = (depth + 1, at + 1),
            b'<' => match bytes[at..].iter().position(|byte| *byte == b'>') {
                Some(length) => at += length + 1,
                None => return false,
            },
            b']' => depth = depth.saturating_sub(1),
            b'>' if bytes.get(at) == Some(&b'>') => (depth, at) = (depth.saturating_sub(1), at + 1),
            b'%' => at += bytes[at..].iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len() - at),
            b'(' => {
                let mut open = 1_usize;
                while open > 0 {
                    match bytes.get(at) {
                        None => return false,
                        Some(b'\\') => at += 1,
                        Some(b'(') => open += 1,
                        Some(b')') => open -= 1,
                        Some(_) => {}
                    }
                    at += 1;
                }
            }
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use lopdf::Dictionary;

    use super::*;

    /// Returns the cost of an object stream whose index has these offsets.
    fn cost_of(offsets: &[usize], objects: &str) -> Option<usize> {
        let index: String = offsets.iter().enumerate().map(|(id, offset)| format!("{} {offset} ", id + 1)).collect();
        let mut dict = Dictionary::new();
        dict.set("Type", "ObjStm");
        dict.set("First", index.len() as i64);
        cost(&Stream::new(dict, format!("{index}{objects}").into_bytes()))
    }

    #[test]
    fn usual_streams_cost_their_length() {
        assert_eq!(cost_of(&[0, 8, 23], "<</A 1>>[(a(b)\\)) <41>] (x[) % [\n 7"), Some(35));
        assert_eq!(cost_of(&[], ""), Some(0));
        assert_eq!(cost_of(&[90], "1"), Some(0), "a place that is not there");
    }

    #[test]
    fn an_offset_is_charged_each_time_it_is_named() {
        assert_eq!(cost_of(&[0, 0, 0], "[1 2 3]"), Some(21));
        let zeros = format!("[{}]", "0 ".repeat(100_000));
        assert!(cost_of(&[0; 20], &zeros).is_some());
        assert_eq!(cost_of(&[0; 21], &zeros), None);
    }

    #[test]
    fn nested_objects_are_rejected() {
        for (offsets, objects) in [([0, 1], "[[1 2]]"), ([0, 3], "<< /A << /B 1 >> >>"), ([0, 2], "(a[b])"), ([0, 2], "<4142>")] {
            assert_eq!(cost_of(&offsets, objects), None, "{objects}");
        }
    }
}
