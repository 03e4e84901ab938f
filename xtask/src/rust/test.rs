//! Tests of all crates, and the examples in the documentation and README.

use crate::build::SHARED;
use crate::steps::{Context, Count, Outcome, Step, retries, run_and_show};

/// Steps of `cargo xtask test`.
pub(super) const STEPS: [Step; 4] = [
    Step::new("rust", run),
    Step::deep("cancelled", cancelled),
    Step::deep("histories", histories),
    Step::deep("json-features", json_features),
];

/// Runs `cargo test` for the workspace with every feature.
fn run(context: &Context) -> anyhow::Result<Outcome> {
    let test = || {
        let mut cargo = context.cargo();
        cargo.arg("test").args(SHARED).arg("--no-fail-fast");
        cargo
    };
    retries::count_with_retry(&run_and_show(&mut test())?, Count::cargo, |output| {
        let mut retry = test();
        retry.args(["--", "--test-threads", "1", "--exact"]).args(retries::failed_in_cargo(output));
        retry
    })
}

/// Cancels uploads at each of their await points, ten times as often as the step `rust` does.
fn cancelled(context: &Context) -> anyhow::Result<Outcome> {
    let mut cargo = context.cargo();
    cargo.arg("test").args(SHARED).args(["--test", "cancelled"]).env("VITALWIRE_RUNS", "200");
    let printed = run_and_show(&mut cargo)?;
    Ok(printed.count_tests(Count::cargo))
}

/// Runs random histories: a million that compare states with a naive model, and 100,000 that compare copies with a mock service.
fn histories(context: &Context) -> anyhow::Result<Outcome> {
    let mut count = Count::default();
    // The histories of copies send many requests, so they run with optimized code.
    for (name, profile, runs) in [("state::tests", "dev", "50"), ("histories", "release", "2000")] {
        let mut cargo = context.cargo();
        // Not the whole workspace: the tests of the Python crate cannot be linked without an interpreter.
        cargo.args(["test", "-p", "vitalwire-sync", "--all-features", "--locked", "--profile", profile, "--lib", name]);
        match run_and_show(cargo.env("VITALWIRE_RUNS", runs))?.count_tests(Count::cargo) {
            Outcome::Ran(more) => count += more,
            other => return Ok(other),
        }
    }
    Ok(Outcome::Ran(count))
}

/// Features of serde_json that change its behaviour, and that any crate of a program may enable for all others.
const JSON: [&str; 3] = ["serde_json/arbitrary_precision", "serde_json/preserve_order", "serde_json/unbounded_depth"];

/// Runs the core's tests with each of serde_json's features alone, and with all of them.
fn json_features(context: &Context) -> anyhow::Result<Outcome> {
    let mut count = Count::default();
    let alone = JSON.map(str::to_owned);
    for features in alone.into_iter().chain([JSON.join(",")]) {
        crate::print_line(&format!("with {features}:"));
        match core_with(context, &features)? {
            Outcome::Ran(more) => count += more,
            other => return Ok(other),
        }
    }
    Ok(Outcome::Ran(count))
}

/// Runs the core's tests with these features. Uses a separate target folder, because the next step would rebuild serde_json.
fn core_with(context: &Context, features: &str) -> anyhow::Result<Outcome> {
    let mut cargo = context.cargo();
    cargo.args([
        "test",
        "--package",
        "vitalwire-runtime",
        "--package",
        "vitalwire",
        "--all-features",
        "--no-fail-fast",
        "--features",
        features,
    ]);
    cargo.env("CARGO_TARGET_DIR", context.target.join("json-features")).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    let printed = run_and_show(cargo.env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    Ok(printed.count_tests(Count::cargo))
}
