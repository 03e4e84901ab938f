//! Fields of objects and items of lists at a cursor.

use std::borrow::Cow;

use super::value::{lenient, strict, strict_list};
use super::{Cursor, FastPathError, Result};
use crate::value::decode::decode_state::charge;
use crate::value::decode::name_lookup::{FieldKey, NameLookup};
use crate::value::decode::strict_value::ItemSeed;
use crate::value::decode::{Decode, LenientValue, ListAccess, ObjectAccess, raw_text};

/// The fields of an object, or the items of a list.
pub(super) struct Items<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    /// Whether the next item is the first one.
    is_first: bool,
    /// Whether there may be a further item.
    more: bool,
}

impl<'c, 't> Items<'c, 't> {
    /// Consumes the start of a list or an object.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every object of a body; measured")]
    pub(super) fn begin(cursor: &'c mut Cursor<'t>, start: u8, end: u8) -> Result<Self> {
        let more = cursor.begin(start, end)?;
        Ok(Self { cursor, is_first: true, more })
    }

    /// Moves to the next item. Returns whether there is one.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every value of a body; measured")]
    fn advance(&mut self, end: u8) -> Result<bool> {
        if self.is_first {
            self.is_first = false;
        } else if self.more {
            self.more = self.cursor.has_next(end)?;
        }
        Ok(self.more)
    }

    /// Whether all items were read.
    pub(super) fn is_ended(&self) -> bool {
        !self.more
    }

    /// Appends the JSON text of the next value.
    #[inline]
    fn push_value(&mut self, to: &mut String) -> Result<()> {
        let text = self.cursor.value_text()?;
        charge::<FastPathError>(text.len())?;
        to.push_str(text);
        Ok(())
    }
}

impl<'t> ObjectAccess<'t> for &mut Items<'_, 't> {
    type Error = FastPathError;

    #[inline]
    fn next_key<F: Fn(&str) -> Option<usize>>(&mut self, lookup: &mut NameLookup<F>) -> Result<Option<FieldKey<'t>>> {
        if !self.advance(b'}')? {
            return Ok(None);
        }
        if self.cursor.peek() == b'"'
            && let Some((index, length)) = lookup.predict(self.cursor.bytes())
        {
            self.cursor.advance(length);
            return Ok(Some(FieldKey::Known(index)));
        }
        let name = self.cursor.string()?;
        self.cursor.expect(b':')?;
        Ok(Some(match lookup.find(&name) {
            Some(index) => FieldKey::Known(index),
            None => FieldKey::Unknown(name),
        }))
    }

    #[inline]
    fn lenient<T: Decode>(&mut self) -> Result<LenientValue<T>> {
        lenient(self.cursor)
    }

    #[inline]
    fn list<T: Decode>(&mut self) -> Result<LenientValue<Vec<T>>> {
        lenient(self.cursor)
    }

    #[inline]
    fn strict<T: Decode>(&mut self) -> Result<T> {
        strict(self.cursor, || None)
    }

    #[inline]
    fn strict_list<T: Decode>(&mut self) -> Result<Vec<T>> {
        strict_list(self.cursor)
    }

    #[inline]
    fn append_text(&mut self, to: &mut String) -> Result<()> {
        self.push_value(to)
    }

    #[cold]
    fn into_text(self) -> Result<Box<str>> {
        let mut text = String::from("{");
        while self.advance(b'}')? {
            let name: Cow<'_, str> = self.cursor.string()?;
            self.cursor.expect(b':')?;
            let name = raw_text::quote(&name);
            charge::<FastPathError>(name.len())?;
            text.push_str(&name);
            text.push(':');
            self.push_value(&mut text)?;
            text.push(',');
        }
        raw_text::close_bracket(&mut text, 0, '}');
        Ok(text.into())
    }
}

impl<'t> ListAccess<'t> for &mut Items<'_, 't> {
    type Error = FastPathError;

    #[inline]
    fn next_strict<T: Decode>(&mut self, _: ItemSeed<T>) -> Result<Option<T>> {
        if self.advance(b']')? { strict(self.cursor, T::gap).map(Some) } else { Ok(None) }
    }

    fn next_lenient<T: Decode>(&mut self) -> Result<Option<LenientValue<T>>> {
        if self.advance(b']')? { lenient(self.cursor).map(Some) } else { Ok(None) }
    }

    fn next_text(&mut self) -> Result<Option<String>> {
        if !self.advance(b']')? {
            return Ok(None);
        }
        let mut text = String::new();
        self.push_value(&mut text).map(|()| Some(text))
    }

    fn skip_rest(&mut self) -> Result<()> {
        while self.advance(b']')? {
            self.cursor.skip()?;
        }
        Ok(())
    }

    #[cold]
    fn into_text(self) -> Result<Box<str>> {
        let mut text = String::from("[");
        while self.advance(b']')? {
            self.push_value(&mut text)?;
            text.push(',');
        }
        raw_text::close_bracket(&mut text, 0, ']');
        Ok(text.into())
    }
}
