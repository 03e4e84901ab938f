//! What to do about a failed call. Fixed texts: no value is in them.

use vitalwire::operation::{OperationMeta, RetryClass};
use vitalwire::{Error, ErrorKind, OPERATIONS};

use super::NoToken;

/// What to do, as far as the error tells.
pub(super) fn of(error: &Error) -> Option<String> {
    NoToken::within(error).map(ToString::to_string).or_else(|| effect(error).or_else(|| fixed(error)).map(str::to_owned))
}

/// The facts of the operation that failed; `None` for anything but a call of one.
pub(super) fn operation(error: &Error) -> Option<&'static OperationMeta> {
    OPERATIONS.iter().copied().find(|operation| Some(operation.id) == error.operation())
}

/// Whether an upload may have arrived, as far as it was sent at all.
pub(super) fn may_have_uploaded(error: &Error) -> bool {
    let once = operation(error).is_some_and(|operation| operation.retry == RetryClass::Once);
    once && error.may_have_taken_effect() && NoToken::within(error).is_none()
}

/// What to do where the call may have done what it was to do.
fn effect(error: &Error) -> Option<&'static str> {
    if !error.may_have_taken_effect() {
        return None;
    }
    match operation(error) {
        None => Some("it may have been done: look before doing it again"),
        Some(operation) if operation.retry == RetryClass::Once => Some("it may have arrived: look before sending it again"),
        // A token that nobody has read is no harm: what helps is what helps against the cause.
        Some(operation) if !operation.authenticated => None,
        Some(_) => Some("it may have been done; doing it again changes nothing more"),
    }
}

fn fixed(error: &Error) -> Option<&'static str> {
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
        (ErrorKind::Configuration, Some("webhook_key" | "key")) => "is the file or variable named for the key the right one?",
        (ErrorKind::InvalidArgument, Some("path")) => "is the path right, and may the file be read?",
        (ErrorKind::InvalidArgument, Some("stdin")) => "is something piped into the command?",
        (ErrorKind::InvalidArgument, Some("image")) => "without --strip-metadata the picture is sent unchanged, metadata included",
        (ErrorKind::InvalidArgument, Some("resume_token")) => "a resume token goes with the command and options that it came from",
        (ErrorKind::InvalidArgument, _) => "nothing was sent; --help says what the options take",
        (ErrorKind::Authentication, _) => {
            "is the token of this service, and still valid? VITALWIRE_TOKEN, VITALWIRE_CARE_TOKEN or the configuration file gives it; \
             `vitalwire token` gets one"
        }
        (ErrorKind::Permission, _) => "the token may not do this: is it the right user's, of the right application?",
        (ErrorKind::NotFound, _) => "nothing has that id, or it belongs to another user than the token's",
        (ErrorKind::InvalidRequest, _) => "the service rejects the request; --help lists what the options take",
        (ErrorKind::TooLarge, _) => "a smaller file, or a shorter range (--split-days asks for a long one in parts)",
        (ErrorKind::RateLimited, _) => "the service wants fewer calls: try again later, and split ranges with --concurrency 1",
        (ErrorKind::Service, _) => "the service cannot answer now: try again later; its people need the request id",
        (ErrorKind::UnexpectedStatus, _) => "is the base URL the service's own, and no page or gateway before it?",
        (ErrorKind::Timeout, _) => "VITALWIRE_TIMEOUT allows more seconds",
        (ErrorKind::Transport, _) => {
            "is the base URL right, and is a proxy or a certificate missing? See VITALWIRE_PROXY, VITALWIRE_CA_FILE"
        }
        (ErrorKind::Decode, _) if error.operation().is_some() => {
            "is the base URL the service's own? --format json prints an answer that is JSON but not as described"
        }
        (ErrorKind::Decode, _) => "is --kind right, and the body JSON as it came?",
        (ErrorKind::Signature, _) => "are these the raw bytes as they came, and is it the webhook key (not the application's)?",
        (ErrorKind::Internal, _) => "please report this line: it holds no data",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_can_be_helped_has_a_hint() {
        for kind in ErrorKind::ALL {
            let helpless = matches!(kind, ErrorKind::Configuration | ErrorKind::Cancelled | ErrorKind::Closed);
            assert_eq!(of(&Error::new(*kind)).is_none(), helpless, "{kind}");
        }
        let told = |error: Error| of(&error).unwrap_or_default();
        assert!(told(Error::setting("care_token", "x")).contains("VITALWIRE_CARE_TOKEN"));
        assert!(told(Error::invalid_argument("path", "x")).contains("path"));
    }
}
