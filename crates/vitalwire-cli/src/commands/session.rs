//! State of every command that calls a service: the client, the output format, and the sandbox if one was started.

use vitalwire::client::{Call, CancelToken, Operation, Response};
use vitalwire::mock::MockResponses;
use vitalwire::table::{Table, TableId};
use vitalwire::value::Timestamp;
use vitalwire::{Client, Error, ErrorKind};
use vitalwire_sandbox::{Person, Sandbox};

use super::local_sandbox::{self, ANY_PORT};
use super::on_thread;
use super::signals::{Cancellation, EffectHints};
use crate::cli::{ColumnOptions, Connection, Format};
use crate::config::Settings;
use crate::failure::{Failure, NO_TABLE, note};
use crate::output::{Destination, Output};
use crate::progress::{set_retry_delay, with_progress};
use crate::render::json;
use crate::render::style::clean;
use crate::screen::Screen;

/// The state that follow-up commands can use, and the options that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// The service keeps the state.
    Service(&'static str),
    /// The sandbox of this command has ended. The next sandbox with the same file continues with its state.
    File(&'static str),
    /// The sandbox of this command has ended, and its state was discarded.
    Discarded(&'static str),
}

impl FollowUp {
    /// Returns the service or sandbox that the options of this command name. Leaks their text: the program has only one session.
    fn new(connection: &Connection) -> Self {
        let options = connection.service_arguments().leak();
        match (connection.sandbox, &connection.sandbox_options.db) {
            (false, _) => Self::Service(options),
            (true, Some(_)) => Self::File(options),
            (true, None) => Self::Discarded(options),
        }
    }

    /// Returns the command line that continues after this command, or `None` if none can.
    pub(crate) fn next_command(self, command: &str) -> Option<String> {
        (!matches!(self, Self::Discarded(_))).then(|| self.read_command(command))
    }

    /// Returns the command line that reads state from before this command. Another sandbox has the same people.
    pub(crate) fn read_command(self, command: &str) -> String {
        format!("`vitalwire {command}{}`", self.options())
    }

    /// Returns the options that name the service or sandbox.
    pub(super) fn options(self) -> &'static str {
        let (Self::Service(options) | Self::File(options) | Self::Discarded(options)) = self;
        options
    }
}

pub(crate) struct Session {
    pub(crate) client: Client,
    /// The sandbox started for this command.
    pub(crate) sandbox: Option<Sandbox>,
    pub(super) follow_up: FollowUp,
    pub(super) format: Format,
    pub(super) columns: ColumnOptions,
    pub(super) destination: Destination,
    pub(super) cancel_token: CancelToken,
    /// Hints about the effects of this command so far.
    pub(super) effects: EffectHints,
    /// `None` with a sandbox.
    settings: Option<Settings>,
    /// Whether invalid arguments are rejected before a request is sent.
    pub(super) client_side_validation: bool,
}

impl Session {
    /// Creates a client from the settings, or starts a sandbox and creates a client for its first person.
    pub(crate) async fn open(connection: Connection, cancellation: Cancellation) -> Result<Self, Failure> {
        let format = connection.format.unwrap_or_default();
        // Check first: a response that cannot be written need not be requested.
        Self::check_built_in(format)?;
        connection.destination.check(format.is_binary())?;
        for input in connection.config.iter().chain(&connection.sandbox_options.db) {
            connection.destination.reject_input(input)?;
        }
        let mut client_side_validation = true;
        let follow_up = FollowUp::new(&connection);
        let (client, settings, sandbox) = if connection.sandbox {
            let sandbox = local_sandbox::start(connection.sandbox_options, ANY_PORT).await?;
            (local_sandbox::client(&sandbox, Some(sandbox.token()))?, None, Some(sandbox))
        } else {
            let (options, effects) = (connection.clone(), cancellation.effects.clone());
            let open = move || {
                let settings = Settings::load(&options)?;
                let client = settings.client(move |attempt| {
                    effects.set_sent();
                    set_retry_delay(attempt.next_delay);
                })?;
                Ok((settings, client))
            };
            let (settings, client) = cancellation.token.unless_cancelled(on_thread(open)).await.ok_or_else(Error::cancelled)??;
            client_side_validation = settings.client_side_validation();
            (client, Some(settings), None)
        };
        let Connection { columns, destination, .. } = connection;
        Ok(Self {
            client,
            sandbox,
            follow_up,
            format,
            columns,
            destination,
            cancel_token: cancellation.token,
            effects: cancellation.effects,
            settings,
            client_side_validation,
        })
    }

    /// Creates a client that decodes mock responses with the settings of this command.
    pub(super) fn mock_client(&self, responses: &MockResponses) -> Result<Client, Failure> {
        match &self.settings {
            Some(settings) => settings.mock_client(responses),
            None => Ok(Client::builder().mock_responses(responses).build()?),
        }
    }

    /// Records that a call is about to be made.
    fn set_pending_effect<O: Operation>(&self) {
        if O::META.http_method != "GET" {
            self.effects.set_pending(format!("the request ({}) may have taken effect: check before you repeat it", O::META.id));
        }
    }

    /// Records that a call has taken effect.
    fn set_completed_effect<O: Operation>(&self) {
        if O::META.http_method != "GET" {
            self.effects.set_completed(format!("the request ({}) has taken effect", O::META.id));
        }
    }

    /// Shuts the sandbox down.
    pub(crate) async fn close(self) {
        drop(self.client);
        if let Some(sandbox) = self.sandbox {
            sandbox.shutdown().await;
        }
    }

    /// Returns the current time: that of the sandbox, or of this machine.
    pub(crate) fn now(&self) -> Timestamp {
        self.sandbox.as_ref().map_or_else(jiff::Timestamp::now, |sandbox| sandbox.app().now()).into()
    }

    /// Returns a note if the service's clock and this machine's differ by more than an hour. Relative days and times of a command use the
    /// clock of this machine.
    pub(super) fn clock_difference(&self) -> Option<String> {
        let (service, here) = (self.client.service_time()?, self.now());
        if service.unix_seconds().abs_diff(here.unix_seconds()) <= 3600 {
            return None;
        }
        let shown = |time: Timestamp| time.local(0).map(|time| time.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
        Some(format!(
            "the service's clock shows {} UTC, and this machine's clock {} UTC; choose dates by the service's clock",
            shown(service),
            shown(here)
        ))
    }

    /// Prints a note if the result may be empty because of the clocks.
    pub(super) fn note_clock_difference(&self) {
        self.clock_difference().iter().for_each(|text| note(text));
    }

    pub(crate) fn seconds_ago(&self, seconds: i64) -> Timestamp {
        Timestamp::from_unix(self.now().unix_seconds() - seconds, 0).unwrap_or_default()
    }

    /// Returns the sandbox and its first person, whose token the client has.
    pub(crate) fn person(&self) -> Option<(&Sandbox, &Person)> {
        self.sandbox.as_ref().and_then(|sandbox| Some((sandbox, sandbox.people().first()?)))
    }

    /// Makes a call and prints its response, either as received or drawn under this title.
    pub(crate) async fn show<O: Operation>(
        &self,
        call: Call<O>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.respond(call, |response| self.show_drawn(title, |screen| draw(screen, response))).await
    }

    /// Makes a call and prints its response, either as received or with `print`.
    async fn respond<O: Operation>(&self, call: Call<O>, print: impl FnOnce(&O::Output) -> Result<(), Failure>) -> Result<(), Failure> {
        self.set_pending_effect::<O>();
        match self.format {
            Format::Json => self.print_json(call).await,
            Format::Table => {
                let response = with_progress(call.cancel_token(&self.cancel_token).send()).await?;
                self.set_completed_effect::<O>();
                note_skipped_items(response.skipped_count());
                print(&response)
            }
            Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
        }
    }

    pub(super) fn show_drawn(&self, title: &str, draw: impl FnOnce(&mut Screen) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut screen = Screen::new(Output::to(&self.destination)?, self.sandbox.is_some());
        screen.title(title)?;
        draw(&mut screen)?;
        screen.finish()
    }

    /// Prints a response whose body was kept, in the requested format.
    pub(super) fn show_response<O: Operation, T>(
        &self,
        response: &Response<T>,
        table: TableId,
        title: &str,
        draw: impl FnOnce(&mut Screen, &T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let body = || response.body().ok_or_else(not_json);
        match self.format {
            Format::Json => write(&json::indented(body()?).ok_or_else(not_json)?, &self.destination),
            Format::Table => {
                note_skipped_items(response.skipped_count());
                self.show_drawn(title, |screen| draw(screen, response))
            }
            Format::Csv | Format::Parquet | Format::Arrow => self.export(table.into(), Table::read(table, O::META.id, body()?)?),
        }
    }

    async fn print_json<O: Operation>(&self, call: Call<O>) -> Result<(), Failure> {
        let response = with_progress(call.cancel_token(&self.cancel_token).raw()).await?;
        self.set_completed_effect::<O>();
        // Only a deletion may have an empty response.
        if response.body.trim_ascii().is_empty() && O::META.http_method == "DELETE" {
            return Output::to(&self.destination)?.finish();
        }
        let text = json::indented(&response.body).ok_or_else(not_json)?;
        write(&text, &self.destination)
    }

    /// Makes a call whose result is one line, and prints that line alone, for use in scripts.
    pub(crate) async fn print_line<O: Operation>(
        &self,
        call: Call<O>,
        text: impl FnOnce(&O::Output) -> Option<String>,
    ) -> Result<(), Failure> {
        self.respond(call, |response| {
            let mut out = Output::to(&self.destination)?;
            if let Some(text) = text(response) {
                out.line(&clean(&text))?;
            }
            out.finish()
        })
        .await
    }
}

/// Writes a JSON body as received, with indentation.
pub(crate) fn write_json(body: &[u8], destination: &Destination) -> Result<(), Failure> {
    write(&json::indented(body).ok_or_else(|| Error::new(ErrorKind::Decode))?, destination)
}

pub(super) fn not_json() -> Failure {
    let error = Error::with_reason(ErrorKind::Decode, "the response is not JSON");
    Failure::Hinted(error, "check that the base URL is that of the service, not of a web page or gateway".to_owned())
}

/// Prints a note if list items of the response are left out.
pub(super) fn note_skipped_items(count: u64) {
    match count {
        0 => {}
        1 => note("1 item of the response cannot be decoded and is left out"),
        count => note(&format!("{count} items of the response cannot be decoded and are left out")),
    }
}

/// Writes a text and a line end.
pub(super) fn write(text: &str, destination: &Destination) -> Result<(), Failure> {
    let mut out = Output::to(destination)?;
    out.line(text)?;
    out.finish()
}
