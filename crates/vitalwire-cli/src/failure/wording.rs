//! Error texts in the terms of the command line: options instead of the library's arguments.

use vitalwire::upload::MAX_READ;
use vitalwire::{Error, ErrorKind, INTERFACE};

use super::MissingToken;
use super::hint::operation;

/// First words of reasons that continue a sentence about their subject.
const VERBS: [&str; 5] = ["is ", "has ", "must ", "cannot ", "contains "];
/// First words of reasons that are complete sentences.
const SENTENCES: [&str; 6] = ["the ", "there ", "a ", "no ", "https ", "white space "];

/// Returns the kind of an error. A missing token file and a token of another service are configuration errors.
pub(super) fn kind(error: &Error) -> ErrorKind {
    match MissingToken::find_in(error) {
        Some(MissingToken::File(_) | MissingToken::Command(_) | MissingToken::OtherOrigin(..)) => ErrorKind::Configuration,
        _ => error.kind(),
    }
}

/// Returns the text of an error. Like the library's, it contains no data, no token and no URL.
pub(super) fn text(error: &Error) -> String {
    let reason = error.reason().unwrap_or_default();
    let is_sentence = SENTENCES.iter().any(|start| reason.starts_with(start)) && error.argument() != Some("stdin");
    text_for(error, error.argument().filter(|_| !is_sentence).map(subject))
}

/// Returns the text of an error about a named input, such as a file.
pub(super) fn text_for(error: &Error, subject: Option<&str>) -> String {
    if let Some(missing_token) = MissingToken::find_in(error) {
        return format!("{}: {missing_token}", kind(error));
    }
    let text = error.to_string();
    let Some(suffix) = error.reason().and_then(|reason| text.strip_prefix(&format!("{}: {reason}", error.kind()))) else { return text };
    let reason = reason(error);
    let suffix = error.argument().map_or_else(|| suffix.to_owned(), |argument| suffix.replacen(&format!(", argument {argument}"), "", 1));
    match subject {
        Some(subject) if VERBS.iter().any(|verb| reason.starts_with(verb)) => format!("{}: {subject} {reason}{suffix}", error.kind()),
        Some(subject) => format!("{}: {subject}: {reason}{suffix}", error.kind()),
        None => format!("{}: {reason}{suffix}", error.kind()),
    }
}

/// Removes the locations of a rejection, which may quote the request.
pub(super) fn without_locations(text: &str, error: &Error) -> String {
    if error.problem().is_none_or(|problem| problem.errors.is_empty()) {
        return text.to_owned();
    }
    text.split(", ").filter(|detail| !detail.starts_with("at ")).collect::<Vec<_>>().join(", ")
}

/// Returns the option, setting or input for an argument of the library.
fn subject(argument: &str) -> &str {
    match argument {
        "base_url" => "the base URL",
        "care_base_url" => "the care base URL",
        "from" | "from_date" | "from_timestamp" => "--from",
        "to" | "to_date" | "to_timestamp" => "--to",
        "types" => "--types",
        "providers" => "--providers",
        "device_types" => "--device-types",
        "include_nutrition_fields" => "--fields",
        "analysis_mode" => "--mode",
        "country_code" => "--country",
        "language_code" => "--language",
        "consumed_at" => "--consumed-at",
        "serving_size" => "--serving-size",
        "filename" => "--name",
        "redirect_uri" => "--redirect-uri",
        "provider_user_id" => "--provider-user-id",
        "resume_token" => "--resume",
        "path" => "the file",
        "body" | "image" => "the picture",
        "document" => "the document",
        "body_url" => "the URL of the picture",
        "id" | "nutrition_record_id" | "lab_report_id" | "sleep_id" => "the id",
        "clinic_id" => "the clinic",
        "patient_id" => "the patient",
        "policy_id" => "the policy",
        "provider_slug" => "the provider",
        "application_user_id" => "the user's id",
        "pseudonym_key" => "the key of --pseudonym-key-file",
        "per_second" => "--per-second",
        "in_flight" => "--in-flight",
        "lookback_days" => "--lookback-days",
        "look_back" => "--look-back",
        other => other,
    }
}

/// Returns the reason without advice for programmers.
fn reason(error: &Error) -> String {
    let reason = error.reason().unwrap_or_default();
    if let Some(service) = INTERFACE.services.iter().find(|service| service.no_base_url == reason) {
        return format!("no base URL is set for the {} service", service.name);
    }
    if let Some(limit_text) = reason.strip_suffix("; pass it as bytes") {
        return format!("{limit_text}: {} MiB", MAX_READ >> 20);
    }
    if let Some(encoded) = reason.strip_suffix(" and pass the bytes") {
        return format!("{encoded} into a file first");
    }
    match reason {
        "is not a path; pass the content of a file as bytes" => "is not a path; write the content into a file first".to_owned(),
        "the response is larger than max_response_bytes allows" => {
            "the response is larger than VITALWIRE_MAX_RESPONSE_BYTES allows".to_owned()
        }
        "the request is larger than the service accepts" => match operation(error).and_then(|operation| operation.max_request_bytes) {
            Some(limit) => format!("{reason}: {} MiB", limit >> 20),
            None => reason.to_owned(),
        },
        _ => reason.replace("with allow_plain_http", "with VITALWIRE_ALLOW_PLAIN_HTTP=true"),
    }
}

#[cfg(test)]
mod tests;
