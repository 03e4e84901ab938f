//! Optional lists with an item of the wrong type.
//!
//! Such a list is itself of the wrong type, so it is kept as text and its record survives (architecture, rule 5). When the item
//! comes, those before it were read already and their text is gone. It is rare, so the first reading of a body stops there; the
//! second takes each optional list as text first. Series are not among them: a number that is none is an error.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess};

use super::lenient::Lenient;
use super::{Decode, Kind, budget, careful, primitives, raw};

/// How optional lists are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lists {
    /// As they come: an item of the wrong type is an error.
    Quickly,
    /// As text first, which is kept where an item is of the wrong type. So too where values are read by serde directly.
    AsText,
    /// As they come, to find another error's place: a list with an item of the wrong type is passed over.
    ForPlaces,
}

thread_local! {
    /// How lists are read on this thread.
    static LISTS: Cell<Lists> = const { Cell::new(Lists::AsText) };
}

/// Runs `read` with lists read in this way.
pub(super) fn reading<T>(lists: Lists, read: impl FnOnce() -> T) -> T {
    let before = LISTS.replace(lists);
    let result = read();
    LISTS.set(before);
    result
}

/// Whether a list of these is to be taken as text first.
#[inline]
pub(super) fn text_first<'de, T: Decode<'de>>() -> bool {
    !T::SERIES && LISTS.get() == Lists::AsText
}

/// The items of an optional list. Of one with an item of the wrong type the text is left empty: [`Whole`] has it.
pub(super) fn items<'de, T: Decode<'de>, A: SeqAccess<'de>>(mut items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
    if T::SERIES || LISTS.get() == Lists::Quickly {
        return primitives::items(items).map(Ok);
    }
    let mut list = Vec::new();
    while let Some(item) = items.next_element()? {
        let Lenient::Fits(item) = item else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(Box::default()));
        };
        primitives::push(&mut list, item)?;
    }
    Ok(Ok(list))
}

/// An optional list, taken as text first.
pub(super) struct Whole<T>(pub(super) Lenient<Vec<T>>);

impl<'de, T: Decode<'de>> Deserialize<'de> for Whole<T> {
    #[cold]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = raw::text(deserializer)?;
        Ok(Self(match careful::parse(&text)? {
            Some(Lenient::Fits(list)) => {
                budget::refund(text.len());
                Lenient::Fits(list)
            }
            Some(Lenient::Null) => Lenient::Null,
            Some(Lenient::Other(_)) => Lenient::Other(text.into()),
            // As everywhere but in a leaf.
            None => return Err(D::Error::custom("number out of range")),
        }))
    }
}

/// A list whose items must all fit.
pub(super) struct Strictly<T>(pub(super) Vec<T>);

impl<'de, T: Decode<'de>> Decode<'de> for Strictly<T> {
    const EXPECTED: &'static str = <Vec<T> as Decode<'de>>::EXPECTED;
    const KIND: Kind = Kind::Container;

    fn array<A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        primitives::items(items).map(|items| Ok(Self(items)))
    }
}
