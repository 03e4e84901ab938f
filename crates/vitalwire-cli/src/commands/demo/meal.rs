//! Screen: uploads a photo of a meal, changes the serving size of the record, and deletes it.

use std::time::Duration;

use vitalwire::models::{NutritionRecord, NutritionalFields};
use vitalwire::open_sets::{NutrientName, NutritionStatus};
use vitalwire::value::{OpenSet, Timestamp};

use super::photo;
use super::story::Story;
use crate::failure::Failure;
use crate::render::number::{brief, grouped};
use crate::render::style::{BAD, flow, paint};
use crate::view::nutrition::{self, amount};

/// Width of the picture beside the numbers, in columns.
const PREVIEW: i32 = 20;
/// Delay between two polls of a record whose analysis has not ended.
const PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of polls.
const LOOKS: u32 = 60;
/// Number of days whose meals are counted.
const DAYS: i64 = 3;
/// Factor by which the serving size grows.
const MORE: f64 = 1.5;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("A photo of a meal becomes nutrition facts")?;
    let image = super::picture()?;
    let (side, bytes) = (photo::SIDE, brief(image.len() as f64, 0));
    recent(story).await?;
    story.line("")?;
    story.line(&format!("{}, {side} × {side} pixels, {bytes} bytes, drawn by code", photo::NAME))?;
    let upload = story.client.nutrition_records().upload().body(image).wait_on_process(true);
    let upload = upload.include_nutri_score(true).include_ingredients(true).include_dish_description(true);
    let upload = upload.language_code("de").country_code("de").include_nutrition_fields(nutrition::LABEL);
    let id = story.call(upload).await?.record_id.to_string();
    let record = analysed(story, &id).await?;
    if record.status != NutritionStatus::Completed {
        let reason = record.failure_reason.as_deref().unwrap_or("no reason given");
        return story.line(&format!("the analysis ended {}: {reason}", paint(BAD, record.status.as_str())));
    }
    let picture = if story.colored() { photo::preview(PREVIEW) } else { Vec::new() };
    nutrition::show(story, &record, &picture, PREVIEW.unsigned_abs() as usize)?;
    story.line("")?;
    resize(story, &id, &record).await?;
    story.line("")?;
    story.call(story.client.nutrition_records().delete(id)).await?;
    story.line("The record is deleted; a second time would be answered the same.")
}

/// Shows the meals of the days before.
async fn recent(story: &mut Story<'_>) -> Result<(), Failure> {
    let now = Timestamp::from(story.sandbox.app().now());
    let from = Timestamp::from_unix(now.unix_seconds() - DAYS * 86_400, 0).unwrap_or_default();
    let meals = story.call(story.client.nutrition_records().list().from_timestamp(from).to_timestamp(now)).await?;
    let energy: f64 = meals.iter().filter_map(|meal| meal.nutritional_fields.as_ref()?.energy_kcal()).sum();
    let last = meals.iter().max_by_key(|meal| meal.consumed_at).and_then(|meal| meal.dish_name.as_deref()).unwrap_or("nothing");
    story.note(&format!("{} meals in the last {DAYS} days, {} kcal; the latest: {last}", meals.len(), grouped(energy, 0)))
}

/// Polls the record until its analysis ends. The upload waited for it, so usually the first response is final.
async fn analysed(story: &mut Story<'_>, id: &str) -> Result<NutritionRecord, Failure> {
    for _ in 0..LOOKS {
        let record = story.call(story.client.nutrition_records().get(id)).await?.into_inner();
        if !matches!(record.status, NutritionStatus::Pending | NutritionStatus::Processing) {
            return Ok(record);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(Failure::Local("the analysis does not end", None))
}

/// Changes the serving size. The response to the change uses another basis than a record that is read, so the record is read again.
async fn resize(story: &mut Story<'_>, id: &str, before: &NutritionRecord) -> Result<(), Failure> {
    let Some(size) = before.serving_size else { return Ok(()) };
    let answer = story.call(story.client.nutrition_records().update(id, size * MORE)).await?;
    let basis = |fields: &Option<NutritionalFields>| fields.as_ref().map_or("no numbers", |fields| fields.basis().as_str());
    let (status, stated) = (answer.status.to_string(), basis(&answer.nutritional_fields));
    let after = story.call(story.client.nutrition_records().get(id)).await?;
    let energy = |record: &NutritionRecord| {
        let value = record.nutritional_fields.as_ref().and_then(|fields| fields.get(&NutrientName::EnergyKcal));
        value.map_or_else(|| "?".to_owned(), |value| format!("{} kcal", grouped(value, 0)))
    };
    let changes = [
        format!("serving {} → {}", amount(before), amount(&after)),
        format!("energy {} → {}", energy(before), energy(&after)),
        format!("status {status}"),
    ];
    for line in flow(changes, "  ·  ", story.room()) {
        story.line(&line)?;
    }
    story.note(&format!(
        "The interface describes the numbers in the answer to a change as {stated}, those of a record that is read as {}: the client \
         keeps the two apart, so the demo read the record again.",
        basis(&after.nutritional_fields)
    ))
}
