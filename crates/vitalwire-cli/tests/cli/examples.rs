//! The examples of the core, run against the sandbox.

#![allow(dead_code, reason = "each example has a `main`")]

use crate::common::Served;

#[path = "../../../vitalwire/examples/meals.rs"]
mod meals;
#[path = "../../../vitalwire/examples/nights.rs"]
mod nights;
#[path = "../../../vitalwire/examples/steps.rs"]
mod steps;

#[tokio::test]
async fn every_example_runs_to_its_end() {
    let served = Served::start(&["--seed", "7", "--today", "2025-11-21"]);
    let client = served.client();
    let days = ("2025-11-14".parse().expect("a date"), "2025-11-20".parse().expect("a date")).into();
    nights::run(&client, days).await.expect("nights");
    steps::run(&client, days).await.expect("steps");
    meals::run(&client).await.expect("meals");
    // The same calls find something to print.
    let nights = client.sleeps().between(days).collect().await.expect("nights").into_inner();
    let meals = client.nutrition_records().list().await.expect("meals").into_inner();
    assert!(nights.len() >= 7 && !meals.is_empty(), "{} nights, {} meals", nights.len(), meals.len());
}

/// An example that is here and not run would go on compiling alone.
#[test]
fn every_example_is_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vitalwire/examples");
    let mut found: Vec<_> = std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").file_name()).collect();
    found.sort();
    assert_eq!(found, ["meals.rs", "nights.rs", "steps.rs"]);
}
