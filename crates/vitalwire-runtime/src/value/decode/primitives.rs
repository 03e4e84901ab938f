//! How plain types read JSON.

use serde::de::{Error, SeqAccess};

use super::lenient::ItemSeed;
use super::place::{Step, within};
use super::reading::{charge, expected_series, series_ended};
use super::{Decode, Kind, interrupt, lists};

impl Decode for String {
    const EXPECTED: &'static str = "expected a string";

    fn text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Decode for bool {
    const EXPECTED: &'static str = "expected true or false";

    fn boolean(value: bool) -> Option<Self> {
        Some(value)
    }
}

/// Doubles of this size and above need not hold an integer exactly (2^53).
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number written with a point (`72.0`) is an integer; `72.5` is not.
impl Decode for i64 {
    const EXPECTED: &'static str = "expected an integer";

    fn integer(value: i64) -> Option<Self> {
        Some(value)
    }

    fn number(value: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        (value.fract() == 0.0 && value.abs() < EXACT).then_some(value as i64)
    }
}

impl Decode for f64 {
    const EXPECTED: &'static str = "expected a number";
    const SERIES: bool = true;

    fn gap() -> Option<Self> {
        Some(Self::NAN)
    }

    #[expect(clippy::cast_precision_loss, reason = "a number member is a double; JSON readers everywhere round alike")]
    #[inline]
    fn integer(value: i64) -> Option<Self> {
        Some(value as Self)
    }

    #[expect(clippy::cast_precision_loss, reason = "as above")]
    #[inline]
    fn unsigned(value: u64) -> Option<Self> {
        Some(value as Self)
    }

    #[inline]
    fn number(value: f64) -> Option<Self> {
        Some(value)
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
pub(super) fn push<T: Decode, E: Error>(list: &mut Vec<T>, item: T) -> Result<(), E> {
    if list.len() == list.capacity() {
        grow(list)?;
    }
    list.push(item);
    Ok(())
}

/// Lets a deadline or a cancellation end the list, after every few items.
#[inline]
pub(super) fn check_every<T: Decode, E: Error>(list: &[T]) -> Result<(), E> {
    let every = if T::SERIES { 4096 } else { 64 };
    if list.len().is_multiple_of(every) { interrupt::check() } else { Ok(()) }
}

/// The items of a list, which must all fit: in a series an item left out would shift the others. A gap in a series is an item.
#[inline]
pub(super) fn items<'de, T: Decode, A: SeqAccess<'de>>(mut items: A) -> Result<Vec<T>, A::Error> {
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

/// The list of an optional member.
impl<T: Decode> Decode for Vec<T> {
    const EXPECTED: &'static str = "expected a list";
    const KIND: Kind = Kind::Container;

    #[inline]
    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        lists::items(items)
    }
}
