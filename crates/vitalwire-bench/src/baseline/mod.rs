//! The baseline: plain structs of `Option`s and `String`s that drop unknown fields, as one would write by hand.
#![allow(missing_docs, reason = "the field names are the interface's own")]

mod numbers;
pub mod structural_scan;

use std::collections::HashMap;

use serde::Deserialize;

pub use numbers::{Metrics, NutritionalFields, StatisticsValues};

#[derive(Debug, Deserialize)]
pub struct DailyStatistics {
    pub from_date: Option<String>,
    pub to_date: Option<String>,
    pub statistics: Option<Vec<DailyBucket>>,
}

#[derive(Debug, Deserialize)]
pub struct DailyBucket {
    pub date: Option<String>,
    pub record_ids: Option<Vec<String>>,
    pub values: Option<StatisticsValues>,
}

#[derive(Debug, Deserialize)]
pub struct IntervalStatistics {
    pub from_timestamp: Option<String>,
    pub to_timestamp: Option<String>,
    pub statistics: Option<Vec<IntervalBucket>>,
}

#[derive(Debug, Deserialize)]
pub struct IntervalBucket {
    pub from_timestamp: Option<String>,
    pub to_timestamp: Option<String>,
    pub record_ids: Option<Vec<String>>,
    pub values: Option<StatisticsValues>,
}

#[derive(Debug, Deserialize)]
pub struct SleepRecord {
    pub sleep_id: Option<String>,
    pub modified_at: Option<String>,
    pub start_at_timestamp: Option<String>,
    pub end_at_timestamp: Option<String>,
    pub duration: Option<i64>,
    pub sleep_date: Option<String>,
    pub input_method: Option<String>,
    pub provider_slug: Option<String>,
    pub record_ids: Option<Vec<String>>,
    pub score: Option<i64>,
    pub user_time_offset_minutes: Option<i64>,
    pub metrics: Option<Metrics>,
    pub samples: Option<SleepSamples>,
    pub stages: Option<Vec<SleepStage>>,
}

#[derive(Debug, Deserialize)]
pub struct SleepSamples {
    pub durations: Option<Vec<f64>>,
    pub offsets: Option<Vec<f64>>,
    pub values: Option<HashMap<String, Vec<f64>>>,
}

#[derive(Debug, Deserialize)]
pub struct SleepStage {
    pub stage: Option<String>,
    pub start_at: Option<String>,
    pub end_at: Option<String>,
    pub duration: Option<i64>,
    pub metrics: Option<Metrics>,
}

#[derive(Debug, Deserialize)]
pub struct LabReport {
    pub record_id: Option<String>,
    pub status: Option<String>,
    pub collection_date: Option<String>,
    pub result_date: Option<String>,
    pub sections: Option<Vec<LabSection>>,
    pub uploaded_at: Option<String>,
    pub modified_at: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct LabSection {
    pub loinc_code: Option<String>,
    pub loinc_common_name: Option<String>,
    pub original_section_name: Option<String>,
    pub section_notes: Option<String>,
    pub standard_section_name: Option<String>,
    pub results: Option<Vec<LabResult>>,
}

#[derive(Debug, Deserialize)]
pub struct LabResult {
    pub original_test_name: Option<String>,
    pub original_unit_name: Option<String>,
    pub standard_test_name: Option<String>,
    pub standard_unit_name: Option<String>,
    pub loinc_code: Option<String>,
    pub loinc_common_name: Option<String>,
    pub notes: Option<String>,
    pub normal_min: Option<f64>,
    pub normal_max: Option<f64>,
    pub value: Option<f64>,
    pub value_text: Option<String>,
    pub require_human_review: Option<bool>,
    pub tested_positive: Option<bool>,
    pub within_normal_range: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub struct NutritionRecord {
    pub record_id: Option<String>,
    pub status: Option<String>,
    pub uploaded_at: Option<String>,
    pub modified_at: Option<String>,
    pub dish_name: Option<String>,
    pub serving_size: Option<f64>,
    pub unit: Option<String>,
    pub consumed_at: Option<String>,
    pub ingredients: Option<Vec<Ingredient>>,
    pub input_type: Option<String>,
    pub nutri_score: Option<String>,
    pub nutritional_fields: Option<NutritionalFields>,
    pub user_time_offset_minutes: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct Ingredient {
    pub name: Option<String>,
    pub serving_size: Option<f64>,
    pub unit: Option<String>,
    pub nutritional_fields: Option<NutritionalFields>,
}

#[derive(Debug, Deserialize)]
pub struct UserInfo {
    pub application_id: Option<i64>,
    pub application_user_id: Option<String>,
    pub compat_application_client_id: Option<String>,
    pub compat_application_client_token: Option<String>,
    pub created_at: Option<String>,
    pub integrated_providers: Option<Vec<IntegratedProvider>>,
    pub uid: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct IntegratedProvider {
    pub created_at: Option<String>,
    pub is_integration_broken: Option<bool>,
    pub provider_integration_id: Option<i64>,
    pub provider_slug: Option<String>,
}
