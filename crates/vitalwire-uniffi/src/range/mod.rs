//! Long ranges, requested in parts. Types of operations are put away by the core: one set of objects serves every operation.

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

/// How a range is requested.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeOptions {
    /// The length of a part; absent, one call requests the whole range.
    #[uniffi(default = None)]
    pub part_length: Option<RangePartLength>,
    /// How many parts may be requested at once; 4 by default.
    #[uniffi(default = None)]
    pub concurrency: Option<u32>,
    /// Whether a part that fails is handed out with its error; else its error ends the range.
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

/// What a range answers, before it crosses.
#[derive(Clone)]
pub(crate) enum Answered {
    /// An operation's answer to a part, or to all of them.
    Operation(RangeAnswer),
    /// A sleep that was found.
    Night(Box<SleepRecord>),
    /// Every sleep that was found.
    Nights(Vec<Night>),
}

/// A call over a range, of which nothing is requested before its parts are read. Each reading requests anew.
#[derive(uniffi::Object)]
pub struct NativeRange {
    client: Client,
    range: AnyRange<Answered>,
}

impl NativeRange {
    /// What cannot be requested in parts is refused here.
    fn begun(client: &Client, range: AnyRange<Answered>) -> Result<Arc<Self>, ApiError> {
        drop(range.parts(client.engine())?);
        Ok(Arc::new(Self { client: client.clone(), range }))
    }
}

/// Is told how far a range is; implemented by the application. It is called by the thread that drives the range: it returns at once.
#[uniffi::export(foreign)]
pub trait RangeObserver: Send + Sync {
    /// Called after each part.
    fn progressed(&self, progress: RangeProgress) -> Result<(), ApiError>;
}

/// What comes of a range that is read to its end in one go.
#[derive(Clone, uniffi::Record)]
pub struct RangeEnd {
    /// The parts as one, also of a range that ended early after some parts.
    pub merged: Option<Arc<NativeMerged>>,
    /// Why it ended early, where it did.
    pub failure: Option<RangeFailure>,
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeRange {
    /// The parts, to be read one by one.
    pub fn parts(&self) -> Result<Arc<NativeParts>, ApiError> {
        guarded(|| Ok(Arc::new(NativeParts::of(self.range.parts(self.client.engine())?, self.range.on_error()))))
    }

    /// Reads every part and merges the answers.
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

/// A call of an operation as a range. What cannot be requested in parts is refused here. The token ends every part.
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
