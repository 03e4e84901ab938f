//! `vitalwire.webhook`: what the native module has for servers, under a name of its own.

use super::{declared, package};

/// The stub, written by hand as the native part is.
pub(super) const STUB: &str = include_str!("webhook.pyi");

/// What is only in the submodule, sorted.
pub(super) fn names() -> Vec<String> {
    let mut names: Vec<String> = declared::exported(STUB).collect();
    names.sort();
    names
}

/// What the submodule says of itself.
const DOC: &str = r#""""What the service sends to a server of yours: checking that it is genuine, reading it, and telling a repetition.

A body is signed with a webhook key, which is not the key that tokens are made with; it stays on the server. A signature says who
wrote the body and nothing about when: there is no event id and no protection against replay, and the service sends a body again
until it is answered with 200 within 30 seconds. So a receiver keeps the `content_key`s of the bodies that it has dealt with, and
leaves out what it knows already:

    from vitalwire import webhook

    verifier = webhook.Verifier([new_key, old_key])  # two keys while one takes the other's place

    def receive(body: bytes, headers: Mapping[str, str]) -> None:
        verifier.verify_headers(body, headers)  # the raw bytes as they came, never JSON that was written again
        if remember(webhook.content_key(body)):
            for event in webhook.parse_events(body):
                ...
"""

"#;

/// The submodule.
pub(super) fn emit() -> String {
    let names = names();
    let mut text = DOC.to_owned();
    package::import(&mut text, "vitalwire._native", &names);
    text.push('\n');
    text.push_str(&package::all(names.iter()));
    text
}
