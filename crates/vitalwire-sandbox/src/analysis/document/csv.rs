//! Reads results from separated values, by column names.

use super::number::{self, DecimalStyle, NormalRange};
use super::row::Row;

/// Maximum length of a cell, in characters. The rest is dropped.
const MAX_CELL_LENGTH: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Section,
    Name,
    Value,
    Unit,
    Range,
    Low,
    High,
    Code,
    Notes,
}

const COLUMNS: [(Column, &[&str]); 9] = [
    (Column::Section, &["section", "panel", "category", "group", "gruppe", "bereich"]),
    (Column::Name, &["test", "test name", "name", "analyte", "parameter", "component", "untersuchung", "analyse", "examen"]),
    (Column::Value, &["value", "result", "wert", "ergebnis", "résultat", "valeur"]),
    (Column::Unit, &["unit", "units", "einheit", "unité"]),
    (Column::Range, &["range", "reference range", "reference", "normal range", "referenzbereich", "norm", "valeurs de référence"]),
    (Column::Low, &["low", "min", "normal min", "range low", "lower limit", "untergrenze"]),
    (Column::High, &["high", "max", "normal max", "range high", "upper limit", "obergrenze"]),
    (Column::Code, &["loinc", "loinc code", "code"]),
    (Column::Notes, &["notes", "comment", "comments", "bemerkung"]),
];

/// A row and the section in its table.
pub(super) type TableRow = (Option<String>, Row);

/// Reads the rows of a table. Returns `None` unless it has a column of names and one of values.
pub(super) fn read(text: &str, max_rows: usize) -> Option<(DecimalStyle, Vec<TableRow>)> {
    let header = text.lines().find(|line| !line.trim().is_empty())?;
    let delimiter = [b';', b'\t', b',', b'|'].into_iter().find(|delimiter| {
        let columns = find_columns(header.split(char::from(*delimiter)));
        columns.contains(&Some(Column::Name)) && columns.contains(&Some(Column::Value))
    })?;
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let columns = find_columns(reader.headers().ok()?.iter());
    let records: Vec<csv::StringRecord> = reader.records().map_while(Result::ok).take(max_rows).collect();
    let cells: Vec<&str> = records.iter().flat_map(|record| record.iter()).collect();
    let style = DecimalStyle::detect(&cells.join(" "));
    let rows = records.iter().filter_map(|record| read_row(record, &columns, style)).collect();
    Some((style, rows))
}

fn find_columns<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Option<Column>> {
    names
        .map(|name| {
            let name = name.trim().trim_matches('"').trim_start_matches('\u{feff}').to_lowercase().replace('_', " ");
            COLUMNS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(column, _)| *column)
        })
        .collect()
}

fn read_row(record: &csv::StringRecord, columns: &[Option<Column>], style: DecimalStyle) -> Option<TableRow> {
    let cell = |column_kind: Column| {
        let at = columns.iter().position(|column| *column == Some(column_kind))?;
        record.get(at).map(str::trim).filter(|text| !text.is_empty())
    };
    let limit = |column| cell(column).and_then(|text| number::parse_number(text, style));
    let range = cell(Column::Range).and_then(|text| number::parse_range(text.trim_matches(['(', ')', '[', ']']), style));
    let text = |column| cell(column).map(truncate);
    let row = Row {
        name: text(Column::Name)?,
        value: truncate(cell(Column::Value)?).replace(' ', ""),
        unit: text(Column::Unit),
        range: range.unwrap_or(NormalRange { low: limit(Column::Low), high: limit(Column::High) }),
        code: text(Column::Code),
        notes: text(Column::Notes),
    };
    Some((text(Column::Section), row))
}

fn truncate(text: &str) -> String {
    text.chars().take(MAX_CELL_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_recognized_by_name() {
        let text = "\u{feff}Panel,Test Name,Result,Units,Reference Range,Comment\n\
            CBC,\"Hemoglobin, total\",13.5,g/dL,12.0-17.5,\n\
            ,HBsAg,Negative,,,repeated\n\
            CBC,,3,,,\n\
            CBC,WBC,,K/uL,,\n";
        let (style, rows) = read(text, 100).unwrap();
        assert_eq!((style, rows.len()), (DecimalStyle::Point, 2));
        let (section, row) = &rows[0];
        assert_eq!(section.as_deref(), Some("CBC"));
        assert_eq!((row.name.as_str(), row.value.as_str(), row.unit.as_deref()), ("Hemoglobin, total", "13.5", Some("g/dL")));
        assert_eq!(row.range, NormalRange { low: Some(12.0), high: Some(17.5) });
        assert_eq!((rows[1].0.as_deref(), rows[1].1.notes.as_deref()), (None, Some("repeated")));
    }

    #[test]
    fn a_semicolon_table_has_decimal_commas() {
        let text = "Untersuchung;Ergebnis;Einheit;Untergrenze;Obergrenze\nLeukozyten;7,2;10^3/µL;4,0;11,0\nFerritin;1.234;ng/mL;15;300\n";
        let (style, rows) = read(text, 100).unwrap();
        assert_eq!(style, DecimalStyle::Comma);
        assert_eq!(rows[0].1.range, NormalRange { low: Some(4.0), high: Some(11.0) });
        assert_eq!(rows[1].1.clone().into_result(style).unwrap().value, Some(1_234.0));
        assert_eq!(read(text, 1).unwrap().1.len(), 1, "no more than is asked for");
    }

    #[test]
    fn long_cells_are_truncated() {
        let long = "ä".repeat(10_000);
        let (_, rows) = read(&format!("section,test,value,unit,code,notes\n{}", [long.as_str(); 6].join(",")), 10).unwrap();
        let (section, row) = rows.into_iter().next().unwrap();
        for text in [section, Some(row.name), Some(row.value), row.unit, row.code, row.notes] {
            assert_eq!(text.unwrap().chars().count(), 200);
        }
    }

    #[test]
    fn texts_without_name_and_value_columns_are_not_tables() {
        for text in ["", "WBC 7.2 K/uL", "a,b,c\n1,2,3", "Test: WBC, Result: 7"] {
            assert!(read(text, 10).is_none(), "{text}");
        }
    }
}
