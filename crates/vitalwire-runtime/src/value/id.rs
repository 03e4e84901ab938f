//! Record ids, kept as received.

use std::fmt;

use arrayvec::ArrayString;
use serde::{Serialize, Serializer};

use super::decode::{Decode, deserialize_by_decode};

/// Length of a UUID text. Ids up to this length need no allocation.
const INLINE_LENGTH: usize = 36;

/// An id, such as a `record_id`.
///
/// The interface specifies UUIDs. The text is kept as received and compared as text. An id in another form, or in upper case, still
/// identifies the record when it is sent back. Use [`Id::uuid`] for the 128-bit value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(IdText);

#[derive(Clone)]
enum IdText {
    Inline(ArrayString<INLINE_LENGTH>),
    Heap(Box<str>),
}

impl IdText {
    fn as_str(&self) -> &str {
        match self {
            Self::Inline(text) => text,
            Self::Heap(text) => text,
        }
    }
}

impl PartialEq for IdText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for IdText {}

impl std::hash::Hash for IdText {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for IdText {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for IdText {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Id {
    /// Returns the text as received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the id as a UUID. Returns `None` if the text is not a UUID.
    #[must_use]
    pub fn uuid(&self) -> Option<uuid::Uuid> {
        uuid::Uuid::try_parse(self.as_str()).ok()
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self(ArrayString::from(text).map_or_else(|_| IdText::Heap(text.into()), IdText::Inline))
    }
}

impl From<String> for Id {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Id {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Id> for Id {
    fn from(id: &Id) -> Self {
        id.clone()
    }
}

/// Allows ids as arguments of calls: `client.sleeps().get(night.record_id)`.
impl From<Id> for String {
    fn from(id: Id) -> Self {
        Self::from(&id)
    }
}

/// Allows ids as arguments of calls: `client.sleeps().get(&night.record_id)`.
impl From<&Id> for String {
    fn from(id: &Id) -> Self {
        id.as_str().to_owned()
    }
}

impl From<uuid::Uuid> for Id {
    fn from(uuid: uuid::Uuid) -> Self {
        Self::from(uuid.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()) as &str)
    }
}

impl AsRef<str> for Id {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Redacted: the id of a health record is personal data.
impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Id(..)")
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Decode for Id {
    const EXPECTED: &'static str = "expected a string";

    fn text(text: &str) -> Option<Self> {
        Some(Self::from(text))
    }
}

deserialize_by_decode!(Id);
