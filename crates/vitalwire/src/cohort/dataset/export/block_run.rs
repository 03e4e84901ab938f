//! The part of a run that reads one block of users.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::pin::pin;

use futures_util::StreamExt as _;

use super::Progress;
use crate::cohort::dataset::manifest::{BlockManifest, DatasetManifest, TableManifest};
use crate::cohort::dataset::month_files::{Keys, MonthFiles};
use crate::cohort::error::CohortError;
use crate::cohort::reader::UserRows;
use crate::cohort::{Changes, CohortReader, CohortTable, DaySet, USER, WorkItem};
use crate::range::DateRange;
use crate::table::Table;

/// Export of one block of users.
pub(super) struct BlockRun<'a> {
    reader: &'a CohortReader,
    folder: &'a Path,
    number: u32,
    run: u32,
    late_days: u32,
    manifest: BlockManifest,
    /// Pairs of the id or pseudonym in the dataset and the user id, for users in the cohort.
    users: Vec<(String, &'a str)>,
}

impl<'a> BlockRun<'a> {
    pub(super) fn load(
        reader: &'a CohortReader,
        folder: &'a Path,
        number: u32,
        dataset: &DatasetManifest,
        real_ids: &HashMap<String, &'a str>,
    ) -> Result<Self, CohortError> {
        let manifest = BlockManifest::load(folder, number)?;
        let users = manifest.users.iter().filter_map(|shown| Some((shown.clone(), *real_ids.get(shown)?))).collect();
        Ok(Self { reader, folder, number, run: dataset.run.number, late_days: dataset.late_days, manifest, users })
    }

    /// Reads the due days of a table. Saves the manifest after each work item.
    pub(super) async fn run(
        &mut self,
        table: CohortTable,
        span: DateRange,
        progress: &mut Progress,
        listener: &mut impl FnMut(Progress),
    ) -> Result<Changes, CohortError> {
        let all_days = self.users.len() as u64 * u64::from(span.days());
        let before = progress.done;
        let mut changes = Changes::default();
        let mut state = self.manifest.tables.remove(&table).unwrap_or_default();
        if state.run != self.run {
            self.reset_run(&mut state);
            for item in self.due_items(table, span, &state) {
                changes.add(self.read(&item, &mut state, progress, listener).await?);
                self.manifest.tables.insert(table, state);
                self.manifest.save(self.folder, self.number)?;
                state = self.manifest.tables.remove(&table).unwrap_or_default();
            }
            state.run = self.run;
            self.manifest.tables.insert(table, state);
            self.manifest.save(self.folder, self.number)?;
        } else {
            state.users.values().for_each(|user| changes.add(user.changes));
            self.manifest.tables.insert(table, state);
        }
        progress.done = before.saturating_add(all_days);
        listener(*progress);
        Ok(changes)
    }

    /// Forgets failures and changes of earlier runs. A run that is resumed within the table starts counting again.
    fn reset_run(&self, state: &mut TableManifest) {
        let listed = |user: &String| self.users.iter().any(|(shown, _)| shown == user);
        state.failures.retain(|failure| !listed(&failure.user));
        state.users.values_mut().for_each(|user| user.changes = Changes::default());
    }

    /// Returns the work items for what is due. Users for whom the same days are due share items.
    fn due_items(&self, table: CohortTable, span: DateRange, state: &TableManifest) -> Vec<WorkItem> {
        let new_state = crate::cohort::SyncState::new();
        let mut groups: BTreeMap<String, (DaySet, Vec<String>)> = BTreeMap::new();
        for (shown, real) in &self.users {
            let known = state.users.get(shown).map_or(&new_state, |user| &user.state);
            let due = known.due(span, self.late_days);
            groups.entry(due.to_string()).or_insert_with(|| (due, Vec::new())).1.push((*real).to_owned());
        }
        let mut items = Vec::new();
        for (due, users) in groups.into_values() {
            for part in due.ranges().flat_map(|days| table.split(days, table.months_per_item())) {
                items.push(WorkItem { table, users: users.clone(), from: part.first(), to: part.last(), statistics: Vec::new() });
            }
        }
        items
    }

    /// Reads an item, and writes its rows.
    async fn read(
        &self,
        item: &WorkItem,
        state: &mut TableManifest,
        progress: &mut Progress,
        listener: &mut impl FnMut(Progress),
    ) -> Result<Changes, CohortError> {
        let mut all: Option<Table> = None;
        let mut gone = Keys::new();
        let mut changes = Changes::default();
        let mut stream = pin!(self.reader.read(item));
        while let Some(user) = stream.next().await {
            let UserRows { user, rows } = user?;
            let known = state.users.entry(user.clone()).or_default();
            match rows {
                Ok(rows) => {
                    let update = known.state.compare(item.table, item.days(), &rows, self.late_days);
                    known.changes.add(update.changes);
                    changes.add(update.changes);
                    progress.rows += rows.len() as u64;
                    if !update.gone.is_empty() {
                        gone.entry(user.clone()).or_default().extend(update.gone);
                    }
                    let rows = rows.with_key(USER, &user)?;
                    match &mut all {
                        Some(all) => all.append(rows)?,
                        None => all = Some(rows),
                    }
                }
                Err(failure) => {
                    known.state.record_failure(item.days());
                    progress.failures += 1;
                    state.failures.push(failure);
                }
            }
            progress.done += u64::from(item.days().days());
            listener(*progress);
        }
        if let Some(rows) = all
            && !changes.is_empty()
        {
            let files = MonthFiles { folder: self.folder, table: item.table, block: self.number, days: item.days() };
            files.replace(&rows, gone, &mut state.files)?;
        }
        Ok(changes)
    }
}
