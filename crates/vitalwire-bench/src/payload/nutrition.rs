//! Nutrition records: 500 records, each with three to eight ingredients and 33 nutrients per object.

use vitalwire::open_sets::NutrientName;
use vitalwire::value::OpenSet;

use super::Unknown;
use super::generator::{Generator, compact, instant, join};

const RECORDS: u32 = 500;
const FOODS: [&str; 6] = ["Oat flakes", "Whole milk", "Apple, raw", "Grilled chicken breast", "Olive oil", "Brown rice, cooked"];

/// Returns the nutrition records.
#[must_use]
pub fn nutrition(unknown: Unknown) -> Vec<u8> {
    let mut generator = Generator::new(6, unknown);
    format!("[{}]", join((0..RECORDS).map(|at| record(&mut generator, at)))).into_bytes()
}

fn record(generator: &mut Generator, at: u32) -> String {
    let (id, uploaded, modified) = (generator.id(), instant(at * 50_000), instant(at * 50_000 + 12));
    let (size, nutrients) = (generator.number(100.0, 600.0, 1), nutrients(generator));
    let count = generator.rng.usize(3..=8);
    let (ingredients, unknown) = (join((0..count).map(|at| ingredient(generator, at))), generator.unknown());
    compact(&format!(
        r#"{{"record_id":"{id}","status":"completed","uploaded_at":"{uploaded}","modified_at":"{modified}",
        "dish_name":"Mixed plate with rice","serving_size":{size},"unit":"g","consumed_at":"{uploaded}","input_type":"image",
        "nutri_score":"B","user_time_offset_minutes":120,"nutritional_fields":{nutrients},"ingredients":[{ingredients}]{unknown}}}"#
    ))
}

fn ingredient(generator: &mut Generator, at: usize) -> String {
    let (name, size) = (FOODS[at % FOODS.len()], generator.number(5.0, 200.0, 1));
    let (nutrients, unknown) = (nutrients(generator), generator.unknown());
    format!(r#"{{"name":"{name}","serving_size":{size},"unit":"g","nutritional_fields":{nutrients}{unknown}}}"#)
}

fn nutrients(generator: &mut Generator) -> String {
    format!("{{{}}}", join(NutrientName::KNOWN.iter().map(|name| format!("\"{name}\":{}", generator.number(0.0, 99.0, 4)))))
}
