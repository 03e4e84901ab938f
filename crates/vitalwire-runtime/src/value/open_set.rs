//! Sets of names that the service may extend.

use std::fmt::Debug;
use std::hash::Hash;

/// A set of names that the service may extend, such as provider slugs and metric names.
///
/// A name that this version does not know is kept as text and sent back unchanged.
pub trait OpenSet: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// Names that this version knows, in the order of the specification.
    const KNOWN: &'static [&'static str];

    /// Converts a wire name. Never fails.
    fn from_text(text: &str) -> Self;

    /// Returns the wire name.
    fn as_str(&self) -> &str;

    /// Returns the index of a name in [`OpenSet::KNOWN`].
    fn index_of(text: &str) -> Option<usize>;

    /// Whether this version knows the name.
    fn is_known(&self) -> bool {
        Self::index_of(self.as_str()).is_some()
    }
}

/// Returns the key by which a set with several spellings of a value is compared: the index of a known value, or the text.
#[doc(hidden)]
#[must_use]
pub fn spelling_key<S: OpenSet>(value: &S) -> (usize, &str) {
    S::index_of(value.as_str()).map_or((usize::MAX, value.as_str()), |index| (index, ""))
}

/// Implements comparisons of a generated open set with several spellings of a value. All spellings of a value are equal.
#[doc(hidden)]
#[macro_export]
macro_rules! open_set_spellings {
    ($name:ident) => {
        /// All spellings of a value are equal.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                $crate::value::spelling_key(self) == $crate::value::spelling_key(other)
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                std::hash::Hash::hash(&$crate::value::spelling_key(self), state);
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                $crate::value::spelling_key(self).cmp(&$crate::value::spelling_key(other))
            }
        }
    };
}

/// Implements the common traits of a generated open set.
#[doc(hidden)]
#[macro_export]
macro_rules! open_set_impls {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::value::OpenSet::as_str(self))
            }
        }

        /// Redacted: a provider, stage or gender is personal data.
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $crate::value::OpenSet::from_text(text)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                $crate::value::OpenSet::from_text(&text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok($crate::value::OpenSet::from_text(text))
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                $crate::value::OpenSet::as_str(self)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::value::OpenSet::as_str(self))
            }
        }

        impl $crate::value::decode::Decode for $name {
            const EXPECTED: &'static str = "expected a string";

            fn text(text: &str) -> Option<Self> {
                Some($crate::value::OpenSet::from_text(text))
            }
        }

        impl $crate::value::QueryValue for $name {
            fn append_texts(&self, to: &mut Vec<String>) {
                to.push($crate::value::OpenSet::as_str(self).to_owned());
            }
        }

        $crate::deserialize_by_decode!($name);
    };
}
