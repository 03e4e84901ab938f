//! A copy of a user's days and sleeps in an SQLite database: `cargo run --example sqlite_copy`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both. `SYNC_SECRET` has at least 16 random characters.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::fs::DirBuilder;
#[cfg(unix)]
use std::os::unix::fs::DirBuilderExt as _;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use vitalwire::error::BoxError;
use vitalwire::prelude::*;
use vitalwire_sync::{Change, ChangeType, RecordKind, SyncClient as _, SyncKey, SyncPart};

const USER: &str = "user-7"; // Your own id of the user.

/// Opens the copy in a folder that only its owner can read.
fn open() -> Result<Connection, BoxError> {
    let mut folder = DirBuilder::new();
    #[cfg(unix)]
    folder.mode(0o700);
    folder.recursive(true).create("copy")?;
    let store = Connection::open("copy/copy.sqlite")?;
    store.execute_batch(
        "CREATE TABLE IF NOT EXISTS records (
            user TEXT, kind TEXT, id TEXT, day TEXT, rows TEXT,
            PRIMARY KEY (user, kind, id));
        CREATE TABLE IF NOT EXISTS states (user TEXT PRIMARY KEY, state BLOB);",
    )?;
    Ok(store)
}

fn read_state(store: &Connection) -> rusqlite::Result<Option<Vec<u8>>> {
    store.query_row("SELECT state FROM states WHERE user = ?", [USER], |row| row.get(0)).optional()
}

fn apply(store: &Connection, part: &SyncPart, change: &Change) -> Result<(), BoxError> {
    let (kind, day) = (change.kind.to_string(), change.day.map(|day| day.to_string()));
    match change.change_type {
        ChangeType::Added | ChangeType::Changed => {
            let rows = serde_json::to_string(&part.json_rows(change))?;
            store.execute("REPLACE INTO records VALUES (?, ?, ?, ?, ?)", params![USER, kind, change.id, day, rows])?
        }
        ChangeType::Removed => {
            store.execute("DELETE FROM records WHERE user = ? AND kind = ? AND id = ?", params![USER, kind, change.id])?
        }
        // Records of this day that still exist follow.
        ChangeType::DayRemoved => store.execute("DELETE FROM records WHERE user = ? AND kind = ? AND day = ?", params![USER, kind, day])?,
        other => return Err(format!("this program is too old for a change of type {}", other.as_str()).into()),
    };
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BoxError> {
    let client = Client::from_env()?;
    let key = SyncKey::new(std::env::var("SYNC_SECRET")?.as_bytes(), USER)?;
    let mut store = open()?;
    let mut state = read_state(&store)?;
    let call = client.sync([RecordKind::Daily, RecordKind::Sleeps], key).state_or_first(state.clone());
    let mut parts = call.from("2026-01-01".parse()?).start()?;
    while let Some(part) = parts.next().await {
        // If parts fail, the last error comes after all other parts. The next run requests the missing days.
        let part = part?;
        // Changes and state are stored together or not at all.
        let transaction = store.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if read_state(&transaction)? != state {
            return Err("another sync of this user has stored its state".into());
        }
        for change in part.changes() {
            apply(&transaction, &part, change)?;
        }
        transaction.execute("REPLACE INTO states VALUES (?, ?)", params![USER, part.state()])?;
        transaction.commit()?;
        state = Some(part.state().to_vec());
        let progress = part.progress();
        println!("{} of {} days, {} changes", progress.done_days, progress.total_days, part.changes().len());
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}
