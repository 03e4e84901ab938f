//! The members of every resource, typed in from the interface's tables and the supplement.

use super::names::BENEFITS;
use super::shape::Kind::{self, Any, Boolean, Date, Id, Instant, Integer, List, Number, Numbers, Object, Open, Series, Text};
use super::shape::{Member, Shape};

const IDS: Kind = List(&Id);
const TEXTS: Kind = List(&Text);
const NUMBERS: Kind = List(&Number);

const fn shape(name: &'static str, required: &'static [Member], optional: &'static [Member]) -> Shape {
    Shape { name, required, optional }
}

pub static INTEGRATION_INIT: Shape = shape("IntegrationInit", &[], &[("provider_slug", Open), ("path", Text)]);

pub static USER_INFO: Shape = shape(
    "UserInfo",
    &[],
    &[
        ("application_id", Integer),
        ("application_user_id", Text),
        ("compat_application_client_id", Id),
        ("compat_application_client_token", Id),
        ("created_at", Instant),
        ("integrated_providers", List(&Object(&INTEGRATED_PROVIDER))),
        ("uid", Id),
    ],
);

pub static INTEGRATED_PROVIDER: Shape = shape(
    "IntegratedProvider",
    &[],
    &[("created_at", Instant), ("is_integration_broken", Boolean), ("provider_integration_id", Integer), ("provider_slug", Open)],
);

pub static USER_PROPERTIES_ANSWER: Shape = shape("UserPropertiesAnswer", &[], &[("properties", Object(&USER_PROPERTIES))]);

pub static USER_PROPERTIES: Shape = shape(
    "UserProperties",
    &[],
    &[
        ("birth_date", Text),
        ("birth_year", Integer),
        ("body_bone_mass", Number),
        ("body_fat", Number),
        ("body_mass_index", Number),
        ("gender", Open),
        ("height", Number),
        ("language", Text),
        ("resting_heartrate", Number),
        ("timezone", Text),
        ("weight", Number),
    ],
);

const LAB_REPORT_MEMBERS: [Member; 10] = [
    ("collection_date", Text),
    ("result_date", Text),
    ("lab_information", Object(&LAB_INFORMATION)),
    ("patient_information", Object(&PATIENT_INFORMATION)),
    ("notes", Text),
    ("original_record_id", Text),
    ("parsing_error", Text),
    ("sections", List(&Object(&LAB_SECTION))),
    ("uploaded_at", Instant),
    ("modified_at", Instant),
];

pub static LAB_REPORT: Shape = shape("LabReport", &[("record_id", Id), ("status", Open)], &LAB_REPORT_MEMBERS);

const fn with_user<const N: usize, const M: usize>(members: [Member; N]) -> [Member; M] {
    let mut all = [("application_user_id", Text); M];
    let mut at = 0;
    while at < N {
        all[at + 1] = members[at];
        at += 1;
    }
    all
}

pub static LAB_REPORT_WEBHOOK: Shape =
    shape("LabReportWebhook", &[("record_id", Id), ("status", Open)], &const { with_user::<10, 11>(LAB_REPORT_MEMBERS) });

pub static LAB_INFORMATION: Shape =
    shape("LabInformation", &[], &[("address", Text), ("email_address", Text), ("name", Text), ("notes", Text), ("phone_number", Text)]);

pub static PATIENT_INFORMATION: Shape = shape(
    "PatientInformation",
    &[],
    &[
        ("address", Text),
        ("age", Integer),
        ("date_of_birth", Text),
        ("email_address", Text),
        ("gender", Text),
        ("name", Text),
        ("notes", Text),
        ("patient_id", Text),
        ("phone_number", Text),
    ],
);

pub static LAB_SECTION: Shape = shape(
    "LabSection",
    &[],
    &[
        ("loinc_code", Text),
        ("loinc_common_name", Text),
        ("original_section_name", Text),
        ("section_notes", Text),
        ("standard_section_name", Text),
        ("results", List(&Object(&LAB_RESULT))),
    ],
);

pub static LAB_RESULT: Shape = shape(
    "LabResult",
    &[],
    &[
        ("original_test_name", Text),
        ("original_unit_name", Text),
        ("standard_test_name", Text),
        ("standard_unit_name", Text),
        ("loinc_code", Text),
        ("loinc_common_name", Text),
        ("notes", Text),
        ("normal_min", Number),
        ("normal_max", Number),
        ("value", Number),
        ("value_text", Text),
        ("require_human_review", Boolean),
        ("tested_positive", Boolean),
        ("within_normal_range", Boolean),
    ],
);

pub static LAB_REPORT_ANSWER: Shape = shape("LabReportAnswer", &[("lab_report", Object(&LAB_REPORT))], &[]);

const NUTRITION_MEMBERS: [Member; 13] = [
    ("dish_name", Text),
    ("dish_name_translated", Text),
    ("dish_description", Text),
    ("dish_description_translated", Text),
    ("serving_size", Number),
    ("unit", Open),
    ("consumed_at", Instant),
    ("failure_reason", Text),
    ("ingredients", List(&Object(&INGREDIENT))),
    ("input_type", Open),
    ("nutri_score", Open),
    ("nutritional_fields", Numbers),
    ("user_time_offset_minutes", Integer),
];

const NUTRITION_REQUIRED: [Member; 4] = [("record_id", Id), ("status", Open), ("uploaded_at", Instant), ("modified_at", Instant)];

pub static NUTRITION_RECORD: Shape = shape("NutritionRecord", &NUTRITION_REQUIRED, &NUTRITION_MEMBERS);

/// As the record, but the first answer may lack `modified_at`.
pub static NUTRITION_UPLOAD_ANSWER: Shape = shape(
    "NutritionUploadAnswer",
    &[("record_id", Id), ("status", Open), ("uploaded_at", Instant)],
    &const {
        let mut all = with_user::<13, 14>(NUTRITION_MEMBERS);
        all[0] = ("modified_at", Instant);
        all
    },
);

pub static NUTRITION_WEBHOOK: Shape = shape("NutritionWebhook", &NUTRITION_REQUIRED, &const { with_user::<13, 14>(NUTRITION_MEMBERS) });

pub static INGREDIENT: Shape = shape(
    "Ingredient",
    &[],
    &[("name", Text), ("name_translated", Text), ("serving_size", Number), ("unit", Open), ("nutritional_fields", Numbers)],
);

pub static SLEEP_RECORD: Shape = shape(
    "SleepRecord",
    &[("modified_at", Instant), ("start_at_timestamp", Instant)],
    &[
        ("sleep_id", Text),
        ("end_at_timestamp", Instant),
        ("duration", Integer),
        ("sleep_date", Date),
        ("input_method", Open),
        ("provider_slug", Open),
        ("record_ids", IDS),
        ("score", Integer),
        ("user_time_offset_minutes", Integer),
        ("metrics", Numbers),
        ("samples", Object(&SLEEP_SAMPLES)),
        ("source", Object(&SLEEP_SOURCE)),
        ("stages", List(&Object(&SLEEP_STAGE))),
    ],
);

pub static SLEEP_SAMPLES: Shape = shape("SleepSamples", &[], &[("durations", NUMBERS), ("offsets", NUMBERS), ("values", Series)]);

pub static SLEEP_SOURCE: Shape = shape(
    "SleepSource",
    &[],
    &[
        ("device_manufacturer", Text),
        ("device_model", Text),
        ("device_product", Text),
        ("device_version", Text),
        ("source_bundle_identifier", Text),
        ("source_os_version", Text),
        ("source_product", Text),
        ("source_version", Text),
    ],
);

pub static SLEEP_STAGE: Shape =
    shape("SleepStage", &[], &[("stage", Open), ("start_at", Instant), ("end_at", Instant), ("duration", Integer), ("metrics", Numbers)]);

pub static INTERVAL_STATISTICS: Shape = shape(
    "IntervalStatistics",
    &[("statistics", List(&Object(&INTERVAL_BUCKET)))],
    &[("from_timestamp", Instant), ("to_timestamp", Instant)],
);

pub static INTERVAL_BUCKET: Shape =
    shape("IntervalBucket", &[], &[("from_timestamp", Instant), ("to_timestamp", Instant), ("record_ids", IDS), ("values", Numbers)]);

pub static DAILY_STATISTICS: Shape =
    shape("DailyStatistics", &[("from_date", Date), ("to_date", Date), ("statistics", List(&Object(&DAILY_BUCKET)))], &[]);

pub static DAILY_BUCKET: Shape = shape("DailyBucket", &[], &[("date", Date), ("record_ids", IDS), ("values", Numbers)]);

pub static POLICY_BENEFITS: Shape = shape("PolicyBenefits", &[("id", Text), ("status", Open)], &[("data", Object(&BENEFITS_DATA))]);

pub static BENEFITS_DATA: Shape = shape(
    "BenefitsData",
    &[],
    &const {
        let mut all = [("", Text); 40];
        let mut at = 0;
        while at < 40 {
            all[at].0 = BENEFITS[at];
            at += 1;
        }
        all
    },
);

pub static PROBLEM_DETAILS: Shape = shape(
    "ProblemDetails",
    &[],
    &[("type", Text), ("title", Text), ("status", Integer), ("detail", Text), ("instance", Text), ("errors", List(&Object(&PROBLEM_ITEM)))],
);

pub static PROBLEM_ITEM: Shape = shape("ProblemItem", &[], &[("location", Text), ("message", Text), ("value", Any)]);

pub static TOKEN_ANSWER: Shape = shape("TokenAnswer", &[("access_token", Text)], &[]);

pub static WEBHOOK_EVENT: Shape = shape(
    "WebhookEvent",
    &[],
    &[
        ("application_user_id", Text),
        ("timestamp", Instant),
        ("event_type", Open),
        ("metrics", TEXTS),
        ("activity_types", TEXTS),
        ("provider_slug", Open),
        ("earliest_record_start_at", Instant),
        ("latest_record_end_at", Instant),
    ],
);
