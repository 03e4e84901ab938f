//! Lists.
//!
//! An item that cannot be decoded is left out and its neighbours stay (architecture, rule 5). Part of it was read when it turns out so,
//! and its text is gone. It is rare, so the first reading of a body stops there; the second takes each item as text first. A series is
//! kept as a whole instead, since an item left out would shift the others; a null in it is a gap: not-a-number, in its place.

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess};

use super::interrupt::{self, check_at};
use super::lenient::{Lenient, read_as_text};
use super::place::{Step, enter, within};
use super::raw::ItemText;
use super::reading::{Mode, charge, expected_series, mode, refund, series_ended};
use super::skipped::Mark;
use super::strict::{ItemSeed, parse_item, unexpected};
use super::{Decode, Kind};

/// The list of an optional member.
impl<T: Decode> Decode for Vec<T> {
    const EXPECTED: &'static str = "expected a list";
    const KIND: Kind = Kind::Container;

    #[inline]
    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        match mode() {
            Mode::Quick => strict_items(items).map(Ok),
            _ if T::SERIES => series(items),
            _ => decodable(items).map(Ok),
        }
    }
}

/// Makes room for more items, and charges it: as much again, or what a series is likely to have.
#[cold]
fn grow<T: Decode, E: Error>(list: &mut Vec<T>) -> Result<(), E> {
    let likely = if T::SERIES && list.is_empty() { expected_series() } else { 0 };
    let more = list.capacity().max(likely).max(4);
    charge(more.saturating_mul(size_of::<T>()))?;
    list.reserve_exact(more);
    Ok(())
}

/// Takes one more item.
#[inline]
fn push<T: Decode, E: Error>(list: &mut Vec<T>, item: T) -> Result<(), E> {
    if list.len() == list.capacity() {
        grow(list)?;
    }
    list.push(item);
    Ok(())
}

/// Lets a deadline or a cancellation end the list, after every few items.
#[inline]
fn check_every<T: Decode, E: Error>(list: &[T]) -> Result<(), E> {
    let every = if T::SERIES { 4096 } else { 64 };
    if list.len().is_multiple_of(every) { interrupt::check() } else { Ok(()) }
}

/// The items of a list, which must all fit: in a series an item left out would shift the others. A gap in a series is an item.
#[inline]
fn strict_items<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Vec<T>, A::Error> {
    let (mut list, seed) = (Vec::new(), ItemSeed::new());
    while let Some(item) = items.next_element_seed(seed).inspect_err(|_| within(Step::Item(list.len())))? {
        push(&mut list, item)?;
        check_every(&list)?;
    }
    if T::SERIES {
        series_ended(&mut list);
    }
    Ok(list)
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
        match parse_item(&text) {
            Ok(item) => {
                refund(text.len());
                push(&mut list, item)?;
            }
            Err(error) => {
                mark.skip(error, text).inspect_err(|_| within(Step::Item(at)))?;
            }
        }
    }
    Ok(list)
}

/// The items of a series; if one is of the wrong type, an empty text: [`Whole`] has the text of the series.
#[cold]
fn series<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
    let mut list = Vec::new();
    while let Some(item) = items.next_element().inspect_err(|_| within(Step::Item(list.len())))? {
        let Some(item) = fitting(item) else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(Box::default()));
        };
        push(&mut list, item)?;
        check_every(&list)?;
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
        read_as_text(deserializer).map(Self)
    }
}

/// The items of a required list.
struct Required<T>(Vec<T>);

impl<T: Decode> Decode for Required<T> {
    const EXPECTED: &'static str = <Vec<T> as Decode>::EXPECTED;
    const KIND: Kind = Kind::Container;

    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let items = if mode() == Mode::Quick || T::SERIES { strict_items(items) } else { decodable(items) };
        items.map(|items| Ok(Self(items)))
    }
}

/// A list that must be one, without the items that cannot be decoded; `null` is an empty one. It fails where it stands, so that an
/// error names its place.
pub struct NullIsEmpty<T>(pub Vec<T>);

impl<'de, T: Decode> Deserialize<'de> for NullIsEmpty<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Lenient::<Required<T>>::deserialize(deserializer)? {
            Lenient::Fits(Required(items)) => Ok(Self(items)),
            Lenient::Null => Ok(Self(Vec::new())),
            Lenient::Other(_) => Err(unexpected::<Vec<T>, D::Error>()),
        }
    }
}
