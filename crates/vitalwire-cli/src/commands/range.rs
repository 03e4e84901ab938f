//! Long ranges, requested in parts.

use std::fmt;

use serde::Serialize;
use vitalwire::client::Call;
use vitalwire::range::{InstantRange, MergedRange, PartLength, RangeCall, RangeError, RangeOperation, ResumeToken};
use vitalwire::value::Timestamp;

use super::export::TableSelection;
use super::session::{Session, not_json, note_skipped_items, write};
use super::signals::EffectHints;
use crate::cli::{Bound, Format, PartOptions, TimeRange};
use crate::days::Days;
use crate::failure::{Failure, NO_TABLE, result_after};
use crate::progress::{Progress, hide};
use crate::render::json;
use crate::screen::Screen;
use crate::shell;

/// The bounds of a range as instants. Has the user's days if a bound is a date or `--time-zone` is given.
pub(super) struct InstantBounds {
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
    pub(super) days: Option<Days>,
}

impl Session {
    /// Converts dates to instants. Requests the user's time zone only for dates. If a run is continued, a missing bound or one relative to
    /// today comes from that run.
    pub(super) async fn instant_bounds(
        &self,
        from: Option<Bound>,
        to: Option<Bound>,
        part_options: &PartOptions,
    ) -> Result<InstantBounds, Failure> {
        let resumed = part_options.token().and_then(ResumeToken::instants);
        let usable = |bound: Option<Bound>| bound.filter(|bound| resumed.is_none() || !bound.is_relative());
        let (from, to) = (usable(from), usable(to));
        let has_date = [from, to].iter().any(|bound| matches!(bound, Some(Bound::Day(_))));
        let days = if has_date { Some(self.days().await?) } else { self.requested_days()? };
        let zone = days.clone().unwrap_or_else(Days::utc);
        let today = zone.date(self.now());
        if let (Some(Bound::Day(first)), Some(Bound::Day(last))) = (from, to) {
            check_order(first.date(today), last.date(today))?;
        }
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
        let (from, to) = (from.or(start), to.or(end));
        if let (Some(from), Some(to)) = (from, to) {
            check_order(from, to)?;
        }
        Ok(InstantBounds { from, to, days })
    }
}

/// Rejects a range whose bounds are swapped.
pub(super) fn check_order<T: PartialOrd + fmt::Display>(from: T, to: T) -> Result<(), Failure> {
    if to < from { Err(Failure::Input(format!("--to ({to}) must not be before --from ({from})"))) } else { Ok(()) }
}

impl TimeRange {
    /// Returns start and end of a list, which begins `back` seconds ago by default. The end is open unless it is needed to split the range.
    pub(super) async fn bounds(&self, session: &Session, back: i64) -> Result<(Timestamp, Option<Timestamp>, Option<Days>), Failure> {
        let InstantBounds { from, to, days } = session.instant_bounds(self.from, self.to, &self.part_options).await?;
        let to = to.or_else(|| self.part_options.is_given().then(|| session.now()));
        Ok((from.unwrap_or_else(|| session.seconds_ago(back)), to, days))
    }
}

impl Session {
    /// Makes a call over a range like [`Session::show`], in parts if requested. If a part fails, the parts read so far are kept in an
    /// unfinished file, or shown. The failure names the command that gets the rest.
    pub(super) async fn show_range<O: RangeOperation>(
        &self,
        call: Call<O>,
        part_options: &PartOptions,
        table: impl Into<TableSelection<'_>>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        O::Output: Serialize,
    {
        let table_selection = table.into();
        if !part_options.is_given() {
            return self.show_or_export(call, table_selection, title, draw).await;
        }
        if let Some(file) = self.destination.regular_file() {
            let (call, part) = self.download_parts(call, part_options, table_selection, file).await?;
            let outcome = self.show_parts(call.split(None).concurrency(1).resume(&part.whole_range), table_selection, title, draw).await;
            if outcome.is_ok() {
                part.remove();
            }
            return outcome;
        }
        let progress = Progress::start("requesting the parts");
        let report = progress.reporter();
        let mut range = call.cancel_token(&self.cancel_token).split(part_options.split_days.map(PartLength::Days));
        range = range.on_progress(move |now| report(&format!("{} of {} parts, {} items", now.done, now.total, now.items)));
        if let Some(parts) = part_options.concurrency {
            range = range.concurrency(parts);
        }
        if let Some(token) = part_options.token() {
            range = range.resume(token);
        }
        self.show_parts(range, table_selection, title, draw).await
    }

    async fn show_parts<O: RangeOperation>(
        &self,
        range: RangeCall<O>,
        table_selection: TableSelection<'_>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        O::Output: Serialize,
    {
        if self.format.exports_table() {
            let outcome = range.table(table_selection.id).await;
            hide();
            return show_available(&self.effects, outcome, |merged| self.export(table_selection, merged.into_inner()));
        }
        let outcome = range.collect().await;
        hide();
        show_available(&self.effects, outcome, |merged| {
            note_skipped_items(merged.skipped_count());
            match self.format {
                Format::Json => {
                    let body = serde_json::to_vec(&*merged).map_err(|_| not_json())?;
                    write(&json::indented(&body).ok_or_else(not_json)?, &self.destination)
                }
                Format::Table => self.show_drawn(title, |screen| draw(screen, &merged)),
                Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
            }
        })
    }
}

/// Shows the merged parts. After a failure, shows the completed parts and returns the failure with the command that reads the rest.
fn show_available<T>(
    effects: &EffectHints,
    outcome: Result<MergedRange<T>, RangeError<MergedRange<T>>>,
    show: impl FnOnce(MergedRange<T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stopped = match outcome {
        Ok(whole) => return show(whole),
        Err(stopped) => stopped,
    };
    let completed = stopped.partial_result().map_or(0, |merged| merged.parts().len());
    let hint = stopped.resume_token().map(|token| {
        let left = token.parts_left();
        format!("parts written: {completed}, left: {left}; `{} '{token}'` reads the rest", shell::resume_command_line())
    });
    let (available, error) = stopped.into_parts();
    if available.is_some() {
        // Set the hint first: writing blocks if the reader of the output stalls.
        effects.set_completed(hint.clone().unwrap_or_default());
    }
    let failure = match hint {
        Some(hint) => Failure::beside_remedy(error, &hint),
        None => error.into(),
    };
    result_after(available.map_or(Ok(()), show), Err(failure))
}
