//! Screen: information about the user, the integrated providers, and the user's properties.

use super::state::DemoState;
use crate::failure::Failure;
use crate::view::user;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("Who the user is, and what is connected")?;
    let info = demo.call(demo.client.user().info()).await?;
    demo.table(&user::identity(&info))?;
    demo.line("")?;
    demo.table(&user::providers(&info))?;
    demo.last_provider = info.integrated_providers.iter().last().and_then(|provider| provider.provider_slug.clone());
    demo.line("")?;
    let response = demo.call(demo.client.user().properties()).await?;
    if let Some(properties) = &response.properties {
        let table = user::properties(properties, demo.available_width());
        demo.table(&table)?;
    }
    Ok(())
}
