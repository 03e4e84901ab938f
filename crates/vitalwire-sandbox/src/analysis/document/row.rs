//! A printed result and its conversion into the interface's form.

use serde::{Deserialize, Serialize};

use super::loinc::{self, KnownAnalyte};
use super::number::{self, DecimalStyle, NormalRange, ResultValue, normalize_unit};

/// Texts of one result.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) unit: Option<String>,
    pub(super) range: NormalRange,
}

/// A result, as the interface defines it. Fields that neither the document nor the table of tests provides are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LabResult {
    pub(crate) original_test_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) standard_test_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) original_unit_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) standard_unit_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loinc_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loinc_common_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal_max: Option<f64>,
    /// Absent if only a bound is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<f64>,
    pub(crate) value_text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tested_positive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) within_normal_range: Option<bool>,
    pub(crate) require_human_review: bool,
}

impl Row {
    pub(super) fn known_analyte(&self) -> Option<KnownAnalyte> {
        loinc::find(&self.name)
    }

    /// Converts the row. Returns `None` if its value cannot be parsed.
    pub(super) fn into_result(self, style: DecimalStyle) -> Option<LabResult> {
        let value = number::parse_value(&self.value, style)?;
        let known = self.known_analyte();
        let usual = known.map(|known| known.analyte).filter(|analyte| !analyte.unit.is_empty());
        // The usual range applies only to the usual unit. A missing unit is assumed to be the usual one and requires human review.
        let comparable = usual.filter(|usual| self.unit.as_deref().is_none_or(|found| normalize_unit(found) == normalize_unit(usual.unit)));
        let has_range = self.range != NormalRange::default();
        let range = match comparable {
            Some(usual) if !has_range => NormalRange { low: Some(usual.low), high: Some(usual.high) },
            _ => self.range,
        };
        let exact = matches!(value, ResultValue::Exact(_));
        let assumed = exact && self.unit.is_none() && usual.is_some();
        let positive = if let ResultValue::Positive(positive) = value { Some(positive) } else { None };
        let numeric = positive.is_none();
        Some(LabResult {
            standard_test_name: known.map(|known| known.analyte.name.to_owned()),
            standard_unit_name: comparable.filter(|_| numeric).map(|usual| usual.unit.to_owned()),
            loinc_code: known.map(|known| known.analyte.code.to_owned()),
            loinc_common_name: known.map(|known| known.analyte.loinc_name.to_owned()),
            normal_min: range.low.filter(|_| numeric),
            normal_max: range.high.filter(|_| numeric),
            value: if let ResultValue::Exact(value) = value { Some(value) } else { None },
            tested_positive: positive,
            within_normal_range: range.contains(value),
            require_human_review: known.is_none() || assumed || (numeric && usual.is_some() && comparable.is_none() && !has_range),
            original_test_name: self.name,
            original_unit_name: self.unit,
            value_text: self.value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, value: &str, unit: Option<&str>, range: (Option<f64>, Option<f64>)) -> LabResult {
        let range = NormalRange { low: range.0, high: range.1 };
        let row = Row { name: name.to_owned(), value: value.to_owned(), unit: unit.map(str::to_owned), range };
        row.into_result(DecimalStyle::Point).unwrap()
    }

    #[test]
    fn the_printed_range_takes_precedence() {
        let printed = row("Hemoglobin", "17.4", Some("g/dL"), (Some(13.0), Some(17.0)));
        assert_eq!((printed.normal_min, printed.normal_max, printed.within_normal_range), (Some(13.0), Some(17.0), Some(false)));
        let usual = row("Hemoglobin", "17.4", Some("g/dL"), (None, None));
        assert_eq!((usual.normal_min, usual.normal_max, usual.within_normal_range), (Some(12.0), Some(17.5), Some(true)));
        assert!(!printed.require_human_review && !usual.require_human_review);
    }

    #[test]
    fn the_usual_range_applies_only_to_the_usual_unit() {
        let molar = row("Glucose", "5.1", Some("mmol/L"), (None, None));
        assert_eq!((molar.value, molar.normal_min, molar.within_normal_range), (Some(5.1), None, None));
        assert_eq!(molar.standard_unit_name, None);
        assert!(molar.require_human_review);
        let none = row("Glucose", "95", None, (None, None));
        assert_eq!((none.standard_unit_name.as_deref(), none.within_normal_range), (Some("mg/dL"), Some(true)));
        assert!(none.require_human_review, "the unit is a guess");
    }

    #[test]
    fn words_and_bounds_have_no_numeric_value() {
        let positive = row("HBsAg", "Positive", None, (None, None));
        assert_eq!((positive.tested_positive, positive.value, positive.value_text.as_str()), (Some(true), None, "Positive"));
        assert_eq!((positive.loinc_code.as_deref(), positive.normal_max, positive.require_human_review), (Some("5196-1"), None, false));
        let bound = row("CRP", "<0.5", Some("mg/L"), (None, None));
        assert_eq!((bound.value, bound.value_text.as_str(), bound.within_normal_range), (None, "<0.5", Some(true)));
        let unknown = row("Unobtainium", "3", Some("mg/L"), (Some(1.0), Some(2.0)));
        assert_eq!((unknown.within_normal_range, unknown.loinc_code, unknown.require_human_review), (Some(false), None, true));
    }
}
