//! All seventeen operations as one list, for what must hold for each of them.

use vitalwire::Client;
use vitalwire::client::BoxFuture;
use vitalwire::error::Error;

use crate::date;

/// What a success looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Success {
    /// 200 and an object.
    Object,
    /// 200 and an array, or null.
    List,
    /// 204 and nothing.
    Nothing,
}

type Send = fn(Client) -> BoxFuture<'static, Result<(), Error>>;

pub struct Operation {
    pub id: &'static str,
    /// Method and path template, as the interface writes them.
    pub template: &'static str,
    pub success: Success,
    pub send: Send,
}

macro_rules! operation {
    ($id:literal, $template:literal, $success:ident, |$client:ident| $call:expr) => {
        Operation {
            id: $id,
            template: $template,
            success: Success::$success,
            send: |$client| Box::pin(async move { $call.await.map(drop) }),
        }
    };
}

pub fn operations() -> Vec<Operation> {
    vec![
        operation!("init_integration", "GET /v3/providers/{provider_slug}/integration/init_url", Object, |c| c
            .integrations()
            .init_url("whoop")),
        operation!("delete_integration", "DELETE /v3/providers/{provider_slug}/integration", Nothing, |c| c.integrations().delete("whoop")),
        operation!("get_user_info", "GET /v3/userinfo", Object, |c| c.user().info()),
        operation!("get_user_properties", "GET /v3/userproperties", Object, |c| c.user().properties()),
        operation!("upload_lab_report", "POST /v3/lab_reports", Object, |c| c.lab_reports().upload(b"x", "x.pdf")),
        operation!("list_lab_reports", "GET /v3/lab_reports", List, |c| c.lab_reports().list()),
        operation!("get_lab_report", "GET /v3/lab_reports/{lab_report_id}", Object, |c| c.lab_reports().get("id")),
        operation!("upload_nutrition_record", "POST /v3/nutrition_records", Object, |c| c.nutrition_records().upload().body(b"x")),
        operation!("list_nutrition_records", "GET /v3/nutrition_records", List, |c| c.nutrition_records().list()),
        operation!("get_nutrition_record", "GET /v3/nutrition_records/{nutrition_record_id}", Object, |c| c.nutrition_records().get("id")),
        operation!("update_nutrition_record", "PATCH /v3/nutrition_records/{nutrition_record_id}", Object, |c| c
            .nutrition_records()
            .update("id", 1.0)),
        operation!("delete_nutrition_record", "DELETE /v3/nutrition_records/{nutrition_record_id}", Nothing, |c| c
            .nutrition_records()
            .delete("id")),
        operation!("get_sleep", "GET /v3/queries/sleeps/{sleep_id}", Object, |c| c.sleeps().get("id")),
        operation!("interval_statistics", "GET /v3/queries/statistics/interval", Object, |c| c.statistics().interval("1h", ["steps"])),
        operation!("daily_statistics", "GET /v3/queries/statistics/daily", Object, |c| c
            .statistics()
            .daily(date("2025-01-01")..=date("2025-01-31"), ["steps"])),
        operation!(
            "get_policy_benefits",
            "GET /public/v1/clinics/{clinic_id}/patients/{patient_id}/policies/{policy_id}/benefits",
            Object,
            |c| c.care().benefits("clinic", "patient", "policy")
        ),
        operation!("exchange_token", "POST /v3/auth/hmac", Object, |c| c.tokens().exchange(7, "user", "00")),
    ]
}
