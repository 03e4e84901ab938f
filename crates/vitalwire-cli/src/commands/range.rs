//! Long ranges, asked for in parts.

use serde::Serialize;
use vitalwire::client::Call;
use vitalwire::range::{InstantRange, Merged, RangeOperation, Span, Split, SplitError};
use vitalwire::value::Timestamp;

use super::export::{NO_TABLE, Wanted};
use super::session::{Session, no_json, write};
use super::signals::Done;
use crate::cli::{Bound, Format, InParts, TimeRange};
use crate::failure::Failure;
use crate::progress::{Progress, hide};
use crate::render::json;
use crate::screen::Screen;
use crate::shell;

/// The range of the run that is continued.
pub(super) fn resumed(in_parts: &InParts) -> Option<InstantRange> {
    in_parts.token()?.instants()
}

/// Resolves a bound of a range. A bound that is missing or relative to today is that of the run that is continued, if there is one.
pub(super) fn resolve<B: Copy, T>(
    bound: Option<B>,
    is_relative: impl Fn(B) -> bool,
    resumed: Option<T>,
    resolve: impl Fn(B) -> T,
) -> Option<T> {
    match bound {
        Some(bound) if resumed.is_none() || !is_relative(bound) => Some(resolve(bound)),
        _ => resumed,
    }
}

impl TimeRange {
    /// Begin and end of what is listed, so many seconds back by default. The end is open unless it is needed to cut the range.
    pub(super) fn bounds(&self, session: &Session, back: i64) -> (Timestamp, Option<Timestamp>) {
        let (resumed, today) = (resumed(&self.in_parts), session.today());
        let from = resolve(self.from, Bound::is_relative, resumed.map(InstantRange::start), |from| from.start(today));
        let to = resolve(self.to, Bound::is_relative, resumed.map(InstantRange::end), |to| to.end(today));
        let to = to.or_else(|| self.in_parts.is_given().then(|| session.now()));
        (from.unwrap_or_else(|| session.before(back)), to)
    }
}

impl Session {
    /// Makes a call over a range as [`Session::show`] does, or in parts where that is asked for. What was read before a part failed is
    /// kept: in an unfinished file, or else it is shown too. The failure says how to get the rest.
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
        let mut split = call.cancel_token(&self.stop).split(in_parts.split_days.map(Span::Days));
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
        split: Split<O>,
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
            return shown(&self.done, outcome, |merged| merged.parts().len(), |merged| self.export(wanted, merged.into_inner()));
        }
        let outcome = split.collect().await;
        hide();
        shown(&self.done, outcome, |merged| merged.parts().len(), |merged| self.put_together(&merged, title, draw))
    }

    fn put_together<O: RangeOperation>(
        &self,
        merged: &Merged<O>,
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

/// Shows what there is, and says how the rest is read.
fn shown<O: RangeOperation, T>(
    already: &Done,
    outcome: Result<T, SplitError<O, T>>,
    parts: impl FnOnce(&T) -> usize,
    show: impl FnOnce(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stopped = match outcome {
        Ok(whole) => return show(whole),
        Err(stopped) => stopped,
    };
    let done = stopped.so_far().map_or(0, parts);
    let hint = stopped.resume_token().map(|token| {
        let left = token.parts_left();
        format!("parts written: {done}, left: {left}; `{} '{token}'` reads the rest", shell::resuming())
    });
    let (so_far, error) = stopped.into_parts();
    if let Some(so_far) = so_far {
        // Its reader may stand still.
        already.set(hint.clone().unwrap_or_default());
        show(so_far)?;
    }
    Err(match hint {
        Some(hint) => Failure::Hinted(error, hint),
        None => error.into(),
    })
}
