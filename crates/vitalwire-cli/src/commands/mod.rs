//! The commands, one module each.

mod about;
#[cfg(feature = "tables")]
mod cohort;
mod confirm;
mod demo;
mod explain;
mod export;
mod file;
mod ids;
mod integrations;
mod labs;
mod local_sandbox;
mod man;
mod meals;
mod part_download;
mod range;
mod record;
mod requested_names;
mod sandbox;
mod secret;
mod session;
mod signals;
mod sleep;
mod stats;
mod token;
mod unknown_names;
mod upload;
mod user;
mod user_days;
mod wait;
mod webhook;

use std::time::Duration;

use tokio::runtime::Builder;
use vitalwire::{Error, ErrorKind};

use crate::cli::{Cli, Command, Connection, ServiceCommand};
use crate::failure::Failure;
use crate::view::benefits;
use session::Session;
use signals::{Cancellation, GRACE, run_interruptible};

/// Worker threads. Two are enough to serve and call at the same time.
const THREADS: usize = 2;

pub(crate) fn run(cli: Cli) -> Result<(), Failure> {
    #[cfg(unix)]
    check_open_files()?;
    let runtime = match &cli.command {
        // A cohort has many small responses: handing each to another thread would take longer than reading it.
        #[cfg(feature = "tables")]
        Command::Cohort(_) | Command::Sync(_) => Builder::new_current_thread().enable_all().build(),
        _ => Builder::new_multi_thread().worker_threads(THREADS).enable_all().build(),
    };
    let runtime = runtime.map_err(|error| Failure::Local("the async runtime cannot be started", Some(error)))?;
    let (style, connection) = (cli.connection.error_style(), cli.connection);
    let outcome = runtime.block_on(async {
        #[cfg(unix)]
        handle_file_limit();
        match cli.command {
            Command::Sandbox(options) => sandbox::run(connection.sandbox_options, options).await,
            #[cfg(feature = "tables")]
            Command::Cohort(command) => {
                let state = "rows that were written stay; run the export again with --resume";
                run_interruptible(style, Duration::ZERO, state, |_| cohort::run(connection, command)).await
            }
            #[cfg(feature = "tables")]
            Command::Sync(options) => {
                let state = "changes that were written stay; the next sync continues";
                run_interruptible(style, Duration::ZERO, state, |_| cohort::sync(connection, options)).await
            }
            Command::Record(options) => record::run(connection, options).await,
            Command::Demo => {
                let state = "the sandbox of the demo has ended";
                run_interruptible(style, Duration::ZERO, state, |_| demo::run(connection.sandbox_options)).await
            }
            Command::Service(service) => {
                let state = "it was ended at once: a request may have been sent, and the output is not complete";
                run_interruptible(style, GRACE, state, |cancellation| call_service(connection, service, cancellation)).await
            }
            command => {
                let state = "nothing was sent, and the output is not complete";
                run_interruptible(style, Duration::ZERO, state, |_| async { run_locally(connection, command) }).await
            }
        }
    });
    // Otherwise the runtime would wait for a thread that reads a pipe without a writer.
    runtime.shutdown_background();
    outcome
}

/// Fails if the limit of open files is too low for a call: the async runtime would panic, or a sandbox would wait for ever.
#[cfg(unix)]
fn check_open_files() -> Result<(), Failure> {
    const TOO_FEW: &str = "too few files can be opened; raise the limit of open files (ulimit -n)";
    let pairs: std::io::Result<Vec<_>> = (0..6).map(|_| std::os::unix::net::UnixStream::pair()).collect();
    pairs.map(drop).map_err(|error| Failure::Local(TOO_FEW, Some(error)))
}

/// Handles the signal of the limit of file sizes, which would end the program without a message. Writing then fails like on a full disk.
#[cfg(unix)]
fn handle_file_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    // Without the handler, the program still works below the limit.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
}

/// Runs work on a separate thread, so that Ctrl-C takes effect at once: a file may be a pipe without a writer.
async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal).into()))
}

/// Runs a command that needs no service.
fn run_locally(connection: Connection, command: Command) -> Result<(), Failure> {
    match command {
        Command::Completions { shell } => about::completions(shell, &connection.destination),
        Command::Man { directory } => man::run(directory.as_deref(), &connection.destination),
        Command::Licenses => about::licenses(&connection.destination),
        Command::Explain { kind } => explain::run(kind, connection.format.unwrap_or_default(), &connection.destination),
        Command::Webhook(command) => webhook::run(command, connection.format.unwrap_or_default(), &connection.destination),
        Command::Demo | Command::Sandbox(_) | Command::Record(_) | Command::Service(_) => Ok(()),
        #[cfg(feature = "tables")]
        Command::Cohort(_) | Command::Sync(_) => Ok(()),
    }
}

/// Runs a command that calls a service.
async fn call_service(mut connection: Connection, mut service: ServiceCommand, cancellation: Cancellation) -> Result<(), Failure> {
    let effects = cancellation.effects.clone();
    if let Some(part_options) = service.part_options_mut()
        && part_download::prepare(part_options, &mut connection.destination, &effects)?
    {
        return Ok(());
    }
    let session = Session::open(connection, cancellation).await?;
    let outcome = match service {
        ServiceCommand::User => user::info(&session).await,
        ServiceCommand::Properties => user::properties(&session).await,
        ServiceCommand::Sleep { date: Some(day), table, .. } => {
            let date = session.date(day).await?;
            sleep::show_days(&session, date, date, table.unwrap_or_default()).await
        }
        ServiceCommand::Sleep { id, table, .. } => sleep::run(&session, id, table.unwrap_or_default()).await,
        ServiceCommand::Stats(stats) => stats::run(&session, stats).await,
        ServiceCommand::Nutrition(command) => meals::run(&session, command).await,
        ServiceCommand::Labs(command) => labs::run(&session, command).await,
        ServiceCommand::Integrations(command) => integrations::run(&session, command).await,
        ServiceCommand::Benefits { clinic, patient, policy } => {
            session.show(session.client.care().benefits(clinic, patient, policy), "Benefits", benefits::show).await
        }
        ServiceCommand::Token(options) => token::run(&session, options).await,
    };
    session.close().await;
    outcome.map_err(|failure| failure.with_effects(effects.completed()))
}
