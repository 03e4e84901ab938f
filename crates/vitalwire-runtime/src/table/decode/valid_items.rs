//! Second pass over a list, one item of which is invalid. Reads each item as text first, and skips invalid items.

use serde::de::{Error, SeqAccess};
use serde_json::Error as ParseError;

use super::TableReader;
use super::object_state::ObjectState;
use super::record::{EXPECTED_OBJECT, RecordReader};
use super::serde_access::read_text;
use crate::table::ColumnKind;
use crate::table::cells::Cells;
use crate::table::data_loss::{SkipCounts, SkipTarget};
use crate::value::decode::{DecodeCheckpoint, ItemText, PathStep, check_item, enter_step, is_unreadable_leaf, record_step};

/// A reader of list items.
trait ItemReader {
    /// Rule that an item breaks if only its text can be read.
    const EXPECTED: &'static str;

    /// Reads an item. After an error, the item has no effect.
    fn read(&mut self, text: &str) -> Result<(), ParseError>;

    /// Counts a skipped item.
    fn count_skipped(&mut self, reason: &'static str);
}

/// Reads the valid items of a list.
fn read_valid_items<'de, A: SeqAccess<'de>, R: ItemReader>(mut items: A, mut reader: R) -> Result<(), A::Error> {
    for at in 0.. {
        check_item(at)?;
        let checkpoint = DecodeCheckpoint::new();
        let Some(text) = items.next_element_seed(ItemText).inspect_err(|_| record_step(PathStep::Item(at)))? else { break };
        let _inside = enter_step(PathStep::Item(at));
        match reader.read(&text) {
            Ok(()) => checkpoint.refund(&text),
            Err(error) => {
                let error = if is_unreadable_leaf(&error) { A::Error::custom(R::EXPECTED) } else { A::Error::custom(error) };
                let reason = checkpoint.skip(error, text).inspect_err(|_| record_step(PathStep::Item(at)))?;
                reader.count_skipped(reason);
            }
        }
    }
    Ok(())
}

/// Reads the valid texts of a list into the current cell.
#[cold]
pub(super) fn read_valid_texts<'de, A: SeqAccess<'de>>(items: A, cells: &mut Cells) -> Result<(), A::Error> {
    read_valid_items(items, Texts(cells))
}

/// Reads the valid objects of a list. Invalid ones add no rows, and are counted under the name of the list.
#[cold]
pub(super) fn read_valid_rows<'de, A: SeqAccess<'de>>(
    items: A,
    table: &mut TableReader<'_>,
    state: &mut ObjectState,
    list: &'static str,
) -> Result<(), A::Error> {
    read_valid_items(items, Rows { table, state, list })
}

struct Texts<'a>(&'a mut Cells);

impl ItemReader for Texts<'_> {
    const EXPECTED: &'static str = ColumnKind::Text.expected();

    fn read(&mut self, text: &str) -> Result<(), ParseError> {
        // serde's own error quotes the value.
        let item: String = serde_json::from_str(text).map_err(|_| ParseError::custom(Self::EXPECTED))?;
        self.0.push_item(&item)
    }

    /// Does nothing, because the reader of the field counts the skipped items of all texts.
    fn count_skipped(&mut self, _: &'static str) {}
}

struct Rows<'a, 's> {
    table: &'a mut TableReader<'s>,
    state: &'a mut ObjectState,
    list: &'static str,
}

impl ItemReader for Rows<'_, '_> {
    const EXPECTED: &'static str = EXPECTED_OBJECT;

    fn read(&mut self, text: &str) -> Result<(), ParseError> {
        let start = self.table.begin_item();
        let mut reader = RecordReader { table: &mut *self.table, state: &mut *self.state, strict: true };
        match read_text(text, &mut reader) {
            Ok(_) => {
                self.table.keep_item(start);
                Ok(())
            }
            Err(error) => {
                self.table.discard_item(start);
                Err(error)
            }
        }
    }

    fn count_skipped(&mut self, reason: &'static str) {
        self.table.record_skip(self.list.into(), SkipTarget::Item, reason);
    }
}

/// State of the table before an item is read.
struct ItemCheckpoint {
    rows: usize,
    columns: usize,
    skipped: SkipCounts,
}

impl TableReader<'_> {
    /// Starts an item with empty counts, so that the counts of a skipped item can be discarded.
    fn begin_item(&mut self) -> ItemCheckpoint {
        let skipped = std::mem::take(&mut self.table.skipped);
        ItemCheckpoint { rows: self.table.rows, columns: self.table.columns.len(), skipped }
    }

    fn keep_item(&mut self, checkpoint: ItemCheckpoint) {
        let skipped = std::mem::replace(&mut self.table.skipped, checkpoint.skipped);
        self.table.skipped.add(&skipped);
    }

    fn discard_item(&mut self, checkpoint: ItemCheckpoint) {
        self.truncate(checkpoint.rows);
        for column in self.table.columns.drain(checkpoint.columns..) {
            self.undeclared.remove(column.field.name.as_ref());
        }
        self.table.skipped = checkpoint.skipped;
    }
}
