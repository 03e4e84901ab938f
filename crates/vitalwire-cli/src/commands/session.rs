//! State of every command that calls a service: the client, the output format, and the sandbox if one was started.

use vitalwire::client::{Call, CancelToken, Operation, Response};
use vitalwire::mock::MockResponses;
use vitalwire::table::{Table, TableId};
use vitalwire::value::Timestamp;
use vitalwire::{Client, Error, ErrorKind};
use vitalwire_sandbox::{Person, Sandbox};

use super::local::{self, ANY_PORT, LastNight};
use super::signals::{Done, Stop};
use crate::cli::{Columns, Connection, Format};
use crate::config::Settings;
use crate::failure::{Failure, NO_TABLE};
use crate::output::{Destination, Output};
use crate::progress::asked;
use crate::render::json;
use crate::render::style::clean;
use crate::screen::Screen;

/// The state that later commands find, and the options that they need to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Afterwards {
    /// The service keeps the state.
    Service(&'static str),
    /// The sandbox of this command has ended. The next one with the same file continues with its state.
    File(&'static str),
    /// The sandbox of this command has ended, and its state is gone.
    Nothing(&'static str),
}

impl Afterwards {
    /// Returns the service or sandbox that the options of this command name. Leaks their text: the program has only one session.
    fn of(connection: &Connection) -> Self {
        let options = connection.again().leak();
        match (connection.sandbox, &connection.world.db) {
            (false, _) => Self::Service(options),
            (true, Some(_)) => Self::File(options),
            (true, None) => Self::Nothing(options),
        }
    }

    /// Returns the command line that continues after this command, or `None` if none can.
    pub(crate) fn command(self, command: &str) -> Option<String> {
        (!matches!(self, Self::Nothing(_))).then(|| self.reading(command))
    }

    /// Returns the command line that reads state from before this command. Another sandbox has the same people.
    pub(crate) fn reading(self, command: &str) -> String {
        let (Self::Service(options) | Self::File(options) | Self::Nothing(options)) = self;
        format!("`vitalwire {command}{options}`")
    }
}

/// The service to call.
pub(crate) struct Session {
    pub(crate) client: Client,
    /// The sandbox started for this command.
    pub(crate) sandbox: Option<Sandbox>,
    pub(super) afterwards: Afterwards,
    pub(super) format: Format,
    pub(super) columns: Columns,
    pub(super) destination: Destination,
    /// Cancels the calls of this command.
    pub(super) stop: CancelToken,
    /// Hints about what this command has done so far.
    pub(super) done: Done,
    /// `None` with a sandbox.
    settings: Option<Settings>,
    /// Whether invalid arguments are rejected before a request is sent.
    pub(super) local_checks: bool,
}

impl Session {
    /// Creates a client from the settings, or starts a sandbox and creates a client for its first person.
    pub(crate) async fn open(connection: Connection, stop: Stop) -> Result<Self, Failure> {
        let format = connection.format.unwrap_or_default();
        // Check first: a response that cannot be written need not be requested.
        Self::built_in(format)?;
        connection.destination.check(format.is_binary())?;
        for input in connection.config.iter().chain(&connection.world.db) {
            connection.destination.spare(input)?;
        }
        let mut local_checks = true;
        let afterwards = Afterwards::of(&connection);
        let (client, settings, sandbox) = if connection.sandbox {
            let sandbox = local::start(connection.world, ANY_PORT).await?;
            (local::client(&sandbox, Some(sandbox.token()))?, None, Some(sandbox))
        } else {
            let settings = Settings::load(&connection)?;
            local_checks = settings.local_checks();
            (settings.client()?, Some(settings), None)
        };
        let Connection { columns, destination, .. } = connection;
        Ok(Self { client, sandbox, afterwards, format, columns, destination, stop: stop.token, done: stop.done, settings, local_checks })
    }

    /// Creates a client that decodes mock responses with the settings of this command.
    pub(super) fn answering(&self, answers: &MockResponses) -> Result<Client, Failure> {
        match &self.settings {
            Some(settings) => settings.answering(answers),
            None => Ok(Client::builder().mock_responses(answers).build()?),
        }
    }

    /// Records that a call is about to be made.
    fn begin<O: Operation>(&self) {
        if O::META.http_method != "GET" {
            self.done.begin(format!("what was requested may have been done ({}): look before doing it again", O::META.id));
        }
    }

    /// Records that a call has taken effect.
    fn did<O: Operation>(&self) {
        if O::META.http_method != "GET" {
            self.done.set(format!("the service has done what was requested ({})", O::META.id));
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

    /// Returns the time `seconds` ago.
    pub(crate) fn before(&self, seconds: i64) -> Timestamp {
        Timestamp::from_unix(self.now().unix_seconds() - seconds, 0).unwrap_or_default()
    }

    /// Returns the sandbox and its first person, whose token the client has.
    pub(crate) fn person(&self) -> Option<(&Sandbox, &Person)> {
        self.sandbox.as_ref().and_then(|sandbox| Some((sandbox, sandbox.people().first()?)))
    }

    /// Returns the last night of the sandbox's first person. `None` without a sandbox.
    pub(crate) fn last_night(&self) -> Option<LastNight> {
        self.person().map(|(sandbox, person)| local::last_night(sandbox, person))
    }

    /// Makes a call and prints its response, either as received or drawn under this title.
    pub(crate) async fn show<O: Operation>(
        &self,
        call: Call<O>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.begin::<O>();
        match self.format {
            Format::Json => self.as_it_comes(call).await,
            Format::Table => {
                let answer = asked(call.cancel_token(&self.stop).send()).await?;
                self.did::<O>();
                self.show_drawn(title, |screen| draw(screen, &answer))
            }
            Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
        }
    }

    /// Prints a drawing under a title.
    pub(super) fn show_drawn(&self, title: &str, draw: impl FnOnce(&mut Screen) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut screen = Screen::new(Output::to(&self.destination)?, self.sandbox.is_some());
        screen.title(title)?;
        draw(&mut screen)?;
        screen.finish()
    }

    /// Prints a response whose body was kept, in the requested format.
    pub(super) fn show_answer<O: Operation, T>(
        &self,
        answer: &Response<T>,
        table: TableId,
        title: &str,
        draw: impl FnOnce(&mut Screen, &T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let body = || answer.raw().ok_or_else(no_json);
        match self.format {
            Format::Json => write(&json::indented(body()?).ok_or_else(no_json)?, &self.destination),
            Format::Table => self.show_drawn(title, |screen| draw(screen, answer)),
            Format::Csv | Format::Parquet | Format::Arrow => self.export(table.into(), Table::read(table, O::META.id, body()?)?),
        }
    }

    async fn as_it_comes<O: Operation>(&self, call: Call<O>) -> Result<(), Failure> {
        let answer = asked(call.cancel_token(&self.stop).raw()).await?;
        self.did::<O>();
        // Only a deletion may have an empty response.
        if answer.body.trim_ascii().is_empty() && O::META.http_method == "DELETE" {
            return Output::to(&self.destination)?.finish();
        }
        let text = json::indented(&answer.body).ok_or_else(no_json)?;
        write(&text, &self.destination)
    }

    /// Makes a call whose result is one line, and prints that line alone, for use in scripts.
    pub(crate) async fn print<O: Operation>(&self, call: Call<O>, text: impl FnOnce(&O::Output) -> Option<String>) -> Result<(), Failure> {
        self.begin::<O>();
        match self.format {
            Format::Json => self.as_it_comes(call).await,
            Format::Table => {
                let answer = asked(call.cancel_token(&self.stop).send()).await?;
                self.did::<O>();
                let mut out = Output::to(&self.destination)?;
                if let Some(text) = text(&answer) {
                    out.line(&clean(&text))?;
                }
                out.finish()
            }
            Format::Csv | Format::Parquet | Format::Arrow => Err(NO_TABLE),
        }
    }
}

/// Writes a JSON body as received, with indentation.
pub(crate) fn as_it_came(body: &[u8], destination: &Destination) -> Result<(), Failure> {
    write(&json::indented(body).ok_or_else(|| Error::new(ErrorKind::Decode))?, destination)
}

/// Returns the failure for a response that is not JSON.
pub(super) fn no_json() -> Failure {
    let error = Error::with_reason(ErrorKind::Decode, "the answer is not JSON");
    Failure::Hinted(error, "is the base URL the service's own, and no page or gateway before it?".to_owned())
}

/// Writes a text and a line end.
pub(super) fn write(text: &str, destination: &Destination) -> Result<(), Failure> {
    let mut out = Output::to(destination)?;
    out.line(text)?;
    out.finish()
}
