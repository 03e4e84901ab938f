//! A sandbox in this process, and a client for it.

use vitalwire::client::ClientBuilder;
use vitalwire::{Client, Error};
use vitalwire_sandbox::{Builder, Sandbox};

use crate::cli::{Processing, SandboxOptions};
use crate::config::USER_AGENT;
use crate::failure::Failure;

/// Any free port of this machine.
pub(crate) const ANY_PORT: &str = "127.0.0.1:0";
const SEED: u64 = 1;

pub(crate) async fn start(options: SandboxOptions, bind: &str) -> Result<Sandbox, Failure> {
    Ok(builder(options, bind).start().await?)
}

pub(crate) fn builder(options: SandboxOptions, bind: &str) -> Builder {
    let mut builder = Sandbox::builder().seed(options.seed.unwrap_or(SEED)).bind(bind);
    if let Some(people) = options.people {
        builder = builder.people(people);
    }
    if let Some(share) = options.missing {
        builder = builder.missing(share);
    }
    if let Some(effects) = options.effects {
        builder = builder.effects(effects);
    }
    if let Some(deliveries) = options.delivery {
        builder = builder.deliveries(deliveries);
    }
    if let Some(date) = options.today {
        builder = builder.today(date);
    }
    if let Some(scale) = options.time_scale {
        builder = builder.time_scale(scale);
    }
    match options.processing {
        None => {}
        Some(Processing::Typical) => builder = builder.typical_processing(),
        Some(Processing::Fixed(time)) => builder = builder.processing(time),
    }
    if let Some(path) = options.db {
        builder = builder.database(path);
    }
    builder
}

/// Creates a client for both services of a sandbox, with the token of a user.
pub(crate) fn client(sandbox: &Sandbox, token: Option<&str>) -> Result<Client, Error> {
    let mut builder = client_builder(sandbox);
    if let Some(token) = token {
        builder = builder.token(token);
    }
    builder.build()
}

/// Returns the settings of a client for both services of a sandbox, without the token of a user.
pub(crate) fn client_builder(sandbox: &Sandbox) -> ClientBuilder {
    Client::builder()
        .base_url(sandbox.base_url())
        .care_base_url(sandbox.care_base_url())
        .care_token(sandbox.care_token())
        .user_agent(USER_AGENT)
        // The sandbox is on this machine, so a proxy cannot reach it.
        .no_proxy()
}
