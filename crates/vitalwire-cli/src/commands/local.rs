//! A sandbox of our own, and a client that talks to it.

use jiff::civil::Date;
use vitalwire::{Client, Error};
use vitalwire_sandbox::{Builder, Person, Sandbox};

use crate::cli::{Processing, World};
use crate::config::USER_AGENT;
use crate::failure::Failure;

/// A free port of this machine.
pub(crate) const ANY_PORT: &str = "127.0.0.1:0";
/// The seed of a sandbox by default.
const SEED: u64 = 1;

/// Starts the sandbox.
pub(crate) async fn start(world: World, bind: &str) -> Result<Sandbox, Failure> {
    Ok(builder(world, bind).start().await?)
}

/// A sandbox that is yet to start.
pub(crate) fn builder(world: World, bind: &str) -> Builder {
    let mut builder = Sandbox::builder().seed(world.seed.unwrap_or(SEED)).bind(bind);
    if let Some(date) = world.today {
        builder = builder.today(date);
    }
    if let Some(scale) = world.time_scale {
        builder = builder.time_scale(scale);
    }
    match world.processing {
        None => {}
        Some(Processing::Typical) => builder = builder.typical_processing(),
        Some(Processing::Fixed(time)) => builder = builder.processing(time),
    }
    if let Some(path) = world.db {
        builder = builder.database(path);
    }
    builder
}

/// A client for both services of a sandbox, as the user of that token.
pub(crate) fn client(sandbox: &Sandbox, token: Option<&str>) -> Result<Client, Error> {
    let mut builder = Client::builder()
        .base_url(sandbox.base_url())
        .care_base_url(sandbox.care_base_url())
        .care_token(sandbox.care_token())
        .user_agent(USER_AGENT)
        // The sandbox is on this machine.
        .no_proxy();
    if let Some(token) = token {
        builder = builder.token(token);
    }
    builder.build()
}

/// A night that is over.
pub(crate) struct LastNight {
    pub(crate) id: String,
    /// The date of its morning.
    pub(crate) date: Date,
}

/// The last night of a person that is over, as the sandbox itself knows it: the service has no list of nights, and a call to find out would
/// stand in the log of requests.
pub(crate) fn last_night(sandbox: &Sandbox, person: &Person) -> LastNight {
    let date = sandbox.app().last_night(person);
    LastNight { id: person.sleep_id(date), date }
}
