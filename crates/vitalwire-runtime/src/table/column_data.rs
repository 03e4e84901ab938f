//! Storage of column values: creating, truncating and extending.

use std::ops::Range;

use serde::de::Error;

use super::growth::{extend, extend_with_zeros, growth_step};
use super::texts::{TextLists, Texts};
use super::times::Times;
use super::{ColumnData, ColumnKind};
use crate::value::decode::charge;

impl ColumnData {
    pub(super) fn empty(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Number => Self::Number(Vec::new()),
            ColumnKind::Integer => Self::Integer(Vec::new()),
            ColumnKind::Boolean => Self::Boolean(Vec::new()),
            ColumnKind::Text => Self::Text(Texts::default()),
            ColumnKind::Date => Self::Date(Vec::new()),
            ColumnKind::Instant => Self::Instant(Times::default()),
            ColumnKind::LocalTime => Self::LocalTime(Times::default()),
            ColumnKind::TextList => Self::TextList(TextLists::default()),
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Self::Number(values) => values.truncate(len),
            Self::Integer(values) => values.truncate(len),
            Self::Instant(times) | Self::LocalTime(times) => times.truncate(len),
            Self::Boolean(values) => values.truncate(len),
            Self::Date(values) => values.truncate(len),
            Self::Text(texts) => texts.truncate(len),
            Self::TextList(lists) => lists.truncate(len),
        }
    }

    /// Adds values of another column of the same kind.
    pub(super) fn extend_from<E: Error>(&mut self, other: &Self, from: Range<usize>) -> Result<(), E> {
        fn values<T>(all: &[T], range: Range<usize>) -> &[T] {
            all.get(range).unwrap_or_default()
        }
        match (self, other) {
            (Self::Number(all), Self::Number(other)) => extend(all, values(other, from)),
            (Self::Integer(all), Self::Integer(other)) => extend(all, values(other, from)),
            (Self::Boolean(all), Self::Boolean(other)) => extend(all, values(other, from)),
            (Self::Date(all), Self::Date(other)) => extend(all, values(other, from)),
            (Self::Instant(all), Self::Instant(other)) | (Self::LocalTime(all), Self::LocalTime(other)) => all.extend_from(other, from),
            (Self::Text(all), Self::Text(other)) => all.extend_from(other, from),
            (Self::TextList(all), Self::TextList(other)) => all.extend_from(other, from),
            // Unreachable: columns of a name have one kind.
            _ => Ok(()),
        }
    }

    pub(super) fn resize<E: Error>(&mut self, len: usize, expected: usize) -> Result<(), E> {
        fn resize_vec<T: Clone, E: Error>(values: &mut Vec<T>, len: usize, expected: usize, value: T) {
            if values.capacity() == 0 && charge::<E>(expected.saturating_mul(size_of::<T>())).is_ok() {
                values.reserve_exact(expected);
            }
            if values.capacity() < len {
                values.reserve_exact((len - values.len()).max(growth_step(values.len())));
            }
            values.resize(len, value);
        }
        match self {
            Self::Number(values) => extend_with_zeros::<E>(values, len, expected),
            Self::Integer(values) => resize_vec::<_, E>(values, len, expected, 0),
            Self::Instant(times) | Self::LocalTime(times) => resize_vec::<_, E>(&mut times.microseconds, len, expected, 0),
            Self::Boolean(values) => resize_vec::<_, E>(values, len, expected, false),
            Self::Date(values) => resize_vec::<_, E>(values, len, expected, 0),
            Self::Text(texts) => {
                for _ in texts.len()..len {
                    texts.push("", expected)?;
                }
            }
            Self::TextList(lists) => {
                for _ in lists.len()..len {
                    lists.end_list(expected)?;
                }
            }
        }
        Ok(())
    }
}
