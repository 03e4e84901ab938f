//! Resumable downloads of ranges.
//! || The responses of the parts are stored in an unfinished output. The output is then written from the stored responses only, so that a
//! resumed run writes the same bytes as an uninterrupted one.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;

use vitalwire::client::{Call, Service};
use vitalwire::mock::{MockResponse, MockResponses};
use vitalwire::models::UserInfo;
use vitalwire::range::{Fingerprint, PartLength, RangeOperation};
use vitalwire::table::TableSpec;
use vitalwire::{Error, ErrorKind};

use super::export::TableSelection;
use super::session::Session;
use super::signals::EffectHints;
use crate::cli::{Format, PartOptions};
use crate::failure::{Failure, note};
use crate::output::{Destination, PartFile, RangeRequest, to_hex};
use crate::progress::Progress;
use crate::render::style::clean_path;
use crate::shell;

impl Session {
    /// Reads the remaining parts of a range into the unfinished output of a file. Returns a call that gets its response from those parts.
    pub(super) async fn download_parts<O: RangeOperation>(
        &self,
        call: Call<O>,
        part_options: &PartOptions,
        table_selection: TableSelection<'_>,
        file: &Path,
    ) -> Result<(Call<O>, PartFile), Failure> {
        let progress = Progress::start("requesting the parts");
        let (_, parameters, options) = call.into_parts();
        let responses = MockResponses::new();
        let replay_client = self.mock_client(&responses)?;
        let replay_call = || replay_client.call(parameters.clone()).options(options.clone());
        // Open the file before the first request. A token of a run without a file continues into a new file.
        let part = match part_options.token().filter(|_| PartFile::exists(file)) {
            Some(token) => {
                let part = PartFile::open(file)?;
                self.effects.set_completed(kept_hint(&part));
                if part.token() != token {
                    return Err(self.reject(part.mismatch("its resume token differs")));
                }
                Some(part)
            }
            None => None,
        };
        // Randomly seeded, so that the hashes of a user differ between files.
        let new_key = || format!("{:016x}", RandomState::new().hash_one(()));
        let user_key = part.as_ref().map_or_else(new_key, |part| part.request.user_key.clone());
        let request = RangeRequest {
            format: self.format.name(),
            table: self.format.exports_table().then(|| <&TableSpec>::from(table_selection.id).name().to_owned()),
            split_days: part_options.split_days,
            user: self.hash_user(&user_key).await?,
            user_key,
            service: self.service_name(),
            arguments: shell::arguments_without_resume().map(|word| word.to_string_lossy().into_owned()).collect(),
        };
        if let Some(part) = &part {
            part.check(&request).map_err(|failure| self.reject(failure))?;
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
                let differs = if part.whole_range.operation() != O::META.id {
                    "its operation differs"
                } else if error.reason().is_some_and(|reason| reason.ends_with("another range")) {
                    "its range differs"
                } else {
                    "its --types or other parameters differ"
                };
                return Err(self.reject(part.mismatch(differs)));
            }
            (Err(error), _) => return Err(error.into()),
        };
        let mut part = match (part, bodies.resume_token()) {
            (Some(part), _) => part,
            (None, Some(all)) => {
                if part_options.token().is_some() {
                    note(&format!("the parts before the resume token are not in a file, so {} will lack them", clean_path(file)));
                }
                PartFile::create(file, request, all)?
            }
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
                let is_first = part.bodies.is_empty();
                let failure = part_failure(part, failure);
                if is_first {
                    // Nothing is kept.
                    self.effects.clear_completed();
                    mark_replacement(&self.destination, file)?;
                }
                return Err(failure);
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

    /// Removes the hint to repeat this command, because the unfinished output belongs to another one.
    fn reject(&self, failure: Failure) -> Failure {
        self.effects.clear_completed();
        failure
    }

    /// Returns a hash of the user: of the id that the service states, or of the token if it states none.
    async fn hash_user(&self, key: &str) -> Result<String, Failure> {
        let user = match self.client.user().info().cancel_token(&self.cancel_token).send().await {
            Ok(user) => Some(user.into_inner()),
            Err(error) if matches!(error.kind(), ErrorKind::Permission | ErrorKind::NotFound | ErrorKind::Decode) => None,
            Err(error) => return Err(error.into()),
        };
        let mut hash = Fingerprint::new();
        hash.add("key", &key);
        let is_stated = |id: &str| !id.trim().is_empty();
        match user {
            Some(UserInfo { uid: Some(uid), .. }) if is_stated(uid.as_str()) => hash.add("uid", &uid),
            // The id is unique within an application.
            Some(UserInfo { application_user_id: Some(id), application_id, .. }) if is_stated(id.as_str()) => {
                hash.add("application_user_id", &(application_id, id));
            }
            _ => hash.add("token_user", &self.client.engine().token_user_digest(Service::Health.meta())),
        }
        Ok(to_hex(hash))
    }

    /// Returns the base URL of the service, or the options of the command's own sandbox, whose port changes. Call it after the first response.
    fn service_name(&self) -> String {
        let name = match &self.sandbox {
            Some(_) => self.follow_up.options().to_owned(),
            None => self.client.base_url().unwrap_or_default(),
        };
        self.client.sandbox().map_or_else(|| name.clone(), |data| format!("{name} (sandbox {data})"))
    }
}

/// Decodes the body of a part in the way of the output, so that only decodable parts are stored.
async fn check_body<O: RangeOperation>(
    replay_call: &impl Fn() -> Call<O>,
    responses: &MockResponses,
    body: impl Into<Vec<u8>>,
    format: Format,
    table_selection: TableSelection<'_>,
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
        Failure::Call(error) => Failure::beside_remedy(error, &kept_hint(&part)),
        Failure::File(text, _) => Failure::File(text, kept_hint(&part)),
        other => other,
    }
}

/// Checks the unfinished output before a request is sent. With `--resume`, reads the token from it. Returns whether the output is complete.
pub(super) fn prepare(part_options: &mut PartOptions, destination: &mut Destination, effects: &EffectHints) -> Result<bool, Failure> {
    let Some(file) = destination.regular_file().filter(|_| part_options.is_given()).map(Path::to_owned) else { return Ok(false) };
    let file = file.as_path();
    if part_options.resume.is_none() {
        destination.check(false)?;
    }
    PartFile::check_path(file)?;
    match part_options.resume {
        None => {
            PartFile::reject_existing(file)?;
            return mark_replacement(destination, file).map(|()| false);
        }
        Some(Some(_)) => return Ok(false),
        Some(None) => {}
    }
    if PartFile::is_started(file) {
        // The first run was allowed to.
        destination.force = true;
    }
    if !PartFile::exists(file) {
        let name = clean_path(file);
        if file.is_file() && !destination.force {
            note(&format!("{name} exists and has no unfinished parts, so nothing was requested"));
            return Ok(true);
        }
        if part_options.split_days.is_some() {
            note(&format!("there is no unfinished output of {name}; the whole range is requested"));
            part_options.resume = None;
            return Ok(false);
        }
    }
    let part = PartFile::open(file)?;
    effects.set_completed(kept_hint(&part));
    part_options.resume = Some(Some(part.token().clone()));
    destination.may_be_written = part.remaining.is_none();
    Ok(false)
}

/// Marks the unfinished output if the command replaces a file.
fn mark_replacement(destination: &Destination, file: &Path) -> Result<(), Failure> {
    if destination.force && file.is_file() { PartFile::mark_started(file) } else { Ok(()) }
}

/// Describes the stored parts and the command that continues the run.
fn kept_hint(part: &PartFile) -> String {
    let rest = if part.remaining.is_some() { "reads the rest and writes the file" } else { "writes the file" };
    format!("{} are kept in {}; `{}` {rest}", part.progress_text(), part.display_path(), shell::resume_command_line())
}
