//! Consent: a user is sent to a page of ours that stands in for a provider's own, answers, and is sent back.

mod page;
mod redirect;
mod stored;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

pub(crate) use self::page::{gone, question, refused};
pub(crate) use self::redirect::Redirects;
use crate::values::crypto;

/// Lifetime of a consent URL in real time: a person has to read and click, however fast the sandbox's clock is. What that clock is moved
/// by hand counts too.
pub(crate) const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// Letters of a token: 128 bits.
const TOKEN_LENGTH: usize = 32;

/// What a consent URL stands for, until it is used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Consent {
    pub(crate) user_id: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    /// Where the user goes back to; `None`: the application's default.
    pub(crate) redirect_uri: Option<String>,
    /// Given back as it came.
    pub(crate) state: Option<String>,
    /// Who the user is at the provider, if the caller said so.
    pub(crate) provider_user_id: Option<String>,
    /// By [`Clock::for_people`](crate::clock::Clock::for_people).
    pub(crate) expires_at: Timestamp,
}

/// What the person on the page chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Allow,
    Refuse,
    /// The person agreed, and the provider did not do its part.
    Fail,
}

impl Answer {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
            Self::Fail => "fail",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Allow, Self::Refuse, Self::Fail].into_iter().find(|answer| answer.name() == name)
    }

    /// The error for the application. The interface says that there is a text, not which.
    const fn error(self) -> Option<&'static str> {
        match self {
            Self::Allow => None,
            Self::Refuse => Some("access denied"),
            Self::Fail => Some("provider unavailable"),
        }
    }
}

/// A token for the address of a page; the number makes it unique.
pub(crate) fn token(signing_key: &[u8], number: u64) -> String {
    let mut token = crypto::hex(&crypto::digest(&[b"consent", signing_key, &number.to_be_bytes()]));
    token.truncate(TOKEN_LENGTH);
    token
}

/// Whether a token of this shape was ever given out.
pub(crate) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What the form of a page sends along: another page that knows the address alone cannot make it up.
pub(crate) fn seal(signing_key: &[u8], token: &str) -> String {
    crypto::hex(&crypto::digest(&[b"consent form", signing_key, token.as_bytes()])[..16])
}

impl Consent {
    /// Where the answer leads, complete.
    pub(crate) fn destination(&self, redirects: &Redirects, answer: Answer) -> Option<Url> {
        // A provider that was asked knows its user, whether or not the caller did.
        let invented = || crypto::uuid(&[b"account", self.slug.as_bytes(), self.user_id.as_bytes()]).to_string();
        let account = match (&self.provider_user_id, answer) {
            (Some(account), _) => account.clone(),
            (None, Answer::Allow) => invented(),
            (None, _) => String::new(),
        };
        let mut url = match &self.redirect_uri {
            Some(text) => Url::parse(text).ok()?,
            None => redirects.default_for(&self.user_id, &self.slug, &account)?,
        };
        url.query_pairs_mut().append_pair("user_id", &self.user_id).append_pair("provider_slug", &self.slug);
        if let Some(state) = &self.state {
            url.query_pairs_mut().append_pair("state", state);
        }
        if let Some(error) = answer.error() {
            url.query_pairs_mut().append_pair("error", error);
        }
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consent() -> Consent {
        Consent {
            user_id: "u.1".to_owned(),
            name: "Alva Sample".to_owned(),
            slug: "oura".to_owned(),
            redirect_uri: Some("https://example.com/back?keep=1#end".to_owned()),
            state: Some("a&b=\"<c>".to_owned()),
            provider_user_id: None,
            expires_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn leads(consent: &Consent, answer: Answer) -> String {
        consent.destination(&Redirects::default(), answer).unwrap().into()
    }

    #[test]
    fn the_callers_address_keeps_its_parts_and_gets_ours() {
        let consent = consent();
        let common = "https://example.com/back?keep=1&user_id=u.1&provider_slug=oura&state=a%26b%3D%22%3Cc%3E";
        assert_eq!(leads(&consent, Answer::Allow), format!("{common}#end"));
        assert_eq!(leads(&consent, Answer::Refuse), format!("{common}&error=access+denied#end"));
        assert_eq!(leads(&consent, Answer::Fail), format!("{common}&error=provider+unavailable#end"));
        let plain = Consent { state: None, ..consent };
        assert_eq!(leads(&plain, Answer::Allow), "https://example.com/back?keep=1&user_id=u.1&provider_slug=oura#end");
    }

    #[test]
    fn the_default_place_fills_its_placeholders() {
        let consent = Consent { redirect_uri: None, state: None, provider_user_id: Some("a&b@example.com".to_owned()), ..consent() };
        assert_eq!(
            leads(&consent, Answer::Allow),
            "https://app.example.com/integrated/oura?user=u.1&at_provider=a%26b%40example.com&user_id=u.1&provider_slug=oura"
        );
        let unknown = Consent { provider_user_id: None, ..consent };
        assert!(leads(&unknown, Answer::Refuse).contains("&at_provider=&user_id="));
        let account = leads(&unknown, Answer::Allow);
        let account = account.split_once("at_provider=").unwrap().1.split_once('&').unwrap().0;
        assert!(account.parse::<uuid::Uuid>().is_ok(), "{account}");
    }

    #[test]
    fn answers_are_named() {
        for answer in [Answer::Allow, Answer::Refuse, Answer::Fail] {
            assert_eq!(Answer::from_name(answer.name()), Some(answer));
        }
        assert_eq!(Answer::from_name("ALLOW"), None);
    }
}
