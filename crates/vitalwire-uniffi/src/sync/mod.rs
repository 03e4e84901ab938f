//! Syncs of one user: changes since the last one.

mod event;
mod part;
mod plan;

use std::fmt;
use std::mem;
use std::sync::Arc;

use tokio::sync::Mutex;
use vitalwire::{Error, ErrorKind};
use vitalwire_sync::{SyncCall, SyncClient as _, SyncError, SyncKey, SyncStream};

pub use event::SyncEvent;
pub use part::{ChangeType, SyncChange, SyncPart, SyncTables};
pub use plan::{DayRange, PlannedDays, SyncPlan};

use crate::call::{CancelToken, Driver, catch_panics, catch_panics_async, provider_context, run_in_context};
use crate::client::NativeClient;
use crate::error::ApiError;
use crate::generated::{CallOptions, RecordKind};
use crate::value::CalendarDate;

/// Parameters of a sync.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SyncParams {
    /// The kinds of records.
    pub kinds: Vec<RecordKind>,
    /// Secret of the digests in states.
    pub secret: Vec<u8>,
    /// The caller's own id of the user.
    pub user: String,
    /// State of the last sync; absent for a first sync.
    pub state: Option<Vec<u8>>,
    /// First day of the copy. Defaults to that of the last sync, and to 365 days ago for the first one.
    pub first: Option<CalendarDate>,
    /// Number of days to request again. Defaults to 7.
    pub look_back: Option<u32>,
    /// Events whose days to request.
    pub events: Vec<SyncEvent>,
    /// Whether to request the user's information first.
    pub check_account: bool,
    /// Id of the user at the service, to which the token must belong.
    pub expect_account: Option<String>,
    /// Name of the service in states. Defaults to the base URL.
    pub service_name: Option<String>,
}

/// Omits the secret, the user and the state from debug output.
impl fmt::Debug for SyncParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SyncParams(..)")
    }
}

impl From<SyncError> for ApiError {
    fn from(core: SyncError) -> Self {
        match core {
            SyncError::State(error) => error.into(),
            SyncError::Client(error) => error.into(),
            _ => Self::from_kind(ErrorKind::Internal),
        }
    }
}

/// A sync of one user. Its parts are read once, by one caller at a time. Dropping the last reference cancels it.
#[derive(uniffi::Object)]
pub struct NativeSync {
    call: SyncCall,
    driver: Driver,
    cancel: Option<Arc<CancelToken>>,
    run: Mutex<Run>,
}

/// Progress of a sync.
enum Run {
    /// Nothing was requested yet.
    New(Box<SyncCall>),
    Open(SyncStream),
    /// The sync could not start.
    Ended,
    /// A reading was dropped, and its part was lost.
    Aborted,
}

impl Run {
    /// Reads the next part.
    async fn next(self) -> (Result<Option<vitalwire_sync::SyncPart>, SyncError>, Self) {
        let mut parts = match self {
            Self::New(call) => match call.start() {
                Ok(parts) => parts,
                Err(error) => return (Err(error), Self::Ended),
            },
            Self::Open(parts) => parts,
            Self::Ended => return (Ok(None), Self::Ended),
            Self::Aborted => return (Err(Error::new(ErrorKind::Cancelled).into()), Self::Aborted),
        };
        (parts.next().await.transpose(), Self::Open(parts))
    }
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeSync {
    /// Reads the next part; absent after the last one.
    pub async fn next(&self) -> Result<Option<SyncPart>, ApiError> {
        catch_panics_async(async {
            let reading = self.run.try_lock();
            let mut run = reading.map_err(|_| Error::configuration("another read of this sync is in progress; wait until it has ended"))?;
            // The first poll runs on the caller's thread, which has the context.
            let context = provider_context(self.cancel.as_deref());
            let current = mem::replace(&mut *run, Run::Aborted);
            let work = run_in_context(context, async move { Ok(current.next().await) });
            let (part, next) = self.driver.drive(work).await?;
            *run = next;
            Ok(part?.map(Into::into))
        })
        .await
    }

    /// Returns what the sync would request, without a request.
    pub fn plan(&self) -> Result<SyncPlan, ApiError> {
        catch_panics(|| Ok(self.call.clone().plan()?.into()))
    }

    /// Returns the state with the events, without a request.
    pub fn record_events(&self) -> Result<Vec<u8>, ApiError> {
        catch_panics(|| Ok(self.call.clone().record_events()?))
    }
}

#[uniffi::export]
impl NativeClient {
    /// Creates a sync. The token cancels all calls.
    pub fn sync(&self, params: SyncParams, options: CallOptions, cancel: Option<Arc<CancelToken>>) -> Result<Arc<NativeSync>, ApiError> {
        catch_panics(|| {
            let key = SyncKey::new(&params.secret, params.user)?;
            let kinds = params.kinds.into_iter().map(Into::into);
            let mut call = self.core().sync(kinds, key).state_or_first(params.state).check_account(params.check_account);
            call = call.options(options.into_core(cancel.as_deref()));
            if let Some(first) = params.first {
                call = call.from(first.into_core("from")?);
            }
            if let Some(days) = params.look_back {
                call = call.look_back(days);
            }
            if let Some(id) = params.expect_account {
                call = call.expect_account(id);
            }
            if let Some(name) = params.service_name {
                call = call.service_name(name);
            }
            for event in params.events {
                call = call.event(event.try_into()?);
            }
            let run = Mutex::new(Run::New(Box::new(call.clone())));
            Ok(Arc::new(NativeSync { call, driver: self.driver(), cancel, run }))
        })
    }
}

/// Returns the number of a state, which every later state of a copy raises.
///
/// # Errors
/// If the state is damaged, or has the layout of another version.
#[uniffi::export]
pub fn state_generation(state: Vec<u8>) -> Result<u64, ApiError> {
    catch_panics(|| Ok(vitalwire_sync::generation(&state)?))
}
