//! Memory growth of columns.

use serde::de::Error;

use crate::value::decode::charge;

/// Returns the number of values to reserve: growth by a quarter. Doubling could take as much additional memory as the numbers of a body.
pub(super) fn grow(len: usize) -> usize {
    len / 4 + 32
}

#[inline]
pub(super) fn push<T>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() {
        values.reserve_exact(grow(values.len()));
    }
    values.push(value);
}

/// Adds a value. The first one reserves memory for all expected values.
pub(super) fn first_or_push<T, E: Error>(values: &mut Vec<T>, value: T, expect: usize) {
    if values.capacity() == 0 && charge::<E>(expect.saturating_mul(size_of::<T>())).is_ok() {
        values.reserve_exact(expect);
    }
    push(values, value);
}

/// Extends the values to at least `len` numbers, with zeros. The first call reserves memory for all expected values.
pub(super) fn lengthen<E: Error>(values: &mut Vec<f64>, len: usize, expect: usize) {
    if values.len() >= len {
        return;
    }
    let is_first = values.is_empty() && charge::<E>(expect.saturating_mul(size_of::<f64>())).is_ok();
    let all = len.max(if is_first { expect } else { values.len() + grow(values.len()) });
    values.reserve_exact(all - values.len());
    values.resize(all, 0.0);
}

/// Replaces the values after the first `row` ones. An empty column takes over the vector.
pub(super) fn put_all<T: Copy>(all: &mut Vec<T>, row: usize, values: Vec<T>) {
    if row == 0 {
        *all = values;
    } else {
        all.truncate(row);
        all.extend_from_slice(&values);
    }
}
