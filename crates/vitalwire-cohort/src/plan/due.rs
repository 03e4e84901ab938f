//! Planning: the work items that are due.

use std::collections::BTreeMap;

use vitalwire::range::DateRange;
use vitalwire::value::Timestamp;

use super::selection::Selection;
use super::{Plan, WorkItem};
use crate::CohortTable;
use crate::DaySet;
use crate::SyncState;
use crate::states::SyncStates;

impl Plan {
    /// Plans what is due: days without a successful request, the last requested days again, and lost or refreshed days.
    ///
    /// `states` are those of earlier runs, and empty for a first run. Days that are not over at the service's time are left out, because
    /// they would be incomplete; `None` includes all days. Users for whom the same days are due share items.
    #[must_use]
    pub fn due(selection: &Selection, states: &SyncStates, service_time: Option<Timestamp>) -> Self {
        let mut items = Vec::new();
        for users in selection.users.chunks(selection.users_per_item) {
            for tables in selection.request_groups() {
                let mut groups: BTreeMap<Vec<String>, (Vec<DaySet>, Vec<String>)> = BTreeMap::new();
                for user in users {
                    let due: Vec<DaySet> = tables.iter().map(|table| selection.due(user, *table, states, service_time)).collect();
                    let key = due.iter().map(ToString::to_string).collect();
                    groups.entry(key).or_insert_with(|| (due, Vec::new())).1.push(user.clone());
                }
                for (due, users) in groups.into_values() {
                    selection.add_items(&tables, &due, &users, &mut items);
                }
            }
        }
        Self { refresh_from: selection.refresh_from, ..Self::from(items) }
    }
}

impl Selection {
    /// Returns the tables, with those together that share requests.
    fn request_groups(&self) -> Vec<Vec<CohortTable>> {
        let mut groups: Vec<Vec<CohortTable>> = Vec::new();
        for table in &self.tables {
            match groups.iter_mut().find(|group| table.requests_sleeps() && group.iter().all(|other| other.requests_sleeps())) {
                Some(group) => group.push(*table),
                None => groups.push(vec![*table]),
            }
        }
        groups
    }

    /// Returns the due days of a user and a table.
    fn due(&self, user: &str, table: CohortTable, states: &SyncStates, service_time: Option<Timestamp>) -> DaySet {
        let first_run = SyncState::new();
        let complete = service_time.and_then(|time| table.last_complete_day(time));
        let last = complete.map_or(self.days.last(), |day| day.min(self.days.last()));
        let span = DateRange::from((self.days.first(), last));
        let state = states.get(user, table).unwrap_or(&first_run);
        // A sleep of the first of these days may be listed on the day before.
        let more = u32::from(table.requests_sleeps() && self.lookback_days > 0);
        let mut due = state.due(span, self.lookback_days.saturating_add(more));
        if self.refreshed_users.contains(user) {
            due.insert(span);
            due.insert_all(state.requested());
        }
        if let Some(day) = self.refresh_from {
            due.insert(DateRange::from((day.max(span.first()), span.last())));
        }
        due.remove_all(state.fresh());
        due
    }

    /// Adds the items of users for whom the same days are due.
    fn add_items(&self, tables: &[CohortTable], due: &[DaySet], users: &[String], items: &mut Vec<WorkItem>) {
        let mut parts: Vec<(DateRange, CohortTable)> = Vec::new();
        for (table, days) in tables.iter().zip(due) {
            let months = self.months_per_item.unwrap_or(table.months_per_item());
            parts.extend(days.ranges().flat_map(|days| table.split(days, months)).map(|days| (days, *table)));
        }
        // The same days of sleeps and their stages follow each other, so that they share requests.
        parts.sort_by_key(|(days, table)| (days.first(), days.last(), *table));
        items.extend(parts.into_iter().map(|(days, table)| WorkItem {
            table,
            users: users.to_vec(),
            first: days.first(),
            last: days.last(),
            statistics: self.statistics.iter().filter(|name| table.statistics().contains(&&***name)).cloned().collect(),
        }));
    }
}
