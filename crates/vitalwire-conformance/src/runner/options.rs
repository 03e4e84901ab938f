//! Settings of a call, given to the client as its users do.

use std::time::Duration;

use vitalwire::client::CallOptions;

use crate::case::Options;

/// What a case sets; cancelling, closing and calling several times at once are the runner's own.
#[must_use]
pub fn options(options: &Options) -> CallOptions {
    let Options { total_ms, attempt_ms, connect_ms, retries, allow_resend, strict_lists, keep_raw, token, .. } = options;
    let mut given = CallOptions::new();
    if let Some(time) = total_ms {
        given = given.timeout(Duration::from_millis(*time));
    }
    if let Some(time) = attempt_ms {
        given = given.attempt_timeout(Duration::from_millis(*time));
    }
    if let Some(time) = connect_ms {
        given = given.connect_timeout(Duration::from_millis(*time));
    }
    if let Some(retries) = retries {
        given = given.max_retries(*retries);
    }
    if let Some(allow) = allow_resend {
        given = given.allow_resend(*allow);
    }
    if let Some(strict) = strict_lists {
        given = given.strict_lists(*strict);
    }
    if let Some(keep) = keep_raw {
        given = given.keep_raw(*keep);
    }
    if let Some(token) = token {
        given = given.token(token);
    }
    given
}
