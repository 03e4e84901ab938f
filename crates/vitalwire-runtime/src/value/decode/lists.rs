//! Optional lists with an item of the wrong type.
//!
//! Such a list is itself of the wrong type, so it is kept as text and its record survives (architecture, rule 5). When the item
//! comes, those before it were read already and their text is gone. It is rare, so the first reading of a body stops there; the
//! second takes each optional list as text first. In a series a null is a gap: it is in its place, as not-a-number.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess};

use super::lenient::Lenient;
use super::place::{Step, within};
use super::reading::{Mode, mode};
use super::{Decode, Kind, as_text, primitives};

/// The items of an optional list. Of one with an item of the wrong type the text is left empty: [`Whole`] has it.
pub(super) fn items<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
    if mode() == Mode::Quick {
        return primitives::items(items).map(Ok);
    }
    let mut list = Vec::new();
    while let Some(item) = items.next_element().inspect_err(|_| within(Step::Item(list.len())))? {
        let Some(item) = fitting(item) else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(Box::default()));
        };
        primitives::push(&mut list, item)?;
        primitives::check_every(&list)?;
    }
    Ok(Ok(list))
}

fn fitting<T: Decode>(item: Lenient<T>) -> Option<T> {
    match item {
        Lenient::Fits(item) => Some(item),
        Lenient::Null => T::gap(),
        Lenient::Other(_) => None,
    }
}

/// The value of a member that is an optional list.
#[inline]
pub(crate) fn list<'de, T: Decode, A: MapAccess<'de>>(members: &mut A) -> Result<Lenient<Vec<T>>, A::Error> {
    if mode() == Mode::Direct { Ok(members.next_value::<Whole<T>>()?.0) } else { members.next_value() }
}

/// An optional list, taken as text first.
struct Whole<T>(Lenient<Vec<T>>);

impl<'de, T: Decode> Deserialize<'de> for Whole<T> {
    #[cold]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_text::value(deserializer).map(Self)
    }
}

/// A list whose items must all fit.
pub(super) struct Strictly<T>(pub(super) Vec<T>);

impl<T: Decode> Decode for Strictly<T> {
    const EXPECTED: &'static str = <Vec<T> as Decode>::EXPECTED;
    const KIND: Kind = Kind::Container;

    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        primitives::items(items).map(|items| Ok(Self(items)))
    }
}
