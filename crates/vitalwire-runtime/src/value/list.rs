//! Optional lists.

use std::fmt;
use std::ops::Index;
use std::slice::SliceIndex;

use serde::{Serialize, Serializer};

/// A list member that may be absent, null, or a list. The three are kept apart: stages that were not asked for are not "no stages".
///
/// In a list of numbers a null is not-a-number in its place, so that nothing shifts, and is written as null again.
#[derive(Clone, Default)]
pub enum ListMember<T> {
    /// The member was not there.
    #[default]
    Absent,
    /// The member was `null`.
    Null,
    /// The member was a list, perhaps an empty one.
    List(Vec<T>),
}

impl<T> ListMember<T> {
    /// The items; none where the member was absent or null.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::List(items) => items,
            Self::Absent | Self::Null => &[],
        }
    }

    /// Iterates over the items; none where the member was absent or null.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// How many items there are; 0 where the member was absent or null.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no items: the member was absent, null or an empty list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Whether the member was not there at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the member was `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The list, or `None` where the member was absent or null.
    #[must_use]
    pub fn into_list(self) -> Option<Vec<T>> {
        match self {
            Self::List(items) => Some(items),
            Self::Absent | Self::Null => None,
        }
    }
}

/// Gaps in a list of numbers are equal to gaps.
impl<T: PartialEq> PartialEq for ListMember<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(one), Self::List(other)) => same_items(one, other),
            (Self::Absent, Self::Absent) | (Self::Null, Self::Null) => true,
            _ => false,
        }
    }
}

impl<T: Eq> Eq for ListMember<T> {}

/// Whether lists hold the same. What is not equal to itself is not-a-number, and the same as another such.
pub(super) fn same_items<T: PartialEq>(one: &[T], other: &[T]) -> bool {
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

/// None where the member was absent or null.
impl<T> IntoIterator for ListMember<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_list().unwrap_or_default().into_iter()
    }
}

/// As of a slice; out of bounds where the member was absent or null.
impl<T, I: SliceIndex<[T]>> Index<I> for ListMember<T> {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        &self.as_slice()[index]
    }
}

/// Redacted: states the shape only.
impl<T> fmt::Debug for ListMember<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("absent"),
            Self::Null => f.write_str("null"),
            Self::List(items) => write!(f, "[{} items]", items.len()),
        }
    }
}

/// Absent members are left out by the object around them; here only null and lists arrive.
impl<T: Serialize> Serialize for ListMember<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(items) => items.serialize(serializer),
            Self::Absent | Self::Null => serializer.serialize_none(),
        }
    }
}
