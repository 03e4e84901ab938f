//! Nutrition records: 500 records, each with three to eight ingredients and 33 nutrients per object.

use vitalwire::open_sets::NutrientName;
use vitalwire::value::OpenSet;

use super::Unknown;
use super::json_writer::{JsonWriter, instant};

const RECORDS: u32 = 500;
const FOODS: [&str; 6] = ["Oat flakes", "Whole milk", "Apple, raw", "Grilled chicken breast", "Olive oil", "Brown rice, cooked"];

/// Returns the nutrition records.
#[must_use]
pub fn nutrition(unknown: Unknown) -> Vec<u8> {
    let mut json = JsonWriter::new(6);
    json.list(|json| (0..RECORDS).for_each(|at| record(json, at, unknown)));
    json.finish()
}

fn record(json: &mut JsonWriter, at: u32, unknown: Unknown) {
    json.object(|json| {
        let id = json.id();
        json.text_field("record_id", id);
        json.text_field("status", "completed");
        json.text_field("uploaded_at", instant(at * 50_000));
        json.text_field("modified_at", instant(at * 50_000 + 12));
        json.text_field("dish_name", "Mixed plate with rice");
        json.name("serving_size");
        json.number(100.0, 600.0, 1);
        json.text_field("unit", "g");
        json.text_field("consumed_at", instant(at * 50_000));
        json.text_field("input_type", "image");
        json.text_field("nutri_score", "B");
        json.field("user_time_offset_minutes", 120);
        json.name("nutritional_fields");
        nutrients(json);
        json.name("ingredients");
        let ingredients = json.rng().usize(3..=8);
        json.list(|json| (0..ingredients).for_each(|at| ingredient(json, at, unknown)));
        json.unknown(unknown);
    });
}

fn ingredient(json: &mut JsonWriter, at: usize, unknown: Unknown) {
    json.object(|json| {
        json.text_field("name", FOODS[at % FOODS.len()]);
        json.name("serving_size");
        json.number(5.0, 200.0, 1);
        json.text_field("unit", "g");
        json.name("nutritional_fields");
        nutrients(json);
        json.unknown(unknown);
    });
}

fn nutrients(json: &mut JsonWriter) {
    json.object(|json| {
        for name in NutrientName::KNOWN {
            json.name(name);
            json.number(0.0, 99.0, 4);
        }
    });
}
