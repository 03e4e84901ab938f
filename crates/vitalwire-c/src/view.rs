//! What accessors are made of: each takes an object that may be NULL and reads something out of it without copying.

use std::mem::MaybeUninit;

use serde::{Serialize, Serializer};
use vitalwire::value::{Extra, ListMember};

use crate::guard::catch;
pub(crate) use crate::guard::free;
use crate::kind;
use crate::value::{vitalwire_json, vitalwire_numbers, vitalwire_presence, vitalwire_str};

/// A text.
pub(crate) fn text<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&str>) -> vitalwire_str {
    kind::known(of).and_then(|of| catch(|| read(of).map(vitalwire_str::from)).flatten()).unwrap_or(vitalwire_str::NONE)
}

/// Bytes as they came, which may be no UTF-8.
pub(crate) fn bytes<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&[u8]>) -> vitalwire_str {
    kind::known(of).and_then(|of| catch(|| read(of).map(vitalwire_str::of)).flatten()).unwrap_or(vitalwire_str::NONE)
}

/// A value that is copied out; whether it was there.
pub(crate) fn scalar<T: 'static, V>(of: Option<&T>, to: Option<&mut MaybeUninit<V>>, read: impl FnOnce(&T) -> Option<V>) -> bool {
    let value = kind::known(of).and_then(|of| catch(|| read(of)).flatten());
    let there = value.is_some();
    if let (Some(to), Some(value)) = (to, value) {
        to.write(value);
    }
    there
}

/// A name and a value, both copied out or neither.
pub(crate) fn pair<T: 'static, V>(
    of: Option<&T>,
    name: Option<&mut MaybeUninit<vitalwire_str>>,
    value: Option<&mut MaybeUninit<V>>,
    read: impl FnOnce(&T) -> Option<(&str, V)>,
) -> bool {
    let found = kind::known(of).and_then(|of| catch(|| read(of).map(|(text, number)| (vitalwire_str::from(text), number))).flatten());
    let Some((text, number)) = found else { return false };
    if let Some(name) = name {
        name.write(text);
    }
    if let Some(value) = value {
        value.write(number);
    }
    true
}

/// A plain value, and what stands for it where there is no object.
pub(crate) fn plain<T: 'static, V>(of: Option<&T>, none: V, read: impl FnOnce(&T) -> V) -> V {
    kind::known(of).and_then(|of| catch(|| read(of))).unwrap_or(none)
}

/// An object inside another.
pub(crate) fn child<T: 'static, C: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&C>) -> Option<&C> {
    let of = kind::known(of)?;
    let part = catch(|| read(of)).flatten()?;
    Some(kind::lent(of, part))
}

/// How many there are; 0 for NULL.
pub(crate) fn count<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> usize) -> usize {
    kind::known(of).and_then(|of| catch(|| read(of))).unwrap_or(0)
}

/// Whether an optional list was there; NULL has none.
pub(crate) fn presence<T: 'static, I>(of: Option<&T>, read: impl FnOnce(&T) -> &ListMember<I>) -> vitalwire_presence {
    kind::known(of).and_then(|of| catch(|| read(of).into())).unwrap_or(vitalwire_presence::VITALWIRE_PRESENCE_ABSENT)
}

/// A series, in place.
pub(crate) fn numbers<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> Option<&[f64]>) -> vitalwire_numbers {
    kind::known(of).and_then(|of| catch(|| read(of).map(vitalwire_numbers::from)).flatten()).unwrap_or(vitalwire_numbers::NONE)
}

/// The numbers of an optional list; none where it was absent or null.
pub(crate) fn list_numbers(list: &ListMember<f64>) -> Option<&[f64]> {
    if let ListMember::List(items) = list { Some(items) } else { None }
}

/// A JSON text of its own; NULL where there is nothing to write.
pub(crate) fn json<'a, T: 'static, V: Serialize>(of: Option<&'a T>, read: impl FnOnce(&'a T) -> Option<V>) -> Option<Box<vitalwire_json>> {
    let of = kind::known(of)?;
    written(|| read(of))
}

fn written<V: Serialize>(read: impl FnOnce() -> Option<V>) -> Option<Box<vitalwire_json>> {
    let text = catch(|| serde_json::to_string(&read()?).ok()).flatten()?;
    Some(kind::owned(vitalwire_json(text)))
}

/// Unknown members as an object.
pub(crate) struct Members<'a>(&'a Extra);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Unknown members as a JSON object; NULL where there are none.
pub(crate) fn extra<T: 'static>(of: Option<&T>, read: impl FnOnce(&T) -> &Extra) -> Option<Box<vitalwire_json>> {
    let extra = kind::known(of).and_then(|of| catch(|| read(of)))?;
    written(|| (!extra.is_empty()).then_some(Members(extra)))
}
