//! Syncs, one after the other.

use serde_json::{Map, Value, json};
use vitalwire::range::DateRange;
use vitalwire::value::Date;
use vitalwire::{Client, Error, webhook};
use vitalwire_sync::{Change, RecordKind, SyncCall, SyncClient as _, SyncError, SyncEvent, SyncKey, SyncPart, SyncStream};

use super::arguments::CaseError;
use super::failure::CallFailure;
use super::mode::Mode;
use super::options::options;
use crate::case::{self, SyncState};

/// The outcomes of syncs, and their texts.
#[derive(Debug, Default)]
pub struct Syncs {
    /// The outcomes as canonical JSON.
    pub outcomes: Vec<Value>,
    /// All texts that might contain private data.
    pub texts: Vec<String>,
    /// The errors of calls. Their texts are searched for canaries, too.
    pub errors: Vec<Error>,
    /// States of the last part, before and after its changes.
    states: Option<(Vec<u8>, Vec<u8>)>,
}

/// Runs syncs. `clients` returns the client of a base path.
///
/// # Errors
/// If a case names an unknown kind, a day that is not a date, or a state that does not exist.
pub async fn syncs(
    clients: impl Fn(Option<&str>) -> Result<Client, CaseError>,
    cases: &[case::Sync],
    mode: Mode,
) -> Result<Syncs, CaseError> {
    let mut syncs = Syncs::default();
    for case in cases {
        let client = clients(case.base_path.as_deref())?;
        let mut outcome = json!({ "parts": [] });
        match syncs.start(&client, case)? {
            Ok(Some(mut stream)) => syncs.read(&mut stream, case, mode, &mut outcome).await,
            Ok(None) => {}
            Err(error) => syncs.fail(error, &mut outcome),
        }
        syncs.outcomes.push(outcome);
    }
    Ok(syncs)
}

impl Syncs {
    /// Starts a sync. Returns no stream if the sync only records events.
    fn start(&mut self, client: &Client, case: &case::Sync) -> Result<Result<Option<SyncStream>, SyncError>, CaseError> {
        let key = match SyncKey::new(case.secret.as_bytes(), &case.user) {
            Ok(key) => key,
            Err(error) => return Ok(Err(error.into())),
        };
        let mut call = client.sync(kinds(&case.kinds)?, key).state_or_first(self.state(case.state)?).options(options(&case.options));
        if let Some(first) = &case.first {
            call = call.from(date(first)?);
        }
        if let Some(days) = case.look_back {
            call = call.look_back(days);
        }
        if let Some(checks_account) = case.check_account {
            call = call.check_account(checks_account);
        }
        if let Some(account) = &case.expect_account {
            call = call.expect_account(account);
        }
        for event in &case.events {
            call = call.event(sync_event(event)?);
        }
        self.texts.extend([format!("{call:?}"), format!("{client:?}")]);
        Ok(if case.record_events { self.record(call).map(|()| None) } else { call.start().map(Some) })
    }

    /// Stores the state with the events.
    fn record(&mut self, call: SyncCall) -> Result<(), SyncError> {
        let state = call.record_events()?;
        self.states = Some((state.clone(), state));
        Ok(())
    }

    fn state(&self, state: SyncState) -> Result<Option<Vec<u8>>, CaseError> {
        let Some((before, last)) = &self.states else {
            let needs_none = matches!(state, SyncState::Last | SyncState::None);
            return if needs_none { Ok(None) } else { Err(CaseError::new("no earlier sync has a state")) };
        };
        let changed = |at: usize, change: fn(u8) -> u8| {
            let mut bytes = last.clone();
            if let Some(byte) = bytes.get_mut(at) {
                *byte = change(*byte);
            }
            bytes
        };
        Ok(match state {
            SyncState::Last => Some(last.clone()),
            SyncState::None => None,
            SyncState::Before => Some(before.clone()),
            SyncState::Damaged => Some(changed(last.len().saturating_sub(1), |byte| byte ^ 1)),
            SyncState::NewerVersion => Some(changed(6, |byte| byte.wrapping_add(1))),
        })
    }

    /// Reads the parts, and adds them to the outcome. Parts after a failed one are read, too.
    async fn read(&mut self, stream: &mut SyncStream, case: &case::Sync, mode: Mode, outcome: &mut Value) {
        for _ in 0..case.max_parts.unwrap_or(u32::MAX) {
            let read = match mode {
                Mode::Async => Ok(stream.next().await),
                Mode::Blocking => stream.next_blocking(),
            };
            match read {
                Ok(Some(Ok(part))) => {
                    let added = self.part(&part, &case.columns);
                    if let Some(parts) = outcome["parts"].as_array_mut() {
                        parts.push(added);
                    }
                    self.states = Some((part.state_before().to_vec(), part.state().to_vec()));
                }
                Ok(Some(Err(error))) => self.fail(error, outcome),
                Ok(None) => return,
                Err(error) => return self.fail(error.into(), outcome),
            }
        }
    }

    /// Sets the error of an outcome.
    fn fail(&mut self, error: SyncError, outcome: &mut Value) {
        self.texts.extend([format!("{error}"), format!("{error:?}")]);
        match error {
            SyncError::State(reason) => outcome["state_error"] = reason.as_str().into(),
            SyncError::Client(error) => {
                let failure = CallFailure::from(error);
                outcome["error"] = failure.canonical();
                self.errors.push(failure.error);
            }
            _ => outcome["error"] = "unknown".into(),
        }
    }

    fn part(&mut self, part: &SyncPart, columns: &[String]) -> Value {
        let (days, progress) = (part.days(), part.progress());
        self.texts.push(format!("{part:?}"));
        self.texts.extend(part.changes().iter().map(|change| format!("{change:?}")));
        json!({
            "days": [days.first().to_string(), days.last().to_string()],
            "kinds": part.kinds().map(RecordKind::as_str).collect::<Vec<_>>(),
            "progress": [progress.done_days, progress.total_days],
            "left_out": part.left_out(),
            "changes": part.changes().iter().map(|change| canonical_change(part, change, columns)).collect::<Vec<_>>(),
        })
    }
}

fn canonical_change(part: &SyncPart, change: &Change, columns: &[String]) -> Value {
    let mut object = Map::new();
    object.insert("type".to_owned(), change.change_type.as_str().into());
    object.insert("kind".to_owned(), change.kind.as_str().into());
    let optional = [
        ("id", change.id.clone()),
        ("day", change.day.map(|day| day.to_string())),
        ("before", change.before.map(|key| key.to_string())),
        ("after", change.after.map(|key| key.to_string())),
    ];
    object.extend(optional.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
    if !columns.is_empty() {
        let mut rows = part.json_rows(change);
        rows.iter_mut().for_each(|row| row.retain(|name, _| columns.contains(name)));
        object.insert("rows".to_owned(), json!(rows));
    }
    object.into()
}

fn sync_event(event: &case::SyncEvent) -> Result<SyncEvent, CaseError> {
    match event {
        case::SyncEvent::Days { kinds: names, first, last } => {
            let days = DateRange::new(date(first)?, date(last)?).map_err(|error| CaseError::new(error.to_string()))?;
            Ok(SyncEvent::new(kinds(names)?, days))
        }
        case::SyncEvent::Webhook { earliest_record_start_at, latest_record_end_at, application_user_id } => {
            let body = json!([{
                "event_type": "record_change",
                "earliest_record_start_at": earliest_record_start_at,
                "latest_record_end_at": latest_record_end_at,
                "application_user_id": application_user_id,
            }]);
            let events = webhook::parse_events(body.to_string().as_bytes()).map_err(|error| CaseError::new(error.to_string()))?;
            events.first().and_then(SyncEvent::from_webhook).ok_or_else(|| CaseError::new("the webhook has no time"))
        }
    }
}

fn kinds(names: &[String]) -> Result<Vec<RecordKind>, CaseError> {
    names.iter().map(|name| name.parse().map_err(|_| CaseError::new("unknown kind"))).collect()
}

fn date(text: &str) -> Result<Date, CaseError> {
    text.parse().map_err(|_| CaseError::new("a day of a sync must be a date"))
}
