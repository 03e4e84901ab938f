//! Resumable downloads of ranges.
//! || The responses of the parts are stored in an unfinished output. The output is then written from the stored responses only, so that a
//! resumed run writes the same bytes as an uninterrupted one.

use std::path::Path;

use vitalwire::client::Call;
use vitalwire::mock::{MockResponse, MockResponses};
use vitalwire::range::{PartLength, RangeOperation};
use vitalwire::table::TableSpec;
use vitalwire::{Error, ErrorKind};

use super::export::TableSelection;
use super::session::Session;
use super::signals::EffectHints;
use crate::cli::{Format, PartOptions};
use crate::failure::Failure;
use crate::output::{Destination, PartFile, RangeRequest};
use crate::progress::Progress;
use crate::shell;

impl Session {
    /// Reads the remaining parts of a range into the unfinished output of a file. Returns a call that gets its response from those parts.
    pub(super) async fn download_parts<O: RangeOperation>(
        &self,
        call: Call<O>,
        part_options: &PartOptions,
        table_selection: TableSelection,
        file: &Path,
    ) -> Result<(Call<O>, PartFile), Failure> {
        if part_options.token().is_none() {
            PartFile::reject_existing(file)?;
        }
        let progress = Progress::start("requesting the parts");
        let (_, parameters, options) = call.into_parts();
        let responses = MockResponses::new();
        let replay_client = self.mock_client(&responses)?;
        let replay_call = || replay_client.call(parameters.clone()).options(options.clone());
        // Open the file before the first request. A token of a run without a file continues into a new file.
        let part = match part_options.token().filter(|_| PartFile::path(file).exists()) {
            Some(token) => {
                let part = PartFile::open(file)?;
                self.effects.set_completed(kept_hint(&part));
                if part.token() != token {
                    return Err(part.mismatch("its resume token differs"));
                }
                Some(part)
            }
            None => None,
        };
        let request = RangeRequest {
            format: format_name(self.format).to_owned(),
            table: self.format.exports_table().then(|| <&TableSpec>::from(table_selection.id).name().to_owned()),
            split_days: part_options.split_days,
            user: self.user_id().await?,
        };
        if let Some(part) = &part {
            part.check(&request)?;
        }
        let call = self.client.call(parameters.clone()).options(options.clone()).cancel_token(&self.cancel_token);
        let mut range = call.split(part_options.split_days.map(PartLength::Days));
        if let Some(parts) = part_options.concurrency {
            range = range.concurrency(parts);
        }
        if let Some(token) = part_options.token() {
            range = range.resume(token);
        }
        let mut bodies = match (range.bodies(), &part) {
            (Ok(bodies), _) => bodies,
            (Err(error), Some(part)) if error.argument() == Some("resume_token") => {
                return Err(part.mismatch(error.reason().unwrap_or("its range differs")));
            }
            (Err(error), _) => return Err(error.into()),
        };
        let mut part = match (part, bodies.resume_token()) {
            (Some(part), _) => part,
            (None, Some(all)) => PartFile::create(file, request, all)?,
            (None, None) => return Err(Error::internal("a range has no part").into()),
        };
        let report = progress.reporter();
        while part.remaining.is_some()
            && let Some(body) = bodies.next().await
        {
            let read = match body {
                Ok(body) => check_body(&replay_call, &responses, body.body, self.format, table_selection).await,
                Err(failure) => Err(failure.into()),
            };
            let stored = read.map_err(Failure::from).and_then(|body| part.push(body, bodies.resume_token()));
            if let Err(failure) = stored {
                return Err(part_failure(part, failure));
            }
            report(&format!("{} read", part.progress_text()));
            self.effects.set_completed(kept_hint(&part));
        }
        self.effects.set_completed(kept_hint(&part));
        responses.clear(O::META.id);
        for body in std::mem::take(&mut part.bodies) {
            responses.add(O::META.id, MockResponse::json(body));
        }
        Ok((replay_call(), part))
    }

    /// Returns the service's id of the user. Returns `None` if the service does not state it. Then
    /// parts of two users cannot be distinguished.
    async fn user_id(&self) -> Result<Option<String>, Failure> {
        match self.client.user().info().cancel_token(&self.cancel_token).send().await {
            Ok(user) => Ok(user.uid.as_ref().map(ToString::to_string).or_else(|| user.application_user_id.clone())),
            Err(error) if matches!(error.kind(), ErrorKind::Permission | ErrorKind::NotFound | ErrorKind::Decode) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Decodes the body of a part in the way of the output, so that only decodable parts are stored.
async fn check_body<O: RangeOperation>(
    replay_call: &impl Fn() -> Call<O>,
    responses: &MockResponses,
    body: impl Into<Vec<u8>>,
    format: Format,
    table_selection: TableSelection,
) -> Result<String, Error> {
    let unreadable = |_| Error::with_reason(ErrorKind::Decode, "the response must be text").with_operation(O::META);
    let body = String::from_utf8(body.into()).map_err(unreadable)?;
    responses.clear(O::META.id);
    responses.add(O::META.id, MockResponse::json(body.clone()));
    if format.exports_table() {
        replay_call().table(table_selection.id).await.map(drop)?
    } else {
        replay_call().send().await.map(drop)?
    }
    Ok(body)
}

/// Returns the failure of a part. Keeps nothing if it was the first part.
fn part_failure(part: PartFile, failure: Failure) -> Failure {
    if part.bodies.is_empty() {
        part.remove();
        return failure;
    }
    match failure {
        Failure::Call(error) => Failure::Hinted(error, kept_hint(&part)),
        Failure::File(text, _) => Failure::File(text, kept_hint(&part)),
        other => other,
    }
}

/// Reads the token from an unfinished output, if the command line has none.
pub(super) fn load_resume_token(part_options: &mut PartOptions, destination: &Destination, effects: &EffectHints) -> Result<(), Failure> {
    if part_options.resume == Some(None)
        && let Some(file) = destination.regular_file()
    {
        let part = PartFile::open(file)?;
        effects.set_completed(kept_hint(&part));
        part_options.resume = Some(Some(part.token().clone()));
    }
    Ok(())
}

/// Describes the stored parts and the command that continues the run.
fn kept_hint(part: &PartFile) -> String {
    let rest = if part.remaining.is_some() { "reads the rest and writes the file" } else { "writes the file" };
    format!("{} are kept in {}; `{}` {rest}", part.progress_text(), part.display_path(), shell::resume_command_line())
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Table => "table",
        Format::Json => "json",
        Format::Csv => "csv",
        Format::Parquet => "parquet",
        Format::Arrow => "arrow",
    }
}
