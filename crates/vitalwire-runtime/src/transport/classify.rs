//! Classifies the errors of the HTTP library.

use std::error::Error as StdError;
use std::io;

use rustls::AlertDescription;

use super::connect::ConnectTimedOut;
use super::retry::RetryDecision;
use super::tls::NoRootCertificates;
use crate::error::os_error::{OUT_OF_DESCRIPTORS, is_out_of_descriptors};
use crate::error::{Error, ErrorKind, PROXY_CREDENTIALS};

/// Classifies an error that occurred before the response head was read.
pub(super) fn send_error(error: reqwest::Error) -> (Error, RetryDecision) {
    // URLs contain record ids.
    let error = error.without_url();
    let is_connecting = error.is_connect();
    let mut causes = ErrorCauses::default();
    causes.collect(&error);
    let (classified, retry) = if causes.no_roots {
        (Error::configuration("no trusted root certificates were found on this system; set a CA certificate"), RetryDecision::Permanent)
    } else if let Some(cause) = &causes.certificate {
        (Error::untrusted_certificate(cause), RetryDecision::Permanent)
    } else if let Some(error) = causes.alert.and_then(Error::from_alert) {
        (error, RetryDecision::Permanent)
    } else if causes.proxy_credentials {
        (Error::with_reason(ErrorKind::Transport, PROXY_CREDENTIALS), RetryDecision::Permanent)
    } else if causes.connect_timed_out {
        (Error::with_reason(ErrorKind::Timeout, "the connect deadline passed"), RetryDecision::NotSent)
    } else if is_connecting {
        (Error::with_reason(ErrorKind::Transport, causes.connect_reason(error.is_dns())), RetryDecision::NotSent)
    } else if causes.head_too_large {
        (head_too_large(), RetryDecision::PermanentMayHaveTakenEffect)
    } else if causes.head_malformed {
        (Error::with_reason(ErrorKind::Decode, "the response head is malformed"), RetryDecision::PermanentMayHaveTakenEffect)
    } else if error.is_builder() {
        (Error::with_reason(ErrorKind::Transport, "the request could not be sent"), RetryDecision::Permanent)
    } else {
        (Error::with_reason(ErrorKind::Transport, "the connection broke before the response"), RetryDecision::MayHaveTakenEffect)
    };
    (classified.with_source(error), retry)
}

/// Returns the error for a response whose status line and headers exceed the limit.
pub(super) fn head_too_large() -> Error {
    Error::with_reason(
        ErrorKind::TooLarge,
        "the response head is larger than 256 KiB, has more than 1024 headers or states an impossible length",
    )
}

/// Classifies an error that occurred while a response body was read.
pub(super) fn body_error(error: impl StdError + Send + Sync + 'static) -> (Error, RetryDecision) {
    (Error::with_reason(ErrorKind::Transport, "the response was truncated").with_source(error), RetryDecision::MayHaveTakenEffect)
}

/// Classifies an error that occurred while a response body was decompressed.
pub(super) fn decompression_error(error: io::Error) -> (Error, RetryDecision) {
    match error.downcast::<reqwest::Error>() {
        Ok(error) => body_error(error.without_url()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => body_error(error),
        Err(error) => (
            Error::with_reason(ErrorKind::Decode, "the body cannot be decompressed").with_source(error),
            RetryDecision::PermanentMayHaveTakenEffect,
        ),
    }
}

#[derive(Default)]
struct ErrorCauses {
    connect_timed_out: bool,
    certificate: Option<rustls::Error>,
    /// The server's reason for ending the connection.
    alert: Option<AlertDescription>,
    /// Whether a proxy responded to `CONNECT` with 407.
    proxy_credentials: bool,
    /// Whether a proxy responded to `CONNECT` with another status than 200.
    tunnel_failed: bool,
    no_roots: bool,
    tls: bool,
    refused: bool,
    /// Whether the process or the system has no file descriptors left.
    exhausted: bool,
    /// Whether the response head was not valid HTTP.
    head_malformed: bool,
    /// Whether the response head exceeded the HTTP library's limits.
    head_too_large: bool,
}

impl ErrorCauses {
    fn collect(&mut self, error: &(dyn StdError + 'static)) {
        visit_causes(error, &mut |error| {
            self.connect_timed_out |= error.is::<ConnectTimedOut>();
            self.exhausted |= error.downcast_ref::<io::Error>().is_some_and(is_out_of_descriptors);
            self.refused |= error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
            if let Some(error) = error.downcast_ref::<hyper::Error>().filter(|error| error.is_parse()) {
                self.head_malformed = true;
                // hyper's `is_parse_too_large` needs its server feature, which a client does not compile.
                self.head_too_large |= error.to_string() == "message head is too large";
            }
            // The HTTP library does not export the type of this error.
            match &*error.to_string() {
                "tunnel error: proxy authorization required" => self.proxy_credentials = true,
                "tunnel error: unsuccessful" => self.tunnel_failed = true,
                _ => {}
            }
            match error.downcast_ref::<rustls::Error>() {
                Some(rustls::Error::Other(other)) if other.0.is::<NoRootCertificates>() => self.no_roots = true,
                Some(rustls::Error::Other(other)) if other.0.downcast_ref().is_some_and(is_out_of_descriptors) => self.exhausted = true,
                Some(error @ (rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented)) => {
                    self.certificate = Some(error.clone());
                }
                Some(error) => {
                    self.tls = true;
                    self.alert = if let rustls::Error::AlertReceived(alert) = error { Some(*alert) } else { self.alert };
                }
                None => {}
            }
        });
    }

    fn connect_reason(&self, dns: bool) -> &'static str {
        if self.exhausted {
            OUT_OF_DESCRIPTORS
        } else if dns {
            "the host name was not found"
        } else if self.tunnel_failed {
            "the proxy made no connection to the service"
        } else if self.refused {
            "the connection was refused"
        } else if self.alert == Some(AlertDescription::HandshakeFailure) {
            "the server rejected the TLS handshake"
        } else if self.tls {
            "no TLS connection could be made"
        } else {
            "no connection could be made"
        }
    }
}

/// Visits an error and all its causes, including errors inside `io::Error`. The `source` of an `io::Error` skips the error it wraps.
fn visit_causes(error: &(dyn StdError + 'static), visit: &mut dyn FnMut(&(dyn StdError + 'static))) {
    let mut next = Some(error);
    // Limited, because the chain of a foreign error could be cyclic.
    for _ in 0..32 {
        let Some(error) = next else { return };
        visit(error);
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner as &(dyn StdError + 'static)),
            None => error.source(),
        };
    }
}
