//! `vitalwire demo`: shows the whole service screen by screen, with the client and over real HTTP. One module per screen.

mod benefits;
mod consent;
mod days;
mod errors;
mod hours;
mod labs;
mod meal;
mod night;
mod photo;
mod state;
mod token;
mod user;

use vitalwire_sandbox::Sandbox;

use super::local_sandbox;
use crate::cli::SandboxOptions;
use crate::failure::Failure;
pub(crate) use labs::{DOCUMENT, NAME as DOCUMENT_NAME};
use state::DemoState;

/// Returns the synthetic picture of food.
pub(crate) fn picture() -> Result<Vec<u8>, Failure> {
    photo::png().map_err(|_| Failure::Local("the picture cannot be drawn", None))
}

/// Runs the demo against a sandbox on a free port of this machine.
pub(crate) async fn run(options: SandboxOptions) -> Result<(), Failure> {
    let sandbox = local_sandbox::start(options, local_sandbox::ANY_PORT).await?;
    let outcome = show_screens(&sandbox).await;
    sandbox.shutdown().await;
    outcome
}

async fn show_screens(sandbox: &Sandbox) -> Result<(), Failure> {
    let person = sandbox.people().first().ok_or(Failure::Local("the sandbox has no people", None))?;
    let mut demo = DemoState::new(sandbox, person)?;
    demo.introduce()?;
    token::show(&mut demo).await?;
    user::show(&mut demo).await?;
    consent::show(&mut demo).await?;
    night::show(&mut demo).await?;
    hours::show(&mut demo).await?;
    days::show(&mut demo).await?;
    meal::show(&mut demo).await?;
    labs::show(&mut demo).await?;
    benefits::show(&mut demo).await?;
    errors::show(&mut demo).await?;
    demo.summarize()
}
