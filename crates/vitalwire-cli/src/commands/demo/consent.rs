//! Screen: the URL at which a user connects another provider.

use vitalwire::open_sets::ProviderSlug;

use super::story::Story;
use crate::failure::Failure;

/// A provider with a consent page that the demo's user has not connected.
const PROVIDER: ProviderSlug = ProviderSlug::Withings;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("The user connects one provider and leaves another")?;
    let call = story.client.integrations().init_url(PROVIDER).redirect_uri("https://app.example.com/connected").state("demo-4711");
    let answer = story.call(call).await?;
    let (shown, held_back) = elide(answer.path.as_deref().unwrap_or_default());
    story.line(&format!("consent URL   {shown}"))?;
    story.line("comes back to https://app.example.com/connected with state=demo-4711")?;
    story.note(&format!(
        "The application sends the user to that URL. {held_back} of its characters are not shown: whoever has them can connect \
         {PROVIDER} to this user."
    ))?;
    story.line("")?;
    let Some(left) = story.last_provider.clone() else { return Ok(()) };
    story.call(story.client.integrations().delete(left.clone())).await?;
    story.line(&format!("The integration with {left} is gone; the data it brought stay."))
}

/// Returns a URL up to its host, and the number of characters left out. A service may put the token anywhere in the rest.
fn elide(url: &str) -> (String, usize) {
    let host = url.split_once("://").map_or(0, |(scheme, _)| scheme.len() + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    // A user name or password before the host is a credential too.
    let shown = if url[..end].contains('@') { "" } else { &url[..end] };
    (format!("{shown}/…"), url.len() - shown.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_behind_the_host_is_shown() {
        for (url, shown, held_back) in [
            ("https://api.example.org/consent/CANARY", "https://api.example.org/…", 15),
            ("http://127.0.0.1:8080?token=CANARY", "http://127.0.0.1:8080/…", 13),
            ("https://CANARY@example.org/x", "/…", 28),
            ("/CANARY", "/…", 7),
            ("", "/…", 0),
        ] {
            assert_eq!(elide(url), (shown.to_owned(), held_back));
        }
    }
}
