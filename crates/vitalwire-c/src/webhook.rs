//! Webhooks: signatures, bodies, content keys.
//!
//! A signature covers only the body, not a time, so an old body stays valid. The service resends a body until the receiver responds with
//! 200 within 30 s.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use vitalwire::webhook::{self as core, Verifier, VerifierBuilder, WebhookKind};
use vitalwire::{Error, models};

use crate::arguments::{Arguments, Settings, set, take_settings};
use crate::borrow;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::types::{vitalwire_lab_report_webhook, vitalwire_nutrition_webhook, vitalwire_webhook_event};
use crate::guard::{catch, handle, present};
use crate::handles::owned;
use crate::outcome::attempt;
use crate::skipped::vitalwire_skipped_items;
use crate::value::{vitalwire_json, vitalwire_str};
use crate::view;

/// Verifies signatures of webhooks. The keys are overwritten in memory when the verifier is freed. Thread-safe.
pub struct vitalwire_webhook_verifier(Verifier);

/// Settings of a webhook verifier.
pub struct vitalwire_webhook_verifier_builder {
    /// `None` after `build`.
    settings: Option<VerifierBuilder>,
    arguments: Arguments,
}

/// Events of a body of the main webhook. They may belong to several users.
pub struct vitalwire_webhook_event_list(Vec<models::WebhookEvent>);

/// Detected kind of a body.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_webhook_kind {
    /// Not recognized. The body may still be a lab report or a nutrition record.
    VITALWIRE_WEBHOOK_UNKNOWN = 0,
    /// A list of events: parse it with vitalwire_webhook_events.
    VITALWIRE_WEBHOOK_EVENTS = 1,
    /// A lab report: parse it with vitalwire_webhook_lab_report.
    VITALWIRE_WEBHOOK_LAB_REPORT = 2,
    /// A nutrition record: parse it with vitalwire_webhook_nutrition.
    VITALWIRE_WEBHOOK_NUTRITION = 3,
}

/// Content key of a body: 64 lower-case hex digits, equal for equal contents.
#[repr(C)]
pub struct vitalwire_content_key {
    /// The digits and a terminating NUL.
    pub text: [c_char; 65],
}

impl Settings for vitalwire_webhook_verifier_builder {
    type Value = Option<VerifierBuilder>;

    fn parts(&mut self) -> (&mut Option<VerifierBuilder>, &mut Arguments) {
        (&mut self.settings, &mut self.arguments)
    }
}

/// Creates a builder without keys, with a body limit of 32 MiB. Free it with vitalwire_webhook_verifier_builder_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_new() -> Option<Box<vitalwire_webhook_verifier_builder>> {
    catch(|| owned(vitalwire_webhook_verifier_builder { settings: Some(Verifier::builder()), arguments: Arguments::default() }))
}

/// Adds a webhook key of `length` bytes, which is copied. A signature by any of the keys is valid: during a key rotation, add the old and
/// the new key.
///
/// A byte order mark before the key and line ends after it are removed. A key shorter than 16 bytes, in quotes, with surrounding white space or with the prefix
/// `Bearer ` makes vitalwire_webhook_verifier_builder_build fail with VITALWIRE_ERROR_CONFIGURATION.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_add_key(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    key: *const u8,
    length: usize,
) {
    set(builder, |settings, arguments| match borrow::bytes(&key, key, length) {
        Some(key) => *settings = settings.take().map(|settings| settings.key(key)),
        None => arguments.reject("key", "must not be NULL"),
    });
}

/// Sets the maximum size of a body, in bytes. Make your web server reject larger bodies before it reads them. Defaults to 32 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_set_body_limit(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    bytes: usize,
) {
    set(builder, |settings, _| *settings = settings.take().map(|settings| settings.body_limit(bytes)));
}

/// Creates the verifier. Consumes the settings: afterwards, only free the builder. Fails with VITALWIRE_ERROR_CONFIGURATION if there is no
/// key, or a key is empty or consists of zero bytes. Free the verifier with vitalwire_webhook_verifier_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_build(
    builder: Option<&mut vitalwire_webhook_verifier_builder>,
    out: Option<&mut MaybeUninit<Box<vitalwire_webhook_verifier>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let builder = handle(builder, "builder")?;
        let out = present(out, "out")?;
        out.write(owned(vitalwire_webhook_verifier(take_settings(builder)?.build()?)));
        Ok(())
    })
}

/// Frees a builder, also after vitalwire_webhook_verifier_builder_build. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_builder_free(builder: Option<Box<vitalwire_webhook_verifier_builder>>) {
    view::free(builder);
}

/// Frees a verifier. No other thread may use it any more. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_verifier_free(verifier: Option<Box<vitalwire_webhook_verifier>>) {
    view::free(verifier);
}

/// Verifies a body, as received, against its `X-Body-Signature` header: 64 hex digits in either case, optionally surrounded by white space.
///
/// Fails with VITALWIRE_ERROR_SIGNATURE if the signature matches no key, is empty or is missing (`data` is NULL). Fails with
/// VITALWIRE_ERROR_TOO_LARGE if the body exceeds the limit. Thread-safe. Starts no thread and sends nothing.
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
        // The verifier rejects a signature that is missing or not UTF-8.
        let signature_bytes = match borrow::read(&signature, signature.data.cast(), signature.length) {
            Ok(bytes) => bytes,
            Err(_) if signature.data.is_null() => &[],
            Err(reason) => return Err(Error::invalid_argument("signature", reason)),
        };
        verifier.0.verify(body, signature_bytes)
    })
}

/// Detects the kind of a body without checking it: parsing may still fail. Prefer a separate URL for each kind.
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

/// Parses a body of the main webhook. Call vitalwire_webhook_verify first: this function does not verify. Free the result with
/// vitalwire_webhook_event_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_events(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_webhook_event_list>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parse_body(body, length, out, error, |body| core::parse_events(body).map(vitalwire_webhook_event_list))
}

/// Parses a body of the lab report webhook. Call vitalwire_webhook_verify first: this function does not verify. Free the result with
/// vitalwire_lab_report_webhook_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_lab_report(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_lab_report_webhook>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parse_body(body, length, out, error, core::parse_lab_report)
}

/// Parses a body of the nutrition webhook. Call vitalwire_webhook_verify first: this function does not verify. Free the result with
/// vitalwire_nutrition_webhook_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_nutrition(
    body: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_nutrition_webhook>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    parse_body(body, length, out, error, core::parse_nutrition)
}

/// Returns the list items of a body that cannot be decoded and are therefore skipped when the body is parsed. Fails with
/// VITALWIRE_ERROR_INVALID_ARGUMENT if `kind`, the kind of the body, is VITALWIRE_WEBHOOK_UNKNOWN. Free the result with
/// vitalwire_skipped_items_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_skipped_items(
    body: *const u8,
    length: usize,
    kind: MaybeUninit<vitalwire_webhook_kind>,
    out: Option<&mut MaybeUninit<Box<vitalwire_skipped_items>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    const EVENTS: u8 = vitalwire_webhook_kind::VITALWIRE_WEBHOOK_EVENTS as u8;
    const LAB_REPORT: u8 = vitalwire_webhook_kind::VITALWIRE_WEBHOOK_LAB_REPORT as u8;
    const NUTRITION: u8 = vitalwire_webhook_kind::VITALWIRE_WEBHOOK_NUTRITION as u8;
    let kind = match borrow::enum_number(kind) {
        EVENTS => WebhookKind::Events,
        LAB_REPORT => WebhookKind::LabReport,
        NUTRITION => WebhookKind::Nutrition,
        _ => WebhookKind::Unknown,
    };
    parse_body(body, length, out, error, |body| core::skipped_items(body, kind).map(vitalwire_skipped_items))
}

/// Computes a key to detect repeated bodies: SHA-256 of the body as canonical JSON. White space, escapes and the order of fields make no
/// difference. The key is derived from health data, so protect it like the data. Returns false if `body` or `value` is NULL.
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

/// Signs a body as the service does, to test a receiver. Returns NULL if `body` or `key` is NULL. Free the result with vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_sign(body: *const u8, length: usize, key: *const u8, key_length: usize) -> Option<Box<vitalwire_json>> {
    let (body, key) = (borrow::bytes(&body, body, length)?, borrow::bytes(&key, key, key_length)?);
    catch(|| owned(vitalwire_json(core::sign(body, key))))
}

/// Returns the number of events; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_count(of: Option<&vitalwire_webhook_event_list>) -> usize {
    view::count(of, |of| of.0.len())
}

/// Returns an event by index, from 0; NULL beyond the end. The event is valid as long as the list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_at(
    of: Option<&vitalwire_webhook_event_list>,
    index: usize,
) -> Option<&vitalwire_webhook_event> {
    view::child(of, |of| of.0.get(index))
}

/// Frees a list and everything in it. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_webhook_event_list_free(of: Option<Box<vitalwire_webhook_event_list>>) {
    view::free(of);
}

/// Frees a lab report and everything in it. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_lab_report_webhook_free(of: Option<Box<vitalwire_lab_report_webhook>>) {
    view::free(of);
}

/// Frees a nutrition record and everything in it. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_webhook_free(of: Option<Box<vitalwire_nutrition_webhook>>) {
    view::free(of);
}

fn read<Argument>(argument: &Argument, body: *const u8, length: usize) -> Result<&[u8], Error> {
    borrow::read(argument, body, length).map_err(|reason| Error::invalid_argument("body", reason))
}

fn parse_body<T: 'static>(
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
