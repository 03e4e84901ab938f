//! Every answer of every call, by resource: each body is read as each of the resource's answers.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use vitalwire::fuzzing::{problem, refused};

use crate::oracle::{kept, memory, text};

/// Makes a target of each resource: a function of its name, and its entry in [`RESOURCES`].
macro_rules! resources {
    ($($resource:ident: $($shape:ident $model:ident),+;)*) => {
        $(
            /// The answers of this resource.
            pub fn $resource(body: &[u8]) {
                $(resources!(@$shape body $model);)+
            }
        )*

        /// A target for each resource that answers with a body.
        pub const RESOURCES: &[crate::Target] = &[
            $(crate::Target { name: stringify!($resource), run: $resource, schemas: &[$(stringify!($model)),+] }),*
        ];
    };
    (@object $body:ident $model:ident) => { crate::oracle::answer::answer::<vitalwire::models::$model>($body, &vitalwire::fuzzing::decode) };
    (@list $body:ident $model:ident) => { crate::oracle::answer::answer::<Vec<vitalwire::models::$model>>($body, &vitalwire::fuzzing::decode_list) };
}

#[path = "generated/answers.rs"]
mod all;

pub use all::*;

/// The body of a refusal. It never fails: what is no problem is none.
pub fn problems(body: &[u8]) {
    let found = memory::bounded(body, problem);
    if let Some(found) = &found {
        text::clean_debug(found, body.len());
        let text = serde_json::to_string(found).expect("a model can be written");
        // A byte order mark is ignored.
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let names = |json: &[u8]| serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(json).expect("what is no JSON is no problem");
        assert!(!names(body).is_empty());
        // What no `Value` can hold is kept all the same, and is not compared here.
        if let (Ok(read), Ok(written)) = (serde_json::from_slice(body), serde_json::from_str(&text)) {
            kept::kept(&read, &written);
        }
        // Declared members that are all null are written as none at all, and that is no problem.
        let (written, declared) = (names(text.as_bytes()), ["type", "title", "status", "detail", "instance", "errors"]);
        if declared.iter().any(|name| written.contains_key(*name)) {
            let again = problem(text.as_bytes());
            assert!(again.as_ref() == Some(found), "problem details are others after they were written and read");
        }
    }
    let error = refused(found);
    let mut shown: Vec<String> =
        error.problem().map(|problem| &problem.errors).into_iter().flatten().filter_map(|fault| fault.location.clone()).collect();
    // One may begin with another.
    shown.sort_by_key(|place| std::cmp::Reverse(place.len()));
    let mut text = error.to_string();
    // Places of a refusal are shown on purpose: they are shaped like places, and few.
    for place in shown {
        if !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]-*".contains(&byte)) {
            text = text.replace(&format!("at {place}"), "at").replace(&format!("and {place}"), "and");
        }
    }
    text::clean(&text, body.len());
}
