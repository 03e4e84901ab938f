//! Skipping the rest of a list or an object.

use serde::de::{IgnoredAny, MapAccess, SeqAccess};

/// Skips the rest of a list.
pub(super) fn drain_list<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Skips the rest of an object.
pub(super) fn drain_object<'de, A: MapAccess<'de>>(mut fields: A) -> Result<(), A::Error> {
    while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}
