//! Search for sleeps by their days: daily statistics list the ids of the sleeps, and then each sleep is read.

use std::fmt;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::nights::Night as CoreNight;
use vitalwire::range::{AnyPart, DateRange};

use super::part::RangeFailure;
use super::{NativeRange, RangeOptions, RangeResponse};
use crate::call::{CancelToken, catch_panics};
use crate::client::NativeClient;
use crate::error::ApiError;
use crate::generated::{CallOptions, ProviderSlug, SleepRecord};
use crate::value::CalendarDate;

/// Parameters of a search for sleeps.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SleepsBetweenParams {
    /// First day, inclusive.
    pub first: CalendarDate,
    /// Last day, inclusive.
    pub last: CalendarDate,
    /// Whether to return the stages of each sleep.
    #[uniffi(default = None)]
    pub include_stages: Option<bool>,
    /// Whether to return the samples of each sleep.
    #[uniffi(default = None)]
    pub include_samples: Option<bool>,
    /// Only sleeps from these providers.
    #[uniffi(default = None)]
    pub providers: Option<Vec<ProviderSlug>>,
    /// Whether to leave out manual entries.
    #[uniffi(default = None)]
    pub exclude_manual: Option<bool>,
}

/// Omits the days from debug output.
impl fmt::Debug for SleepsBetweenParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SleepsBetweenParams(..)")
    }
}

/// A sleep with its days, as found by a search.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Night {
    /// The days that the sleep belongs to; empty if the statistics do not state the day.
    pub days: Vec<CalendarDate>,
    /// The sleep record.
    pub record: SleepRecord,
}

/// Omits the days and values from debug output.
impl fmt::Debug for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Night(..)")
    }
}

impl Night {
    pub(super) fn new(core: &CoreNight) -> Self {
        Self { days: dates(&core.days), record: SleepRecord::from((*core.response).clone()) }
    }
}

/// A result of a search: a sleep, or days that could not be read.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct NightPart {
    /// The days of the sleep, or the days that could not be read.
    pub days: Vec<CalendarDate>,
    /// The sleep record; absent if the days could not be read.
    pub record: Option<SleepRecord>,
    /// The failure; absent if there is a record.
    pub failure: Option<RangeFailure>,
}

/// Omits the days and values from debug output.
impl fmt::Debug for NightPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NightPart(..)")
    }
}

impl TryFrom<AnyPart<RangeResponse>> for NightPart {
    type Error = Error;

    fn try_from(part: AnyPart<RangeResponse>) -> Result<Self, Error> {
        let (record, failure) = match part.response {
            Ok(RangeResponse::Night(record)) => (Some(*record), None),
            Ok(_) => return Err(Error::internal("a part of a night search must be a night")),
            Err(failure) => (None, Some(failure.into())),
        };
        Ok(Self { days: dates(&part.days), record, failure })
    }
}

fn dates(core: &[vitalwire::value::Date]) -> Vec<CalendarDate> {
    core.iter().copied().map(Into::into).collect()
}

#[uniffi::export]
impl NativeClient {
    /// Creates a search for the sleeps of a range of days, including naps. A part is always one day. The token cancels all calls.
    pub fn sleeps_between(
        &self,
        params: SleepsBetweenParams,
        range_options: RangeOptions,
        options: CallOptions,
        cancel: Option<Arc<CancelToken>>,
    ) -> Result<Arc<NativeRange>, ApiError> {
        catch_panics(|| {
            let days = DateRange::new(params.first.into_core("first")?, params.last.into_core("last")?)?;
            let settings = range_options.settings(self.driver(), cancel.as_deref())?;
            let search = self.core().sleeps().between(days).options(options.into_core(cancel.as_deref()));
            let mut search = search.with_settings(settings);
            if let Some(include) = params.include_stages {
                search = search.include_stages(include);
            }
            if let Some(include) = params.include_samples {
                search = search.include_samples(include);
            }
            if let Some(providers) = params.providers {
                search = search.providers(providers);
            }
            if let Some(exclude) = params.exclude_manual {
                search = search.exclude_manual(exclude);
            }
            let one = |record, _| RangeResponse::Night(Box::new(SleepRecord::from(Arc::unwrap_or_clone(record))));
            let all = |nights: Arc<Vec<CoreNight>>| RangeResponse::Nights(nights.iter().map(Night::new).collect());
            NativeRange::new(self.core(), search.erased(one, all))
        })
    }
}
