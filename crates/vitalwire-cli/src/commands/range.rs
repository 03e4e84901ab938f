//! Long ranges, requested in parts.

use serde::Serialize;
use vitalwire::client::Call;
use vitalwire::range::{InstantRange, MergedRange, PartLength, RangeCall, RangeError, RangeOperation, ResumeToken};
use vitalwire::value::Timestamp;

use super::export::Wanted;
use super::session::{Session, no_json, write};
use super::signals::Done;
use crate::cli::{Bound, Format, InParts, TimeRange};
use crate::days::Days;
use crate::failure::{Failure, NO_TABLE};
use crate::progress::{Progress, hide};
use crate::render::json;
use crate::screen::Screen;
use crate::shell;

/// The bounds of a range as instants. Has the user's days if a bound is a date or `--time-zone` is given.
pub(super) struct Instants {
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
    pub(super) days: Option<Days>,
}

impl Session {
    /// Converts dates to instants. Requests the user's time zone only for dates. If a run is continued, a missing bound or one relative to
    /// today comes from that run.
    pub(super) async fn instants(&self, from: Option<Bound>, to: Option<Bound>, in_parts: &InParts) -> Result<Instants, Failure> {
        let resumed = in_parts.token().and_then(ResumeToken::instants);
        let own = |bound: Option<Bound>| bound.filter(|bound| resumed.is_none() || !bound.is_relative());
        let (from, to) = (own(from), own(to));
        let has_date = [from, to].iter().any(|bound| matches!(bound, Some(Bound::Day(_))));
        let days = if has_date { Some(self.days().await?) } else { self.stated_days()? };
        let zone = days.clone().unwrap_or_else(Days::utc);
        let today = zone.date(self.now());
        let from = from.map(|bound| match bound {
            Bound::Day(day) => zone.start(day.date(today)),
            Bound::Instant(at) => at,
        });
        // A day as end is included; an instant is not.
        let to = to.map(|bound| match bound {
            Bound::Day(day) => zone.end(day.date(today)),
            Bound::Instant(at) => at,
        });
        let (start, end) = (resumed.map(InstantRange::start), resumed.map(InstantRange::end));
        Ok(Instants { from: from.or(start), to: to.or(end), days })
    }
}

impl TimeRange {
    /// Returns start and end of a list, which begins `back` seconds ago by default. The end is open unless it is needed to split the range.
    pub(super) async fn bounds(&self, session: &Session, back: i64) -> Result<(Timestamp, Option<Timestamp>, Option<Days>), Failure> {
        let Instants { from, to, days } = session.instants(self.from, self.to, &self.in_parts).await?;
        let to = to.or_else(|| self.in_parts.is_given().then(|| session.now()));
        Ok((from.unwrap_or_else(|| session.before(back)), to, days))
    }
}

impl Session {
    /// Makes a call over a range like [`Session::show`], in parts if requested. If a part fails, the parts read so far are kept in an
    /// unfinished file, or shown. The failure says how to get the rest.
    pub(super) async fn show_range<O: RangeOperation>(
        &self,
        call: Call<O>,
        in_parts: &InParts,
        table: impl Into<Wanted>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        O::Output: Serialize,
    {
        let wanted = table.into();
        if !in_parts.is_given() {
            return self.show_or_export(call, wanted, title, draw).await;
        }
        if let Some(file) = self.destination.regular_file() {
            let (call, part) = self.gather(call, in_parts, wanted, file).await?;
            let outcome = self.show_parts(call.split(None).concurrency(1).resume(&part.all), wanted, title, draw).await;
            if outcome.is_ok() {
                part.remove();
            }
            return outcome;
        }
        let progress = Progress::start("requesting the parts");
        let tell = progress.reporter();
        let mut split = call.cancel_token(&self.stop).split(in_parts.split_days.map(PartLength::Days));
        split = split.on_progress(move |now| tell(&format!("{} of {} parts, {} items", now.done, now.total, now.items)));
        if let Some(parts) = in_parts.concurrency {
            split = split.concurrency(parts);
        }
        if let Some(token) = in_parts.token() {
            split = split.resume(token);
        }
        self.show_parts(split, wanted, title, draw).await
    }

    async fn show_parts<O: RangeOperation>(
        &self,
        split: RangeCall<O>,
        wanted: Wanted,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        O::Output: Serialize,
    {
        if self.format.is_for_programs() {
            let outcome = split.table(wanted.id).await;
            hide();
            return shown(&self.done, outcome, |merged| self.export(wanted, merged.into_inner()));
        }
        let outcome = split.collect().await;
        hide();
        shown(&self.done, outcome, |merged| self.put_together::<O>(&merged, title, draw))
    }

    fn put_together<O: RangeOperation>(
        &self,
        merged: &MergedRange<O::Output>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        O::Output: Serialize,
    {
        match self.format {
            Format::Json => {
                let body = serde_json::to_vec(&**merged).map_err(|_| no_json())?;
                write(&json::indented(&body).ok_or_else(no_json)?, &self.destination)
            }
            Format::Table => self.show_drawn(title, |screen| draw(screen, merged)),
            Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
        }
    }
}

/// Shows the parts read so far and says how to read the rest.
fn shown<T>(
    already: &Done,
    outcome: Result<MergedRange<T>, RangeError<MergedRange<T>>>,
    show: impl FnOnce(MergedRange<T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stopped = match outcome {
        Ok(whole) => return show(whole),
        Err(stopped) => stopped,
    };
    let done = stopped.so_far().map_or(0, |merged| merged.parts().len());
    let hint = stopped.resume_token().map(|token| {
        let left = token.parts_left();
        format!("parts written: {done}, left: {left}; `{} '{token}'` reads the rest", shell::resuming())
    });
    let (so_far, error) = stopped.into_parts();
    if let Some(so_far) = so_far {
        // Set the hint first: writing blocks if the reader of the output stalls.
        already.set(hint.clone().unwrap_or_default());
        show(so_far)?;
    }
    Err(match hint {
        Some(hint) => Failure::Hinted(error, hint),
        None => error.into(),
    })
}
