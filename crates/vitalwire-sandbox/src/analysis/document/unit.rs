//! Normalization of units in reports.

/// Normalizes a unit, so that spellings of the same unit are equal.
pub(super) fn normalize_unit(text: &str) -> String {
    let text = text.trim().replace(['µ', 'μ'], "u").to_lowercase();
    let text = text.strip_prefix('x').unwrap_or(&text);
    match text {
        "10^3/ul" | "10e3/ul" | "10*3/ul" | "10³/ul" | "thou/ul" | "10^9/l" | "10*9/l" | "10e9/l" | "giga/l" | "/nl" => "k/ul".to_owned(),
        "10^6/ul" | "10e6/ul" | "10*6/ul" | "mill/ul" | "10^12/l" | "10*12/l" | "10e12/l" | "tera/l" | "/pl" => "m/ul".to_owned(),
        "iu/l" | "ui/l" => "u/l".to_owned(),
        "uiu/ml" | "mu/l" => "miu/l".to_owned(),
        "meq/l" => "mmol/l".to_owned(),
        "mm/hr" => "mm/h".to_owned(),
        "mcg/dl" => "ug/dl".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_unit_are_equal() {
        assert_eq!(normalize_unit("x10^3/µL"), normalize_unit("K/uL"));
        assert_eq!(normalize_unit("mEq/L"), normalize_unit("mmol/L"));
        assert_ne!(normalize_unit("mmol/L"), normalize_unit("mg/dL"));
    }
}
