//! The fields of an object, in sequence. Generated models decode with it.

use serde::de::Error;

use super::json_path::{PathStep, enter_step, record_step};
use super::name_lookup::{FieldKey, NameLookup};
use super::{Decode, Kind, LenientValue, ObjectAccess, UndeclaredFields};
use crate::value::{Extra, ListMember};

/// Returned by [`FieldReader::next`] for an undeclared name. No model has that many fields.
const UNDECLARED: usize = usize::MAX;

/// The fields of an object that is being decoded, and the undeclared ones found so far.
pub struct FieldReader<A, F> {
    access: A,
    lookup: NameLookup<F>,
    undeclared: UndeclaredFields,
}

impl<'de, A: ObjectAccess<'de>, F: Fn(&str) -> Option<usize>> FieldReader<A, F> {
    /// Creates the field reader of an object with these declared names.
    #[inline]
    pub fn new(access: A, names: &'static [&'static str], index_of: F) -> Self {
        Self { access, lookup: NameLookup::new(names, index_of), undeclared: UndeclaredFields::default() }
    }

    /// Returns the index of the next field. Undeclared names have an index that no field of the model has.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<Option<usize>, A::Error> {
        match self.access.next_key(&mut self.lookup)? {
            Some(FieldKey::Known(index)) => Ok(Some(index)),
            Some(FieldKey::Unknown(name)) => self.undeclared.begin(&name).map(|()| Some(UNDECLARED)),
            None => Ok(None),
        }
    }

    /// Keeps the undeclared field that [`next`](Self::next) returned.
    pub fn keep_undeclared(&mut self) -> Result<(), A::Error> {
        let text = self.undeclared.text();
        self.access.append_text(text).inspect_err(|_| record_step(PathStep::Undeclared))?;
        self.undeclared.end()
    }

    /// Decodes an optional field. A value of the wrong type goes to `extra`, and a debug event names the field.
    #[inline]
    pub fn optional<T: Decode>(&mut self, slot: &mut Option<T>, name: &'static str) -> Result<(), A::Error> {
        self.undeclared.discard(name)?;
        let _inside = (T::KIND == Kind::Container).then(|| enter_step(PathStep::Field(name)));
        *slot = match self.access.lenient().inspect_err(|_| record_step(PathStep::Field(name)))? {
            LenientValue::Valid(value) => Some(value),
            LenientValue::Null => None,
            LenientValue::WrongType(text) => {
                self.wrong_type(name, T::EXPECTED, &text)?;
                None
            }
        };
        Ok(())
    }

    /// Decodes an optional list as absent, null or a list. Items that cannot be decoded are skipped. A value that is not a list goes to
    /// `extra`.
    #[inline]
    pub fn list<T: Decode>(&mut self, slot: &mut ListMember<T>, name: &'static str) -> Result<(), A::Error> {
        self.undeclared.discard(name)?;
        let _inside = enter_step(PathStep::Field(name));
        *slot = match self.access.list().inspect_err(|_| record_step(PathStep::Field(name)))? {
            LenientValue::Valid(items) => ListMember::List(items),
            LenientValue::Null => ListMember::Null,
            LenientValue::WrongType(text) => {
                self.wrong_type(name, <Vec<T> as Decode>::EXPECTED, &text)?;
                ListMember::Absent
            }
        };
        Ok(())
    }

    /// Decodes a required field.
    #[inline]
    pub fn required<T: Decode>(&mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        let _inside = (T::KIND == Kind::Container).then(|| enter_step(self.lookup.last_step()));
        let value = self.access.strict().inspect_err(|_| self.lookup.record_last_step())?;
        *slot = Some(value);
        Ok(())
    }

    /// Decodes a required list. `null` is an empty list.
    #[inline]
    pub fn required_list<T: Decode>(&mut self, slot: &mut Option<Vec<T>>) -> Result<(), A::Error> {
        let _inside = enter_step(self.lookup.last_step());
        let items = self.access.strict_list().inspect_err(|_| self.lookup.record_last_step())?;
        *slot = Some(items);
        Ok(())
    }

    #[cold]
    fn wrong_type(&mut self, name: &'static str, expected: &'static str, text: &str) -> Result<(), A::Error> {
        tracing::debug!(member = name, expected, "kept a field of an unexpected type in `extra`");
        self.undeclared.wrong_type(name, text)
    }

    /// Returns the undeclared fields.
    #[inline]
    pub fn finish(self) -> Extra {
        self.undeclared.finish()
    }
}

/// Returns the value of a required field, after all fields were read.
#[inline]
pub fn require<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}
