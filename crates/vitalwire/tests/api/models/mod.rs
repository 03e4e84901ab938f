//! Every model: each member absent, null, of the wrong type and right; what is kept and how it is written back.

pub mod lists;
pub mod maps;
pub mod members;
pub mod names;
pub mod open_sets;
pub mod shape;
pub mod shapes;
pub mod texts;
pub mod typed;
pub mod values;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vitalwire::models;
use vitalwire::value::Extra;

use shape::Shape;

/// What all generated models have.
pub trait Model: Serialize + DeserializeOwned + Debug + Clone + PartialEq {
    const SHAPE: &'static Shape;
    fn extra(&self) -> &Extra;
}

macro_rules! models {
    ($($model:ident $shape:ident),* $(,)?) => {
        $(impl Model for models::$model {
            const SHAPE: &'static Shape = &shapes::$shape;
            fn extra(&self) -> &Extra {
                &self.extra
            }
        })*

        /// Does something with every model.
        pub fn each(visitor: &mut impl Visit) {
            $(visitor.visit::<models::$model>();)*
        }
    };
}

pub trait Visit {
    fn visit<M: Model>(&mut self);
}

models! {
    IntegrationInit INTEGRATION_INIT,
    UserInfo USER_INFO,
    IntegratedProvider INTEGRATED_PROVIDER,
    UserPropertiesAnswer USER_PROPERTIES_ANSWER,
    UserProperties USER_PROPERTIES,
    LabReport LAB_REPORT,
    LabInformation LAB_INFORMATION,
    PatientInformation PATIENT_INFORMATION,
    LabSection LAB_SECTION,
    LabResult LAB_RESULT,
    LabReportAnswer LAB_REPORT_ANSWER,
    LabReportWebhook LAB_REPORT_WEBHOOK,
    NutritionRecord NUTRITION_RECORD,
    NutritionUploadAnswer NUTRITION_UPLOAD_ANSWER,
    NutritionWebhook NUTRITION_WEBHOOK,
    Ingredient INGREDIENT,
    SleepRecord SLEEP_RECORD,
    SleepSamples SLEEP_SAMPLES,
    SleepSource SLEEP_SOURCE,
    SleepStage SLEEP_STAGE,
    IntervalStatistics INTERVAL_STATISTICS,
    IntervalBucket INTERVAL_BUCKET,
    DailyStatistics DAILY_STATISTICS,
    DailyBucket DAILY_BUCKET,
    PolicyBenefits POLICY_BENEFITS,
    BenefitsData BENEFITS_DATA,
    ProblemDetails PROBLEM_DETAILS,
    ProblemItem PROBLEM_ITEM,
    TokenAnswer TOKEN_ANSWER,
    WebhookEvent WEBHOOK_EVENT,
}
