//! Ranges that are first read into an unfinished output, part by part.
//!
//! The output is made from the stored bodies alone, with the calls that would have read them. So an interrupted and an uninterrupted run
//! write the same bytes.

use std::path::Path;

use vitalwire::client::Call;
use vitalwire::mock::{MockResponse, MockResponses};
use vitalwire::range::{PartLength, RangeOperation};
use vitalwire::table::TableSpec;
use vitalwire::{Error, ErrorKind};

use super::export::Wanted;
use super::session::Session;
use super::signals::Done;
use crate::cli::{Format, InParts};
use crate::failure::Failure;
use crate::output::{Destination, Made, PartFile};
use crate::progress::Progress;
use crate::shell;

impl Session {
    /// Reads the remaining parts of a range into the unfinished output of a file. Returns a call that is answered from those parts.
    pub(super) async fn gather<O: RangeOperation>(
        &self,
        call: Call<O>,
        in_parts: &InParts,
        wanted: Wanted,
        file: &Path,
    ) -> Result<(Call<O>, PartFile), Failure> {
        if in_parts.token().is_none() {
            PartFile::refuse_existing(file)?;
        }
        let progress = Progress::start("requesting the parts");
        let (_, parameters, options) = call.into_parts();
        let answers = MockResponses::new();
        let replay = self.answering(&answers)?;
        let again = || replay.call(parameters.clone()).options(options.clone());
        // Open the file before the first request. A token of a run without a file continues into a new file.
        let part = match in_parts.token().filter(|_| PartFile::path(file).exists()) {
            Some(token) => {
                let part = PartFile::open(file)?;
                self.done.set(kept(&part));
                if part.token() != token {
                    return Err(part.of_another("its resume token is another one"));
                }
                Some(part)
            }
            None => None,
        };
        let made = Made {
            format: name(self.format).to_owned(),
            table: self.format.is_for_programs().then(|| <&TableSpec>::from(wanted.id).name().to_owned()),
            split_days: in_parts.split_days,
            user: self.user().await?,
        };
        if let Some(part) = &part {
            part.check(&made)?;
        }
        let call = self.client.call(parameters.clone()).options(options.clone()).cancel_token(&self.stop);
        let mut split = call.split(in_parts.split_days.map(PartLength::Days));
        if let Some(parts) = in_parts.concurrency {
            split = split.concurrency(parts);
        }
        if let Some(token) = in_parts.token() {
            split = split.resume(token);
        }
        let mut bodies = match (split.bodies(), &part) {
            (Ok(bodies), _) => bodies,
            (Err(error), Some(part)) if error.argument() == Some("resume_token") => {
                return Err(part.of_another(error.reason().unwrap_or("it is of another range")));
            }
            (Err(error), _) => return Err(error.into()),
        };
        let mut part = match (part, bodies.resume_token()) {
            (Some(part), _) => part,
            (None, Some(all)) => PartFile::create(file, made, all)?,
            (None, None) => return Err(Error::internal("a range had no part").into()),
        };
        let tell = progress.reporter();
        while part.left.is_some()
            && let Some(body) = bodies.next().await
        {
            let read = match body {
                Ok(body) => check(&again, &answers, body.body, self.format, wanted).await,
                Err(failure) => Err(failure.into()),
            };
            let stored = read.map_err(Failure::from).and_then(|body| part.push(body, bodies.resume_token()));
            if let Err(failure) = stored {
                return Err(stopped(part, failure));
            }
            tell(&format!("{} read", part.count()));
            self.done.set(kept(&part));
        }
        self.done.set(kept(&part));
        answers.clear(O::META.id);
        for body in std::mem::take(&mut part.bodies) {
            answers.add(O::META.id, MockResponse::json(body));
        }
        Ok((again(), part))
    }

    /// Returns the service's id of the user. Returns `None` if the service does not state it; then parts of two users cannot be told apart.
    async fn user(&self) -> Result<Option<String>, Failure> {
        match self.client.user().info().cancel_token(&self.stop).send().await {
            Ok(user) => Ok(user.uid.as_ref().map(ToString::to_string).or_else(|| user.application_user_id.clone())),
            Err(error) if matches!(error.kind(), ErrorKind::Permission | ErrorKind::NotFound | ErrorKind::Decode) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Decodes the body of a part like the output will, so that only readable parts are kept.
async fn check<O: RangeOperation>(
    again: &impl Fn() -> Call<O>,
    answers: &MockResponses,
    body: impl Into<Vec<u8>>,
    format: Format,
    wanted: Wanted,
) -> Result<String, Error> {
    let unreadable = |_| Error::with_reason(ErrorKind::Decode, "the answer is no text").with_operation(O::META);
    let body = String::from_utf8(body.into()).map_err(unreadable)?;
    answers.clear(O::META.id);
    answers.add(O::META.id, MockResponse::json(body.clone()));
    if format.is_for_programs() {
        again().table(wanted.id).await.map(drop)?
    } else {
        again().send().await.map(drop)?
    }
    Ok(body)
}

/// Returns the failure of a part. Keeps nothing if it was the first part.
fn stopped(part: PartFile, failure: Failure) -> Failure {
    if part.bodies.is_empty() {
        part.remove();
        return failure;
    }
    match failure {
        Failure::Call(error) => Failure::Hinted(error, kept(&part)),
        Failure::File(text, _) => Failure::File(text, kept(&part)),
        other => other,
    }
}

/// Reads the token from an unfinished output, if the command line has none.
pub(super) fn find_token(in_parts: &mut InParts, destination: &Destination, done: &Done) -> Result<(), Failure> {
    if in_parts.resume == Some(None)
        && let Some(file) = destination.regular_file()
    {
        let part = PartFile::open(file)?;
        done.set(kept(&part));
        in_parts.resume = Some(Some(part.token().clone()));
    }
    Ok(())
}

/// Describes the kept parts and the command that continues the run.
fn kept(part: &PartFile) -> String {
    let rest = if part.left.is_some() { "reads the rest and writes the file" } else { "writes the file" };
    format!("{} are kept in {}; `{}` {rest}", part.count(), part.shown(), shell::resuming())
}

fn name(format: Format) -> &'static str {
    match format {
        Format::Table => "table",
        Format::Json => "json",
        Format::Csv => "csv",
        Format::Parquet => "parquet",
        Format::Arrow => "arrow",
    }
}
