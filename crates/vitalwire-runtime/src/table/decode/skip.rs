//! Lists of objects with an item that cannot be decoded, in a second reading: each item is taken as text first, and such an item is left out.

use serde::Deserializer;
use serde::de::{Error, SeqAccess};
use serde_json::Deserializer as Parser;

use super::object::ObjectSeed;
use super::{Reader, Taken};
use crate::table::losses::{Named, Tally};
use crate::table::plan::Node;
use crate::value::decode::{ItemText, Mark, Step, check_at, enter, is_leaf, within};

/// The table before an item of a list is read.
struct Start {
    rows: usize,
    columns: usize,
    skipped: Tally,
}

impl Reader {
    /// Reads the objects of a list that can be decoded. The others have no rows, and are counted under the list's name.
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

    /// Counts of the item begin at nothing: those of one that is left out do not count.
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

/// The reason for an item that is not an object.
const OBJECT: &str = "expected an object";
