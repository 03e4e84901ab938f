//! The responses to the parts of a range, read as one table.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Deref;

use futures_util::stream::StreamExt;

use super::RangeOperation;
use super::error::SplitError;
use super::merge::MergedPart;
use super::split::{OnError, Split};
use super::state::RunState;
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use crate::client::Call;
use crate::error::Error;
use crate::table::{Key, Table, TableSpec, source};

impl<O: RangeOperation> Split<O> {
    /// Reads the response of every part straight into one table: rows in the order of the parts, without rows that the previous part had too.
    /// Failures and resuming work as in [`Split::collect`].
    ///
    /// # Errors
    /// Invalid argument, before anything is sent, if the operation's response does not have the table; those of [`Split::collect`].
    pub async fn table(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedTable<O>, SplitError<O, MergedTable<O>>> {
        let spec = table.into();
        let key = source(spec, O::META.id).map_err(|error| error.in_operation(O::META))?.key;
        let (mut running, mut state) = self.start(move |call: Call<O>| call.table(spec))?;
        let mut merger = Merger::<O>::new(spec, key);
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
        match merger.finish(origin, plan.count) {
            Some(merged) if !stopped => Ok(MergedTable { failures, resume, ..merged }),
            so_far => {
                let so_far = so_far.map(|merged| MergedTable { resume: resume.clone(), ..merged });
                Err(SplitError::new(failures, so_far, resume))
            }
        }
    }

    /// Like [`Split::table`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`Split::table`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedTable<O>, SplitError<O, MergedTable<O>>> {
        crate::blocking::block_on(self.table(table))?
    }
}

/// Merges tables in the order they are pushed.
struct Merger<O: RangeOperation> {
    table: Table,
    /// The key column of rows.
    key: Option<usize>,
    /// The previous part, and the keys of its rows.
    previous: Option<(u32, HashSet<Key>)>,
    parts: Vec<MergedPart<O::Range>>,
    duplicates: usize,
}

impl<O: RangeOperation> Merger<O> {
    fn new(spec: &'static TableSpec, key: Option<usize>) -> Self {
        Self { table: Table::empty(spec), key, previous: None, parts: Vec::new(), duplicates: 0 }
    }

    /// Adds a part's rows except those whose key the previous part had too, and returns how many were left out. A row without a key is never
    /// left out, nor is one whose key its own part has twice: a record has several rows.
    fn push(&mut self, index: u32, range: Option<O::Range>, table: Table) -> Result<usize, Error> {
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

    /// Returns the table; `None` without a part.
    fn finish(self, origin: Origin, count: u32) -> Option<MergedTable<O>> {
        let Self { table, key, parts, duplicates, .. } = self;
        let some = !parts.is_empty();
        some.then_some(MergedTable { table, key, parts, duplicates, failures: Vec::new(), resume: None, origin, count })
    }
}

/// The responses to the parts of a range as one table. It dereferences to the table.
pub struct MergedTable<O: RangeOperation> {
    table: Table,
    key: Option<usize>,
    parts: Vec<MergedPart<O::Range>>,
    duplicates: usize,
    failures: Vec<PartFailure<O>>,
    resume: Option<ResumeToken>,
    origin: Origin,
    /// Number of parts of the whole range.
    count: u32,
}

impl<O: RangeOperation> MergedTable<O> {
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
        &self.parts
    }

    /// Number of rows that were left out because the previous part had them.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The parts that failed; empty except with [`OnError::Collect`].
    #[must_use]
    pub fn failures(&self) -> &[PartFailure<O>] {
        &self.failures
    }

    /// Returns a token for the parts that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.resume.as_ref()
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another call or another table; `decode` if the texts of a column would be larger
    /// than 2 GiB.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        if self.origin != later.origin || self.table.spec() != later.table.spec() {
            return Err(Error::invalid_argument("later", "the responses are of different calls"));
        }
        let mut merger = Merger::<O>::new(self.table.spec(), self.key);
        merger.duplicates = self.duplicates + later.duplicates;
        let theirs = later.parts.iter().map(|part| (part.index, (part, &later.table)));
        let mine = self.parts.iter().map(|part| (part.index, (part, &self.table)));
        let pieces: BTreeMap<u32, (&MergedPart<O::Range>, &Table)> = theirs.chain(mine).collect();
        for (index, (part, table)) in &pieces {
            merger.push(*index, part.range, table.select(&part.rows.clone().collect::<Vec<_>>())?)?;
        }
        let is_left = |index: &u32| !pieces.contains_key(index);
        let resume = ResumeToken::new(&self.origin, (0..self.count).filter(is_left));
        let failures = self.failures.into_iter().chain(later.failures).filter(|failure| is_left(&failure.index)).collect();
        merger.table.add_skipped(&self.table);
        merger.table.add_skipped(&later.table);
        let merged = merger.finish(self.origin, self.count).ok_or_else(|| Error::internal("a merged table had no part"))?;
        Ok(MergedTable { failures, resume, ..merged })
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
            .field("operation", &self.origin.operation)
            .field("parts", &self.parts.len())
            .field("of", &self.count)
            .field("table", &self.table)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}
