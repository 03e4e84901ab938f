//! The commands, one module each.

mod demo;
mod local;
mod sandbox;

use tokio::runtime::Builder;

use crate::cli::Command;
use crate::failure::Failure;

/// Threads that serve and call. Two are enough to do both at once.
const THREADS: usize = 2;

/// Runs a command to its end.
pub(crate) fn run(command: Command) -> Result<(), Failure> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
        .map_err(|error| Failure::Local("the async runtime does not start", Some(error)))?;
    runtime.block_on(async {
        match command {
            Command::Demo(world) => demo::run(world).await,
            Command::Sandbox(options) => sandbox::run(options).await,
        }
    })
}
