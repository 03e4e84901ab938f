//! The responses to the parts of a range, read as one table.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Deref;

use futures_util::stream::StreamExt;

use super::error::RangeError;
use super::makeup::{Makeup, MergedPart};
use super::split::{OnError, RangeCall};
use super::state::RunState;
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use super::{Range, RangeOperation};
use crate::client::Call;
use crate::error::Error;
use crate::table::{Key, Table, TableSpec, source};

impl<O: RangeOperation> RangeCall<O> {
    /// Reads the response of every part straight into one table: rows in the order of the parts, without rows that the previous part had too.
    /// Failures and resuming work as in [`RangeCall::collect`].
    ///
    /// # Errors
    /// Invalid argument, before anything is sent, if the operation's response does not have the table; those of [`RangeCall::collect`].
    pub async fn table(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedTable<O>, RangeError<O, MergedTable<O>>> {
        let spec = table.into();
        let key = source(spec, O::META.id).map_err(|error| error.in_operation(O::META))?.key;
        let (mut running, mut state) = self.start(move |call: Call<O>| call.table(spec))?;
        let mut merger = Merger::<O::Range>::new(spec, key);
        let mut failures = Vec::new();
        while let Some((index, answer)) = running.next().await {
            let range = state.plan.part(index);
            let rows = answer.and_then(|answer| merger.push(index, range, answer.into_inner()));
            match rows {
                Ok(rows) => state.advance(rows),
                Err(error) => failures.push(state.fail(index, error.in_operation(O::META))),
            }
            if !failures.is_empty() && state.on_error == OnError::Stop {
                break;
            }
        }
        let resume = state.resume_token();
        let stopped = state.on_error == OnError::Stop && !failures.is_empty();
        let RunState { origin, plan, .. } = state;
        let merged = merger.finish(origin, plan.count);
        let merged = merged.map(|(table, makeup)| (table, Makeup { resume: resume.clone(), ..makeup }));
        match merged {
            Some((table, makeup)) if !stopped => Ok(MergedTable { table, key, failures, makeup }),
            so_far => {
                let so_far = so_far.map(|(table, makeup)| MergedTable { table, key, failures: Vec::new(), makeup });
                Err(RangeError::new(failures, so_far, resume))
            }
        }
    }

    /// Like [`RangeCall::table`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`RangeCall::table`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedTable<O>, RangeError<O, MergedTable<O>>> {
        crate::blocking::block_on_several(self.table(table))?
    }
}

/// Merges tables in the order they are pushed.
struct Merger<R> {
    table: Table,
    /// The key column of rows.
    key: Option<usize>,
    /// The previous part, and the keys of its rows.
    previous: Option<(u32, HashSet<Key>)>,
    parts: Vec<MergedPart<R>>,
    duplicates: usize,
}

impl<R> Merger<R> {
    fn new(spec: &'static TableSpec, key: Option<usize>) -> Self {
        Self { table: Table::empty(spec), key, previous: None, parts: Vec::new(), duplicates: 0 }
    }

    /// Adds a part's rows except those whose key the previous part had too, and returns how many are left. A row without a key is never
    /// left out, nor is one whose key its own part has twice: a record has several rows.
    fn push(&mut self, index: u32, range: Option<R>, table: Table) -> Result<usize, Error> {
        let received = table.len();
        let keys: Vec<Option<Key>> = self.key.map(|column| table.keys(column).collect()).unwrap_or_default();
        let before = self.previous.as_ref().filter(|(previous, _)| *previous + 1 == index);
        let again = |row: usize| {
            before.is_some_and(|(_, seen)| keys.get(row).is_some_and(|key| key.as_ref().is_some_and(|key| seen.contains(key))))
        };
        let kept: Vec<usize> = (0..received).filter(|row| !again(*row)).collect();
        let start = self.table.len();
        // Mostly no row is left out, and the part's own memory is used.
        let table = if kept.len() == received {
            table
        } else {
            let mut rest = table.select(&kept)?;
            rest.add_skipped(&table);
            rest
        };
        self.table.append(table)?;
        self.duplicates += received - kept.len();
        self.parts.push(MergedPart { index, range, rows: start..self.table.len() });
        self.previous = Some((index, keys.into_iter().flatten().collect()));
        Ok(kept.len())
    }

    /// Returns the table and what it is made of; `None` without a part.
    fn finish(self, origin: Origin, count: u32) -> Option<(Table, Makeup<R>)> {
        let Self { table, parts, duplicates, .. } = self;
        let some = !parts.is_empty();
        some.then(|| (table, Makeup { parts, duplicates, ..Makeup::new(origin, count) }))
    }
}

/// Joins the table of a later run to that of an earlier one, in the order of the parts. A part that both have is taken from the earlier one.
pub fn join_tables<R: Range>(
    (table, made): (Table, Makeup<R>),
    (later, made_later): (Table, Makeup<R>),
    key: Option<usize>,
) -> Result<(Table, Makeup<R>), Error> {
    if made.origin != made_later.origin || table.spec() != later.spec() {
        return Err(Error::invalid_argument("later", "the responses are of different calls"));
    }
    let mut merger = Merger::<R>::new(table.spec(), key);
    merger.duplicates = made.duplicates + made_later.duplicates;
    let theirs = made_later.parts.iter().map(|part| (part.index, (part, &later)));
    let mine = made.parts.iter().map(|part| (part.index, (part, &table)));
    let pieces: BTreeMap<u32, (&MergedPart<R>, &Table)> = theirs.chain(mine).collect();
    for (index, (part, table)) in &pieces {
        merger.push(*index, part.range, table.select(&part.rows.clone().collect::<Vec<_>>())?)?;
    }
    let resume = made.missing(|index| pieces.contains_key(index));
    merger.table.add_skipped(&table);
    merger.table.add_skipped(&later);
    let skipped = made.skipped + made_later.skipped;
    let (table, makeup) = merger.finish(made.origin, made.count).ok_or_else(|| Error::internal("a merged table had no part"))?;
    Ok((table, Makeup { skipped, resume, ..makeup }))
}

/// The responses to the parts of a range as one table. It dereferences to the table.
pub struct MergedTable<O: RangeOperation> {
    table: Table,
    key: Option<usize>,
    failures: Vec<PartFailure<O>>,
    makeup: Makeup<O::Range>,
}

impl<O: RangeOperation> MergedTable<O> {
    /// The key column of its rows.
    pub(super) fn key(&self) -> Option<usize> {
        self.key
    }

    /// The table, what it is made of, and the parts that failed.
    pub(super) fn take(self) -> (Table, Makeup<O::Range>, Vec<PartFailure<O>>) {
        (self.table, self.makeup, self.failures)
    }

    /// Returns the table alone.
    #[must_use]
    pub fn into_inner(self) -> Table {
        self.table
    }

    /// Returns the table, and the parts that failed.
    #[must_use]
    pub fn into_parts(self) -> (Table, Vec<PartFailure<O>>) {
        (self.table, self.failures)
    }

    /// The parts that were read, in order, and the places of their rows.
    #[must_use]
    pub fn parts(&self) -> &[MergedPart<O::Range>] {
        &self.makeup.parts
    }

    /// Number of rows that were left out because the previous part had them.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.makeup.duplicates
    }

    /// The parts that failed; empty except with [`OnError::Collect`].
    #[must_use]
    pub fn failures(&self) -> &[PartFailure<O>] {
        &self.failures
    }

    /// Returns a token for the parts that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.makeup.resume.as_ref()
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another call or another table; `decode` if the texts of a column would be larger
    /// than 2 GiB.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        let (table, makeup) = join_tables((self.table, self.makeup), (later.table, later.makeup), self.key)?;
        let failures = self.failures.into_iter().chain(later.failures).filter(|failure| !makeup.has(failure.index)).collect();
        Ok(Self { table, key: self.key, failures, makeup })
    }
}

impl<O: RangeOperation> Deref for MergedTable<O> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

/// Shows sizes, no values.
impl<O: RangeOperation> fmt::Debug for MergedTable<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MergedTable")
            .field("operation", &self.makeup.origin.operation)
            .field("parts", &self.makeup.parts.len())
            .field("of", &self.makeup.count)
            .field("table", &self.table)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}
