//! A block of users: its manifest, and the replacement of rows in its part files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;

use arrow_array::RecordBatch;
use vitalwire::range::DateRange;
use vitalwire::table::Table;
use vitalwire::value::Timestamp;

use super::manifest::{BlockManifest, FileManifest, TableManifest};
use super::names::{month_of, part_name};
use super::parts::{self, rows_by_month, text};
use super::responses::{Response, UserUpdate, difference, known_records, merge};
use crate::Changes;
use crate::CohortTable;
use crate::RecordKey;
use crate::USER;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::pseudonym::PseudonymRule;
use crate::storage::Storage;
use vitalwire_sync::internal::KnownRecord;
use vitalwire_sync::internal::LastResponse;
use vitalwire_sync::internal::{Record, RecordColumns};

/// Maximum size of the written rows that a block keeps in memory.
const BYTES_IN_MEMORY: usize = 4 << 20;

/// A block of up to 100 users.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) number: u32,
    pub(super) manifest: BlockManifest,
    rule: PseudonymRule,
    /// Responses that are not written yet.
    pending: BTreeMap<CohortTable, Vec<Response>>,
    failures: Vec<Failure>,
    /// Keys of the records in part files by table and month. Loaded when a record may have moved.
    keys: HashMap<(CohortTable, String), HashSet<(String, RecordKey)>>,
    /// Rows of the part files that this run has written, by table and month. Used instead of reading the files.
    written: HashMap<(CohortTable, String), RecordBatch>,
    /// Ends of the last responses of users that this run has read.
    last_responses: HashMap<(CohortTable, String), LastResponse>,
}

/// Run that a write belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunTime {
    pub(super) run: u32,
    pub(super) service_time: Timestamp,
}

/// Files and states after a write.
struct Write {
    manifest: BlockManifest,
    /// Names of staged files.
    staged: Vec<String>,
    /// Names of files without rows.
    emptied: Vec<String>,
    written: Written,
}

/// Result of a write.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) changes: Vec<(CohortTable, Changes)>,
    /// Number of written times that were rounded down to microseconds.
    pub(super) rounded_times: u64,
    /// Failures that only the comparison with the files shows.
    pub(super) failures: Vec<Failure>,
}

impl Block {
    pub(super) fn new(number: u32, manifest: BlockManifest, rule: PseudonymRule) -> Self {
        Self {
            number,
            manifest,
            rule,
            pending: BTreeMap::new(),
            failures: Vec::new(),
            keys: HashMap::new(),
            written: HashMap::new(),
            last_responses: HashMap::new(),
        }
    }

    /// Loads a block. Completes a write that was interrupted after all its files were staged.
    pub(super) fn load(storage: &Storage, number: u32, rule: PseudonymRule) -> Result<Self, CohortError> {
        if let Some(next) = BlockManifest::load_next(storage, number)? {
            let current = BlockManifest::load(storage, number)?;
            complete(storage, number, &current, &next)?;
        }
        Ok(Self::new(number, BlockManifest::load(storage, number)?, rule))
    }

    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty() || !self.failures.is_empty()
    }

    /// Adds the rows of a response, to be written later.
    pub(super) fn add(&mut self, table: CohortTable, response: Response) {
        self.pending.entry(table).or_default().push(response);
    }

    pub(super) fn add_failure(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    /// Writes pending rows and failures. Either all of them are in the dataset afterwards, or none.
    pub(super) fn write(&mut self, storage: &Storage, run: RunTime) -> Result<Written, CohortError> {
        let (manifest, written) = (self.manifest.clone(), Written::default());
        let mut write = Write { manifest, staged: Vec::new(), emptied: Vec::new(), written };
        for (table, responses) in std::mem::take(&mut self.pending) {
            self.replace(storage, run, table, responses, &mut write)?;
        }
        for failure in std::mem::take(&mut self.failures).into_iter().chain(write.written.failures.iter().cloned()) {
            let days = DateRange::from((failure.first, failure.last));
            let table = write.manifest.tables.entry(failure.table).or_default();
            table.forget_failures(&failure.user, days);
            let user = table.users.entry(failure.user.clone()).or_default();
            user.begin(run.run);
            user.state.record_failure(days);
            table.failures.push(failure);
        }
        self.commit(storage, write.manifest, &write.staged, &write.emptied)?;
        Ok(write.written)
    }

    /// Replaces the manifest and the staged files together.
    pub(super) fn commit(
        &mut self,
        storage: &Storage,
        manifest: BlockManifest,
        staged: &[String],
        emptied: &[String],
    ) -> Result<(), CohortError> {
        if staged.is_empty() && emptied.is_empty() {
            manifest.save(storage, self.number)?;
        } else {
            manifest.save_next(storage, self.number)?;
            staged.iter().try_for_each(|name| storage.publish(name))?;
            emptied.iter().try_for_each(|name| storage.remove(name))?;
            BlockManifest::publish(storage, self.number)?;
        }
        self.manifest = manifest;
        Ok(())
    }

    /// Stages the part files in which the rows of successful requests replace earlier ones, and updates the states.
    fn replace(
        &mut self,
        storage: &Storage,
        run: RunTime,
        table: CohortTable,
        responses: Vec<Response>,
        write: &mut Write,
    ) -> Result<(), CohortError> {
        let (rows, updates) = merge(table, responses)?;
        let columns = RecordColumns::new(table, &rows);
        let mut records: BTreeMap<&str, Vec<Record>> = BTreeMap::new();
        for (user, update) in &updates {
            records.insert(user, columns.records(update.rows.iter().copied()));
        }
        let manifest = write.manifest.tables.entry(table).or_default();
        let months = self.months_to_read(storage, table, manifest, &updates, &records)?;
        let mut old: BTreeMap<&str, Table> = BTreeMap::new();
        for month in &months {
            if let Some(file) = manifest.files.get(month) {
                old.insert(month, self.rows(storage, table, month, file)?);
            }
        }
        let mut known = known_records(table, &old, &updates);
        let mut table_changes = Changes::default();
        // Records whose rows differ from those in the files. `None` for all.
        let mut replaced: HashMap<&str, Option<HashSet<RecordKey>>> = HashMap::new();
        for (user, update) in &updates {
            let response = records.get(&**user).map(Vec::as_slice).unwrap_or_default();
            let state = manifest.users.entry(user.clone()).or_default();
            state.begin(run.run);
            let last = LastResponse::new(&update.days, response).with_listed(update.not_found.iter().map(|listed| &*listed.id));
            let last_response = self.last_responses.insert((table, user.clone()), last).unwrap_or_default();
            let can_remove = |record: &KnownRecord<RecordKey>| {
                !update.lists_without_record(record)
                    && update.days.contains_numbers(record.first_day, record.last_day)
                    && last_response.can_remove(table, &record.key, record.first_day, &update.days, state.state.requested())
            };
            let known = known.remove(&**user).unwrap_or_default();
            write.written.failures.extend(update.not_found_failure(user, table, &known));
            let (changes, keys) = difference(known, response, &columns, &update.lossy, can_remove);
            table_changes.add(changes);
            state.done.insert_all(&update.days);
            replaced.insert(user, keys);
        }
        let is_replaced = |user: &str, columns: &RecordColumns<'_>, row: usize| {
            let keys = replaced.get(user);
            keys.is_some_and(|keys| keys.as_ref().is_none_or(|keys| !keys.is_empty() && keys.contains(&columns.key(row))))
        };
        // Days of the rows that stay.
        let mut kept_days: HashMap<&str, Vec<i32>> = HashMap::new();
        for rows in old.values() {
            let (columns, users) = (RecordColumns::new(table, rows), rows.column(USER));
            for (row, user) in (0..rows.len()).map(|row| (row, text(users, row))) {
                if updates.contains_key(user) && !is_replaced(user, &columns, row) {
                    kept_days.entry(user).or_default().extend(columns.day(row));
                }
            }
        }
        for (user, update) in updates.iter().filter(|(_, update)| !update.days.is_empty()) {
            let last = update.days.last().unwrap_or_default();
            let last_complete = table.last_complete_day(run.service_time).unwrap_or(last);
            let mut with_data: Vec<i32> = update.rows.iter().filter_map(|row| columns.day(*row)).collect();
            let kept = kept_days.get(&**user).into_iter().flatten();
            with_data.extend(kept.filter(|day| update.days.contains_number(**day)));
            let state = manifest.users.entry(user.clone()).or_default();
            state.state.record(&update.days, with_data, last_complete, run.service_time);
            for days in update.days.ranges() {
                manifest.forget_failures(user, days);
            }
        }
        let users = rows.column(USER);
        let changed_rows =
            updates.values().flat_map(|update| update.rows.iter().copied()).filter(|row| is_replaced(text(users, *row), &columns, *row));
        let new = rows_by_month(&columns, changed_rows);
        let months: BTreeSet<&str> = old.keys().copied().chain(new.keys().map(String::as_str)).collect();
        for month in months {
            let mut all = rows.take(new.get(month).map(Vec::as_slice).unwrap_or_default())?;
            write.written.rounded_times += all.cut().map(|(_, times)| times as u64).sum::<u64>();
            if let Some(old) = old.get(month) {
                let (columns, users) = (RecordColumns::new(table, old), old.column(USER));
                let kept: Vec<usize> = (0..old.len()).filter(|row| !is_replaced(text(users, *row), &columns, *row)).collect();
                if all.is_empty() && kept.len() == old.len() {
                    continue;
                }
                all.append(old.take(&kept)?)?;
            }
            self.stage(storage, table, month, all, manifest, &mut write.staged, &mut write.emptied)?;
        }
        write.written.changes.push((table, table_changes));
        Ok(())
    }

    /// Returns the rows of a part file.
    fn rows(&self, storage: &Storage, table: CohortTable, month: &str, file: &FileManifest) -> Result<Table, CohortError> {
        match self.written.get(&(table, month.to_owned())) {
            Some(rows) => Table::from_record_batch(table.id(), rows).map_err(CohortError::from),
            None => parts::read(storage, table, month, self.number, file),
        }
    }

    /// Stages a part file. A file without rows is removed.
    #[allow(clippy::too_many_arguments, reason = "the parts of a write")]
    pub(super) fn stage(
        &mut self,
        storage: &Storage,
        table: CohortTable,
        month: &str,
        rows: Table,
        manifest: &mut TableManifest,
        staged: &mut Vec<String>,
        emptied: &mut Vec<String>,
    ) -> Result<(), CohortError> {
        let name = part_name(table, month, self.number);
        let place = (table, month.to_owned());
        self.keys.remove(&place);
        self.written.remove(&place);
        if rows.is_empty() {
            if manifest.files.remove(month).is_some() {
                emptied.push(name);
            }
            return Ok(());
        }
        let encoded =
            parts::encode(table, rows, self.rule).map_err(|error| CohortError::io(&storage.path(&name))(io::Error::other(error)))?;
        storage.stage(&name, &encoded.content)?;
        manifest.files.insert(month.to_owned(), encoded.file);
        let bytes: usize = self.written.values().map(RecordBatch::get_array_memory_size).sum();
        if bytes + encoded.rows.get_array_memory_size() <= BYTES_IN_MEMORY {
            self.written.insert(place, encoded.rows);
        }
        staged.push(name);
        Ok(())
    }

    /// Returns the months whose files may have rows to replace: those of the requested days and of the new rows, and those from which a
    /// record has moved.
    fn months_to_read(
        &mut self,
        storage: &Storage,
        table: CohortTable,
        manifest: &TableManifest,
        updates: &BTreeMap<String, UserUpdate>,
        records: &BTreeMap<&str, Vec<Record>>,
    ) -> Result<BTreeSet<String>, CohortError> {
        let mut months = BTreeSet::new();
        if manifest.files.is_empty() {
            return Ok(months);
        }
        for days in updates.values().flat_map(|update| update.days.ranges()) {
            months.extend(table.split(days, 1).into_iter().map(|part| month_of(part.first())));
        }
        let days = records.values().flatten().filter_map(|record| record.days);
        months.extend(days.flat_map(|(first, last)| [first, last]).filter_map(vitalwire_sync::internal::date_of).map(month_of));
        if table.has_movable_records() {
            for (month, file) in manifest.files.iter().filter(|(month, _)| !months.contains(*month)).collect::<Vec<_>>() {
                let place = (table, month.clone());
                if !self.keys.contains_key(&place) {
                    let rows = self.rows(storage, table, month, file)?;
                    let (columns, users) = (RecordColumns::new(table, &rows), rows.column(USER));
                    let keys = (0..rows.len()).map(|row| (text(users, row).to_owned(), columns.key(row))).collect();
                    self.keys.insert(place.clone(), keys);
                }
                let known = self.keys.get(&place);
                let has_moved = |(user, records): (&&str, &Vec<Record>)| {
                    records.iter().any(|record| known.is_some_and(|keys| keys.contains(&((*user).to_owned(), record.key.clone()))))
                };
                if records.iter().any(has_moved) {
                    months.insert(month.clone());
                }
            }
        }
        Ok(months)
    }

    /// Forgets what is only needed while the block is written.
    pub(super) fn release(&mut self) {
        (self.keys, self.written) = (HashMap::new(), HashMap::new());
    }

    /// Adds users who are not in the block yet, and tables that they do not have yet. Returns whether anything was added.
    pub(super) fn add_users(&mut self, users: &[String], tables: &[CohortTable]) -> bool {
        let mut is_changed = false;
        for user in users {
            if !self.manifest.users.contains(user) {
                self.manifest.users.push(user.clone());
                is_changed = true;
            }
            for table in tables {
                let users = &mut self.manifest.tables.entry(*table).or_default().users;
                is_changed |= !users.contains_key(user);
                users.entry(user.clone()).or_default();
            }
        }
        is_changed
    }
}

impl TableManifest {
    /// Removes these days from the failures of a user.
    fn forget_failures(&mut self, user: &str, days: DateRange) {
        for failure in std::mem::take(&mut self.failures) {
            if failure.user != user || failure.last < days.first() || days.last() < failure.first {
                self.failures.push(failure);
                continue;
            }
            // The days before and after these have still failed.
            let before = days.first().plus_days(-1).filter(|last| failure.first <= *last);
            let after = days.last().plus_days(1).filter(|first| *first <= failure.last);
            self.failures.extend(before.map(|last| Failure { last, ..failure.clone() }));
            self.failures.extend(after.map(|first| Failure { first, ..failure }));
        }
    }
}

/// Completes a write whose files were all staged.
fn complete(storage: &Storage, number: u32, current: &BlockManifest, next: &BlockManifest) -> Result<(), CohortError> {
    let files = |manifest: &BlockManifest| -> BTreeMap<String, FileManifest> {
        let tables = manifest.tables.iter();
        tables.flat_map(|(table, state)| state.files.iter().map(|(month, file)| (part_name(*table, month, number), file.clone()))).collect()
    };
    let (before, after) = (files(current), files(next));
    for (name, file) in &after {
        if before.get(name) != Some(file) && storage.is_staged(name, file.bytes, &file.sha256) {
            storage.publish(name)?;
        }
    }
    before.keys().filter(|name| !after.contains_key(*name)).try_for_each(|name| storage.remove(name))?;
    BlockManifest::publish(storage, number)
}
