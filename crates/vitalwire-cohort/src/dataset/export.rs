//! Runs that write a dataset.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures_util::StreamExt as _;
use vitalwire::error::Error;
use vitalwire::value::Timestamp;

use super::audit::AuditRun;
use super::identity::Identity;
use super::responses::{Quality, Response};
use super::summary::Summary;
use super::writer::{Setup, Writer};
use crate::Changes;
use crate::CohortTable;
use crate::USER;
use crate::defaults::{REQUESTS_PER_WRITE, TIME_PER_WRITE};
use crate::error::CohortError;
use crate::failure::{Failure, FailureReason};
use crate::plan::{Plan, WorkItem};
use crate::reader::{CohortReader, UserRows};
use crate::storage::checksum;
use vitalwire_sync::UserTable;

/// An export of the items of a plan to a dataset.
#[derive(Clone, Debug)]
#[must_use = "nothing is requested before the export runs"]
pub struct Export {
    plan: Plan,
    resume: bool,
    /// Summary of an audited run.
    written: Option<Arc<Mutex<Summary>>>,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished days. Each user and table counts separately.
    pub done: u64,
    /// Number of all days. Each user and table counts separately.
    pub total: u64,
    /// Number of rows received.
    pub rows: u64,
    /// Number of failures.
    pub failures: u64,
}

impl Export {
    /// Creates an export of exactly the items of a plan. [`NextRun::plan`](super::NextRun::plan) plans what is due.
    pub fn new(plan: Plan) -> Self {
        Self { plan, resume: false, written: None }
    }

    /// Sets whether to continue a dataset: to complete an interrupted run, or to add rows of a new plan. Defaults to false, which requires
    /// an empty folder.
    pub fn resume(self, resume: bool) -> Self {
        Self { resume, ..self }
    }

    /// States the rows and failures of the export in the end of an audited run, even if the run fails or is interrupted.
    pub fn audit(self, run: &AuditRun) -> Self {
        Self { written: Some(Arc::clone(&run.summary)), ..self }
    }

    /// Reads the items into the dataset in `folder`, and calls `listener` after each user.
    ///
    /// Days that are not over at the service's time are left out. The export writes what it has read every 10 seconds or 200 requests, so
    /// an interruption costs little. A run that is resumed with the same plan reads only the rest.
    ///
    /// Users who fail are listed in the table `failures`, and their days stay due.
    ///
    /// # Errors
    /// * [`CohortError::Client`] for an invalid argument, or a failure that concerns all users, such as a missing base URL.
    /// * [`CohortError::NobodyRead`] if every user failed.
    /// * [`CohortError::Dataset`] if the folder is not empty and not resumed, belongs to another export or service, is being written, or has a
    ///   damaged file.
    /// * [`CohortError::Io`] if a file cannot be written, for example because the disk is full.
    pub async fn run(
        &self,
        reader: &CohortReader,
        folder: impl AsRef<Path>,
        mut listener: impl FnMut(Progress),
    ) -> Result<Summary, CohortError> {
        let statistics = self.statistics()?;
        if self.plan.users().into_iter().any(|user| !reader.credentials().contains(user)) {
            return Err(Error::invalid_argument("credentials", "must contain every user of the plan").into());
        }
        let (path, resume) = (folder.as_ref().to_owned(), self.resume);
        let mut writer = blocking(move || Writer::open(&path, resume)).await?;
        let service_time = reader.service_time().await?;
        let plan = self.complete_days(service_time);
        let (identity, folder) = (Identity::new(reader), writer.storage.root().to_owned());
        let service = identity.service.clone();
        let setup = Setup {
            identity,
            refresh_from: self.plan.refresh_from(),
            plan_checksum: checksum(self.plan.to_json()?.as_bytes()),
            service_time,
            statistics,
            users: plan.users().into_iter().map(|user| (user.to_owned(), reader.shown_id(user))).collect(),
            checked_at: self.plan.checked_at(),
            checked_users: self.plan.checked_users().iter().map(|user| reader.shown_id(user)).collect(),
        };
        let (mut writer, plan) = blocking(move || {
            let plan = writer.start(setup, plan)?;
            Ok((writer, plan))
        })
        .await?;
        let listed: HashSet<String> = reader.credentials().ids().map(|id| reader.shown_id(id)).collect();
        let summary = Summary {
            users: plan.users().len(),
            not_listed: writer.users().filter(|user| !listed.contains(*user)).count(),
            removed_users: listed.iter().filter(|user| writer.has_removed(user)).count(),
            last_day: plan.items().iter().map(|item| item.last).max(),
            tables: plan.tables().into_iter().map(|table| (table, Changes::default())).collect(),
            ..Summary::default()
        };
        let mut progress = Progress { total: plan.items().iter().map(total_days).sum(), ..Progress::default() };
        let shared = self.written.clone().unwrap_or_default();
        *lock(&shared) = summary;
        listener(progress);
        let mut failures: Vec<Failure> = Vec::new();
        let mut has_read = false;
        let (mut requests, mut written) = (0, Instant::now());
        for group in plan.request_groups() {
            let mut users = pin!(reader.read(group));
            loop {
                // Writes what was read even if the next user takes long.
                let waited = tokio::time::timeout_at((written + TIME_PER_WRITE).into(), users.next()).await;
                match waited {
                    Ok(None) => break,
                    Ok(Some(Ok(read))) => {
                        has_read |= read.rows.is_ok();
                        add(&mut writer, &mut progress, &mut failures, group, read)?;
                        listener(progress);
                        requests += group.first().map_or(0, |item| item.requests() / (item.users.len() as u64).max(1));
                    }
                    Ok(Some(Err(error))) => {
                        write(&shared, writer, &mut failures).await?;
                        return Err(error.into());
                    }
                    Err(_) if !writer.has_pending() => {
                        written = Instant::now();
                        continue;
                    }
                    Err(_) => {}
                }
                if reader.service_name() != service {
                    return Err(CohortError::dataset(&folder, "the service has changed during the export; its last rows were not stored"));
                }
                if requests >= REQUESTS_PER_WRITE || written.elapsed() >= TIME_PER_WRITE {
                    writer = write(&shared, writer, &mut failures).await?;
                    (requests, written) = (0, Instant::now());
                }
            }
        }
        let mut writer = write(&shared, writer, &mut failures).await?;
        blocking(move || writer.finish()).await?;
        let summary = lock(&shared).clone();
        if !has_read && !failures.is_empty() {
            return Err(CohortError::NobodyRead { reasons: summary.reasons });
        }
        Ok(summary)
    }

    /// Returns the statistics of each table. Empty for all.
    fn statistics(&self) -> Result<BTreeMap<CohortTable, Vec<String>>, Error> {
        let mut tables: BTreeMap<CohortTable, Vec<String>> = BTreeMap::new();
        for item in self.plan.items() {
            let statistics = tables.entry(item.table).or_insert_with(|| item.statistics.clone());
            if *statistics != item.statistics {
                return Err(Error::invalid_argument("plan", "must request the same statistics in all items of a table"));
            }
        }
        Ok(tables)
    }

    /// Returns the plan without days that are not over.
    fn complete_days(&self, service_time: Timestamp) -> Plan {
        let complete = |item: &WorkItem| {
            let last = item.table.last_complete_day(service_time).map_or(item.last, |day| day.min(item.last));
            (item.first <= last).then(|| WorkItem { last, ..item.clone() })
        };
        Plan::from(self.plan.items().iter().filter_map(complete).collect::<Vec<_>>())
    }
}

fn lock(summary: &Mutex<Summary>) -> MutexGuard<'_, Summary> {
    summary.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what was added, and counts it with the failures so far. Adds the failures that the write finds.
async fn write(summary: &Arc<Mutex<Summary>>, mut writer: Writer, failures: &mut Vec<Failure>) -> Result<Writer, CohortError> {
    let summary = Arc::clone(summary);
    let mut all = std::mem::take(failures);
    let (writer, all) = blocking(move || {
        let written = writer.write()?;
        all.extend(written.failures);
        let mut summary = lock(&summary);
        summary.add(written.changes);
        summary.rounded_times += written.rounded_times;
        summary.reasons = FailureReason::group(&all);
        summary.failures = all.iter().map(|failure| (&failure.user, failure.table)).collect::<HashSet<_>>().len();
        drop(summary);
        Ok((writer, all))
    })
    .await?;
    *failures = all;
    Ok(writer)
}

fn total_days(item: &WorkItem) -> u64 {
    u64::from(item.days().days()).saturating_mul(item.users.len() as u64)
}

/// Adds what was read of a user to the writer.
fn add(
    writer: &mut Writer,
    progress: &mut Progress,
    failures: &mut Vec<Failure>,
    items: &[WorkItem],
    read: UserRows,
) -> Result<(), CohortError> {
    for item in items {
        progress.done += u64::from(item.days().days());
    }
    let mut failed = Vec::new();
    match read.rows {
        Ok(tables) => {
            for (item, table) in items.iter().zip(tables) {
                progress.rows += table.rows.len() as u64;
                let failure = item.failure(&read.user, &table);
                let quality = match (&failure, table.left_out_values) {
                    (None, _) => Quality::Complete,
                    (Some(_), 0) => Quality::Incomplete,
                    (Some(_), _) => Quality::LostValues,
                };
                let UserTable { rows, not_found, .. } = table;
                let rows = rows.with_key(USER, &read.user)?;
                writer.add(item.table, Response { user: read.user.clone(), days: item.days(), rows, quality, not_found });
                failed.extend(failure);
            }
        }
        Err(failures) => failed = failures,
    }
    for failure in failed {
        progress.failures += 1;
        failures.push(failure.clone());
        writer.add_failure(failure);
    }
    Ok(())
}

/// Runs file work on a thread for it. If the caller stops waiting, the work still ends.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, CohortError> + Send + 'static) -> Result<T, CohortError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(Error::internal("the thread that writes the dataset has ended").into()),
    }
}
