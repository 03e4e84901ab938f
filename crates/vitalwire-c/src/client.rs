//! The client and its builder.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;
use std::time::Duration;

use vitalwire::client::{ArrayStyle, ClientBuilder};
use vitalwire::{Client, Error};

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::{Given, Settings, set};
use crate::guard::{attempt, catch, present};
use crate::value::vitalwire_str;

/// A client of the service: connections, tokens and settings. Any number of threads may make calls with one at the same time.
pub struct vitalwire_client(pub(crate) Client);

/// The settings of a client. There is no default base URL; a service without one can stay unused.
pub struct vitalwire_client_builder {
    /// `None` once a client was made from it.
    settings: Option<ClientBuilder>,
    given: Given,
}

impl Settings for vitalwire_client_builder {
    type Value = Option<ClientBuilder>;

    fn parts(&mut self) -> (&mut Option<ClientBuilder>, &mut Given) {
        (&mut self.settings, &mut self.given)
    }
}

/// Carries out a setter of the core, which takes its settings by value.
fn with(builder: Option<&mut vitalwire_client_builder>, change: impl FnOnce(ClientBuilder, &mut Given) -> ClientBuilder) {
    set(builder, |settings, given| *settings = settings.take().map(|settings| change(settings, given)));
}

/// Makes a builder with the defaults. Proxies are taken from the environment.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_new() -> Option<Box<vitalwire_client_builder>> {
    catch(|| Box::new(vitalwire_client_builder { settings: Some(ClientBuilder::new()), given: Given::default() }))
}

/// Makes a builder with the settings of the VITALWIRE_* environment variables; what is unset or empty keeps its default.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_from_env(
    out: Option<&mut MaybeUninit<Box<vitalwire_client_builder>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(Box::new(vitalwire_client_builder { settings: Some(ClientBuilder::from_env()?), given: Given::default() }));
        Ok(())
    })
}

/// Frees a builder, also one that a client was made from; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_free(builder: Option<Box<vitalwire_client_builder>>) {
    catch(|| drop(builder));
}

/// Base URL of the health service; a path in it is kept.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_base_url(builder: Option<&mut vitalwire_client_builder>, url: vitalwire_str) {
    with(builder, |builder, given| builder.base_url(given.text("base_url", &url)));
}

/// Base URL of the care service (policy benefits).
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_care_base_url(builder: Option<&mut vitalwire_client_builder>, url: vitalwire_str) {
    with(builder, |builder, given| builder.care_base_url(given.text("care_base_url", &url)));
}

/// The health service's token. It is never shown, and overwritten when the client is freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_token(builder: Option<&mut vitalwire_client_builder>, token: vitalwire_str) {
    with(builder, |builder, given| builder.token(given.text("token", &token)));
}

/// The care service's token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_care_token(builder: Option<&mut vitalwire_client_builder>, token: vitalwire_str) {
    with(builder, |builder, given| builder.care_token(given.text("care_token", &token)));
}

/// Allows plain http to any host. Tokens and health data then travel readable: for emulators and closed test networks.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_allow_plain_http(builder: Option<&mut vitalwire_client_builder>, allow: bool) {
    with(builder, |builder, _| builder.allow_plain_http(allow));
}

/// How long making a connection may take, TLS included, in milliseconds; 10,000 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_connect_timeout_ms(builder: Option<&mut vitalwire_client_builder>, milliseconds: u64) {
    with(builder, |builder, _| builder.connect_timeout(Duration::from_millis(milliseconds)));
}

/// How long one attempt of an ordinary call may take, in milliseconds; 30,000 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_attempt_timeout_ms(builder: Option<&mut vitalwire_client_builder>, milliseconds: u64) {
    with(builder, |builder, _| builder.attempt_timeout(Duration::from_millis(milliseconds)));
}

/// How long an ordinary call may take in all, in milliseconds; 60,000 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_total_timeout_ms(builder: Option<&mut vitalwire_client_builder>, milliseconds: u64) {
    with(builder, |builder, _| builder.total_timeout(Duration::from_millis(milliseconds)));
}

/// How long one attempt of an upload may take, in milliseconds; 180,000 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_long_attempt_timeout_ms(builder: Option<&mut vitalwire_client_builder>, milliseconds: u64) {
    with(builder, |builder, _| builder.long_attempt_timeout(Duration::from_millis(milliseconds)));
}

/// How long an upload may take in all, in milliseconds; 240,000 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_long_total_timeout_ms(builder: Option<&mut vitalwire_client_builder>, milliseconds: u64) {
    with(builder, |builder, _| builder.long_total_timeout(Duration::from_millis(milliseconds)));
}

/// How often a failed attempt is tried again; 2 unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_max_retries(builder: Option<&mut vitalwire_client_builder>, retries: u32) {
    with(builder, |builder, _| builder.max_retries(retries));
}

/// Multiplies every wait between attempts; 1 unless told. For tests that cannot wait.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_retry_delay_scale(builder: Option<&mut vitalwire_client_builder>, scale: f64) {
    with(builder, |builder, _| builder.retry_delay_scale(scale));
}

/// Sends everything through this proxy (`http://` or `https://`).
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_proxy(builder: Option<&mut vitalwire_client_builder>, url: vitalwire_str) {
    with(builder, |builder, given| builder.proxy(given.text("proxy", &url)));
}

/// Uses no proxy, whatever the environment says.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_no_proxy(builder: Option<&mut vitalwire_client_builder>) {
    with(builder, |builder, _| builder.no_proxy());
}

/// Trusts the certificates of this PEM text too, beside the platform's.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_add_ca_certificate(builder: Option<&mut vitalwire_client_builder>, pem: vitalwire_str) {
    with(builder, |builder, given| builder.ca_certificate(given.text("ca_certificate", &pem)));
}

/// Trusts the certificates that were added and no others.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_only_given_certificates(builder: Option<&mut vitalwire_client_builder>, only: bool) {
    with(builder, |builder, _| builder.only_given_certificates(only));
}

/// Text after this library's own name in the `User-Agent` header, such as `my-app/2.1`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_user_agent(builder: Option<&mut vitalwire_client_builder>, text: vitalwire_str) {
    with(builder, |builder, given| builder.user_agent(given.text("user_agent", &text)));
}

/// How many attempts may be on their way at once, each on a connection of its own; 64 unless told. Further calls are queued, outside of
/// the attempt's deadline and inside of the total one.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_max_connections(builder: Option<&mut vitalwire_client_builder>, connections: u32) {
    with(builder, |builder, _| builder.max_connections(usize::try_from(connections).unwrap_or(usize::MAX)));
}

/// Largest body of an answer, inflated, in bytes; 64 MiB unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_max_response_bytes(builder: Option<&mut vitalwire_client_builder>, bytes: u64) {
    with(builder, |builder, _| builder.max_response_bytes(bytes));
}

/// Whether answers may come compressed; yes unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_gzip(builder: Option<&mut vitalwire_client_builder>, accept: bool) {
    with(builder, |builder, _| builder.gzip(accept));
}

/// Whether lists travel in the query as one comma-separated value instead of a repeated key.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_comma_lists(builder: Option<&mut vitalwire_client_builder>, comma: bool) {
    with(builder, |builder, _| builder.array_style(if comma { ArrayStyle::Comma } else { ArrayStyle::Repeated }));
}

/// Whether arguments that the service is known to refuse are refused before sending; yes unless told.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_local_checks(builder: Option<&mut vitalwire_client_builder>, check: bool) {
    with(builder, |builder, _| builder.local_checks(check));
}

/// Checks all settings and makes the client; nothing is sent. It takes the settings: the builder can only be freed after it, also
/// where it fails.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_build(
    builder: Option<&mut vitalwire_client_builder>,
    out: Option<&mut MaybeUninit<Box<vitalwire_client>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let builder = present(builder, "builder")?;
        let out = present(out, "out")?;
        builder.given.check()?;
        let settings =
            builder.settings.take().ok_or_else(|| Error::invalid_argument("builder", "its settings were taken by an earlier build"))?;
        out.write(Box::new(vitalwire_client(settings.build()?)));
        Ok(())
    })
}

/// Makes a client from the VITALWIRE_* environment variables.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_from_env(
    out: Option<&mut MaybeUninit<Box<vitalwire_client>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(Box::new(vitalwire_client(Client::from_env()?)));
        Ok(())
    })
}

/// Frees a client when no call of it runs any more; NULL is allowed. Results stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_free(client: Option<Box<vitalwire_client>>) {
    catch(|| drop(client));
}
