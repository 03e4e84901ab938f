//! Decoding of lists.
//!
//! An item that cannot be decoded is skipped, and the other items stay (rule 1 in docs/design.md). When the failure shows, part of the item is
//! already consumed. Failures are rare, so the first pass over a body stops there, and the second pass reads each item as text first. A
//! series is an exception: it is kept as a whole, because a skipped item would shift the others. A null in a series is a gap, decoded as
//! NaN.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};

use super::decode_state::{DecodeMode, charge, expected_series, mode, refund, series_ended};
use super::interrupt::{self, check_item};
use super::json_path::{PathStep, enter_step, record_step};
use super::lenient_value::{LenientValue, read_as_text};
use super::skipped::DecodeCheckpoint;
use super::strict_value::{ItemSeed, parse_item, unexpected};
use super::{Decode, Kind, ListAccess};

/// Decodes the list of an optional field.
impl<T: Decode> Decode for Vec<T> {
    const EXPECTED: &'static str = "expected a list";
    const KIND: Kind = Kind::Container;

    #[inline]
    fn array<'de, A: ListAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        match mode() {
            DecodeMode::Quick => strict_items(items).map(Ok),
            _ if T::SERIES => series(items),
            _ => valid_items(items).map(Ok),
        }
    }
}

/// Reserves memory for more items and charges it. Doubles the capacity, or uses the expected length of a series.
#[cold]
fn grow<T: Decode, E: Error>(list: &mut Vec<T>) -> Result<(), E> {
    let likely = if T::SERIES && list.is_empty() { expected_series() } else { 0 };
    let more = list.capacity().max(likely).max(4);
    charge(more.saturating_mul(size_of::<T>()))?;
    list.reserve_exact(more);
    Ok(())
}

#[inline]
fn push<T: Decode, E: Error>(list: &mut Vec<T>, item: T) -> Result<(), E> {
    if list.len() == list.capacity() {
        grow(list)?;
    }
    list.push(item);
    Ok(())
}

/// Checks for an interruption after every few items.
#[inline]
fn check_interrupt<T: Decode, E: Error>(list: &[T]) -> Result<(), E> {
    let every = if T::SERIES { 4096 } else { 64 };
    if list.len().is_multiple_of(every) { interrupt::check() } else { Ok(()) }
}

/// A series in progress.
pub(crate) struct SeriesBuilder(Vec<f64>);

impl SeriesBuilder {
    /// Creates an empty series.
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Appends a number.
    #[inline]
    pub(crate) fn push<E: Error>(&mut self, number: f64) -> Result<(), E> {
        push(&mut self.0, number)?;
        check_interrupt(&self.0)
    }

    /// Returns the series.
    pub(crate) fn finish(mut self) -> Vec<f64> {
        series_ended(&mut self.0);
        self.0
    }
}

/// Decodes a list whose items must all be valid. Used for series, where a skipped item would shift the others, and for the first pass.
#[inline]
fn strict_items<'de, T: Decode, A: ListAccess<'de>>(mut items: A) -> Result<Vec<T>, A::Error> {
    let (mut list, seed) = (Vec::new(), ItemSeed::new());
    while let Some(item) = items.next_strict(seed).inspect_err(|_| record_step(PathStep::Item(list.len())))? {
        push(&mut list, item)?;
        check_interrupt(&list)?;
    }
    if T::SERIES {
        series_ended(&mut list);
    }
    Ok(list)
}

/// Decodes the valid items of a list, in their order.
#[cold]
fn valid_items<'de, T: Decode, A: ListAccess<'de>>(mut items: A) -> Result<Vec<T>, A::Error> {
    let mut list = Vec::new();
    for at in 0usize.. {
        check_item(at)?;
        let checkpoint = DecodeCheckpoint::new();
        let Some(text) = items.next_text().inspect_err(|_| record_step(PathStep::Item(at)))? else { break };
        let _inside = enter_step(PathStep::Item(at));
        match parse_item(&text) {
            Ok(item) => {
                refund(text.len());
                push(&mut list, item)?;
            }
            Err(error) => {
                checkpoint.skip(error, text).inspect_err(|_| record_step(PathStep::Item(at)))?;
            }
        }
    }
    Ok(list)
}

/// Decodes a series. If an item is of the wrong type, returns an empty text instead; [`TextFirstList`] has the text of the series.
#[cold]
fn series<'de, T: Decode, A: ListAccess<'de>>(mut items: A) -> Result<Result<Vec<T>, Box<str>>, A::Error> {
    let mut list = Vec::new();
    while let Some(item) = items.next_lenient().inspect_err(|_| record_step(PathStep::Item(list.len())))? {
        let Some(item) = series_item(item) else {
            items.skip_rest()?;
            return Ok(Err(Box::default()));
        };
        push(&mut list, item)?;
        check_interrupt(&list)?;
    }
    Ok(Ok(list))
}

fn series_item<T: Decode>(item: LenientValue<T>) -> Option<T> {
    match item {
        LenientValue::Valid(item) => Some(item),
        LenientValue::Null => T::gap(),
        LenientValue::WrongType(_) => None,
    }
}

/// Decodes the value of an optional list field.
#[inline]
pub(crate) fn decode_list<'de, T: Decode, A: MapAccess<'de>>(fields: &mut A) -> Result<LenientValue<Vec<T>>, A::Error> {
    if mode() == DecodeMode::Direct { Ok(fields.next_value::<TextFirstList<T>>()?.0) } else { fields.next_value() }
}

/// An optional list, read as text first.
struct TextFirstList<T>(LenientValue<Vec<T>>);

impl<'de, T: Decode> Deserialize<'de> for TextFirstList<T> {
    #[cold]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_as_text(deserializer).map(Self)
    }
}

/// The items of a required list.
pub(super) struct RequiredList<T>(Vec<T>);

impl<T: Decode> Decode for RequiredList<T> {
    const EXPECTED: &'static str = <Vec<T> as Decode>::EXPECTED;
    const KIND: Kind = Kind::Container;

    fn array<'de, A: ListAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let items = if mode() == DecodeMode::Quick || T::SERIES { strict_items(items) } else { valid_items(items) };
        items.map(|items| Ok(Self(items)))
    }
}

/// A required list; `null` is an empty list. Items that cannot be decoded are skipped. If the value is not a list, the error has its
/// location.
pub struct NullableList<T>(pub Vec<T>);

impl<'de, T: Decode> Deserialize<'de> for NullableList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        LenientValue::deserialize(deserializer).and_then(required_items).map(Self)
    }
}

/// Returns the items of a required list; see [`NullableList`].
pub(super) fn required_items<T: Decode, E: Error>(list: LenientValue<RequiredList<T>>) -> Result<Vec<T>, E> {
    match list {
        LenientValue::Valid(RequiredList(items)) => Ok(items),
        LenientValue::Null => Ok(Vec::new()),
        LenientValue::WrongType(_) => Err(unexpected::<Vec<T>, E>()),
    }
}
