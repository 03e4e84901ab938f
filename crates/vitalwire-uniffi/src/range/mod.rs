//! Range calls. The core erases the types of operations, so that one set of objects serves every operation.

mod merged;
mod nights;
mod part;
mod part_task;
mod parts;
mod token;

use std::fmt;
use std::sync::Arc;

use vitalwire::range::{AnyRange, OnError, PartLength, Progress, RangeCollect, RangeOperation, RangeSettings};
use vitalwire::table::TableId;
use vitalwire::{Client, Error};

pub use merged::{MergedPart, NativeMerged};
pub use nights::{Night, NightPart, SleepsBetweenParams};
pub use part::{RangeBounds, RangeFailure, RangePart, RangeProgress};
pub use parts::{NativeParts, RangeReading};
pub use token::{ResumeTokenContents, parse_resume_token};

use crate::call::{CancelToken, Driver, catch_panics, catch_panics_async, provider_context};
use crate::client::NativeClient;
use crate::error::ApiError;
use crate::generated::{CallOptions, OperationResponse, SleepRecord};
use crate::table::TableColumns;

/// Length of the parts of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum RangePartLength {
    /// Days. In a range of instants, a day has 24 hours.
    Days {
        /// Number of days.
        count: u32,
    },
    /// Hours, for ranges of instants only.
    Hours {
        /// Number of hours.
        count: u32,
    },
}

impl From<RangePartLength> for PartLength {
    fn from(part_length: RangePartLength) -> Self {
        match part_length {
            RangePartLength::Days { count } => Self::Days(count),
            RangePartLength::Hours { count } => Self::Hours(count),
        }
    }
}

/// Options of a range call.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeOptions {
    /// Length of the parts. If absent, the whole range is requested at once.
    #[uniffi(default = None)]
    pub part_length: Option<RangePartLength>,
    /// Maximum number of parts in flight. Defaults to 4.
    #[uniffi(default = None)]
    pub concurrency: Option<u32>,
    /// Whether a failed part is returned with its error and all others are read. Defaults to false: the first error ends the call.
    #[uniffi(default = false)]
    pub collects_failures: bool,
    /// Text of the resume token of an earlier run of the same call. Only the parts in the token are requested.
    #[uniffi(default = None)]
    pub resume: Option<String>,
    /// Key that resume tokens are bound to, such as the caller's own id of the person.
    #[uniffi(default = None)]
    pub resume_key: Option<String>,
}

/// Omits the token and key from debug output.
impl fmt::Debug for RangeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RangeOptions(..)")
    }
}

impl RangeOptions {
    /// Converts the options to the core's settings. Each part runs in its own task, so that it proceeds while the reader pauses.
    fn settings(self, driver: Driver, cancel: Option<&CancelToken>) -> Result<RangeSettings, Error> {
        let defaults = RangeSettings::default();
        let resume = self.resume.map(|token| token.parse().map_err(|error: Error| error.with_argument("resume_token"))).transpose()?;
        Ok(RangeSettings {
            concurrency: self.concurrency.map_or(defaults.concurrency, |parts| usize::try_from(parts).unwrap_or(usize::MAX)),
            on_error: if self.collects_failures { OnError::Collect } else { OnError::Stop },
            resume,
            resume_key: self.resume_key,
            spawned: Some(Arc::new(part_task::wrapper(driver, provider_context(cancel)))),
        })
    }
}

/// Response of a range call or a search, before it is converted for the ABI.
#[derive(Clone)]
pub(crate) enum RangeResponse {
    /// Response of an operation: to one part, or merged.
    Operation(OperationResponse),
    /// A night of a search.
    Night(Box<SleepRecord>),
    /// All nights of a search.
    Nights(Vec<Night>),
    /// A table of all parts.
    Table(TableColumns),
}

/// A range call or a search. Requests are sent when its parts are read, and again for each reading.
#[derive(uniffi::Object)]
pub struct NativeRange {
    client: Client,
    range: AnyRange<RangeResponse>,
    /// Table to collect. If absent, the responses are merged.
    table: Option<TableId>,
}

impl NativeRange {
    /// Creates a range call. Fails if the call cannot be made in parts.
    fn new(client: &Client, range: AnyRange<RangeResponse>) -> Result<Arc<Self>, ApiError> {
        drop(range.parts(client.engine())?);
        Ok(Arc::new(Self { client: client.clone(), range, table: None }))
    }

    fn start_collect(&self) -> RangeCollect<RangeResponse> {
        match self.table {
            Some(table) => self.range.table(self.client.engine(), table.spec(), |table| RangeResponse::Table(TableColumns::from(&*table))),
            None => self.range.collect(self.client.engine()),
        }
    }
}

/// Callback for the progress of a range call, implemented by the application. It runs on the thread that runs the range call and must
/// return quickly.
#[uniffi::export(foreign)]
pub trait RangeObserver: Send + Sync {
    /// Called after each part.
    fn progressed(&self, progress: RangeProgress) -> Result<(), ApiError>;
}

/// Result of reading a whole range.
#[derive(Clone, uniffi::Record)]
pub struct RangeEnd {
    /// The merged range. After a failure, the merged range has the parts that were read.
    pub merged: Option<Arc<NativeMerged>>,
    /// The failure, if the range call ended early.
    pub failure: Option<RangeFailure>,
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeRange {
    /// Returns a reader of the parts.
    pub fn parts(&self) -> Result<Arc<NativeParts>, ApiError> {
        catch_panics(|| Ok(Arc::new(NativeParts::new(self.range.parts(self.client.engine())?, self.range.on_error()))))
    }

    /// Returns the range with this table as its merged result.
    ///
    /// With `missing_rows`, the table has a row for each day without rows. Ranges whose parts are not days reject it.
    pub fn table(&self, table: &str, missing_rows: bool) -> Result<Arc<Self>, ApiError> {
        catch_panics(|| {
            let table = Some(table.parse().map_err(Error::from)?);
            let range = if missing_rows { self.range.with_missing_rows() } else { Some(self.range.clone()) };
            let range =
                range.ok_or_else(|| Error::invalid_argument("missing_rows", "must be false for a range whose parts are not days"))?;
            Ok(Arc::new(Self { client: self.client.clone(), range, table }))
        })
    }

    /// Reads all parts and merges the responses.
    pub async fn collect(&self, observer: Option<Arc<dyn RangeObserver>>) -> Result<RangeEnd, ApiError> {
        catch_panics_async(async {
            let observe = |progress: Progress| {
                // Ignored: Kotlin cancels the call itself if a callback throws, and Swift callbacks cannot throw.
                let _ = observer.as_ref().map(|observer| observer.progressed(progress.into()));
            };
            Ok(match self.start_collect().collect(observe).await {
                Ok(merged) => RangeEnd { merged: Some(Arc::new(merged.into())), failure: None },
                Err(error) => {
                    let failure = Some(RangeFailure::new(error.error(), error.resume_token()));
                    RangeEnd { merged: error.into_parts().0.map(|merged| Arc::new(merged.into())), failure }
                }
            })
        })
        .await
    }
}

/// Creates a range call of an operation. Fails if the call cannot be made in parts. The token cancels all parts.
pub(crate) fn range<O>(
    client: &NativeClient,
    parameters: impl FnOnce() -> Result<O, ApiError>,
    range: RangeOptions,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    convert: impl Fn(O::Output) -> OperationResponse + Send + Sync + 'static,
) -> Result<Arc<NativeRange>, ApiError>
where
    O: RangeOperation<Output: Clone + Sync>,
{
    catch_panics(|| {
        let core = client.core();
        let part_length = range.part_length.map(PartLength::from);
        let settings = range.settings(client.driver(), cancel.as_deref())?;
        let call = core.call(parameters()?).options(options.into_core(cancel.as_deref()));
        let range = call.split(part_length).with_settings(settings);
        let range = range.erased(move |value, _| RangeResponse::Operation(convert(Arc::unwrap_or_clone(value))));
        NativeRange::new(core, range)
    })
}
