//! Users, days, limits and client of a command, from its options or a sandbox.

use std::collections::BTreeSet;
use std::path::Path;

use vitalwire::client::{CallOptions, ClientBuilder};
use vitalwire::operations::TokensExchangeParams;
use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};
use vitalwire_cohort::{CohortReader, Credential, KeySource, RateLimits, Selection, UserCredentials};
use vitalwire_sandbox::Sandbox;
use zeroize::Zeroizing;

use super::super::local_sandbox::{self, ANY_PORT};
use super::super::on_thread;
use super::super::range::check_order;
use super::{Task, failure, pseudonym_key};
use crate::cli::{CohortOptions, Connection, Day};
use crate::config::{Settings, readers_warning};
use crate::days::Days;
use crate::failure::{Failure, set_sent, unread_file, warn, while_waiting};

/// Name of the command's own sandbox in datasets. Its port changes.
const SANDBOX_NAME: &str = "sandbox";

/// The inputs of a command.
pub(super) struct Setup {
    pub(super) credentials: UserCredentials,
    pub(super) selection: Selection,
    pub(super) limits: RateLimits,
    /// Time of the sandbox's or this machine's clock.
    pub(super) now: Timestamp,
    /// Sandbox of this command, for `--sandbox`.
    sandbox: Option<Sandbox>,
    /// `None` with a sandbox.
    settings: Option<Settings>,
}

impl Setup {
    pub(super) async fn new(connection: &Connection, options: &CohortOptions) -> Result<Self, Failure> {
        if options.users.is_none() && !connection.sandbox {
            return Err(Failure::Usage("a cohort must have users", "name the file of users with --users"));
        }
        let (users, service) = (options.users.clone(), Some(connection.clone()).filter(|connection| !connection.sandbox));
        let read = move || {
            let settings = service.as_ref().map(Settings::load).transpose()?;
            let credentials = users.map(UserCredentials::from_file).transpose().map_err(failure(Task::ReadUsers))?;
            Ok((settings, credentials))
        };
        let (settings, credentials) = on_thread(read).await?;
        warn_of_readers(options, credentials.as_ref());
        let sandbox =
            if connection.sandbox { Some(local_sandbox::start(connection.sandbox_options.clone(), ANY_PORT).await?) } else { None };
        let people = sandbox.iter().flat_map(Sandbox::people);
        let people = people.map(|person| (&*person.user_id, Credential::Token(Zeroizing::new(person.token.clone()))));
        let credentials = credentials.map_or_else(|| UserCredentials::new(people), Ok)?;
        let now = sandbox.as_ref().map_or_else(jiff::Timestamp::now, |sandbox| sandbox.app().now());
        let now = Timestamp::from_unix(now.as_second(), 0).unwrap_or_default();
        let selection = select(&credentials, options, now)?;
        let mut limits = RateLimits::new();
        if let Some(rate) = options.per_second {
            limits = limits.per_second(rate)?;
        }
        if let Some(requests) = options.in_flight {
            limits = limits.in_flight(requests)?;
        }
        Ok(Self { credentials, selection, limits, now, sandbox, settings })
    }

    /// Returns the selection by the service's clock, for days such as `-30d`.
    pub(super) async fn selection_at_service(&self, reader: &CohortReader, options: &CohortOptions) -> Result<Selection, Failure> {
        select(&self.credentials, options, reader.service_time().await?)
    }

    /// Checks the credentials without a request.
    pub(super) async fn check_credentials(&self) -> Result<(), Failure> {
        let credentials = self.credentials.clone();
        self.read_keys(move || credentials.check().map_err(failure(Task::ReadUsers))).await
    }

    /// Checks the key of pseudonyms without a request.
    pub(super) async fn check_pseudonym_key(&self, options: &CohortOptions) -> Result<(), Failure> {
        let path = options.pseudonym_key_file.clone();
        self.read_keys(move || path.as_deref().map(pseudonym_key).transpose()).await.map(drop)
    }

    /// Creates a reader of these users.
    pub(super) async fn reader(&self, options: &CohortOptions) -> Result<CohortReader, Failure> {
        let (builder, credentials, limits) = (self.client_builder()?, self.credentials.clone(), self.limits);
        let (pseudonym_key_file, keeps_details) = (options.pseudonym_key_file.clone(), options.keep_places_and_text);
        let read = move || {
            let reader = CohortReader::new(builder, credentials, limits).map_err(failure(Task::ReadUsers))?;
            Ok(match pseudonym_key_file {
                Some(path) => reader.with_pseudonyms(pseudonym_key(&path)?.keep_places_and_text(keeps_details)),
                None => reader,
            })
        };
        let reader = self.read_keys(read).await?;
        Ok(if self.sandbox.is_some() { reader.with_service_name(SANDBOX_NAME) } else { reader })
    }

    /// Runs work that reads keys, within the timeout of a call.
    pub(super) async fn read_keys<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let client = self.client_builder()?.build()?;
        let read = while_waiting(unread_file("a key file"), on_thread(work));
        Ok(client.prepare::<TokensExchangeParams, _, _>(read, CallOptions::new()).await?.0)
    }

    /// Returns the client's settings, without a token.
    fn client_builder(&self) -> Result<ClientBuilder, Failure> {
        let builder = match (&self.sandbox, &self.settings) {
            (Some(sandbox), _) => local_sandbox::client_builder(sandbox),
            (None, Some(settings)) => settings.builder()?,
            (None, None) => ClientBuilder::new(),
        };
        Ok(builder.on_attempt(|_| set_sent()))
    }

    /// Stops the sandbox, if there is one.
    pub(super) async fn shutdown(self) {
        if let Some(sandbox) = self.sandbox {
            sandbox.shutdown().await;
        }
    }
}

/// Warns if other users of this machine can read a file with tokens or keys.
fn warn_of_readers(options: &CohortOptions, credentials: Option<&UserCredentials>) {
    let mut files: BTreeSet<(&str, &Path)> = options.pseudonym_key_file.iter().map(|path| ("key file", &**path)).collect();
    for credential in credentials.into_iter().flat_map(|all| all.ids().filter_map(|id| all.credential(id))) {
        match credential {
            Credential::Token(_) | Credential::Signature { .. } => {
                files.extend(options.users.iter().map(|path| ("file of users", &**path)))
            }
            Credential::Key { source: KeySource::File(path), .. } => files.extend([("key file", &**path)]),
            Credential::Key { .. } => {}
        }
    }
    files.iter().filter_map(|(kind, path)| readers_warning(kind, path)).for_each(|text| warn(&text));
}

/// Selects users, tables and days by a clock.
fn select(credentials: &UserCredentials, options: &CohortOptions, now: Timestamp) -> Result<Selection, Failure> {
    let today = Days::utc().date(now.jiff().into());
    let mut selection = Selection::new(credentials.ids(), options.tables.iter().copied(), days(options, today)?)?;
    if let Some(days) = options.lookback_days {
        selection = selection.lookback_days(days)?;
    }
    if let Some(day) = options.refresh_from {
        selection = selection.refresh_from(day.date(today));
    }
    Ok(selection)
}

/// Returns the days from `--from` to `--to`.
fn days(options: &CohortOptions, today: Date) -> Result<DateRange, Failure> {
    let first = options.from.date(today);
    let last = options.to.unwrap_or(Day::DaysAgo(1)).date(today);
    if last < first && options.to.is_none() {
        return Err(Failure::Input(format!("--from ({first}) must not be after the default of --to ({last}, yesterday in UTC)")));
    }
    check_order(first, last)?;
    Ok(DateRange::new(first, last)?)
}

/// Returns notes about days of the selection that are not over at a time, and are left out.
pub(super) fn notes_of_incomplete_days(selection: &Selection, time: Timestamp, clock: &str) -> Vec<String> {
    let last_days = selection.tables().iter().filter_map(|table| Some((table.last_complete_day(time)?, table.as_str())));
    let mut by_day: std::collections::BTreeMap<Date, Vec<&str>> = std::collections::BTreeMap::new();
    last_days.for_each(|(day, table)| by_day.entry(day).or_default().push(table));
    let is_one = by_day.len() == 1;
    let clipped = by_day.into_iter().filter(|(day, _)| *day < selection.days().last());
    clipped
        .map(|(day, tables)| {
            let of = if is_one { String::new() } else { format!(" of {}", tables.join(", ")) };
            format!("days{of} after {day} are not over {clock} and are left out; a later run adds them")
        })
        .collect()
}
