//! Screen: a photo of a meal becomes nutrition facts; its serving size is changed; it is deleted.

use std::time::Duration;

use vitalwire::models::{NutritionRecord, NutritionalFields};
use vitalwire::open_sets::{NutriScore, NutrientName, NutritionStatus};
use vitalwire::value::{OpenSet, Timestamp};

use super::photo;
use super::story::Story;
use crate::failure::Failure;
use crate::render::number::{brief, grouped};
use crate::render::style::{BAD, FAINT, GOOD, STRONG, WARN, flow, paint};
use crate::render::table::{Cell, Table};

/// What is asked for, in the order of a food label.
const NUTRIENTS: [NutrientName; 8] = [
    NutrientName::EnergyKcal,
    NutrientName::FatTotalG,
    NutrientName::FatSaturatedG,
    NutrientName::CarbohydrateG,
    NutrientName::SugarsTotalG,
    NutrientName::FiberTotalDietaryG,
    NutrientName::ProteinG,
    NutrientName::SaltG,
];

/// Columns of the picture beside the numbers.
const PREVIEW: i32 = 20;
/// Between two looks at a record that is still being analysed.
const PAUSE: Duration = Duration::from_secs(1);
/// Looks before the demo gives up.
const LOOKS: u32 = 60;
/// Days of meals that are counted.
const DAYS: i64 = 3;
/// How much more of it is eaten in the end.
const MORE: f64 = 1.5;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("A photo of a meal becomes nutrition facts")?;
    let image = photo::png().map_err(|_| Failure::Local("the picture cannot be drawn", None))?;
    let (side, bytes) = (photo::SIDE, brief(image.len() as f64, 0));
    recent(story).await?;
    story.line("")?;
    story.line(&format!("{}, {side} × {side} pixels, {bytes} bytes, drawn by code", photo::NAME))?;
    let upload = story.client.nutrition_records().upload().body(image).wait_on_process(true);
    let upload = upload.include_nutri_score(true).include_ingredients(true).include_dish_description(true);
    let upload = upload.language_code("de").country_code("de").include_nutrition_fields(NUTRIENTS);
    let id = story.call(upload).await?.record_id.to_string();
    let record = analysed(story, &id).await?;
    if record.status != NutritionStatus::Completed {
        let reason = record.failure_reason.as_deref().unwrap_or("no reason given");
        return story.line(&format!("the analysis ended {}: {reason}", paint(BAD, record.status.as_str())));
    }
    facts(story, &record)?;
    resize(story, &id, &record).await?;
    story.line("")?;
    story.call(story.client.nutrition_records().delete(id)).await?;
    story.line("The record is deleted; a second time would be answered the same.")
}

/// What was eaten on the days before.
async fn recent(story: &mut Story<'_>) -> Result<(), Failure> {
    let now = Timestamp::from(story.sandbox.world().now());
    let from = Timestamp::from_unix(now.unix_seconds() - DAYS * 86_400, 0).unwrap_or_default();
    let meals = story.call(story.client.nutrition_records().list().from_timestamp(from).to_timestamp(now)).await?;
    let energy: f64 = meals.iter().filter_map(|meal| meal.nutritional_fields.as_ref()?.energy_kcal()).sum();
    let last = meals.iter().max_by_key(|meal| meal.consumed_at).and_then(|meal| meal.dish_name.as_deref()).unwrap_or("nothing");
    story.note(&format!("{} meals in the last {DAYS} days, {} kcal; the latest: {last}", meals.len(), grouped(energy, 0)))
}

/// Reads the record until its analysis is over. The upload waited for it, so usually it is.
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

fn facts(story: &mut Story<'_>, record: &NutritionRecord) -> Result<(), Failure> {
    let name = record.dish_name.as_deref().unwrap_or("an unknown dish");
    let translated = record.dish_name_translated.as_deref().map_or_else(String::new, |name| format!(" ({name})"));
    story.note(&format!("{}{translated}, {}", paint(STRONG, name), amount(record)))?;
    story.line(&format!("Nutri-Score {}", score(record)))?;
    if let Some(text) = &record.dish_description {
        story.note(text)?;
    }
    story.line("")?;
    let Some(fields) = &record.nutritional_fields else { return story.line("no nutrients are told") };
    let basis = fields.basis();
    let mut table = Table::new().left("nutrient").right(basis.as_str());
    for ingredient in &record.ingredients {
        table = table.right(ingredient.name.clone().unwrap_or_default());
    }
    for nutrient in NUTRIENTS {
        let (words, unit) = label(nutrient.as_str());
        let cell = |fields: Option<&NutritionalFields>| {
            let value = fields.and_then(|fields| fields.get(&nutrient));
            let decimals = usize::from(unit != "kcal");
            Cell::from(value.map_or_else(|| "–".to_owned(), |value| format!("{} {unit}", grouped(value, decimals))))
        };
        let parts = record.ingredients.iter().map(|part| cell(part.nutritional_fields.as_ref()));
        table.row([Cell::from(words), cell(Some(fields))].into_iter().chain(parts));
    }
    let picture = if story.colored() { photo::preview(PREVIEW) } else { Vec::new() };
    story.illustrated(&picture, PREVIEW.unsigned_abs() as usize, &table)?;
    story.line("")?;
    let parts = record.ingredients.iter().map(|part| {
        let unit = part.unit.as_ref().map_or("", |unit| unit.as_ref());
        format!("{} {} {unit}", part.name.as_deref().unwrap_or("?"), part.serving_size.map_or_else(String::new, |size| brief(size, 1)))
    });
    for line in flow(parts, "  ·  ", story.room()) {
        story.line(&paint(FAINT, &line))?;
    }
    story.line("")
}

/// Another serving size. The answer to the change states another basis than a record that is read, so the record is read again.
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

fn amount(record: &NutritionRecord) -> String {
    let unit = record.unit.as_ref().map_or("", |unit| unit.as_ref());
    record.serving_size.map_or_else(|| "size unknown".to_owned(), |size| format!("{} {unit}", brief(size, 2)))
}

/// The scale with the letter marked, in the colour that packages print it in as far as a terminal has it.
fn score(record: &NutritionRecord) -> String {
    let Some(score) = &record.nutri_score else { return "not told".to_owned() };
    let style = match score.as_str() {
        "A" | "B" => GOOD,
        "C" => WARN,
        _ => BAD,
    };
    let chosen = paint(style.bold().invert(), &format!("[{score}]"));
    if !NutriScore::KNOWN.contains(&score.as_str()) {
        return chosen;
    }
    let letter = |letter: &&str| if *letter == score.as_str() { chosen.clone() } else { paint(FAINT, letter) };
    NutriScore::KNOWN.iter().map(letter).collect::<Vec<_>>().join(" ")
}

/// The words and the unit of a nutrient's name: the unit is its last part.
fn label(name: &str) -> (String, &str) {
    let (words, unit) = name.rsplit_once('_').unwrap_or((name, ""));
    (words.replace('_', " "), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_in_their_unit() {
        assert_eq!(label("energy_kcal"), ("energy".to_owned(), "kcal"));
        assert_eq!(label("vitamin_a_rae_mcg"), ("vitamin a rae".to_owned(), "mcg"));
        assert_eq!(label("salt"), ("salt".to_owned(), ""));
        for name in NutrientName::KNOWN {
            assert!(["g", "mg", "mcg", "kcal"].contains(&label(name).1), "{name}");
        }
    }
}
