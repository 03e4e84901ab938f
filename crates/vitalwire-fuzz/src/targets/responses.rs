//! Targets for all responses, by resource. Each body is read as each response of the resource.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use vitalwire::fuzzing::{parse_problem, rejected_request_error};

use crate::oracle::{lossless, memory, text};

/// Defines a target for each resource: a function with its name, and its entry in [`RESOURCES`].
macro_rules! resources {
    ($($resource:ident: $($shape:ident $model:ident),+;)*) => {
        $(
            /// Reads the body as each response of this resource.
            pub fn $resource(body: &[u8]) {
                $(resources!(@$shape body $model);)+
            }
        )*

        /// Targets of all resources whose responses have a body.
        pub const RESOURCES: &[crate::Target] = &[
            $(crate::Target { name: stringify!($resource), run: $resource, schemas: &[$(stringify!($model)),+] }),*
        ];
    };
    (@object $body:ident $model:ident) => {
        crate::oracle::decoding::check_decoding::<vitalwire::models::$model>($body, &vitalwire::fuzzing::decode);
        crate::oracle::decoding::compare_decoders(vitalwire::fuzzing::decode_twice::<vitalwire::models::$model>($body));
    };
    (@list $body:ident $model:ident) => {
        crate::oracle::decoding::check_decoding::<Vec<vitalwire::models::$model>>($body, &vitalwire::fuzzing::decode_list);
        crate::oracle::decoding::compare_decoders(vitalwire::fuzzing::decode_list_twice::<vitalwire::models::$model>($body));
    };
}

#[path = "generated/responses.rs"]
mod all;

pub use all::*;

/// Reads problem details. This never fails: other bodies have no problem details.
pub fn problems(body: &[u8]) {
    let found = memory::check_memory(body, parse_problem);
    if let Some(found) = &found {
        text::check_debug(found, body.len());
        let text = serde_json::to_string(found).expect("a model can be written");
        // A leading byte order mark is ignored.
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let names =
            |json: &[u8]| serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(json).expect("invalid JSON has no problem details");
        assert!(!names(body).is_empty());
        // Values that a `Value` cannot represent are kept, but not compared here.
        if let (Ok(read), Ok(written)) = (serde_json::from_slice(body), serde_json::from_str(&text)) {
            lossless::check_lossless(&read, &written);
        }
        // Declared fields that are all null are not written, and do not count as problem details.
        let (written, declared) = (names(text.as_bytes()), ["type", "title", "status", "detail", "instance", "errors"]);
        if declared.iter().any(|name| written.contains_key(*name)) {
            let again = parse_problem(text.as_bytes());
            assert!(again.as_ref() == Some(found), "problem details change when they are written and read");
        }
    }
    let error = rejected_request_error(found);
    let mut shown: Vec<String> =
        error.problem().map(|problem| &problem.errors).into_iter().flatten().filter_map(|fault| fault.location.clone()).collect();
    // Longest first, because one path may be the prefix of another.
    shown.sort_by_key(|place| std::cmp::Reverse(place.len()));
    let mut text = error.to_string();
    // Paths from problem details are shown on purpose. They have the form of a path, and there are few.
    for place in shown {
        if !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]-*".contains(&byte)) {
            text = text.replace(&format!("at {place}"), "at").replace(&format!("and {place}"), "and");
        }
    }
    text::check_text(&text, body.len());
}
