//! Screen: uploads a photo of a meal, changes the serving size of the record, and deletes it.

use vitalwire::models::{NutritionRecord, NutritionalFields};
use vitalwire::open_sets::{NutrientName, NutritionStatus};
use vitalwire::value::{OpenSet, Timestamp};

use super::photo;
use super::state::DemoState;
use crate::failure::Failure;
use crate::render::number::{brief, grouped};
use crate::render::style::{BAD, join_wrapped, paint};
use crate::view::nutrition::{self, amount};

/// Width of the picture beside the numbers, in columns.
const PREVIEW_COLUMNS: i32 = 20;
/// Number of days whose meals are counted.
const DAYS: i64 = 3;
/// Factor by which the serving size grows.
const GROWTH: f64 = 1.5;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("A photo of a meal becomes nutrition facts")?;
    let image = super::picture()?;
    let (side, bytes) = (photo::SIDE, brief(image.len() as f64, 0));
    show_recent(demo).await?;
    demo.line("")?;
    demo.line(&format!("{}, {side} × {side} pixels, {bytes} bytes, drawn by code", photo::NAME))?;
    let upload = demo.client.nutrition_records().upload().body(image).wait_on_process(true);
    let upload = upload.include_nutri_score(true).include_ingredients(true).include_dish_description(true);
    let upload = upload.language_code("de").country_code("de").include_nutrition_fields(nutrition::FOOD_LABEL);
    let id = demo.call(upload).await?.record_id.to_string();
    // The upload waited for the analysis, so usually the first response is final.
    let is_pending = |record: &NutritionRecord| matches!(record.status, NutritionStatus::Pending | NutritionStatus::Processing);
    let record = demo.wait_for_analysis(|client| client.nutrition_records().get(id.as_str()), is_pending).await?;
    if record.status != NutritionStatus::Completed {
        let reason = record.failure_reason.as_deref().unwrap_or("no reason given");
        return demo.line(&format!("the analysis ended {}: {reason}", paint(BAD, record.status.as_str())));
    }
    let picture = if demo.colored() { photo::preview(PREVIEW_COLUMNS) } else { Vec::new() };
    nutrition::show(demo, &record, &picture, PREVIEW_COLUMNS.unsigned_abs() as usize)?;
    demo.line("")?;
    resize(demo, &id, &record).await?;
    demo.line("")?;
    demo.call(demo.client.nutrition_records().delete(id)).await?;
    demo.line("The record is deleted; a second deletion would get the same response.")
}

/// Shows the meals of the days before.
async fn show_recent(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    let now = Timestamp::from(demo.sandbox.app().now());
    let from = Timestamp::from_unix(now.unix_seconds() - DAYS * 86_400, 0).unwrap_or_default();
    let meals = demo.call(demo.client.nutrition_records().list().from_timestamp(from).to_timestamp(now)).await?;
    let energy: f64 = meals.iter().filter_map(|meal| meal.nutritional_fields.as_ref()?.energy_kcal()).sum();
    let last = meals.iter().max_by_key(|meal| meal.consumed_at).and_then(|meal| meal.dish_name.as_deref()).unwrap_or("nothing");
    demo.note(&format!("{} meals in the last {DAYS} days, {} kcal; the latest: {last}", meals.len(), grouped(energy, 0)))
}

/// Changes the serving size. The response to the change uses another basis than a record that is read, so the record is read again.
async fn resize(demo: &mut DemoState<'_>, id: &str, before: &NutritionRecord) -> Result<(), Failure> {
    let Some(size) = before.serving_size else { return Ok(()) };
    let response = demo.call(demo.client.nutrition_records().update(id, size * GROWTH)).await?;
    let basis = |fields: &Option<NutritionalFields>| fields.as_ref().map_or("no numbers", |fields| fields.basis().as_str());
    let (status, stated) = (response.status.to_string(), basis(&response.nutritional_fields));
    let after = demo.call(demo.client.nutrition_records().get(id)).await?;
    let energy = |record: &NutritionRecord| {
        let value = record.nutritional_fields.as_ref().and_then(|fields| fields.get(&NutrientName::EnergyKcal));
        value.map_or_else(|| "?".to_owned(), |value| format!("{} kcal", grouped(value, 0)))
    };
    let changes = [
        format!("serving {} → {}", amount(before), amount(&after)),
        format!("energy {} → {}", energy(before), energy(&after)),
        format!("status {status}"),
    ];
    for line in join_wrapped(changes, "  ·  ", demo.available_width()) {
        demo.line(&line)?;
    }
    demo.note(&format!(
        "The interface describes the numbers in the response to a change as {stated}, those of a record that is read as {}: the client \
         keeps the two apart, so the demo read the record again.",
        basis(&after.nutritional_fields)
    ))
}
