//! Nutrition records: seeded meals and uploaded ones, as the same type.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::stage;
use crate::analysis::{AnalysisMode, description};
use crate::reference::foods::{self, DISHES, Dish, FOODS, NOT_IN_UPDATE};
use crate::spec::names::NUTRIENT_NAME;
use crate::values::round;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnalysisOutcome {
    /// Index into the table of dishes.
    Dish(usize),
    /// Failed for this reason.
    Failed(Cow<'static, str>),
}

/// Requested optional parts of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RecordOptions {
    #[serde(deserialize_with = "deserialize_nutrients")]
    pub(crate) nutrients: Vec<String>,
    pub(crate) ingredients: bool,
    pub(crate) score: bool,
    pub(crate) description: bool,
    pub(crate) language: Option<usize>,
}

/// Reads names of nutrients, or their indices from older databases.
fn deserialize_nutrients<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredNutrient {
        Name(String),
        Position(usize),
    }
    let name = |stored| match stored {
        StoredNutrient::Name(name) => Some(name),
        StoredNutrient::Position(at) => NUTRIENT_NAME.get(at).map(|name| (*name).to_owned()),
    };
    Ok(Vec::deserialize(deserializer)?.into_iter().filter_map(name).collect())
}

/// A nutrition record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Meal {
    pub(crate) id: Uuid,
    pub(crate) outcome: AnalysisOutcome,
    pub(crate) analysis: AnalysisMode,
    /// Whether the dish was chosen by a checksum because the image decoder is not built in. Missing in older databases.
    #[serde(rename = "unseen", default)]
    pub(crate) not_decoded: bool,
    /// Portion as a fraction of the dish's usual serving.
    pub(crate) portion: f64,
    #[serde(rename = "wanted")]
    pub(crate) options: RecordOptions,
    pub(crate) input_type: Cow<'static, str>,
    pub(crate) uploaded_at: Timestamp,
    pub(crate) modified_at: Timestamp,
    /// Instant at which the analysis ends.
    pub(crate) ready_at: Timestamp,
    pub(crate) consumed_at: Option<Timestamp>,
    /// Serving size set by a change, in the record's unit.
    pub(crate) serving: Option<f64>,
    pub(crate) offset_minutes: i64,
}

impl Meal {
    /// Returns the status at an instant. All status rules are here.
    pub(crate) fn state_at(&self, now: Timestamp) -> &'static str {
        if let Some(stage) = stage::stage_at(self.uploaded_at, self.ready_at, now) {
            return stage;
        }
        match (&self.outcome, self.serving) {
            (AnalysisOutcome::Failed(_), _) => "failed",
            (AnalysisOutcome::Dish(_), Some(_)) => "updated",
            (AnalysisOutcome::Dish(_), None) => "completed",
        }
    }

    /// Returns the instant at which the analysis begins.
    pub(crate) fn processing_at(&self) -> Timestamp {
        stage::processing_start(self.uploaded_at, self.ready_at)
    }

    /// Returns the instant of the last change. The end of the analysis counts as a change.
    fn modified(&self, now: Timestamp) -> Timestamp {
        if now < self.ready_at { self.modified_at } else { self.modified_at.max(self.ready_at) }
    }

    /// Returns the time of eating. Defaults to the last change.
    pub(crate) fn consumed(&self, now: Timestamp) -> Timestamp {
        self.consumed_at.unwrap_or_else(|| self.modified(now))
    }

    /// Returns the time that orders the record in lists once its analysis has ended. It is never earlier than the one during the analysis.
    pub(crate) fn listed_at(&self) -> Timestamp {
        self.consumed(Timestamp::MAX)
    }

    /// Returns the dish, once the analysis has ended.
    pub(crate) fn dish_at(&self, now: Timestamp) -> Option<&'static Dish> {
        match &self.outcome {
            AnalysisOutcome::Dish(at) if now >= self.ready_at => DISHES.get(*at),
            _ => None,
        }
    }

    /// Returns the first response to an asynchronous upload.
    pub(crate) fn receipt(&self) -> Value {
        json!({
            "record_id": self.id.to_string(),
            "status": "pending",
            "uploaded_at": self.uploaded_at.to_string(),
        })
    }

    /// Returns the whole record, as in a retrieval.
    pub(crate) fn json(&self, now: Timestamp) -> Value {
        self.render(now, AmountBasis::Serving)
    }

    /// Returns the whole record, as in the response to a change of the serving size.
    pub(crate) fn update_json(&self, now: Timestamp) -> Value {
        self.render(now, AmountBasis::Hundred)
    }

    fn render(&self, now: Timestamp, basis: AmountBasis) -> Value {
        let mut record = json!({
            "record_id": self.id.to_string(),
            "status": self.state_at(now),
            "uploaded_at": self.uploaded_at.to_string(),
            "modified_at": self.modified(now).to_string(),
            "consumed_at": self.consumed(now).to_string(),
            "input_type": self.input_type,
            "user_time_offset_minutes": self.offset_minutes,
        });
        if let AnalysisOutcome::Failed(reason) = &self.outcome
            && now >= self.ready_at
        {
            record["failure_reason"] = json!(reason);
        }
        let Some(dish) = self.dish_at(now) else {
            return record;
        };
        // An estimate by eye is no finer than 5 g or ml.
        let serving = self.serving.unwrap_or_else(|| (dish.serving() * self.portion / 5.0).round() * 5.0);
        let factor = serving / dish.serving();
        let without = if basis == AmountBasis::Hundred { &NOT_IN_UPDATE[..] } else { &[] };
        let nutrients: Vec<&str> = self.options.nutrients.iter().map(String::as_str).filter(|name| !without.contains(name)).collect();
        record["dish_name"] = json!(dish.names[0]);
        record["serving_size"] = json!(round_noise(serving));
        record["unit"] = json!(dish.unit);
        record["nutritional_fields"] = nutrient_amounts(&nutrients, dish.parts, basis.factor(serving, factor));
        if let Some(language) = self.options.language {
            record["dish_name_translated"] = json!(dish.names[language]);
        }
        if self.options.score {
            record["nutri_score"] = json!(dish.score);
        }
        if self.options.description {
            record["dish_description"] = json!(description::dish_description(self.analysis, self.not_decoded, &dish.names, 0));
            if let Some(language) = self.options.language {
                record["dish_description_translated"] =
                    json!(description::dish_description(self.analysis, self.not_decoded, &dish.names, language));
            }
        }
        if self.options.ingredients {
            let ingredients = dish.parts.iter().filter_map(|part| {
                let food = FOODS.get(part.0)?;
                let serving = part.1 * factor;
                let mut ingredient = json!({
                    "name": food.names[0],
                    "serving_size": round_noise(serving),
                    "unit": if food.names[0] == "milk" { "ml" } else { "g" },
                    "nutritional_fields": nutrient_amounts(&nutrients, &[*part], basis.factor(serving, factor)),
                });
                if let Some(language) = self.options.language {
                    ingredient["name_translated"] = json!(food.names[language]);
                }
                Some(ingredient)
            });
            record["ingredients"] = ingredients.collect();
        }
        record
    }
}

/// Amount that nutritional values refer to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AmountBasis {
    /// The serving size, used by retrievals.
    Serving,
    /// 100 g or ml, used by responses to changes.
    Hundred,
}

impl AmountBasis {
    /// Returns the factor for the nutrients of the usual serving. `times` is the serving as a multiple of it.
    fn factor(self, serving: f64, times: f64) -> f64 {
        match self {
            Self::Serving => times,
            Self::Hundred => times * 100.0 / serving,
        }
    }
}

/// Sums the nutrients of foods and multiplies them by a factor.
fn nutrient_amounts(nutrients: &[&str], parts: &[(usize, f64)], factor: f64) -> Value {
    let amounts: Map<String, Value> = nutrients
        .iter()
        .map(|name| {
            let amount: f64 = parts.iter().map(|(food, amount)| foods::amount_per_100(*food, name) * amount / 100.0).sum();
            ((*name).to_owned(), json!(round_noise(amount * factor)))
        })
        .collect();
    Value::Object(amounts)
}

/// Rounds to nine decimals, to remove binary rounding noise.
fn round_noise(value: f64) -> f64 {
    if value.abs() < 1e6 { round(value, 1e9) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nutrients_are_read_by_name_and_by_position() {
        let stored = json!({
            "nutrients": ["zinc_mg", 1, 9_999], "ingredients": false, "score": false, "description": false, "language": null,
        });
        let options: RecordOptions = serde_json::from_value(stored).unwrap();
        assert_eq!(options.nutrients, ["zinc_mg", NUTRIENT_NAME[1]]);
    }
}
