//! Laboratory tests: LOINC codes and names, units and usual ranges.

/// A measured quantity.
pub(crate) struct Analyte {
    pub(crate) code: &'static str,
    pub(crate) loinc_name: &'static str,
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Number of decimals that a laboratory prints.
    pub(crate) decimals: i32,
}

/// A group of quantities as printed in a report.
pub(crate) struct Section {
    pub(crate) code: &'static str,
    pub(crate) loinc_name: &'static str,
    pub(crate) original: &'static str,
    pub(crate) standard: &'static str,
    pub(crate) analytes: &'static [Analyte],
}

pub(crate) const fn analyte(
    code: &'static str,
    loinc_name: &'static str,
    name: &'static str,
    unit: &'static str,
    range: (f64, f64),
    decimals: i32,
) -> Analyte {
    Analyte { code, loinc_name, name, unit, low: range.0, high: range.1, decimals }
}

pub(crate) const SECTIONS: [Section; 3] = [
    Section {
        code: "58410-2",
        loinc_name: "CBC panel - Blood by Automated count",
        original: "HEMATOLOGY",
        standard: "Complete blood count",
        analytes: &[
            analyte("6690-2", "Leukocytes [#/volume] in Blood by Automated count", "White Blood Count", "K/uL", (4.0, 11.0), 1),
            analyte("789-8", "Erythrocytes [#/volume] in Blood by Automated count", "Red Blood Count", "M/uL", (4.2, 5.9), 2),
            analyte("718-7", "Hemoglobin [Mass/volume] in Blood", "Hemoglobin", "g/dL", (12.0, 17.5), 1),
            analyte("4544-3", "Hematocrit [Volume Fraction] of Blood by Automated count", "Hematocrit", "%", (36.0, 52.0), 1),
            analyte("777-3", "Platelets [#/volume] in Blood by Automated count", "Platelet Count", "K/uL", (150.0, 400.0), 0),
        ],
    },
    Section {
        code: "24323-8",
        loinc_name: "Comprehensive metabolic 2000 panel - Serum or Plasma",
        original: "CHEMISTRY",
        standard: "Comprehensive metabolic panel",
        analytes: &[
            analyte("2345-7", "Glucose [Mass/volume] in Serum or Plasma", "Glucose", "mg/dL", (70.0, 99.0), 0),
            analyte("2160-0", "Creatinine [Mass/volume] in Serum or Plasma", "Creatinine", "mg/dL", (0.6, 1.3), 2),
            analyte("2951-2", "Sodium [Moles/volume] in Serum or Plasma", "Sodium", "mmol/L", (135.0, 145.0), 0),
            analyte("2823-3", "Potassium [Moles/volume] in Serum or Plasma", "Potassium", "mmol/L", (3.5, 5.1), 1),
        ],
    },
    Section {
        code: "24331-1",
        loinc_name: "Lipid 1996 panel - Serum or Plasma",
        original: "LIPIDS",
        standard: "Lipid panel",
        analytes: &[
            analyte("2093-3", "Cholesterol [Mass/volume] in Serum or Plasma", "Cholesterol, Total", "mg/dL", (120.0, 200.0), 0),
            analyte("2085-9", "Cholesterol in HDL [Mass/volume] in Serum or Plasma", "HDL Cholesterol", "mg/dL", (40.0, 90.0), 0),
            analyte("2571-8", "Triglyceride [Mass/volume] in Serum or Plasma", "Triglycerides", "mg/dL", (50.0, 150.0), 0),
        ],
    },
];
