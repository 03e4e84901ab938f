//! Each field of each model has the value of its own name.

use serde_json::{Map, Value, json};
use vitalwire::models::{
    BenefitsData, Ingredient, IntegrationInit, LabInformation, LabReport, LabReportWebhook, LabResult, LabSection, NutritionRecord,
    NutritionUploadResponse, NutritionWebhook, PatientInformation, PolicyBenefits, ProblemDetails, SleepRecord, SleepSource, SleepStage,
    TokenResponse, UserInfo, UserProperties, WebhookEvent,
};
use vitalwire::open_sets::{Gender, NutriScore, NutritionInputType, NutritionUnit, SleepInputMethod, SleepStageName, WebhookEventType};
use vitalwire::value::ListMember;

use super::shapes;
use crate::api::{date, instant};

fn read<M: super::Model>(value: Value) -> M {
    let model: M = serde_json::from_value(value).unwrap();
    assert!(model.extra().is_empty());
    model
}

/// Adds text fields whose values are their names to an object.
fn with_names_as_values(names: &[&str], mut value: Value) -> Value {
    let object = value.as_object_mut().unwrap();
    object.extend(names.iter().map(|name| ((*name).to_owned(), Value::from(*name))).collect::<Map<_, _>>());
    value
}

/// Checks text fields whose values are their names, and returns the model.
macro_rules! texts {
    ($model:ident from $others:expr; $($field:ident)*) => {{
        let model: $model = read(with_names_as_values(&[$(stringify!($field)),*], $others));
        $(assert_eq!(model.$field.as_deref(), Some(stringify!($field)));)*
        model
    }};
}

#[test]
fn fields_of_user_have_their_own_values() {
    let user = json!({"application_id": 1, "compat_application_client_id": "c", "compat_application_client_token": "t",
        "created_at": "2024-10-29T00:00:00", "uid": "u", "integrated_providers": [{"is_integration_broken": false}]});
    let user = texts!(UserInfo from user; application_user_id);
    assert_eq!((user.application_id, user.created_at), (Some(1), Some(instant("2024-10-29T00:00:00Z"))));
    let ids = [&user.compat_application_client_id, &user.compat_application_client_token, &user.uid];
    assert_eq!(ids.map(|id| id.as_ref().unwrap().as_str()), ["c", "t", "u"]);
    assert_eq!(user.integrated_providers.as_slice()[0].is_integration_broken, Some(false));
    let properties = json!({"birth_year": 1, "body_bone_mass": 2, "body_fat": 3.5, "body_mass_index": 4, "gender": "female",
        "height": 5, "resting_heartrate": 6, "weight": 7});
    let user = texts!(UserProperties from properties; birth_date language timezone);
    assert_eq!((user.birth_year, user.gender), (Some(1), Some(Gender::Female)));
    let numbers = [user.body_bone_mass, user.body_fat, user.body_mass_index, user.height, user.resting_heartrate, user.weight];
    assert_eq!(numbers, [2.0, 3.5, 4.0, 5.0, 6.0, 7.0].map(Some));
    texts!(IntegrationInit from json!({}); path);
    assert_eq!(read::<TokenResponse>(json!({"access_token": "t"})).access_token, "t");
}

#[test]
fn fields_of_lab_reports_have_their_own_values() {
    let report =
        json!({"record_id": "r", "status": "failed", "uploaded_at": "2025-01-01T00:00:00Z", "modified_at": "2025-01-02T00:00:00Z"});
    let one = texts!(LabReport from report.clone(); collection_date result_date notes original_record_id parsing_error);
    assert_eq!((one.uploaded_at, one.modified_at), (Some(instant("2025-01-01T00:00:00Z")), Some(instant("2025-01-02T00:00:00Z"))));
    texts!(LabReportWebhook from report; application_user_id collection_date result_date notes original_record_id parsing_error);
    texts!(LabInformation from json!({}); address email_address name notes phone_number);
    let patient = texts!(PatientInformation from json!({"age": 44});
        address date_of_birth email_address gender name notes patient_id phone_number);
    assert_eq!(patient.age, Some(44));
    texts!(LabSection from json!({}); loinc_code loinc_common_name original_section_name section_notes standard_section_name);
    let result = json!({"normal_min": 1, "normal_max": 2, "value": 7.2,
        "require_human_review": true, "tested_positive": false, "within_normal_range": true});
    let result = texts!(LabResult from result; original_test_name original_unit_name standard_test_name standard_unit_name
        loinc_code loinc_common_name notes value_text);
    assert_eq!((result.normal_min, result.normal_max, result.value), (Some(1.0), Some(2.0), Some(7.2)));
    assert_eq!((result.require_human_review, result.tested_positive, result.within_normal_range), (Some(true), Some(false), Some(true)));
}

#[test]
fn fields_of_meals_have_their_own_values() {
    let meal = json!({"record_id": "r", "status": "completed", "uploaded_at": "2025-01-01T00:00:00Z", "modified_at": "2025-01-02T00:00:00Z",
        "serving_size": 250, "unit": "ml", "consumed_at": "2025-01-03T00:00:00", "input_type": "push", "nutri_score": "C",
        "nutritional_fields": {"salt_g": 1}, "user_time_offset_minutes": -300});
    macro_rules! meal {
        ($model:ident $($user:ident)?) => {{
            let meal = texts!($model from meal.clone(); $($user)? dish_name dish_name_translated dish_description
                dish_description_translated failure_reason);
            assert_eq!((meal.serving_size, meal.unit), (Some(250.0), Some(NutritionUnit::Ml)));
            assert_eq!((meal.input_type, meal.nutri_score), (Some(NutritionInputType::Push), Some(NutriScore::C)));
            assert_eq!((meal.consumed_at, meal.user_time_offset_minutes), (Some(instant("2025-01-03T00:00:00Z")), Some(-300)));
            assert_eq!(meal.nutritional_fields.as_ref().unwrap().salt_g(), Some(1.0));
            (Option::from(meal.uploaded_at), Option::from(meal.modified_at))
        }};
    }
    let instants = (Some(instant("2025-01-01T00:00:00Z")), Some(instant("2025-01-02T00:00:00Z")));
    assert_eq!(meal!(NutritionRecord), instants);
    assert_eq!(meal!(NutritionWebhook application_user_id), instants);
    assert_eq!(meal!(NutritionUploadResponse), instants);
    let ingredient = texts!(Ingredient from json!({"serving_size": 3, "unit": "mcg"}); name name_translated);
    assert_eq!((ingredient.serving_size, ingredient.unit), (Some(3.0), Some(NutritionUnit::Mcg)));
}

#[test]
fn fields_of_sleeps_have_their_own_values() {
    let night = json!({"modified_at": "2025-01-01T00:00:00Z", "start_at_timestamp": "2025-01-02T00:00:00Z",
        "end_at_timestamp": "2025-01-03T00:00:00Z", "duration": 1, "sleep_date": "2025-01-04", "input_method": "manual",
        "record_ids": ["a"], "score": 2, "user_time_offset_minutes": 3, "metrics": {"heartrate": 4},
        "samples": {"durations": [5], "offsets": [6], "values": {"heartrate": [7, 8.5]}}});
    let night = texts!(SleepRecord from night; sleep_id);
    assert_eq!((night.modified_at, night.start_at_timestamp), (instant("2025-01-01T00:00:00Z"), instant("2025-01-02T00:00:00Z")));
    assert_eq!((night.end_at_timestamp, night.sleep_date), (Some(instant("2025-01-03T00:00:00Z")), Some(date("2025-01-04"))));
    assert_eq!((night.duration, night.score, night.user_time_offset_minutes), (Some(1), Some(2), Some(3)));
    assert_eq!((night.input_method, night.metrics.as_ref().unwrap().heartrate()), (Some(SleepInputMethod::Manual), Some(4.0)));
    let samples = night.samples.as_ref().unwrap();
    assert_eq!((samples.durations.as_slice(), samples.offsets.as_slice()), (&[5.0][..], &[6.0][..]));
    assert_eq!(samples.values.as_ref().unwrap().get_text("heartrate"), Some(&[7.0, 8.5][..]));
    texts!(SleepSource from json!({}); device_manufacturer device_model device_product device_version source_bundle_identifier
        source_os_version source_product source_version);
    let stage = json!({"stage": "awake_in_bed", "start_at": "2025-01-01T00:00:00Z", "end_at": "2025-01-02T00:00:00Z", "duration": 9,
        "metrics": {"spo2": 97.5}});
    let stage: SleepStage = read(stage);
    assert_eq!((stage.stage, stage.duration), (Some(SleepStageName::AwakeInBed), Some(9)));
    assert_eq!((stage.start_at, stage.end_at), (Some(instant("2025-01-01T00:00:00Z")), Some(instant("2025-01-02T00:00:00Z"))));
    assert_eq!(stage.metrics.unwrap().spo2(), Some(97.5));
}

#[test]
fn fields_of_events_and_problems_have_their_own_values() {
    let event = json!({"timestamp": "2025-01-01T00:00:00.123456789Z", "event_type": "record_change", "metrics": ["steps"],
        "activity_types": ["run"], "earliest_record_start_at": "2025-01-02T00:00:00Z", "latest_record_end_at": "2025-01-03T00:00:00Z"});
    let event = texts!(WebhookEvent from event; application_user_id);
    assert_eq!(event.timestamp, Some(instant("2025-01-01T00:00:00.123456789Z")));
    assert_eq!(event.event_type, Some(WebhookEventType::RecordChange));
    assert_eq!(
        (event.metrics, event.activity_types),
        (ListMember::List(vec!["steps".to_owned()]), ListMember::List(vec!["run".to_owned()]))
    );
    assert_eq!(event.earliest_record_start_at, Some(instant("2025-01-02T00:00:00Z")));
    assert_eq!(event.latest_record_end_at, Some(instant("2025-01-03T00:00:00Z")));
    let problem = texts!(ProblemDetails from json!({"type": "t", "status": 422}); title detail instance);
    assert_eq!((problem.type_.as_deref(), problem.status), (Some("t"), Some(422)));
}

#[test]
fn fields_of_benefits_have_their_own_values() {
    let names: Vec<&str> = shapes::shape_of("BenefitsData").fields().map(|(name, _)| *name).collect();
    let data: BenefitsData = read(with_names_as_values(&names, json!({})));
    macro_rules! camel {
        ($($field:ident $name:literal)*) => {
            $(assert_eq!(data.$field.as_deref(), Some($name));)*
        };
    }
    camel! {
        plan_type "planType" visit_limit "visitLimit" visits_used "visitsUsed" plan_end_date "planEndDate"
        network_status "networkStatus" patient_co_pay "patientCoPay" plan_start_date "planStartDate"
        deductible_family "deductibleFamily" plan_effective_date "planEffectiveDate" benefits_explanation "benefitsExplanation"
        insurance_identifier "insuranceIdentifier" patient_co_insurance "patientCoInsurance" visit_limit_max_type "visitLimitMaxType"
        deductible_family_met "deductibleFamilyMet" deductible_individual "deductibleIndividual"
        plan_termination_date "planTerminationDate" visit_limit_structure "visitLimitStructure"
        authorization_required "authorizationRequired" supplemental_plan_name "supplementalPlanName"
        therapy_threshold_spent "therapyThresholdSpent" out_of_pocket_max_family "outOfPocketMaxFamily"
        deductible_individual_met "deductibleIndividualMet" reference_number_and_name "referenceNumberAndName"
        secondary_medicare_covers "secondaryMedicareCovers" authorization_obtained_via "authorizationObtainedVia"
        therapy_threshold_spent_ot "therapyThresholdSpentOT" deductible_family_remaining "deductibleFamilyRemaining"
        out_of_pocket_max_family_met "outOfPocketMaxFamilyMet" out_of_pocket_max_individual "outOfPocketMaxIndividual"
        visit_limit_max_type_details "visitLimitMaxTypeDetails" authorization_required_details "authorizationRequiredDetails"
        deductible_individual_remaining "deductibleIndividualRemaining" out_of_pocket_max_individual_met "outOfPocketMaxIndividualMet"
        medical_necessity_review_required "medicalNecessityReviewRequired"
        physicians_prescription_required "physiciansPrescriptionRequired"
        authorization_obtained_via_details "authorizationObtainedViaDetails"
        out_of_pocket_max_family_remaining "outOfPocketMaxFamilyRemaining"
        out_of_pocket_max_individual_remaining "outOfPocketMaxIndividualRemaining"
        primary_care_provider_referral_required "primaryCareProviderReferralRequired"
        medical_necessity_review_required_details "medicalNecessityReviewRequiredDetails"
    }
    let benefits: PolicyBenefits = read(json!({"id": "b", "status": "failure", "data": {"planType": "PPO"}}));
    assert_eq!((benefits.id.as_str(), benefits.status.as_ref()), ("b", "failure"));
}
