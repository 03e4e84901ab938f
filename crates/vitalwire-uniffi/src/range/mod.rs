//! Ranges that are requested in parts. The core erases the types of operations: one set of objects serves every operation.

mod aside;
mod merged;
mod nights;
mod part;
mod reading;
mod token;

use std::fmt;
use std::sync::Arc;

use vitalwire::range::{AnyRange, OnError, PartLength, Progress, RangeOperation, RangeSettings};
use vitalwire::{Client, Error};

pub use merged::{MergedPart, NativeMerged};
pub use nights::{Night, NightPart, SleepsBetweenParams};
pub use part::{RangeBounds, RangeFailure, RangePart, RangeProgress};
pub use reading::{NativeParts, RangeReading};
pub use token::{ResumeTokenFacts, resume_token_facts};

use crate::call::{CancelToken, Driver, guarded, guarded_call, provider_context};
use crate::client::NativeClient;
use crate::error::ApiError;
use crate::generated::{CallOptions, RangeAnswer, SleepRecord};

/// The length of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum RangePartLength {
    /// Days: calendar days in a range of dates, 24 hours each in a range of instants.
    Days {
        /// How many.
        count: u32,
    },
    /// Hours; for ranges of instants only.
    Hours {
        /// How many.
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

/// Options of a range.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeOptions {
    /// The length of a part; absent, one call requests the whole range.
    #[uniffi(default = None)]
    pub part_length: Option<RangePartLength>,
    /// Maximum number of parts that are requested at once. Defaults to 4.
    #[uniffi(default = None)]
    pub concurrency: Option<u32>,
    /// Whether a part that fails is returned with its error instead of ending the range.
    #[uniffi(default = false)]
    pub collects_failures: bool,
    /// The text of a resume token: only what an earlier run of the same call left is requested.
    #[uniffi(default = None)]
    pub resume: Option<String>,
    /// A key of the caller, such as their own id of the person, that resume tokens are bound to.
    #[uniffi(default = None)]
    pub resume_key: Option<String>,
}

/// Shows neither token nor key.
impl fmt::Debug for RangeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RangeOptions(..)")
    }
}

impl RangeOptions {
    /// Returns the core's settings. Each part is a task: a reader may take any time between two parts, and timeouts go on.
    fn settings(self, driver: Driver, cancel: Option<&CancelToken>) -> Result<RangeSettings, Error> {
        let defaults = RangeSettings::default();
        let resume = self.resume.map(|token| token.parse().map_err(|error: Error| error.of_argument("resume_token"))).transpose()?;
        Ok(RangeSettings {
            concurrency: self.concurrency.map_or(defaults.concurrency, |parts| usize::try_from(parts).unwrap_or(usize::MAX)),
            on_error: if self.collects_failures { OnError::Collect } else { OnError::Stop },
            resume,
            resume_key: self.resume_key,
            spawned: Some(Arc::new(aside::task(driver, provider_context(cancel)))),
        })
    }
}

/// The response of a range, before it crosses.
#[derive(Clone)]
pub(crate) enum Answered {
    /// The response of an operation to a part, or to all of them.
    Operation(RangeAnswer),
    /// A sleep that was found.
    Night(Box<SleepRecord>),
    /// Every sleep that was found.
    Nights(Vec<Night>),
}

/// A call over a range. Nothing is requested before its parts are read, and each reading requests the range again.
#[derive(uniffi::Object)]
pub struct NativeRange {
    client: Client,
    range: AnyRange<Answered>,
}

impl NativeRange {
    /// Rejects what cannot be requested in parts.
    fn begun(client: &Client, range: AnyRange<Answered>) -> Result<Arc<Self>, ApiError> {
        drop(range.parts(client.engine())?);
        Ok(Arc::new(Self { client: client.clone(), range }))
    }
}

/// Receives the progress of a range; implemented by the application. It is called on the thread that runs the range, and returns at once.
#[uniffi::export(foreign)]
pub trait RangeObserver: Send + Sync {
    /// Called after each part.
    fn progressed(&self, progress: RangeProgress) -> Result<(), ApiError>;
}

/// The end of a range that is collected.
#[derive(Clone, uniffi::Record)]
pub struct RangeEnd {
    /// The merged range; if the range ended early, the parts before.
    pub merged: Option<Arc<NativeMerged>>,
    /// The error, if the range ended early.
    pub failure: Option<RangeFailure>,
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeRange {
    /// The parts, to be read one by one.
    pub fn parts(&self) -> Result<Arc<NativeParts>, ApiError> {
        guarded(|| Ok(Arc::new(NativeParts::of(self.range.parts(self.client.engine())?, self.range.on_error()))))
    }

    /// Reads every part and merges the responses.
    pub async fn collect(&self, observer: Option<Arc<dyn RangeObserver>>) -> Result<RangeEnd, ApiError> {
        guarded_call(async {
            let observe = |progress: Progress| {
                // An observer that fails ends nothing.
                let _ = observer.as_ref().map(|observer| observer.progressed(progress.into()));
            };
            Ok(match self.range.collect(self.client.engine()).collect(observe).await {
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

/// Makes a call of an operation in parts. What cannot be requested in parts is rejected here. The token cancels every part.
pub(crate) fn range<O>(
    client: &NativeClient,
    parameters: impl FnOnce() -> Result<O, ApiError>,
    range: RangeOptions,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    answer: impl Fn(O::Output) -> RangeAnswer + Send + Sync + 'static,
) -> Result<Arc<NativeRange>, ApiError>
where
    O: RangeOperation<Output: Clone + Sync>,
{
    guarded(|| {
        let core = client.core();
        let part_length = range.part_length.map(PartLength::from);
        let settings = range.settings(client.driver(), cancel.as_deref())?;
        let call = core.call(parameters()?).options(options.into_core(cancel.as_deref()));
        let range = call.split(part_length).with_settings(settings);
        let range = range.erased(move |value, _| Answered::Operation(answer(Arc::unwrap_or_clone(value))));
        NativeRange::begun(core, range)
    })
}
