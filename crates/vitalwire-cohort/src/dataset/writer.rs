//! Writer of a dataset: its lock, its manifest and its blocks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use vitalwire::error::Error;
use vitalwire::value::{Date, Timestamp};

use super::block::{Block, RunTime, Written};
use super::failures_file;
use super::identity::Identity;
use super::manifest::{BlockManifest, DatasetManifest, Days, MISSING_BLOCK, Run};
use super::names::{FOLDER, LOCK, blocks, temporary_files};
use super::responses::Response;
use crate::CohortTable;
use crate::defaults::USERS_PER_BLOCK;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::plan::{Plan, WorkItem};
use crate::pseudonym::PseudonymRule;
use crate::storage::Storage;
use vitalwire_sync::internal::{day_number, day_of};

/// Writes a dataset. Holds its lock until it is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) storage: Storage,
    pub(super) manifest: Option<DatasetManifest>,
    pub(super) blocks: Vec<Block>,
    /// Index of the block of each user.
    block_of: HashMap<String, usize>,
    run: Option<RunTime>,
    /// Users for whom the plan has the days of newly connected providers, and its tables.
    checked_users: HashSet<String>,
    /// The service's clock before it was asked for these providers.
    checked_at: Option<Timestamp>,
    tables: Vec<CohortTable>,
    _lock: File,
}

/// Inputs of a run.
pub(super) struct Setup {
    pub(super) identity: Identity,
    pub(super) plan_checksum: String,
    /// First day that the plan requests again on demand.
    pub(super) refresh_from: Option<Date>,
    pub(super) service_time: Timestamp,
    /// Statistics of each table. Empty for all.
    pub(super) statistics: BTreeMap<CohortTable, Vec<String>>,
    /// Users of the plan, with the id or pseudonym in the dataset.
    pub(super) users: HashMap<String, String>,
    /// Users for whom the plan has the days of newly connected providers, as in the dataset.
    pub(super) checked_users: HashSet<String>,
    /// The service's clock before it was asked for these providers.
    pub(super) checked_at: Option<Timestamp>,
}

impl Writer {
    /// Locks a folder, and loads its dataset. Completes an interrupted write.
    pub(super) fn open(folder: &Path, resume: bool) -> Result<Self, CohortError> {
        if folder.as_os_str().is_empty() {
            return Err(Error::invalid_argument("folder", "must not be empty; `.` is the current folder").into());
        }
        let storage = Storage::new(folder);
        check_folder(&storage, resume)?;
        Self::open_existing(storage)
    }

    /// Locks a dataset, and loads it if there is one.
    pub(super) fn open_existing(storage: Storage) -> Result<Self, CohortError> {
        let lock = storage.lock(LOCK)?;
        let manifest = DatasetManifest::load(&storage)?;
        let rule = rule_of(manifest.as_ref());
        let mut loaded = Vec::new();
        for number in blocks(&storage)? {
            loaded.push(Block::load(&storage, number, rule)?);
        }
        temporary_files(&storage)?.iter().try_for_each(|name| storage.remove(name))?;
        if manifest.as_ref().is_some_and(|manifest| (loaded.len() as u64) < u64::from(manifest.blocks)) {
            return Err(CohortError::dataset(storage.root(), MISSING_BLOCK));
        }
        let mut block_of = HashMap::new();
        for (at, block) in loaded.iter().enumerate() {
            for user in &block.manifest.users {
                if block_of.insert(user.clone(), at).is_some() {
                    return Err(CohortError::dataset(
                        storage.root(),
                        "the manifest is damaged: a user is in two blocks; export to a new folder",
                    ));
                }
            }
        }
        Ok(Self {
            block_of,
            manifest,
            blocks: loaded,
            run: None,
            checked_users: HashSet::new(),
            checked_at: None,
            tables: Vec::new(),
            storage,
            _lock: lock,
        })
    }

    /// Starts a run, or continues an interrupted one. Returns the part of the plan that must be read.
    pub(super) fn start(&mut self, setup: Setup, plan: Plan) -> Result<Plan, CohortError> {
        let Setup { identity, plan_checksum, refresh_from, service_time, statistics, users, checked_users, checked_at } = setup;
        let folder = self.storage.root().to_owned();
        if let Some(manifest) = &self.manifest
            && self.blocks.iter().any(|block| block.manifest.users.iter().any(|user| manifest.is_removed(user)))
        {
            let reason = "the dataset has a user who was removed from it, for example from a backup; remove the user again";
            return Err(CohortError::dataset(&folder, reason));
        }
        let mut manifest = self.manifest.take().unwrap_or_else(|| DatasetManifest::new(identity.clone()));
        identity.check(&manifest.identity, &folder)?;
        for (table, names) in statistics {
            if manifest.tables.entry(table).or_insert_with(|| names.clone()) != &names {
                return Err(CohortError::dataset(
                    &folder,
                    format!("the table {table} of the dataset has other statistics; select the same ones, or export to a new folder"),
                ));
            }
        }
        // An interrupted run goes on until the end of its day. Then providers may have delivered more.
        let is_same_run = !manifest.run.finished && is_same_day(manifest.run.started, service_time);
        let continues = is_same_run && manifest.run.plan == plan_checksum;
        let (number, started) = match is_same_run {
            true => (manifest.run.number, manifest.run.started),
            false => (manifest.run.number + 1, service_time.unix_seconds()),
        };
        manifest.run = Run { number, plan: plan_checksum, refresh_from, started, finished: false };
        let run = manifest.run.number;
        let items = plan.items();
        if let (Some(first), Some(last)) = (items.iter().map(|item| item.first).min(), items.iter().map(|item| item.last).max()) {
            let days = manifest.days.map_or(Days { first, last }, |days| Days { first: days.first.min(first), last: days.last.max(last) });
            if !days.is_valid() {
                return Err(CohortError::dataset(&folder, "the days of a dataset must be within 200 years; select other days"));
            }
            manifest.days = Some(days);
        }
        manifest.save(&self.storage)?;
        let plan = without_removed_users(&manifest, plan, &users);
        self.manifest = Some(manifest);
        self.run = Some(RunTime { run, service_time });
        (self.checked_users, self.checked_at) = (checked_users, checked_at);
        self.tables = plan.tables();
        self.add_users(&plan, &users)?;
        if let Some(manifest) = &mut self.manifest {
            let blocks = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
            if manifest.blocks < blocks {
                manifest.blocks = blocks;
                manifest.save(&self.storage)?;
            }
        }
        Ok(if continues { self.remaining(&plan, &users, run) } else { plan })
    }

    /// Assigns new users to new blocks, and adds the tables of the plan to the states of its users.
    fn add_users(&mut self, plan: &Plan, users: &HashMap<String, String>) -> Result<(), CohortError> {
        let shown: Vec<String> = plan.users().into_iter().filter_map(|user| users.get(user).cloned()).collect();
        let new: Vec<&String> = shown.iter().filter(|user| !self.block_of.contains_key(*user)).collect();
        for chunk in new.chunks(USERS_PER_BLOCK) {
            let number = self.blocks.last().map_or(0, |last| last.number + 1);
            let at = self.blocks.len();
            self.blocks.push(Block::new(number, BlockManifest::new(), rule_of(self.manifest.as_ref())));
            self.block_of.extend(chunk.iter().map(|user| ((*user).clone(), at)));
        }
        let mut members: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for user in shown {
            if let Some(block) = self.block_of.get(&user) {
                members.entry(*block).or_default().push(user);
            }
        }
        let tables = plan.tables();
        for (at, users) in members {
            if let Some(block) = self.blocks.get_mut(at)
                && block.add_users(&users, &tables)
            {
                block.manifest.save(&self.storage, block.number)?;
            }
        }
        Ok(())
    }

    /// Returns the part of the plan that an interrupted run has not read.
    fn remaining(&self, plan: &Plan, users: &HashMap<String, String>, run: u32) -> Plan {
        let is_done = |item: &WorkItem, user: &String| {
            let state = users.get(user).and_then(|shown| {
                let block = self.blocks.get(*self.block_of.get(shown)?)?;
                block.manifest.tables.get(&item.table)?.users.get(shown)
            });
            state.is_some_and(|state| state.run == run && state.done.contains_numbers(day_number(item.first), day_number(item.last)))
        };
        // Items that share requests are read together as long as any of them is missing.
        let mut items = Vec::new();
        for group in plan.request_groups() {
            let is_group_done = |user: &String| group.iter().all(|item| is_done(item, user));
            items.extend(group.iter().map(|item| {
                let users = item.users.iter().filter(|user| !is_group_done(user)).cloned().collect();
                WorkItem { users, ..item.clone() }
            }));
        }
        items.retain(|item| !item.users.is_empty());
        Plan::from(items)
    }

    /// Adds the rows of a response, to be written later.
    pub(super) fn add(&mut self, table: CohortTable, response: Response) {
        if let Some(block) = self.block_of.get(&response.user).and_then(|at| self.blocks.get_mut(*at)) {
            block.add(table, response);
        }
    }

    /// Whether something was added that is not written yet.
    pub(super) fn has_pending(&self) -> bool {
        self.blocks.iter().any(Block::has_pending)
    }

    pub(super) fn add_failure(&mut self, failure: Failure) {
        if let Some(block) = self.block_of.get(&failure.user).and_then(|at| self.blocks.get_mut(*at)) {
            block.add_failure(failure);
        }
    }

    /// Writes what was added.
    pub(super) fn write(&mut self) -> Result<Written, CohortError> {
        let mut all = Written::default();
        let Some(run) = self.run else { return Ok(all) };
        for block in &mut self.blocks {
            if block.has_pending() {
                let written = block.write(&self.storage, run)?;
                all.rounded_times += written.rounded_times;
                all.changes.extend(written.changes);
                all.failures.extend(written.failures);
            } else {
                block.release();
            }
        }
        Ok(all)
    }

    /// Ends a run: records the providers that its plan took into account, and writes the file of failures.
    pub(super) fn finish(&mut self) -> Result<(), CohortError> {
        if let Some(checked_at) = self.checked_at.filter(|_| !self.checked_users.is_empty()) {
            for block in &mut self.blocks {
                if block.manifest.record_providers(&self.checked_users, &self.tables, checked_at) {
                    block.manifest.save(&self.storage, block.number)?;
                }
            }
        }
        self.write_failures()?;
        if let Some(manifest) = &mut self.manifest {
            manifest.run.finished = true;
            manifest.save(&self.storage)?;
        }
        Ok(())
    }

    /// Writes the file of failures.
    pub(super) fn write_failures(&mut self) -> Result<(), CohortError> {
        let failures: Vec<&Failure> =
            self.blocks.iter().flat_map(|block| block.manifest.tables.values()).flat_map(|table| &table.failures).collect();
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        // The manifest never states the checksum of another content, even after a crash.
        if manifest.failures_file.take().is_some() {
            manifest.save(&self.storage)?;
        }
        manifest.failures_file = Some(failures_file::write(&self.storage, &failures)?);
        manifest.save(&self.storage)
    }

    /// Returns the users of the dataset.
    pub(super) fn users(&self) -> impl Iterator<Item = &String> {
        self.block_of.keys()
    }

    /// Whether a user's rows were removed from the dataset on their request.
    pub(super) fn has_removed(&self, user: &str) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| manifest.is_removed(user))
    }
}

fn rule_of(manifest: Option<&DatasetManifest>) -> PseudonymRule {
    manifest.map(|manifest| manifest.identity.pseudonym_rule).unwrap_or_default()
}

/// Returns the plan without users whose rows were removed from the dataset on their request.
fn without_removed_users(manifest: &DatasetManifest, plan: Plan, users: &HashMap<String, String>) -> Plan {
    if manifest.removed_users.is_empty() {
        return plan;
    }
    plan.only_users(plan.users().into_iter().filter(|user| !users.get(*user).is_some_and(|shown| manifest.is_removed(shown))))
}

/// Whether two times of the service are on the same day in UTC.
pub(super) fn is_same_day(started: i64, now: Timestamp) -> bool {
    day_of(started) == day_of(now.unix_seconds())
}

fn check_folder(storage: &Storage, resume: bool) -> Result<(), CohortError> {
    match DatasetManifest::load(storage)? {
        Some(_) if !resume => Err(CohortError::dataset(storage.root(), "the folder already has a dataset; resume it to continue")),
        None if storage.exists("_manifest/block-00000.json") => {
            Err(CohortError::dataset(storage.root(), "the manifest dataset.json is missing; restore it, or export to a new folder"))
        }
        None if !is_new(storage)? => Err(CohortError::dataset(storage.root(), "the folder must be empty or new")),
        _ => Ok(()),
    }
}

/// Whether a folder has nothing but the lock of an export that was interrupted before it wrote its manifest.
fn is_new(storage: &Storage) -> Result<bool, CohortError> {
    let own: HashSet<&str> = HashSet::from(["lock", ".vitalwire-dataset.json.tmp"]);
    Ok(match &*storage.entries("")? {
        [] => true,
        [name] if name == FOLDER => storage.entries(FOLDER)?.iter().all(|name| own.contains(&**name)),
        _ => false,
    })
}
