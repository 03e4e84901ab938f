//! Memory growth of columns.

use serde::de::Error;

use crate::value::decode::charge;

/// Returns the number of values to reserve: growth by a quarter. Doubling could take as much additional memory as the numbers of a body.
pub(super) fn growth_step(len: usize) -> usize {
    len / 4 + 32
}

#[inline]
pub(super) fn push<T>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() {
        values.reserve_exact(growth_step(values.len()));
    }
    values.push(value);
}

/// Adds a value. The first one reserves memory for all expected values.
pub(super) fn push_reserving<T, E: Error>(values: &mut Vec<T>, value: T, expected: usize) {
    if values.capacity() == 0 && charge::<E>(expected.saturating_mul(size_of::<T>())).is_ok() {
        values.reserve_exact(expected);
    }
    push(values, value);
}

/// Adds values.
pub(super) fn extend<T: Copy, E: Error>(values: &mut Vec<T>, more: &[T]) -> Result<(), E> {
    charge(size_of_val(more))?;
    values.extend_from_slice(more);
    Ok(())
}

/// Extends the values to at least `len` numbers, with zeros. The first call reserves memory for all expected values.
pub(super) fn extend_with_zeros<E: Error>(values: &mut Vec<f64>, len: usize, expected: usize) {
    if values.len() >= len {
        return;
    }
    let is_first = values.is_empty() && charge::<E>(expected.saturating_mul(size_of::<f64>())).is_ok();
    let all = len.max(if is_first { expected } else { values.len() + growth_step(values.len()) });
    values.reserve_exact(all - values.len());
    values.resize(all, 0.0);
}

/// Replaces the values after the first `row` ones. An empty column takes over the vector.
pub(super) fn replace_from<T: Copy>(all: &mut Vec<T>, row: usize, values: Vec<T>) {
    if row == 0 {
        *all = values;
    } else {
        all.truncate(row);
        all.extend_from_slice(&values);
    }
}
