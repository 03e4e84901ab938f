//! Screen: information about the user, the integrated providers, and the user's properties.

use super::story::Story;
use crate::failure::Failure;
use crate::view::user;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("Who the user is, and what is connected")?;
    let info = story.call(story.client.user().info()).await?;
    story.table(&user::identity(&info))?;
    story.line("")?;
    story.table(&user::providers(&info))?;
    story.last_provider = info.integrated_providers.iter().last().and_then(|provider| provider.provider_slug.clone());
    story.line("")?;
    let answer = story.call(story.client.user().properties()).await?;
    if let Some(properties) = &answer.properties {
        let facts = user::facts(properties, story.room());
        story.table(&facts)?;
    }
    Ok(())
}
