//! Basis of nutritional numbers.

use std::fmt;
use std::ops::Deref;

use serde::{Serialize, Serializer};

use super::ListMember;
use super::decode::{Decode, Kind, ObjectAccess};

/// The amount of food that the numbers of a nutrition record refer to.
///
/// The interface is inconsistent. In a record that is read, numbers are per serving. In the response to a change of the serving size, they
/// are documented as per 100 g or 100 ml. The basis therefore depends on the operation that returned the numbers. Never mix numbers of
/// different bases in one table without a column for the basis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberBasis {
    /// Per serving size of the record.
    PerServing,
    /// Per 100 g or 100 ml.
    Per100,
    /// Unknown: the numbers come from the response to an upload, or from outside a call.
    #[default]
    Unknown,
}

impl NumberBasis {
    /// Returns the name: `per_serving`, `per_100` or `unknown`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PerServing => "per_serving",
            Self::Per100 => "per_100",
            Self::Unknown => "unknown",
        }
    }

    /// Parses a name that [`NumberBasis::as_str`] returned. Returns `None` for any other text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::PerServing, Self::Per100, Self::Unknown].into_iter().find(|basis| basis.as_str() == text)
    }
}

impl fmt::Display for NumberBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Numbers with their basis. Dereferences to the numbers.
#[derive(Clone, PartialEq, Default)]
pub struct WithBasis<T> {
    numbers: T,
    basis: NumberBasis,
}

impl<T> WithBasis<T> {
    /// Combines numbers with their basis.
    pub fn new(numbers: T, basis: NumberBasis) -> Self {
        Self { numbers, basis }
    }

    /// Returns the basis of the numbers.
    #[must_use]
    pub fn basis(&self) -> NumberBasis {
        self.basis
    }
}

impl<T> Deref for WithBasis<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.numbers
    }
}

impl<T: fmt::Debug> fmt::Debug for WithBasis<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.numbers, self.basis)
    }
}

/// Serializes the numbers only; the basis is not on the wire.
impl<T: Serialize> Serialize for WithBasis<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.numbers.serialize(serializer)
    }
}

impl<T: Decode> Decode for WithBasis<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const KIND: Kind = T::KIND;

    fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        Ok(T::object(fields)?.map(|numbers| Self::new(numbers, NumberBasis::Unknown)))
    }
}

impl<'de, T: Decode> serde::Deserialize<'de> for WithBasis<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::decode::deserialize(deserializer)
    }
}

/// Records that contain numbers with a basis. The call that returned the record sets it.
pub trait SetBasis {
    /// Sets the basis of all numbers in the record.
    fn set_basis(&mut self, basis: NumberBasis);

    /// Returns the basis of the first numbers. All numbers of a record have the same basis.
    fn first_basis(&self) -> Option<NumberBasis>;
}

impl<T> SetBasis for WithBasis<T> {
    fn set_basis(&mut self, basis: NumberBasis) {
        self.basis = basis;
    }

    fn first_basis(&self) -> Option<NumberBasis> {
        Some(self.basis)
    }
}

impl<T: SetBasis> SetBasis for Option<T> {
    fn set_basis(&mut self, basis: NumberBasis) {
        if let Some(value) = self {
            value.set_basis(basis);
        }
    }

    fn first_basis(&self) -> Option<NumberBasis> {
        self.as_ref().and_then(SetBasis::first_basis)
    }
}

impl<T: SetBasis> SetBasis for Vec<T> {
    fn set_basis(&mut self, basis: NumberBasis) {
        self.iter_mut().for_each(|item| item.set_basis(basis));
    }

    fn first_basis(&self) -> Option<NumberBasis> {
        self.iter().find_map(SetBasis::first_basis)
    }
}

impl<T: SetBasis> SetBasis for ListMember<T> {
    fn set_basis(&mut self, basis: NumberBasis) {
        if let Self::List(items) = self {
            items.set_basis(basis);
        }
    }

    fn first_basis(&self) -> Option<NumberBasis> {
        self.iter().find_map(SetBasis::first_basis)
    }
}
