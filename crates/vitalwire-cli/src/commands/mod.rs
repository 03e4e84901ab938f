//! The commands, one module each.

mod about;
mod asked;
mod demo;
mod export;
mod file;
mod integrations;
mod labs;
mod local;
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
mod waiting;
mod webhook;

use tokio::runtime::Builder;
use vitalwire::client::CancelToken;

use crate::cli::{Cli, Command, Connection, Service};
use crate::failure::Failure;
use crate::view::benefits;
use session::Session;
use signals::unless_interrupted;

/// Threads that serve and call. Two are enough to do both at once.
const THREADS: usize = 2;

/// Runs a command to its end.
pub(crate) fn run(cli: Cli) -> Result<(), Failure> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
        .map_err(|error| Failure::Local("the async runtime does not start", Some(error)))?;
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Demo => unless_interrupted(|_| demo::run(cli.connection.world)).await,
            Command::Sandbox(options) => sandbox::run(cli.connection.world, options).await,
            Command::Record(options) => record::run(cli.connection, options).await,
            Command::Completions { shell } => about::completions(shell, &cli.connection.destination),
            Command::Man { directory } => about::man(directory.as_deref(), &cli.connection.destination),
            Command::Licenses => about::licenses(&cli.connection.destination),
            Command::Webhook(what) => webhook::run(what, cli.connection.format.unwrap_or_default(), &cli.connection.destination),
            Command::Service(service) => unless_interrupted(|stop| call(cli.connection, service, stop)).await,
        }
    });
    // A thread that reads a pipe nobody writes to would be waited for otherwise.
    runtime.shutdown_background();
    outcome
}

/// Runs a command that calls a service.
async fn call(connection: Connection, service: Service, stop: CancelToken) -> Result<(), Failure> {
    let session = Session::open(connection, stop).await?;
    let outcome = match service {
        Service::User => user::info(&session).await,
        Service::Properties => user::properties(&session).await,
        Service::Sleep { date: Some(date), table, .. } => sleep::of_date(&session, date, table.unwrap_or_default()).await,
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
    outcome
}
