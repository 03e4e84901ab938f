//! Screen: the payments of an insurance policy. The care service has its own base URL and token.

use super::state::DemoState;
use crate::failure::Failure;
use crate::view::benefits;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("What the insurance pays: the care service")?;
    let response = demo.call(demo.client.care().benefits("clinic-1", "patient-1", "policy-1")).await?;
    benefits::show(demo, &response)
}
