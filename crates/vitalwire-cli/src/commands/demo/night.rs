//! Screen: last night.

use super::state::DemoState;
use crate::commands::local_sandbox;
use crate::failure::Failure;
use crate::view;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("Last night")?;
    let last = local_sandbox::last_night(demo.sandbox, demo.person);
    let night = demo.call(demo.client.sleeps().get(last.id).include_stages(true).include_samples(true)).await?;
    // All later dates such as "today" and "yesterday" depend on this offset.
    demo.offset_minutes = night.user_time_offset_minutes.unwrap_or(0);
    view::night::show(demo, &night, None)
}
