//! A case in the form of the plan.

use serde::Deserialize;

use super::settings::Settings;
use crate::case::Call;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedCase {
    pub(super) id: String,
    pub(super) client: Settings,
    pub(super) call: Call,
}
