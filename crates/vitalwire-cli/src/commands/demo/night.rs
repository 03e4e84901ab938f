//! Screen: last night.

use super::story::Story;
use crate::commands::local;
use crate::failure::Failure;
use crate::view;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("Last night")?;
    let last = local::last_night(story.sandbox, story.person);
    let night = story.call(story.client.sleeps().get(last.id).include_stages(true).include_samples(true)).await?;
    // All later dates such as "today" and "yesterday" depend on this offset.
    story.offset_minutes = night.user_time_offset_minutes.unwrap_or(0);
    view::night::show(story, &night)
}
