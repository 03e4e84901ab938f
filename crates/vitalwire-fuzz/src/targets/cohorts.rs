//! Targets for plans, states and files of users, which may come from untrusted storage.

use std::fs;
use std::sync::LazyLock;

use tempfile::TempDir;
use vitalwire::range::DateRange;
use vitalwire::value::Date;
use vitalwire::{Client, ErrorKind};
use vitalwire_cohort::internal::read_state_file;
use vitalwire_cohort::{CohortTable, Plan, RateLimits, Selection, SyncStates, UserCredentials};
use vitalwire_sync::internal::seal;
use vitalwire_sync::{RecordKind, SyncClient as _, SyncError, SyncKey, generation};

use super::memory_folder;
use crate::oracle::memory;
use crate::oracle::text::check_text;

/// Parses arbitrary text as a plan. The text must be rejected, or round-trip to an equal plan.
pub fn plans(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Plan::from_json(text) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            check_text(&error.to_string(), text.len());
        }
        Ok(plan) => {
            let written = plan.to_json().expect("the JSON of a plan");
            assert!(Plan::from_json(&written).expect("a plan that was written") == plan, "a plan changes when it is written and read");
            let users = plan.users().len();
            let divided: usize = plan.divide(3, RateLimits::new()).iter().map(|part| part.users().len()).sum();
            assert_eq!(divided, users);
            assert!(plan.items().is_empty() || plan.requests() > 0);
            assert!(plan.only_days(None, None).items().len() <= plan.items().len());
        }
    }
}

/// Parses arbitrary text as states, and plans with them.
pub fn states(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match SyncStates::from_json(text) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            check_text(&error.to_string(), text.len());
        }
        Ok(states) => {
            let written = states.to_json().expect("the JSON of states");
            assert!(SyncStates::from_json(&written).expect("written states") == states, "states change when they are written and read");
            let [first, last] = ["2025-01-01", "2025-03-31"].map(|day| day.parse::<Date>().unwrap_or_default());
            let selection = Selection::new(["anna"], CohortTable::ALL, DateRange::from((first, last))).expect("a selection");
            let plan = Plan::due(&selection, &states, None);
            assert!(plan.items().iter().all(|item| item.first <= item.last), "an item ends before its first day");
        }
    }
}

/// Reads arbitrary bytes as the state of a sync, also with a valid authentication code, and as a state file of many users.
pub fn sync_states(input: &[u8]) {
    check_sync_state(input);
    check_sync_state(&seal(&sync_key(), input.to_vec()));
    let (state, written) = read_state_file(input).expect("a content");
    check_sync_state(&state);
    let again = read_state_file(&written).expect("a content");
    assert!(again == (state, written), "a state file changes when it is written and read");
}

fn sync_key() -> SyncKey {
    SyncKey::new(b"a secret of the fuzz target", "user-7").expect("a key")
}

/// Checks that a state is rejected, or is written as a state with the same plan.
fn check_sync_state(state: &[u8]) {
    static CLIENT: LazyLock<Client> =
        LazyLock::new(|| Client::builder().base_url("http://127.0.0.1:9").token("a-token").build().expect("a client"));

    let call = |state: &[u8]| CLIENT.sync(RecordKind::ALL, sync_key()).service_name("fuzz").state(state);
    match memory::check_memory(state, |state| call(state).record_events()) {
        Err(SyncError::State(error)) => check_text(&error.to_string(), 0),
        Err(error) => panic!("{error}"),
        Ok(written) => {
            assert_eq!(generation(&written), generation(state).map(|number| number + 1));
            // Days that a run has planned are part of its state.
            let plan = |state: &[u8]| match call(state).plan() {
                Ok(plan) => Some(plan),
                // The copy of an arbitrary state can begin in the future.
                Err(SyncError::Client(error)) if error.argument() == Some("from") => None,
                Err(error) => panic!("{error}"),
            };
            assert!(plan(state) == plan(&written), "the plan changes when a state is written and read");
        }
    }
}

/// Parses arbitrary bytes as a users file. The error must not quote the file.
pub fn users(input: &[u8]) {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(memory_folder);

    let path = FOLDER.path().join(format!("{:?}.csv", std::thread::current().id()));
    fs::write(&path, input).expect("a file");
    match UserCredentials::from_file(&path) {
        Err(error) => check_text(&error.to_string().replace(&path.display().to_string(), ""), input.len()),
        Ok(users) => {
            assert!(!users.is_empty() && users.ids().all(|id| !id.is_empty() && users.credential(id).is_some()));
            let shown = format!("{users:?}");
            assert!(users.ids().filter(|id| id.len() > 8).all(|id| !shown.contains(id)), "users are shown");
        }
    }
}
