//! Helpers of accessors. Each helper reads a value from an object that may be NULL.

use std::mem::MaybeUninit;

use serde::{Serialize, Serializer};
use vitalwire::value::{Extra, ListMember};

use crate::guard::catch;
pub(crate) use crate::guard::free;
use crate::handles;
use crate::value::{vitalwire_json, vitalwire_numbers, vitalwire_presence, vitalwire_str};

/// Returns a view of a text, or no text for NULL.
pub(crate) fn text<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&str>) -> vitalwire_str {
    handles::valid(of).and_then(|of| catch(|| read(of).map(vitalwire_str::from)).flatten()).unwrap_or(vitalwire_str::NONE)
}

/// Returns a view of bytes, which may be invalid UTF-8.
pub(crate) fn bytes<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&[u8]>) -> vitalwire_str {
    handles::valid(of).and_then(|of| catch(|| read(of).map(vitalwire_str::from_bytes)).flatten()).unwrap_or(vitalwire_str::NONE)
}

/// Writes a value to `to`. Returns whether there is a value.
pub(crate) fn scalar<T: 'static, V>(of: Option<&T>, to: Option<&mut MaybeUninit<V>>, read: impl FnOnce(&T) -> Option<V>) -> bool {
    let value = handles::valid(of).and_then(|of| catch(|| read(of)).flatten());
    let there = value.is_some();
    if let (Some(to), Some(value)) = (to, value) {
        to.write(value);
    }
    there
}

/// Writes a name and its value. Returns false and writes nothing if there is no such entry.
pub(crate) fn pair<T: 'static, V>(
    of: Option<&T>,
    name: Option<&mut MaybeUninit<vitalwire_str>>,
    value: Option<&mut MaybeUninit<V>>,
    read: impl FnOnce(&T) -> Option<(&str, V)>,
) -> bool {
    let found = handles::valid(of).and_then(|of| catch(|| read(of).map(|(text, number)| (vitalwire_str::from(text), number))).flatten());
    let Some((text, number)) = found else { return false };
    if let Some(name) = name {
        name.write(text);
    }
    if let Some(value) = value {
        value.write(number);
    }
    true
}

/// Returns a plain value, or `none` for NULL.
pub(crate) fn plain<T: 'static, V>(of: Option<&T>, none: V, read: impl FnOnce(&T) -> V) -> V {
    handles::valid(of).and_then(|of| catch(|| read(of))).unwrap_or(none)
}

/// Returns a part of an object, which is valid as long as the object.
pub(crate) fn child<T: 'static, C: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&C>) -> Option<&C> {
    let of = handles::valid(of)?;
    let part = catch(|| read(of)).flatten()?;
    Some(handles::register_part(of, part))
}

/// Returns a count, or 0 for NULL.
pub(crate) fn count<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> usize) -> usize {
    handles::valid(of).and_then(|of| catch(|| read(of))).unwrap_or(0)
}

/// Returns the presence of an optional list. A list of NULL is absent.
pub(crate) fn presence<T: 'static, I>(of: Option<&T>, read: impl FnOnce(&T) -> &ListMember<I>) -> vitalwire_presence {
    handles::valid(of).and_then(|of| catch(|| read(of).into())).unwrap_or(vitalwire_presence::VITALWIRE_PRESENCE_ABSENT)
}

/// Returns a series without copying it.
pub(crate) fn numbers<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&[f64]>) -> vitalwire_numbers {
    handles::valid(of).and_then(|of| catch(|| read(of).map(vitalwire_numbers::from)).flatten()).unwrap_or(vitalwire_numbers::NONE)
}

/// Returns the numbers of an optional list; `None` if it is absent or null.
pub(crate) fn list_numbers(list: &ListMember<f64>) -> Option<&[f64]> {
    if let ListMember::List(items) = list { Some(items) } else { None }
}

/// Returns an owned JSON text, or NULL if there is no value.
pub(crate) fn json<'a, T: 'static, V: Serialize>(of: Option<&'a T>, read: impl FnOnce(&'a T) -> Option<V>) -> Option<Box<vitalwire_json>> {
    let of = handles::valid(of)?;
    serialize_owned(|| read(of))
}

fn serialize_owned<V: Serialize>(read: impl FnOnce() -> Option<V>) -> Option<Box<vitalwire_json>> {
    let text = catch(|| serde_json::to_string(&read()?).ok()).flatten()?;
    Some(handles::owned(vitalwire_json(text)))
}

/// Unknown fields, serialized as an object.
pub(crate) struct UnknownFields<'a>(&'a Extra);

impl Serialize for UnknownFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Returns unknown fields as a JSON object, or NULL if there are none.
pub(crate) fn extra<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> &Extra) -> Option<Box<vitalwire_json>> {
    let extra = handles::valid(of).and_then(|of| catch(|| read(of)))?;
    serialize_owned(|| (!extra.is_empty()).then_some(UnknownFields(extra)))
}
