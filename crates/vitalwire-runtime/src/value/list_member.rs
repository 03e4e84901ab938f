//! Optional lists.

use std::fmt;
use std::ops::Index;
use std::slice::SliceIndex;

use serde::{Serialize, Serializer};

/// A list field that may be absent, null, or a list. The three are distinct: stages that were not requested are not the same as no stages.
///
/// In a list of numbers, a null becomes NaN, so that the other items keep their positions. It is serialized as null.
#[derive(Clone, Default)]
pub enum ListMember<T> {
    /// The field was not sent. This is the default.
    #[default]
    Absent,
    /// The field was `null`.
    Null,
    /// The field was a list, possibly empty.
    List(Vec<T>),
}

impl<T> ListMember<T> {
    /// Returns the items. Empty if the field is absent or null.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::List(items) => items,
            Self::Absent | Self::Null => &[],
        }
    }

    /// Iterates over the items. Empty if the field is absent or null.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Returns the number of items. 0 if the field is absent or null.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no items: the field is absent, null or an empty list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Whether the field was not sent.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the field was `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the list. Returns `None` if the field is absent or null.
    #[must_use]
    pub fn into_list(self) -> Option<Vec<T>> {
        match self {
            Self::List(items) => Some(items),
            Self::Absent | Self::Null => None,
        }
    }
}

/// Treats gaps (NaN) as equal.
impl<T: PartialEq> PartialEq for ListMember<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(one), Self::List(other)) => are_equal_items(one, other),
            (Self::Absent, Self::Absent) | (Self::Null, Self::Null) => true,
            _ => false,
        }
    }
}

impl<T: Eq> Eq for ListMember<T> {}

/// Whether two lists have the same items. Items that are not equal to themselves (NaN) are treated as equal.
pub(super) fn are_equal_items<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    #[expect(clippy::eq_op, reason = "see above")]
    let is_gap = |item: &T| item != item;
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other || is_gap(one) && is_gap(other))
}

impl<'a, T> IntoIterator for &'a ListMember<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterates over the items. Empty if the field is absent or null.
impl<T> IntoIterator for ListMember<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_list().unwrap_or_default().into_iter()
    }
}

/// Indexes the items like a slice. Panics if the field is absent or null.
impl<T, I: SliceIndex<[T]>> Index<I> for ListMember<T> {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        &self.as_slice()[index]
    }
}

/// Redacted: shows absent, null or the number of items.
impl<T> fmt::Debug for ListMember<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("absent"),
            Self::Null => f.write_str("null"),
            Self::List(items) => write!(f, "[{} items]", items.len()),
        }
    }
}

/// Serializes absent as null: the object around it omits absent fields.
impl<T: Serialize> Serialize for ListMember<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(items) => items.serialize(serializer),
            Self::Absent | Self::Null => serializer.serialize_none(),
        }
    }
}
