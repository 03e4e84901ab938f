//! A picture of a meal and a lab report, until their analyses end: `cargo run --example upload`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::time::Duration;

use vitalwire::open_sets::NutritionStatus;
use vitalwire::prelude::*;
use vitalwire::upload::{Document, Image};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_env()?;

    let picture = Image::from_path("lunch.png").await?.without_metadata()?;
    let wait = client.nutrition_records().upload_image(picture).and_wait().timeout(Duration::from_secs(120));
    let meal = match wait.await {
        Ok(meal) => meal,
        Err(failure) => match failure.record_id() {
            // The picture was uploaded: wait for its record again.
            Some(id) => client.nutrition_records().wait_for(id).await?,
            None => return Err(failure.into()),
        },
    };
    if meal.status == NutritionStatus::Failed {
        println!("the service could not analyse the picture");
    } else {
        let energy = meal.nutritional_fields.as_ref().and_then(|fields| fields.energy_kcal());
        let energy = energy.map_or("unknown energy".to_owned(), |energy| format!("{energy:.0} kcal"));
        println!("{}, {energy}", meal.dish_name.as_deref().unwrap_or("a meal"));
    }

    let document = Document::from_path("report.pdf").await?;
    let report = client.lab_reports().upload_document(document).and_wait().await?;
    for result in report.sections.iter().flat_map(|section| &section.results) {
        let name = result.standard_test_name.as_ref().or(result.original_test_name.as_ref());
        // Some results have a text, such as "negative", instead of a number.
        let value = result.value.map(|value| value.to_string()).or_else(|| result.value_text.clone());
        println!("{}: {}", name.map_or("a test", String::as_str), value.as_deref().unwrap_or("unknown"));
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}
