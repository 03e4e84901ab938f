//! Screen: the payments of an insurance policy. The care service has its own base URL and token.

use super::story::Story;
use crate::failure::Failure;
use crate::view::benefits;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("What the insurance pays: the care service")?;
    let answer = story.call(story.client.care().benefits("clinic-1", "patient-1", "policy-1")).await?;
    benefits::show(story, &answer)
}
