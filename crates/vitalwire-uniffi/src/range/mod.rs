//! Long ranges, requested in parts. Types of operations are put away by the core: one set of objects serves every operation.

mod aside;
mod merged;
mod nights;
mod part;
mod reading;
mod token;

use std::fmt;
use std::sync::Arc;

use vitalwire::range::{AnyRange, Gathering, OnError, PartLength, RangeOperation, ResumeToken, Step};
use vitalwire::{Client, Error};

pub use merged::{MergedPart, NativeMerged};
pub use nights::{Night, NightPart, SleepsBetweenParams};
pub use part::{RangeBounds, RangeFailure, RangePart, RangeProgress};
pub use reading::{NativeParts, RangeReading};
pub use token::{ResumeTokenFacts, resume_token_facts};

use crate::call::{CancelToken, guarded, guarded_call, provider_context};
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
    fn concurrency(&self) -> Option<usize> {
        self.concurrency.map(|parts| usize::try_from(parts).unwrap_or(usize::MAX))
    }

    fn resume_token(&self) -> Result<Option<ResumeToken>, Error> {
        self.resume.as_ref().map(|token| token.parse().map_err(|error: Error| error.of_argument("resume_token"))).transpose()
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
        guarded_call(async { Ok(gathered(self.range.collect(self.client.engine()), observer).await) }).await
    }
}

/// Reads a range to its end.
async fn gathered(mut range: Gathering<Answered>, observer: Option<Arc<dyn RangeObserver>>) -> RangeEnd {
    loop {
        match range.step().await {
            Ok(Step::Progress(progress)) => {
                if let Some(observer) = &observer {
                    // An observer that fails ends nothing.
                    let _ = observer.progressed(progress.into());
                }
            }
            Ok(Step::Ended(merged)) => return RangeEnd { merged: Some(Arc::new(merged.into())), failure: None },
            Err(failure) => {
                let (error, left, so_far) = failure.into_parts();
                let failure = RangeFailure::of(&error, left.as_ref());
                return RangeEnd { merged: so_far.map(|merged| Arc::new(merged.into())), failure: Some(failure) };
            }
        }
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
        let on_error = if range.collects_failures { OnError::Collect } else { OnError::Stop };
        let core = client.core();
        let call = core.call(parameters()?).options(options.into_core(cancel.as_deref()));
        // A task of its own: whoever reads may take any time between two parts, and timeouts go on.
        let mut split = call
            .split(range.part_length.map(PartLength::from))
            .on_error(on_error)
            .spawned_within(aside::task(client.driver(), provider_context(cancel.as_deref())));
        if let Some(parts) = range.concurrency() {
            split = split.concurrency(parts);
        }
        if let Some(token) = range.resume_token()? {
            split = split.resume(&token);
        }
        if let Some(key) = range.resume_key {
            split = split.resume_key(key);
        }
        let range = split.erased(move |value, _| Answered::Operation(answer(Arc::unwrap_or_clone(value))));
        NativeRange::begun(core, range)
    })
}
