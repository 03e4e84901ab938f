//! Sleeps found by days: daily statistics name them, and each is read.

use std::fmt;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::nights::Night as CoreNight;
use vitalwire::range::{AnyPart, DateRange, OnError, Place};

use super::part::RangeFailure;
use super::{Answered, NativeRange, RangeOptions, aside};
use crate::call::{CancelToken, guarded, provider_context};
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
        let Place::Days(days) = part.place else { return Err(Error::internal("a night at a place of another kind")) };
        let (record, failure) = match part.answer {
            Ok(Answered::Night(record)) => (Some(*record), None),
            Ok(_) => return Err(Error::internal("an answer that is no night")),
            Err(failure) => (None, Some(failure.into())),
        };
        Ok(Self { days: dates(&days), record, failure })
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
            let on_error = if range_options.collects_failures { OnError::Collect } else { OnError::Stop };
            let mut search = self.core().sleeps().between(days).options(options.into_core(cancel.as_deref())).on_error(on_error);
            search = search.spawned_within(aside::task(self.driver(), provider_context(cancel.as_deref())));
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
            if let Some(calls) = range_options.concurrency() {
                search = search.concurrency(calls);
            }
            if let Some(token) = range_options.resume_token()? {
                search = search.resume(&token);
            }
            if let Some(key) = range_options.resume_key {
                search = search.resume_key(key);
            }
            let one = |record, _| Answered::Night(Box::new(SleepRecord::from(Arc::unwrap_or_clone(record))));
            let all = |nights: Arc<Vec<CoreNight>>| Answered::Nights(nights.iter().map(Night::of).collect());
            NativeRange::begun(self.core(), search.erased(one, all))
        })
    }
}
