//! Plausibility tests of meals and laboratory values over many people.

use jiff::Timestamp;
use jiff::civil::date;

use super::{lab_report, menu};
use crate::people::plausibility::{mean, people};
use crate::values::calendar;

#[test]
fn meals_are_at_meal_times_with_consistent_nutrients() {
    let now = Timestamp::MAX;
    for person in people() {
        let mut days = Vec::new();
        for day in 20_000..20_030 {
            let date = calendar::from_number(day).unwrap();
            let mut energy = 0.0;
            for (part, meal) in menu::seeded_meals(&person, date).enumerate() {
                let clock = meal.consumed(Timestamp::MAX).to_zoned(person.rules.clone()).hour();
                assert_eq!(clock, [7, 12, 19][part]);
                let record = meal.json(now);
                let fields = &record["nutritional_fields"];
                let number = |name: &str| fields[name].as_f64().unwrap();
                let burned = 4.0 * number("carbohydrate_g") + 4.0 * number("protein_g") + 9.0 * number("fat_total_g");
                let ratio = number("energy_kcal") / burned;
                assert!((0.8..1.2).contains(&ratio), "{}: {ratio}", record["dish_name"]);
                assert!(number("sugars_total_g") <= number("carbohydrate_g") && number("fat_saturated_g") <= number("fat_total_g"));
                energy += number("energy_kcal");
            }
            // Not every meal is recorded.
            assert!((400.0..3_500.0).contains(&energy), "{energy} kcal");
            days.push(energy);
        }
        assert!((700.0..2_500.0).contains(&mean(&days)), "{} kcal a day", mean(&days));
    }
}

#[test]
fn most_laboratory_values_are_in_their_range() {
    let start = date(2025, 11, 21);
    let (mut results, mut outside) = (0, 0);
    for person in people() {
        let reports = lab_report::seeded_reports(&person, start);
        assert!(reports.windows(2).all(|pair| pair[0].uploaded_at < pair[1].uploaded_at));
        for report in reports {
            assert!(report.collected < start && report.collected > date(2025, 3, 1), "{}", report.collected);
            let report = report.json(Timestamp::MAX);
            for result in report["sections"].as_array().unwrap().iter().flat_map(|section| section["results"].as_array().unwrap()) {
                let number = |name: &str| result[name].as_f64().unwrap();
                let (low, high, value) = (number("normal_min"), number("normal_max"), number("value"));
                assert!(low * 0.5 <= value && value <= high + (high - low), "{result}");
                assert_eq!(result["within_normal_range"], (low..=high).contains(&value));
                results += 1;
                outside += usize::from(!(low..=high).contains(&value));
            }
        }
    }
    assert!(results > 200 && outside * 3 < results && outside * 50 > results, "{outside} of {results} outside");
}
