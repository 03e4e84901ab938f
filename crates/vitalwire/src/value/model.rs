//! What all models have in common: kept as JSON text, and read again.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Basis;
use super::decode::from_slice;
use crate::error::{Error, ErrorKind};

/// A model or one of its maps: it can be kept as JSON text and read again without loss.
///
/// What is read again is equal to what was written: instants to the nanosecond, integers of any length, unknown members, lists
/// that were null. Only what the numbers of nutrition records refer to is not in the text: keep [`Model::basis`] beside it.
pub trait Model: Serialize + DeserializeOwned + PartialEq + Send + Sync + 'static {
    /// Its name in the specification.
    const NAME: &'static str;

    /// What the numbers in it refer to; `None` where there are none that need it.
    #[must_use]
    fn basis(&self) -> Option<Basis> {
        None
    }

    /// States what the numbers in it refer to. Without effect where none need it.
    fn set_basis(&mut self, basis: Basis) {
        let _ = basis;
    }

    /// Compact JSON, as on the wire.
    ///
    /// # Errors
    /// None is known; [`ErrorKind::Internal`] would be one.
    fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("a record cannot be written"))
    }

    /// Reads JSON by the rules that hold for answers. The basis of numbers is then unknown.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`] with the place, where the text is no such model.
    fn from_json(text: &[u8]) -> Result<Self, Error> {
        from_slice(text).map_err(|failure| Error::with_reason(ErrorKind::Decode, failure.reason).at(failure.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Metrics, NutritionRecord, NutritionalFields, SleepRecord, UserInfo};

    fn again<T: Model>(text: &str) -> T {
        let first = T::from_json(text.as_bytes()).unwrap();
        let second = T::from_json(first.to_json().unwrap().as_bytes()).unwrap();
        assert!(first == second, "{}", T::NAME);
        second
    }

    #[test]
    fn nothing_is_lost_in_json() {
        let sleep: SleepRecord = again(
            r#"{"modified_at":"2025-01-02T03:04:05.123456789Z","start_at_timestamp":"2025-01-01T22:00:00","record_ids":null,
                "stages":[{"stage":"new one"}],"score":"high","far":123456789012345678901234567890,"x":1e400,"d":[[1,{"a":null}]]}"#,
        );
        assert_eq!(sleep.modified_at.subsec_nanoseconds(), 123_456_789);
        assert!(sleep.record_ids.is_null() && sleep.stages.as_slice().len() == 1);
        let kept: Vec<(&str, &str)> = sleep.extra.iter().collect();
        assert_eq!(kept, [("d", "[[1,{\"a\":null}]]"), ("far", "123456789012345678901234567890"), ("score", "\"high\""), ("x", "1e400")]);
        let metrics: Metrics = again(r#"{"new":0.1,"glucose":97.123456,"steps":"many","heartrate":5e-324}"#);
        assert_eq!((metrics.get_text("heartrate"), metrics.extra().get_text("steps")), (Some(5e-324), Some("\"many\"")));
    }

    #[test]
    fn the_basis_is_kept_beside_the_text() {
        const START: &str =
            r#"{"record_id":"r","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z""#;
        let read = |rest: &str| NutritionRecord::from_json(format!("{START}{rest}}}").as_bytes()).unwrap();
        assert_eq!(read("").basis(), None);
        let mut record = read(r#","ingredients":[{"name":"a"},{"nutritional_fields":{"salt_g":1}}]"#);
        assert_eq!(record.basis(), Some(Basis::Unknown));
        record.set_basis(Basis::Per100);
        assert_eq!(record.basis(), Some(Basis::Per100));
        let mut fields = NutritionalFields::from_json(b"{\"salt_g\":1}").unwrap();
        fields.set_basis(Basis::PerServing);
        assert_eq!((NutritionalFields::NAME, Model::basis(&fields)), ("NutritionalFields", Some(Basis::PerServing)));
        assert_eq!((UserInfo::NAME, Metrics::NAME), ("UserInfo", "Metrics"));
    }

    #[test]
    fn what_is_no_such_model_is_refused_with_its_place() {
        let error = SleepRecord::from_json(br#"{"modified_at":"2025-01-01T00:00:00Z"}"#).err().unwrap();
        assert_eq!((error.kind(), error.place(), error.reason()), (ErrorKind::Decode, Some("start_at_timestamp"), Some("missing")));
    }
}
