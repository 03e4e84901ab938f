//! Screen: the URL at which a user connects another provider.

use vitalwire::open_sets::ProviderSlug;

use super::state::DemoState;
use crate::failure::Failure;

/// A provider with a consent page that the demo's user has not connected.
const PROVIDER: ProviderSlug = ProviderSlug::Withings;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("The user connects one provider and leaves another")?;
    let call = demo.client.integrations().init_url(PROVIDER).redirect_uri("https://app.example.com/connected").state("demo-4711");
    let response = demo.call(call).await?;
    let (shown, hidden_count) = elide(response.path.as_deref().unwrap_or_default());
    demo.line(&format!("consent URL   {shown}"))?;
    demo.line("comes back to https://app.example.com/connected with state=demo-4711")?;
    demo.note(&format!(
        "The application sends the user to that URL. {hidden_count} of its characters are not shown: whoever has them can connect \
         {PROVIDER} to this user."
    ))?;
    demo.line("")?;
    let Some(provider) = demo.last_provider.clone() else { return Ok(()) };
    demo.call(demo.client.integrations().delete(provider.clone())).await?;
    demo.line(&format!("The integration with {provider} is gone; the data it brought stay."))
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
    fn nothing_after_the_host_is_shown() {
        for (url, shown, hidden_count) in [
            ("https://api.example.org/consent/CANARY", "https://api.example.org/…", 15),
            ("http://127.0.0.1:8080?token=CANARY", "http://127.0.0.1:8080/…", 13),
            ("https://CANARY@example.org/x", "/…", 28),
            ("/CANARY", "/…", 7),
            ("", "/…", 0),
        ] {
            assert_eq!(elide(url), (shown.to_owned(), hidden_count));
        }
    }
}
