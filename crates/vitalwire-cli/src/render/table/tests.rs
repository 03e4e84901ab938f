use super::*;

#[test]
fn a_text_of_a_response_does_not_control_the_terminal() {
    let mut table = Table::untitled().left("");
    table.row([Cell::from("a\u{1b}[2Jb\u{9b}c\nd")]);
    assert_eq!(table.lines(80), ["a\u{fffd}[2Jb\u{fffd}c d"]);
}

fn example() -> Table {
    let mut table = Table::new().flexible("dish").right("kcal").left("note");
    table.row(["Käse".into(), "7".into(), "".into()]);
    table.row(["朝食".into(), "1,250".into(), "x".into()]);
    table
}

#[test]
fn columns_align_by_display_width() {
    // "Käse" and "朝食" both take four columns; titles are faint.
    let faint = |text: &str| paint(FAINT, text);
    let head = format!("{}   {}  {}", faint("dish"), faint("kcal"), faint("note"));
    assert_eq!(example().lines(80), [head, "Käse      7".to_owned(), "朝食  1,250  x".to_owned()]);
}

#[test]
fn the_flexible_column_is_shortened_to_the_width() {
    let mut table = Table::untitled().flexible("").right("");
    table.row(["a long name".into(), "12".into()]);
    table.row(["short".into(), "345".into()]);
    // 12 columns: the number takes 3, the gap 2, so 7 are left.
    assert_eq!(table.lines(12), ["a long…   12", "short    345"]);
    assert_eq!((table.width(80), table.width(12)), (16, 12));
    // One column of the name is the least; with the gap and the number it takes 6.
    assert_eq!(table.width(3), 6);
}

#[test]
fn rows_with_missing_or_excess_cells_are_drawn() {
    let mut table = Table::untitled().left("").left("");
    table.row(["a".into()]);
    table.row(["b".into(), "c".into(), "dropped".into()]);
    assert_eq!(table.lines(80), ["a", "b  c"]);
    assert!(Table::untitled().lines(80).is_empty());
}

/// An id of 20 columns, a name, and two numbers, the first of which is optional.
fn wide() -> Table {
    let mut table = Table::new().left("id").flexible("dish").right("min").optional("min").right("max");
    table.row(["x".repeat(20).into(), "salad with olive oil".into(), "1,250".into(), "3,000".into()]);
    table
}

#[test]
fn a_wide_table_folds_its_rows_before_it_drops_columns() {
    let plain = |room: usize| wide().lines(room).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect::<Vec<_>>();
    let id = "x".repeat(20);
    // 20 + 2 + 20 + 2 + 5 + 2 + 5 columns in one line; the name takes at least 16.
    assert_eq!(plain(56)[1], format!("{id}  salad with olive oil  1,250  3,000"));
    assert_eq!(plain(52)[1], format!("{id}  salad with oliv…  1,250  3,000"));
    // Two lines take 2 + 16 + 2 + 5 + 2 + 5 columns.
    assert_eq!(plain(51), ["id", "  dish                    min    max", &id, "  salad with olive oil  1,250  3,000"]);
    assert_eq!(plain(32)[3], "  salad with oliv…  1,250  3,000");
    assert!(wide().left_out(32).is_empty());
    assert_eq!(plain(31), ["id", "  dish                    max", &id, "  salad with olive oil  3,000"]);
    assert_eq!(wide().left_out(31), ["min"]);
    // Nothing fits, so the name is shortened to the remaining width.
    assert_eq!(plain(20)[3], "  salad with…  3,000");
}

#[test]
fn pairs_share_a_line_if_they_fit() {
    let pairs: Vec<(Cell, Cell)> = ["a", "b", "c"].iter().map(|name| (Cell::from(*name), "12345".into())).collect();
    assert_eq!(Table::pairs(&pairs, 20).lines(20), ["a  12345  b  12345", "c  12345"]);
    assert_eq!(Table::pairs(&pairs, 17).lines(17), ["a  12345", "b  12345", "c  12345"]);
}
