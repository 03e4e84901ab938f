//! Examples of the client crate, run against the sandbox.

#![allow(dead_code, reason = "each example has a `main`")]

use crate::common::RunningSandbox;

#[path = "../../../vitalwire/examples/meals.rs"]
mod meals;
#[path = "../../../vitalwire/examples/nights.rs"]
mod nights;
#[path = "../../../vitalwire/examples/steps.rs"]
mod steps;

#[tokio::test]
async fn every_example_completes() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let client = served.client();
    let days = ("2025-11-14".parse().expect("a date"), "2025-11-20".parse().expect("a date")).into();
    nights::run(&client, days).await.expect("nights");
    steps::run(&client, days).await.expect("steps");
    meals::run(&client).await.expect("meals");
    // The sandbox has data for the calls of the examples.
    let nights = client.sleeps().between(days).collect().await.expect("nights").into_inner();
    let meals = client.nutrition_records().list().await.expect("meals").into_inner();
    assert!(nights.len() >= 7 && !meals.is_empty(), "{} nights, {} meals", nights.len(), meals.len());
}

/// An example that is not listed here would be compiled but never run.
#[test]
fn every_example_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vitalwire/examples");
    let mut found: Vec<_> = std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").file_name()).collect();
    found.sort();
    assert_eq!(found, ["meals.rs", "nights.rs", "steps.rs"]);
}
