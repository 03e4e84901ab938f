//! Redirects at the end of the consent flow.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::value::OpenSet;

use crate::arguments::Arguments;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::present;
use crate::handles::owned;
use crate::outcome::attempt;
use crate::value::vitalwire_str;
use crate::view;

/// A redirect from the consent flow. The redirect is not signed: only the state shows that it belongs to the flow that was started.
pub struct vitalwire_consent_redirect(ConsentRedirect);

/// Parses a redirect from a URL, a path with its query, or a query.
///
/// `expected_state` is the state that the flow started with. If its `data` is NULL, the state is not checked and a forged redirect is not
/// detected. Fails with VITALWIRE_ERROR_SIGNATURE if the state differs, and with VITALWIRE_ERROR_DECODE if the text is not a redirect.
/// Thread-safe. Free the result with vitalwire_consent_redirect_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_parse(
    url: vitalwire_str,
    expected_state: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_consent_redirect>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let url = arguments.text("url", &url);
        let expected = arguments.optional_text("expected_state", &expected_state);
        arguments.check()?;
        out.write(owned(vitalwire_consent_redirect(ConsentRedirect::parse(url, expected)?)));
        Ok(())
    })
}

/// Returns the id of the user at the service, as received.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_user_id(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.user_id())
}

/// Returns the slug of the provider, for example `fitbit`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_provider_slug(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.provider_slug().map(OpenSet::as_str))
}

/// Returns the state, as received.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_state(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.state())
}

/// Returns the reason why the integration failed, which may be empty. `data` is NULL if it succeeded. Escape the text before you display
/// it: anyone can write a URL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_failure(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| match of.0.outcome() {
        Outcome::Failed(failure) => Some(failure.text()),
        _ => None,
    })
}

/// Returns the number of other query parameters, including repeated ones.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_extra_count(of: Option<&vitalwire_consent_redirect>) -> usize {
    view::count(of, |of| of.0.extra().count())
}

/// Writes the name and value of another query parameter, by index from 0. Returns false beyond the end. `name` and `value` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_extra_at(
    of: Option<&vitalwire_consent_redirect>,
    index: usize,
    name: Option<&mut MaybeUninit<vitalwire_str>>,
    value: Option<&mut MaybeUninit<vitalwire_str>>,
) -> bool {
    view::pair(of, name, value, |of| of.0.extra().nth(index).map(|(name, value)| (name, value.into())))
}

/// Frees a redirect. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_free(of: Option<Box<vitalwire_consent_redirect>>) {
    view::free(of);
}
