//! Long ranges, asked for in parts.

use serde::Serialize;
use vitalwire::client::Call;
use vitalwire::range::{InstantRange, Merged, RangeOperation, Span, SplitError};
use vitalwire::value::Timestamp;

use super::export::{NO_TABLE, Wanted};
use super::session::{Session, no_json, write};
use crate::cli::{Bound, Format, InParts, TimeRange};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::render::json;
use crate::screen::Screen;

/// The range of the run that is gone on with, where no other is given.
pub(super) fn resumed(in_parts: &InParts, from: Option<Bound>, to: Option<Bound>) -> Option<InstantRange> {
    in_parts.resume.as_ref().filter(|_| from.is_none() && to.is_none())?.instants()
}

impl TimeRange {
    /// Begin and end of what is listed, so many seconds back by default. The end is open unless it is needed to cut the range.
    pub(super) fn bounds(&self, session: &Session, back: i64) -> (Timestamp, Option<Timestamp>) {
        if let Some(range) = resumed(&self.in_parts, self.from, self.to) {
            return (range.start(), Some(range.end()));
        }
        let from = self.from.map_or_else(|| session.before(back), Bound::start);
        let to = self.to.map(Bound::end).or_else(|| self.in_parts.is_given().then(|| session.now()));
        (from, to)
    }
}

impl Session {
    /// Makes a call over a range as [`Session::show`] does, or in parts where that is asked for. What was read before a part failed is
    /// shown too; the failure says how to get the rest.
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
        let progress = Progress::start("requesting the parts");
        let tell = progress.reporter();
        let mut split = call.split(in_parts.split_days.map(Span::Days));
        split = split.on_progress(move |now| tell(&format!("{} of {} parts, {} items", now.done, now.total, now.items)));
        if let Some(parts) = in_parts.concurrency {
            split = split.concurrency(parts);
        }
        if let Some(token) = &in_parts.resume {
            split = split.resume(token);
        }
        if self.format.is_for_programs() {
            let outcome = split.table(wanted.id).await;
            drop(progress);
            return shown(outcome, |merged| merged.parts().len(), |merged| self.export(wanted, merged.into_inner()));
        }
        let outcome = split.collect().await;
        drop(progress);
        shown(outcome, |merged| merged.parts().len(), |merged| self.put_together(&merged, title, draw))
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
            Format::Table => {
                let mut screen = Screen::new(Output::to(&self.destination)?, self.sandbox.is_some());
                screen.title(title)?;
                draw(&mut screen, merged)?;
                screen.finish()
            }
            Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
        }
    }
}

/// Shows what there is, and says how the rest is read.
fn shown<O: RangeOperation, T>(
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
        format!("parts written: {done}, left: {left}; the same command with --resume '{token}' reads the rest")
    });
    let (so_far, error) = stopped.into_parts();
    if let Some(so_far) = so_far {
        show(so_far)?;
    }
    Err(match hint {
        Some(hint) => Failure::Hinted(error, hint),
        None => error.into(),
    })
}
