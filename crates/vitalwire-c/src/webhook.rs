//! What the service sends to a server of the application's: checking that it is genuine, reading it, and telling a repetition.
//!
//! A signature says who wrote a body and nothing about when, and a body comes again until it is answered with 200 within 30 s.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use vitalwire::webhook::{self as core, Verifier, VerifierBuilder, WebhookKind};
use vitalwire::{Error, models};

use crate::borrow;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::types::{vitalwire_lab_report_webhook, vitalwire_nutrition_webhook, vitalwire_webhook_event};
use crate::given::{Given, Settings, built, set};
use crate::guard::{catch, handle, present};
use crate::kind::owned;
use crate::outcome::attempt;
use crate::skipped::vitalwire_skipped_items;
use crate::value::{vitalwire_json, vitalwire_str};
use crate::view;

/// Checks the signatures of webhooks. Its keys are overwritten when it is freed, and no text shows them.
pub struct vitalwire_webhook_verifier(Verifier);

/// The settings of a verifier.
pub struct vitalwire_webhook_verifier_builder {
    /// `None` once a verifier was made from it.
    settings: Option<VerifierBuilder>,
    given: Given,
}

/// The events of a body of the main webhook, which may be about several users.
pub struct vitalwire_webhook_event_list(Vec<models::WebhookEvent>);

/// What a body looks like.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_webhook_kind {
    /// Could be a lab report or a nutrition record, or neither.
    VITALWIRE_WEBHOOK_UNKNOWN = 0,
    /// A list of events: vitalwire_webhook_events.
    VITALWIRE_WEBHOOK_EVENTS = 1,
    /// A lab report: vitalwire_webhook_lab_report.
    VITALWIRE_WEBHOOK_LAB_REPORT = 2,
    /// A nutrition record: vitalwire_webhook_nutrition.
    VITALWIRE_WEBHOOK_NUTRITION = 3,
}

/// The content of a body in 64 lower-case hex digits: equal for equal contents.
#[repr(C)]
pub struct vitalwire_content_key {
    /// The digits, and a NUL after them.
    pub text: [c_char; 65],
}

impl Settings for vitalwire_webhook_verifier_builder {
    type Value = Option<VerifierBuilder>;

    fn parts(&mut self) -> (&mut Option<VerifierBuilder>, &mut Given) {
        (&mut self.settings, &mut self.given)
    }
}

/// Makes a builder without keys. Bodies up to 32 MiB are checked.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_new() -> Option<Box<vitalwire_webhook_verifier_builder>> {
    catch(|| owned(vitalwire_webhook_verifier_builder { settings: Some(Verifier::builder()), given: Given::default() }))
}

/// Adds a webhook key. A byte order mark before it and line ends behind it are removed, as files add them; in quotes, between white space
/// or after `Bearer ` it is a configuration error. Several serve a rotation: a signature under any is taken.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_add_key(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    key: *const u8,
    length: usize,
) {
    set(builder, |settings, given| match borrow::bytes(&key, key, length) {
        Some(key) => *settings = settings.take().map(|settings| settings.key(key)),
        None => given.refuse("key", "it is NULL"),
    });
}

/// The largest body that is checked, in bytes. A web server should refuse more before it reads it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_set_body_limit(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    bytes: usize,
) {
    set(builder, |settings, _| *settings = settings.take().map(|settings| settings.body_limit(bytes)));
}

/// Makes the verifier. It takes the settings: the builder can only be freed after it. Without a key, or with one that is empty or made of
/// zero bytes, it is VITALWIRE_ERROR_CONFIGURATION.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_build(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    out: Option<&mut MaybeUninit<Box<vitalwire_webhook_verifier>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let builder = handle(builder, "builder")?;
        let out = present(out, "out")?;
        out.write(owned(vitalwire_webhook_verifier(built(builder)?.build()?)));
        Ok(())
    })
}

/// Frees a builder, also one that a verifier was made from; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_free(builder: Option<Box<vitalwire_webhook_verifier_builder>>) {
    view::free(builder);
}

/// Frees a verifier; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_free(verifier: Option<Box<vitalwire_webhook_verifier>>) {
    view::free(verifier);
}

/// Checks a body, as it came, against the value of its header `X-Body-Signature`: 64 hex digits in either case, with white space around
/// them or not. VITALWIRE_ERROR_SIGNATURE if it fits under no key, is missing (NULL) or empty; VITALWIRE_ERROR_TOO_LARGE for a body over the
/// limit. No thread is needed and nothing is sent.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verify(
    verifier: Option<&vitalwire_webhook_verifier>,
    body: *const u8,
    length: usize,
    signature: vitalwire_str,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let verifier = handle(verifier, "verifier")?;
        let body = read(&body, body, length)?;
        // No text, like bytes that are no text, is no signature: the verifier says so.
        let given = match borrow::read(&signature, signature.data.cast(), signature.length) {
            Ok(given) => given,
            Err(_) if signature.data.is_null() => &[],
            Err(reason) => return Err(Error::invalid_argument("signature", reason)),
        };
        verifier.0.verify(body, given)
    })
}

/// What a body looks like. A guess does not check the body: reading it may still fail. Give each kind an address of its own where you can.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_detect_kind(body: *const u8, length: usize) -> vitalwire_webhook_kind {
    let guess = borrow::bytes(&body, body, length).and_then(|body| catch(|| core::detect_kind(body)));
    match guess {
        Some(WebhookKind::Events) => vitalwire_webhook_kind::VITALWIRE_WEBHOOK_EVENTS,
        Some(WebhookKind::LabReport) => vitalwire_webhook_kind::VITALWIRE_WEBHOOK_LAB_REPORT,
        Some(WebhookKind::Nutrition) => vitalwire_webhook_kind::VITALWIRE_WEBHOOK_NUTRITION,
        _ => vitalwire_webhook_kind::VITALWIRE_WEBHOOK_UNKNOWN,
    }
}

/// Reads a body of the main webhook: a list of events. It is not verified here: vitalwire_webhook_verify comes first.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_events(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_webhook_event_list>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parsed(body, length, out, error, |body| core::parse_events(body).map(vitalwire_webhook_event_list))
}

/// Reads a body of the lab report webhook. It is not verified here: vitalwire_webhook_verify comes first.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_lab_report(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_lab_report_webhook>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parsed(body, length, out, error, core::parse_lab_report)
}

/// Reads a body of the nutrition webhook. It is not verified here: vitalwire_webhook_verify comes first.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_nutrition(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_nutrition_webhook>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parsed(body, length, out, error, core::parse_nutrition)
}

/// The list items of a body that cannot be decoded, and that reading it leaves out; `kind` says what the body holds. It is freed by
/// vitalwire_skipped_items_free. VITALWIRE_ERROR_INVALID_ARGUMENT for VITALWIRE_WEBHOOK_UNKNOWN.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_skipped_items(
    body: *const u8,
    length: usize,
    kind: vitalwire_webhook_kind,
    out: Option<&mut MaybeUninit<Box<vitalwire_skipped_items>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let kind = match kind {
        vitalwire_webhook_kind::VITALWIRE_WEBHOOK_EVENTS => WebhookKind::Events,
        vitalwire_webhook_kind::VITALWIRE_WEBHOOK_LAB_REPORT => WebhookKind::LabReport,
        vitalwire_webhook_kind::VITALWIRE_WEBHOOK_NUTRITION => WebhookKind::Nutrition,
        vitalwire_webhook_kind::VITALWIRE_WEBHOOK_UNKNOWN => WebhookKind::Unknown,
    };
    parsed(body, length, out, error, |body| core::skipped_items(body, kind).map(vitalwire_skipped_items))
}

/// The key under which a receiver remembers a body: SHA-256 over the body in canonical JSON, so that white space, escapes and the order of
/// members make no difference. It is made from health data: store it as you store the data. Returns false where `body` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_content_key(
    body: *const u8,
    length: usize,
    value: Option<&mut MaybeUninit<vitalwire_content_key>>,
) -> bool {
    let digits = borrow::bytes(&body, body, length).and_then(|body| catch(|| core::content_key(body).to_string()));
    let (Some(digits), Some(value)) = (digits, value) else { return false };
    let mut text = [0; 65];
    for (to, digit) in text.iter_mut().zip(digits.bytes().take(64)) {
        *to = c_char::from_ne_bytes([digit]);
    }
    value.write(vitalwire_content_key { text });
    true
}

/// Signs a body as the service does, for tests of a receiver. The text is read by vitalwire_json_text and freed by vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_sign(body: *const u8, length: usize, key: *const u8, key_length: usize) -> Option<Box<vitalwire_json>> {
    let (body, key) = (borrow::bytes(&body, body, length)?, borrow::bytes(&key, key, key_length)?);
    catch(|| owned(vitalwire_json(core::sign(body, key))))
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_count(of: Option<&vitalwire_webhook_event_list>) -> usize {
    view::count(of, |of| of.0.len())
}

/// One of them, counted from 0; NULL beyond the end. It lives as long as the list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_at(
    of: Option<&vitalwire_webhook_event_list>,
    index: usize,
) -> Option<&vitalwire_webhook_event> {
    view::child(of, |of| of.0.get(index))
}

/// Frees it and all that was read from it; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_free(of: Option<Box<vitalwire_webhook_event_list>>) {
    view::free(of);
}

/// Frees it and all that was read from it; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_lab_report_webhook_free(of: Option<Box<vitalwire_lab_report_webhook>>) {
    view::free(of);
}

/// Frees it and all that was read from it; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_webhook_free(of: Option<Box<vitalwire_nutrition_webhook>>) {
    view::free(of);
}

fn read<Argument>(argument: &Argument, body: *const u8, length: usize) -> Result<&[u8], Error> {
    borrow::read(argument, body, length).map_err(|reason| Error::invalid_argument("body", reason))
}

fn parsed<T: 'static>(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<T>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
    parse: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(owned(parse(read(&body, body, length)?)?));
        Ok(())
    })
}
