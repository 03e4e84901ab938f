//! Meals and their nutrients.

use std::collections::BTreeSet;

use vitalwire::models::{Ingredient, NutritionRecord, NutritionalFields};
use vitalwire::open_sets::{NutriScore, NutrientName, NutritionStatus};
use vitalwire::value::{OpenSet, Timestamp};

use crate::days::Days;
use crate::failure::Failure;
use crate::render::number::{brief, clock, day, grouped, offset, short_day, significant};
use crate::render::style::{BAD, FAINT, GOOD, STRONG, WARN, clean, join_wrapped, paint, truncate};
use crate::render::table::{Cell, Table};
use crate::screen::Screen;

/// Maximum width of a dish's name in a sentence, in columns.
const MAX_DISH: usize = 60;

/// The nutrients of a food label, in its order. Others follow below.
pub(crate) const FOOD_LABEL: [NutrientName; 8] = [
    NutrientName::EnergyKcal,
    NutrientName::FatTotalG,
    NutrientName::FatSaturatedG,
    NutrientName::CarbohydrateG,
    NutrientName::SugarsTotalG,
    NutrientName::FiberTotalDietaryG,
    NutrientName::ProteinG,
    NutrientName::SaltG,
];

/// Draws a record: its name, its score, and its numbers beside a picture `columns` wide.
pub(crate) fn show(screen: &mut Screen, record: &NutritionRecord, picture: &[String], columns: usize) -> Result<(), Failure> {
    let name = record.dish_name.as_deref().unwrap_or("an unknown dish");
    let translated = record.dish_name_translated.as_deref().map_or_else(String::new, |name| format!(" ({})", clean(name)));
    screen.note(&format!("{}{translated}, {}", paint(STRONG, &clean(name)), amount(record)))?;
    if let Some(unfinished_status) = unfinished_status(record) {
        screen.note(&unfinished_status)?;
    }
    screen.line(&format!("Nutri-Score {}", nutri_score_scale(record)))?;
    if let Some(text) = &record.dish_description {
        screen.note(&clean(text))?;
    }
    screen.line("")?;
    let Some(fields) = &record.nutritional_fields else { return screen.line("no nutrients in the record") };
    let full_table = table(fields, record.ingredients.as_slice());
    let fits = full_table.width(usize::MAX) <= screen.available_width();
    // Without room for all ingredients, show only the numbers of the whole dish.
    let shown = if fits { full_table } else { table(fields, &[]) };
    screen.table_with_picture(picture, columns, &shown)?;
    screen.line("")?;
    let parts = record.ingredients.iter().map(|part| {
        let unit = part.unit.as_ref().map_or("", |unit| unit.as_ref());
        let size = part.serving_size.map_or_else(String::new, |size| brief(size, 1));
        clean(&format!("{} {size} {unit}", part.name.as_deref().unwrap_or("?"))).into_owned()
    });
    for line in join_wrapped(parts, "  ·  ", screen.available_width()) {
        screen.line(&paint(FAINT, &line))?;
    }
    Ok(())
}

/// Draws the result of a change. The numbers in this response use another basis than the numbers of a record, so they are left out.
/// `more` is the command that shows the record, if there is one.
pub(crate) fn show_change(screen: &mut Screen, record: &NutritionRecord, more: Option<&str>) -> Result<(), Failure> {
    let name = record.dish_name.as_deref().unwrap_or("an unknown dish");
    screen.note(&format!("{}, {}, {}", paint(STRONG, &clean(name)), amount(record), clean(record.status.as_str())))?;
    let Some(more) = more else { return Ok(()) };
    screen.line("")?;
    screen.note(&format!("{more} shows its numbers."))
}

/// Returns a table with one line per nutrient: first the value of the dish, then those of the ingredients.
fn table(fields: &NutritionalFields, ingredients: &[Ingredient]) -> Table {
    let mut table = Table::new().left("nutrient").right(fields.basis().as_str());
    for ingredient in ingredients {
        table = table.right(ingredient.name.clone().unwrap_or_default());
    }
    let usual = FOOD_LABEL.iter().map(OpenSet::as_str);
    let others = fields.iter().map(|(name, _)| name).filter(|name| FOOD_LABEL.iter().all(|usual| usual.as_str() != *name));
    for name in usual.chain(others).filter(|name| fields.get_text(name).is_some()) {
        let (words, unit) = split_unit(name);
        let cell = |fields: Option<&NutritionalFields>| {
            let value = fields.and_then(|fields| fields.get_text(name));
            let decimals = usize::from(unit != "kcal");
            Cell::from(value.map_or_else(|| "–".to_owned(), |value| format!("{} {unit}", significant(value, decimals))))
        };
        let parts = ingredients.iter().map(|part| cell(part.nutritional_fields.as_ref()));
        table.row([Cell::from(words), cell(Some(fields))].into_iter().chain(parts));
    }
    table
}

/// Returns a table with one line per record. It has the id, which the other commands need. Times are in the user's time zone, or use the
/// offset of the record.
pub(crate) fn list(records: &[NutritionRecord], days: Option<&Days>) -> Table {
    let mut table = Table::new().left("id").left("eaten").right("kcal").flexible("dish");
    for record in records {
        let (at, minutes) = meal_time(record, days);
        let day = at.local(minutes).map(|local| short_day(local.date())).unwrap_or_default();
        let energy = record.nutritional_fields.as_ref().and_then(|fields| fields.energy_kcal());
        let dish = match (&record.status, &record.dish_name) {
            (NutritionStatus::Completed, Some(name)) => Cell::from(name.as_str()),
            (status, _) => Cell::new(status.as_str(), WARN),
        };
        table.row([
            record.record_id.to_string().into(),
            format!("{day} {}", clock(at, minutes)).into(),
            energy.map_or_else(|| "–".to_owned(), |energy| grouped(energy, 0)).into(),
            dish,
        ]);
    }
    table
}

/// Describes the time zone of a list.
pub(crate) fn zone_text(records: &[NutritionRecord], days: Option<&Days>) -> String {
    if let Some(days) = days {
        return format!("Days and times in {days}.");
    }
    let offsets: BTreeSet<i64> = records.iter().map(|record| meal_time(record, None).1).collect();
    let offsets: Vec<String> = offsets.into_iter().map(offset).collect();
    format!("Local times of the user: {}.", offsets.join(" and "))
}

/// Returns the time of a meal, and the offset of the local time from UTC in minutes.
fn meal_time(record: &NutritionRecord, days: Option<&Days>) -> (Timestamp, i64) {
    let at = record.consumed_at.unwrap_or(record.uploaded_at);
    let minutes = days.map(|days| days.offset_minutes(at)).or(record.user_time_offset_minutes);
    (at, minutes.unwrap_or(0))
}

/// Describes a meal in a few words: its dish or its status, and its time.
pub(crate) fn summary(record: &NutritionRecord) -> String {
    let (at, minutes) = meal_time(record, None);
    let date = at.local(minutes).map(|local| day(local.date())).unwrap_or_default();
    let dish = match &record.dish_name {
        Some(name) => format!("the meal \"{}\"", truncate(&clean(name), MAX_DISH)),
        None => format!("the {} meal", clean(record.status.as_str())),
    };
    format!("{dish} of {date}, {} ({})", clock(at, minutes), offset(minutes))
}

pub(crate) fn amount(record: &NutritionRecord) -> String {
    let unit = record.unit.as_ref().map_or("", |unit| unit.as_ref());
    let size = record.serving_size.map_or_else(|| "size unknown".to_owned(), |size| format!("{} {unit}", brief(size, 2)));
    clean(&size).into_owned()
}

/// Returns the status of the analysis, unless it is simply complete.
fn unfinished_status(record: &NutritionRecord) -> Option<String> {
    if matches!(record.status, NutritionStatus::Completed | NutritionStatus::Updated) {
        return None;
    }
    let reason = record.failure_reason.as_deref().map_or_else(String::new, |reason| format!(": {}", clean(reason)));
    Some(format!("{}{reason}", paint(WARN, &clean(record.status.as_str()))))
}

/// Draws the Nutri-Score scale with the letter marked, in the colours of food packages as far as the terminal has them.
fn nutri_score_scale(record: &NutritionRecord) -> String {
    let Some(score) = &record.nutri_score else { return "not stated".to_owned() };
    let style = match score.as_str() {
        "A" | "B" => GOOD,
        "C" => WARN,
        _ => BAD,
    };
    let chosen = paint(style.bold().invert(), &clean(&format!("[{score}]")));
    if !NutriScore::KNOWN.contains(&score.as_str()) {
        return chosen;
    }
    let letter = |letter: &&str| if *letter == score.as_str() { chosen.clone() } else { paint(FAINT, letter) };
    // A new value that is not a letter is not part of the scale.
    NutriScore::KNOWN.iter().filter(|known| known.len() == 1 || **known == score.as_str()).map(letter).collect::<Vec<_>>().join(" ")
}

/// Splits a nutrient's name into its words and its unit, which is the last part.
fn split_unit(name: &str) -> (String, &str) {
    let (words, unit) = name.rsplit_once('_').unwrap_or((name, ""));
    (words.replace('_', " "), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_the_unit() {
        assert_eq!(split_unit("energy_kcal"), ("energy".to_owned(), "kcal"));
        assert_eq!(split_unit("vitamin_a_rae_mcg"), ("vitamin a rae".to_owned(), "mcg"));
        assert_eq!(split_unit("salt"), ("salt".to_owned(), ""));
    }
}
