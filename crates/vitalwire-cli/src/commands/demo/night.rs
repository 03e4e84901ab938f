//! Screen: last night.

use super::state::DemoState;
use crate::failure::Failure;
use crate::view;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("Last night")?;
    // From the sandbox itself: the service has no list of nights, and a call to find it would show up in the request log.
    let id = demo.person.sleep_id(demo.sandbox.app().last_night(demo.person));
    let night = demo.call(demo.client.sleeps().get(id).include_stages(true).include_samples(true)).await?;
    // All later dates such as "today" and "yesterday" depend on this offset.
    demo.offset_minutes = night.user_time_offset_minutes.unwrap_or(0);
    view::night::show(demo, &night, None)
}
