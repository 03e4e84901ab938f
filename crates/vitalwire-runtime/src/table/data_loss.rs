//! Losses of tables and their exports: skipped values, and digits truncated by the unit of time.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::{Column, ColumnData, Table, TimeUnit};
use crate::value::decode::SkippedItem;

/// Reason if the expected type is no longer known.
const UNEXPECTED_TYPE: &str = "expected another type";

/// Values skipped from one column for one reason.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Skipped<'a> {
    column: &'a str,
    reason: &'static str,
    count: u64,
}

impl<'a> Skipped<'a> {
    /// Name of the column. For a whole object or list of another type, the field of the response. For list items that could not be
    /// decoded, the field of the list, or `response` if the response itself is the list.
    #[must_use]
    pub fn column(&self) -> &'a str {
        self.column
    }

    /// The broken rule, such as `expected an integer`, or `missing` for an item without a required field.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// Number of skipped values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Redacted, because an undeclared name may be personal data.
impl fmt::Debug for Skipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skipped").field("reason", &self.reason).field("count", &self.count).finish_non_exhaustive()
    }
}

/// The item that a count refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SkipTarget {
    /// A column of the specification, or a derived column.
    Column,
    /// A column with an undeclared name, which must not appear in texts.
    UndeclaredColumn,
    /// A field of the response.
    Field,
    /// An item of a list.
    Item,
}

/// Counts of skipped values, by column and reason.
#[derive(Clone, Default)]
pub(crate) struct SkipCounts(BTreeMap<(Cow<'static, str>, SkipTarget, &'static str), u64>);

impl SkipCounts {
    pub(super) fn count(&mut self, name: Cow<'static, str>, target: SkipTarget, reason: &'static str) {
        *self.0.entry((name, target, reason)).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (key, count) in &other.0 {
            let total = self.0.entry(key.clone()).or_default();
            *total = total.saturating_add(*count);
        }
    }

    /// Keeps the counts of columns with these names.
    fn retain(&mut self, columns: &[Column]) {
        self.0.retain(|(name, target, _), _| match target {
            SkipTarget::Column | SkipTarget::UndeclaredColumn => columns.iter().any(|column| column.field.name == *name),
            SkipTarget::Field | SkipTarget::Item => true,
        });
    }

    fn total(&self) -> u64 {
        self.0.values().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

impl Table {
    /// Number of skipped values: values of an unexpected type, times that no column can represent, and list items that could not be
    /// decoded. See [`Table::skipped_by_column`].
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.total()
    }

    /// Number of skipped values of declared columns and fields. Does not count list items, which `skipped_items` of the response has.
    #[must_use]
    pub fn skipped_values(&self) -> u64 {
        let is_declared = |target: &SkipTarget| matches!(target, SkipTarget::Column | SkipTarget::Field);
        self.skipped.0.iter().filter(|((_, target, _), _)| is_declared(target)).map(|(_, count)| count).sum()
    }

    /// Removes the counts of columns that the table no longer has.
    pub(super) fn retain_skip_counts(&mut self) {
        self.skipped.retain(&self.columns);
    }

    /// Returns the counts of skipped values, by column and reason.
    pub fn skipped_by_column(&self) -> impl Iterator<Item = Skipped<'_>> {
        self.skipped.0.iter().map(|((column, _, reason), count)| Skipped { column, reason, count: *count })
    }

    /// Adds the list items that were skipped from the response of an operation, if the table was read from decoded records instead of the
    /// response.
    #[must_use]
    pub fn counting_skipped(mut self, operation: &str, items: &[SkippedItem]) -> Self {
        self.count_items(operation, items.iter().map(|item| (item.json_path(), item.rule())));
        self
    }

    /// Like [`Table::counting_skipped`], for list items at these paths whose reasons are unknown.
    #[must_use]
    pub fn counting_skipped_at<'a>(mut self, operation: &str, json_paths: impl IntoIterator<Item = &'a str>) -> Self {
        self.count_items(operation, json_paths.into_iter().map(|json_path| (json_path, UNEXPECTED_TYPE)));
        self
    }

    fn count_items<'a>(&mut self, operation: &str, items: impl Iterator<Item = (&'a str, &'static str)>) {
        let Ok(source) = super::find_source(self.spec, operation) else { return };
        for (json_path, rule) in items {
            if let Some((name, target)) = source.find_list(self.spec, json_path) {
                self.skipped.count(name, target, rule);
            }
        }
    }

    /// Sets the number of values skipped from each column, which exports do not store.
    #[must_use]
    pub fn with_skipped(mut self, counts: impl IntoIterator<Item = (String, u64)>) -> Self {
        for (name, count) in counts {
            let declared = self.spec.fields.iter().any(|field| field.name == name);
            let (target, reason) = match self.column(&name) {
                Some(column) => (if declared { SkipTarget::Column } else { SkipTarget::UndeclaredColumn }, column.field.kind.expected()),
                // Either a column that no row has, or a field of the response. Without a declaration, the name must not appear in texts.
                None => (SkipTarget::UndeclaredColumn, UNEXPECTED_TYPE),
            };
            let total = self.skipped.0.entry((name.into(), target, reason)).or_default();
            *total = total.saturating_add(count);
        }
        self
    }

    /// Returns a note for users about skipped values. Returns `None` if there are none. It contains no values and no undeclared names.
    #[must_use]
    pub fn skipped_note(&self) -> Option<String> {
        let mut notes: BTreeMap<(String, &str, bool), u64> = BTreeMap::new();
        for ((name, target, reason), count) in &self.skipped.0 {
            let described = match target {
                SkipTarget::Column => format!("column {name}"),
                SkipTarget::UndeclaredColumn => "columns that this version does not know".to_owned(),
                SkipTarget::Field => format!("field {name}"),
                SkipTarget::Item => format!("list {name}"),
            };
            let total = notes.entry((described, reason, *target == SkipTarget::Item)).or_default();
            *total = total.saturating_add(*count);
        }
        let note = |((target, reason, is_item), count): (&(String, &str, bool), &u64)| {
            let unit = match (is_item, *count) {
                (false, 1) => "value of",
                (false, _) => "values of",
                (true, 1) => "item of",
                (true, _) => "items of",
            };
            let verb = if *count == 1 { "was left out" } else { "were left out" };
            format!("{count} {unit} {target} {verb} ({reason})")
        };
        join_notes(notes.iter().map(note))
    }

    /// Returns the number of times, by column, that exports truncate to the table's unit of time, rounding down. Empty for nanoseconds.
    pub fn cut(&self) -> impl Iterator<Item = (&str, usize)> {
        let exported = self.exported().filter(|_| self.time_unit == TimeUnit::Microsecond);
        exported.map(|column| (column.field.name.as_ref(), truncated_times(column))).filter(|(_, count)| *count > 0)
    }

    /// Returns a note for users about truncated times. Returns `None` if there are none.
    #[must_use]
    pub fn cut_note(&self) -> Option<String> {
        let note = |(name, count): (&str, usize)| {
            let (times, are) = if count == 1 { ("time", "is") } else { ("times", "are") };
            format!("{count} {times} of column {name} {are} rounded down to microseconds")
        };
        join_notes(self.cut().map(note))
    }
}

fn truncated_times(column: &Column) -> usize {
    match column.data() {
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => times.finer(),
        _ => 0,
    }
}

fn join_notes(notes: impl Iterator<Item = String>) -> Option<String> {
    let notes: Vec<String> = notes.collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
