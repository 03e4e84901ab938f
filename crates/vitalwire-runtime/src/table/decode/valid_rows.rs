//! Second pass over a list of objects, one of which is invalid. Reads each item as text first, and skips invalid items.

use serde::Deserializer;
use serde::de::{Error, SeqAccess};
use serde_json::Deserializer as Parser;

use super::object::ObjectSeed;
use super::{ReadOutcome, TableReader};
use crate::table::data_loss::{SkipCounts, SkipTarget};
use crate::table::read_plan::ObjectPlan;
use crate::value::decode::{DecodeCheckpoint, ItemText, PathStep, check_item, enter_step, is_unreadable_leaf, record_step};

/// State of the table before an item is read.
struct ItemCheckpoint {
    rows: usize,
    columns: usize,
    skipped: SkipCounts,
}

impl TableReader {
    /// Reads the valid objects of a list. Invalid ones add no rows, and are counted under the name of the list.
    #[cold]
    pub(super) fn read_valid_rows<'de, A: SeqAccess<'de>>(
        &mut self,
        node: &'static ObjectPlan,
        list: &'static str,
        mut items: A,
    ) -> Result<ReadOutcome, A::Error> {
        for at in 0.. {
            check_item(at)?;
            let checkpoint = DecodeCheckpoint::new();
            let Some(text) = items.next_element_seed(ItemText).inspect_err(|_| record_step(PathStep::Item(at)))? else { break };
            let _inside = enter_step(PathStep::Item(at));
            let start = self.begin_item();
            let seed = ObjectSeed { reader: self, node, strict: true };
            match (&mut Parser::from_str(&text)).deserialize_any(seed) {
                Ok(_) => {
                    self.keep_item(start);
                    checkpoint.refund(&text);
                }
                Err(error) => {
                    let error = if is_unreadable_leaf(&error) { A::Error::custom(EXPECTED_OBJECT) } else { A::Error::custom(error) };
                    self.discard_item(start);
                    let reason = checkpoint.skip(error, text).inspect_err(|_| record_step(PathStep::Item(at)))?;
                    self.record_skip(list.into(), SkipTarget::Item, reason);
                }
            }
        }
        Ok(ReadOutcome::Stored)
    }

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

/// Reason for skipping an item that is not an object.
const EXPECTED_OBJECT: &str = "expected an object";
