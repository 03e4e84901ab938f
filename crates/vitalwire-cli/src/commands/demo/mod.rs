//! `vitalwire demo`: shows the whole service screen by screen, with the client and over real HTTP. One module per screen.

mod benefits;
mod consent;
mod fortnight;
mod hours;
mod labs;
mod meal;
mod night;
mod photo;
mod story;
mod token;
mod trouble;
mod user;

use vitalwire_sandbox::Sandbox;

use super::local;
use crate::cli::World;
use crate::failure::Failure;
pub(crate) use labs::{DOCUMENT, NAME as DOCUMENT_NAME};
use story::Story;

/// Returns the synthetic picture of food.
pub(crate) fn picture() -> Result<Vec<u8>, Failure> {
    photo::png().map_err(|_| Failure::Local("the picture cannot be drawn", None))
}

/// Runs the demo against a sandbox on a free port of this machine.
pub(crate) async fn run(world: World) -> Result<(), Failure> {
    let sandbox = local::start(world, local::ANY_PORT).await?;
    let outcome = tell(&sandbox).await;
    sandbox.shutdown().await;
    outcome
}

async fn tell(sandbox: &Sandbox) -> Result<(), Failure> {
    let person = sandbox.people().first().ok_or(Failure::Local("the sandbox has no people", None))?;
    let mut story = Story::new(sandbox, person)?;
    story.opening()?;
    token::show(&mut story).await?;
    user::show(&mut story).await?;
    consent::show(&mut story).await?;
    night::show(&mut story).await?;
    hours::show(&mut story).await?;
    fortnight::show(&mut story).await?;
    meal::show(&mut story).await?;
    labs::show(&mut story).await?;
    benefits::show(&mut story).await?;
    trouble::show(&mut story).await?;
    story.closing()
}
