//! Remedies for a failed call. The texts contain no values, apart from the name of the token command or file.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use vitalwire::operation::{OperationMeta, RetryClass};
use vitalwire::{Error, ErrorKind, OPERATIONS};

use super::MissingToken;
use super::awaited_input::awaited_input;
use crate::render::style::clean;

/// Whether this program has sent a request.
static SENT: AtomicBool = AtomicBool::new(false);

/// Records that a request was sent.
pub(crate) fn set_sent() {
    SENT.store(true, Ordering::Relaxed);
}

pub(super) fn remedy(error: &Error) -> Option<String> {
    match MissingToken::find_in(error) {
        Some(MissingToken::File(_)) => Some("correct token_file or care_token_file in the configuration file".to_owned()),
        Some(MissingToken::Command(_)) => Some("correct token_command or care_token_command in the configuration file".to_owned()),
        Some(MissingToken::OtherOrigin(_, remedy)) => Some(remedy.clone()),
        Some(MissingToken::Other(_)) => {
            Some("run the token command or read the token file of the configuration file to find the cause".to_owned())
        }
        None => awaited_input_remedy(error)
            .or_else(|| effect_remedy(error).or_else(|| kind_remedy(error, SENT.load(Ordering::Relaxed))).map(str::to_owned)),
    }
}

/// Names the token command or file that a call waited for until its deadline.
fn awaited_input_remedy(error: &Error) -> Option<String> {
    awaited_input().filter(|_| error.kind() == ErrorKind::Timeout).map(|hint| clean(&hint).into_owned())
}

/// Returns the metadata of the operation that failed. `None` if the error is not from an operation.
pub(super) fn operation(error: &Error) -> Option<&'static OperationMeta> {
    OPERATIONS.iter().copied().find(|operation| Some(operation.id) == error.operation())
}

pub(super) fn may_have_uploaded(error: &Error) -> bool {
    let once = operation(error).is_some_and(|operation| operation.retry == RetryClass::Once);
    once && error.may_have_taken_effect() && MissingToken::find_in(error).is_none()
}

/// Returns the remedy for a call that may have taken effect.
fn effect_remedy(error: &Error) -> Option<&'static str> {
    if !error.may_have_taken_effect() {
        return None;
    }
    match operation(error) {
        None => Some("the call may have taken effect: check before you repeat it"),
        Some(operation) if operation.retry == RetryClass::Once => Some("the upload may have arrived: check before you send it again"),
        // An unread token does no harm, so the remedy is that of the cause.
        Some(operation) if !operation.authenticated => None,
        Some(operation) if operation.http_method == "DELETE" => Some("the record may have been deleted: check before you delete it again"),
        Some(_) => Some("the call may have taken effect; it is safe to repeat"),
    }
}

/// Returns the remedy for the kind of an error. `sent` states whether any request was sent.
fn kind_remedy(error: &Error, sent: bool) -> Option<&'static str> {
    Some(match (error.kind(), error.argument()) {
        (ErrorKind::Configuration, Some("token")) => "set VITALWIRE_TOKEN, or token_file or token_command in the configuration file",
        (ErrorKind::Configuration, Some("care_token")) => {
            "set VITALWIRE_CARE_TOKEN, or care_token_file or care_token_command in the configuration file"
        }
        (ErrorKind::Configuration, Some("base_url")) => {
            "set VITALWIRE_BASE_URL, --base-url or base_url in the configuration file, or try it with --sandbox"
        }
        (ErrorKind::Configuration, Some("care_base_url")) => {
            "set VITALWIRE_CARE_BASE_URL, --care-base-url or care_base_url in the configuration file, or try it with --sandbox"
        }
        (ErrorKind::Configuration, Some("client_certificate")) => "check the file that VITALWIRE_CLIENT_CERTIFICATE_FILE names",
        (ErrorKind::Configuration, Some("webhook_key" | "key")) => "check the file or variable of the key",
        (ErrorKind::InvalidArgument, Some("path")) if is_unreadable(error) => "check the path and the permissions of the file",
        (ErrorKind::InvalidArgument, Some("path" | "stdin")) if sent && !is_empty(error) => return None,
        (ErrorKind::InvalidArgument, Some("path")) => "nothing was sent",
        (ErrorKind::InvalidArgument, Some("stdin")) if is_empty(error) => "pipe the content into the command",
        (ErrorKind::InvalidArgument, Some("stdin")) => "nothing was sent",
        (ErrorKind::InvalidArgument, Some("image")) => "without --strip-metadata the picture is sent unchanged, metadata included",
        (ErrorKind::InvalidArgument, Some("resume_token")) => "use a resume token with the command and options that printed it",
        (ErrorKind::InvalidArgument, _) if sent => "--help lists the valid values",
        (ErrorKind::InvalidArgument, _) => "nothing was sent; --help lists the valid values",
        (ErrorKind::Authentication | ErrorKind::Permission | ErrorKind::NotFound, _)
            if operation(error).is_some_and(|operation| !operation.authenticated) =>
        {
            "the signature or key, the application id and the user id do not match: check all three, and the base URL"
        }
        (ErrorKind::Authentication, _) => {
            "check that the token is valid and belongs to this service. It comes from VITALWIRE_TOKEN, VITALWIRE_CARE_TOKEN or the \
             configuration file. `vitalwire token` prints a new one. A replay accepts only the token that it printed"
        }
        (ErrorKind::Permission, _) => "the token has no permission: check that it belongs to the right user and application",
        (ErrorKind::NotFound, _) => not_found_remedy(operation(error)),
        (ErrorKind::InvalidRequest, _) => "the service rejected the request: correct the value that its message names",
        (ErrorKind::TooLarge, _) if names(error, "response head") => {
            "check that the base URL is that of the service, not of a web page or gateway"
        }
        // The request was small enough.
        (ErrorKind::TooLarge, _) if error.status().is_some_and(|status| status < 300) => {
            "set a larger VITALWIRE_MAX_RESPONSE_BYTES, or request a range in parts with --split-days"
        }
        (ErrorKind::TooLarge, _) => too_large_remedy(operation(error)),
        (ErrorKind::RateLimited, _) if operation(error).is_some_and(is_range) => {
            "the service limits the number of calls: retry later, and request the parts of a range with --concurrency 1"
        }
        (ErrorKind::RateLimited, _) => "the service limits the number of calls: retry later",
        (ErrorKind::Service, _) if error.status() == Some(501) => {
            "the service does not offer this request; a replayed recording has only the requests that were recorded, with the same dates"
        }
        (ErrorKind::Service, _) => "the service is unavailable: retry later, and quote the request id to its support",
        (ErrorKind::UnexpectedStatus | ErrorKind::Transport, _) if names(error, "credentials") => {
            "set VITALWIRE_PROXY or HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT"
        }
        (ErrorKind::UnexpectedStatus, _) => "check that the base URL is that of the service, not of a web page or gateway",
        (ErrorKind::Timeout, _) if error.status().is_some() => "the service ended the request: retry later",
        (ErrorKind::Timeout, _) if names(error, "the attempt's deadline") => "set a longer VITALWIRE_ATTEMPT_TIMEOUT, in seconds",
        (ErrorKind::Timeout, _) if names(error, "the connect deadline") => "set a longer VITALWIRE_CONNECT_TIMEOUT, in seconds",
        (ErrorKind::Timeout, _) => "set a longer VITALWIRE_TIMEOUT, in seconds",
        (ErrorKind::Transport, _) if names(error, "issuer") => "set VITALWIRE_CA_FILE to a file with the certificate of its issuer",
        (ErrorKind::Transport, _) if names(error, "client certificate") => {
            "set VITALWIRE_CLIENT_CERTIFICATE_FILE to a file with a certificate that the service accepts, and its private key"
        }
        // The reason has the remedy.
        (ErrorKind::Transport, _) if names(error, "certificate") => return None,
        (ErrorKind::Transport, _) if names(error, "proxy") => "check VITALWIRE_PROXY and the log of the proxy",
        (ErrorKind::Transport, _) if names(error, "TLS handshake") => {
            "check whether the server requires a client certificate (VITALWIRE_CLIENT_CERTIFICATE_FILE), and that it supports TLS 1.2 or newer"
        }
        (ErrorKind::Transport, _) if names(error, "TLS") => {
            "check that the server supports https (a sandbox has an http:// URL), or add certificates with VITALWIRE_CA_FILE"
        }
        (ErrorKind::Transport, _) => "check the base URL, VITALWIRE_PROXY and VITALWIRE_CA_FILE",
        (ErrorKind::Decode, _) if error.operation().is_some() => {
            "check the base URL; --format json prints JSON that does not match the interface"
        }
        (ErrorKind::Decode, _) => "check --kind, and that the body is the JSON as received",
        (ErrorKind::Signature, _) => {
            "check that these are the bytes as received, and that the key is the webhook key, not the application's"
        }
        (ErrorKind::Internal, _) => "please report this line: it contains no personal data",
        _ => return None,
    })
}

/// Returns the possible reasons for a 404 response: a record, a provider, or a path that every service has.
fn not_found_remedy(operation: Option<&'static OperationMeta>) -> &'static str {
    match operation {
        Some(operation) if operation.path.contains("{provider_slug}") => {
            "the provider is unknown or not connected: `vitalwire integrations list` shows the connected ones"
        }
        Some(operation) if !operation.path.contains('{') => "check the base URL: it must end before /v3 or /public",
        _ => "no record of the token's user has this id, or the base URL is wrong",
    }
}

/// Returns the remedy for a 413 response from the service or a gateway.
fn too_large_remedy(operation: Option<&'static OperationMeta>) -> &'static str {
    match operation {
        Some(operation) if operation.id == "upload_nutrition_record" => {
            "send a smaller picture: the service accepts about 7.5 MB, which is 10 MB of base64 text"
        }
        Some(operation) if operation.retry == RetryClass::Once => {
            "send a smaller document: the service accepts about 7.5 MB, which is 10 MB of base64 text"
        }
        Some(operation) if is_range(operation) => "request a shorter range: --split-days requests a long one in parts",
        _ => "send less at once",
    }
}

/// Whether a call reads a range, which can be split.
fn is_range(operation: &OperationMeta) -> bool {
    operation.http_method == "GET"
        && ["list_lab_reports", "list_nutrition_records", "interval_statistics", "daily_statistics"].contains(&operation.id)
}

/// Whether a file does not exist or cannot be read, so that its path is to blame.
fn is_unreadable(error: &Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied))
}

/// Whether the reason of an error has a word.
fn names(error: &Error, word: &str) -> bool {
    error.reason().is_some_and(|reason| reason.contains(word))
}

fn is_empty(error: &Error) -> bool {
    error.reason().is_some_and(|reason| reason.ends_with("is empty"))
}

#[cfg(test)]
mod tests;
