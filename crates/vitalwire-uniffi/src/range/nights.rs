//! Sleeps found by days: daily statistics name them, and each is read.

use std::fmt;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::nights::Night as CoreNight;
use vitalwire::range::{AnyPart, DateRange};

use super::part::RangeFailure;
use super::{Answered, NativeRange, RangeOptions};
use crate::call::{CancelToken, guarded};
use crate::client::NativeClient;
use crate::error::ApiError;
use crate::generated::{CallOptions, ProviderSlug, SleepRecord};
use crate::value::CalendarDate;

/// Which sleeps are searched for, and what is returned of them.
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
    /// Leave out what was entered by hand.
    #[uniffi(default = None)]
    pub exclude_manual: Option<bool>,
}

/// Shows no days.
impl fmt::Debug for SleepsBetweenParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SleepsBetweenParams(..)")
    }
}

/// A sleep that was found.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Night {
    /// The days whose sleep it is part of; empty if statistics do not state the day.
    pub days: Vec<CalendarDate>,
    /// The record.
    pub record: SleepRecord,
}

/// Shows no days and no values.
impl fmt::Debug for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Night(..)")
    }
}

impl Night {
    pub(super) fn of(core: &CoreNight) -> Self {
        Self { days: dates(&core.days), record: SleepRecord::from((*core.response).clone()) }
    }
}

/// A sleep, or days that could not be read.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct NightPart {
    /// The days.
    pub days: Vec<CalendarDate>,
    /// The record; absent where the days failed.
    pub record: Option<SleepRecord>,
    /// Why there is none.
    pub failure: Option<RangeFailure>,
}

/// Shows no days and no values.
impl fmt::Debug for NightPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NightPart(..)")
    }
}

impl TryFrom<AnyPart<Answered>> for NightPart {
    type Error = Error;

    fn try_from(part: AnyPart<Answered>) -> Result<Self, Error> {
        let (record, failure) = match part.response {
            Ok(Answered::Night(record)) => (Some(*record), None),
            Ok(_) => return Err(Error::internal("a response that is no night")),
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
    /// The sleeps of a range of days, naps among them. The token ends every call; a part is a day, whatever the options say.
    pub fn sleeps_between(
        &self,
        params: SleepsBetweenParams,
        range_options: RangeOptions,
        options: CallOptions,
        cancel: Option<Arc<CancelToken>>,
    ) -> Result<Arc<NativeRange>, ApiError> {
        guarded(|| {
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
            let one = |record, _| Answered::Night(Box::new(SleepRecord::from(Arc::unwrap_or_clone(record))));
            let all = |nights: Arc<Vec<CoreNight>>| Answered::Nights(nights.iter().map(Night::of).collect());
            NativeRange::begun(self.core(), search.erased(one, all))
        })
    }
}
