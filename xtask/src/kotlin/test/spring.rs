//! Tests a server with Spring Boot outside the workspace, which receives webhooks of a sandbox and gives tokens to an app.

use super::consumer::Consumer;
use crate::kotlin::maven::SHORT_RUN_OPTIONS;
use crate::steps::{Context, Count, Outcome, Sandbox, run_and_show};

/// Folder of the server's project.
const PROJECT: &str = "bindings/kotlin/installed-spring";

/// Compiles the server and runs its tests. It gets a sandbox of its own, because it changes where the sandbox sends webhooks.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(missing) = Consumer::missing() {
        return Ok(missing);
    }
    let consumer = Consumer::create(context, PROJECT)?;
    let sandbox = Sandbox::start(&context.root)?;
    let mut test = consumer.maven(&context.root)?;
    test.arg("test").env("MAVEN_OPTS", SHORT_RUN_OPTIONS).envs(sandbox.environment());
    let outcome = run_and_show(&mut test)?.count_tests(Count::surefire);
    sandbox.stop()?;
    Ok(outcome)
}
