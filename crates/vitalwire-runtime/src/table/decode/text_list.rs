//! Decoding of a list of texts into a cell.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Deserializer as Parser;

use crate::table::ColumnKind;
use crate::table::cells::Cells;
use crate::value::decode::{
    DecodeCheckpoint, DecodeMode, ItemText, PathStep, check_item, enter_step, is_unreadable_leaf, mode, record_step,
};

/// Reads the texts of a list into the current cell. The first pass fails at items of other types; the second pass skips them.
pub(super) fn read_texts<'de, A: SeqAccess<'de>>(cells: &mut Cells, mut items: A) -> Result<(), A::Error> {
    if mode() != DecodeMode::Quick {
        return read_valid_texts(cells, items);
    }
    while items.next_element_seed(ItemSeed(cells))?.is_some() {}
    Ok(())
}

/// Reads the valid texts of a list in the second pass. Each item is first read as text.
#[cold]
fn read_valid_texts<'de, A: SeqAccess<'de>>(cells: &mut Cells, mut items: A) -> Result<(), A::Error> {
    for at in 0.. {
        check_item(at)?;
        let checkpoint = DecodeCheckpoint::new();
        let Some(text) = items.next_element_seed(ItemText).inspect_err(|_| record_step(PathStep::Item(at)))? else { break };
        let _inside = enter_step(PathStep::Item(at));
        match (&mut Parser::from_str(&text)).deserialize_any(ItemSeed(cells)) {
            Ok(()) => checkpoint.refund(&text),
            Err(error) => {
                let error =
                    if is_unreadable_leaf(&error) { A::Error::custom(ColumnKind::Text.expected()) } else { A::Error::custom(error) };
                checkpoint.skip(error, text).inspect_err(|_| record_step(PathStep::Item(at)))?;
            }
        }
    }
    Ok(())
}

/// Decodes a text in a list. Any other type is an error.
struct ItemSeed<'a>(&'a mut Cells);

impl<'de> DeserializeSeed<'de> for ItemSeed<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ItemSeed<'_> {
    #[cold]
    fn handle_wrong_type<E: Error>() -> Result<(), E> {
        Err(E::custom(ColumnKind::Text.expected()))
    }
}

impl<'de> Visitor<'de> for ItemSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.push_item(text)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Self::handle_wrong_type()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Self::handle_wrong_type()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Self::handle_wrong_type()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Self::handle_wrong_type()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Self::handle_wrong_type()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Self::handle_wrong_type()
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Self::handle_wrong_type()
    }
}
