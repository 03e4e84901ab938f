//! Prints the meaning and the remedy of an error: `vitalwire explain`. A test writes the site's pages of errors from the same table.

use std::fmt::Write as _;

use serde_json::{Value, json};
use vitalwire::{Error, ErrorKind};

use super::session::write;
use crate::cli::ExplainedKind::{self, Core, Library};
use crate::cli::Format;
use crate::failure::{Failure, exit_code};
use crate::output::Destination;

/// The explanation of an error kind.
struct Explanation {
    kind: ExplainedKind,
    /// HTTP status that leads to this kind.
    status: &'static str,
    meaning: &'static str,
    remedy: &'static str,
}

const EXPLANATIONS: [Explanation; 18] = [
    Explanation {
        kind: Core(ErrorKind::Configuration),
        status: "",
        meaning: "The client is not configured for this call: a base URL or a token is missing, or a setting is invalid. Nothing was sent.",
        remedy: "Set the value that the message names: in the client, in the environment or in the configuration file.",
    },
    Explanation {
        kind: Core(ErrorKind::InvalidArgument),
        status: "",
        meaning: "An argument cannot be sent as it is, such as an empty id. The error names the argument. Nothing was sent.",
        remedy: "Correct the argument. If your service accepts the value, disable client-side validation.",
    },
    Explanation {
        kind: Core(ErrorKind::Authentication),
        status: "401",
        meaning: "The service rejected the token, or the function that provides tokens failed.",
        remedy: "Get a new token. After a 401, the client calls a token provider once more, so its new token was rejected too. Check that \
                 the token belongs to this service.",
    },
    Explanation {
        kind: Core(ErrorKind::Permission),
        status: "403",
        meaning: "The token is valid but does not allow this call.",
        remedy: "Check that the token belongs to the right user and application.",
    },
    Explanation {
        kind: Core(ErrorKind::NotFound),
        status: "404",
        meaning: "The service has no record with this id for this user.",
        remedy: "Search for the record again, for example a sleep by its date. Check the base URL if every call fails with this error.",
    },
    Explanation {
        kind: Core(ErrorKind::InvalidRequest),
        status: "400, 422",
        meaning: "The service rejected a value of the request. The problem details of the error name the field.",
        remedy: "Correct the value. The same request fails again.",
    },
    Explanation {
        kind: Core(ErrorKind::TooLarge),
        status: "413",
        meaning: "The request exceeds a limit of the service or the client, or the response exceeds a limit of the client.",
        remedy: "Send a smaller file: about 7.5 MB at most. Read a long range in parts, or increase the client's maximum response size.",
    },
    Explanation {
        kind: Core(ErrorKind::RateLimited),
        status: "429",
        meaning: "The service limits the number of requests. If retries and the timeouts allowed it, the client has already waited and \
                 retried.",
        remedy: "Call again after the delay that the error states, and keep fewer calls in flight.",
    },
    Explanation {
        kind: Core(ErrorKind::Service),
        status: "500 to 599",
        meaning: "The service failed.",
        remedy: "Call again later if the error is transient. If the call may have taken effect, look for its result first. State the request \
                 id when you contact the service's support.",
    },
    Explanation {
        kind: Core(ErrorKind::UnexpectedStatus),
        status: "any other",
        meaning: "The response has a status that the interface does not describe, such as a redirect.",
        remedy: "Check that the base URL belongs to the service, not to a web page or gateway.",
    },
    Explanation {
        kind: Core(ErrorKind::Timeout),
        status: "408",
        meaning: "The timeout of the connection, of an attempt or of the call has expired.",
        remedy: "Call again later, or set a longer timeout. If the call may have taken effect, look for its result first.",
    },
    Explanation {
        kind: Core(ErrorKind::Transport),
        status: "",
        meaning: "The connection could not be made, or it broke. The message states the cause, such as the host name, the address, the \
                 certificate or the proxy.",
        remedy: "If the error is transient, call again later. If it is not, correct the certificate or the credentials of the proxy. If the \
                 call may have taken effect, look for its result before you call again.",
    },
    Explanation {
        kind: Core(ErrorKind::Decode),
        status: "",
        meaning: "The response does not match the interface. The error has the path of the value.",
        remedy: "Check the base URL if the response is a web page. Otherwise report the path and the request id.",
    },
    Explanation {
        kind: Core(ErrorKind::Signature),
        status: "",
        meaning: "The signature of a webhook does not match its body, or the state of a redirect is not the one that was sent.",
        remedy: "Reject the request. Check that you verify the raw body before you parse it, and that the key is the webhook key.",
    },
    Explanation {
        kind: Core(ErrorKind::Cancelled),
        status: "",
        meaning: "Your program cancelled the call.",
        remedy: "None, if the cancellation was intended. If the call may have taken effect, look for its result before you call again.",
    },
    Explanation {
        kind: Core(ErrorKind::Closed),
        status: "",
        meaning: "The client was closed before the call, or was closed with the option to abort calls in flight.",
        remedy: "Create a new client, or close it after its calls.",
    },
    Explanation {
        kind: Core(ErrorKind::Internal),
        status: "",
        meaning: "The library has a defect.",
        remedy: "Report the message and the version. The message contains no health data.",
    },
    Explanation {
        kind: Library,
        status: "",
        meaning: "Only in Kotlin and Java: the native library cannot be used. It is missing, of another version, or for another system. \
                  Every call fails.",
        remedy: "Follow the message: add the jar or the AAR for this system, keep only one version, or correct the folder that it names.",
    },
];

/// Prints the explanation of a kind, or of all kinds. JSON is one object for a kind, and a list for all kinds.
pub(super) fn run(kind: Option<ExplainedKind>, format: Format, destination: &Destination) -> Result<(), Failure> {
    let chosen = EXPLANATIONS.iter().filter(|explanation| kind.is_none_or(|kind| kind == explanation.kind));
    if format == Format::Json {
        let mut objects: Vec<Value> = chosen.map(json).collect();
        let value = if kind.is_some() { objects.pop().unwrap_or_default() } else { objects.into() };
        return write(&format!("{value:#}"), destination);
    }
    let texts: Vec<String> = chosen.map(text).collect();
    write(texts.join("\n").trim_end(), destination)
}

/// Returns the fields of an explanation. `is_transient` is null if it depends on the status or the cause.
fn json(explanation: &Explanation) -> Value {
    let Explanation { kind, status, meaning, remedy } = explanation;
    json!({
        "code": kind.code(), "error": kind.name(), "status": (!status.is_empty()).then_some(status), "meaning": meaning, "remedy": remedy,
        "is_transient": is_transient(*kind), "exit_code": kind_exit_code(*kind),
    })
}

fn text(explanation: &Explanation) -> String {
    let Explanation { kind, status, meaning, remedy } = explanation;
    let mut text = format!("{} {}\n  {meaning}\n  Remedy: {remedy}\n", kind.code(), kind.name());
    if !status.is_empty() {
        let _ = writeln!(text, "  HTTP status: {status}");
    }
    let _ = writeln!(text, "  Transient: {}. Exit code: {}", transient(*kind), exit_code_text(*kind));
    text
}

/// Returns the exit code of a kind. This program never fails with a kind that only packages have.
fn kind_exit_code(kind: ExplainedKind) -> Option<u8> {
    match kind {
        Core(kind) => Some(exit_code(&Error::new(kind))),
        Library => None,
    }
}

fn exit_code_text(kind: ExplainedKind) -> String {
    kind_exit_code(kind).map_or_else(|| "n/a".to_owned(), |code| code.to_string())
}

/// Returns whether errors of a kind are transient. Returns `None` if it depends on the status or the cause.
fn is_transient(kind: ExplainedKind) -> Option<bool> {
    match kind {
        Core(kind) => kind.is_transient(),
        Library => Some(false),
    }
}

/// Describes which errors of a kind are transient.
fn transient(kind: ExplainedKind) -> &'static str {
    match (kind, is_transient(kind)) {
        (_, Some(true)) => "yes",
        (_, Some(false)) => "no",
        (Core(ErrorKind::Service), None) => "500, 502, 503 and 504",
        (_, None) => "yes, except for certificates and credentials of a proxy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folder of the site's page of all errors. The folder `errors` in it has a page for each error.
    const SITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/site");

    const INTRODUCTION: &str = "# Errors

Every call fails with one error type, which has one of these kinds. Numbers never change their meaning. Each number links to a page with the
meaning, the remedy and the name in each language. `vitalwire explain 1201` prints the same information. It accepts the number, or the name
in any language. [Handle errors](guide/errors/index.md) shows how to handle errors in each language.

* *Transient*: the same call may succeed later. An upload that may have taken effect is never transient.
* *May have taken effect*: a request was sent, and the service may have carried it out. This is true after a broken connection, a timeout, a
  408, a 5xx, an unexpected status outside of 4xx, or a response that cannot be decoded. It is false for reads, for refused connections, for
  other 4xx, and if nothing was sent. Errors of `readUploadResponse` of every kind concern a request that was sent.

| number | name | status | transient | exit code |
|---|---|---|---|---|
";

    /// Returns the pages by their paths: a table of all kinds, and a page for each.
    fn pages() -> Vec<(String, String)> {
        let mut table = INTRODUCTION.to_owned();
        let mut pages = Vec::new();
        for Explanation { kind, status, meaning, remedy } in &EXPLANATIONS {
            let (code, name) = (kind.code(), kind.name());
            let (transient, exit) = (transient(*kind), exit_code_text(*kind));
            writeln!(table, "| [{code}](errors/{code}.md) | `{name}` | {status} | {transient} | {exit} |").expect("a text");
            let upper: String = name.split('_').map(|word| [&word[..1].to_uppercase(), &word[1..]].concat()).collect();
            let lower = [&upper[..1].to_lowercase(), &upper[1..]].concat();
            let shouty = name.to_uppercase();
            let names = match kind {
                Core(_) => format!(
                    "| `ErrorKind::{upper}` | `{upper}Error` | `.{lower}` | `VitalwireException.{upper}` | `VITALWIRE_ERROR_{shouty}` |"
                ),
                Library => "| n/a | n/a | n/a | `VitalwireException.Library` | n/a |".to_owned(),
            };
            let status = if status.is_empty() { "n/a" } else { status };
            let page = format!(
                "# {code} {name}\n\n{meaning}\n\n**Remedy.** {remedy}\n\n\
                 | HTTP status | transient | exit code |\n|---|---|---|\n| {status} | {transient} | {exit} |\n\n\
                 | Rust | Python | Swift | Kotlin, Java | C, C++ |\n|---|---|---|---|---|\n{names}\n\n\
                 [All errors](../errors.md). [Handle errors](../guide/errors/index.md) in each language.\n"
            );
            pages.push((format!("{SITE}/errors/{code}.md"), page));
        }
        pages.push((format!("{SITE}/errors.md"), table));
        pages
    }

    /// Compares the site's pages with the table. `VITALWIRE_BLESS=1` updates the pages.
    #[test]
    fn the_pages_match_the_explanations() {
        let pages = pages();
        for (path, page) in &pages {
            if std::env::var_os("VITALWIRE_BLESS").is_some() {
                std::fs::write(path, page).expect("written");
            }
            assert_eq!(std::fs::read_to_string(path).expect(path).replace("\r\n", "\n"), *page, "{path}");
        }
        assert_eq!(std::fs::read_dir(format!("{SITE}/errors")).expect("a folder").count() + 1, pages.len(), "a page of no error");
    }

    #[test]
    fn every_kind_is_explained_in_the_order_of_numbers() {
        let explained: Vec<_> = EXPLANATIONS.iter().map(|explanation| explanation.kind).collect();
        assert_eq!(explained, ExplainedKind::all().collect::<Vec<_>>());
        assert!(explained.is_sorted_by_key(|kind| kind.code()));
    }

    /// The package for Kotlin and Java has the number and the name of its own kind.
    #[test]
    fn the_kind_of_one_package_has_the_number_of_that_package() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bindings/kotlin/src/main/kotlin/generated/ErrorKind.kt");
        let constant = format!("ErrorKind({}, \"{}\")", Library.code(), Library.name());
        assert!(std::fs::read_to_string(file).expect("a file").contains(&constant), "{constant}");
    }
}
