use super::super::{Decode, FieldReader, FromBody, Kind, NullableList, ObjectAccess, decode, from_slice, require};
use super::*;
use crate::value::ListMember;

const NAMES: &[&str] = &["metrics", "stages", "status"];

/// A model with a required string, a required list, and an optional list of its own type.
#[derive(Debug, PartialEq)]
struct Model {
    status: String,
    metrics: Vec<bool>,
    stages: ListMember<Model>,
}

impl Decode for Model {
    const EXPECTED: &'static str = "expected an object";
    const KIND: Kind = Kind::Container;

    fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let mut fields = FieldReader::new(fields, NAMES, |name| NAMES.iter().position(|known| *known == name));
        let (mut metrics, mut stages, mut status) = (Some(Vec::new()), ListMember::Absent, None);
        while let Some(key) = fields.next()? {
            match key {
                0 => fields.required_list(&mut metrics)?,
                1 => fields.list(&mut stages, "stages")?,
                2 => fields.required(&mut status)?,
                _ => fields.keep_undeclared()?,
            }
        }
        Ok(Ok(Self { status: require(status, "status")?, metrics: require(metrics, "metrics")?, stages }))
    }
}

crate::deserialize_by_decode!(Model);

fn read<T: FromBody>(body: &str) -> (T, Vec<(String, String, String)>) {
    let read = decode::<T>(body.as_bytes(), NAMES, false).ok().unwrap();
    let items = read.skipped.as_slice().iter();
    let items = items.map(|item| (item.json_path().to_owned(), item.reason().to_owned(), item.json().to_owned()));
    (read.value, items.collect())
}

fn statuses(models: &[Model]) -> Vec<&str> {
    models.iter().map(|model| model.status.as_str()).collect()
}

#[test]
fn valid_items_keep_their_order() {
    let good = |status| format!("{{\"status\":\"{status}\"}}");
    for (bad, reason) in [
        ("null", "expected an object"),
        ("5", "expected an object"),
        ("[ ]", "expected an object"),
        ("1e400", "expected an object"),
        ("\"\\ud800\"", "expected an object"),
        ("{}", "missing, at status"),
        ("{\"status\": null}", "expected a string, at status"),
        ("{\"status\":\"x\",\"metrics\":5}", "expected a list, at metrics"),
    ] {
        for at in 0..3 {
            let mut items = vec![good("a"), good("b")];
            items.insert(at, bad.to_owned());
            let list = format!("[{}]", items.join(" , "));
            let (models, skipped) = read::<NullableList<Model>>(&list);
            assert_eq!(statuses(&models.0), ["a", "b"], "{list}");
            assert_eq!(skipped, [(format!("[{at}]"), reason.to_owned(), bad.to_owned())], "{list}");
            let (model, skipped) = read::<Model>(&format!("{{\"stages\":{list},\"status\":\"x\"}}"));
            assert_eq!(statuses(model.stages.as_slice()), ["a", "b"], "{list}");
            assert_eq!(skipped, [(format!("stages[{at}]"), reason.to_owned(), bad.to_owned())], "{list}");
        }
    }
}

#[test]
fn skipping_an_inner_item_keeps_its_parent() {
    let body = r#"{"status":"a","stages":[{"status":"b","metrics":[true,"x",false],"stages":[3,{"status":"c"}]}]}"#;
    let (model, skipped) = read::<Model>(body);
    let inner = &model.stages.as_slice()[0];
    assert_eq!((inner.metrics.as_slice(), statuses(inner.stages.as_slice())), (&[true, false][..], vec!["c"]));
    let paths: Vec<&str> = skipped.iter().map(|item| item.0.as_str()).collect();
    assert_eq!(paths, ["stages[0].metrics[1]", "stages[0].stages[0]"]);
}

/// A skipped item is reported without the items inside it.
#[test]
fn a_skipped_item_is_reported_once() {
    let (model, skipped) = read::<Model>(r#"{"status":"a","stages":[{"metrics":[1,2],"stages":[null]}]}"#);
    assert_eq!(model.stages, ListMember::List(vec![]));
    assert_eq!(skipped.len(), 1);
    assert_eq!((&*skipped[0].0, &*skipped[0].1), ("stages[0]", "missing, at status"));
    // The same holds for a value that is kept as text.
    let body = r#"{"status":"a","\ud800":1}"#;
    let (_, skipped) = read::<NullableList<Model>>(&format!("[{{\"status\":\"x\",\"stages\":[null,{body}]}}]"));
    assert_eq!(skipped.len(), 2);
}

#[test]
fn a_body_of_valid_items_reports_no_skipped_item() {
    let (models, skipped) = read::<NullableList<Model>>(r#"[{"status":"a","stages":null},{"status":"b","stages":[]}]"#);
    assert_eq!((models.0.len(), skipped.len()), (2, 0));
}

#[test]
fn strict_lists_fail_at_the_item() {
    for (body, path, reason) in [
        (r#"{"status":"a","stages":[{"status":"b"},null]}"#, "stages[1]", "expected an object"),
        (r#"{"status":"a","stages":[{"status":5}]}"#, "stages[0].status", "expected a string"),
        (r#"{"status":"a","metrics":[true,1]}"#, "metrics[1]", "expected true or false"),
    ] {
        let failure = decode::<Model>(body.as_bytes(), NAMES, true).err().unwrap();
        assert_eq!((&*failure.json_path, failure.reason), (path, reason), "{body}");
    }
}

#[test]
fn the_first_hundred_texts_are_kept_and_all_items_counted() {
    let items = vec!["{\"a\":1}"; 300_000].join(",");
    let body = format!("[{items},{{\"status\":\"last\"}}]");
    let read = decode::<NullableList<Model>>(body.as_bytes(), NAMES, false).ok().unwrap();
    assert_eq!(statuses(&read.value.0), ["last"]);
    assert_eq!((read.skipped.as_slice().len(), read.skipped.count()), (MAX_KEPT_ITEMS, 300_000));
}

/// Decoding by serde follows the same rule, but reports nothing.
#[test]
fn decoding_by_serde_skips_the_same_items() {
    let body = r#"{"status":"a","stages":[null,{"status":"b"}],"metrics":[1,true]}"#;
    let model: Model = serde_json::from_str(body).unwrap();
    assert_eq!(model, from_slice(body.as_bytes(), NAMES).ok().unwrap());
    assert_eq!((statuses(model.stages.as_slice()), model.metrics.as_slice()), (vec!["b"], &[true][..]));
    let value = serde_json::from_str::<serde_json::Value>(body).unwrap();
    assert_eq!(model, serde_json::from_value(value).unwrap());
}

#[test]
fn debug_shows_no_json() {
    let read = decode::<NullableList<Model>>(br#"[{"CANARY":1}]"#, NAMES, false).ok().unwrap();
    let shown = format!("{:?} {:?}", read.skipped, read.skipped.as_slice());
    assert!(!shown.contains("CANARY"), "{shown}");
}
