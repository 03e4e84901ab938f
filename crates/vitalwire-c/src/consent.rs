//! What the browser brings back at the end of the consent flow.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::value::OpenSet;

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::Given;
use crate::guard::present;
use crate::kind::owned;
use crate::outcome::attempt;
use crate::value::vitalwire_str;
use crate::view;

/// What came back from the consent flow. Nothing in it is signed: the state alone ties it to the flow that was begun.
pub struct vitalwire_consent_redirect(ConsentRedirect);

/// Reads a return out of a whole URL, a path with its query, or a query.
///
/// `expected_state` is the state that the flow began with. Without one (`data` is NULL) nothing tells a genuine return from one that
/// somebody made up. Another state is VITALWIRE_ERROR_SIGNATURE; what is no return is VITALWIRE_ERROR_DECODE.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_parse(
    url: vitalwire_str,
    expected_state: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_consent_redirect>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut given = Given::default();
        let url = given.text("url", &url);
        let expected = given.optional_text("expected_state", &expected_state);
        given.check()?;
        out.write(owned(vitalwire_consent_redirect(ConsentRedirect::parse(url, expected)?)));
        Ok(())
    })
}

/// The service's id of the user, as it came.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_user_id(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.user_id())
}

/// The provider.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_provider_slug(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.provider_slug().map(OpenSet::as_str))
}

/// The state that came back.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_state(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| of.0.state())
}

/// Why the integration failed, perhaps an empty text; no text (`data` is NULL) where the provider is integrated. Anybody can write a URL:
/// escape the text before showing it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_failure(of: Option<&vitalwire_consent_redirect>) -> vitalwire_str {
    view::text(of, |of| match of.0.outcome() {
        Outcome::Failed(failure) => Some(failure.text()),
        _ => None,
    })
}

/// How many other parameters there are, repeated ones too.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_extra_count(of: Option<&vitalwire_consent_redirect>) -> usize {
    view::count(of, |of| of.0.extra().count())
}

/// One of the other parameters, in their order, counted from 0. Returns false beyond the end; either place may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_extra_at(
    of: Option<&vitalwire_consent_redirect>,
    index: usize,
    name: Option<&mut MaybeUninit<vitalwire_str>>,
    value: Option<&mut MaybeUninit<vitalwire_str>>,
) -> bool {
    view::pair(of, name, value, |of| of.0.extra().nth(index).map(|(name, value)| (name, value.into())))
}

/// Frees a return; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_consent_redirect_free(of: Option<Box<vitalwire_consent_redirect>>) {
    view::free(of);
}
