//! What nutritional numbers refer to.

use std::fmt;
use std::ops::Deref;

use serde::de::MapAccess;
use serde::{Serialize, Serializer};

use super::ListMember;
use super::decode::{Decode, Kind};

/// What the numbers of a nutrition record refer to.
///
/// The interface is at odds with itself: read back, numbers are for the serving size; in the answer to a change of the serving
/// size they are described as per 100 g or 100 ml. So the basis is stated by the call the numbers came from. Never put numbers
/// of different bases into one table without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberBasis {
    /// For the record's serving size.
    PerServing,
    /// For 100 g or 100 ml.
    Per100,
    /// Not known: the numbers came from an upload's answer or from outside a call.
    #[default]
    Unknown,
}

impl NumberBasis {
    /// `per_serving`, `per_100` or `unknown`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PerServing => "per_serving",
            Self::Per100 => "per_100",
            Self::Unknown => "unknown",
        }
    }

    /// From what [`NumberBasis::as_str`] gives.
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

/// Numbers together with what they refer to; dereferences to the numbers.
#[derive(Clone, PartialEq, Default)]
pub struct WithBasis<T> {
    numbers: T,
    basis: NumberBasis,
}

impl<T> WithBasis<T> {
    /// Numbers on a basis.
    pub fn new(numbers: T, basis: NumberBasis) -> Self {
        Self { numbers, basis }
    }

    /// What the numbers refer to.
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

/// The basis is not on the wire.
impl<T: Serialize> Serialize for WithBasis<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.numbers.serialize(serializer)
    }
}

impl<T: Decode> Decode for WithBasis<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const KIND: Kind = T::KIND;

    fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Result<Self, Box<str>>, A::Error> {
        Ok(T::object(members)?.map(|numbers| Self::new(numbers, NumberBasis::Unknown)))
    }
}

impl<'de, T: Decode> serde::Deserialize<'de> for WithBasis<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::decode::deserialize(deserializer)
    }
}

/// Records that hold numbers with a basis are told it by the call that made them.
pub trait SetBasis {
    /// Sets it in all numbers that have one.
    fn set_basis(&mut self, basis: NumberBasis);

    /// That of the first numbers: one call made all of a record.
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
