//! The commands, one module each.

mod about;
mod asked;
mod confirm;
mod demo;
mod export;
mod file;
mod gather;
mod ids;
mod integrations;
mod labs;
mod local;
mod man;
mod meals;
mod names;
mod range;
mod record;
mod sandbox;
mod secret;
mod session;
mod signals;
mod sleep;
mod stats;
mod token;
mod upload;
mod user;
mod user_days;
mod waiting;
mod webhook;

use std::time::Duration;

use tokio::runtime::Builder;

use crate::cli::{Cli, Command, Connection, Service};
use crate::failure::Failure;
use crate::view::benefits;
use session::Session;
use signals::{GRACE, Stop, unless_interrupted};

/// Worker threads. Two are enough to serve and call at the same time.
const THREADS: usize = 2;

/// Runs a command to completion.
pub(crate) fn run(cli: Cli) -> Result<(), Failure> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
        .map_err(|error| Failure::Local("the async runtime does not start", Some(error)))?;
    let (style, connection) = (cli.connection.error_style(), cli.connection);
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Sandbox(options) => sandbox::run(connection.world, options).await,
            Command::Record(options) => record::run(connection, options).await,
            Command::Demo => {
                let state = "the sandbox of the demo has ended";
                unless_interrupted(style, Duration::ZERO, state, |_| demo::run(connection.world)).await
            }
            Command::Service(service) => {
                let state = "it was ended at once: a request may have been sent, and the output is not complete";
                unless_interrupted(style, GRACE, state, |stop| call(connection, service, stop)).await
            }
            command => {
                let state = "nothing was sent, and the output is not complete";
                unless_interrupted(style, Duration::ZERO, state, |_| async { local(connection, command) }).await
            }
        }
    });
    // Otherwise the runtime would wait for a thread that reads a pipe without a writer.
    runtime.shutdown_background();
    outcome
}

/// Runs a command that needs no service.
fn local(connection: Connection, command: Command) -> Result<(), Failure> {
    match command {
        Command::Completions { shell } => about::completions(shell, &connection.destination),
        Command::Man { directory } => man::run(directory.as_deref(), &connection.destination),
        Command::Licenses => about::licenses(&connection.destination),
        Command::Webhook(what) => webhook::run(what, connection.format.unwrap_or_default(), &connection.destination),
        Command::Demo | Command::Sandbox(_) | Command::Record(_) | Command::Service(_) => Ok(()),
    }
}

/// Runs a command that calls a service.
async fn call(connection: Connection, mut service: Service, stop: Stop) -> Result<(), Failure> {
    let done = stop.done.clone();
    if let Some(in_parts) = service.in_parts_mut() {
        gather::find_token(in_parts, &connection.destination, &done)?;
    }
    let session = Session::open(connection, stop).await?;
    let outcome = match service {
        Service::User => user::info(&session).await,
        Service::Properties => user::properties(&session).await,
        Service::Sleep { date: Some(day), table, .. } => {
            let date = session.date(day).await?;
            sleep::of_days(&session, date, date, table.unwrap_or_default()).await
        }
        Service::Sleep { id, table, .. } => sleep::run(&session, id, table.unwrap_or_default()).await,
        Service::Stats(stats) => stats::run(&session, stats).await,
        Service::Nutrition(what) => meals::run(&session, what).await,
        Service::Labs(what) => labs::run(&session, what).await,
        Service::Integrations(what) => integrations::run(&session, what).await,
        Service::Benefits { clinic, patient, policy } => {
            session.show(session.client.care().benefits(clinic, patient, policy), "Benefits", benefits::show).await
        }
        Service::Token(options) => token::run(&session, options.into()).await,
    };
    session.close().await;
    outcome.map_err(|failure| failure.after(done.get()))
}
