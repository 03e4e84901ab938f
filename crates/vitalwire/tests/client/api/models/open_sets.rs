//! Open sets: known names, unknown names and their serialization.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};
use vitalwire::models::UserProperties;
use vitalwire::open_sets::{Gender, ProviderSlug};
use vitalwire::value::OpenSet;

use super::shapes;

const UNKNOWN: [&str; 9] = ["", " ", "from the future", "PENDING", "unknown ", "µ 😀", "a\u{0}b", "\"quoted\"", "1h "];

/// Checks that a set knows the names of its specification, maps each alias to its name, and keeps any other text unchanged.
fn check<S: OpenSet + serde::Serialize + serde::de::DeserializeOwned + std::fmt::Display>(set: &str) {
    let (names, aliases) = (shapes::values(set), shapes::aliases(set));
    let canonical: BTreeSet<&str> = names.iter().copied().filter(|name| aliases.iter().all(|(alias, _)| alias != name)).collect();
    assert_eq!(S::KNOWN.iter().copied().collect::<BTreeSet<_>>(), canonical, "{set}");
    assert_eq!(S::KNOWN.len(), canonical.len(), "{set}");
    for text in names.iter().chain(&UNKNOWN) {
        let read: S = serde_json::from_value(json!(text)).unwrap();
        assert!(read == S::from_text(text));
        assert_eq!((read.as_str(), read.to_string(), serde_json::to_value(&read).unwrap()), (*text, (*text).to_owned(), json!(text)));
        assert_eq!(read.is_known(), names.contains(text), "{set}: {text:?}");
        let name = aliases.iter().find(|(alias, _)| alias == text).map_or(*text, |(_, name)| *name);
        assert_eq!(S::index_of(text).map(|at| S::KNOWN[at]), names.contains(text).then_some(name), "{set}: {text:?}");
    }
    for value in [json!(null), json!(5), json!(true), json!([]), json!({})] {
        assert!(serde_json::from_value::<S>(value).is_err(), "{set}");
    }
}

macro_rules! open_sets {
    ($($set:ident)*) => {
        /// Checks every set.
        pub fn check_all() {
            $(super::check::<vitalwire::open_sets::$set>(stringify!($set));)*
        }
    };
}

#[path = "../generated/open_sets.rs"]
mod all;

#[test]
fn every_set_keeps_unknown_names() {
    all::check_all();
}

/// `Other` was added later, and its case is uncertain: both spellings are one variant that keeps its text, and are equal.
#[test]
fn gender_knows_both_spellings_of_other() {
    for spelling in ["Other", "other"] {
        let user: UserProperties = serde_json::from_value(json!({"gender": spelling})).unwrap();
        let gender = user.gender.as_ref().unwrap();
        assert!(matches!(gender, Gender::Other(_)) && gender.is_known());
        assert_eq!((gender.as_str(), gender.to_string()), (spelling, spelling.to_owned()));
        assert_eq!(serde_json::to_value(&user).unwrap(), json!({"gender": spelling}));
        assert_eq!(Gender::index_of(spelling), Gender::index_of("Other"));
    }
    for (text, known) in
        [("unknown", true), ("male", true), ("female", true), ("OTHER", false), ("Male", false), ("", false), ("diverse", false)]
    {
        let gender = Gender::from(text);
        assert_eq!((gender.is_known(), gender.as_str()), (known, text));
        assert!(!matches!(gender, Gender::Other(_)));
    }
    let [first, second] = ["Other", "other"].map(Gender::from);
    assert!(first == second && first != Gender::from("OTHER"));
    assert_eq!(first.cmp(&second), Ordering::Equal);
    assert!(Gender::Unknown < first && first < Gender::Male && Gender::Female < Gender::from("a"));
    assert_eq!(HashSet::from([first, second]).len(), 1);
}

#[test]
fn unknown_names_are_compared_by_their_text() {
    let (one, same, other) = (ProviderSlug::from("new_band"), ProviderSlug::from("new_band".to_owned()), ProviderSlug::from("new_ring"));
    assert!(one == same && one != other && one != ProviderSlug::Whoop);
    assert!("whoop".parse::<ProviderSlug>().unwrap() == ProviderSlug::Whoop);
    assert_eq!(serde_json::to_value([one]).unwrap(), Value::from(vec!["new_band"]));
}
