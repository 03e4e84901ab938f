//! Seeded meals of people.

use std::borrow::Cow;

use jiff::SignedDuration;
use jiff::civil::Date;

use super::nutrition::{AnalysisOutcome, Meal, RecordOptions};
use crate::analysis::AnalysisMode;
use crate::people::effects::Effect;
use crate::people::hours;
use crate::people::profile::Profile;
use crate::reference::foods::{self, DISHES};
use crate::spec::names::NUTRIENT_NAME;
use crate::values::calendar;
use crate::values::rng::Rng;

/// A meal of every day.
struct MealTime {
    /// Hour of the local clock.
    hour: i8,
    /// Indices in [`DISHES`].
    dishes: &'static [usize],
    /// Share of the day's energy. `None` if all portions are usual ones.
    share: Option<f64>,
}

/// Breakfast, lunch and dinner.
const USUAL: [MealTime; 3] = [
    MealTime { hour: 7, dishes: &[0, 1, 6], share: None },
    MealTime { hour: 12, dishes: &[2, 3, 5], share: None },
    MealTime { hour: 19, dishes: &[3, 4, 5, 7], share: None },
];

/// Breakfast, a snack, lunch and dinner of people with [`Effect::Meals`].
const VARIED: [MealTime; 4] = [
    MealTime { hour: 8, dishes: &[0, 8, 9, 10, 11], share: Some(0.25) },
    MealTime { hour: 10, dishes: &[21, 22, 23, 24], share: Some(0.1) },
    MealTime { hour: 12, dishes: &[2, 3, 12, 13, 14, 15], share: Some(0.3) },
    MealTime { hour: 19, dishes: &[4, 7, 16, 17, 18, 19, 20], share: Some(0.35) },
];

/// Portions that people like, as fractions of a usual serving.
const PORTIONS: std::ops::RangeInclusive<f64> = 0.6..=1.7;
/// Standard deviation of the energy of a meal, as a fraction of it.
const ENERGY_DEVIATION: f64 = 0.08;

fn meal_times(person: &Profile) -> &'static [MealTime] {
    if person.size(Effect::Meals).is_some() { &VARIED } else { &USUAL }
}

/// Returns the seeded meals of a local day, in order.
pub(crate) fn seeded_meals(person: &Profile, date: Date) -> impl Iterator<Item = Meal> {
    (0..meal_times(person).len() as u8).filter_map(move |part| seeded_meal(person, date, part))
}

/// Returns a seeded meal of a local day. `None` if the day has no such part.
pub(crate) fn seeded_meal(person: &Profile, date: Date, part: u8) -> Option<Meal> {
    let times = meal_times(person);
    let time = times.get(usize::from(part))?;
    let mut rng = Rng::new(person.key, calendar::day_number(date) * times.len() as i64 + i64::from(part), "meal");
    let (dish, portion) = match time.share {
        None => (*time.dishes.get(usize::try_from(rng.below(time.dishes.len() as i64)).unwrap_or(0))?, 1.0),
        Some(share) => choose_dish(time.dishes, share * energy_eaten(person, date), &mut rng)?,
    };
    let at = person.unix_seconds(date.at(time.hour, rng.between(0, 50) as i8, 0, 0));
    let consumed = calendar::instant(at);
    let uploaded = calendar::plus(consumed, SignedDuration::from_secs(rng.between(20, 300)));
    let ready = calendar::plus(uploaded, SignedDuration::from_secs(rng.between(4, 30)));
    Some(Meal {
        id: person.dated_id("meal", date, part),
        outcome: AnalysisOutcome::Dish(dish),
        analysis: AnalysisMode::Seeded,
        not_decoded: false,
        portion,
        options: RecordOptions {
            nutrients: NUTRIENT_NAME.iter().map(|name| (*name).to_owned()).collect(),
            ingredients: true,
            score: true,
            description: true,
            language: Some(foods::language_index(person.language)),
        },
        input_type: Cow::Borrowed("image"),
        uploaded_at: uploaded,
        modified_at: uploaded,
        ready_at: ready,
        consumed_at: Some(consumed),
        serving: None,
        offset_minutes: calendar::offset_minutes(person.zones(date).at(at), at),
    })
}

/// Returns the energy that a person with [`Effect::Meals`] eats on a day, in kilocalories.
fn energy_eaten(person: &Profile, date: Date) -> f64 {
    person.size(Effect::Meals).unwrap_or(1.0) * hours::energy(person, date) as f64 / 10_000.0
}

/// Chooses a dish, and the portion of it that has this energy in kilocalories.
fn choose_dish(dishes: &[usize], energy: f64, rng: &mut Rng) -> Option<(usize, f64)> {
    let energy = energy * (1.0 + ENERGY_DEVIATION * rng.normal());
    let portions = dishes.iter().filter_map(|at| Some((*at, energy / DISHES.get(*at)?.energy())));
    let (liked, others): (Vec<_>, Vec<_>) = portions.partition(|(_, portion)| PORTIONS.contains(portion));
    let choices = if liked.is_empty() { others } else { liked };
    choices.get(usize::try_from(rng.below(choices.len() as i64)).unwrap_or(0)).copied()
}
