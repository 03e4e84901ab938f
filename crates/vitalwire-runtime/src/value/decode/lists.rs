//! Lists with an item that cannot be decoded.
//!
//! Such an item is left out and its neighbours stay (architecture, rule 5). When it comes, part of it was read already and its text is gone.
//! It is rare, so the first reading of a body stops there; the second takes each item as text first. A series is kept as a whole
//! instead, since an item left out would shift the others; in it a null is a gap: it is in its place, as not-a-number.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess};

use super::interrupt::check_at;
use super::lenient::Lenient;
use super::place::{Step, enter, within};
use super::raw::ItemText;
use super::reading::{Mode, mode, refund};
use super::skipped::Mark;
use super::{Decode, Kind, as_text, primitives};

/// The items of an optional list. Of a series with an item of the wrong type the text is left empty: [`Whole`] has it.
pub(super) fn items<'de, T: Decode, A: SeqAccess<'de>>(items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
    match mode() {
        Mode::Quick => primitives::items(items).map(Ok),
        _ if T::SERIES => series(items),
        _ => decodable(items).map(Ok),
    }
}

/// The items that can be decoded, in their order.
#[cold]
fn decodable<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Vec<T>, A::Error> {
    let mut list = Vec::new();
    for at in 0usize.. {
        check_at(at)?;
        let mark = Mark::set();
        let Some(text) = items.next_element_seed(ItemText).inspect_err(|_| within(Step::Item(at)))? else { break };
        let _inside = enter(Step::Item(at));
        match as_text::item(&text) {
            Ok(item) => {
                refund(text.len());
                primitives::push(&mut list, item)?;
            }
            Err(error) => {
                mark.skip(error, text).inspect_err(|_| within(Step::Item(at)))?;
            }
        }
    }
    Ok(list)
}

#[cold]
fn series<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
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

/// The items of a required list.
pub(super) struct Required<T>(pub(super) Vec<T>);

impl<T: Decode> Decode for Required<T> {
    const EXPECTED: &'static str = <Vec<T> as Decode>::EXPECTED;
    const KIND: Kind = Kind::Container;

    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let items = if mode() == Mode::Quick || T::SERIES { primitives::items(items) } else { decodable(items) };
        items.map(|items| Ok(Self(items)))
    }
}
