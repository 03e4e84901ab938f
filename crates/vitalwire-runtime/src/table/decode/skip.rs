//! Second pass over a list of objects with an invalid item. Each item is first read as text, and invalid items are skipped.

use serde::Deserializer;
use serde::de::{Error, SeqAccess};
use serde_json::Deserializer as Parser;

use super::object::ObjectSeed;
use super::{Reader, Taken};
use crate::table::losses::{Named, Tally};
use crate::table::plan::Node;
use crate::value::decode::{ItemText, Mark, Step, check_at, enter, is_leaf, within};

/// State of the table before an item is read.
struct Start {
    rows: usize,
    columns: usize,
    skipped: Tally,
}

impl Reader {
    /// Reads the valid objects of a list. Invalid ones add no rows, and are counted under the name of the list.
    #[cold]
    pub(super) fn decodable<'de, A: SeqAccess<'de>>(
        &mut self,
        node: &'static Node,
        list: &'static str,
        mut items: A,
    ) -> Result<Taken, A::Error> {
        for at in 0.. {
            check_at(at)?;
            let mark = Mark::set();
            let Some(text) = items.next_element_seed(ItemText).inspect_err(|_| within(Step::Item(at)))? else { break };
            let _inside = enter(Step::Item(at));
            let start = self.begin();
            let seed = ObjectSeed { reader: self, node, strict: true };
            match (&mut Parser::from_str(&text)).deserialize_any(seed) {
                Ok(_) => {
                    self.end(start);
                    mark.refund(&text);
                }
                Err(error) => {
                    let error = if is_leaf(&error) { A::Error::custom(OBJECT) } else { A::Error::custom(error) };
                    self.undo(start);
                    let reason = mark.skip(error, text).inspect_err(|_| within(Step::Item(at)))?;
                    self.count(list.into(), Named::Item, reason);
                }
            }
        }
        Ok(Taken::Yes)
    }

    /// Starts an item with empty counts, so that the counts of a skipped item can be discarded.
    fn begin(&mut self) -> Start {
        let skipped = std::mem::take(&mut self.table.skipped);
        Start { rows: self.table.rows, columns: self.table.columns.len(), skipped }
    }

    fn end(&mut self, start: Start) {
        let own = std::mem::replace(&mut self.table.skipped, start.skipped);
        self.table.skipped.add(&own);
    }

    fn undo(&mut self, start: Start) {
        self.truncate(start.rows);
        for column in self.table.columns.drain(start.columns..) {
            self.names.remove(column.field.name.as_ref());
        }
        self.table.skipped = start.skipped;
    }
}

/// Reason for skipping an item that is not an object.
const OBJECT: &str = "expected an object";
